"""Draw the best pairing of one pool by lot, and prove that it is the best.

Small fields are compared as a whole. Larger ones are drawn score group by score group, with windows
where that is not enough; what is left (a rematch that cannot be avoided, divisions that have to mix)
goes to one exact matching of everybody.

The proof of a matching is its dual solution: a potential for every seat and a weight for some odd sets of
seats. For any table the potentials of its two seats and the weights of the sets that hold exactly one of
them add up to at most twice its cost, so all of them together bound twice what every pairing costs; and
that bound is reached.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.costs import AT_TWO, compute_cost, weigh_costs
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, BestPairings, find_best_pairings
from topcut.pairing.engine.field import Cost, Field, FieldPairing, NoPairing, Tables, Uniform
from topcut.pairing.engine.large_field import LargeFieldDraw, bound_shared_labels, spread_labels
from topcut.pairing.engine.matching import Costs, Matching, Unmatchable, match_cheapest
from topcut.pairing.engine.sampling import count_cheapest, mix_tables
from topcut.pairing.engine.score_groups import find_bye_candidates

COUNTED_TO = 64
"""Up to this many players a draw that is only approximately uniform is tried by counting all pairings."""
SOLVED_TO = 2500
"""Up to this many players everything can be solved by one matching, in a few seconds at most."""
THINNED_TO = 40
"""Players of a score group of one division that go to the matching of a field above SOLVED_TO."""


class FieldDraw:
    """A field ready to be drawn, once or many times; what was found out stays known."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._compared: BestPairings | None = None
        self._large: LargeFieldDraw | None = None
        self._spreads = False
        if field.odd and not find_bye_candidates(field).any():
            raise NoPairing("bye", field)
        if field.seats <= EXHAUSTIVE_SEATS:
            self._compared = find_best_pairings(field)
            if self._compared is None:
                raise NoPairing("rematch", field)
        elif all(component.by_groups or not component.is_minimised(field) for component in AT_TWO):
            self._spreads = field.kept_apart and field.size > COUNTED_TO
            self._large = LargeFieldDraw(replace(field, labels=()) if self._spreads else field)

    def draw(self, stream: Stream) -> FieldPairing:
        """Draw a round; it depends on the stream alone, however often others were drawn before."""
        field = self.field
        if self._compared is not None:
            return self._compared.draw(stream)
        if self._large is None and field.size > SOLVED_TO:
            return self._draw_thinned(stream)
        drawn = self._large.draw(stream) if self._large is not None else None
        if drawn is not None and self._spreads:
            drawn = self._spread(drawn, stream)
            if drawn.optimal or field.size > SOLVED_TO:
                return drawn
        elif drawn is not None:
            small = field.size <= COUNTED_TO
            if drawn.uniform == "exact" or not small or self._matched.uniform != "exact":
                return drawn
        matched = self._matched
        return FieldPairing(field, matched.draw(stream), matched.cost, matched.uniform, matched.certificate)

    @cached_property
    def _matched(self) -> MatchedPairings:
        if (matched := match_field(self.field)) is None:
            raise NoPairing("rematch", self.field)
        return matched

    def _spread(self, drawn: FieldPairing, stream: Stream) -> FieldPairing:
        """Keep labels apart by sweeps, where groups are too large to be drawn again and again."""
        assert self._large is not None
        tables = spread_labels(self.field, drawn.tables, stream)
        apart = compute_cost(self.field, tables)["apart"]
        bound = 0
        if drawn.certificate["kind"] == "parity":  # windows let more players leave their groups
            bound = bound_shared_labels(self.field, self._large.parity)
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
            drawn = LargeFieldDraw(field.restrict(inside)).draw(stream)
            if drawn is not None:
                parts.append(inside[drawn.tables])
                kept[inside] = False
        rest = np.flatnonzero(kept)
        if (matched := match_field(field.restrict(rest))) is None:
            raise NoPairing("rematch", field)
        parts.append(np.append(rest, field.size)[matched.draw(stream)])
        tables = np.concatenate(parts)
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
