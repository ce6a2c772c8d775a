"""Let players report their table's result by the QR code of its slip, without an account.

A person who has the slip may claim a result for each player on it; each claim names its player, and the
result counts once all claims agree. A slip is good for its own players only: where a table is drawn again,
the old slip opens nothing.
"""

from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody

from topcut.app.access.identity import identity_of_players
from topcut.app.access.player_links import open_slip
from topcut.app.clock import utc_now
from topcut.app.player_claims import (
    ResultClaim,
    claim_result,
    describe_claims,
    is_open,
    list_choices,
    table_mark,
)
from topcut.app.services import NotHere, Services
from topcut.app.views.round_view import clock_view, tables
from topcut.web.hall.page import Hall
from topcut.web.responses import AnyRequest, respond

FOLLOWS = ("players", "pairings", "clock", "own")


@get("/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}", right="speak", raises=[NotFoundException])
async def slip(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    number: FromPath[int],
    table: FromPath[int],
    signed: FromPath[str],
    me: FromQuery[str] = "",
) -> Response[bytes]:
    """Show the table, its claims, and the choice of the player who reports."""
    _, a_round, found = await open_slip(services, event, number, table, signed)
    hall = await Hall.open(services, event, request)
    state = hall.state
    player = me if me in found.players else ""
    open_table = is_open(a_round, found)
    mine, _ = describe_claims(state, a_round, found, player)
    _, said = describe_claims(state, a_round, found, "")
    shown = {
        "round": a_round,
        "clock": clock_view(a_round, utc_now()),
        "own": table_mark(found),
        "at": tables(state, a_round, [found])[0],
        "open": open_table,
        "player": player,
        "choices": list_choices(found, player, state, a_round) if player and open_table else [],
        "results": state.book.match.results,
        "mine": mine,
        "said": said,
        "disputed": table in a_round.disputed,
        "address": request.scope["path"],
    }
    return respond(request, hall.page("slip.html", FOLLOWS, shown), keep="no-store")


class SlipClaim(ResultClaim):
    player: str


@post(
    "/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}/report",
    right="speak",
    status_code=200,
    raises=[NotFoundException],
)
async def report(
    services: NamedDependency[Services],
    event: FromPath[str],
    number: FromPath[int],
    table: FromPath[int],
    signed: FromPath[str],
    data: JSONBody[SlipClaim],
) -> dict[str, Any]:
    """Take one player's claim of the table's result."""
    live, _, found = await open_slip(services, event, number, table, signed)
    meant = (data.round, data.table, data.players) == (number, table, found.players)
    if not meant or data.player not in found.players:
        raise NotHere("this slip is another table's")
    who = identity_of_players(found.players, data.player, "slip")
    return await claim_result(live, who, data.player, data, found.players)


ROUTES = [slip, report]
