"""The desk's round: pair, preview, publish, start, results, end; and the standings and the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk import desk_event, desk_players
from topcut.desk.board import Board
from topcut.desk.brackets import bracket_views
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest
from topcut.desk.phone import wins
from topcut.desk.record import explained
from topcut.desk.views import AtTable, playing, tables
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.event import facts as f
from topcut.event.preview import preview
from topcut.event.state import RoundOf, State
from topcut.event.window import closed, open_until
from topcut.event.words import question_words, result_words
from topcut.stages.next import next_round
from topcut.standings.answer import key_labels

LISTED = 150
"""Outstanding tables on the page, at most; with more than that nobody walks them yet."""
PILE = 14


@dataclass(frozen=True)
class Slip:
    """A result as it was entered."""

    table: int | str
    says: str
    by: str
    via: str
    at: datetime
    confirmed: bool
    changed: bool


def pile(live: Live, a_round: RoundOf, most: int) -> list[Slip]:
    """What was entered last, the newest first, as the slips lie on each other."""
    journal, state = live.running.journal, live.state
    found: dict[int | str, Slip] = {}
    for entry in reversed(journal.entries[-5_000:]):
        fact = entry.fact
        if entry.step in journal.undone or not isinstance(fact, f.Reported | f.Corrected):
            continue
        if fact.round != a_round.number or fact.table in found:
            continue
        at = a_round.at(fact.table)
        if at is None or not a_round.tables[at].reported:
            continue
        table = a_round.tables[at]
        says = result_words(table, state.name_of)
        changed = isinstance(fact, f.Corrected)
        confirmed = fact.table in a_round.confirmed
        found[fact.table] = Slip(fact.table, says, entry.by, entry.via, entry.at, confirmed, changed)
        if len(found) == most:
            break
    return list(found.values())


def goes_on(board: Board) -> bool:
    """Whether there is another round to play."""
    if board.course.running:
        return True
    try:
        next_round(board.course, "")  # a bracket or a round robin: nothing large is drawn
    except TopcutError:
        return False
    return True


def steps(state: State, more: bool) -> list[tuple[str, str, str]]:
    """What can be done with the round: command, words, and "main" for what comes next."""
    a_round = state.round
    if state.finished or not state.players or not more:
        return []
    if a_round is None or a_round.phase == "ended":
        number = a_round.number + 1 if a_round else 1
        return [("pair", f"Pair round {number}", "main")]
    if a_round.phase == "draft":
        return [("publish", "Publish", "main"), ("pair again", "Draw again", "")]
    if a_round.phase == "published":
        return [("start", "Start the round", "main")]
    if a_round.missing:
        return []
    return [("end", f"End round {a_round.number}", "main")]


def walked(found: list[AtTable]) -> list[AtTable]:
    """Tables in the order in which a judge looks after them: disputes first, then by number, so that one walk
    passes all of them; those with more time last."""
    return sorted(found, key=lambda at: (not at.disputed, at.extra > 0, at.extra, at.table or 0))


@get("/desk/{event:str}", right="desk", raises=[NotFoundException])
async def round_page(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    number: FromQuery[int | None] = None,
) -> Response[bytes]:
    """The round as it stands, and whatever comes next."""

    def shown(live: Live, _: Who) -> dict[str, Any]:
        state = live.state
        a_round = state.round if number is None else state.numbered(number)
        now = a_round is state.round
        more = state.round is None or state.round.phase != "ended" or goes_on(house.board(live))
        missing = a_round.missing if a_round and a_round.phase in ("published", "started") else []
        draft = a_round is not None and a_round.phase == "draft"
        questions = [(q, state.name_of(q.player), question_words(q.about, q.round)) for q in state.questions]
        return {
            "round": a_round,
            "current": now,
            "steps": steps(state, more) if now else [],
            "more": more,
            "warnings": preview(state) if draft and now else [],
            "missing": walked(tables(state, a_round, missing))[:LISTED] if a_round else [],
            "hidden": max(0, len(missing) - LISTED),
            "tables": tables(state, a_round) if a_round and (draft or not now) else [],
            "pile": pile(live, a_round, PILE) if a_round else [],
            "reported": playing(a_round) if a_round else (0, 0),
            "questions": questions,
            "until": open_until(state, a_round.number) if a_round else "",
            "shut": closed(state, a_round.number) if a_round else None,
            "players": len(state.players),
            "active": sum(1 for _ in state.active()),
        }

    follows = ("players", "tables", "standings", "questions", "event")
    return await house.at_desk(request, event, "desk_round.html", follows, shown)


@get("/desk/{event:str}/standings", right="desk", raises=[NotFoundException])
async def standings(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromQuery[str] = ""
) -> Response[bytes]:
    """The standings, with the working of one player's tiebreaks."""

    def shown(live: Live, _: Who) -> dict[str, Any]:
        board = house.board(live)
        row = board.ranks.get(player) if player and board.rounds else None
        keys, why = explained(board, player) if row else ([], [])
        return {
            "chosen": row,
            "keys": keys,
            "why": why,
            "cut": board.cut,
            "tiebreaks": board.tiebreaks if board.rounds else [],
            "labels": dict(key_labels(board.standings)) if board.rounds else {},
        }

    return await house.at_desk(request, event, "desk_standings.html", ("standings",), shown)


@get("/desk/{event:str}/bracket", right="desk", raises=[NotFoundException])
async def bracket(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The bracket as a picture; a click on a player reports that they won."""

    def shown(live: Live, _: Who) -> dict[str, Any]:
        state, a_round = live.state, live.state.round
        playing = a_round is not None and a_round.phase in ("published", "started")
        missing = a_round.missing if a_round is not None and playing else []
        views = bracket_views(state)
        tables = (table for view in views for one in view.rounds for table in one.tables if table.open)
        joins: dict[int | str | None, str] = {table.table: table.name for table in tables}
        return {
            "brackets": views,
            "open": [
                (
                    table,
                    joins.get(table.table, ""),
                    [
                        (player_id, state.name_of(player_id), wins(table, player_id, state))
                        for player_id in table.players
                    ],
                )
                for table in missing
                if len(table.players) == 2
            ],
            "round": a_round,
        }

    return await house.at_desk(request, event, "desk_bracket.html", ("players", "tables", "standings"), shown)


@get("/desk/{event:str}/log", right="desk", raises=[NotFoundException])
async def log(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    before: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Everything that happened, newest first; any step can be taken back."""

    def shown(live: Live, who: Who) -> dict[str, Any]:
        journal = live.running.journal
        lines = house.logbook(live, who).last(journal, 100, before)
        return {"lines": lines, "before": before, "older": lines[-1].entry.position if lines else 1}

    return await house.at_desk(request, event, "desk_log.html", ("log",), shown)


ROUTES = [round_page, standings, bracket, log, *desk_players.ROUTES, *desk_event.ROUTES]
