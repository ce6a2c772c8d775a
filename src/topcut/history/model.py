"""What was written down about an event: its players, its rounds, their tables and results.

These have the names and meanings of the event file; `build` turns them into a `History`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from topcut.rulebook.options import Text


class Player(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    id: Text
    name: Text = ""
    division: Text | None = None
    member: Text | None = None
    born: int | None = None
    entered: int = 1
    """The first round they take part in; earlier ones are missed."""
    dropped: int | None = None
    """The last round they took part in by choice; the two below likewise, for other reasons."""
    cut: int | None = None
    disqualified: int | None = None
    flight: int | None = None
    pod: int | None = None
    seat: int | None = None
    seed: int | None = None
    apart: tuple[Text, ...] = ()

    @property
    def shown_name(self) -> str:
        return self.name if self.name.strip() else self.id


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Players who play each other in a round, and at most one result."""

    players: tuple[Text, ...]
    table: int | Text | None = None
    games: tuple[int, int, int] | None = None
    """Won by the first, won by the second, drawn."""
    winner: Text | None = None
    """An id, "draw" or "double_loss"."""
    scores: tuple[int, ...] | None = None
    winners: tuple[Text, ...] | None = None
    eliminated: tuple[Text, ...] | None = None
    tie_counts: tuple[dict[Text, int], ...] | None = None
    """For each count taken to break a tie at the top: player id to the number counted. No part of a score."""
    win_given_to: Text | None = None
    """The id of the player to whom those still level after all counts gave the win."""
    bye: bool = False
    loss: bool = False
    intentional: bool = False
    why: tuple[Text, ...] = ()
    """The reasons that came with the pairing; they change nothing."""

    @property
    def reported(self) -> bool:
        return (
            self.bye or self.loss or not (self.games is None and self.winner is None and self.scores is None)
        )


class Round(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    tables: tuple[Table, ...]
    stage: Literal["swiss", "elimination"] = "swiss"
    seed: Text | None = None
    format: Text | None = None
