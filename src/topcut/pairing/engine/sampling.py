"""Draw one of the best pairings so that all of them are equally likely.

What is counted: pairings, as sets of tables. The order of tables, and of the players at a table, are no
part of a pairing, so a draw over anything finer (orders, seatings) is uniform over pairings only where each
pairing comes up in the same number of forms. Size and proof decide how a pairing is drawn:

- **Listing** (up to EXHAUSTIVE_SEATS seats): all pairings are listed and one is taken. Exact.
- **Rejection** (`GroupDraw`, fewer than ORDERS_TO seats): a random order is read off in twos and thrown
  away if a table is not allowed. What is left is uniform among the allowed ones, as each pairing of s seats
  comes up in 2^(s/2) × (s/2)! orders. Exact; but where conflicts are many, no order may come up.
- **Counting** (`CountedMatchings`): the ways to go on are counted for each set of players that can be left
  over, and tables are drawn by those numbers. Exact, for all cheapest matchings of a sparse graph. Used where
  rejection fails, in windows, and for a field that was matched as a whole.
- **Switching** (`SwitchingDraw`, ORDERS_TO seats and more, if rounds are few for the size): McKay and
  Wormald's method. One order is drawn. Call a table bad if its players have met; all seatings with i bad
  tables are equally likely. A switching takes a bad table a–b and two good ones c–d, e–f, and seats b–c,
  d–e, f–a, all good. It is drawn from a number of choices that is the same for every seating, and refused if
  it is not possible; then accepted with a probability inverse to the number of ways that lead to its result.
  What is accepted is uniform among the seatings with i − 1 bad tables; a refusal begins anew. Exact, in time
  that grows like the size.
- **Mixing** (`mix_tables`): where cheapest pairings cannot be counted, one is changed at random many times
  without changing its cost. Every change is as likely as its reverse, so in the long run all pairings that
  changes lead to are equally likely. Approximate, and said to be.

Score groups that a table across joins are drawn independently, and all again if that table is not allowed
(swiss.py): rejection once more, so exact.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, list_legal_pairings
from topcut.pairing.engine.field import Bools, Field, Ints, Tables, find_conflicts, find_shared_labels
from topcut.pairing.engine.matching import Costs, Matching, find_tight_edges, match_cheapest

MOST_SETS = 8_000
"""Sets of players that are counted over at most; some milliseconds."""
CHANGES = 40
"""Changes that are tried for each player of the part that is mixed, up to MOST_CHANGES in all."""
MOST_CHANGES = 8000
BATCHES = tuple(2**k for k in range(2, 12))
"""Numbers of whole orders that are drawn, one batch after the other, before giving up."""
ORDERS_TO = 64
"""Groups with fewer seats are drawn by whole orders."""
ATTEMPTS = 1000
"""Attempts to draw by switchings before giving up."""


class CountedMatchings:
    """All cheapest perfect matchings of a graph, counted: `ways` of them, costing `cost` each.

    `costs[v][w]` is the cost of a table of v and w, for every pair that may sit together (both ways). The
    ways to go on after some tables depend only on the players who are left, so they are counted once for each
    such set, unless these are too many.
    """

    def __init__(self, costs: Mapping[int, Mapping[int, int]]) -> None:
        self._costs = costs
        self._order = sorted(costs)
        self._bit = {v: 1 << i for i, v in enumerate(self._order)}
        self._known: dict[int, tuple[int, int]] = {0: (0, 1)}
        self._everyone = (1 << len(self._order)) - 1
        self.too_many = not self._count()
        self.cost, self.ways = self._known.get(self._everyone, (0, 0))

    def draw(self, stream: Stream) -> list[tuple[int, int]]:
        tables = []
        rest = self._everyone
        while rest:
            cost, ways = self._known[rest]
            ticket = stream.below(ways)
            for v, w, after in self._list_tables(rest):
                below = self._known[after]
                if below[1] and below[0] + self._costs[v][w] == cost:
                    if ticket < below[1]:
                        tables.append((v, w))
                        rest = after
                        break
                    ticket -= below[1]
        return tables

    def _list_tables(self, rest: int) -> list[tuple[int, int, int]]:
        """Return the tables that the first player of a set can sit at, and the set that is left then."""
        low = rest & -rest
        v = self._order[low.bit_length() - 1]
        return [(v, w, rest ^ low ^ self._bit[w]) for w in sorted(self._costs[v]) if rest & self._bit[w]]

    def _count(self) -> bool:
        """Count the ways, the smaller sets first, if they can be; no recursion, so no limit to its depth."""
        stack = [self._everyone]
        while stack:
            rest = stack[-1]
            if rest in self._known:
                stack.pop()
                continue
            tables = self._list_tables(rest)
            missing = [after for _, _, after in tables if after not in self._known]
            if missing:
                stack.extend(missing)
                if len(self._known) + len(stack) > MOST_SETS:
                    return False
                continue
            best, ways = 0, 0
            for v, w, after in tables:
                cost, number = self._known[after]
                cost += self._costs[v][w]
                if number and (not ways or cost < best):
                    best, ways = cost, number
                elif number and cost == best:
                    ways += number
            self._known[rest] = (best, ways)
            stack.pop()
        return True


def count_cheapest(costs: Costs, found: Matching, exits: range = range(0)) -> CountedMatchings | None:
    """Return all cheapest matchings of the seats that are no exits, given one of them.

    None where they are too many to be counted, or where a player could have an exit.
    """
    ways: dict[int, dict[int, int]] = {seat: {} for seat in range(len(costs)) if seat not in exits}
    for a, b in find_tight_edges(costs, found):
        if (a in exits) != (b in exits):
            return None
        if a not in exits:
            ways[a][b] = ways[b][a] = int(costs[a, b])
    counted = CountedMatchings(ways)
    return None if counted.too_many else counted


def mix_tables(
    tables: Tables, some: Ints, around: Ints, cost: Callable[[int, int], int | None], stream: Stream
) -> Tables:
    """Return the tables after many changes that leave their cost alone.

    In a change one of `some` and one or two of `around` pass their partners on to one another. `cost` is that
    of a table of two seats, None if it is not allowed; the highest seat is the bye.
    """
    partner = {int(p): int(q) for a, b in tables for p, q in ((a, b), (b, a))}
    for _ in range(min(MOST_CHANGES, max(100, CHANGES * len(some)))):
        chosen = [int(some[stream.below(len(some))])]
        chosen += [int(around[stream.below(len(around))]) for _ in range(1 + stream.below(2))]
        if len({seat for player in chosen for seat in (player, partner[player])}) < 2 * len(chosen):
            continue
        given = [partner[player] for player in chosen[1:] + chosen[:1]]
        then = [cost(player, other) for player, other in zip(chosen, given, strict=True)]
        if None in then:
            continue
        now = [cost(player, partner[player]) or 0 for player in chosen]
        if sum(now) == sum(value or 0 for value in then):
            for player, other in zip(chosen, given, strict=True):
                partner[player], partner[other] = other, player
    bye = max(partner)
    rows = sorted(((a, b) for a, b in partner.items() if a < b), key=lambda row: (row[1] == bye, row))
    return np.array(rows, np.int64).reshape(-1, 2)


class GroupStuck(Exception):
    """No way was found, and there may be none."""


@dataclass(frozen=True)
class ScoreGroup:
    """The players from `low` up to `high`, and the guests who sit with some of them.

    A guest stands for the other end of a table: a partner from another group of the chain, above or
    below; a visitor, a player who is known already; the bye.
    """

    low: int
    high: int
    up: bool = False
    down: bool = False
    visitors: tuple[int, ...] = ()
    bye: bool = False

    @property
    def players(self) -> int:
        return self.high - self.low

    @property
    def guests(self) -> int:
        return self.up + self.down + len(self.visitors) + self.bye

    @property
    def seats(self) -> int:
        """Players first, then guests: above, below, visitors, the bye last."""
        return self.players + self.guests

    @property
    def first_visitor(self) -> int:
        return self.players + self.up + self.down


@dataclass(frozen=True)
class GroupTables:
    """The tables of one group as positions in the field, and who goes where; -1 where nobody does."""

    tables: Tables
    up: int = -1
    down: int = -1
    bye: int = -1


class GroupDraw:
    """One score group, ready to be drawn as often as needed: from a list, by whole orders, by switchings."""

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
    def _counted(self) -> CountedMatchings:
        rows = enumerate(self._together)
        return CountedMatchings({seat: dict.fromkeys(np.flatnonzero(row).tolist(), 0) for seat, row in rows})

    @cached_property
    def _switching(self) -> "SwitchingDraw":
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
        if not self._counted.ways:
            raise GroupStuck
        return np.array(self._counted.draw(stream), np.int64)

    def _draw_by_switching(self, stream: Stream) -> GroupTables:
        field = self.field
        for _ in range(ATTEMPTS):
            if (tables := self._switching.attempt(stream)) is not None:
                found = self._to_field(tables)
                if not (field.kept_apart and field.share_label(*found.tables.T).any()):
                    return found
        raise GroupStuck

    def _to_field(self, tables: Ints) -> GroupTables:
        """Return tables of seats in the group as positions in the field."""
        group = self.group
        if not group.guests:
            return GroupTables(tables + group.low)
        inside = (tables < group.players).all(axis=1)
        rows = np.sort(tables[~inside], axis=1).tolist()
        partner = {guest: player + group.low for player, guest in rows}
        up = partner[group.players] if group.up else -1
        down = partner[group.players + group.up] if group.down else -1
        bye = partner[group.seats - 1] if group.bye else -1
        found = tables[inside] + group.low
        if group.visitors:
            visitors = enumerate(group.visitors, start=group.first_visitor)
            found = np.concatenate([found, [(partner[seat], visitor) for seat, visitor in visitors]])
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
        inside = tables[: (2 * self.players - self.seats) // 2]
        first = np.ascontiguousarray(inside[:, 0])
        second = (inside[:, 1] + self.low).astype(np.int32)
        met = np.zeros(len(inside), bool)
        for row in self.met:
            met |= np.take(row, first, mode="clip") == second
        bad = np.flatnonzero(met).tolist()
        # Guests sit at the last tables of a random seating, in their order.
        if any(int(tables[seat - self.seats, 0]) in self._find_barred(seat) for seat in self.visitors):
            return None
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
        """Try one switching, as the module's page names the seats; return whether it was accepted."""
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
        return len(np.unique(np.concatenate(keys)))
