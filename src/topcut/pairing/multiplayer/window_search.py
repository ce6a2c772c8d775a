"""Seat many players well: cut tables from the standings, then seat a few of them anew at a time, exactly.

A window is a handful of tables near each other. Their players are seated in the best way there is
among those tables, which never costs more than before. Windows begin where pairs repeat and follow
what they change; more are drawn at random where that was not enough. They are counted, not timed: the
same seed gives the same tables on every machine.

Where windows are stuck with a pair that repeats, a plain search for a seating in which nobody meets again,
whatever it costs otherwise, often finds a way out.
"""

from collections import Counter, deque
from collections.abc import Iterator

import numpy as np

from topcut.lots import Stream
from topcut.pairing.multiplayer.exact_seatings import ExactSeatings
from topcut.pairing.multiplayer.seating_field import SeatingField

WINDOW = 12
"""Players in a window; at random also more."""
FOLLOWED = 20
"""Windows at most for each table at which a pair repeated."""
REACH = 4
"""How many tables away the others of a random window are at most."""
STEPS = 20_000
"""Tables that the search for a fresh seating tries before it gives up."""


class WindowSearch:
    """Tables that become better window by window."""

    def __init__(self, field: SeatingField, stream: Stream) -> None:
        self.field = field
        self.stream = stream
        lots = stream.order(field.size)
        seats = lots[np.argsort(field.first[lots], kind="stable")].tolist()
        starts = zip(field.starts, field.sizes, strict=True)
        self.begin([sorted(seats[start : start + size]) for start, size in starts])

    def begin(self, tables: list[list[int]]) -> None:
        """Start from these tables."""
        self.tables = tables
        self._known: set[tuple[int, ...]] = set()
        """Windows that are as good as they can be: their tables and players."""
        self._costs = [self.field.cost_table(k, table).any for k, table in enumerate(tables)]

    @property
    def costly(self) -> list[int]:
        """The tables that cost anything."""
        return [k for k, costs in enumerate(self._costs) if costs]

    @property
    def repeating(self) -> bool:
        return any(any(self.field.cost_table(k, self.tables[k]).repeats) for k in self.costly)

    def follow(self) -> None:
        """Try windows around the tables that cost anything, and around every table that changes."""
        waiting = deque(self.costly)
        left = FOLLOWED * (len(waiting) + 1)
        while waiting and left:
            k = waiting.popleft()
            for offset in (1, 2, 0, 3):
                left -= left > 0
                changed = self._reseat(self._list_neighbours(k, offset))
                if changed:
                    waiting += [table for table in changed if table not in waiting]
                    break

    def try_random(self, windows: int, players: int = WINDOW) -> None:
        """Try windows of tables near one that costs something, not all of them neighbours."""
        for _ in range(windows):
            costly = self.costly
            if not costly:
                return
            k = costly[self.stream.below(len(costly))]
            self._reseat(self._draw_near(k, players), sideways=True)

    def _list_neighbours(self, k: int, offset: int) -> list[int]:
        """Return neighbouring tables, as many as a window takes; table k is at an offset."""
        sizes = self.field.sizes
        first = max(0, k - offset)
        while first < k and sum(sizes[first : k + 1]) > WINDOW:
            first += 1
        end = k + 1
        while end < len(sizes) and sum(sizes[first : end + 1]) <= WINDOW:
            end += 1
        return list(range(first, end))

    def _draw_near(self, k: int, most: int) -> list[int]:
        """Return table k and others drawn from those around it, with `most` players together."""
        around = [j for j in range(max(0, k - REACH), min(len(self.tables), k + REACH + 1)) if j != k]
        found, players = [k], self.field.sizes[k]
        while around:
            j = around.pop(self.stream.below(len(around)))
            players += self.field.sizes[j]
            if players > most:
                break
            found.append(j)
        return sorted(found)

    def _reseat(self, numbers: list[int], sideways: bool = False) -> list[int]:
        """Seat these tables anew; return those that have changed for the better.

        `sideways`: change them also if it only costs the same.
        """
        now = [player for k in numbers for player in self.tables[k]]
        window = (*numbers, *sorted(now))
        if window in self._known:
            return []
        self._known.add(window)
        best = ExactSeatings(self.field, sorted(now), numbers, now)
        if best.least == best.now and not sideways:
            return []
        changed = []
        for k, table in zip(numbers, best.draw(self.stream), strict=True):
            if table != self.tables[k]:
                self.tables[k] = table
                changed.append(k)
                self._costs[k] = self.field.cost_table(k, table).any
        return changed if best.least < best.now else []


def find_fresh_seating(field: SeatingField, rounds: int) -> list[list[int]] | None:
    """Return tables from the top at which no pair of the newest rounds meets again; None if none was found.

    The player with the fewest others left to meet is seated first, and the closest in the standings are tried
    before the rest. Sets of players are written in bits.
    """
    met = np.logical_or.reduce(field.find_repeats(range(field.size))[:rounds], axis=0)
    everybody = (1 << field.size) - 1
    may_meet = [
        everybody & ~sum(1 << int(other) for other in row.nonzero()[0]) & ~(1 << player)
        for player, row in enumerate(met)
    ]
    steps = 0

    def seat(waiting: int, sizes: Counter[int]) -> list[list[int]] | None:
        """Return tables of these sizes for everybody who waits."""
        nonlocal steps
        if not waiting:
            return []
        player = min(_list_players(waiting), key=lambda p: (may_meet[p] & waiting).bit_count())
        for size in [size for size, number in sizes.items() if number]:
            for table in list_tables([player], may_meet[player] & waiting, size):
                steps += 1
                if steps > STEPS:
                    return None
                rest = seat(waiting & ~sum(1 << p for p in table), sizes - Counter([size]))
                if rest is not None:
                    return [table, *rest]
        return None

    def list_tables(table: list[int], others: int, size: int) -> Iterator[list[int]]:
        """Return all tables with these players and some of the others, who may all meet."""
        if len(table) == size:
            yield table
            return
        for other in sorted(_list_players(others), key=lambda p: abs(p - table[0])):
            others &= ~(1 << other)
            yield from list_tables([*table, other], others & may_meet[other], size)

    found = seat(everybody, Counter(field.sizes))
    return None if found is None else field.order_tables(found)


def _list_players(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
