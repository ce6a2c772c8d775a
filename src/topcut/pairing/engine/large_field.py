"""Draw a large field: score groups by themselves, and a window wherever that cannot be done.

At first there are no windows, and every group is to be paired within itself but for the tables that
parity forces. Where no draw is found, the groups concerned become a window; if the players it sends out
leave a neighbouring group stuck, the window grows. With no window the round is proved by parity alone,
and drawn exactly uniformly.

Labels of a field too large for that are kept apart afterwards: two players with the same points can change
seats without changing any difference in points. Sweeps of such changes, all over the field at once, take
players who share a label apart; more of them, which leave the number of such tables alone, then mix the rest.
"""

from itertools import pairwise

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.costs import compute_cost
from topcut.pairing.engine.field import Field, FieldPairing, Ints, Tables
from topcut.pairing.engine.sampling import GroupDraw, GroupStuck, GroupTables, ScoreGroup, mix_tables
from topcut.pairing.engine.score_groups import Parity, Window, WindowClosed, WindowTables, find_parity

CHAIN_DRAWS = 400
"""Draws of a chain before its groups become a window."""
SWEEPS = 200
"""Sweeps that take labels apart, at most."""
IDLE = 12
"""Sweeps without a change before giving up."""
MIXING = 20
"""Sweeps that only mix."""

Chain = list[tuple[int, ScoreGroup]]
"""Groups by number, each joined to the next by a table across."""


