"""The fewest new tables of two that make a posted round as good as can be again.

Few players: all best pairings are listed, and one that keeps most posted tables is taken by lot.

More: the engine's draw says what the best costs. With that known, tables that no best round has are ruled
out (a rematch where none is needed, a bye for anybody with other points), and where parity proves the best,
the field falls apart into chains of score groups. A part whose posted tables reach the best keeps them. In
any other one exact matching minimises cost first, then tables that were not posted. A neighbourhood of the
tables in question is tried before that: it is enough if it reaches the best, and changes no more tables than
those who have no seat left take by themselves.

A matching of n seats is O(n⁴) at worst and far less in practice (matching.py); a draw is O(n).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topcut.lots import Stream
from topcut.pairing.costs import FITS, allowed, matrices, weighed
from topcut.pairing.exhaustive import SEATS, all_pairings, compare, rounds_kept_open
from topcut.pairing.field import Component, Cost, Field, Ints, Tables, cost_of, shown
from topcut.pairing.groups import eligible_for_bye, parity
from topcut.pairing.repair_parts import (
    NOWHERE,
    Costs,
    cost_of_each,
    matched,
    neighbourhood,
    only,
    posted_rows,
    unposted,
)
from topcut.pairing.swiss import SOLVED_TO, NoPairing, Paired, Pool

NEAR = (64, 256)
"""Posted tables in a neighbourhood, at first and then."""


@dataclass(frozen=True)
class Mended:
    """The tables of a field, and what is proved of them."""

    tables: Tables
    fewest: bool
    optimal: bool


def fewest_changes(rest: Field, mate: Ints, whole: Field, begun: Tables, stream: Stream) -> Mended:
    """The best pairing of `rest` that keeps most posted tables; `NoPairing` where nothing is legal.

    `mate`: beside whom each of them was posted, `size` for a bye, NOWHERE for no table that could stay;
    `begun`: tables of the `whole` field that stay whatever they cost.
    """
    if rest.odd and not eligible_for_bye(rest).any():
        raise NoPairing("bye", rest)
    if rest.size + rest.odd > SEATS:
        return _large(rest, mate, stream)
    best = _all_best(rest, whole, begun)
    kept = (mate[best.min(axis=2)] == best.max(axis=2)).sum(axis=1)
    most = np.flatnonzero(kept == kept.max())
    return Mended(best[most[stream.below(len(most))]], fewest=True, optimal=True)


# Few players


def _all_best(rest: Field, whole: Field, begun: Tables) -> NDArray[np.int64]:
    """All best pairings of a few players, given what has begun."""
    looks = rest.rules.look_ahead and whole.size + whole.odd <= SEATS
    if rest.size < whole.size:
        if looks and rest.met_counts and "dead_end" in rest.rules.minimise:
            return _all_looking_ahead(rest, whole, begun)
        rest = replace(rest, rules=replace(rest.rules, look_ahead=0))
    found = compare(rest)
    if found is None:
        raise NoPairing("rematch", rest)
    return found.pairings


def _all_looking_ahead(rest: Field, whole: Field, begun: Tables) -> NDArray[np.int64]:
    """The same where the rounds to come are everybody's, and the rest alone is still to be paired."""
    everything = all_pairings(rest.size + rest.odd)
    kept = everything[allowed(rest)[everything[:, :, 0], everything[:, :, 1]].all(axis=1)]
    if not len(kept):
        raise NoPairing("rematch", rest)
    order, by_component = rest.rules.minimise, matrices(rest)
    at = order.index("dead_end")
    sooner = _totals(kept, [by_component[c] for c in order[:at] if c in by_component])
    kept = kept[(sooner == min(map(tuple, sooner.tolist()))).all(axis=1)]
    later = _totals(kept, [by_component[c] for c in order[at + 1 :] if c in by_component])
    place = {int(player): seat for seat, player in enumerate(whole.players)}
    there = np.array([place[int(player)] for player in rest.players] + [whole.size], np.int64)

    def ahead(number: int) -> int:
        rows = np.concatenate([begun, there[kept[number]]])
        return rounds_kept_open(whole, rows[rows.max(axis=1) < whole.size + whole.odd])

    # Cheapest first: hardly ever more than a few have to be looked at.
    classes = [
        np.flatnonzero((later == cost).all(axis=1)) for cost in sorted(set(map(tuple, later.tolist())))
    ]
    best, furthest = classes[0], 0
    for numbers in classes:
        open_rounds = np.array([ahead(int(number)) for number in numbers])
        if open_rounds.max() > furthest:
            best, furthest = numbers[open_rounds == open_rounds.max()], int(open_rounds.max())
        if furthest == whole.rules.look_ahead:
            break
    survivors: NDArray[np.int64] = kept[best]
    return survivors


