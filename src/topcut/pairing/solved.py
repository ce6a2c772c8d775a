"""A round that parity alone does not settle: the cheapest pairing by exact matching, with its proof.

The proof is the dual solution of the matching: a potential for every seat and a weight for some odd
sets of seats. For any table the potentials of its two seats and the weights of the sets that hold
exactly one of them add up to at most twice its cost, so twice the sum of all is a bound on what every
pairing costs; and it is reached.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from topcut.lots import Stream
from topcut.pairing.costs import Weighed, weighed
from topcut.pairing.counting import Counted, TooMany
from topcut.pairing.field import Cost, Field, Tables, cost_of, shown
from topcut.pairing.matching import Matching, Unmatchable, cheapest, tight
from topcut.pairing.mixing import mixed


class Solved:
    """All cheapest pairings of a field, by one of them and the tables that any of them can have."""

    def __init__(self, field: Field, weighed: Weighed, found: Matching) -> None:
        self.field = field
        self.weighed = weighed
        self.found = found
        self.first: Tables = np.array([(a, b) for a, b in enumerate(found.mate) if a < b], np.int64).reshape(
            -1, 2
        )
        self.cost: Cost = shown(field, cost_of(field, self.first))
        self.counted = self._count()

    def _count(self) -> Counted | None:
        costs: dict[int, dict[int, int]] = {seat: {} for seat in range(len(self.found.mate))}
        for a, b in tight(self.weighed.costs, self.found):
            costs[a][b] = costs[b][a] = int(self.weighed.costs[a, b])
        try:
            return Counted(costs)
        except TooMany:
            return None

    @property
    def uniform(self) -> Literal["exact", "approximate"]:
        return "approximate" if self.counted is None else "exact"

    def draw(self, stream: Stream) -> Tables:
        if self.counted is not None:
            return np.array(self.counted.draw(stream), np.int64).reshape(-1, 2)
        seats = np.arange(len(self.found.mate))
        return mixed(self.first, seats, seats, self._cost, stream)

    def _cost(self, a: int, b: int) -> int | None:
        cost = int(self.weighed.costs[a, b])
        return None if cost < 0 else cost

    @property
    def certificate(self) -> dict[str, object]:
        sets = [{"members": list(s.members), "weight": s.weight} for s in self.found.odd_sets]
        return {
            "kind": "matching",
            "weights": self.weighed.weights,
            "potentials": list(self.found.potentials),
            "odd_sets": sets,
            "bound": self.found.cost,
        }


def solve(field: Field) -> Solved | Unmatchable:
    """The cheapest pairings, or why the hard rules leave none."""
    costs = weighed(field)
    found = cheapest(costs.costs)
    return found if isinstance(found, Unmatchable) else Solved(field, costs, found)
