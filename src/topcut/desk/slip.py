"""What the QR code of a slip opens: the table says how it ended, without an account.

Whoever holds the slip may speak for the players on it, as whoever writes on it does; each says by whom it is
said, and it counts once all of them say the same. A slip is good for its own players and nothing else: where
a table is drawn again, the old one opens nothing.
"""

from __future__ import annotations

import hmac
from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody

from topcut.desk.access import signature, utc
from topcut.desk.commands import answer, give
from topcut.desk.hall_page import Hall
from topcut.desk.house import House, hall_address
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, respond
from topcut.desk.phone import Said, choices, own_table
from topcut.desk.views import clock_view, tables
from topcut.desk.who import speaking
from topcut.event import commands as c
from topcut.event.state import RoundOf
from topcut.event.words import said_words
from topcut.history.direction import apart
from topcut.history.model import Table
from topcut.paper.occasion import Number

FOLLOWS = ("players", "pairings", "clock", "own")
NOT_GOOD = "this slip is not good any more: look for your table again, or ask the desk"


def link_of(secret: bytes, event: str, a_round: RoundOf, table: Number) -> str:
    """The address that stands on a slip, which nobody can guess."""
    signed = _signed(secret, event, a_round, a_round.table_at(table))
    return f"{hall_address(event)}/slip/{a_round.number}/{table}/{signed}"


def _signed(secret: bytes, event: str, a_round: RoundOf, table: Table) -> str:
    return signature(secret, event, "slip", str(a_round.number), str(table.table), *table.players)


async def _open(
    house: House, event: str, number: int, table: int, signed: str
) -> tuple[Live, RoundOf, Table]:
    """The table, if the slip is one of its own and the round is posted."""
    live = await house.floor.event(event)
    secret = await house.access.secret("players")
    rounds = live.state.rounds
    a_round = rounds[number - 1] if 1 <= number <= len(rounds) else None
    at = None if a_round is None else a_round.at(table)
    if a_round is None or at is None or a_round.phase == "draft":
        raise NotFoundException(NOT_GOOD)
    found = a_round.tables[at]
    if not hmac.compare_digest(signed.encode(), _signed(secret, event, a_round, found).encode()):
        raise NotFoundException(NOT_GOOD)
    return live, a_round, found


@get("/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}", right="speak", raises=[NotFoundException])
async def slip(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    number: FromPath[int],
    table: FromPath[int],
    signed: FromPath[str],
    me: FromQuery[str] = "",
) -> Response[bytes]:
    """The table, what is said of it, and who holds the slip."""
    _, a_round, found = await _open(house, event, number, table, signed)
    hall = await Hall.open(house, event, request)
    state = hall.state
    player = me if me in found.players else ""
    open_table = not found.reported and a_round.phase in ("published", "started")
    claims = a_round.claims.get(table, {})

    def name(player_id: str) -> str:
        return apart(state.name_of(player_id))

    shown = {
        "round": a_round,
        "clock": clock_view(a_round, utc()),
        "own": own_table(found),
        "at": tables(state, a_round, [found])[0],
        "open": open_table,
        "player": player,
        "choices": choices(found, player, state, a_round) if player and open_table else [],
        "results": state.book.match.results,
        "mine": said_words(found, claims[player], name) if player in claims else "",
        "said": [
            (state.name_of(player_id), said_words(found, claim, name)) for player_id, claim in claims.items()
        ],
        "disputed": table in a_round.disputed,
        "address": request.scope["path"],
    }
    return respond(request, hall.page("slip.html", FOLLOWS, shown), keep="no-store")


class SaidBy(Said):
    player: str


@post(
    "/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}/report",
    right="speak",
    status_code=200,
    raises=[NotFoundException],
)
async def report(
    house: NamedDependency[House],
    event: FromPath[str],
    number: FromPath[int],
    table: FromPath[int],
    signed: FromPath[str],
    data: JSONBody[SaidBy],
) -> dict[str, Any]:
    """How the table ended, as one of its players says."""
    live, _, found = await _open(house, event, number, table, signed)
    meant = (data.round, data.table, data.players) == (number, table, found.players)
    if not meant or data.player not in found.players:
        raise NotFoundException("this slip is another table's")
    claim = c.Claim(player=data.player, table=table, result=data.result, round=number, players=found.players)
    return answer(live, await give(live, speaking(found.players, data.player, "slip"), [claim]))


ROUTES = [slip, report]