def _totals(pairings: NDArray[np.int64], components: list[Ints]) -> Ints:
    """Pairings × components."""
    sums = [matrix[pairings[:, :, 0], pairings[:, :, 1]].sum(axis=1) for matrix in components]
    return np.array(sums, np.int64).reshape(len(components), len(pairings)).T


# More players


def _large(field: Field, mate: Ints, stream: Stream) -> Mended:
    drawn = Pool(field).draw(stream)
    if not drawn.optimal:
        return _nearby(field, mate, drawn, stream)
    chained = drawn.certificate["kind"] == "parity"
    found = [_Part(field, mate, drawn, members, chained) for members in _parts(field, chained)]
    tables, fewest = zip(*(part.mended(stream) for part in found), strict=True)
    return Mended(np.concatenate(tables), all(fewest), optimal=True)


def _parts(field: Field, chained: bool) -> list[Ints]:
    """Those who can meet each other in a best round.

    Where parity proves the best, tables cross odd edges only: (x + y)² > x² + y², and once is enough.
    """
    if not chained:
        return [np.arange(field.size)]
    found = parity(field)
    ends = [high for (_, high), odd in zip(found.groups, found.odd, strict=True) if not odd]
    return [np.arange(low, high) for low, high in pairwise([0, *ends])]


class _Part:
    """Some players of a field whose cost at best is known, and who meet nobody else."""

    def __init__(self, field: Field, mate: Ints, drawn: Paired, members: Ints, chained: bool) -> None:
        self.field, self.mate = only(field, mate, members)
        self.drawn = drawn.tables[np.isin(drawn.tables.min(axis=1), members)]
        self.to_whole = np.append(members, field.size)
        self.best = dict(drawn.cost)
        self.best_known = len(members) == field.size or not self.best["apart"]
        if chained:
            edges = field.points[members][np.flatnonzero(np.diff(field.points[members]))]
            below = field.points[members][np.flatnonzero(np.diff(field.points[members])) + 1]
            self.best["score_gap_squared"] = int(((edges - below) ** 2).sum())
        if not self.field.odd:
            self.best |= {"second_byes": 0, "bye_points": 0}
        self.chained = chained

    def mended(self, stream: Stream) -> tuple[Tables, bool]:
        """Its tables as positions in the whole field, and whether the fewest changes are proved."""
        field = self.field
        if (self.mate == field.size).sum() > 1:  # only one of these byes can stay: which, the matching says
            if field.size > SOLVED_TO:
                return self.drawn, False
            return self._solved(stream), True
        rows, costs = self._standing()
        loose = field.size + field.odd - 2 * len(rows)
        if not loose and self._is_best(rows):
            return self.to_whole[rows], True
        # Those without a seat alone make half as many new tables. If that does not do, at least one more
        # table goes; and if nobody is without a seat, two, since the players of one make only the same.
        local = self.best_known and loose <= 2 * NEAR[-1]
        alone = self._near(rows, costs, 0, stream) if local and loose else None
        if alone is not None:
            return self.to_whole[alone], True
        least = loose // 2 + 1 if loose else 2
        solvable = field.size <= SOLVED_TO
        for tables in NEAR if local and field.size > 2 * NEAR[0] else ():
            near = self._near(rows, costs, tables, stream)
            if near is not None:
                fewest = self._changed(near) == least
                if fewest or not solvable:
                    return self.to_whole[near], fewest
        if not solvable:
            return self.drawn, False
        return self._solved(stream), True

    def _solved(self, stream: Stream) -> Tables:
        found = matched(self._costs(self.field, self.mate), stream)
        assert found is not None  # the draw is one
        solved: Tables = self.to_whole[found]
        return solved

    def _changed(self, rows: Tables) -> int:
        return int((self.mate[rows.min(axis=1)] != rows.max(axis=1)).sum())

    def _is_best(self, rows: Tables) -> bool:
        return self.best_known and shown(self.field, cost_of(self.field, rows)) == self.best

    def _standing(self) -> tuple[Tables, Ints]:
        """The posted tables that a best round can have, and what they cost."""
        rows = posted_rows(self.mate, self.field)
        costs = cost_of_each(self.field, self.mate, rows, self._costs)
        return rows[costs >= 0], costs[costs >= 0]

    def _near(self, rows: Tables, costs: Costs, tables: int, stream: Stream) -> Tables | None:
        """The best with only so many of the posted tables free; None if that is not the best there is."""
        free, kept = neighbourhood(self.field, rows, costs, tables, stream)
        some, mate = only(self.field, self.mate, free)
        found = matched(self._costs(some, mate), stream)
        if found is None:
            return None
        whole = np.concatenate([kept, np.append(free, self.field.size)[found]])
        return whole if self._is_best(whole) else None

    def _costs(self, field: Field, mate: Ints) -> Costs:
        """What tables of these players cost: NEVER for what no best round has, and else in order.

        In a round that costs the best, everything after a component comes to no more than `above`: a
        weight of one more than that is enough for the others to cost more.
        """
        n, legal, parts = field.size, allowed(field), matrices(field)
        above = (n + field.odd) // 2
        weights: dict[Component, int] = {}
        for component in reversed(list(parts)):
            matrix, best = parts[component], self.best[component]
            if component in ("second_byes", "bye_points"):
                legal[n] &= matrix[n] == best
                legal[:, n] &= matrix[:, n] == best
                continue
            legal &= matrix <= best
            if best:
                weights[component] = above + 1
                above += weights[component] * best
        if self.chained:
            group = np.searchsorted(-self._points, -field.points)
            legal[:n, :n] &= abs(group[:, None] - group) <= 1
        kind: Any = np.int64 if above < FITS else object
        costs: Costs = unposted(field, mate).astype(kind)
        for component, weight in weights.items():
            costs = costs + parts[component].astype(kind) * weight
        return np.where(legal, costs, -1)

    @property
    def _points(self) -> Ints:
        """The points of its score groups, falling."""
        return -np.unique(-self.field.points)


