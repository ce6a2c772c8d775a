"""Draw the best seating of one pool at tables of three and more that is found, and say what is proved.

Few players are compared as a whole. For more, tables are cut from the standings; then a window, a handful of
tables near each other, is seated anew at a time in the best way there is among them, which never costs more
than before. Windows begin where pairs repeat and follow what they change; more are drawn at random where that
was not enough. They are counted, not timed: the same seed gives the same tables on every machine. Where they
are stuck with a pair that repeats, a plain search for a seating without one often finds a way out.

Then a lower bound says how much better anything could be, and if it leaves few tables over, all seatings of
those are compared. Tables are added from the top; for each set of players seated so far only the least cost
above the bound is kept, and none that is more than what the best known seating costs. The result is the least
cost there is, with every seating that reaches it.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial, isqrt, prod
from typing import Any

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.field import Uniform
from topcut.pairing.multiplayer.exact_seatings import EXACT_PLAYERS, ExactSeatings
from topcut.pairing.multiplayer.lower_bound import SCALE, PriceBound, find_step, weigh_distance
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField, deal_tables

WINDOW = 12
"""Players in a window; at random also more."""
FOLLOWED = 20
"""Windows at most for each table at which a pair repeated."""
REACH = 4
"""How many tables away the others of a random window are at most."""
STEPS = 20_000
"""Tables that the search for a fresh seating tries before it gives up."""
WINDOWS = 200
"""Windows drawn at random while pairs repeat, and while nothing is proved."""
WIDE = 40
"""Windows of EXACT_PLAYERS players, where there are few enough tables for that to matter."""
FEW = 100
"""Up to this many players wide windows and fresh seatings are tried."""
WORK = 1_000_000
"""Ways to add a table to a set that are looked at most, before a seating stays unproved."""
LISTING = 10
"""How much of that it takes to list a table."""
LISTED = 2_000
"""Best seatings that are listed at most, so that each is drawn with the same probability."""

Column = tuple[int, int, tuple[int, ...]]
"""A table: its players in bits, what it costs above the least of its place, its players."""
States = dict[int, tuple[int, int]]
"""Sets of players in bits: the least they cost, and in how many ways."""


@dataclass(frozen=True)
class Seating:
    """A round of one pool, and what is known about it."""

    field: SeatingField
    tables: list[list[int]]
    """From the top; players as positions in the standings."""
    cost: SeatingCost
    bound: SeatingCost
    """No seating costs less."""
    uniform: Uniform
    certificate: dict[str, Any]

    @property
    def optimal(self) -> bool:
        return self.cost == self.bound


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
        while waiting and left > 0:
            k = waiting.popleft()
            for offset in (1, 2, 0, 3):
                left -= 1
                if changed := self._reseat(self._list_neighbours(k, offset)):
                    waiting += [table for table in changed if table not in waiting]
                    break

    def try_random(self, windows: int, players: int = WINDOW) -> None:
        """Try windows of tables near one that costs something, not all of them neighbours."""
        for _ in range(windows):
            if not (costly := self.costly):
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
        """Seat these tables anew, `sideways` also where it costs the same; return those that have changed."""
        now = [player for k in numbers for player in self.tables[k]]
        window = (*numbers, *sorted(now))
        if window in self._known:
            return []
        self._known.add(window)
        best = ExactSeatings(self.field, sorted(now), numbers, now)
        if best.least == best.now and not sideways:
            return []
        drawn = zip(numbers, best.draw(self.stream), strict=True)
        changed = {k: table for k, table in drawn if table != self.tables[k]}
        for k, table in changed.items():
            self.tables[k] = table
            self._costs[k] = self.field.cost_table(k, table).any
        return list(changed) if best.least < best.now else []


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
        for size in sizes:
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


class SeatingDraw:
    """A field ready to be seated, once or many times; what was found out stays known."""

    def __init__(self, field: SeatingField) -> None:
        self.field = field
        self.by_lot = field.all_level and not field.rounds and not field.kept_apart
        """Whether there is nothing to minimise: nobody has met, nobody is ahead."""

    @cached_property
    def _exact(self) -> ExactSeatings:
        return ExactSeatings(self.field, range(self.field.size), range(len(self.field.sizes)))

    def draw_tables(self, stream: Stream) -> list[list[int]]:
        """Draw the tables alone, for drawing very often."""
        if self.by_lot:  # AL-5
            lots = stream.order(self.field.size).tolist()
            return [sorted(table) for table in deal_tables(lots, self.field.sizes)]
        if self.field.size > EXACT_PLAYERS:
            return draw_large_seating(self.field, stream).tables
        return self._exact.draw_tables(stream)

    def draw(self, stream: Stream) -> Seating:
        field = self.field
        if field.size > EXACT_PLAYERS and not self.by_lot:
            return draw_large_seating(field, stream)
        tables = self.draw_tables(stream)
        cost = field.cost(tables)
        proof: dict[str, Any] = {"kind": "lots"}
        if not self.by_lot:
            every = factorial(field.size) // prod(map(factorial, field.sizes))
            proof = {"kind": "exhaustive", "seatings": every, "optimal": self._exact.count}
        return Seating(field, tables, cost, cost, "exact", proof)


def draw_large_seating(field: SeatingField, stream: Stream) -> Seating:
    """Draw a seating of more players than are compared as a whole."""
    search = WindowSearch(field, stream)
    search.follow()
    if search.repeating:
        _search_at_random(search)
        _start_fresh(search)
    if search.repeating:
        bound = SeatingCost(bound_repeats(field), 0, 0)
        cost = field.cost(search.tables)
        return Seating(field, search.tables, cost, bound, "approximate", {"kind": "degrees"})
    found = _prove(search, stream)
    if not found.optimal:
        _search_at_random(search)
        if field.cost(search.tables) < found.cost:
            return _prove(search, stream)
    return found


def _start_fresh(search: WindowSearch) -> None:
    """Begin again with a seating in which no pair repeats, where a pair does that perhaps need not."""
    field = search.field
    repeats = field.cost(search.tables).repeats
    first = next((back for back, number in enumerate(repeats) if number), field.rounds)
    for rounds in range(field.rounds, first, -1) if field.size <= FEW else ():
        if (tables := find_fresh_seating(field, rounds)) is not None:
            search.begin(tables)
            search.follow()
            search.try_random(WINDOWS)
            return


def _search_at_random(search: WindowSearch) -> None:
    search.try_random(WINDOWS)
    cost = search.field.cost(search.tables)
    if search.field.size <= FEW and (any(cost.repeats) or cost.displacement):
        search.try_random(WIDE, players=EXACT_PLAYERS)


def _prove(search: WindowSearch, stream: Stream) -> Seating:
    """Bound the distances of a seating without repeats by prices, and compare all tables they leave."""
    field = search.field
    cost, unit = field.cost(search.tables), weigh_distance(field)
    if not search.costly:
        return Seating(field, search.tables, cost, cost, "approximate", {"kind": "zero"})
    bound = PriceBound(field, cost.displacement * unit + cost.apart, search.costly)
    proof: dict[str, Any] = {"kind": "prices", "scale": SCALE}
    best = None
    while bound.possible:
        bound.improve_prices()
        best = search_best_seatings(bound)
        if best is not None or not bound.widen_reach():
            break
    proof["prices"] = {int(player): int(bound.prices[player]) for player in np.flatnonzero(bound.prices[:-1])}
    if bound.ruled_out >= 0:
        proof["ruled_out"] = bound.ruled_out
    if best is None:
        least = SeatingCost(cost.repeats, *divmod(bound.bound, unit))
        return Seating(field, search.tables, cost, least, "approximate", proof)
    proof["compared"] = sum(map(len, best.states))
    tables, uniform = best.draw(stream)
    least = field.cost(tables)
    return Seating(field, tables, least, least, "exact" if uniform else "approximate", proof)


def bound_repeats(field: SeatingField) -> tuple[int, ...]:
    """Return how many repeated pairs cannot be avoided, by round from the newest.

    A player who has met almost everybody in the newest rounds finds too few others for a table. Counted over
    the newest rounds together this bounds their sum, so it bounds what comes first in the order of costs.
    """
    others = min(field.sizes) - 1
    found: list[int] = []
    for back in range(field.rounds):
        rows = np.sort(field.met[field.back <= back] if field.by_age else field.met, axis=0)
        known = (np.diff(rows, axis=0, prepend=-1) > 0) & (rows < field.size)
        free = field.size - 1 - known.sum(axis=0)
        missing = int(np.maximum(others - free, 0).sum())
        found.append(-(-missing // 2) - sum(found))
    return tuple(found)


# All best seatings of the tables that prices leave


@dataclass(frozen=True)
class BestSeatings:
    """All best seatings, by the tables and sets of players that lead to them."""

    columns: list[list[Column]]
    states: list[States]
    """Those before the first table, then after each; at the end there is one."""
    places_shared: bool

    @property
    def count(self) -> int:
        ((_, ways),) = self.states[-1].values()
        return ways

    def draw(self, stream: Stream) -> tuple[list[list[int]], bool]:
        """Draw a best seating; return also whether who sits with whom was certainly equally likely.

        Tables of one size that add up to the same places could change their numbers, and come up once for
        each order: so a drawn seating is kept with one chance in that many. Where places are shared it is
        not so simple, and all are listed if they are few.
        """
        while not self.places_shared:
            drawn = self._draw(stream)
            alike = Counter((len(table), sum(table)) for table in drawn)
            if stream.below(prod(factorial(number) for number in alike.values())) == 0:
                return drawn, True
        if self.count > LISTED:
            return self._draw(stream), False
        listed = sorted({tuple(sorted(tables)): tables for tables in self._list_all()}.items())
        tables = listed[stream.below(len(listed))][1]
        return [list(table) for table in tables], True

    def _list_ways(self, k: int, after: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return (set, table) for the cheapest ways to a set after place k."""
        cost, earlier = self.states[k + 1][after][0], self.states[k]
        found = []
        for bits, above, table in self.columns[k]:
            before = earlier.get(after ^ bits) if after & bits == bits else None
            if before is not None and before[0] + above == cost:
                found.append((after ^ bits, table))
        return found

    def _draw(self, stream: Stream) -> list[list[int]]:
        tables = []
        (at,) = self.states[-1]
        for k in reversed(range(len(self.columns))):
            ways = self._list_ways(k, at)
            ends = np.cumsum([self.states[k][before][1] for before, _ in ways], dtype=object)
            lot = stream.below(int(ends[-1]))
            at, table = ways[next(i for i, end in enumerate(ends) if lot < end)]
            tables.append(list(table))
        return tables[::-1]

    def _list_all(self) -> list[tuple[tuple[int, ...], ...]]:
        """Return all best seatings, tables in order."""
        found: dict[int, list[tuple[tuple[int, ...], ...]]] = {at: [()] for at in self.states[-1]}
        for k in reversed(range(len(self.columns))):
            earlier: dict[int, list[tuple[tuple[int, ...], ...]]] = {}
            for at, ends in found.items():
                for before, table in self._list_ways(k, at):
                    earlier.setdefault(before, []).extend((table, *rest) for rest in ends)
            found = earlier
        return found[0]


