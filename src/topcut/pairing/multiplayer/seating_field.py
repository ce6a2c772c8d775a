"""Describe the players and tables of one pool, and cost tables of more than two.

The objective is AL-16: as few repeated pairs as possible, from the newest round back to the oldest;
then the least movement, the sum of the squared distances between seats and standings; then as few
tables as possible of players to be kept apart. Seats are numbered through all tables from the top, and
each table is read in standings order. Players who share a place share its seats too: none of those is
any distance away.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from topcut.pairing.engine.field import Bools, Ints
from topcut.pairing.engine.matching import Matching, match_cheapest
from topcut.text.messages import Message, count, list_and

PLACED_TO = 150
"""Up to this many tables of one size are put in the best order there is, more by their players' standings."""


@dataclass(frozen=True, order=True)
class SeatingCost:
    """What tables cost; costs compare part by part."""

    repeats: tuple[int, ...]
    """Repeated pairs by round, the newest first; one number for all where age does not count."""
    displacement: int
    apart: int

    @property
    def any(self) -> bool:
        return any((*self.repeats, self.displacement, self.apart))


@dataclass(frozen=True)
class SeatingField:
    """One pool before a round; a player is a position in the standings, `size` stands for nobody."""

    players: Ints
    """Their numbers in the history."""
    first: Ints
    """The first of the places each player shares, from 0."""
    last: Ints
    met: NDArray[np.int32]
    """Meetings × players: whom they met."""
    back: Ints
    """How many rounds back each row of `met` was: 0 for the newest."""
    sizes: tuple[int, ...]
    """The tables from the top."""
    labels: tuple[tuple[str, ...], ...] = ()
    """Each player's `apart` labels; empty where nobody has any."""
    by_age: bool = True
    """Whether a repeated pair of a newer round outweighs any number from older ones (AL-15)."""
    moves: bool = True
    """Whether distance from the standings counts."""

    @property
    def size(self) -> int:
        return len(self.players)

    @cached_property
    def starts(self) -> list[int]:
        """The first seat of each table."""
        return [0, *np.cumsum(self.sizes).tolist()[:-1]]

    @cached_property
    def rounds(self) -> int:
        """Rounds that are told apart when pairs repeat."""
        if not len(self.back):
            return 0
        return int(self.back.max()) + 1 if self.by_age else 1

    @cached_property
    def all_level(self) -> bool:
        """Whether everybody shares the first place."""
        return bool((self.last == self.size - 1).all())

    @cached_property
    def kept_apart(self) -> bool:
        return any(self.labels)

    def find_repeats(self, players: Sequence[int]) -> Bools:
        """Return which of these players met, rounds × players × players, the newest round first."""
        who = np.asarray(players)
        same = self.met[:, who][:, :, None] == who[None, None, :]
        found = np.zeros((self.rounds, len(who), len(who)), np.bool_)
        for row, back in zip(same, self.back.tolist(), strict=True):
            found[back if self.by_age else 0] |= row
        return found

    def find_shared_labels(self, players: Sequence[int]) -> Bools:
        """Return which of these players share a label, players × players."""
        labels = [set(self.labels[p]) for p in players]
        return np.array([[bool(a & b) for b in labels] for a in labels], np.bool_)

    def measure_distances(self, players: Sequence[int], seats: Sequence[int]) -> Ints:
        """Return the squared distances between players and seats, players × seats."""
        who, seat = np.asarray(players)[:, None], np.asarray(seats)[None, :]
        return self._measure_moves(who, seat) ** 2

    def cost(self, tables: Sequence[Sequence[int]]) -> SeatingCost:
        """Return what tables cost, given in order from the top."""
        seats = np.fromiter((player for table in tables for player in sorted(table)), np.int64)
        table_of = np.full(self.size + 1, -1)
        table_of[seats] = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
        away = self._measure_moves(seats, np.arange(len(seats)))
        rows, players = np.nonzero(table_of[self.met] == table_of[None, :-1])
        others = self.met[rows, players]
        once = players < others
        age = self.back[rows] if self.by_age else np.zeros(len(rows), np.int64)
        met = np.unique(np.stack([age, players, others])[:, once], axis=1)
        repeats = np.bincount(met[0], minlength=self.rounds).tolist()
        apart = sum(self.share_label(table) for table in tables) if self.kept_apart else 0
        return SeatingCost(tuple(repeats), int((away**2).sum()), apart)

    def cost_table(self, number: int, table: Sequence[int]) -> SeatingCost:
        """Return what these players cost as the table of this number (from 0)."""
        seated = np.array(sorted(table))
        start = self.starts[number]
        away = self._measure_moves(seated, np.arange(start, start + len(seated)))
        again = self.met[:, seated][:, :, None] == seated
        repeats = [0] * self.rounds
        if again.any():
            repeats = (self.find_repeats(table).sum(axis=(1, 2)) // 2).tolist()
        apart = int(self.kept_apart and self.share_label(table))
        return SeatingCost(tuple(repeats), int((away**2).sum()), apart)

    def _measure_moves(self, players: Ints, seats: Ints) -> Ints:
        """Return how far each of these players is from the seat beside them."""
        away: Ints = np.maximum(np.maximum(self.first[players] - seats, seats - self.last[players]), 0)
        return away * self.moves

    def share_label(self, table: Sequence[int]) -> bool:
        """Return whether two at a table share a label."""
        labels = [label for player in table for label in set(self.labels[player])]
        return len(set(labels)) < len(labels)

    def order_tables(self, tables: Iterable[Sequence[int]]) -> list[list[int]]:
        """Return tables by their players' standings, each at a place of its size."""
        waiting = self._sort_tables(tables)
        return [
            waiting.pop(next(i for i, table in enumerate(waiting) if len(table) == size))
            for size in self.sizes
        ]

    def _sort_tables(self, tables: Iterable[Sequence[int]]) -> list[list[int]]:
        middle = self.first + self.last
        return sorted((sorted(table) for table in tables), key=lambda t: (int(middle[t].sum()), t))

    def place_tables(self, tables: Iterable[Sequence[int]], numbers: Sequence[int]) -> dict[int, list[int]]:
        """Put each table at one of these places of its size, so that players move least together."""
        placed: dict[int, list[int]] = {}
        by_size: dict[int, list[list[int]]] = {}
        for table in self._sort_tables(tables):
            by_size.setdefault(len(table), []).append(table)
        for size, these in by_size.items():
            at = [k for k in numbers if self.sizes[k] == size]
            some = 1 < len(these) <= PLACED_TO
            placed |= dict(zip(at, self._order_alike(these, at) if some else these, strict=True))
        return placed

    def _order_alike(self, tables: list[list[int]], numbers: list[int]) -> list[list[int]]:
        """Return tables of one size in the order of the places that each is given by a matching."""
        many, size = len(tables), len(tables[0])
        away = np.zeros((many, many), np.int64)
        for at in range(size):
            seats = [self.starts[k] + at for k in numbers]
            away += self.measure_distances([table[at] for table in tables], seats)
        costs = np.full((2 * many, 2 * many), -1, np.int64)
        costs[:many, many:] = away
        costs[many:, :many] = away.T
        found = match_cheapest(costs)
        assert isinstance(found, Matching)
        return [tables[found.mate[many + place]] for place in range(many)]

    def list_meetings(self, a: int, b: int) -> list[int]:
        """Return how many rounds back two players met, newest first."""
        return sorted({int(back) for back in self.back[self.met[:, a] == b]})

    def list_repeated(self, table: Iterable[int]) -> list[tuple[int, int]]:
        """Return the pairs at a table that have met."""
        return [(a, b) for a, b in combinations(sorted(table), 2) if (self.met[:, a] == b).any()]


def order_tables(field: SeatingField, tables: Iterable[Sequence[int]]) -> list[list[int]]:
    """Return all tables from the top in the order that moves players least."""
    placed = field.place_tables(tables, range(len(field.sizes)))
    return [placed[number] for number in range(len(field.sizes))]


def describe_sizes(sizes: Iterable[int]) -> Message:
    """Return how many tables of each size there are, in words."""
    return list_and(
        count("{n} table of {size}", "{n} tables of {size}", number, size=size)
        for size, number in sorted(Counter(sizes).items())
    )


def deal_tables(rolls: Iterable[int], sizes: Sequence[int]) -> list[list[int]]:
    """Fill tables by lots one player after the other (AL-5).

    A roll that is no player's number (from 0) or that came before does not count; the last table takes
    the players who are left.

    >>> deal_tables([1, 3, 1, 9], [2, 3])
    [[1, 3], [0, 2, 4]]
    """
    waiting = dict.fromkeys(range(sum(sizes)))
    tables: list[list[int]] = [[]]
    rolled = iter(rolls)
    while len(tables) < len(sizes):
        roll = next(rolled)
        if roll in waiting:
            del waiting[roll]
            tables[-1].append(roll)
        if len(tables[-1]) == sizes[len(tables) - 1]:
            tables.append([])
    return [*tables[:-1], [*tables[-1], *waiting]]
