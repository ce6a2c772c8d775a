"""The hall's standings and brackets: who is ahead, who would make the cut, who ended where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.board import Board
from topcut.desk.brackets import bracket_views
from topcut.desk.hall_page import Hall
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.desk.views import scored_rounds
from topcut.errors import TopcutError
from topcut.event.state import State
from topcut.rulebook.options import format_of
from topcut.standings.answer import Row, key_labels
from topcut.standings.rank import LOT

FOLLOWS = ("players", "standings")


@dataclass(frozen=True)
class Cut:
    """Who goes on, as things stand."""

    inside: frozenset[str]
    line: str | None
    """The last of them, if nobody outside stands above; the line is drawn below."""
    says: str


def cut_of(board: Board) -> Cut | None:
    """The cut before a bracket, or the one that comes next; None where none is planned or known yet."""
    if not scored_rounds(board):
        return None
    try:
        course = board.course
        cuts = [bracket.entered for bracket in course.brackets if bracket.entered is not None]
        cuts += [cut for part in course.running if (cut := course.left_out(part)) is not None]
    except TopcutError:
        return None
    if not cuts:
        return None
    players = course.history.players
    inside = frozenset(players[i].id for cut in cuts for i in cut.on)
    here = [row["id"] in inside for row in board.rows]
    last = max((at for at, one in enumerate(here) if one), default=-1)
    line = board.rows[last]["id"] if last >= 0 and all(here[: last + 1]) else None
    went = "went on to the bracket" if course.eliminating else "would go on if the cut were now"
    says = cuts[0].line if len(cuts) == 1 else f"{len(inside)} players"
    return Cut(inside, line, f"{says[:1].upper()}{says[1:]} {went}")


@dataclass(frozen=True)
class Tiebreak:
    """A column: which of a row's tiebreaks, and what it is called."""

    at: int
    short: str
    label: str


def tiebreaks(board: Board) -> list[Tiebreak]:
    """The columns that say something of somebody: a lot that nobody needed has none."""
    shorts = {key.key: key.short or key.label for key in board.state.book.chain} | {LOT: "lot"}
    found = [
        Tiebreak(at, shorts[key], label) for at, (key, label) in enumerate(key_labels(board.standings)[1:])
    ]
    return [one for one in found if {row["tiebreaks"][one.at]["shown"] for row in board.rows} - {"", "no"}]


def follows(state: State) -> tuple[str, ...]:
    """What standings and brackets depend on: where a page shows results as they come, on each of them."""
    circle = format_of(state.book, state.options) == "round-robin"
    playing = circle or any(a_round.stage == "elimination" for a_round in state.rounds)
    return (*FOLLOWS, "pairings", "results") if playing else FOLLOWS


def within(rows: list[Row], division: str) -> list[Row]:
    """The rows of one division, by their rank in it."""
    return sorted((row for row in rows if row.get("division") == division), key=lambda r: r["division_rank"])


@get("/e/{event:str}/standings", raises=[NotFoundException])
async def standings(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], division: FromQuery[str] = ""
) -> Response[bytes]:
    """Who is ahead after the rounds that are played, and by what; the final places where there are some."""
    hall = await Hall.open(house, event)

    def shown() -> dict[str, Any]:
        board, state = hall.board, hall.state
        rows = board.rows if scored_rounds(board) else []
        divisions = sorted({row["division"] for row in rows if row.get("division")})
        chosen = division if division in divisions else ""
        bracket = any(a_round.stage == "elimination" for a_round in state.rounds)
        return {
            "board": board,
            "rows": within(rows, chosen) if chosen else rows,
            "scores": board.scores if rows else {},
            "after": scored_rounds(board),
            "division": chosen,
            "divisions": divisions,
            "flights": any(row.get("flight") for row in rows),
            "labels": dict(key_labels(board.standings)) if board.rounds else {},
            "tiebreaks": tiebreaks(board) if board.rounds else [],
            "cut": cut_of(board) if not chosen else None,
            "brackets": bracket_views(state) if bracket else [],
        }

    return hall.show(request, "hall_standings.html", follows(hall.state), shown)


@get("/e/{event:str}/bracket", raises=[NotFoundException])
async def bracket(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The bracket as a picture and as a list; a round robin as a list of its rounds."""
    hall = await Hall.open(house, event)

    def shown() -> dict[str, Any]:
        return {"brackets": bracket_views(hall.state)}

    return hall.show(request, "hall_bracket.html", follows(hall.state), shown)


ROUTES = [standings, bracket]
