"""Is there a seating in which nobody meets again? A search for one, whatever it costs otherwise.

The player with the fewest others left to meet is seated first, with those closest in the standings tried
before the rest. Where windows are stuck with a pair that repeats, this often finds a way out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from topcut.pairing.tables.seating import Seating

STEPS = 20_000
"""Tables that are tried before the search gives up."""


def fresh_seating(seating: Seating, rounds: int) -> list[list[int]] | None:
    """Tables from the top at which no pair of so many newest rounds meets again; None if none was found."""
    met = np.logical_or.reduce(seating.repeats(range(seating.size))[:rounds], axis=0)
    everybody = (1 << seating.size) - 1
    may_meet = [
        everybody & ~sum(1 << int(other) for other in row.nonzero()[0]) & ~(1 << player)
        for player, row in enumerate(met)
    ]
    found = _Search(may_meet).run(everybody, Counter(seating.sizes))
    return None if found is None else seating.in_order(found)


class _Search:
    def __init__(self, may_meet: list[int]) -> None:
        self.may_meet = may_meet
        self.steps = 0

    def run(self, waiting: int, sizes: Counter[int]) -> list[list[int]] | None:
        """Tables for everybody who waits, of these sizes."""
        if not waiting:
            return []
        player = min(_players(waiting), key=lambda p: (self.may_meet[p] & waiting).bit_count())
        for size in [size for size, number in sizes.items() if number]:
            for table in self._tables([player], self.may_meet[player] & waiting, size):
                self.steps += 1
                if self.steps > STEPS:
                    return None
                left = Counter(sizes)
                left[size] -= 1
                rest = self.run(waiting & ~sum(1 << p for p in table), left)
                if rest is not None:
                    return [table, *rest]
        return None

    def _tables(self, table: list[int], others: int, size: int) -> Iterator[list[int]]:
        """All tables with these players and some of those others, who may all meet."""
        if len(table) == size:
            yield table
            return
        for other in sorted(_players(others), key=lambda p: abs(p - table[0])):
            others &= ~(1 << other)
            yield from self._tables([*table, other], others & self.may_meet[other], size)


def _players(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
