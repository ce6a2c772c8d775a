"""A player's page in the hall: where they sit, what they played, what it is worth, why they stand there."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.desk.access import utc
from topcut.desk.brackets import final_places_of
from topcut.desk.hall_page import Hall
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.phone import asked_by, can_ask, own_table
from topcut.desk.record import explained, lived
from topcut.desk.views import clock_view, seat_of, shown_round, whereabouts
from topcut.event.names import named
from topcut.event.window import open_until
from topcut.pairing.paired import public_reasons

FOLLOWS = ("players", "pairings", "clock", "standings", "own")


@get("/e/{event:str}/player/{player:str}", right="hall", raises=[NotFoundException])
async def player_page(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """Everything about one player that everybody may know."""
    hall = await Hall.open(house, event, request)
    state = hall.state
    if player not in state.players:
        raise NotFoundException("nobody in this event has this number")

    def shown() -> dict[str, Any]:
        board, a_round = hall.board, shown_round(state)
        table = a_round.table_of(player) if a_round else None
        rounds = lived(state, hall.live.state, board, player)
        row = board.ranks.get(player) if board.scored else None
        keys, why = explained(board, player)
        return {
            "player": state.players[player].player,
            "row": row,
            "place": next((place for place in final_places_of(state) if place.id == player), None),
            "ranked": len(board.rows) if row else 0,
            "round": a_round,
            "own": own_table(table),
            "seat": seat_of(state, a_round, board, player),
            "table": table,
            "where": whereabouts(state, a_round, player),
            "clock": clock_view(a_round, utc()),
            "lived": rounds,
            "why_table": [named(state, why) for why in public_reasons(table.why)] if table else [],
            "keys": keys,
            "why": why,
            "until": open_until(state, a_round.number) if a_round and not state.finished else "",
            "questions": asked_by(state, player),
            "wrong": can_ask(hall.live.state, player),
        }

    return hall.show(request, "hall_player.html", FOLLOWS, shown, keep=False)


@get("/e/{event:str}/player/{player:str}/now", right="hall", raises=[NotFoundException])
async def player_now(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """Where somebody sits, for the bar on top of the pages of a phone that knows whose it is."""
    hall = await Hall.open(house, event, request)
    state, board = hall.state, hall.board
    if player not in state.players:
        raise NotFoundException("nobody in this event has this number")
    a_round = shown_round(state)
    seat = seat_of(state, a_round, board, player)
    table = a_round.table_of(player) if a_round else None
    counts = board.scored > 0
    points, record = board.scores.get(player, (0, "0-0")) if counts else (0, "")
    answer = {
        "name": state.name_of(player),
        "round": a_round.number if a_round else None,
        "over": a_round is None or a_round.phase == "ended",
        "table": seat.table if seat else None,
        "against": seat.against if seat else [],
        "alone": seat.alone if seat else "",
        "new": bool(seat and seat.new),
        "reported": bool(table and table.reported and len(table.players) > 1),
        "where": whereabouts(state, a_round, player),
        "points": points,
        "record": record,
        "rank": board.ranks[player]["rank"] if counts and player in board.ranks else None,
    }
    return respond(request, Page(msgspec.json.encode(answer), "application/json"))


ROUTES = [player_page, player_now]
