"""Bound how far players must move at least: a Lagrangian relaxation, improved by subgradient steps.

Give every player a price. A table at its place in the room costs its distances less the prices of its
players. Let each place take the table that costs least, even if players are then taken twice or not at all.
That sum plus all prices is at most what any seating costs, since a seating takes each player once, and the
prices cancel out. Raise the price of a player who is not taken, lower that of one who is taken twice.

The bound is for seatings at least as good as the best one known, without a repeated pair. So a table is
dropped if it costs more above the least of its place than that seating costs above the bound: no such
seating has it. Of tables with players from beyond reach only a bound on their cost is counted.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from topcut.pairing.engine.field import Bools, Ints
from topcut.pairing.multiplayer.exact_seatings import list_sets
from topcut.pairing.multiplayer.seating_field import SeatingField

SCALE = 64
"""Prices are multiples of 1/64."""
ROUNDS = 90
"""How often prices change at most before places look further."""
TRIM = 15
"""Changes of prices after which tables that have become impossible are dropped."""
CANDIDATES = 30
"""Players who could sit at a place at most; with more of them in reach nothing is bounded."""
LOOKED_AT = 500_000
"""Tables that are looked at in the whole room, so that in small rooms more players can be in reach."""
REACHES = (5, 8, 12, 20, 50)
"""How many seats away players are looked at for a place, further where that is needed."""


@dataclass(frozen=True)
class TablePlace:
    """A table's place in the room: the tables it could have, without any repeated pair."""

    number: int
    reach: int
    whole: bool
    """Whether all players are within reach."""
    tables: Ints
    """Tables × players."""
    costs: Ints
    """Scaled."""


def weigh_distance(field: SeatingField) -> int:
    """Return the cost of a distance of 1; a table of players to be kept apart costs 1."""
    return len(field.sizes) + 1 if field.kept_apart else 1


def find_step(field: SeatingField) -> int:
    """Return the least difference of two prices: distances add up to 0, so their squares are even."""
    even = bool((field.first == field.last).all()) and not field.kept_apart
    return 2 if even else 1


def find_place(field: SeatingField, number: int, reach: int) -> TablePlace | None:
    """Return the tables a place could have with players within reach; None if they are too many."""
    start, size = field.starts[number], field.sizes[number]
    first = int(np.searchsorted(field.last, start - reach, side="left"))
    end = int(np.searchsorted(field.first, start + size - 1 + reach, side="right"))
    tables = comb(end - first, size)
    if end - first > CANDIDATES and tables * len(field.sizes) > LOOKED_AT:
        return None
    here = list(range(first, end))
    away = field.measure_distances(here, range(start, start + size))
    found = list_sets(len(here), size)
    costs = np.sum([away[found[:, j], j] for j in range(size)], axis=0)
    again = np.logical_or.reduce(field.find_repeats(here), axis=0, initial=False)
    possible = ~_have_pair(again, found)
    found, costs = found[possible], costs[possible] * weigh_distance(field)
    if field.kept_apart:
        costs = costs + _have_pair(field.find_shared_labels(here), found)
    return TablePlace(number, reach, len(here) == field.size, found + first, costs * SCALE)


def _have_pair(matrix: Bools, tables: Ints) -> Bools:
    """Return which tables have a pair that is true in a matrix."""
    found = np.zeros(len(tables), np.bool_)
    for i, j in combinations(range(tables.shape[1]), 2):
        found |= matrix[tables[:, i], tables[:, j]]
    return found


