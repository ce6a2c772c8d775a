"""Some neighbouring score groups that cannot be paired at the parity bound, solved exactly by themselves.

The groups around the window stand behind it as doors: one kind upwards, one downwards. A player who goes
through a door pays the squared difference to the nearest group outside; what a table costs beyond that is
the outside's to pay, and (x + y)² is at least x² + y². So the cheapest way through a window and the parity
bound of all other edges add up to no more than any pairing costs, and where the outside reaches its bound
with the players sent to it, the whole is proved optimal.

There are always two doors more on each side than are used. The cost as a function of how many doors are
used is M-convex on a jump system (Murota): if two more are not cheaper, no number is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from topcut.lots import Stream
from topcut.pairing.counting import Counted, TooMany
from topcut.pairing.field import Field, Ints, conflicts, sharing
from topcut.pairing.groups import Parity
from topcut.pairing.matching import Matching, cheapest, tight

SPARE_DOORS = 2


class Closed(Exception):
    """There is no way through this window."""


@dataclass(frozen=True)
class Through:
    """What happens in a window: tables inside, who goes out, how many tables pass right through."""

    tables: list[tuple[int, int]]
    up: list[int]
    down: list[int]
    passing: int
    bye: int


class Window:
    """The groups from `first` to `last` of a field."""

    def __init__(self, field: Field, parity: Parity, first: int, last: int) -> None:
        self.field = field
        self.parity = parity
        self.first = first
        self.last = last
        self.low, self.high = parity.groups[first][0], parity.groups[last][1]
        self.above = int(field.points[self.low - 1]) if first else None
        self.below = int(field.points[self.high]) if self.high < field.size else None
        self.doors_up = SPARE_DOORS + parity.odd[first - 1] if first else 0
        self.doors_down = SPARE_DOORS + parity.odd[last] if self.below is not None else 0
        self.bye = first <= parity.bye_group <= last
        self.weight = (self.high - self.low) // 2 + 1
        """Of a squared point beside one shared label."""
        self.found = self._solve()
        self.gap_squared, self.apart = divmod(self.found.cost, self.weight)
        self.counted = self._count()

    def _solve(self) -> Matching:
        """The cheapest way through, with more doors for as long as all of one kind are in use."""
        while True:
            self.costs = self._costs()
            found = cheapest(self.costs)
            up = range(self.players, self.players + self.doors_up)
            down = range(up.stop, up.stop + self.doors_down)
            full_up = full_down = True
            if isinstance(found, Matching):
                full_up = bool(up) and all(found.mate[door] not in up for door in up)
                full_down = bool(down) and all(found.mate[door] not in down for door in down)
                if not (full_up or full_down):
                    return found
            if max(self.doors_up, self.doors_down) > self.players + SPARE_DOORS + 1:
                raise Closed
            if full_up and self.above is not None:
                self.doors_up += SPARE_DOORS
            if full_down and self.below is not None:
                self.doors_down += SPARE_DOORS

    @property
    def players(self) -> int:
        return self.high - self.low

    def _costs(self) -> Any:
        """Seats: players, doors upwards, doors downwards, the bye."""
        field, players = self.field, self.players
        members = np.arange(self.low, self.high)
        points = field.points[self.low : self.high]
        up, down = players, players + self.doors_up
        seats = down + self.doors_down + self.bye
        costs = np.full((seats, seats), -1, object if int(points[0] - points[-1]) > 2**24 else np.int64)
        inside = (points[:, None] - points) ** 2 * self.weight + sharing(field, members)
        if field.met_counts:
            inside = np.where(conflicts(field, members), -1, inside)
        costs[:players, :players] = inside
        for outside, start, end in ((self.above, up, down), (self.below, down, down + self.doors_down)):
            if outside is not None:
                costs[:players, start:end] = ((points - outside) ** 2 * self.weight)[:, None]
                costs[start:end, :players] = costs[:players, start:end].T
                costs[start:end, start:end] = 0
        if self.above is not None and self.below is not None:
            costs[up:down, down : down + self.doors_down] = (self.above - self.below) ** 2 * self.weight
            costs[down : down + self.doors_down, up:down] = (self.above - self.below) ** 2 * self.weight
        if self.bye:
            free = np.where(self.parity.eligible[self.low : self.high], 0, -1)
            costs[-1, :players] = costs[:players, -1] = free
        np.fill_diagonal(costs, -1)
        return costs

    def _count(self) -> Counted | None:
        """All cheapest ways, counted; None where they are too many, or some lead outside."""
        edges = tight(self.costs, self.found)
        doors = range(self.players, self.players + self.doors_up + self.doors_down)
        if any((a in doors) != (b in doors) for a, b in edges):
            return None
        costs: dict[int, dict[int, int]] = {s: {} for s in range(len(self.costs)) if s not in doors}
        for a, b in edges:
            if a not in doors:
                costs[a][b] = costs[b][a] = int(self.costs[a, b])
        try:
            return Counted(costs)
        except TooMany:
            return None

    def draw(self, stream: Stream) -> Through:
        tables = list(enumerate(self.found.mate)) if self.counted is None else self.counted.draw(stream)
        up = range(self.players, self.players + self.doors_up)
        down = range(up.stop, up.stop + self.doors_down)
        way = Through([], [], [], sum(self.found.mate[door] in down for door in up), -1)
        alone = -1
        for a, b in ((min(table), max(table)) for table in tables):
            if a >= self.players:
                continue
            player = a + self.low
            if b in up and player not in way.up:
                way.up.append(player)
            elif b in down and player not in way.down:
                way.down.append(player)
            elif b < self.players and (player, b + self.low) not in way.tables:
                way.tables.append((player, b + self.low))
            elif b >= down.stop:
                alone = player
        return Through(way.tables, way.up, way.down, way.passing, alone)

    @property
    def proof(self) -> dict[str, object]:
        """What lets other code check the bound of this window."""
        return {
            "first": self.low,
            "last": self.high - 1,
            "doors_up": self.doors_up,
            "doors_down": self.doors_down,
            "bye": self.bye,
            "weights": {"score_gap_squared": self.weight, "apart": 1},
            "potentials": list(self.found.potentials),
            "odd_sets": [{"members": list(s.members), "weight": s.weight} for s in self.found.odd_sets],
            "bound": self.found.cost,
        }


def affected(window: Window) -> Ints:
    """The players of the window and of the groups on both sides of it."""
    groups = window.parity.groups
    low = groups[max(0, window.first - 1)][0]
    high = groups[min(len(groups) - 1, window.last + 1)][1]
    return np.arange(low, high)
