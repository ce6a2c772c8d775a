"""One pool, one round at tables of three and more: the best seating that is found, and what is proved.

Few players are compared as a whole. More of them are seated window by window; then a lower bound says
how much better anything could be, and with few tables left over by it all of those are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Literal

import numpy as np

from topcut.lots import Stream
from topcut.pairing.tables.columns import compare
from topcut.pairing.tables.fresh import fresh_seating
from topcut.pairing.tables.improve import Improver
from topcut.pairing.tables.prices import SCALE, Prices, unit
from topcut.pairing.tables.seating import Seating, TablesCost, dealt
from topcut.pairing.tables.subsets import MOST, Best, best_of

WINDOWS = 200
"""Windows drawn at random while pairs repeat, and while nothing is proved."""
WIDE = 40
"""Windows of as many players as are ever compared, where there are few enough tables for that to matter."""
FEW = 100
"""So many players are few."""


@dataclass(frozen=True)
class Seated:
    """A round of one pool."""

    seating: Seating
    tables: list[list[int]]
    """From the top; players as positions in the standings."""
    cost: TablesCost
    bound: TablesCost
    """No seating costs less."""
    uniform: Literal["exact", "approximate"]
    certificate: dict[str, object]

    @property
    def optimal(self) -> bool:
        return self.cost == self.bound


class Room:
    """A seating ready to be drawn, once or many times; what was found out stays known."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.by_lot = seating.all_level and not seating.rounds and not seating.kept_apart
        """Whether there is nothing to minimise: nobody has met, nobody is ahead."""

    @cached_property
    def _best(self) -> Best:
        return best_of(self.seating)

    def tables(self, stream: Stream) -> list[list[int]]:
        """The tables alone, for drawing very often."""
        if self.by_lot:  # AL-5
            lots = stream.order(self.seating.size).tolist()
            return [sorted(table) for table in dealt(lots, self.seating.sizes)]
        if self.seating.size > MOST:
            return _many(self.seating, stream).tables
        return self._best.draw_tables(stream)

    def draw(self, stream: Stream) -> Seated:
        seating = self.seating
        if seating.size > MOST and not self.by_lot:
            return _many(seating, stream)
        tables = self.tables(stream)
        cost = seating.cost(tables)
        proof: dict[str, object] = {"kind": "lots"}
        if not self.by_lot:
            every = factorial(seating.size) // prod(factorial(size) for size in seating.sizes)
            proof = {"kind": "exhaustive", "seatings": every, "optimal": self._best.count}
        return Seated(seating, tables, cost, cost, "exact", proof)


def _many(seating: Seating, stream: Stream) -> Seated:
    improver = Improver(seating, stream)
    improver.follow()
    if improver.repeating:
        _search(improver)
        _start_fresh(improver)
    if improver.repeating:
        bound = TablesCost(least_repeats(seating), 0, 0)
        cost = seating.cost(improver.tables)
        return Seated(seating, improver.tables, cost, bound, "approximate", {"kind": "degrees"})
    found = _proved(seating, improver, stream)
    if not found.optimal:
        _search(improver)
        if seating.cost(improver.tables) < found.cost:
            found = _proved(seating, improver, stream)
    return found


def _start_fresh(improver: Improver) -> None:
    """Where a pair repeats that perhaps need not: begin again with a seating in which it does not."""
    seating = improver.seating
    if seating.size > FEW:
        return
    repeats = seating.cost(improver.tables).repeats
    first = next((back for back, number in enumerate(repeats) if number), seating.rounds)
    for rounds in range(seating.rounds, first, -1):
        tables = fresh_seating(seating, rounds)
        if tables is not None:
            improver.begin(tables)
            improver.follow()
            improver.at_random(WINDOWS)
            return


def _search(improver: Improver) -> None:
    improver.at_random(WINDOWS)
    cost = improver.seating.cost(improver.tables)
    if improver.seating.size <= FEW and (any(cost.repeats) or cost.displacement):
        improver.at_random(WIDE, players=MOST)


def _proved(seating: Seating, improver: Improver, stream: Stream) -> Seated:
    """Without repeats: prices bound the distances, and may leave few enough tables to compare all."""
    cost, price = seating.cost(improver.tables), unit(seating)
    if not improver.costly:
        return Seated(seating, improver.tables, cost, cost, "approximate", {"kind": "zero"})
    prices = Prices(seating, cost.displacement * price + cost.apart, improver.costly)
    proof: dict[str, object] = {"kind": "prices", "scale": SCALE}
    compared = None
    while prices.possible:
        prices.rise()
        compared = compare(prices)
        if compared is not None or not prices.look_further():
            break
    proof["prices"] = _named(prices)
    if prices.ruled_out >= 0:
        proof["ruled_out"] = prices.ruled_out
    if compared is None:
        least = TablesCost(cost.repeats, *divmod(prices.bound, price))
        return Seated(seating, improver.tables, cost, least, "approximate", proof)
    proof["compared"] = sum(len(states) for states in compared.states)
    tables, uniform = compared.draw(stream)
    least = seating.cost(tables)
    return Seated(seating, tables, least, least, "exact" if uniform else "approximate", proof)


def _named(prices: Prices) -> dict[int, int]:
    """Prices that are not 0, by player."""
    return {int(player): int(prices.prices[player]) for player in np.flatnonzero(prices.prices[:-1])}


def least_repeats(seating: Seating) -> tuple[int, ...]:
    """Repeated pairs that cannot be avoided, by round from the newest.

    Whoever has met almost everybody in the newest rounds finds too few others for a table. Counted over
    the newest rounds together this bounds their sum, so it bounds what comes first in the order of costs.
    """
    others = min(seating.sizes) - 1
    found: list[int] = []
    for back in range(seating.rounds):
        rows = np.sort(seating.met[seating.back <= back] if seating.by_age else seating.met, axis=0)
        known = (np.diff(rows, axis=0, prepend=-1) > 0) & (rows < seating.size)
        free = seating.size - 1 - known.sum(axis=0)
        missing = int(np.maximum(others - free, 0).sum())
        found.append(-(-missing // 2) - sum(found))
    return tuple(found)
