"""Show the pairings to everybody: a row for each player from A to Z, or table by table."""

from html import escape
from typing import Any
from urllib.parse import quote

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from markupsafe import Markup

from topcut.app.clock import utc_now
from topcut.app.services import Services
from topcut.app.views.round_view import SeatRow, clock_view, playing, seats, tables
from topcut.app.views.visibility import public_round
from topcut.text.alphabet import initial_letter
from topcut.web.hall.page import Hall
from topcut.web.responses import AnyRequest

FOLLOWS = ("players", "pairings", "clock", "standings")
SHORT = 30
"""With fewer players the page has no letters to jump to."""


def by_letter(found: list[SeatRow], points: bool) -> list[tuple[str, Markup]]:
    """Return the rows under the letters of their names, each letter once."""
    letters: dict[str, list[str]] = {}
    for seat in found:
        letters.setdefault(initial_letter(seat.name), []).append(_row(seat, points))
    return [(letter, Markup("\n".join(rows))) for letter, rows in letters.items()]


def _row(seat: SeatRow, points: bool) -> str:
    """Write a row of the table from A to Z. The page that everybody opens at once has thousands of rows, so
    they are written here and not by the template, without the end tags that HTML does not need."""
    against = ", ".join([f"<bdi>{escape(name, quote=False)}</bdi>" for name in seat.against])
    new = ' <span class="badge new">new</span>' if seat.new else ""
    row = (
        f'<tr data-key="{escape(seat.id)}"><th scope="row"><a href="player/{quote(seat.id)}">'
        f"{escape(seat.name, quote=False)}</a><td>{escape(str(seat.table or seat.alone))}<td>{against}{new}"
    )
    return f"{row}<td>{seat.record}<td>{seat.points}" if points else row


@get("/e/{event:str}/pairings", right="hall", raises=[NotFoundException])
async def pairings(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    by: FromQuery[str] = "name",
    number: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Show a round, from A to Z (PK-57) or by its tables with the results as they come."""
    hall = await Hall.open(services, event, request)
    state, by_table = hall.state, by == "table"
    a_round = public_round(state, number)
    if number is not None and a_round is None:
        raise NotFoundException(f"round {number} is not posted")

    def shown() -> dict[str, Any]:
        last = state.rounds[-1].number if state.rounds else 0
        points = a_round is not None and a_round.number == last and hall.board.scored > 0
        everybody = seats(state, a_round, hall.board) if a_round and not by_table else []
        return {
            "round": a_round,
            "by_table": by_table,
            "letters": by_letter(everybody, points),
            "jump": len(everybody) > SHORT,
            "points": points,
            "tables": tables(state, a_round) if a_round and by_table else [],
            "rounds": [r.number for r in state.rounds],
            "last": last,
            "reported": playing(a_round) if a_round else (0, 0),
            "clock": clock_view(a_round, utc_now()),
        }

    follows = (*FOLLOWS, "results") if by_table else FOLLOWS
    return hall.show(request, "hall_pairings.html", follows, shown, (by_table, number))


ROUTES = [pairings]
