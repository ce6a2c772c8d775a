"""Find what parity forces between score groups, and pair windows of groups exactly where that is not enough.

Every part of the list from the top that holds an odd number of players forces a table across its lower
edge. A pairing that crosses each such edge once, between neighbouring groups, and no other edge, is
therefore the best there is, and needs no search to prove it.

Where some neighbouring groups cannot be paired so, they become a window, which is matched exactly. Exits
upwards and downwards are seats in the matching for players of the groups outside. A player at an exit costs
the squared difference to the nearest group outside; what the table costs beyond that is counted outside, and
(x + y)² is at least x² + y². So the cheapest matching of a window and the parity bound of all other edges add
up to a bound, and where the outside reaches its own with the players sent to it, the whole is proved optimal.

There are always two exits more on each side than are used. The cost as a function of how many exits are
used is M-convex on a jump system (Murota): if two more are not cheaper, no number is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.byes import find_bye_candidates
from topcut.pairing.engine.field import Bools, Field, Ints, find_conflicts, find_shared_labels
from topcut.pairing.engine.matching import Matching, match_cheapest
from topcut.pairing.engine.sampling import count_cheapest

SPARE_EXITS = 2


@dataclass(frozen=True)
class Parity:
    """The score groups of a field, and the edges that parity makes a table cross."""

    groups: list[tuple[int, int]]
    odd: list[bool]
    """For each group, whether the edge below it is crossed; never below the last."""
    gaps: list[int]
    """For each group, the squared difference in points to the next."""
    eligible: Bools
    """Whether a player's bye costs as little as any."""
    bye_group: int
    """-1 where nobody has a bye."""


def find_parity(field: Field) -> Parity:
    """Return what parity forces in a field with at least one candidate for the bye, if it needs one."""
    eligible = find_bye_candidates(field) if field.odd else np.zeros(field.size, bool)
    holder = int(np.flatnonzero(eligible)[-1]) if field.odd else -1
    groups = field.groups
    odd: list[bool] = []
    gaps: list[int] = []
    bye_group = -1
    for g, (low, high) in enumerate(groups):
        bye = low <= holder < high
        bye_group = g if bye else bye_group
        odd.append(((high - low + bye) % 2 == 1) ^ (odd[-1] if odd else False))
        gaps.append(int(field.points[low] - field.points[high]) ** 2 if high < field.size else 0)
    return Parity(groups, odd, gaps, eligible, bye_group)


class WindowClosed(Exception):
    """This window has no matching."""


@dataclass(frozen=True)
class WindowTables:
    """A matching of a window: tables inside, who goes out, how many tables join both sides of it."""

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
        self.members: Ints = np.arange(self.low, self.high)
        self.players = self.high - self.low
        self.above = int(field.points[self.low - 1]) if first else None
        self.below = int(field.points[self.high]) if self.high < field.size else None
        self.exits_up = SPARE_EXITS + parity.odd[first - 1] if first else 0
        self.exits_down = SPARE_EXITS + parity.odd[last] if self.below is not None else 0
        self.bye = first <= parity.bye_group <= last
        self.weight = self.players // 2 + 1
        """Of a squared point beside one shared label."""
        self.found = self._solve()
        self.gap_squared, self.apart = divmod(self.found.cost, self.weight)
        up, down = self._exits
        self.counted = count_cheapest(self.costs, self.found, range(up.start, down.stop))

    @property
    def around(self) -> Ints:
        """The players of the window and of the groups on both sides of it."""
        groups = self.parity.groups
        low = groups[max(0, self.first - 1)][0]
        return np.arange(low, groups[min(len(groups) - 1, self.last + 1)][1])

    @property
    def _exits(self) -> tuple[range, range]:
        """The seats that are exits upwards and downwards."""
        up = range(self.players, self.players + self.exits_up)
        return up, range(up.stop, up.stop + self.exits_down)

    def _solve(self) -> Matching:
        """Find the cheapest matching, with more exits for as long as all of one kind are in use."""
        while True:
            self.costs = self._build_costs()
            found = match_cheapest(self.costs)
            up, down = self._exits
            full_up = full_down = True
            if isinstance(found, Matching):
                full_up = bool(up) and all(found.mate[at] not in up for at in up)
                full_down = bool(down) and all(found.mate[at] not in down for at in down)
                if not (full_up or full_down):
                    return found
            if max(self.exits_up, self.exits_down) > self.players + SPARE_EXITS + 1:
                raise WindowClosed
            if full_up and self.above is not None:
                self.exits_up += SPARE_EXITS
            if full_down and self.below is not None:
                self.exits_down += SPARE_EXITS

    def _build_costs(self) -> Any:
        """Return what tables cost; seats are players, exits upwards, exits downwards, the bye."""
        field, players = self.field, self.players
        points = field.points[self.low : self.high]
        up, down = (slice(exits.start, exits.stop) for exits in self._exits)
        seats = down.stop + self.bye
        costs = np.full((seats, seats), -1, object if int(points[0] - points[-1]) > 2**24 else np.int64)
        inside = (points[:, None] - points) ** 2 * self.weight + find_shared_labels(field, self.members)
        if field.met_counts:
            inside = np.where(find_conflicts(field, self.members), -1, inside)
        costs[:players, :players] = inside
        for outside, exits in ((self.above, up), (self.below, down)):
            if outside is not None:
                costs[:players, exits] = ((points - outside) ** 2 * self.weight)[:, None]
                costs[exits, :players] = costs[:players, exits].T
                costs[exits, exits] = 0
        if self.above is not None and self.below is not None:
            costs[up, down] = costs[down, up] = (self.above - self.below) ** 2 * self.weight
        if self.bye:
            free = np.where(self.parity.eligible[self.low : self.high], 0, -1)
            costs[-1, :players] = costs[:players, -1] = free
        np.fill_diagonal(costs, -1)
        return costs

    def draw(self, stream: Stream) -> WindowTables:
        mates = [(a, b) for a, b in enumerate(self.found.mate) if a < b]
        up, down = self._exits
        inside: list[tuple[int, int]] = []
        leaving: dict[range, list[int]] = {up: [], down: []}
        alone = -1
        for a, b in map(sorted, mates if self.counted is None else self.counted.draw(stream)):
            if a >= self.players:
                continue
            if b < self.players:
                inside.append((a + self.low, b + self.low))
            elif b >= down.stop:
                alone = a + self.low
            else:
                leaving[up if b in up else down].append(a + self.low)
        passing = sum(self.found.mate[at] in down for at in up)
        return WindowTables(inside, leaving[up], leaving[down], passing, alone)

    @property
    def proof(self) -> dict[str, object]:
        """What lets other code check the bound of this window."""
        return {
            "first": self.low,
            "last": self.high - 1,
            "doors_up": self.exits_up,
            "doors_down": self.exits_down,
            "bye": self.bye,
            "weights": {"score_gap_squared": self.weight, "apart": 1},
            **self.found.proof,
        }
