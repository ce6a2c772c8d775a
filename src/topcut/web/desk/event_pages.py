"""Show the desk's pages of an event: the round, the standings, the bracket and the log."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from litestar import Response, get
from litestar.params import FromQuery

from topcut.app.entry_help import list_entry_examples
from topcut.app.live_events import LiveEvent
from topcut.app.player_claims import list_wins
from topcut.app.views.leaderboard import EventLeaderboard, bracket_views, explain_tiebreaks
from topcut.app.views.round_view import (
    TableView,
    count_reported_tables,
    view_draft_seats,
    view_pods,
    view_tables,
)
from topcut.event import facts as f
from topcut.event.correction_window import (
    describe_deadline,
    describe_next_closing,
    find_closure,
    find_next_closing,
)
from topcut.event.describe.drafts import describe_draft, describe_draft_round
from topcut.event.describe.results import describe_result
from topcut.event.describe.swiss_end import MadeCut, describe_made_cut, find_made_cuts, name_round_of
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.facts import DraftActivity
from topcut.event.next_steps import find_obstacle, list_draft_steps
from topcut.event.refusals import CannotPair
from topcut.event.state import Phase, RoundState, State
from topcut.history.model import Table
from topcut.standings.document import list_key_labels
from topcut.text.messages import Message, say
from topcut.web.desk.frame import AtDesk

PHASES: dict[Phase, Message] = {
    "draft": say("not published"),
    "published": say("published"),
    "started": say("being played"),
    "ended": say("over"),
}
WARNING_KINDS = {
    "missing": say("Missing result"),
    "announcement": say("Announcement"),
    "record": say("Results to check"),
    "warning": say("Warning"),
    "rematch": say("Rematch"),
    "pair-down": say("Pair-down"),
    "cross-division": say("Cross-division match"),
    "bye": say("Bye"),
    "fixed table": say("Fixed table"),
    "by hand": say("Changed by hand"),
    "attempt": say("Paired again"),
    "override": say("Exception"),
}
CLOCK_BUTTONS: dict[DraftActivity, Message] = {
    "drafting": say("Start drafting"),
    "building": say("Start deck building"),
}
ORIGINS = {
    "desk": say("at the desk"),
    "phone": say("by phone"),
    "slip": say("by the code on a slip"),
    "hall": say("on the public page"),
    "api": say("by the API"),
    "command line": say("on the command line"),
    "example": say("example"),
}
"""Where an entry of the log comes from; others are names that programs give."""
LISTED = 150
"""Outstanding tables on the page, at most; with more, no judge walks to them yet."""
PILE = 14


@dataclass(frozen=True)
class EnteredResult:
    """A result as it was entered."""

    table: int | str
    says: str
    by: str
    via: str
    at: datetime
    confirmed: bool
    changed: bool


def list_latest_results(live: LiveEvent, a_round: RoundState) -> list[EnteredResult]:
    """Return the results that were entered last, the newest first."""
    event_log, state = live.session.log, live.state
    found: dict[int | str, EnteredResult] = {}
    for entry in reversed(event_log.entries[-5_000:]):
        fact = entry.fact
        if entry.step in event_log.undone or not isinstance(fact, f.Reported | f.Corrected):
            continue
        at = a_round.index_of(fact.table) if fact.round == a_round.number else None
        if at is None or fact.table in found or not a_round.tables[at].reported:
            continue
        says = describe_result(a_round.tables[at], state.name_of)
        changed, confirmed = isinstance(fact, f.Corrected), fact.table in a_round.confirmed
        found[fact.table] = EnteredResult(fact.table, says, entry.by, entry.via, entry.at, confirmed, changed)
        if len(found) == PILE:
            break
    return list(found.values())


async def find_obstacle_now(live: LiveEvent, board: EventLeaderboard) -> CannotPair | None:
    """Return why no round can be paired now, computed once; None if one can be, or a round is not over."""
    state = live.state
    if state.finished or not state.players or (state.round is not None and state.round.phase != "ended"):
        return None
    found: list[CannotPair | None] = live.keep("obstacle", live.version, list)
    async with live.computing:
        if not found:
            found.append(await asyncio.to_thread(find_obstacle, state, board.progress))
    return found[0]


def list_round_steps(state: State, more: bool, cuts: Sequence[MadeCut] = ()) -> list[tuple[str, str, str]]:
    """Return what can be done with the round: command, label, and "main" for the next step."""
    a_round = state.round
    if state.finished or not state.players or not more:
        return []
    if a_round is None or a_round.phase == "ended":
        number = a_round.number + 1 if a_round else 1
        if len(cuts) == 1:
            top = len(cuts[0].players)
            return [("pair", say("Pair round {number}: top {cut}", number=number, cut=top), "main")]
        if cuts:
            return [("pair", say("Pair round {number} (first round of the brackets)", number=number), "main")]
        return [("pair", say("Pair round {number}", number=number), "main")]
    number = a_round.number
    if a_round.phase == "draft":
        publish = say("Publish round {number}", number=number)
        return [("publish", publish, "main"), ("pair again", say("Pair again"), "")]
    if a_round.phase == "published":
        return [("start", say("Start round {number}", number=number), "main")]
    if a_round.missing:
        return []
    return [("end", say("End round {number}", number=number), "main")]


def sort_for_walking(found: list[TableView]) -> list[TableView]:
    """Sort tables for a judge who walks to them: disputes first, then by number, tables with extra time
    last."""
    return sorted(found, key=lambda at: (not at.disputed, at.extra > 0, at.extra, at.table or 0))


@get("/desk/{event:str}", right="desk")
async def round_page(desk: AtDesk, number: FromQuery[int | None] = None) -> Response[bytes]:
    """Show a round, and the next step."""
    live = await desk.open_for_page()
    state = live.state
    a_round = state.round if number is None else state.get_round(number)
    now = a_round is state.round
    board = desk.services.leaderboard(live)
    obstacle = await find_obstacle_now(live, board) if now else None
    missing = a_round.missing if a_round and a_round.phase in ("published", "started") else []
    progress = board.progress
    between = now and a_round is not None and a_round.phase == "ended" and not state.finished
    cuts = find_made_cuts(progress) if between else []
    closing = find_next_closing(state, progress) if between else None
    draft = a_round is not None and a_round.phase == "draft"
    redraw = obstacle is not None and any(way.kind == "draw" for way in obstacle.ways)
    shown = {
        "round": a_round,
        "title": name_round_of(a_round.number, progress, a_round.in_bracket) if a_round else "",
        "current": now,
        "cuts": [
            (describe_made_cut(one), [(player, state.name_of(player)) for player in one.players])
            for one in cuts
        ],
        "plan": desk.describe_plan(live) if now else [],
        "closing": describe_next_closing(closing) if closing else "",
        "steps": list_round_steps(state, obstacle is None, cuts) if now else [],
        "more": obstacle is None,
        "longer": obstacle.changes if between and obstacle and not board.progress.running else [],
        "obstacle": obstacle if obstacle and (board.progress.running or obstacle.overrides) else None,
        "draft_round": describe_draft_round(state, a_round.number if a_round else None),
        "draft_says": describe_draft(state.draft, state) if state.draft else "",
        "draft_steps": list_draft_steps(state, board.progress, obstacle) if now else [],
        "draft_clocks": list(CLOCK_BUTTONS.items()),
        "pods": view_pods(state) if now else [],
        "draft_seats": None if obstacle and not redraw else view_draft_seats(state),
        "seats_attempt": state.attempts.get("seats", 0),
        "warnings": find_draft_warnings(state) if draft and now else [],
        "missing": sort_for_walking(view_tables(state, a_round, missing))[:LISTED] if a_round else [],
        "hidden": max(0, len(missing) - LISTED),
        "tables": view_tables(state, a_round) if a_round and (draft or not now) else [],
        "pile": list_latest_results(live, a_round) if a_round else [],
        "reported": count_reported_tables(a_round) if a_round else (0, 0),
        "questions": [(question, state.name_of(question.player)) for question in state.questions],
        "phases": PHASES,
        "examples": list_entry_examples(state),
        "warning_kinds": WARNING_KINDS,
        "origins": ORIGINS,
        "until": describe_deadline(state, a_round.number) if a_round else "",
        "shut": find_closure(state, a_round.number) if a_round else None,
        "minutes": state.proposed_minutes,
        "players": len(state.players),
        "active": sum(1 for _ in state.active()),
    }
    follows = ("players", "tables", "standings", "questions", "event")
    return desk.show(live, "desk_round.html", follows, shown)


@get("/desk/{event:str}/standings", right="desk")
async def standings(desk: AtDesk, player: FromQuery[str] = "") -> Response[bytes]:
    """Show the standings, and how the tiebreaks of one player are computed."""
    live = await desk.open_for_page()
    board = desk.services.leaderboard(live)
    row = board.ranks.get(player) if player and board.rounds else None
    keys, why = explain_tiebreaks(board, player) if row else ([], [])
    shown = {
        "chosen": row,
        "keys": keys,
        "why": why,
        "cut": board.cut,
        "tiebreaks": board.tiebreaks if board.rounds else [],
        "labels": dict(list_key_labels(board.standings)) if board.rounds else {},
    }
    return desk.show(live, "desk_standings.html", ("standings",), shown)


@get("/desk/{event:str}/bracket", right="desk")
async def bracket(desk: AtDesk) -> Response[bytes]:
    """Show the bracket as a picture; a click on a player reports that they won."""
    live = await desk.open_for_page()
    state, a_round = live.state, live.state.round
    missing = a_round.missing if a_round and a_round.phase in ("published", "started") else []
    views = bracket_views(state)
    drawn = (table for view in views for one in view.rounds for table in one.tables if table.open)
    joins: dict[int | str | None, str] = {table.table: table.name for table in drawn}

    def players(table: Table) -> list[tuple[str, str, Any]]:
        return [(one, state.name_of(one), list_wins(table, one, state)) for one in table.players]

    shown = {
        "brackets": views,
        "open": [
            (table, joins.get(table.table, ""), players(table))
            for table in missing
            if len(table.players) == 2
        ],
        "round": a_round,
    }
    return desk.show(live, "desk_bracket.html", ("players", "tables", "standings"), shown)


@get("/desk/{event:str}/log", right="desk")
async def log(desk: AtDesk, before: FromQuery[int | None] = None) -> Response[bytes]:
    """Show the log, the newest step first; any step can be undone."""
    live = await desk.open_for_page()
    lines = desk.services.log_view(live, desk.who).last(live.session.log, 100, before)
    older = lines[-1].entry.position if lines else 1
    shown = {"lines": lines, "before": before, "older": older, "origins": ORIGINS}
    return desk.show(live, "desk_log.html", ("log",), shown)
