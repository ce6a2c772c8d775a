"""Show a player's seat, results, points and tiebreaks to everybody."""

from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.app.clock import utc_now
from topcut.app.page_cache import Page
from topcut.app.player_claims import can_ask, questions_of, table_mark
from topcut.app.views.leaderboard import explain_tiebreaks, final_places_of, list_player_rounds
from topcut.app.views.round_view import (
    describe_pod,
    explain_absence,
    find_clock,
    find_reminder,
    find_seat,
    is_drafting_now,
)
from topcut.app.views.visibility import last_public_round
from topcut.event.correction_window import describe_deadline
from topcut.event.describe.name_marks import put_names
from topcut.pairing.model import filter_public_reasons
from topcut.text.message_json import write_json
from topcut.text.messages import say
from topcut.web.hall.page import OpenHall
from topcut.web.responses import respond

FOLLOWS = ("players", "pairings", "clock", "standings", "own")


@get("/e/{event:str}/player/{player:str}", right="hall")
async def player_page(hall: OpenHall, player: FromPath[str]) -> Response[bytes]:
    """Show everything public about one player."""
    state = hall.state
    if player not in state.players:
        raise NotFoundException(detail=say("This player isn't in this event."))

    def shown() -> dict[str, Any]:
        board, a_round = hall.board, last_public_round(state)
        table = a_round.table_of(player) if a_round else None
        rounds = list_player_rounds(state, hall.live.state, board, player)
        row = board.ranks.get(player) if board.scored else None
        keys, why = explain_tiebreaks(board, player)
        who = state.players[player].player
        return {
            "player": who,
            "pod": describe_pod(who),
            "gone": who.dropped is not None or who.disqualified is not None,
            "row": row,
            "place": next((place for place in final_places_of(state) if place.id == player), None),
            "ranked": len(board.rows) if row else 0,
            "round": a_round,
            "own": table_mark(table),
            "seat": find_seat(state, a_round, board, player),
            "table": table,
            "where": explain_absence(state, a_round, player),
            "clock": find_clock(state, a_round, utc_now()),
            "played_rounds": rounds,
            "why_table": [put_names(state, why) for why in filter_public_reasons(table.why)] if table else [],
            "keys": keys,
            "why": why,
            "until": describe_deadline(state, a_round.number) if a_round and not state.finished else "",
            "reminder": find_reminder(state, board) if a_round and a_round.phase == "ended" else "",
            "questions": questions_of(state, player),
            "can_ask": can_ask(hall.live.state, player),
        }

    return hall.show("hall_player.html", FOLLOWS, shown, keep=False)


@get("/e/{event:str}/player/{player:str}/now", right="hall")
async def player_now(hall: OpenHall, player: FromPath[str]) -> Response[bytes]:
    """Send a player's seat, for the bar at the top of the pages on the player's phone."""
    state, board = hall.state, hall.board
    if player not in state.players:
        raise NotFoundException(detail=say("This player isn't in this event."))
    a_round = last_public_round(state)
    seat = find_seat(state, a_round, board, player)
    table = a_round.table_of(player) if a_round else None
    counts = board.scored > 0
    points, record = board.scores.get(player, (0, "0-0")) if counts else (0, "")
    pod = describe_pod(state.players[player].player) if is_drafting_now(state) else ""
    answer = {
        "name": state.name_of(player),
        "pod": pod,
        "round": a_round.number if a_round else None,
        "over": a_round is None or a_round.phase == "ended",
        "table": seat.table if seat else None,
        "against": seat.against if seat else [],
        "alone": seat.alone if seat else "",
        "awarded": bool(seat and seat.awarded),
        "new": bool(seat and seat.new),
        "reported": bool(table and table.reported and len(table.players) > 1),
        "where": explain_absence(state, a_round, player),
        "points": points,
        "record": record,
        "rank": board.ranks[player]["rank"] if counts and player in board.ranks else None,
    }
    return respond(hall.request, Page(write_json(answer), "application/json"))
