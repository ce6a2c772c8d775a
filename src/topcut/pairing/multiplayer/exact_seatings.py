"""Find the best seatings of a few tables exactly, by all ways to fill them, table after table.

What the first k tables have cost depends on their players, what the others will cost on the rest. So
each set of players is looked at once: its cheapest seating, and in how many ways it is reached. Sets
that cannot lead to anything as cheap as a seating already known are left out: players still to be
seated move at least as far as if nobody had met. From the whole set back, following only ways that
are part of a cheapest one, every best seating is drawn with the same probability.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations, islice, permutations

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.field import Bools, Ints
from topcut.pairing.multiplayer.seating_field import SeatingField

EXACT_PLAYERS = 16
"""Up to this many players are seated exactly."""
_WORD = 61
"""Bits of a cost that are compared at once."""
_NEVER = 2**62
LISTED = 2_000
"""Cheapest seatings that are listed at most."""
_BEAM = 48
"""Sets that are followed at each table to find a first seating."""

Arcs = tuple[Ints, Ints]
"""Ways to one more table: the sets before, the tables that are added; all written in bits."""


class ExactSeatings:
    """The cheapest seatings of some players at some tables of a seating."""

    def __init__(
        self, field: SeatingField, players: Sequence[int], numbers: Sequence[int], now: Sequence[int] = ()
    ) -> None:
        """`players` in standings order; `numbers`: which tables, rising; `now`: how they sit already."""
        self.players = list(players)
        self.numbers = list(numbers)
        self.sizes = tuple(field.sizes[k] for k in numbers)
        self._n = len(self.players)
        seats = [field.starts[k] + j for k in numbers for j in range(field.sizes[k])]
        self._distance = field.measure_distances(self.players, seats)
        # What each table would cost at each number, part by part of the objective.
        parts = [self._count_pairs(matrix) for matrix in field.find_repeats(self.players) if matrix.any()]
        self._away = [self._sum_distances(sum(self.sizes[:k]), size) for k, size in enumerate(self.sizes)]
        parts.append(self._away)
        if field.kept_apart:
            sharing = self._count_pairs(field.find_shared_labels(self.players))
            parts.append([np.minimum(pairs, 1) for pairs in sharing])
        self._words, places = _pack(parts)
        word, below = places[-2 if field.kept_apart else -1]
        self._distance_counts = 0 if word else 1 << below
        """How much a distance of 1 is in the first word."""
        self._limits = [(1 << below) - 1 for word, below in reversed(places) if word == 0 and below]
        """The most a seating costs without repeats, with repeats only of the oldest round, and so on."""
        self.now = self._cost_now(now) if now else ()
        """What the seating so far costs, and the least there is: they compare as they stand."""
        self.least: tuple[int, ...] = ()
        self._arcs = self._find_cheapest(self.now[0] if now else self._sweep(_NEVER, _BEAM)[0])
        self._counts = self._count()

    @property
    def count(self) -> int:
        """How many seatings cost as little; the same tables in another order are another seating."""
        return int(self._counts[-1][-1])

    def _count_pairs(self, matrix: Bools) -> list[Ints]:
        """Return for each table number the pairs of each table that are true in a matrix."""
        by_size: dict[int, Ints] = {}
        for size in set(self.sizes):
            seated = list_sets(self._n, size)
            pairs = [matrix[seated[:, i], seated[:, j]] for i, j in combinations(range(size), 2)]
            by_size[size] = np.sum(pairs, axis=0, dtype=np.int64)
        return [by_size[size] for size in self.sizes]

    def _sum_distances(self, start: int, size: int) -> Ints:
        """Return how far the players of each table are from the seats from this one on."""
        seated = list_sets(self._n, size)
        moved = [self._distance[seated[:, j], start + j] for j in range(size)]
        away: Ints = np.sum(moved, axis=0)
        return away

    def _cost_now(self, now: Sequence[int]) -> tuple[int, ...]:
        """Return what a seating costs; players as they sit, table after table."""
        bits = iter([1 << self.players.index(player) for player in now])
        chosen = [_number_masks(self._n, size)[sum(islice(bits, size))] for size in self.sizes]
        return tuple(sum(int(word[k][t]) for k, t in enumerate(chosen)) for word in self._words)

    def _find_cheapest(self, known: int) -> list[Arcs]:
        """Return the ways that are part of cheapest seatings, of which one costs no more than `known`."""
        for limit in [limit for limit in self._limits if limit < known]:
            least, arcs = self._sweep(limit, None)
            if arcs:
                break
        else:
            least, arcs = self._sweep(known, None)
        self.least = (least,)
        for word in range(1, len(self._words)):
            least, arcs = self._keep_least(arcs, word)
            self.least += (least,)
        return arcs

    def _sweep(self, limit: int, beam: int | None) -> tuple[int, list[Arcs]]:
        """Return the least cost in the first word, and the ways that reach each set at its least.

        Only ways up to the limit are followed; with a beam only its number of sets from each table on. There
        are no ways if none leads to the end.
        """
        states, values = np.zeros(1, np.int64), np.zeros(1, np.int64)
        found = []
        filled = 0
        for k, size in enumerate(self.sizes):
            table, there, through = self._add_tables(states, values, k, filled)
            kept = np.flatnonzero(through.ravel() <= limit)
            there, through = there.ravel()[kept], through.ravel()[kept]
            least = np.full(1 << self._n, _NEVER)
            np.minimum.at(least, there, through)
            filled += size
            after = np.flatnonzero(least < _NEVER)
            # Players not seated yet move at least as far as if nobody of them had met.
            free = self._distance[self._list_free(after, filled), np.arange(filled, self._n)]
            whole = least[after] + free.sum(axis=1) * self._distance_counts
            after = after[whole <= limit] if beam is None else after[np.argsort(whole, kind="stable")[:beam]]
            if beam is None:
                tight = through == least[there]
                kept = kept[tight]
                found.append((states[kept // table.shape[1]], table.ravel()[kept]))
            if not len(after):
                return _NEVER, []
            states, values = after, least[after]
        return int(values.min()), found

    def _add_tables(self, states: Ints, values: Ints, k: int, filled: int) -> tuple[Ints, Ints, Ints]:
        """Return for each set and each table it has room for: the table, the set with it, the cost so far."""
        bits = 1 << self._list_free(states, filled)
        places = list_sets(self._n - filled, self.sizes[k])
        table = bits[:, places[:, 0]]
        for column in places.T[1:]:
            table += bits[:, column]
        return table, table + states[:, None], self._cost_sets(0, k)[table] + values[:, None]

    def _list_free(self, states: Ints, filled: int) -> Ints:
        """Return the players who are not in each set, all of which hold as many."""
        free = np.flatnonzero(~states[:, None] >> np.arange(self._n) & 1) % self._n
        return free.reshape(len(states), self._n - filled)

    def _cost_sets(self, word: int, k: int) -> Ints:
        """Return what each set of players costs as table k, by its bits; nothing for sets of other sizes."""
        cost = np.empty(1 << self._n, np.int64)
        cost[_list_masks(self._n, self.sizes[k])] = self._words[word][k]
        return cost

    def _keep_least(self, arcs: list[Arcs], word: int) -> tuple[int, list[Arcs]]:
        """Return the least cost in a further word, and the ways that reach it."""
        least = np.zeros(1 << self._n, np.int64)
        kept = []
        for k, (before, table) in enumerate(arcs):
            there, through = before + table, least[before] + self._cost_sets(word, k)[table]
            least = np.full(1 << self._n, _NEVER)
            np.minimum.at(least, there, through)
            tight = through == least[there]
            kept.append((before[tight], table[tight]))
        return int(least[-1]), kept

    def _count(self) -> list[Ints]:
        """Return after each table and for each set in how many cheapest ways it is reached."""
        counts = [np.zeros(1 << self._n, np.int64)]
        counts[0][0] = 1
        for before, table in self._arcs:
            reached = np.zeros(1 << self._n, np.int64)
            np.add.at(reached, before + table, counts[-1][before])
            counts.append(reached)
        return counts

    def draw(self, stream: Stream) -> list[list[int]]:
        """Draw one of the cheapest seatings, all equally likely."""
        return self._to_tables(self._draw(stream))

    def draw_tables(self, stream: Stream) -> list[list[int]]:
        """Draw one of the cheapest seatings; who sits with whom is equally likely, whatever table it is at.

        From a list where it is short. Else tables that could change their numbers at no cost come up once
        for each order: a drawn seating is kept with one chance in that many.
        """
        if self._listed is not None:
            return self._listed[stream.below(len(self._listed))]
        while True:
            chosen = self._draw(stream)
            if stream.below(self._count_orders(chosen)) == 0:
                return self._to_tables(chosen)

    @cached_property
    def _listed(self) -> list[list[list[int]]] | None:
        """All cheapest ways to sit together, each in one order; None if they are many."""
        if self.count > LISTED:
            return None
        found: list[tuple[int, tuple[int, ...]]] = [((1 << self._n) - 1, ())]
        for arcs in reversed(self._arcs):
            ways: dict[int, list[tuple[int, int]]] = {}
            for before, table in zip(*(side.tolist() for side in arcs), strict=True):
                ways.setdefault(before + table, []).append((before, table))
            found = [(before, (table, *rest)) for state, rest in found for before, table in ways[state]]
        together = {tuple(sorted(chosen)): chosen for _, chosen in sorted(found)}
        return [self._to_tables(list(together[key])) for key in sorted(together)]

    def _draw(self, stream: Stream) -> list[int]:
        chosen = []
        state = (1 << self._n) - 1
        for (before, table), counts in zip(reversed(self._arcs), reversed(self._counts[:-1]), strict=True):
            here = np.flatnonzero(before + table == state)
            ends = np.cumsum(counts[before[here]])
            way = here[np.searchsorted(ends, stream.below(int(ends[-1])), side="right")]
            chosen.append(int(table[way]))
            state = int(before[way])
        return chosen[::-1]

    def _to_tables(self, chosen: list[int]) -> list[list[int]]:
        return [[p for at, p in enumerate(self.players) if table >> at & 1] for table in chosen]

    def _count_orders(self, chosen: list[int]) -> int:
        """Return in how many orders these tables cost the same; only their distances depend on it."""
        found = 1
        for size in set(self.sizes):
            at = [k for k, s in enumerate(self.sizes) if s == size]
            tables = [_number_masks(self._n, size)[chosen[k]] for k in at]
            here = [[int(self._away[k][table]) for table in tables] for k in at]
            least = sum(here[i][i] for i in range(len(at)))
            orders = permutations(range(len(at)))
            found *= sum(sum(here[i][j] for i, j in enumerate(order)) == least for order in orders)
        return found


@lru_cache(maxsize=256)
def list_sets(n: int, size: int) -> Ints:
    """Return all sets of `size` numbers below n, each rising."""
    return np.fromiter(combinations(range(n), size), np.dtype((np.int64, size)))


@lru_cache(maxsize=256)
def _list_masks(n: int, size: int) -> Ints:
    """Return the same sets written in bits."""
    masks: Ints = (1 << list_sets(n, size)).sum(axis=1)
    return masks


@lru_cache(maxsize=256)
def _number_masks(n: int, size: int) -> dict[int, int]:
    """Return the number of each of these sets, by its bits."""
    return {mask: number for number, mask in enumerate(_list_masks(n, size).tolist())}


def _pack(parts: list[list[Ints]]) -> tuple[list[list[Ints]], list[tuple[int, int]]]:
    """Pack several costs into one number where they fit, the first the most significant.

    Return also where each of them is: in which number, and how many bits are below it.
    """
    words: list[list[Ints]] = []
    places: list[tuple[int, int]] = []
    room = 0
    for part in parts:
        bits = sum(int(cost.max()) for cost in part).bit_length()
        if not words or bits > room:
            words.append(part)
            room = _WORD
        else:
            words[-1] = [(above << bits) + cost for above, cost in zip(words[-1], part, strict=True)]
            places = [(word, below + bits * (word == len(words) - 1)) for word, below in places]
        places.append((len(words) - 1, 0))
        room -= bits
    return words, places
