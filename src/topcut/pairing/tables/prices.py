"""How far must people move at least? A lower bound from prices.

Give every player a price. A table at its place in the room costs its distances less the prices of its
players; let each place take whatever table costs least, even if players are then taken twice or not at
all. That sum plus all prices is at most what any seating costs: a seating takes everybody once, so that
the prices come out even. Prices are raised for those nobody takes and lowered for those wanted twice.

What is bounded is a seating at least as good as the one that is known, without a repeated pair. So a
table that costs more above the least of its place than the known seating costs above the bound is
dropped: no such seating has it. Tables of players from far away are never looked at one by one; what
they cost at least is counted instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from topcut.pairing.tables.seating import Ints, Seating
from topcut.pairing.tables.subsets import sets

SCALE = 64
"""Prices are multiples of 1/64."""
ROUNDS = 90
"""How often prices change at most before places look further."""
TRIM = 15
"""After so many changes tables that have become impossible are dropped."""
CANDIDATES = 30
"""Players who could sit at a place at most; with more of them in reach nothing is said."""
LOOKED_AT = 500_000
"""Tables that are looked at in the whole room, so that in small rooms more players can be in reach."""
REACHES = (5, 8, 12, 20, 50)
"""How many seats away players are looked at for a place, further where that is needed."""


@dataclass(frozen=True)
class Place:
    """A table's place in the room: the tables it could have, without any repeated pair."""

    number: int
    reach: int
    first: int
    """The players within reach: from this one up to the end."""
    end: int
    tables: Ints
    """Tables × players."""
    costs: Ints
    """Scaled."""


def unit(seating: Seating) -> int:
    """The price of a distance of 1; a table of players to be kept apart costs 1."""
    return len(seating.sizes) + 1 if seating.kept_apart else 1


def step(seating: Seating) -> int:
    """Prices of seatings differ by at least this much: distances add up to 0, so their squares are even."""
    even = bool((seating.first == seating.last).all()) and not seating.kept_apart
    return 2 if even else 1


def place(seating: Seating, number: int, reach: int) -> Place | None:
    """The tables a place could have with players at most so far away; None if those are too many."""
    start, size = seating.starts[number], seating.sizes[number]
    first = int(np.searchsorted(seating.last, start - reach, side="left"))
    end = int(np.searchsorted(seating.first, start + size - 1 + reach, side="right"))
    tables = comb(end - first, size)
    if end - first > CANDIDATES and tables * len(seating.sizes) > LOOKED_AT:
        return None
    here = list(range(first, end))
    away = seating.distances(here, range(start, start + size))
    found = sets(len(here), size)
    costs = away[found[:, 0], 0]
    for j in range(1, size):
        costs = costs + away[found[:, j], j]
    again = np.logical_or.reduce(seating.repeats(here), axis=0, initial=False)
    possible = ~_any_pair(again, found)
    found, costs = found[possible], costs[possible] * unit(seating)
    if seating.kept_apart:
        costs = costs + _any_pair(seating.sharing(here), found)
    return Place(number, reach, first, end, found + first, costs * SCALE)


def _any_pair(matrix: NDArray[np.bool_], tables: Ints) -> NDArray[np.bool_]:
    """Which tables have a pair that is true in a matrix."""
    found = np.zeros(len(tables), np.bool_)
    for j in range(tables.shape[1]):
        for i in range(j):
            found |= matrix[tables[:, i], tables[:, j]]
    return found