class PriceBound:
    """Prices that change until they bound as much as they can."""

    def __init__(self, field: SeatingField, known: int, around: list[int]) -> None:
        """`known`: what the best known seating costs; only players around these tables get prices."""
        self.field = field
        self.known = known
        self.prices = np.zeros(field.size + 1, np.int64)  # the last is nobody's
        self.value = 0
        """The bound, scaled."""
        self._unpriced: dict[tuple[int, int], TablePlace | None] = {}
        self.work = 0
        """Ways to add a table that were compared so far (seating_draw.py)."""
        self.ruled_out = -find_step(field)
        """No seating costs this or less: all that could were compared."""
        players = {p for k in around for p in range(field.starts[k], field.starts[k] + field.sizes[k])}
        self.priced = np.array(sorted(players), np.int64)
        self.places: dict[int, TablePlace] = {}
        self.possible = field.moves
        """Whether there is a bound: there is none where distance costs nothing."""
        self.around = REACHES[0]
        """Places further than this from all players with a price are not looked at."""
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
        """Whether no seating is cheaper than the best known."""
        return self.gap < find_step(self.field) * SCALE

    @property
    def bound(self) -> int:
        """What every seating costs at least."""
        step = find_step(self.field)
        return min(self.known, max(0, -(-self.value // (SCALE * step)) * step, self.ruled_out + step))

    def _look_around(self) -> None:
        """Look at the places that a player with a price could come to."""
        field, reach = self.field, self.around
        found: set[int] = set()
        for player in self.priced.tolist():
            low, high = int(field.first[player]) - reach, int(field.last[player]) + reach
            begin = int(np.searchsorted(field.starts, low, side="right")) - 1
            found.update(range(max(begin, 0), int(np.searchsorted(field.starts, high, side="right"))))
        for number in sorted(found - set(self.places)):
            self._look(number, REACHES[0])
        self.places = dict(sorted(self.places.items()))

    def find_unpriced(self, number: int, reach: int) -> TablePlace | None:
        """Return a place that nobody with a price could come to."""
        if (number, reach) not in self._unpriced:
            self._unpriced[number, reach] = find_place(self.field, number, reach)
        return self._unpriced[number, reach]

    def _look(self, number: int, reach: int) -> None:
        """Look within reach, or as far as there is a table at all."""
        for further in REACHES[REACHES.index(reach) :]:
            found = find_place(self.field, number, further)
            if found is None:
                break
            if len(found.costs):
                self.places[number] = found
                return
        self.possible = False

    def _arrange(self) -> None:
        """List the tables of all places; measure from each place to the players with prices."""
        field, places = self.field, list(self.places.values())
        width, dear = max(field.sizes), weigh_distance(field) * SCALE
        rows = [
            np.pad(p.tables, ((0, 0), (0, width - p.tables.shape[1])), constant_values=field.size)
            for p in places
        ]
        self._tables = np.concatenate(rows)
        self._costs = np.concatenate([p.costs for p in places])
        self._starts = np.cumsum([0] + [len(p.costs) for p in places[:-1]])
        first_seat = np.array([field.starts[p.number] for p in places])[:, None]
        sizes = np.array([field.sizes[p.number] for p in places])
        last_seat = first_seat + sizes[:, None] - 1
        away = np.maximum(field.first[self.priced] - last_seat, first_seat - field.last[self.priced])
        self._lone_costs = np.maximum(away, 0) ** 2 * dear  # places × players with prices
        reach = np.array([p.reach for p in places])
        self._within_reach = away <= reach[:, None]
        whole = np.array([p.whole for p in places])
        self._least_beyond = np.where(whole, 2**50, (reach + 1) ** 2 * dear)
        self._seats_beside = sizes - 1
        self._seats_elsewhere = field.size - int(sizes.sum())

    def _bound_far(self) -> Ints:
        """Return what tables with a player from beyond reach cost at least, for each place looked at."""
        single = self._lone_costs - self.prices[self.priced]
        near = np.where(self._within_reach, single, 0).min(axis=1, initial=0)
        beyond = np.where(self._within_reach, self._least_beyond[:, None], single).min(axis=1, initial=2**50)
        beyond = np.minimum(beyond, self._least_beyond)
        found = beyond + self._seats_beside * np.minimum(near, beyond)
        return np.where(self._least_beyond >= 2**50, self._least_beyond, found)

    def bound_elsewhere(self, size: int) -> int:
        """Return what a table with a priced player costs at least at a place that was not looked at."""
        dearest = int(self.prices.max())
        return min(0, (self.around + 1) ** 2 * weigh_distance(self.field) * SCALE - dearest) * size

    def _reduce(self) -> tuple[Ints, Ints, Ints]:
        """Return what each table costs, the least of each place, and how many tables each place has."""
        reduced = self._costs - self.prices[self._tables].sum(axis=1)
        lengths = np.diff(self._starts, append=len(reduced))
        return reduced, np.minimum.reduceat(reduced, self._starts), lengths

    def _evaluate(self) -> tuple[int, Ints]:
        """Return the sum for the prices now, and how often each player is taken."""
        reduced, least, lengths = self._reduce()
        at = np.flatnonzero(reduced == np.repeat(least, lengths))
        place_of = np.searchsorted(self._starts, at, side="right")
        first = at[np.concatenate(([True], place_of[1:] != place_of[:-1]))]
        taken = np.bincount(self._tables[first].ravel(), minlength=self.field.size + 1)
        value = int(np.minimum(least, self._bound_far()).sum() + self.prices.sum())
        return value + self.bound_elsewhere(self._seats_elsewhere), taken

    def improve_prices(self) -> None:
        """Change prices for as long as the bound rises; keep the best ones."""
        best, pace, waited = self.prices.copy(), 1.0, 0
        self.value = self._evaluate()[0]
        for turn in range(1, ROUNDS + 1):
            value, taken = self._evaluate()
            if value > self.value:
                self.value, best, waited = value, self.prices.copy(), 0
            else:
                waited += 1
            if self.met:
                break
            if waited == 8:
                self.prices, pace, waited = best.copy(), pace / 2, 0
                value, taken = self._evaluate()
            wanted = 1 - taken[self.priced]
            weight = int((wanted**2).sum())
            if weight == 0:
                break
            change = pace * (self.known * SCALE - value) / weight * wanted
            self.prices[self.priced] += np.rint(change).astype(np.int64)
            if turn % TRIM == 0:
                now, self.prices = self.prices, best
                self._trim()
                self.prices = now
        self.prices = best

    def _trim(self) -> None:
        """Drop the tables that no seating as good as the known one has."""
        value, _ = self._evaluate()
        reduced, least, lengths = self._reduce()
        above = reduced - np.repeat(np.minimum(least, self._bound_far()), lengths)
        kept = above <= self.known * SCALE - value
        place_of = np.repeat(np.arange(len(lengths)), lengths)[kept]
        left = np.bincount(place_of, minlength=len(lengths))
        if left.all():
            self._tables, self._costs = self._tables[kept], self._costs[kept]
            self._starts = np.concatenate(([0], np.cumsum(left)[:-1]))

    def list_remaining(self, gap: int) -> dict[int, tuple[Ints, Ints]] | None:
        """Return for each place the tables that cost at most `gap` above its least, with how much.

        None if a table with a player from beyond reach could be one of them.
        """
        reduced, least, lengths = self._reduce()
        far = self._bound_far()
        least = np.minimum(least, far)
        if (far - least <= gap).any():
            return None
        above = reduced - np.repeat(least, lengths)
        found = {}
        for number, start, length in zip(self.places, self._starts, lengths, strict=True):
            kept = start + np.flatnonzero(above[start : start + length] <= gap)
            found[number] = (self._tables[kept][:, : self.field.sizes[number]], above[kept])
        return found

    def widen_reach(self) -> bool:
        """Widen the reach of places where tables beyond it still matter; return whether any was."""
        far = self._bound_far()
        _, least, _ = self._reduce()
        short = np.flatnonzero(far - np.minimum(least, far) <= self.gap)
        for number in np.array(list(self.places))[short].tolist():
            if (wider := _widen(self.places[number].reach)) is None:
                return False
            self._look(number, wider)
        more = self._seats_elsewhere > 0 and self.bound_elsewhere(1) < 0
        if more:
            if (wider := _widen(self.around)) is None:
                return False
            self.around = wider
            self._look_around()
        if self.possible:
            self._arrange()
            self._trim()
        return self.possible and (more or len(short) > 0)


def _widen(reach: int) -> int | None:
    return next((wider for wider in REACHES if wider > reach), None)
