"""Draw the tables of a score group without rematches, every possibility equally likely.

Three exact ways, by size, as the package's page explains: a list, whole orders, switchings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, list_legal_pairings
from topcut.pairing.engine.field import Bools, Field, Ints, Tables, find_conflicts, find_shared_labels
from topcut.pairing.engine.matching import Matching, match_cheapest
from topcut.pairing.engine.sampling.counting import CountedMatchings, count_matchings
from topcut.pairing.engine.score_groups import ScoreGroup

BATCHES = tuple(2**k for k in range(2, 12))
"""Numbers of whole orders that are drawn, one batch after the other, before giving up."""
ORDERS_TO = 64
"""Groups with fewer seats are drawn by whole orders."""
ATTEMPTS = 1000
"""Attempts to draw by switchings before giving up."""


class GroupStuck(Exception):
    """No way was found, and there may be none."""


@dataclass(frozen=True)
class GroupTables:
    """The tables of one group as positions in the field, and who goes where; -1 where nobody does."""

    tables: Tables
    up: int
    down: int
    bye: int


class GroupDraw:
    """One score group, ready to be drawn as often as needed."""

    def __init__(self, field: Field, group: ScoreGroup, eligible: Bools) -> None:
        self.field = field
        self.group = group
        self.eligible = eligible[group.low : group.high]

    def draw(self, stream: Stream) -> GroupTables:
        seats = self.group.seats
        if seats <= EXHAUSTIVE_SEATS:
            if not len(self._listed):
                raise GroupStuck
            return self._to_field(self._listed[stream.below(len(self._listed))])
        if seats >= max(ORDERS_TO, 8 * (len(self.field.met) + self.group.guests)):
            return self._draw_by_switching(stream)
        return self._to_field(self._draw_by_orders(stream))

    @cached_property
    def _together(self) -> Bools:
        """Who may sit together, seats × seats."""
        group, players = self.group, self.group.players
        members = np.array([*range(group.low, group.high), *group.visitors], np.int64)
        free = ~find_shared_labels(self.field, members)
        if self.field.met_counts:
            free &= ~find_conflicts(self.field, members)
        first = group.first_visitor
        known = [*range(players), *range(first, first + len(group.visitors))]
        together = np.ones((group.seats, group.seats), bool)
        together[np.ix_(known, known)] = free
        if group.bye:
            together[-1, :players] = together[:players, -1] = self.eligible
        together[players:, players:] = False  # guests never sit with each other
        np.fill_diagonal(together, False)
        return together

    @cached_property
    def _listed(self) -> Ints:
        return list_legal_pairings(self._together)

    @cached_property
    def _counted(self) -> CountedMatchings | None:
        rows = enumerate(self._together)
        return count_matchings({seat: dict.fromkeys(np.flatnonzero(row).tolist(), 0) for seat, row in rows})

    @cached_property
    def _switching(self) -> SwitchingDraw:
        return SwitchingDraw(self.field, self.group, self.eligible)

    @cached_property
    def _possible(self) -> bool:
        """Whether there is any way at all; certain if everybody may sit with half of all (Dirac)."""
        if int(self._together.sum(axis=1).min()) * 2 >= self.group.seats:
            return True
        return isinstance(match_cheapest(np.where(self._together, 0, -1)), Matching)

    def _draw_by_orders(self, stream: Stream) -> Ints:
        if not self._possible:
            raise GroupStuck
        for batch in BATCHES:
            pairings = stream.orders(batch, self.group.seats).reshape(batch, -1, 2)
            free = self._together[pairings[:, :, 0], pairings[:, :, 1]].all(axis=1)
            if free.any():
                drawn: Ints = pairings[int(free.argmax())]
                return drawn
        if self._counted is None or not self._counted.ways:
            raise GroupStuck
        return np.array(self._counted.draw(stream), np.int64)

    def _draw_by_switching(self, stream: Stream) -> GroupTables:
        for _ in range(ATTEMPTS):
            tables = self._switching.attempt(stream)
            if tables is not None:
                found = self._to_field(tables)
                if not self._has_shared_label(found):
                    return found
        raise GroupStuck

    def _has_shared_label(self, found: GroupTables) -> bool:
        return self.field.kept_apart and any(self.field.share_label(a, b) for a, b in found.tables.tolist())

    def _to_field(self, tables: Ints) -> GroupTables:
        """Return tables of seats in the group as positions in the field."""
        group = self.group
        if not group.guests:
            return GroupTables(tables + group.low, -1, -1, -1)
        inside = (tables < group.players).all(axis=1)
        rows = np.sort(tables[~inside], axis=1).tolist()
        partner = {guest: player + group.low for player, guest in rows}
        up = partner[group.players] if group.up else -1
        down = partner[group.players + group.up] if group.down else -1
        bye = partner[group.seats - 1] if group.bye else -1
        found = tables[inside] + group.low
        if group.visitors:
            visitors = enumerate(group.visitors, start=group.first_visitor)
            hosts = [(partner[seat], visitor) for seat, visitor in visitors]
            found = np.concatenate([found, np.array(hosts, np.int64)])
        return GroupTables(found, up, down, bye)


class SwitchingDraw:
    """One large group that is drawn by removing the few conflicts of a random seating."""

    def __init__(self, field: Field, group: ScoreGroup, eligible: Bools) -> None:
        self.field = field
        self.low = group.low
        self.players = group.players
        self.seats = group.seats
        self.visitors = dict(enumerate(group.visitors, start=group.first_visitor))
        self.bye = self.seats - 1 if group.bye else -1
        self.eligible = eligible
        self.most = len(field.met) + group.guests
        """Nobody but the bye is barred from more seats than this."""
        self.met = field.met[:, group.low : group.high] if field.met_counts else field.met[:0]

    def attempt(self, stream: Stream) -> Ints | None:
        """Return tables × 2, or None for a refusal."""
        seating = self._draw_seating(stream)
        tables = seating.reshape(-1, 2)
        bad = self._find_bad(tables)
        # Guests sit at the last tables of a random seating, in their order.
        if any(int(tables[seat - self.seats, 0]) in self._find_barred(seat) for seat in self.visitors):
            return None
        if not bad:
            return tables
        where = np.empty(self.seats, np.int64)
        where[seating] = np.arange(self.seats)
        while bad:
            if not self._switch(seating, where, bad, stream):
                return None
        return tables

    def _draw_seating(self, stream: Stream) -> Ints:
        """Draw a seating in which guests sit with players, and the bye with one who may have it."""
        order = stream.order(self.players)
        if self.bye >= 0:
            candidates = np.flatnonzero(self.eligible)
            holder = int(candidates[stream.below(len(candidates))])
            order = np.concatenate([order[order != holder], [holder]])
        alone = 2 * self.players - self.seats
        seating = np.empty(self.seats, np.int64)
        seating[:alone] = order[:alone]
        seating[alone::2] = order[alone:]
        seating[alone + 1 :: 2] = np.arange(self.players, self.seats)
        return seating

    def _find_bad(self, tables: Ints) -> list[int]:
        """Return the numbers of the tables whose players have met."""
        inside = tables[: (2 * self.players - self.seats) // 2]
        first = np.ascontiguousarray(inside[:, 0])
        second = (inside[:, 1] + self.low).astype(np.int32)
        bad = np.zeros(len(inside), bool)
        for row in self.met:
            bad |= np.take(row, first, mode="clip") == second
        return np.flatnonzero(bad).tolist()

    def _find_barred(self, seat: int) -> set[int]:
        """Return the seats that a seat (not the bye's) may not be with: whom the player met, other guests."""
        if seat >= self.players:
            others = set(range(self.players, self.seats)) - {seat}
            return others | self._find_met(seat) if seat in self.visitors else others
        barred = self._find_met(seat)
        barred.update(guest for guest in self.visitors if seat in self._find_met(guest))
        if self.bye >= 0 and not self.eligible[seat]:
            barred.add(self.bye)
        return barred

    def _find_met(self, seat: int) -> set[int]:
        """Return the players of the group whom a player or visitor has met."""
        if not self.field.met_counts:
            return set()
        met = self.field.met[:, self.visitors.get(seat, seat + self.low)].tolist()
        return {other - self.low for other in met if self.low <= other < self.low + self.players}

    def _switch(self, seating: Ints, where: Ints, bad: list[int], stream: Stream) -> bool:
        """Try one switching, as the package's page names the seats; return whether it was accepted."""
        number = stream.below(len(bad))
        turn = stream.below(2)
        table = bad[number]
        ab, cd, ef = 2 * table + turn, stream.below(self.seats), stream.below(self.seats)
        if cd // 2 == ef // 2 or cd // 2 in bad or ef // 2 in bad:
            return False
        a, b, c, d, e, f = (int(seating[i]) for s in (ab, cd, ef) for i in (s, s ^ 1))
        if self.bye in (c, f):  # the bye is barred from too many for the bounds below
            return False
        if b in self._find_barred(c) or a in self._find_barred(f):
            return False
        if d in self._find_barred(e) if e != self.bye else e in self._find_barred(d):
            return False
        for seat, player in ((ab, c), (ab ^ 1, b), (cd, d), (cd ^ 1, e), (ef, f), (ef ^ 1, a)):
            seating[seat], where[player] = player, seat
        del bad[number]
        return self._accept(c, f, {a, b, c, f}, seating, where, bad, stream)

    def _accept(
        self, c: int, f: int, ends: set[int], seating: Ints, where: Ints, bad: list[int], stream: Stream
    ) -> bool:
        """Weigh the ways that lead here: over the tables d–e for this pair a, b, then over the pairs."""

        def partner(seat: int) -> int:
            return int(seating[where[seat] ^ 1])

        def free(seats: set[int]) -> set[int]:
            return {s for s in seats if s not in ends and where[s] // 2 not in bad}

        places = self.seats - 2 * len(bad) - 4
        not_d, not_e = free(self._find_barred(c)), free(self._find_barred(f))
        ways = places - len(not_d) - len(not_e) + sum(partner(d) in not_e for d in not_d)
        if stream.below(ways) >= places - 2 * self.most:
            return False
        touched = {int(seating[seat]) for table in bad for seat in (2 * table, 2 * table + 1)}
        if self.bye >= 0:
            touched.add(partner(self.bye))
        if not touched:
            return True
        lost = len({frozenset((s, o)) for s in touched for o in self._find_met(s)})
        more = len(self.met) * len(touched) - lost
        # Refused with probability more / (pairs − lost); all pairs are counted only if few of them decide.
        few = self._some_pairs - lost
        if few <= more:
            return self._pairs - lost > more and stream.below(self._pairs - lost) >= more
        return stream.below(few) >= more or stream.below(self._pairs - lost) >= few

    @cached_property
    def _some_pairs(self) -> int:
        """How many pairs of players in the group met in one of the rounds; at most `_pairs`."""
        row = self.met[len(self.met) // 2]
        return int(((row >= self.low) & (row < self.low + self.players)).sum()) // 2

    @cached_property
    def _pairs(self) -> int:
        """How many pairs of players in the group have met."""
        seats = np.arange(self.players)
        keys = []
        for row in self.met:
            other = row.astype(np.int64) - self.low
            once = (other > seats) & (other < self.players)
            keys.append(seats[once] * self.players + other[once])
        every = np.sort(np.concatenate(keys))
        return len(every) - int((every[1:] == every[:-1]).sum())
