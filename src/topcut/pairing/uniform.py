"""Drawing the tables of a score group without rematches, every possibility equally likely.

Three exact ways, by size: list all; draw whole orders until one has no conflict; and for large groups
draw one order and remove its few conflicts by switchings that are accepted or refused such that the
result is uniform again (McKay and Wormald's method; the working is in docs/pairing.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topcut.lots import Stream
from topcut.pairing.counting import Counted, TooMany
from topcut.pairing.exhaustive import SEATS, all_pairings
from topcut.pairing.field import Bools, Field, Ints, Tables, conflicts, sharing
from topcut.pairing.groups import Group
from topcut.pairing.matching import Matching, cheapest
from topcut.pairing.switching import Switching

BATCHES = tuple(2**k for k in range(2, 12))
"""So many whole orders are drawn, one batch after the other, before giving up."""
ORDERS_TO = 64
"""Groups with fewer seats are drawn by whole orders."""
ATTEMPTS = 1000


class Stuck(Exception):
    """No way was found, and there may be none."""


@dataclass(frozen=True)
class Seated:
    """The tables of one group as positions in the field, and who goes where; -1 where nobody does."""

    tables: Tables
    up: int
    down: int
    bye: int


class GroupDraw:
    """One score group, ready to be drawn as often as needed."""

    def __init__(self, field: Field, group: Group, eligible: Bools) -> None:
        self.field = field
        self.group = group
        self.eligible = eligible[group.low : group.high]

    def draw(self, stream: Stream) -> Seated:
        seats = self.group.seats
        if seats <= SEATS:
            if not len(self._all):
                raise Stuck
            return self._seated(self._all[stream.below(len(self._all))])
        if seats >= max(ORDERS_TO, 8 * (len(self.field.met) + self.group.guests)):
            return self._by_switching(stream)
        return self._seated(self._by_orders(stream))

    @cached_property
    def _together(self) -> Bools:
        """Seats × seats: who may sit together; players first, then the guests."""
        group, players = self.group, self.group.players
        visitors = list(group.visitors)
        members = np.array([*range(group.low, group.high), *visitors], np.int64)
        free = ~sharing(self.field, members)
        if self.field.met_counts:
            free &= ~conflicts(self.field, members)
        first = players + group.up + group.down
        known = [*range(players), *range(first, first + len(visitors))]
        together = np.ones((group.seats, group.seats), bool)
        together[np.ix_(known, known)] = free
        if group.bye:
            together[-1, :players] = together[:players, -1] = self.eligible
        together[players:, players:] = False  # guests never sit with each other
        np.fill_diagonal(together, False)
        return together

    @cached_property
    def _all(self) -> Ints:
        listed = all_pairings(self.group.seats)
        return listed[self._together[listed[:, :, 0], listed[:, :, 1]].all(axis=1)]

    @cached_property
    def _counted(self) -> Counted | None:
        costs = {
            seat: dict.fromkeys(np.flatnonzero(row).tolist(), 0) for seat, row in enumerate(self._together)
        }
        try:
            return Counted(costs)
        except TooMany:
            return None

    @cached_property
    def _switching(self) -> Switching:
        return Switching(self.field, self.group, self.eligible)

    @cached_property
    def _possible(self) -> bool:
        """Whether there is any way at all; certain if everybody may sit with half of all (Dirac)."""
        if int(self._together.sum(axis=1).min()) * 2 >= self.group.seats:
            return True
        return isinstance(cheapest(np.where(self._together, 0, -1)), Matching)

    def _by_orders(self, stream: Stream) -> Ints:
        if not self._possible:
            raise Stuck
        for batch in BATCHES:
            pairings = stream.orders(batch, self.group.seats).reshape(batch, -1, 2)
            free = self._together[pairings[:, :, 0], pairings[:, :, 1]].all(axis=1)
            if free.any():
                drawn: Ints = pairings[int(free.argmax())]
                return drawn
        if self._counted is None or not self._counted.ways:
            raise Stuck
        return np.array(self._counted.draw(stream), np.int64)

    def _by_switching(self, stream: Stream) -> Seated:
        for _ in range(ATTEMPTS):
            tables = self._switching.attempt(stream)
            if tables is not None:
                seated = self._seated(tables)
                if not self._kept_together(seated):
                    return seated
        raise Stuck

    def _kept_together(self, seated: Seated) -> bool:
        return self.field.kept_apart and any(self.field.share_label(a, b) for a, b in seated.tables.tolist())

    def _seated(self, tables: Ints) -> Seated:
        """From seats in the group to positions in the field."""
        group = self.group
        if not group.guests:
            return Seated(tables + group.low, -1, -1, -1)
        inside = (tables < group.players).all(axis=1)
        rows = np.sort(tables[~inside], axis=1).tolist()
        partner = {guest: player + group.low for player, guest in rows}
        guest = group.players
        up = partner[guest] if group.up else -1
        down = partner[guest + group.up] if group.down else -1
        bye = partner[group.seats - 1] if group.bye else -1
        found = tables[inside] + group.low
        if group.visitors:
            first = guest + group.up + group.down
            hosts = [(partner[first + i], visitor) for i, visitor in enumerate(group.visitors)]
            found = np.concatenate([found, np.array(hosts, np.int64)])
        return Seated(found, up, down, bye)