class LargeFieldDraw:
    """A field that is paired without looking at all pairings at once; rematches are ruled out.

    What is kept from one draw to the next only saves time: a draw depends on its stream alone.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self.parity: Parity = find_parity(field)
        self._draws: dict[ScoreGroup, GroupDraw] = {}
        self._known: dict[tuple[int, int], Window | None] = {}

    def draw(self, stream: Stream) -> FieldPairing | None:
        """Draw a pairing that is proved optimal; None where windows would have to cover everything."""
        windows: list[Window] = []
        while True:
            through = [window.draw(stream) for window in windows]
            tables = [table for way in through for table in way.tables]
            groups: list[GroupTables] = []
            for chain in self._list_chains(windows, through):
                drawn = self._draw_chain(chain, stream)
                if drawn is None:
                    break
                groups += drawn
                tables += [(a.down, b.up) for a, b in pairwise(drawn)]
            else:
                alone = max([-1, *(way.bye for way in through), *(group.bye for group in groups)])
                tables += [(alone, self.field.size)] if alone >= 0 else []
                rows = [*(group.tables for group in groups), np.array(tables, np.int64).reshape(-1, 2)]
                return self._prove(windows, np.concatenate(rows), alone >= 0, stream)
            grown = self._grow(windows, chain[0][0], chain[-1][0])
            if grown is None:
                return None
            windows = grown

    def _list_chains(self, windows: list[Window], through: list[WindowTables]) -> list[Chain]:
        """Return the groups outside all windows, with their guests."""
        last = {window.last: way for window, way in zip(windows, through, strict=True)}
        first = {window.first: way for window, way in zip(windows, through, strict=True)}
        inside = {g for window in windows for g in range(window.first, window.last + 1)}
        chains: list[Chain] = []
        joined = False
        for g, (low, high) in enumerate(self.parity.groups):
            if g in last:
                joined = last[g].passing > 0
            if g in inside:
                continue
            above, below = last.get(g - 1), first.get(g + 1)
            visitors = (*(above.down if above else ()), *(below.up if below else ()))
            down = below.passing > 0 if below else self.parity.odd[g]
            group = ScoreGroup(low, high, joined, down, visitors, g == self.parity.bye_group)
            if joined and chains:
                chains[-1].append((g, group))
            else:
                chains.append([(g, group)])
            joined = down
        return chains

    def _draw_chain(self, chain: Chain, stream: Stream) -> list[GroupTables] | None:
        """Draw the groups of a chain, and all again where a table across would be a rematch.

        Small groups come first: they clash most, and then nothing large has been drawn in vain.
        """
        draws = [self._draws.setdefault(g, GroupDraw(self.field, g, self.parity.eligible)) for _, g in chain]
        order = sorted(range(len(chain)), key=lambda at: draws[at].group.seats)
        for _ in range(CHAIN_DRAWS):
            drawn: dict[int, GroupTables] = {}
            for at in order:
                try:
                    drawn[at] = draws[at].draw(stream)
                except GroupStuck:
                    return None
                if (at - 1 in drawn and self._clash(drawn[at - 1].down, drawn[at].up)) or (
                    at + 1 in drawn and self._clash(drawn[at].down, drawn[at + 1].up)
                ):
                    break
            else:
                return [drawn[at] for at in range(len(chain))]
        return None

    def _clash(self, upper: int, lower: int) -> bool:
        met = self.field.met_counts and bool(self.field.have_met(upper, lower))
        return met or (self.field.kept_apart and bool(self.field.share_label(upper, lower)))

    def _grow(self, windows: list[Window], first: int, last: int) -> list[Window] | None:
        """Return the windows with one more of these groups, joined to those it touches; None for all."""
        while True:
            touching = [w for w in windows if w.first <= last + 1 and w.last >= first - 1]
            first = min([first, *(w.first for w in touching)])
            last = max([last, *(w.last for w in touching)])
            if first == 0 and last == len(self.parity.groups) - 1:
                return None
            window = self._find_window(first, last)
            if window is not None:
                kept = [w for w in windows if w not in touching]
                return sorted([*kept, window], key=lambda w: w.first)
            first, last = max(0, first - 1), min(len(self.parity.groups) - 1, last + 1)

    def _find_window(self, first: int, last: int) -> Window | None:
        if (first, last) not in self._known:
            try:
                self._known[first, last] = Window(self.field, self.parity, first, last)
            except WindowClosed:
                self._known[first, last] = None
        return self._known[first, last]

    def _prove(self, windows: list[Window], tables: Tables, bye: bool, stream: Stream) -> FieldPairing:
        """Mix what could not be counted, and add up what windows and edges outside them cost."""
        inexact = [window for window in windows if window.counted is None]
        for window in inexact:
            tables = mix_tables(tables, window.members, window.around, self._cost_table, stream)
        cost = compute_cost(self.field, tables[-1:] if bye else tables[:0])
        outside = [
            gap
            for g, (gap, odd) in enumerate(zip(self.parity.gaps, self.parity.odd, strict=True))
            if odd and not any(window.first - 1 <= g <= window.last for window in windows)
        ]
        bound = cost["score_gap_squared"] = sum(outside) + sum(window.gap_squared for window in windows)
        cost["apart"] = sum(window.apart for window in windows)
        certificate: dict[str, object] = {"kind": "parity", "bound": bound}
        if windows:
            proofs = [window.proof for window in windows]
            certificate = {"kind": "windows", "bound": bound, "windows": proofs}
        return FieldPairing(self.field, tables, cost, "approximate" if inexact else "exact", certificate)

    def _cost_table(self, a: int, b: int) -> int | None:
        """Cost a table in a window or beside it, squared points weighing more than any shared labels."""
        field = self.field
        if max(a, b) == field.size:
            return 0 if self.parity.eligible[min(a, b)] else None
        if a == b or (field.met_counts and field.have_met(a, b)):
            return None
        gap = int(field.points[a] - field.points[b])
        shared = field.kept_apart and not set(field.labels[a]).isdisjoint(field.labels[b])
        return gap * gap * field.size + shared


def spread_labels(field: Field, tables: Tables, stream: Stream) -> Tables:
    """Return the same round with as few tables of a shared label as sweeps can reach."""
    everyone = np.arange(field.size)
    partner = np.full(field.size + 1, field.size, np.int64)
    partner[tables[:, 0]], partner[tables[:, 1]] = tables[:, 1], tables[:, 0]
    idle = 0
    for sweep in range(SWEEPS):
        shared = np.flatnonzero(field.share_label(everyone, partner[:-1]))
        if not len(shared) or idle == IDLE:
            break
        # At first among the players of such tables: their changes help two tables at once.
        among = shared if sweep % 2 == 0 else everyone
        idle = 0 if _sweep(field, partner, shared, among, stream, gain=1) else idle + 1
    for _ in range(MIXING):
        _sweep(field, partner, everyone, everyone, stream, gain=0)
    first = np.flatnonzero(everyone < partner[:-1])
    rows = np.stack((first, partner[first]), axis=1)
    return rows[np.argsort(rows[:, 1] == field.size, kind="stable")]


def _sweep(field: Field, partner: Ints, some: Ints, among: Ints, stream: Stream, gain: int) -> int:
    """Let some players change seats with others of the same points; return the number of changes made.

    `gain`: by how much fewer shared tables a change must leave; none of them may leave more.
    """
    ones = some[stream.order(len(some))]
    others = _pick_same_points(field, ones, among, stream)
    usable = (others != ones) & (partner[ones] != others)
    usable &= (partner[ones] < field.size) & (partner[others] < field.size)
    ones, others = ones[usable], others[usable]
    mine, theirs = partner[ones], partner[others]
    before = field.share_label(ones, mine).astype(np.int64) + field.share_label(others, theirs)
    after = field.share_label(others, mine).astype(np.int64) + field.share_label(ones, theirs)
    good = after <= before - gain
    if field.met_counts:
        good &= ~(field.have_met(others, mine) | field.have_met(ones, theirs))
    seats = np.stack((ones, others, mine, theirs), axis=1)[good]
    # of changes that share a player, the first
    first = np.full(field.size, len(seats), np.int64)
    np.minimum.at(first, seats.ravel(), np.repeat(np.arange(len(seats)), 4))
    seats = seats[(first[seats] == np.arange(len(seats))[:, None]).all(axis=1)]
    ones, others, mine, theirs = seats.T
    partner[ones], partner[theirs] = theirs, ones
    partner[others], partner[mine] = mine, others
    return len(seats)


def _pick_same_points(field: Field, players: Ints, among: Ints, stream: Stream) -> Ints:
    """Return for each player a random one of `among` (in the order of the field) with the same points."""
    low = np.searchsorted(-field.points[among], -field.points[players], "left")
    high = np.searchsorted(-field.points[among], -field.points[players], "right")
    room = np.maximum(high - low, 1)
    chosen = low + (stream.numbers(len(players)) % room.astype(np.uint64)).astype(np.int64)
    return np.where(high > low, among[np.minimum(chosen, len(among) - 1)], players)


def bound_shared_labels(field: Field, parity: Parity) -> int:
    """Return how many tables of a shared label a pairing at the parity bound has at least.

    In a score group of m players of whom k share a label, the m − k others and the tables across the two
    edges (and the bye) can take that many of the k; the rest sit with each other.
    """
    total = 0
    for g, (low, high) in enumerate(parity.groups):
        outside = parity.odd[g] + (parity.odd[g - 1] if g else False) + (g == parity.bye_group)
        codes = field.label_codes[:, low:high]
        most = 0
        for code in set(codes.ravel().tolist()) - {-1}:
            holders = int((codes == code).any(axis=0).sum())
            left = holders - (high - low - holders) - outside
            most = max(most, (left + 1) // 2)
        total += most
    return total
