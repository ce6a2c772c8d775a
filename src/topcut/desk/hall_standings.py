"""The hall's standings and brackets: who is ahead, who would make the cut, who ended where."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.brackets import bracket_views
from topcut.desk.hall_page import Hall
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.event.state import State
from topcut.history.divisions import division_of
from topcut.rulebook.options import format_of
from topcut.standings.answer import Row, key_labels

FOLLOWS = ("players", "standings")


def follows(state: State) -> tuple[str, ...]:
    """What standings and brackets depend on: where a page shows results as they come, on each of them."""
    circle = format_of(state.book, state.options) == "round-robin"
    playing = circle or any(a_round.stage == "elimination" for a_round in state.rounds)
    return (*FOLLOWS, "pairings", "results") if playing else FOLLOWS


def divisions_of(state: State) -> set[str]:
    """The divisions of the players there are."""
    players = (entrant.player for entrant in state.players.values())
    return {name for player in players if (name := division_of(player, state.book))}


def within(rows: list[Row], division: str) -> list[Row]:
    """The rows of one division, by their rank in it."""
    return sorted((row for row in rows if row.get("division") == division), key=lambda r: r["division_rank"])


@get("/e/{event:str}/standings", right="hall", raises=[NotFoundException])
async def standings(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], division: FromQuery[str] = ""
) -> Response[bytes]:
    """Who is ahead after the rounds that are played, and by what; the final places where there are some."""
    hall = await Hall.open(house, event, request)
    chosen = division if division in divisions_of(hall.state) else ""

    def shown() -> dict[str, Any]:
        board, state = hall.board, hall.state
        rows = board.rows if board.scored else []
        divisions = sorted({row["division"] for row in rows if row.get("division")})
        bracket = any(a_round.stage == "elimination" for a_round in state.rounds)
        return {
            "board": board,
            "rows": within(rows, chosen) if chosen else rows,
            "scores": board.scores if rows else {},
            "after": board.scored,
            "division": chosen,
            "divisions": divisions,
            "flights": any(row.get("flight") for row in rows),
            "labels": dict(key_labels(board.standings)) if board.rounds else {},
            "tiebreaks": board.tiebreaks if board.rounds else [],
            "cut": board.cut if not chosen else None,
            "brackets": bracket_views(state) if bracket else [],
        }

    return hall.show(request, "hall_standings.html", follows(hall.state), shown, (chosen,))


@get("/e/{event:str}/bracket", right="hall", raises=[NotFoundException])
async def bracket(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The bracket as a picture and as a list; a round robin as a list of its rounds."""
    hall = await Hall.open(house, event, request)

    def shown() -> dict[str, Any]:
        return {"brackets": bracket_views(hall.state)}

    return hall.show(request, "hall_bracket.html", follows(hall.state), shown)


ROUTES = [standings, bracket]
