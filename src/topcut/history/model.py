"""Define what is recorded of an event: players, rounds, tables and results.

The names are the ones of the event file; `build_history` turns them into a `History`.
"""

from enum import IntEnum
from typing import Literal

from msgspec import Struct

from topcut.rulebook.options import Text
from topcut.text.messages import Message, say, say_as

StageName = Literal["swiss", "elimination"]
"""The stage as it is stored with a round; "swiss" for a round robin too."""
Override = Literal["second-bye", "rematch", "sits-out"]
"""What an organiser can allow in a round that the rules leave no pairing for."""


class Allowance(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What an organiser allowed in one round against the rules, and why."""

    what: tuple[Override, ...]
    reason: Text = ""
    sits_out: Text | None = None
    """The id of the player whom the organiser chose to sit out; none: the one who would get a bye."""


class Player(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    id: Text
    name: Text = ""
    division: Text | None = None
    member: Text | None = None
    born: int | None = None
    entered: int = 1
    """The first round they take part in; earlier ones are missed."""
    dropped: int | None = None
    """The last round before they left by choice."""
    cut: int | None = None
    """The last round before a cut left them out."""
    disqualified: int | None = None
    """The last round before they were disqualified."""
    byes: int = 0
    """Awarded byes: rounds they won before the event began, from the first one on."""
    flight: int | None = None
    pod: int | None = None
    seat: int | None = None
    seed: int | None = None
    apart: tuple[Text, ...] = ()

    @property
    def shown_name(self) -> str:
        return self.name if self.name.strip() else self.id

    def has_awarded_bye(self, number: int) -> bool:
        """Return whether they won this round (from 1) before the event began."""
        return number <= self.byes


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
    """The id of the player to whom the players still level after all counts gave the win."""
    bye: bool = False
    loss: bool = False
    intentional: bool = False
    why: tuple[Message, ...] = ()
    """The reasons of the pairing; they change nothing."""

    @property
    def reported(self) -> bool:
        return (
            self.bye or self.loss or not (self.games is None and self.winner is None and self.scores is None)
        )


class StagedRound:
    """Answer what the stage that is stored with a round means for it: Swiss and round robin, or a bracket."""

    __slots__ = ()
    stage: StageName

    @property
    def in_bracket(self) -> bool:
        """Whether the round belongs to an elimination bracket."""
        return self.stage == "elimination"

    @property
    def is_scored(self) -> bool:
        """Whether its results count in the standings."""
        return not self.in_bracket

    @property
    def allows_draws(self) -> bool:
        return not self.in_bracket


class Round(StagedRound, Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    tables: tuple[Table, ...]
    stage: StageName = "swiss"
    seed: Text | None = None
    format: Text | None = None
    allowed: Allowance | None = None
    """What the organiser allowed in it against the rules."""
    pods: dict[Text, int] | None = None
    """At the first round of a draft: player to pod. The draft lasts while `format` stays the same."""


class Outcome(IntEnum):
    """What one round was for one player."""

    WIN = 0
    DRAW = 1
    LOSS = 2
    DOUBLE_LOSS = 3
    """Both lost; they have met."""
    BYE = 4
    ASSIGNED = 5
    """A loss without an opponent, given by a judge."""
    MISSED = 6
    """Before a late player entered."""
    IDLE = 7
    """In the event, but at no table (or at one that is not reported)."""
    GONE = 8


OUTCOME_WORDS = {
    Outcome.WIN: say_as("a match", "won"),
    Outcome.DRAW: say_as("a match", "drew"),
    Outcome.LOSS: say_as("a match", "lost"),
    Outcome.DOUBLE_LOSS: say_as("a match", "both lost"),
    Outcome.BYE: say("bye"),
}
