"""Draw the best pairing of one pool by lot, and prove that it is the best.

Small fields are compared as a whole. In larger ones every score group is paired within itself at first, but
for the tables that parity forces. Where no draw is found, the groups concerned become a window; if the
players it sends out leave a neighbouring group stuck, the window grows. What is left (a rematch that cannot
be avoided, divisions that have to mix) goes to one exact matching of everybody (docs/pairing.md).

With more than COUNTED_TO players, labels are kept apart after the draw: two players with the same points
change seats without changing any difference in points. Sweeps of such changes, all over the field, take
players who share a label apart; more of them, which leave the number of such tables alone, then mix the rest.
"""

from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.byes import find_bye_candidates
from topcut.pairing.engine.costs import AT_TWO, compute_cost, weigh_costs
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, BestPairings, find_best_pairings
from topcut.pairing.engine.field import Cost, Field, FieldPairing, Ints, NoPairing, Tables, Uniform
from topcut.pairing.engine.matching import Costs, Matching, Unmatchable, match_cheapest
from topcut.pairing.engine.sampling import (
    GroupDraw,
    GroupStuck,
    GroupTables,
    ScoreGroup,
    count_cheapest,
    mix_tables,
)
from topcut.pairing.engine.score_groups import Parity, Window, WindowClosed, WindowTables, find_parity

COUNTED_TO = 64
"""Up to this many players a draw that is only approximately uniform is tried by counting all pairings."""
SOLVED_TO = 2500
"""Up to this many players everything can be solved by one matching, in a few seconds at most."""
THINNED_TO = 40
"""Players of a score group of one division that go to the matching of a field above SOLVED_TO."""
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


class FieldDraw:
    """A field ready to be drawn, once or many times; what was found out stays known."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._compared: BestPairings | None = None
        self._large: LargeFieldDraw | None = None
        self._spreads = field.kept_apart and field.size > COUNTED_TO
        if field.odd and not find_bye_candidates(field).any():
            raise NoPairing("bye", field)
        if field.seats <= EXHAUSTIVE_SEATS:
            self._compared = find_best_pairings(field)
            if self._compared is None:
                raise NoPairing("rematch", field)
        elif all(component.by_groups or not component.is_minimised(field) for component in AT_TWO):
            self._large = LargeFieldDraw(replace(field, labels=()) if self._spreads else field)

    def draw(self, stream: Stream) -> FieldPairing:
        """Draw a round; it depends on the stream alone, however often others were drawn before."""
        field = self.field
        if self._compared is not None:
            return self._compared.draw(stream)
        if self._large is None and field.size > SOLVED_TO:
            return self._draw_thinned(stream)
        if self._large is not None and (drawn := self._large.draw(stream)) is not None:
            if self._spreads:
                drawn = self._spread(drawn, self._large.parity, stream)
                good = drawn.optimal or field.size > SOLVED_TO
            else:
                good = drawn.uniform == "exact" or field.size > COUNTED_TO or self._matched.uniform != "exact"
            if good:
                return drawn
        matched = self._matched
        return FieldPairing(field, matched.draw(stream), matched.cost, matched.uniform, matched.certificate)

    @cached_property
    def _matched(self) -> "MatchedPairings":
        if (matched := match_field(self.field)) is None:
            raise NoPairing("rematch", self.field)
        return matched

    def _spread(self, drawn: FieldPairing, parity: Parity, stream: Stream) -> FieldPairing:
        """Keep labels apart by sweeps, where groups are too large to be drawn again and again."""
        tables = spread_labels(self.field, drawn.tables, stream)
        apart = compute_cost(self.field, tables)["apart"]
        by_groups = drawn.certificate["kind"] == "parity"  # windows let more players leave their groups
        bound = bound_shared_labels(self.field, parity) if by_groups else 0
        cost, proof = drawn.cost | {"apart": apart}, drawn.certificate | {"apart": bound}
        return FieldPairing(self.field, tables, cost, "approximate", proof, optimal=apart == bound)

    def _draw_thinned(self, stream: Stream) -> FieldPairing:
        """Pair most of every large score group within itself, and the rest by one matching.

        The whole is legal and as good as that matching, but nothing proves that there is no better one.
        """
        field = self.field
        kept = np.ones(field.size, bool)
        parts: list[Tables] = []
        cells = field.division * (int(field.points[0]) + 1) + field.points
        for cell in np.unique(cells):
            members = np.flatnonzero(cells == cell)
            if len(members) <= 3 * THINNED_TO:
                continue
            inside = np.sort(members[stream.order(len(members))[THINNED_TO + len(members) % 2 :]])
            if (drawn := LargeFieldDraw(field.restrict(inside)).draw(stream)) is not None:
                parts.append(inside[drawn.tables])
                kept[inside] = False
        rest = np.flatnonzero(kept)
        if (matched := match_field(field.restrict(rest))) is None:
            raise NoPairing("rematch", field)
        tables = np.concatenate([*parts, np.append(rest, field.size)[matched.draw(stream)]])
        cost = compute_cost(field, tables)
        return FieldPairing(field, tables, cost, "approximate", {"kind": "none"}, optimal=False)


class MatchedPairings:
    """All cheapest pairings of a field, by one of them and the tables that any of them can have."""

    def __init__(self, field: Field, costs: Costs, weights: dict[str, int], found: Matching) -> None:
        self._costs = costs
        rows = [(a, b) for a, b in enumerate(found.mate) if a < b]
        self.first: Tables = np.array(rows, np.int64).reshape(-1, 2)
        self.cost: Cost = compute_cost(field, self.first)
        self.certificate = {"kind": "matching", "weights": weights, **found.proof}
        self.counted = count_cheapest(costs, found)
        self.uniform: Uniform = "approximate" if self.counted is None else "exact"

    def draw(self, stream: Stream) -> Tables:
        if self.counted is not None:
            return np.array(self.counted.draw(stream), np.int64).reshape(-1, 2)
        seats = np.arange(len(self._costs))
        return mix_tables(self.first, seats, seats, self._cost_table, stream)

    def _cost_table(self, a: int, b: int) -> int | None:
        cost = int(self._costs[a, b])
        return None if cost < 0 else cost


def match_field(field: Field) -> MatchedPairings | None:
    """Return the cheapest pairings of a field; None where the hard rules leave none."""
    costs, weights = weigh_costs(field)
    found = match_cheapest(costs)
    return None if isinstance(found, Unmatchable) else MatchedPairings(field, costs, weights, found)


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
                if (drawn := self._draw_chain(chain, stream)) is None:
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
            if not (joined and chains):
                chains.append([])
            chains[-1].append((g, group))
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
            if (window := self._find_window(first, last)) is not None:
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
        labels = set(codes.ravel().tolist()) - {-1}
        most = max((int((codes == label).any(axis=0).sum()) for label in labels), default=0)
        total += max(0, (2 * most - (high - low) - outside + 1) // 2)
    return total
