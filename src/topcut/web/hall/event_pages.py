"""Show everybody the list of events, and the pages of an event: now, pairings, standings, bracket, draws."""

from dataclasses import dataclass
from html import escape
from operator import itemgetter
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery
from markupsafe import Markup

from topcut.app.clock import utc_now
from topcut.app.services import hall_address
from topcut.app.views.leaderboard import EventLeaderboard, bracket_views, final_places_of
from topcut.app.views.log_view import find_latest_news, list_draws, list_promises
from topcut.app.views.round_view import (
    SeatRow,
    count_reported_tables,
    describe_event,
    describe_pod,
    describe_progress,
    explain_absence,
    find_clock,
    find_divisions_line,
    find_reminder,
    find_seat,
    is_drafting_now,
    list_seats,
    view_pods,
    view_tables,
)
from topcut.app.views.visibility import last_public_round, public_round
from topcut.event.describe.drafts import describe_draft_round
from topcut.event.describe.fact_sentences import describe_allowance
from topcut.event.describe.news import NewsItem
from topcut.event.next_steps import find_obstacle
from topcut.event.state import RoundState, State
from topcut.history.divisions import division_of
from topcut.rulebook.options import choose_format
from topcut.standings.document import list_key_labels
from topcut.store.session import EventSummary
from topcut.text.messages import Message, say, to_markup
from topcut.text.names import fold_letters, initial_letter, name_key
from topcut.web.hall.page import OpenHall, pages
from topcut.web.responses import AnyRequest, AppServices, identity_of, render, respond

LONGEST = 80
"""Letters of a search, at most."""
FOUND = 30
"""Players that a search shows, at most."""
RECENT = 5
LEADERS = 8
SHORT = 30
"""With fewer players the pairings have no letters to jump to."""
CHANGES = 100
"""Changes on their page, unless all are asked for."""
FOLLOWS = ("players", "pairings", "clock", "standings")


@get("/", right="hall", identifies=True)
async def front(request: AnyRequest, services: AppServices) -> Response[bytes]:
    """Show all events of the database, to staff with links to the desk."""
    who = identity_of(request)
    listed = await services.store.list_events()
    abouts = [(e.event, msgspec.json.decode(e.about, type=EventSummary)) for e in listed]
    events = [(event, hall_address(event), about, describe_stage(about)) for event, about in abouts]
    theirs = await services.events_of(who, [event for event, _ in abouts])
    events.sort(key=lambda one: one[0] not in theirs)
    accounts = bool(await services.access.accounts.all(utc_now()))
    page = render("front.html", events=events, who=who, theirs=theirs, accounts=accounts)
    return respond(request, page, keep="no-store" if who.key else "no-cache")


def describe_stage(about: EventSummary) -> Message:
    """Describe the progress of an event in public words: a round that is not published does not count.

    >>> describe_stage(EventSummary(name="Cup", rules="", round=3, phase="draft"))
    'Round 2 is over'
    """
    phase, number = about.phase, about.round
    if phase == "draft":
        phase, number = "ended", number - 1
    if about.finished:
        return say("Finished")
    if not number:
        return say("Not started")
    if phase == "published":
        return say("Round {number} is published", number=number)
    if phase == "started":
        return say("Round {number} is being played", number=number)
    return say("Round {number} is over", number=number)


@dataclass(frozen=True)
class FoundPlayer:
    """A player found by name: their seat, or why they have none."""

    id: str
    name: str
    seat: SeatRow | None
    says: str


def search_players(
    state: State, a_round: RoundState | None, board: EventLeaderboard, text: str
) -> list[FoundPlayer]:
    """Return the players whose names have all these words, from A to Z; names that begin with them first."""
    words = fold_letters(text[:LONGEST]).split()
    if not words:
        return []
    keys = {player_id: name_key(listed.player.shown_name) for player_id, listed in state.players.items()}
    ids = [player_id for player_id, key in keys.items() if all(word in key[0] for word in words)]
    ids.sort(key=lambda player_id: (not keys[player_id][0].startswith(words[0]), keys[player_id]))
    drafting = is_drafting_now(state)
    found = []
    for player_id in ids[: FOUND + 1]:
        pod = describe_pod(state.players[player_id].player) if drafting else ""
        seat = None if pod else find_seat(state, a_round, board, player_id)
        says = pod or explain_absence(state, a_round, player_id)
        found.append(FoundPlayer(player_id, keys[player_id][1], seat, says))
    return found


