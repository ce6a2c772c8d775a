"""Who is to be paired: the players of one pool as positions in an order that no file decides.

Everything that pairs a round works on a `Field`. Its players stand by points from the top and by id
within equal points; a player is a position in that order, and `size` stands for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Limit = Literal["never", "avoided", "allowed"]
Component = Literal[
    "second_byes", "rematches", "dead_end", "bye_points", "cross_division", "score_gap_squared", "apart"
]
COMPONENTS: tuple[Component, ...] = (
    "second_byes",
    "rematches",
    "dead_end",
    "bye_points",
    "cross_division",
    "score_gap_squared",
    "apart",
)
"""What is minimised, in this order, each only among those that are best so far (spec 0.7)."""

Cost = dict[str, int]


@dataclass(frozen=True)
class Rules:
    """What the book and the event say about pairing this round."""

    minimise: tuple[Component, ...] = COMPONENTS
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
    met: NDArray[np.int32]
    """Meetings × players: whom they met, as positions; `size` for nobody and for those outside."""
    byes: Ints
    """How many byes each has had, plus BARRED for a player who may have none now."""
    division: Ints
    labels: tuple[tuple[str, ...], ...] = ()
    """Each player's `apart` labels; empty where nobody has any."""
    barred: NDArray[np.int32] | None = None
    """Meetings that must not be repeated though others may; only in fields that are compared as a whole."""
    rules: Rules = field(default_factory=Rules)

    @property
    def size(self) -> int:
        return len(self.points)

    @property
    def odd(self) -> bool:
        return self.size % 2 == 1

    @cached_property
    def edges(self) -> list[int]:
        """Where score groups begin, and the size at the end: group g is edges[g] to edges[g + 1]."""
        starts = np.flatnonzero(np.diff(self.points)) + 1
        return [0, *starts.tolist(), self.size] if self.size else [0]

    @property
    def groups(self) -> list[tuple[int, int]]:
        return list(pairwise(self.edges))

    @cached_property
    def several_divisions(self) -> bool:
        several = self.size > 0 and self.division.min() != self.division.max()
        return "cross_division" in self.rules.minimise and bool(several)

    @cached_property
    def kept_apart(self) -> bool:
        return "apart" in self.rules.minimise and any(self.labels)

    @cached_property
    def label_codes(self) -> Ints:
        """Labels as numbers, one row for each label a player can have, -1 for none; the bye has none."""
        numbers: dict[str, int] = {}
        most = max((len(labels) for labels in self.labels), default=0)
        codes = np.full((most, self.size + 1), -1, np.int64)
        for player, labels in enumerate(self.labels):
            for row, label in enumerate(labels):
                codes[row, player] = numbers.setdefault(label, len(numbers))
        return codes

    def have_met(self, first: Any, second: Any) -> Any:
        """Whether players have met; for positions or arrays of them."""
        return (self.met[:, first] == second).any(axis=0)

    def opponents(self, player: int) -> set[int]:
        return set(self.met[:, player].tolist()) - {self.size}

    def share_label(self, first: int, second: int) -> bool:
        return bool(self.labels) and not set(self.labels[first]).isdisjoint(self.labels[second])

    @property
    def met_counts(self) -> bool:
        """Whether having met matters at all."""
        return self.rules.rematches != "allowed" and "rematches" in self.rules.minimise


BARRED = 2**30

Tables = NDArray[np.int64]
"""Tables × 2: positions in the field; the bye, if any, is the last row, with `size` beside the player."""


def conflicts(field: Field, members: Sequence[int] | Ints) -> Bools:
    """For some players: who of them have met."""
    members = np.asarray(members, np.int64)
    place = np.full(field.size + 1, -1, np.int64)
    place[members] = np.arange(len(members))
    found = np.zeros((len(members), len(members) + 1), bool)
    for row in field.met[:, members]:
        found[np.arange(len(members)), place[row]] = True
    return found[:, :-1]


def sharing(field: Field, members: Sequence[int] | Ints) -> Bools:
    """For some players: who of them share an `apart` label."""
    found = np.zeros((len(members), len(members)), bool)
    if field.kept_apart:
        holders: dict[str, list[int]] = {}
        for i, player in enumerate(members):
            for label in field.labels[int(player)]:
                holders.setdefault(label, []).append(i)
        for group in holders.values():
            found[np.ix_(group, group)] = True
        np.fill_diagonal(found, False)
    return found


def cost_of(field: Field, tables: Iterable[Sequence[int]]) -> Cost:
    """What a pairing costs, component by component; `dead_end` is for the look-ahead to say."""
    rows = np.array([tuple(table) for table in tables], np.int64).reshape(-1, 2)
    seated = rows[(rows < field.size).all(axis=1)]
    first, second = seated[:, 0], seated[:, 1]
    alone = [int(min(row)) for row in rows[(rows >= field.size).any(axis=1)]]
    gaps = field.points[first] - field.points[second]
    cost: Cost = {
        "second_byes": sum(int(field.byes[player]) % BARRED for player in alone),
        "rematches": int(field.have_met(first, second).sum()) if len(field.met) else 0,
        "dead_end": 0,
        "bye_points": sum(int(field.points[player]) for player in alone),
        "cross_division": int((field.division[first] != field.division[second]).sum()),
        "score_gap_squared": sum(int(gap) ** 2 for gap in gaps[gaps != 0].tolist()),
        "apart": sum(field.share_label(a, b) for a, b in seated.tolist()) if any(field.labels) else 0,
    }
    return cost


def shown(field: Field, cost: Cost) -> Cost:
    """The cost with nought for what this round does not minimise."""
    counts: dict[str, bool] = {c: c in field.rules.minimise for c in COMPONENTS}
    counts["cross_division"] = field.several_divisions
    counts["rematches"] = field.met_counts
    counts["second_byes"] &= field.rules.second_bye != "allowed"
    return {c: value if counts[c] else 0 for c, value in cost.items()}
