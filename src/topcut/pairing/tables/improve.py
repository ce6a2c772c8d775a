"""A good seating of many: cut from the standings, then a few tables at a time seated anew, exactly.

A window is a handful of tables near each other. Their players are seated in the best way there is
among those tables, which never costs more than before. Windows begin where pairs repeat and follow
what they change; more are drawn at random where that was not enough. They are counted, not timed: the
same seed gives the same tables on every machine.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from topcut.lots import Stream
from topcut.pairing.tables.seating import Seating
from topcut.pairing.tables.subsets import Best

WINDOW = 12
"""Players in a window; at random also more."""
FOLLOWED = 20
"""Windows at most for each table at which a pair repeated."""
REACH = 4
"""How many tables away the others of a random window are at most."""


class Improver:
    """Tables that become better window by window."""

    def __init__(self, seating: Seating, stream: Stream) -> None:
        self.seating = seating
        self.stream = stream
        lots = stream.order(seating.size)
        seats = lots[np.argsort(seating.first[lots], kind="stable")].tolist()
        starts = zip(seating.starts, seating.sizes, strict=True)
        self.begin([sorted(seats[start : start + size]) for start, size in starts])

    def begin(self, tables: list[list[int]]) -> None:
        """Start from these tables."""
        self.tables = tables
        self._known: set[tuple[int, ...]] = set()
        """Windows that are as good as they can be: their tables and players."""
        self._costs = [self.seating.cost_of(k, table).any for k, table in enumerate(tables)]

    @property
    def costly(self) -> list[int]:
        """The tables that cost anything."""
        return [k for k, costs in enumerate(self._costs) if costs]

    @property
    def repeating(self) -> bool:
        return any(any(self.seating.cost_of(k, self.tables[k]).repeats) for k in self.costly)

    def follow(self) -> None:
        """Windows around the tables that cost anything, and around every table that changes."""
        waiting = deque(self.costly)
        left = FOLLOWED * (len(waiting) + 1)
        while waiting and left:
            k = waiting.popleft()
            for offset in (1, 2, 0, 3):
                left -= left > 0
                changed = self._reseat(self._beside(k, offset))
                if changed:
                    waiting += [table for table in changed if table not in waiting]
                    break

    def at_random(self, windows: int, players: int = WINDOW) -> None:
        """Windows of tables near one that costs something, not all of them neighbours."""
        for _ in range(windows):
            costly = self.costly
            if not costly:
                return
            k = costly[self.stream.below(len(costly))]
            self._reseat(self._near(k, players), sideways=True)

    def _beside(self, k: int, offset: int) -> list[int]:
        """Neighbouring tables, as many as a window takes; this one is at an offset."""
        sizes = self.seating.sizes
        first = max(0, k - offset)
        while first < k and sum(sizes[first : k + 1]) > WINDOW:
            first += 1
        end = k + 1
        while end < len(sizes) and sum(sizes[first : end + 1]) <= WINDOW:
            end += 1
        return list(range(first, end))

    def _near(self, k: int, most: int) -> list[int]:
        """A table and others drawn from those around it, up to so many players."""
        around = [j for j in range(max(0, k - REACH), min(len(self.tables), k + REACH + 1)) if j != k]
        found, players = [k], self.seating.sizes[k]
        while around:
            j = around.pop(self.stream.below(len(around)))
            players += self.seating.sizes[j]
            if players > most:
                break
            found.append(j)
        return sorted(found)

    def _reseat(self, numbers: list[int], sideways: bool = False) -> list[int]:
        """Seat these tables anew; which of them have changed for the better.

        `sideways`: also if it only costs the same.
        """
        now = [player for k in numbers for player in self.tables[k]]
        window = (*numbers, *sorted(now))
        if window in self._known:
            return []
        self._known.add(window)
        best = Best(self.seating, sorted(now), numbers, now)
        if best.least == best.now and not sideways:
            return []
        changed = []
        for k, table in zip(numbers, best.draw(self.stream), strict=True):
            if table != self.tables[k]:
                self.tables[k] = table
                changed.append(k)
                self._costs[k] = self.seating.cost_of(k, table).any
        return changed if best.least < best.now else []
