"""The best seating of many players without a repeated pair, worked out in another way than the engine does.

Table after table from the top: all sets of players who could be seated by then, each with the least that it
costs and with how many ways lead there. Whoever is left pays at least for the way down the room in the order
of the standings; a set that cannot end within a limit is given up. No windows, no prices, no floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tests.pairing.multiplayer.seating_oracle import Field

Pair = tuple[int, int]
"""Displacement, and tables of players who share a label."""


class TooMuch(Exception):
    """More sets than anybody wants to wait for."""


class Exact:
    """A field in numbers; players as positions in the standings."""

    def __init__(self, field: Field, most: int = 150_000, newest: int | None = None) -> None:
        """`newest`: only pairs of so many newest rounds count as repeated."""
        self.field = field
        self.most = most
        self.n = len(field.order)
        self.places = [field.places[player_id] for player_id in field.order]
        none: frozenset[str] = frozenset()
        labels = [field.labels.get(player_id, none) for player_id in field.order]
        pairs = frozenset[frozenset[str]]().union(*field.met[:newest])
        self.met = [0] * self.n
        for a, b in (tuple(field.position[player_id] for player_id in pair) for pair in pairs):
            self.met[a] |= 1 << b
            self.met[b] |= 1 << a
        self.alike = [
            sum(1 << q for q in range(self.n) if p != q and labels[p] & labels[q]) for p in range(self.n)
        ]

    def away(self, player: int, seat: int) -> int:
        first, last = self.places[player]
        return max(first - seat, seat - last, 0) ** 2

    def least(self, limit: Pair) -> tuple[Pair, int] | None:
        """The least that a seating costs, if it is within the limit, and how many seatings cost it."""
        states: dict[int, tuple[Pair, int]] = {0: ((0, 0), 1)}
        seat = 0
        for size in self.field.sizes:
            after: dict[int, tuple[Pair, int]] = {}
            for seated, (cost, ways) in states.items():
                for table, total in self._tables(seated, seat, size, cost, limit):
                    known = after.get(seated | table)
                    if known is None or total < known[0]:
                        after[seated | table] = (total, ways)
                    elif total == known[0]:
                        after[seated | table] = (total, ways + known[1])
                if len(after) > self.most:
                    raise TooMuch
            seat += size
            states = {
                seated: found
                for seated, found in after.items()
                if (found[0][0] + self._rest(seated, seat), found[0][1]) <= limit
            }
        return next(iter(states.values())) if states else None

    def _rest(self, seated: int, seat: int) -> int:
        """What those not seated pay at least: one after the other, as the standings have them."""
        left = (player for player in range(self.n) if not seated >> player & 1)
        return sum(self.away(player, at) for at, player in enumerate(left, start=seat))

    def _tables(
        self, seated: int, seat: int, size: int, cost: Pair, limit: Pair
    ) -> Iterator[tuple[int, Pair]]:
        """Every table of players left who have not met, with the cost up to and with it, within the limit."""
        near = [
            p
            for p in range(self.n)
            if not seated >> p & 1
            and cost[0] + min(self.away(p, at) for at in range(seat, seat + size)) <= limit[0]
        ]

        def fill(
            table: int, chosen: int, begin: int, moved: int, again: int, alike: bool
        ) -> Iterator[tuple[int, Pair]]:
            if chosen == size:
                yield table, (moved, cost[1] + alike)
                return
            for at in range(begin, len(near)):
                player = near[at]
                if again >> player & 1:
                    continue
                further = moved + self.away(player, seat + chosen)
                if further <= limit[0]:
                    shares = alike or bool(self.alike[player] & table)
                    yield from fill(
                        table | 1 << player, chosen + 1, at + 1, further, again | self.met[player], shares
                    )

        return fill(0, 0, 0, cost[0], 0, False)

    def possible(self, steps: int = 200_000) -> bool:
        """Whether everybody can be seated at all without a repeated pair, at tables of these sizes."""
        left = [steps]
        others = {size: self.field.sizes.count(size) for size in set(self.field.sizes)}

        def cover(waiting: int) -> bool:
            if not waiting:
                return True
            free = {p: waiting & ~self.met[p] & ~(1 << p) for p in range(self.n) if waiting >> p & 1}
            player = min(free, key=lambda p: free[p].bit_count())
            for size in sorted(others):
                if others[size]:
                    others[size] -= 1
                    for table in self._with(1 << player, free[player], size - 1):
                        left[0] -= 1
                        if left[0] < 0:
                            raise TooMuch
                        if cover(waiting & ~table):
                            return True
                    others[size] += 1
            return False

        return cover((1 << self.n) - 1)

    def _with(self, table: int, free: int, more: int) -> Iterator[int]:
        if not more:
            yield table
            return
        while free:
            player = free.bit_length() - 1
            free &= ~(1 << player)
            yield from self._with(table | 1 << player, free & ~self.met[player], more - 1)


SCALE = 64
"""What the engine's prices are multiples of: 1/64."""


def proved_by(field: Field, prices: Mapping[str, int]) -> int:
    """What every seating without a repeated pair costs at least, times 64, by these prices.

    Each place takes the table, of all there are, that costs least after the prices of its players; a seating
    takes everybody once, so that it pays all prices. Where there are labels, a table at which one is shared
    costs 1, and a distance of 1 costs more than all tables together.
    """
    labelled = any(field.labels.get(player_id) for player_id in field.order)
    unit = len(field.sizes) + 1 if labelled else 1
    total = sum(prices.values())
    for number, size in enumerate(field.sizes):
        total += min(
            (field.displacement(number, table) * unit + field.shares(table)) * SCALE
            - sum(prices.get(player_id, 0) for player_id in table)
            for table in map(frozenset, combinations(field.order, size))
            if not any(field.repeats(table))
        )
    return total


def as_price(field: Field, cost: Sequence[int]) -> int:
    """A cost without repeated pairs as one number, as the prices see it."""
    labelled = any(field.labels.get(player_id) for player_id in field.order)
    return cost[-2] * (len(field.sizes) + 1 if labelled else 1) + cost[-1]
