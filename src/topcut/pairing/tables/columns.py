"""Which seating of many is the best? All of those whose tables the prices have left over.

Place after place of the room, sets of players who sit by then are kept with what they cost above the
bound; nothing that costs more than the seating already known is followed. What comes out at the end is
the least there is, with every seating that reaches it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import factorial, isqrt, prod

import numpy as np

from topcut.lots import Stream
from topcut.pairing.tables.prices import SCALE, Prices, step, unit

WORK = 1_000_000
"""Ways to add a table to a set that are looked at most, before a seating stays unproved."""
LISTING = 10
"""How much of that it takes to list a table."""
LISTED = 2_000
"""Best seatings that are listed at most, so that each is drawn with the same probability."""

Column = tuple[int, int, tuple[int, ...]]
"""A table: its players in bits, what it costs above the least of its place, its players."""
States = dict[int, tuple[int, int]]
"""Sets of players in bits: the least they cost, and in how many ways."""
_Chain = tuple[tuple[int, ...], "_Chain"] | None
"""A table and those after it, so that seatings with the same end share it."""


@dataclass(frozen=True)
class Compared:
    """Everything that no better seating can be without was compared."""

    columns: list[list[Column]]
    states: list[States]
    places_shared: bool

    @property
    def count(self) -> int:
        return self._end[1][1]

    @property
    def _end(self) -> tuple[int, tuple[int, int]]:
        return next(iter(self.states[-1].items()))

    def draw(self, stream: Stream) -> tuple[list[list[int]], bool]:
        """A best seating, and whether who sits with whom was certainly equally likely.

        Tables of one size that add up to the same places could change their numbers, and come up once for
        each order: so a drawn seating is kept with one chance in that many. Where places are shared it is
        not so simple, and all are listed if they are few.
        """
        while not self.places_shared:
            drawn = self._drawn(stream)
            alike = Counter((len(table), sum(table)) for table in drawn)
            if stream.below(prod(factorial(number) for number in alike.values())) == 0:
                return drawn, True
        if self.count > LISTED:
            return self._drawn(stream), False
        listed = sorted({tuple(sorted(tables)): tables for tables in self._listed()}.items())
        tables = listed[stream.below(len(listed))][1]
        return [list(table) for table in tables], True

    def _before(self, k: int, after: int) -> list[tuple[int, tuple[int, ...]]]:
        """(set, table) for the cheapest ways to a set after place k."""
        cost, earlier = self.states[k + 1][after][0], self.states[k]
        found = []
        for bits, above, table in self.columns[k]:
            before = earlier.get(after ^ bits) if after & bits == bits else None
            if before is not None and before[0] + above == cost:
                found.append((after ^ bits, table))
        return found

    def _drawn(self, stream: Stream) -> list[list[int]]:
        tables = []
        at = self._end[0]
        for k in reversed(range(len(self.columns))):
            ways = self._before(k, at)
            ends = np.cumsum([self.states[k][before][1] for before, _ in ways], dtype=object)
            lot = stream.below(int(ends[-1]))
            at, table = ways[next(i for i, end in enumerate(ends) if lot < end)]
            tables.append(list(table))
        return tables[::-1]

    def _listed(self) -> list[tuple[tuple[int, ...], ...]]:
        """All best seatings, tables in order."""
        found: dict[int, list[_Chain]] = {self._end[0]: [None]}
        for k in reversed(range(len(self.columns))):
            earlier: dict[int, list[_Chain]] = {}
            for at, ends in found.items():
                for before, table in self._before(k, at):
                    earlier.setdefault(before, []).extend((table, rest) for rest in ends)
            found = earlier
        return [_unchained(chain) for chain in found[0]]


def _unchained(chain: _Chain) -> tuple[tuple[int, ...], ...]:
    tables = []
    while chain is not None:
        table, chain = chain
        tables.append(table)
    return tuple(tables)


def compare(prices: Prices) -> Compared | None:
    """The best seatings without repeats; None if too many tables are left to say.

    First only seatings that cost little more than the bound are followed, then more and more: what is
    ruled out on the way raises the bound.
    """
    ceiling, more = prices.bound, step(prices.seating)
    while True:
        ceiling = min(ceiling, prices.known)
        states = _followed(prices, ceiling)
        if states is None:
            return None
        if isinstance(states, Compared):
            return states
        prices.ruled_out = max(prices.ruled_out, ceiling)
        if ceiling == prices.known:
            return None
        ceiling, more = ceiling + more, 2 * more


class _Nothing:
    """No seating costs so little."""


def _followed(prices: Prices, ceiling: int) -> Compared | _Nothing | None:
    """The best seatings up to a ceiling, or that there are none; None if there is too much to follow."""
    gap = ceiling * SCALE - prices.value
    columns = _columns(prices, gap)
    if columns is None:
        return None
    last = {player: k for k, tables in enumerate(columns) for _, _, table in tables for player in table}
    due = [0] * len(columns)
    for player, k in last.items():
        due[k] |= 1 << player
    states: list[States] = [{0: (0, 1)}]
    for tables, needed in zip(columns, due, strict=True):
        prices.work += len(states[-1]) * len(tables)
        if prices.work > WORK:
            return None
        after: States = {}
        for have, (cost, count) in states[-1].items():
            for bits, above, _ in tables:
                total, here = cost + above, have | bits
                if have & bits or total > gap or here & needed != needed:
                    continue
                before = after.get(here)
                if before is None or total < before[0]:
                    after[here] = (total, count)
                elif total == before[0]:
                    after[here] = (total, count + before[1])
        if not after:
            return _Nothing()
        states.append(after)
    if len(last) < prices.seating.size:
        return _Nothing()
    places_shared = bool((prices.seating.first < prices.seating.last).any())
    return Compared(columns, states, places_shared)


def _columns(prices: Prices, gap: int) -> list[list[Column]] | None:
    """For each place the tables that cost at most so much above its least."""
    seating = prices.seating
    left = prices.left(gap)
    if left is None:
        return None
    near = isqrt(gap // (SCALE * unit(seating))) + 1
    columns: list[list[Column]] = []
    for number, size in enumerate(seating.sizes):
        if number in left:
            tables, above = left[number]
        else:
            # Nobody with a price is near: a table costs its distances.
            here = prices.unpriced(number, near)
            if here is None or prices.nowhere(size) < 0 or near > prices.around:
                return None
            kept = here.costs <= gap
            tables, above = here.tables[kept], here.costs[kept]
        prices.work += len(tables) * LISTING
        if prices.work > WORK:
            return None
        columns.append([_column(t, a) for t, a in zip(tables.tolist(), above.tolist(), strict=True)])
    return columns


def _column(table: list[int], above: int) -> Column:
    return sum(1 << player for player in table), above, tuple(table)