class Prices:
    """Prices that change until they say as much as they can."""

    def __init__(self, seating: Seating, known: int, around: list[int]) -> None:
        """`known`: the price of a seating; only players around these tables get prices."""
        self.seating = seating
        self.known = known
        self.prices = np.zeros(seating.size + 1, np.int64)  # the last is nobody's
        self.value = 0
        """The bound, scaled."""
        self._unpriced: dict[tuple[int, int], Place | None] = {}
        self.work = 0
        """What comparing has taken so far."""
        self.ruled_out = -step(seating)
        """No seating costs so little: all that could were compared."""
        players = {p for k in around for p in range(seating.starts[k], seating.starts[k] + seating.sizes[k])}
        self.priced = np.array(sorted(players), np.int64)
        self.places: dict[int, Place] = {}
        self.possible = seating.moves
        """Whether anything can be said; not if distance is nothing, for then everybody is within reach."""
        self.around = REACHES[0]
        """Places further than this from everybody with a price are not looked at."""
        if self.possible:
            self._look_around()
        if self.possible:
            self._arrange()

    @property
    def gap(self) -> int:
        """How much more than the bound a seating may cost that is as good as the known one, scaled."""
        return self.known * SCALE - self.value

    @property
    def met(self) -> bool:
        """Whether nothing is cheaper than what is known."""
        return self.gap < step(self.seating) * SCALE

    @property
    def bound(self) -> int:
        """What every seating costs at least."""
        steps = -(-self.value // (SCALE * step(self.seating)))
        return min(self.known, max(0, steps * step(self.seating), self.ruled_out + step(self.seating)))

    def _look_around(self) -> None:
        """Look at the places that a player with a price could come to."""
        seating, reach = self.seating, self.around
        found: set[int] = set()
        for player in self.priced.tolist():
            low, high = int(seating.first[player]) - reach, int(seating.last[player]) + reach
            begin = int(np.searchsorted(seating.starts, low, side="right")) - 1
            found.update(range(max(begin, 0), int(np.searchsorted(seating.starts, high, side="right"))))
        for number in sorted(found - set(self.places)):
            self._look(number, REACHES[0])
        self.places = dict(sorted(self.places.items()))

    def unpriced(self, number: int, reach: int) -> Place | None:
        """A place that nobody with a price could come to."""
        if (number, reach) not in self._unpriced:
            self._unpriced[number, reach] = place(self.seating, number, reach)
        return self._unpriced[number, reach]

    def _look(self, number: int, reach: int) -> None:
        """Look so far, or as far as there is a table at all."""
        for further in REACHES[REACHES.index(reach) :]:
            found = place(self.seating, number, further)
            if found is None:
                break
            if len(found.costs):
                self.places[number] = found
                return
        self.possible = False

    def _arrange(self) -> None:
        """All tables of all places in one list."""
        seating, places = self.seating, list(self.places.values())
        width = max(seating.sizes)
        rows = [
            np.pad(p.tables, ((0, 0), (0, width - p.tables.shape[1])), constant_values=seating.size)
            for p in places
        ]
        self._tables = np.concatenate(rows)
        self._costs = np.concatenate([p.costs for p in places])
        self._starts = np.cumsum([0] + [len(p.costs) for p in places[:-1]])
        numbers = np.array([p.number for p in places])
        first_seat = np.array(seating.starts)[numbers][:, None]
        last_seat = first_seat + np.array(seating.sizes)[numbers][:, None] - 1
        away = np.maximum(seating.first[self.priced] - last_seat, first_seat - seating.last[self.priced])
        self._single = np.maximum(away, 0) ** 2 * (unit(seating) * SCALE)
        reach = np.array([p.reach for p in places])
        self._near = away <= reach[:, None]
        whole = np.array([p.end - p.first == seating.size for p in places])
        self._beyond = np.where(whole, 2**50, (reach + 1) ** 2 * (unit(seating) * SCALE))
        self._others = np.array([seating.sizes[p.number] - 1 for p in places])
        self._elsewhere = sum(seating.sizes) - sum(seating.sizes[p.number] for p in places)

    def far(self) -> Ints:
        """What tables with somebody from beyond reach cost at least, for each place that was looked at."""
        single = self._single - self.prices[self.priced]
        near = np.where(self._near, single, 0).min(axis=1, initial=0)
        beyond = np.where(self._near, self._beyond[:, None], single).min(axis=1, initial=2**50)
        beyond = np.minimum(beyond, self._beyond)
        found: Ints = beyond + self._others * np.minimum(near, beyond)
        return np.where(self._beyond >= 2**50, self._beyond, found)

    def nowhere(self, size: int) -> int:
        """What a table costs at least, with a player with a price, at a place that was not looked at."""
        dearest = int(self.prices.max())
        return min(0, (self.around + 1) ** 2 * unit(self.seating) * SCALE - dearest) * size

    def _after_prices(self) -> tuple[Ints, Ints, Ints]:
        """What each table costs, the least of each place, and for each place how many tables it has."""
        reduced = self._costs - self.prices[self._tables].sum(axis=1)
        lengths = np.diff(self._starts, append=len(reduced))
        return reduced, np.minimum.reduceat(reduced, self._starts), lengths

    def _value(self) -> tuple[int, Ints]:
        """The sum for the prices now, and how often each player is taken."""
        reduced, least, lengths = self._after_prices()
        at = np.flatnonzero(reduced == np.repeat(least, lengths))
        place_of = np.searchsorted(self._starts, at, side="right")
        first = at[np.concatenate(([True], place_of[1:] != place_of[:-1]))]
        taken = np.bincount(self._tables[first].ravel(), minlength=self.seating.size + 1)
        value = int(np.minimum(least, self.far()).sum() + self.prices.sum()) + self.nowhere(self._elsewhere)
        return value, taken

    def rise(self) -> None:
        """Change prices for as long as it helps; the best are kept."""
        best, pace, waited = self.prices.copy(), 1.0, 0
        self.value = self._value()[0]
        for turn in range(1, ROUNDS + 1):
            value, taken = self._value()
            if value > self.value:
                self.value, best, waited = value, self.prices.copy(), 0
            else:
                waited += 1
            if self.met:
                break
            if waited == 8:
                self.prices, pace, waited = best.copy(), pace / 2, 0
                value, taken = self._value()
            wanted = 1 - taken[self.priced]
            weight = int((wanted**2).sum())
            if weight == 0:
                break
            change = pace * (self.known * SCALE - value) / weight * wanted
            self.prices[self.priced] += np.rint(change).astype(np.int64)
            if turn % TRIM == 0:
                now, self.prices = self.prices, best
                self._trim()
                self.prices = now.copy()
        self.prices = best

    def _trim(self) -> None:
        """Drop the tables that no seating as good as the known one has."""
        value, _ = self._value()
        reduced, least, lengths = self._after_prices()
        above = reduced - np.repeat(np.minimum(least, self.far()), lengths)
        kept = above <= self.known * SCALE - value
        place_of = np.repeat(np.arange(len(lengths)), lengths)[kept]
        left = np.bincount(place_of, minlength=len(lengths))
        if left.all():
            self._tables, self._costs = self._tables[kept], self._costs[kept]
            self._starts = np.concatenate(([0], np.cumsum(left)[:-1]))

    def left(self, gap: int) -> dict[int, tuple[Ints, Ints]] | None:
        """For each place the tables that cost at most so much above its least, with how much.

        None if a table of players from far away could be one of them.
        """
        reduced, least, lengths = self._after_prices()
        far = self.far()
        least = np.minimum(least, far)
        if (far - least <= gap).any():
            return None
        above = reduced - np.repeat(least, lengths)
        found = {}
        for number, start, length in zip(self.places, self._starts, lengths, strict=True):
            kept = start + np.flatnonzero(above[start : start + length] <= gap)
            found[number] = (self._tables[kept][:, : self.seating.sizes[number]], above[kept])
        return found

    def look_further(self) -> bool:
        """Let places look further where tables from far away still matter; whether any does."""
        far = self.far()
        _, least, _ = self._after_prices()
        short = np.flatnonzero(far - np.minimum(least, far) <= self.gap)
        for number in np.array(list(self.places))[short].tolist():
            if (wider := _wider(self.places[number].reach)) is None:
                return False
            self._look(number, wider)
        more = self._elsewhere > 0 and self.nowhere(1) < 0
        if more:
            if (wider := _wider(self.around)) is None:
                return False
            self.around = wider
            self._look_around()
        if self.possible:
            self._arrange()
            self._trim()
        return self.possible and (more or len(short) > 0)


def _wider(reach: int) -> int | None:
    return next((wider for wider in REACHES if wider > reach), None)
