"""Removing the few conflicts of a large random seating so that it is uniform among those without any.

Call a table bad if its players have met. Among all seatings with exactly i bad tables each is equally
likely to begin with. A switching takes a bad table a–b and two good ones c–d, e–f, and seats b–c, d–e,
f–a, all good. It is drawn from a number of choices that is the same for every seating, and refused if it
is not possible; then it is accepted with a probability inverse to the number of ways that lead to the
result. What is accepted is uniform among the seatings with i − 1 bad tables. A refusal begins anew.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from topcut.lots import Stream
from topcut.pairing.field import Bools, Field, Ints
from topcut.pairing.groups import Group


class Switching:
    """One large group; its seats are players from 0, then guests: above, below, visitors, the bye last."""

    def __init__(self, field: Field, group: Group, eligible: Bools) -> None:
        self.field = field
        self.low = group.low
        self.players = group.players
        self.seats = group.seats
        first = self.players + group.up + group.down
        self.visitors = {first + i: visitor for i, visitor in enumerate(group.visitors)}
        self.bye = self.seats - 1 if group.bye else -1
        self.eligible = eligible
        self.most = len(field.met) + group.guests
        """Nobody but the bye is barred from more seats than this."""
        self.met = field.met[:, group.low : group.high] if field.met_counts else field.met[:0]

    def attempt(self, stream: Stream) -> Ints | None:
        """Tables × 2, or None for a refusal."""
        seating = self._random(stream)
        tables = seating.reshape(-1, 2)
        bad = self._bad(tables)
        if any(int(tables[-1 - self._from_end(seat), 0]) in self._barred(seat) for seat in self.visitors):
            return None
        if not bad:
            return tables
        where = np.empty(self.seats, np.int64)
        where[seating] = np.arange(self.seats)
        while bad:
            if not self._switch(seating, where, bad, stream):
                return None
        return tables

    def _random(self, stream: Stream) -> Ints:
        """A seating in which guests sit with players, and the bye with one who may have it."""
        order = stream.order(self.players)
        if self.bye >= 0:
            candidates = np.flatnonzero(self.eligible)
            holder = int(candidates[stream.below(len(candidates))])
            order = np.concatenate([order[order != holder], [holder]])
        guests = self.seats - self.players
        alone = self.players - guests
        seating = np.empty(self.seats, np.int64)
        seating[:alone] = order[:alone]
        seating[alone::2] = order[alone:]
        seating[alone + 1 :: 2] = np.arange(self.players, self.seats)
        return seating

    def _bad(self, tables: Ints) -> list[int]:
        inside = tables[: (2 * self.players - self.seats) // 2]
        first = np.ascontiguousarray(inside[:, 0])
        second = (inside[:, 1] + self.low).astype(np.int32)
        bad = np.zeros(len(inside), bool)
        for row in self.met:
            bad |= np.take(row, first, mode="clip") == second
        return np.flatnonzero(bad).tolist()

    def _from_end(self, guest: int) -> int:
        """At which table from the end a guest sits in a random seating."""
        return self.seats - 1 - guest

    def _barred(self, seat: int) -> set[int]:
        """With whom a seat (not the bye's) may not be: whom the player met, other guests."""
        if seat >= self.players:
            others = set(range(self.players, self.seats)) - {seat}
            return others | self._conflicts(seat) if seat in self.visitors else others
        barred = self._conflicts(seat)
        barred.update(guest for guest in self.visitors if seat in self._conflicts(guest))
        if self.bye >= 0 and not self.eligible[seat]:
            barred.add(self.bye)
        return barred

    def _conflicts(self, seat: int) -> set[int]:
        """The players of the group whom a player or visitor has met."""
        if not self.field.met_counts:
            return set()
        met = self.field.met[:, self.visitors.get(seat, seat + self.low)].tolist()
        return {other - self.low for other in met if self.low <= other < self.low + self.players}

    def _switch(self, seating: Ints, where: Ints, bad: list[int], stream: Stream) -> bool:
        number = stream.below(len(bad))
        turn = stream.below(2)
        table = bad[number]
        ab, cd, ef = 2 * table + turn, stream.below(self.seats), stream.below(self.seats)
        if cd // 2 == ef // 2 or cd // 2 in bad or ef // 2 in bad:
            return False
        a, b, c, d, e, f = (int(seating[i]) for s in (ab, cd, ef) for i in (s, s ^ 1))
        if self.bye in (c, f):  # the bye is barred from too many for the bounds below
            return False
        if b in self._barred(c) or a in self._barred(f):
            return False
        if d in self._barred(e) if e != self.bye else e in self._barred(d):
            return False
        for seat, player in ((ab, c), (ab ^ 1, b), (cd, d), (cd ^ 1, e), (ef, f), (ef ^ 1, a)):
            seating[seat], where[player] = player, seat
        del bad[number]
        return self._accepted(c, f, {a, b, c, f}, seating, where, bad, stream)

    def _accepted(
        self, c: int, f: int, ends: set[int], seating: Ints, where: Ints, bad: list[int], stream: Stream
    ) -> bool:
        """Weigh the ways that lead here: over the tables d–e for this pair a, b, then over the pairs."""

        def partner(seat: int) -> int:
            return int(seating[where[seat] ^ 1])

        def free(seats: set[int]) -> set[int]:
            return {s for s in seats if s not in ends and where[s] // 2 not in bad}

        places = self.seats - 2 * len(bad) - 4
        not_d, not_e = free(self._barred(c)), free(self._barred(f))
        ways = places - len(not_d) - len(not_e) + sum(partner(d) in not_e for d in not_d)
        if stream.below(ways) >= places - 2 * self.most:
            return False
        touched = {int(seating[seat]) for table in bad for seat in (2 * table, 2 * table + 1)}
        if self.bye >= 0:
            touched.add(partner(self.bye))
        if not touched:
            return True
        lost = len({frozenset((s, o)) for s in touched for o in self._conflicts(s)})
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
