"""What one round was for one player."""

from __future__ import annotations

from enum import IntEnum


class Played(IntEnum):
    """What one round was for one player."""

    WIN = 0
    DRAW = 1
    LOSS = 2
    DOUBLE_LOSS = 3
    """Both lost; they met all the same."""
    BYE = 4
    ASSIGNED = 5
    """A loss without an opponent, given by a judge."""
    MISSED = 6
    """Before a late player entered."""
    IDLE = 7
    """In the event, and yet at no table (or at one that is not reported)."""
    GONE = 8
    """After they left."""


ENDED = {
    Played.WIN: "won",
    Played.DRAW: "drew",
    Played.LOSS: "lost",
    Played.DOUBLE_LOSS: "both lost",
    Played.BYE: "bye",
}
"""How it ended for a player, in a word."""