def is_last_round(state: State, a_round: RoundState | None, board: EventLeaderboard) -> bool:
    """Tell whether no round follows a round that is over: all are played, or the bracket is decided."""
    if a_round is None or a_round.phase != "ended" or board.progress.running:
        return False
    return find_obstacle(state, board.progress) is not None


def is_of_running_round(item: NewsItem, a_round: RoundState | None) -> bool:
    """Tell whether news are about a result of the running round, which this page does not follow."""
    runs = a_round is not None and item.round == a_round.number and a_round.phase != "ended"
    return runs and item.kind == "result"


@get("/e/{event:str}", right="hall")
async def now(hall: OpenHall, q: FromQuery[str] = "") -> Response[bytes]:
    """Show the event now: the clock, the search for a seat, the announcement, the changes."""
    state = hall.state

    def shown() -> dict[str, Any]:
        a_round, board = last_public_round(state), hall.board
        found = search_players(state, a_round, board, q)
        news = find_latest_news(hall.live, 4 * RECENT)
        return {
            "headline": describe_event(state),
            "round": a_round,
            "clock": find_clock(state, a_round, utc_now()),
            "pods": view_pods(state),
            "drafting": is_drafting_now(state),
            "draft_round": describe_draft_round(state, a_round.number if a_round else None),
            "last": is_last_round(state, a_round, board),
            "reminder": find_reminder(state, board) if a_round and a_round.phase == "ended" else "",
            "divisions": find_divisions_line(state, board),
            "so_far": describe_progress(a_round) if a_round else "",
            "after": board.scored,
            "leaders": board.rows[:LEADERS] if board.scored else [],
            "ranked": len(board.rows) if board.scored else 0,
            "places": final_places_of(state)[:LEADERS],
            "players": len(state.players),
            "q": q,
            "found": found[:FOUND],
            "more": len(found) > FOUND,
            "nobody": bool(q.strip()) and not found,
            "news": [item for item in news if not is_of_running_round(item, a_round)][:RECENT],
        }

    return hall.show("hall_now.html", (*FOLLOWS, "progress"), shown, {"q": q}, keep=not q)


@get("/e/{event:str}/changes", right="hall")
async def changes(hall: OpenHall, all: FromQuery[bool] = False) -> Response[bytes]:
    """Show the changes of the event, the newest first."""

    def shown() -> dict[str, Any]:
        found = find_latest_news(hall.live, 100_000 if all else CHANGES + 1)
        return {"news": found if all else found[:CHANGES], "more": not all and len(found) > CHANGES}

    # Not the log, which also grows by facts that are not public.
    return hall.show(
        "hall_changes.html", (*FOLLOWS, "results", "draws"), shown, {"all": "true" if all else ""}
    )


@get("/e/{event:str}/draws", right="hall")
async def draws(hall: OpenHall) -> Response[bytes]:
    """Show the commitment, every draw, and every change that was not drawn."""
    state, log = hall.state, hall.live.session.log

    def shown() -> dict[str, Any]:
        overrides = [
            (override, state.name_of(override.table) if isinstance(override.table, str) else "")
            for override in state.overrides
        ]
        allowed = [(r.number, describe_allowance(r.allowed)) for r in state.rounds if r.allowed]
        draws = list_draws(state, log)
        return {"promises": list_promises(log), "draws": draws, "overrides": overrides, "allowed": allowed}

    return hall.show("hall_draws.html", ("draws", "players"), shown)


def group_by_letter(found: list[SeatRow], points: bool) -> list[tuple[str, Markup]]:
    """Return the rows under the letters of their names, each letter once."""
    letters: dict[str, list[str]] = {}
    words = {
        "": "",
        "bye": say("bye").__html__(),
        "awarded": say("bye (awarded)").__html__(),
        "loss": say("loss").__html__(),
        "new": say("new").__html__(),
    }
    for seat in found:
        letters.setdefault(initial_letter(seat.name), []).append(_row(seat, points, words))
    return [(letter, Markup("\n".join(rows))) for letter, rows in letters.items()]


