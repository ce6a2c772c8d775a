"""Let players report results, leave and ask the desk by phone, without an account.

A person who has a player's signed link acts for that player; a person who has a slip, with its QR code, may
claim a result for each player on it. A slip is good for its own players only: where a table is drawn again,
the old slip opens nothing. A result counts once all players of the table claim the same; a scorekeeper's
entry counts at once.
"""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.app.access.identity import identity_of_players
from topcut.app.access.player_links import open_player_link, open_slip
from topcut.app.clock import utc_now
from topcut.app.player_claims import (
    ResultClaim,
    ask_desk,
    can_ask,
    claim_result,
    describe_claims,
    drop_by_phone,
    identity_by_phone,
    is_open,
    list_choices,
    questions_of,
    table_mark,
)
from topcut.app.services import NotHere
from topcut.app.views.round_view import (
    describe_pod,
    explain_absence,
    find_clock,
    find_reminder,
    view_tables,
)
from topcut.app.views.visibility import last_public_round
from topcut.event.correction_window import describe_deadline
from topcut.event.state import RoundState
from topcut.history.model import Table
from topcut.text.messages import say
from topcut.web.hall.page import Hall, open_hall
from topcut.web.responses import AnyRequest, AppServices, only_looks, respond

FOLLOWS = ("players", "pairings", "clock", "own")


def describe_table(
    hall: Hall, a_round: RoundState | None, table: Table | None, player: str
) -> dict[str, Any]:
    """Return what both pages show of a table; `player`: who reports its result, if that is known."""
    state, open_table = hall.state, is_open(a_round, table)
    return {
        "round": a_round,
        "clock": find_clock(state, a_round, utc_now()),
        "own": table_mark(table),
        "at": view_tables(state, a_round, [table])[0] if a_round and table else None,
        "open": open_table,
        "choices": list_choices(table, player, state, a_round)
        if a_round and table and player and open_table
        else [],
        "results": state.book.match.results,
        "mine": describe_claims(state, a_round, table, player)[0],
        "disputed": bool(a_round and table and table.table in a_round.disputed),
        "address": hall.request.scope["path"],
    }


@get("/e/{event:str}/me/{player:str}/{signed:str}", right="speak")
async def me(
    request: AnyRequest,
    services: AppServices,
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
) -> Response[bytes]:
    """Show the player's table, and the claims of its players."""
    live = await open_player_link(services, event, player, signed)
    hall = await open_hall(request, event)
    state, board = hall.state, hall.board
    a_round = last_public_round(state)
    table = a_round.table_of(player) if a_round else None
    left = state.players[player].player
    many = table is not None and (len(table.players) > 2 or state.book.match.results == "scores")
    shown = describe_table(hall, a_round, table, player) | {
        "player": left,
        "pod": describe_pod(left),
        "scores": is_open(a_round, table) and many,
        "theirs": describe_claims(state, a_round, table, player)[1],
        "where": explain_absence(state, a_round, player),
        "gone": left.dropped is not None or left.disqualified is not None,
        "row": board.ranks.get(player) if board.scored else None,
        "after": board.scored,
        "asked": questions_of(state, player),
        "can_ask": can_ask(live.state, player),
        "until": describe_deadline(state, a_round.number) if a_round else "",
        "reminder": find_reminder(state, board) if a_round and a_round.phase == "ended" else "",
    }
    return respond(request, hall.page("me.html", (*FOLLOWS, "standings"), shown), keep="no-store")


def read_claim(request: AnyRequest, claim: ResultClaim) -> ResultClaim:
    """Return the claim, which is only looked at where the address says so."""
    return replace(claim, look=True) if only_looks(request) else claim


@post("/e/{event:str}/me/{player:str}/{signed:str}/report", right="speak", looks=True, status_code=200)
async def report(
    request: AnyRequest,
    services: AppServices,
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
    data: JSONBody[ResultClaim],
) -> dict[str, Any]:
    """Take the player's claim of the table's result."""
    live = await open_player_link(services, event, player, signed)
    return await claim_result(live, identity_by_phone(player), player, read_claim(request, data))


@post("/e/{event:str}/me/{player:str}/{signed:str}/drop", right="speak", status_code=200)
async def drop(
    services: AppServices, event: FromPath[str], player: FromPath[str], signed: FromPath[str]
) -> dict[str, Any]:
    """Drop the player, or ask the desk if the next round is published already."""
    return await drop_by_phone(await open_player_link(services, event, player, signed), player)


class AskedQuestion(Struct, forbid_unknown_fields=True):
    about: str = "points"
    round: int | None = None


@post("/e/{event:str}/player/{player:str}/ask", right="ask", status_code=200)
async def ask(
    services: AppServices, event: FromPath[str], player: FromPath[str], data: JSONBody[AskedQuestion]
) -> dict[str, Any]:
    """Ask the desk to check the player's points or a result."""
    live = await services.events.open_event(event)
    if data.about == "result":
        return await ask_desk(live, player, "result", data.round)
    return await ask_desk(live, player, "points")


@get("/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}", right="speak")
async def slip(
    request: AnyRequest,
    services: AppServices,
    event: FromPath[str],
    number: FromPath[int],
    table: FromPath[int],
    signed: FromPath[str],
    me: FromQuery[str] = "",
) -> Response[bytes]:
    """Show the table, its claims, and the choice of the player who reports."""
    _, a_round, found = await open_slip(services, event, number, table, signed)
    hall = await open_hall(request, event)
    player = me if me in found.players else ""
    shown = describe_table(hall, a_round, found, player) | {
        "player": player,
        "said": describe_claims(hall.state, a_round, found, "")[1],
    }
    return respond(request, hall.page("slip.html", FOLLOWS, shown), keep="no-store")


class SlipClaim(ResultClaim, kw_only=True):
    player: str


@post(
    "/e/{event:str}/slip/{number:int}/{table:int}/{signed:str}/report",
    right="speak",
    looks=True,
    status_code=200,
)
async def report_by_slip(
    request: AnyRequest,
    services: AppServices,
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
        raise NotHere(say("This slip is for another table."))
    who = identity_of_players(found.players, data.player, "slip")
    return await claim_result(live, who, data.player, read_claim(request, data), found.players)
