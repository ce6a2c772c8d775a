"""Show the standings, the cut and the brackets to everybody."""

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.app.services import Services
from topcut.app.views.leaderboard import bracket_views
from topcut.event.state import State
from topcut.history.divisions import division_of
from topcut.rulebook.options import choose_format
from topcut.standings.document import StandingRow, list_key_labels
from topcut.web.hall.page import Hall
from topcut.web.responses import AnyRequest

FOLLOWS = ("players", "standings")


def follows(state: State) -> tuple[str, ...]:
    """Return the aspects that standings and brackets depend on; results only where they show at once."""
    circle = choose_format(state.book, state.options) == "round-robin"
    playing = circle or any(a_round.in_bracket for a_round in state.rounds)
    return (*FOLLOWS, "pairings", "results") if playing else FOLLOWS


def divisions_of(state: State) -> set[str]:
    """Return the divisions that have players."""
    players = (listed.player for listed in state.players.values())
    return {name for player in players if (name := division_of(player, state.book))}


def within(rows: list[StandingRow], division: str) -> list[StandingRow]:
    """Return the rows of one division, by their rank in it."""
    return sorted((row for row in rows if row.get("division") == division), key=lambda r: r["division_rank"])


@get("/e/{event:str}/standings", right="hall", raises=[NotFoundException])
async def standings(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    division: FromQuery[str] = "",
) -> Response[bytes]:
    """Show the standings after the played rounds with their tiebreaks, and the final places if any."""
    hall = await Hall.open(services, event, request)
    chosen = division if division in divisions_of(hall.state) else ""

    def shown() -> dict[str, Any]:
        board, state = hall.board, hall.state
        rows = board.rows if board.scored else []
        divisions = sorted({row["division"] for row in rows if row.get("division")})
        bracket = any(a_round.in_bracket for a_round in state.rounds)
        return {
            "board": board,
            "rows": within(rows, chosen) if chosen else rows,
            "scores": board.scores if rows else {},
            "after": board.scored,
            "division": chosen,
            "divisions": divisions,
            "flights": any(row.get("flight") for row in rows),
            "labels": dict(list_key_labels(board.standings)) if board.rounds else {},
            "tiebreaks": board.tiebreaks if board.rounds else [],
            "cut": board.cut if not chosen else None,
            "brackets": bracket_views(state) if bracket else [],
        }

    return hall.show(request, "hall_standings.html", follows(hall.state), shown, (chosen,))


@get("/e/{event:str}/bracket", right="hall", raises=[NotFoundException])
async def bracket(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show the bracket as a picture and as a list, or a round robin as a list of its rounds."""
    hall = await Hall.open(services, event, request)

    def shown() -> dict[str, Any]:
        return {"brackets": bracket_views(hall.state)}

    return hall.show(request, "hall_bracket.html", follows(hall.state), shown)


ROUTES = [standings, bracket]
