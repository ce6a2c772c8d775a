"""Show forms the next step that breaks a tie at a table."""

from collections.abc import Collection
from typing import Any

from topcut.event.refusals import TieToBreak
from topcut.event.state import State
from topcut.history.model import Table
from topcut.text.messages import render_isolated


def view_tie(tie: TieToBreak) -> dict[str, Any]:
    """Return the step that breaks a tie: from 1, what to count, if anything, and the players who are tied."""
    step = {"step": tie.step, "count": render_isolated(tie.count)}
    return step | {"players": tie.players, "seats": tie.seats}


def list_seats(table: Table, players: Collection[str], state: State) -> tuple[tuple[int, str], ...]:
    """Return some players of a table by their seats, from 1, and names."""
    seats = enumerate(table.players, start=1)
    return tuple((seat, state.name_of(player_id)) for seat, player_id in seats if player_id in players)
