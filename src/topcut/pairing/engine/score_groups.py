"""Find the score groups of a field and the least that parity forces across their edges.

Every part of the list from the top that holds an odd number of players forces a table across its lower
edge. A pairing that crosses each such edge once, between neighbouring groups, and no other edge, is
therefore the best there is, and needs no search to prove it.
"""

from dataclasses import dataclass

import numpy as np

from topcut.pairing.engine.field import BARRED, Bools, Field


@dataclass(frozen=True)
class ScoreGroup:
    """The players from `low` up to `high`, and the guests who sit with some of them.

    A guest stands for the other end of a table: a partner from another group of the chain, above or
    below; a visitor, a player who is known already; the bye.
    """

    low: int
    high: int
    up: bool = False
    down: bool = False
    visitors: tuple[int, ...] = ()
    bye: bool = False

    @property
    def players(self) -> int:
        return self.high - self.low

    @property
    def guests(self) -> int:
        return self.up + self.down + len(self.visitors) + self.bye

    @property
    def seats(self) -> int:
        """Players first, then guests: above, below, visitors, the bye last."""
        return self.players + self.guests

    @property
    def first_visitor(self) -> int:
        return self.players + self.up + self.down


@dataclass(frozen=True)
class Parity:
    """The score groups of a field, and the edges that parity makes a table cross."""

    groups: list[tuple[int, int]]
    odd: list[bool]
    """For each group, whether the edge below it is crossed; never below the last."""
    gaps: list[int]
    """For each group, the squared difference in points to the next."""
    eligible: Bools
    """Who may have the bye without costing more than anybody else's would."""
    bye_group: int
    """-1 where nobody has a bye."""


def find_bye_candidates(field: Field) -> Bools:
    """Return the players whose bye costs least: fewest byes so far, then fewest points."""
    if field.rules.second_bye == "allowed":
        fewest = field.byes < BARRED
    else:
        fewest = (field.byes == field.byes.min(initial=BARRED)) & (field.byes < BARRED)
    lowest = field.points[fewest].min(initial=np.iinfo(np.int64).max)
    eligible: Bools = fewest & (field.points == lowest)
    return eligible


def find_parity(field: Field) -> Parity:
    """Return what parity forces in a field with at least one candidate for the bye, if it needs one."""
    eligible = find_bye_candidates(field) if field.odd else np.zeros(field.size, bool)
    holder = int(np.flatnonzero(eligible)[-1]) if field.odd else -1
    groups = field.groups
    odd: list[bool] = []
    gaps: list[int] = []
    bye_group = -1
    for g, (low, high) in enumerate(groups):
        bye = low <= holder < high
        bye_group = g if bye else bye_group
        odd.append(((high - low + bye) % 2 == 1) ^ (odd[-1] if odd else False))
        gaps.append(int(field.points[low] - field.points[high]) ** 2 if high < field.size else 0)
    return Parity(groups, odd, gaps, eligible, bye_group)