def _row(seat: SeatRow, points: bool, words: dict[str, str]) -> str:
    """Write a row of the table from A to Z. The page that everybody opens at once has thousands of rows, so
    they are written here and not by the template, without the end tags that HTML does not need; `words` are
    those in the language of the page, ready for HTML."""
    against = ", ".join([f"<bdi>{escape(name, quote=False)}</bdi>" for name in seat.against])
    new = f' <span class="badge new">{words["new"]}</span>' if seat.new else ""
    table = escape(str(seat.table)) if seat.table else words["awarded" if seat.awarded else seat.alone]
    row = (
        f'<tr data-key="{escape(seat.id)}"><th scope="row"><a href="player/{quote(seat.id)}">'
        f"{escape(seat.name, quote=False)}</a><td>{table}<td>{against}{new}"
    )
    return f"{row}<td>{seat.record}<td>{seat.points}" if points else row


@get("/e/{event:str}/pairings", right="hall")
async def pairings(
    hall: OpenHall, by: FromQuery[str] = "name", number: FromQuery[int | None] = None
) -> Response[bytes]:
    """Show a round, from A to Z (PK-57) or by its tables with the results as they come."""
    state, by_table = hall.state, by == "table"
    a_round = public_round(state, number)
    if number is not None and a_round is None:
        raise NotFoundException(detail=say("Round {number} isn't published.", number=number))

    def shown() -> dict[str, Any]:
        last = state.rounds[-1].number if state.rounds else 0
        points = a_round is not None and a_round.number == last and hall.board.scored > 0
        everybody = list_seats(state, a_round, hall.board) if a_round and not by_table else []
        return {
            "round": a_round,
            "by_table": by_table,
            "letters": group_by_letter(everybody, points),
            "jump": len(everybody) > SHORT,
            "points": points,
            "tables": view_tables(state, a_round) if a_round and by_table else [],
            "rounds": [r.number for r in state.rounds],
            "last": last,
            "reported": count_reported_tables(a_round) if a_round else (0, 0),
            "clock": find_clock(state, a_round, utc_now()),
        }

    follows = (*FOLLOWS, "results") if by_table else FOLLOWS
    return hall.show(
        "hall_pairings.html", follows, shown, {"by": "table" if by_table else "", "number": number}
    )


def follow_standings(state: State) -> tuple[str, ...]:
    """Return the aspects that standings and brackets depend on; results only where they show at once."""
    circle = choose_format(state.book, state.options) == "round-robin"
    playing = circle or any(a_round.in_bracket for a_round in state.rounds)
    return ("players", "standings", "pairings", "results") if playing else ("players", "standings")


@get("/e/{event:str}/standings", right="hall")
async def standings(hall: OpenHall, division: FromQuery[str] = "") -> Response[bytes]:
    """Show the standings after the played rounds with their tiebreaks, and the final places if any."""
    state = hall.state
    known = {division_of(listed.player, state.book) for listed in state.players.values()}
    chosen = division if division in known else ""

    def shown() -> dict[str, Any]:
        board = hall.board
        rows = board.rows if board.scored else []
        within = [row for row in rows if row.get("division") == chosen]
        return {
            "board": board,
            "rows": sorted(within, key=itemgetter("division_rank")) if chosen else rows,
            "scores": board.scores if rows else {},
            "after": board.scored,
            "division": chosen,
            "divisions": sorted({row["division"] for row in rows if row.get("division")}),
            "flights": any(row.get("flight") for row in rows),
            "labels": {key: to_markup(label) for key, label in list_key_labels(board.standings)}
            if board.rounds
            else {},
            "tiebreaks": board.tiebreaks if board.rounds else [],
            "cut": board.cut if not chosen else None,
            "brackets": bracket_views(state) if any(r.in_bracket for r in state.rounds) else [],
        }

    return hall.show("hall_standings.html", follow_standings(state), shown, {"division": chosen})


@get("/e/{event:str}/bracket", right="hall")
async def bracket(hall: OpenHall) -> Response[bytes]:
    """Show the bracket as a picture and as a list, or a round robin as a list of its rounds."""
    state = hall.state

    def shown() -> dict[str, Any]:
        name = dict(pages(state)).get("/bracket", say("Bracket"))
        return {"brackets": bracket_views(state), "page_name": name}

    return hall.show("hall_bracket.html", follow_standings(state), shown)
