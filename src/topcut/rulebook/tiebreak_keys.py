"""Declare what a book says of measures and of the chain of keys: who is ahead, by what."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from topcut.rulebook.labels import NO_LABEL, Label
from topcut.rulebook.layout import Section

OutcomeName = Literal["win", "draw", "loss", "double_loss", "bye", "assigned", "missed", "idle"]


class Credit:
    """What one round (or game) adds to a measure: what was earned of what was possible.

    In a book `[1, 3]`, or plain `1` where nothing is put in proportion.
    """

    __slots__ = ("earned", "possible")

    def __init__(self, earned: Fraction, possible: Fraction = Fraction(0)) -> None:
        self.earned = earned
        self.possible = possible

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Credit) and (self.earned, self.possible) == (other.earned, other.possible)

    def __hash__(self) -> int:
        return hash((self.earned, self.possible))

    def __repr__(self) -> str:
        return f"[{self.earned}, {self.possible}]" if self.possible else str(self.earned)


class Outcomes(Section, frozen=True, kw_only=True, tag_field="kind", tag="outcomes"):
    """The sum of a credit for each round's outcome: points, wins, win and loss rates.

    Double and assigned losses and missed rounds are losses unless the book says otherwise; a round
    in which an active player sat nowhere adds nothing.
    """

    value: Literal["sum", "rate"]
    """What was earned, or earned ÷ possible (0 where nothing was possible)."""
    win: Credit
    draw: Credit
    loss: Credit
    bye: Credit
    double_loss: Credit | None = None
    assigned: Credit | None = None
    missed: Credit | None = None
    idle: Credit = Credit(Fraction(0))

    def credit(self, outcome: OutcomeName) -> Credit:
        """Return what a round with this outcome adds."""
        credit: Credit | None = getattr(self, outcome)
        return self.loss if credit is None else credit


class Games(Section, frozen=True, kw_only=True, tag_field="kind", tag="games"):
    """The sum of a credit for each game inside the tables' results; earned ÷ possible."""

    won: Credit
    drawn: Credit
    lost: Credit
    bye: tuple[int, int, int] | Literal["won match"]
    """Games won, lost and drawn that a bye counts as; or as many won as it takes to win a match."""
    assigned: tuple[int, int, int] = (0, 0, 0)
    """The same for an assigned loss."""
    missed: tuple[int, int, int] = (0, 0, 0)
    """The same for a missed round."""

    def find_bye_games(self, best_of: int | None) -> tuple[int, int, int]:
        """Return the games won, lost and drawn that a bye counts as.

        >>> games = Games(source="", won=Credit(1), drawn=Credit(0), lost=Credit(0), bye="won match")
        >>> games.find_bye_games(best_of=1), games.find_bye_games(best_of=3)
        ((1, 0, 0), (2, 0, 0))
        """
        if not isinstance(self.bye, str):
            return self.bye
        assert best_of is not None  # checked with the book
        return best_of // 2 + 1, 0, 0


class Scores(Section, frozen=True, kw_only=True, tag_field="kind", tag="scores"):
    """The sum of the scores a player took from their tables."""


class Cumulative(Section, frozen=True, kw_only=True, tag_field="kind", tag="cumulative"):
    """A weighted sum of the running total after each round, later rounds weighing more.

    raw(r) = weight × raw(r − 1) + total(r); `normalised` divides by what winning every round gives.
    """

    win: Fraction
    draw: Fraction
    loss: Fraction
    bye: Fraction
    weight: Fraction
    normalised: bool
    after_leaving: Literal["ages", "freezes"]


class Flag(Section, frozen=True, kw_only=True, tag_field="kind", tag="flag"):
    """1 for players to whom it applies, else 0."""

    of: Literal["late", "dropped"]


Measure = Outcomes | Games | Scores | Cumulative | Flag


class NumberFormat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a value is printed for people. It never decides anything."""

    form: Literal["percent", "decimal", "whole", "flag"]
    """`flag`: yes or no."""
    digits: int = 2
    rounding: Literal["half up", "cut off"] = "half up"
    of: Fraction = Fraction(1)
    """The value that is 100 %."""


class _Key(Section, frozen=True, kw_only=True, tag_field="by"):
    """One step of the comparison of players."""

    key: str
    label: Label
    short: Label = NO_LABEL
    """The label where there is little room; the whole one if empty."""


class ValueKey(_Key, frozen=True, kw_only=True, tag="value"):
    """A key with a value for each player: a measure of the player, or of the opponents they met."""

    measure: str
    """A measure of the book, or an earlier key of the chain."""
    of: Literal["self", "opponents", "tablemates"] = "self"
    """`tablemates`: only what each opponent took from the table they shared."""
    aggregate: Literal["mean", "sum"] = "mean"
    floor: Fraction | None = None
    """No single value that enters counts for less."""
    cap: Fraction | None = None
    """No single value that enters counts for more."""
    cap_if_dropped: Fraction | None = None
    """The cap for players who have dropped."""
    empty: Fraction = Fraction(0)
    """The value of a player who met nobody."""
    better: Literal["high", "low"] = "high"
    shown: NumberFormat


class HeadToHead(_Key, frozen=True, kw_only=True, tag="head_to_head"):
    """Who won when the players still tied met each other."""

    among: Literal["two", "any"]
    """Only where exactly two are still tied, or the table of results among all of them."""


class LastOpponent(_Key, frozen=True, kw_only=True, tag="last_opponent"):
    """Whose last opponent stands higher, by the keys that come before in the chain."""

    depth: Literal["once", "recursive"]
    """Whether equal last opponents are compared by their last opponents in turn."""


Key = ValueKey | HeadToHead | LastOpponent


class StandingsRules(Section, frozen=True, kw_only=True):
    ends_in: Literal["lot", "shared"]
    """What happens to players whom no key separates."""
    disqualified: Literal["ranked", "removed"]
    opponents_freeze: Literal["never", "at the drop", "at the end of the stage"] = "never"
    """When the keys over opponents of a player who left stop changing.

    At the drop: they stay as they were after the last round the player took part in. At the end of the
    stage: as they were when the next stage began without the player, which is after the round of the first
    cut that the player did not survive, whether they missed it or had left before. In the keys of other
    players the opponents count with what they are worth now.
    """
    cut_counts_as_dropped: bool = False
    """Whether a player left out by a cut is treated like one who dropped."""
