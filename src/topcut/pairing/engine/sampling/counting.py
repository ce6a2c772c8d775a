"""Draw one of the cheapest perfect matchings of a sparse graph, all equally likely, by counting them.

The ways to go on after some tables depend only on the players who are left, so they are counted once
for each such set.
"""

from collections.abc import Mapping

from topcut.lots import Stream

MOST_SETS = 8_000
"""Sets of players that are counted over at most; some milliseconds."""


class TooManySets(Exception):
    """There are too many different sets to count over."""


class CountedMatchings:
    """All cheapest perfect matchings of a graph, counted: `ways` of them, costing `cost` each.

    `costs[v][w]` is the cost of a table of v and w, for every pair that may sit together (both ways).
    """

    def __init__(self, costs: Mapping[int, Mapping[int, int]]) -> None:
        self._costs = costs
        self._order = sorted(costs)
        self._bit = {v: 1 << i for i, v in enumerate(self._order)}
        self._known: dict[int, tuple[int, int]] = {0: (0, 1)}
        self._everyone = (1 << len(self._order)) - 1
        self.cost, self.ways = self._count(self._everyone)

    def draw(self, stream: Stream) -> list[tuple[int, int]]:
        tables = []
        rest = self._everyone
        while rest:
            cost, ways = self._known[rest]
            ticket = stream.below(ways)
            for v, w, after in self._list_tables(rest):
                below = self._known[after]
                if below[1] and below[0] + self._costs[v][w] == cost:
                    if ticket < below[1]:
                        tables.append((v, w))
                        rest = after
                        break
                    ticket -= below[1]
        return tables

    def _list_tables(self, rest: int) -> list[tuple[int, int, int]]:
        """Return the tables that the first player of a set can sit at, and the set that is left then."""
        low = rest & -rest
        v = self._order[low.bit_length() - 1]
        return [(v, w, rest ^ low ^ self._bit[w]) for w in sorted(self._costs[v]) if rest & self._bit[w]]

    def _count(self, everyone: int) -> tuple[int, int]:
        """Return (cost, number of ways), the smaller sets first; no recursion, so no limit to its depth."""
        stack = [everyone]
        while stack:
            rest = stack[-1]
            if rest in self._known:
                stack.pop()
                continue
            tables = self._list_tables(rest)
            missing = [after for _, _, after in tables if after not in self._known]
            if missing:
                stack.extend(missing)
                if len(self._known) + len(stack) > MOST_SETS:
                    raise TooManySets
                continue
            best, ways = 0, 0
            for v, w, after in tables:
                cost, number = self._known[after]
                cost += self._costs[v][w]
                if number and (not ways or cost < best):
                    best, ways = cost, number
                elif number and cost == best:
                    ways += number
            self._known[rest] = (best, ways)
            stack.pop()
        return self._known[everyone]


def count_matchings(costs: Mapping[int, Mapping[int, int]]) -> CountedMatchings | None:
    """Return the cheapest perfect matchings of a graph; None where they are too many to be counted."""
    try:
        return CountedMatchings(costs)
    except TooManySets:
        return None