def search_best_seatings(prices: PriceBound) -> BestSeatings | None:
    """Return the best seatings without repeats; None if too many tables are left to tell.

    First only seatings that cost little more than the bound are followed, then more and more: what is
    ruled out on the way raises the bound.
    """
    ceiling, more = prices.bound, find_step(prices.field)
    while True:
        ceiling = min(ceiling, prices.known)
        try:
            found = _follow(prices, ceiling)
        except _TooMuchWork:
            return None
        if found is not None:
            return found
        prices.ruled_out = max(prices.ruled_out, ceiling)
        if ceiling == prices.known:
            return None
        ceiling, more = ceiling + more, 2 * more


class _TooMuchWork(Exception):
    """Too many tables are left to compare."""


def _add_work(prices: PriceBound, ways: int) -> None:
    prices.work += ways
    if prices.work > WORK:
        raise _TooMuchWork


def _follow(prices: PriceBound, ceiling: int) -> BestSeatings | None:
    """Return the best seatings up to a ceiling; None where there are none."""
    gap = ceiling * SCALE - prices.value
    columns = _list_columns(prices, gap)
    last = {player: k for k, tables in enumerate(columns) for _, _, table in tables for player in table}
    due = [0] * len(columns)
    for player, k in last.items():
        due[k] |= 1 << player
    states: list[States] = [{0: (0, 1)}]
    for tables, needed in zip(columns, due, strict=True):
        _add_work(prices, len(states[-1]) * len(tables))
        after: States = {}
        for have, (cost, count) in states[-1].items():
            for bits, above, _ in tables:
                total, here = cost + above, have | bits
                if have & bits or total > gap or here & needed != needed:
                    continue
                before = after.get(here)
                if before is None or total < before[0]:
                    after[here] = (total, count)
                elif total == before[0]:
                    after[here] = (total, count + before[1])
        if not after:
            return None
        states.append(after)
    if len(last) < prices.field.size:
        return None
    places_shared = bool((prices.field.first < prices.field.last).any())
    return BestSeatings(columns, states, places_shared)


def _list_columns(prices: PriceBound, gap: int) -> list[list[Column]]:
    """Return for each place the tables that cost at most `gap` above its least."""
    field = prices.field
    left = prices.list_remaining(gap)
    if left is None:
        raise _TooMuchWork
    near = isqrt(gap // (SCALE * weigh_distance(field))) + 1
    columns: list[list[Column]] = []
    for number, size in enumerate(field.sizes):
        if number in left:
            tables, above = left[number]
        else:
            # Nobody with a price is near: a table costs its distances.
            here = prices.find_unpriced(number, near)
            if here is None or prices.bound_elsewhere(size) < 0 or near > prices.around:
                raise _TooMuchWork
            kept = here.costs <= gap
            tables, above = here.tables[kept], here.costs[kept]
        _add_work(prices, len(tables) * LISTING)
        rows = zip(tables.tolist(), above.tolist(), strict=True)
        columns.append([(sum(1 << player for player in row), cost, tuple(row)) for row, cost in rows])
    return columns
