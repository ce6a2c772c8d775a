"""Show everybody the list of events, and the front page of an event."""

from dataclasses import dataclass

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.app.clock import utc_now
from topcut.app.services import Services, hall_address
from topcut.app.views.leaderboard import EventLeaderboard, final_places_of
from topcut.app.views.log_view import find_latest_news
from topcut.app.views.round_view import (
    SeatRow,
    clock_view,
    describe_progress,
    headline,
    seat_of,
    whereabouts,
)
from topcut.app.views.visibility import last_public_round
from topcut.event.describe.news import NewsItem
from topcut.event.state import RoundState, State
from topcut.store.session import EventSummary
from topcut.text.alphabet import fold_letters, name_key
from topcut.web.hall.page import Hall
from topcut.web.responses import AnyRequest, identity_of, render, respond

LONGEST = 80
"""Letters of a search, at most."""
FOUND = 30
"""Players that a search shows, at most."""
RECENT = 5
LEADERS = 8
WORDS = {"published": "is posted", "started": "is being played", "ended": "is over"}
FOLLOWS = ("players", "pairings", "clock", "standings", "progress")


@get("/", right="hall", looks=True)
async def front(request: AnyRequest, services: NamedDependency[Services]) -> Response[bytes]:
    """Show all events of the database, to staff with links to the desk."""
    who = identity_of(request)
    listed = await services.store.list_events()
    abouts = [(e.event, msgspec.json.decode(e.about, type=EventSummary)) for e in listed]
    events = [(event, hall_address(event), about, stands(about)) for event, about in abouts]
    theirs = await services.events_of(who, [event for event, _ in abouts])
    events.sort(key=lambda one: one[0] not in theirs)
    accounts = bool(await services.access.accounts.all(utc_now()))
    page = render("front.html", events=events, who=who, theirs=theirs, accounts=accounts)
    return respond(request, page, keep="no-store" if who.key else "no-cache")


def stands(about: EventSummary) -> str:
    """Describe the progress of an event in public words: a round that is not published does not count.

    >>> stands(EventSummary(name="Cup", rules="", round=3, phase="draft"))
    'round 2 is over'
    """
    phase, number = about.phase, about.round
    if phase == "draft":
        phase, number = "ended", number - 1
    if about.finished or not number:
        return "finished" if about.finished else "not begun"
    return f"round {number} {WORDS[phase]}"


@dataclass(frozen=True)
class FoundPlayer:
    """A player found by name: their seat, or why they have none."""

    id: str
    name: str
    seat: SeatRow | None
    says: str


def find(state: State, a_round: RoundState | None, board: EventLeaderboard, text: str) -> list[FoundPlayer]:
    """Return the players whose names have all these words, from A to Z; names that begin with them first."""
    words = fold_letters(text[:LONGEST]).split()
    if not words:
        return []
    names = {player_id: listed.player.shown_name for player_id, listed in state.players.items()}
    ids = [player_id for player_id, name in names.items() if all(word in name_key(name)[0] for word in words)]
    ids.sort(
        key=lambda player_id: (
            not name_key(names[player_id])[0].startswith(words[0]),
            name_key(names[player_id]),
        )
    )
    return [
        FoundPlayer(
            player_id,
            names[player_id],
            seat_of(state, a_round, board, player_id),
            whereabouts(state, a_round, player_id),
        )
        for player_id in ids[: FOUND + 1]
    ]


def under_way(item: NewsItem, a_round: RoundState | None) -> bool:
    """Tell whether news are about a result of the running round, which this page does not follow."""
    if item.kind != "result" or a_round is None:
        return False
    return item.round == a_round.number and a_round.phase != "ended"


@get("/e/{event:str}", right="hall", raises=[NotFoundException])
async def now(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], q: FromQuery[str] = ""
) -> Response[bytes]:
    """Show the event now: the clock, the search for a seat, the announcement, the changes."""
    hall = await Hall.open(services, event, request)
    state = hall.state

    def shown() -> dict[str, object]:
        a_round, board = last_public_round(state), hall.board
        found = find(state, a_round, board, q)
        return {
            "headline": headline(state),
            "round": a_round,
            "clock": clock_view(a_round, utc_now()),
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
            "news": [
                item for item in find_latest_news(hall.live, 4 * RECENT) if not under_way(item, a_round)
            ][:RECENT],
        }

    return hall.show(request, "hall_now.html", FOLLOWS, shown, keep=not q)


ROUTES = [front, now]