def _nearby(field: Field, mate: Ints, drawn: Paired, stream: Stream) -> Mended:
    """Where nobody knows the best: only tables near those that cannot stay are made anew.

    The draw takes their place if it has fewer second byes or rematches.
    """
    if (mate == field.size).sum() > 1:
        mate = np.where(mate == field.size, NOWHERE, mate)
    rows = posted_rows(mate, field)
    costs = cost_of_each(field, mate, rows, _roughly)
    rows, costs = rows[costs >= 0], costs[costs >= 0]
    if field.size - rows.size > 2 * NEAR[0]:
        return Mended(drawn.tables, fewest=False, optimal=False)
    free, kept = neighbourhood(field, rows, costs, NEAR[0], stream)
    some, near = only(field, mate, free)
    found = matched(_weighed(some, near), stream)
    if found is not None:
        tables = np.concatenate([kept, np.append(free, field.size)[found]])
        cost = shown(field, cost_of(field, tables))
        if _hard(cost) <= _hard(drawn.cost):
            return Mended(tables, fewest=False, optimal=False)
    return Mended(drawn.tables, fewest=False, optimal=False)


def _hard(cost: Cost) -> tuple[int, int]:
    return cost["second_byes"], cost["rematches"]


def _roughly(field: Field, mate: Ints) -> Costs:
    """Enough to tell which tables cost most, whoever else is looked at."""
    costs = unposted(field, mate)
    for at, matrix in enumerate(reversed(matrices(field).values()), start=1):
        costs += np.minimum(matrix, 255) << 8 * at
    return np.where(allowed(field), costs, -1)


def _weighed(field: Field, mate: Ints) -> Costs:
    costs = weighed(field).costs.astype(object)
    tables = (field.size + field.odd) // 2
    return np.where(costs < 0, -1, costs * (tables + 1) + unposted(field, mate))
