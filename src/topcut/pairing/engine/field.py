"""Describe the players of one pool, and a pairing of them, as the engine sees them.

Players stand by points from the top, and by id within equal points, so that the order of a file decides
nothing. A player is a position in that order; `size` stands for nobody, and beside a player for the bye.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Tables = NDArray[np.int64]
"""Tables × 2: positions in the field; the bye, if any, is the last row, with `size` beside the player."""
Meetings = NDArray[np.int32]
"""Meetings × players: whom they met, as positions; `size` for nobody and for players of other pools."""
Cost = dict[str, int]
"""What a pairing costs, by the names of the components (costs.py)."""
Limit = Literal["never", "avoided", "allowed"]
Uniform = Literal["exact", "approximate"]

BARRED = 2**30
"""Added to the byes of a player who may have none now; more than anybody's byes."""


@dataclass(frozen=True)
class Rules:
    """What the book and the event say about pairing this round."""

    ignored: frozenset[str] = frozenset()
    """Components of the cost that this round does not minimise."""
    rematches: Limit = "avoided"
    second_bye: Limit = "avoided"
    look_ahead: int = 0
    """Further planned rounds that this one must leave possible."""


@dataclass(frozen=True)
class Field:
    """One pool before a round."""

    players: Ints
    """Their numbers in the history, in the order of the field."""
    points: Ints
    """Whole numbers, falling."""
    met: Meetings
    byes: Ints
    """How many byes each has had, plus BARRED for a player who may have none now."""
    division: Ints
    labels: tuple[tuple[str, ...], ...] = ()
    """Each player's `apart` labels; empty where nobody has any."""
    barred: Meetings | None = None
    """Meetings that must not be repeated though others may; only in fields that are compared as a whole."""
    rules: Rules = field(default_factory=Rules)

    @property
    def size(self) -> int:
        return len(self.points)

    @property
    def odd(self) -> bool:
        return self.size % 2 == 1

    @property
    def seats(self) -> int:
        """The players, and the bye where their number is odd."""
        return self.size + self.odd

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The score groups, each from its first position up to the first of the next."""
        starts = np.flatnonzero(np.diff(self.points)) + 1
        return list(pairwise([0, *starts.tolist(), self.size])) if self.size else []

    @cached_property
    def several_divisions(self) -> bool:
        """Whether tables across divisions are possible and counted."""
        several = self.size > 0 and self.division.min() != self.division.max()
        return "cross_division" not in self.rules.ignored and bool(several)

    @cached_property
    def kept_apart(self) -> bool:
        """Whether tables of players who share a label are possible and counted."""
        return "apart" not in self.rules.ignored and any(self.labels)

    @property
    def met_counts(self) -> bool:
        """Whether having met matters at all."""
        return self.rules.rematches != "allowed" and "rematches" not in self.rules.ignored

    @property
    def looks_ahead(self) -> bool:
        """Whether later rounds matter to this one."""
        return self.rules.look_ahead > 0 and self.met_counts and "dead_end" not in self.rules.ignored

    @cached_property
    def label_codes(self) -> Ints:
        """Labels as numbers, one row for each label a player can have, -1 for none; the bye has none."""
        numbers: dict[str, int] = {}
        codes = np.full((max(map(len, self.labels), default=0), self.size + 1), -1, np.int64)
        for player, labels in enumerate(self.labels):
            for row, label in enumerate(labels):
                codes[row, player] = numbers.setdefault(label, len(numbers))
        return codes

    def have_met(self, first: Any, second: Any) -> Any:
        """Return whether players have met; for positions or arrays of them."""
        return (self.met[:, first] == second).any(axis=0)

    def share_label(self, first: Any, second: Any) -> Any:
        """Return whether players share a label; for positions or arrays of them. A bye shares none."""
        found = np.zeros(np.broadcast(first, second).shape, bool)
        for mine, theirs in product(self.label_codes, repeat=2):
            found |= (mine[first] == theirs[second]) & (mine[first] >= 0)
        return found

    def to_rows(self, tables: Iterable[Sequence[int]]) -> Tables:
        """Return tables of one or two players, given by their numbers in the history, as positions."""
        place = {int(player): at for at, player in enumerate(self.players)}
        rows = [sorted(place[player] for player in table) for table in tables]
        return np.array([[*row, self.size][:2] for row in rows], np.int64).reshape(-1, 2)

    def restrict(self, members: Ints) -> "Field":
        """Return the field of only these players, given as rising positions."""
        place = np.full(self.size + 1, len(members), np.int32)
        place[members] = np.arange(len(members))
        return replace(
            self,
            players=self.players[members],
            points=self.points[members],
            met=place[self.met[:, members]],
            byes=self.byes[members],
            division=self.division[members],
            labels=tuple(self.labels[i] for i in members.tolist()) if self.labels else (),
            barred=None if self.barred is None else place[self.barred[:, members]],
        )


@dataclass(frozen=True)
class FieldPairing:
    """The tables of one field, and what is known about them."""

    field: Field
    tables: Tables
    cost: Cost
    uniform: Uniform
    certificate: dict[str, object]
    optimal: bool = True
    certain: frozenset[tuple[int, int]] = frozenset()
    """Tables of which it is known that every optimal pairing has them."""


class NoPairing(Exception):
    """The hard rules leave no pairing: nobody may have the bye, or everybody has met."""

    def __init__(self, cause: Literal["bye", "rematch"], field: Field) -> None:
        super().__init__(cause)
        self.cause: Literal["bye", "rematch"] = cause
        self.field = field


def find_conflicts(field: Field, members: Ints, met: Meetings | None = None) -> Bools:
    """Return which of some players have met, players × players; `met`: other meetings than the field's."""
    place = np.full(field.size + 1, -1, np.int64)
    place[members] = np.arange(len(members))
    found = np.zeros((len(members), len(members) + 1), bool)
    for row in (field.met if met is None else met)[:, members]:
        found[np.arange(len(members)), place[row]] = True
    return found[:, :-1]


def find_shared_labels(field: Field, members: Ints) -> Bools:
    """Return which of some players share an `apart` label, players × players."""
    found = np.zeros((len(members), len(members)), bool)
    if field.kept_apart:
        found |= field.share_label(members[:, None], members)
        np.fill_diagonal(found, False)
    return found
