"""Make a round at tables of two as good as can be again, with the fewest new tables.

Few players: all best pairings are listed, and one that keeps most of the old tables is taken by lot.

More: the engine's draw says what the best costs. With that known, tables that no best round has are ruled
out (a rematch where none is needed, a bye for a player with other points), and where parity proves the best,
the field falls apart into chains of score groups. A part whose old tables reach the best keeps them. In
any other one exact matching minimises cost first, then new tables. A neighbourhood of the tables in question
is tried before that: it is enough if it reaches the best, and changes no more tables than the players without
a seat take by themselves. No matrix of all players is made unless all players are matched.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.byes import find_bye_candidates
from topcut.pairing.engine.costs import (
    AT_TWO,
    BY_NAME,
    FITS,
    add_weighed,
    build_cost_matrices,
    compute_cost,
    find_legal_tables,
    weigh_costs,
)
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, LookAhead, Pairings, find_best_pairings
from topcut.pairing.engine.field import Cost, Field, FieldPairing, Ints, NoPairing, Tables
from topcut.pairing.engine.matching import Costs, Unmatchable, match_cheapest
from topcut.pairing.engine.score_groups import find_parity
from topcut.pairing.engine.swiss import SOLVED_TO, FieldDraw

NOWHERE = -1
"""In the place of a mate: no table that could stay."""
NEAR = (64, 256)
"""Old tables in a neighbourhood: at first, and where that was not enough."""
CHUNK = 200
"""Tables that are costed at once."""

CostBuilder = Callable[[Field, Ints], Costs]
"""Returns what tables of a field cost, seats × seats, by its players' mates; −1 for tables that cannot be."""


@dataclass(frozen=True)
class RepairedPairs:
    """The tables of a field, and what is proved of them."""

    tables: Tables
    fewest: bool
    optimal: bool


def repair_pairs(rest: Field, mate: Ints, whole: Field, begun: Tables, stream: Stream) -> RepairedPairs:
    """Return the best pairing of `rest` that keeps most old tables; `NoPairing` where nothing is legal.

    `mate`: each player's mate at the old tables, `size` for a bye, NOWHERE for no table that could stay;
    `begun`: tables of the `whole` field that stay whatever they cost.
    """
    if rest.odd and not find_bye_candidates(rest).any():
        raise NoPairing("bye", rest)
    if rest.seats > EXHAUSTIVE_SEATS:
        return _repair_large(rest, mate, stream)
    best = _list_best(rest, whole, begun)
    kept = (mate[best.min(axis=2)] == best.max(axis=2)).sum(axis=1)
    most = np.flatnonzero(kept == kept.max())
    return RepairedPairs(best[most[stream.below(len(most))]], fewest=True, optimal=True)


def _list_best(rest: Field, whole: Field, begun: Tables) -> Pairings:
    """Return all best pairings of a few players, given the tables that have begun."""
    ahead = None
    if rest.size < whole.size:
        if rest.looks_ahead and whole.seats <= EXHAUSTIVE_SEATS:
            place = {int(player): seat for seat, player in enumerate(whole.players)}
            seats = [place[int(player)] for player in rest.players]
            ahead = LookAhead(whole, begun, np.array([*seats, whole.size], np.int64))
        else:
            rest = replace(rest, rules=replace(rest.rules, look_ahead=0))
    found = find_best_pairings(rest, ahead)
    if found is None:
        raise NoPairing("rematch", rest)
    return found.pairings


def _repair_large(field: Field, mate: Ints, stream: Stream) -> RepairedPairs:
    drawn = FieldDraw(field).draw(stream)
    if not drawn.optimal:
        return _repair_unproved(field, mate, drawn, stream)
    ends = [field.size]
    if chained := drawn.certificate["kind"] == "parity":
        # Tables cross odd edges only: (x + y)² > x² + y², and once is enough.
        parity = find_parity(field)
        ends = [high for (_, high), odd in zip(parity.groups, parity.odd, strict=True) if not odd]
    parts = [_Part(field, mate, drawn, np.arange(*ends), chained) for ends in pairwise([0, *ends])]
    tables, fewest = zip(*(part.repair(stream) for part in parts), strict=True)
    return RepairedPairs(np.concatenate(tables), all(fewest), optimal=True)


class _Part:
    """Some players of a field whose cost at best is known, and who meet nobody else in a best round."""

    def __init__(self, field: Field, mate: Ints, drawn: FieldPairing, members: Ints, chained: bool) -> None:
        self.field, self.mate = _restrict(field, mate, members)
        self.drawn = drawn.tables[np.isin(drawn.tables.min(axis=1), members)]
        self.to_whole = np.append(members, field.size)
        self.best = dict(drawn.cost)
        self.best_known = len(members) == field.size or not self.best["apart"]
        self.chained = chained
        self._points = -np.unique(-self.field.points)
        """The points of its score groups, falling."""
        if chained:
            self.best["score_gap_squared"] = int((np.diff(self._points) ** 2).sum())
        if not self.field.odd:
            self.best |= {component.name: 0 for component in AT_TWO if component.for_bye}

    def repair(self, stream: Stream) -> tuple[Tables, bool]:
        """Return its tables as positions in the whole field, and whether the fewest changes are proved."""
        field = self.field
        solvable = field.size <= SOLVED_TO
        if (self.mate == field.size).sum() <= 1:  # of several byes one can stay: which, the matching says
            rows, costs = _find_keepable(field, self.mate, self._build_costs)
            loose = field.seats - 2 * len(rows)
            if not loose and self._is_best(rows):
                return self.to_whole[rows], True
            # Players without a seat alone make half as many new tables. If that does not do, at least one
            # more table goes; if everybody has a seat, two, since the players of one make only the same.
            least = loose // 2 + 1 if loose else 2
            freed = [0] * bool(loose) + list(NEAR) * (field.size > 2 * NEAR[0])
            for tables in freed if self.best_known and loose <= 2 * NEAR[-1] else ():
                near = _seat_anew(field, self.mate, rows, costs, tables, self._build_costs, stream)
                if near is not None and self._is_best(near):
                    changed = int((self.mate[near.min(axis=1)] != near.max(axis=1)).sum())
                    fewest = tables == 0 or changed == least
                    if fewest or not solvable:
                        return self.to_whole[near], fewest
        if not solvable:
            return self.drawn, False
        found = _match(self._build_costs(field, self.mate), stream)
        assert found is not None  # the draw is one
        return self.to_whole[found], True

    def _is_best(self, rows: Tables) -> bool:
        return self.best_known and compute_cost(self.field, rows) == self.best

    def _build_costs(self, field: Field, mate: Ints) -> Costs:
        """Return what tables of these players cost, −1 for what no best round has.

        In a round that costs the best, everything after a component comes to no more than `above`: a
        weight of one more than that is enough for the others to cost more.
        """
        n, legal, matrices = field.size, find_legal_tables(field), build_cost_matrices(field)
        above = field.seats // 2
        weights: dict[str, int] = {}
        for name in reversed(matrices):
            matrix, best = matrices[name], self.best[name]
            if BY_NAME[name].for_bye:
                legal[n] &= matrix[n] == best
                legal[:, n] &= matrix[:, n] == best
                continue
            legal &= matrix <= best
            if best:
                weights[name] = above + 1
                above += weights[name] * best
        if self.chained:
            group = np.searchsorted(-self._points, -field.points)
            legal[:n, :n] &= abs(group[:, None] - group) <= 1
        return np.where(legal, add_weighed(_mark_new(field, mate), matrices, weights, above), -1)


def _repair_unproved(field: Field, mate: Ints, drawn: FieldPairing, stream: Stream) -> RepairedPairs:
    """Make only tables near those that cannot stay anew, where the best is not known.

    The draw takes their place if it has fewer second byes or rematches.
    """
    if (mate == field.size).sum() > 1:
        mate = np.where(mate == field.size, NOWHERE, mate)
    rows, costs = _find_keepable(field, mate, _cost_roughly)
    tables = drawn.tables
    if field.size - rows.size <= 2 * NEAR[0]:
        near = _seat_anew(field, mate, rows, costs, NEAR[0], _cost_exactly, stream)
        if near is not None and _list_hard(compute_cost(field, near)) <= _list_hard(drawn.cost):
            tables = near
    return RepairedPairs(tables, fewest=False, optimal=False)


def _list_hard(cost: Cost) -> list[int]:
    """Return the components that rules of their own are about: second byes, rematches."""
    return [cost[component.name] for component in AT_TWO if component.rule != "minimise"]


def _cost_roughly(field: Field, mate: Ints) -> Costs:
    """Return enough to tell which tables cost most, comparable whichever players are looked at."""
    costs = _mark_new(field, mate)
    for at, matrix in enumerate(reversed(build_cost_matrices(field).values()), start=1):
        costs += np.minimum(matrix, 255) << 8 * at
    return np.where(find_legal_tables(field), costs, -1)


def _cost_exactly(field: Field, mate: Ints) -> Costs:
    costs = weigh_costs(field)[0].astype(object)
    return np.where(costs < 0, -1, costs * (field.seats // 2 + 1) + _mark_new(field, mate))


# Some players of a field, and which of them sit together at the old tables


def are_legal(field: Field, rows: Tables) -> bool:
    """Return whether the hard rules let all of these tables be."""
    nobody = np.full(field.size, NOWHERE)
    costs = _cost_each(field, nobody, rows, lambda part, _: np.where(find_legal_tables(part), 0, -1))
    return bool((costs >= 0).all())


def _find_keepable(field: Field, mate: Ints, build: CostBuilder) -> tuple[Tables, Ints]:
    """Return the old tables that can stay, and what they cost."""
    rows = _list_old(mate, field)
    costs = _cost_each(field, mate, rows, build)
    return rows[costs >= 0], costs[costs >= 0]


def _seat_anew(
    field: Field, mate: Ints, rows: Tables, costs: Ints, tables: int, build: CostBuilder, stream: Stream
) -> Tables | None:
    """Return the whole round once some of the old tables are free; None if that leaves no way.

    The tables that cost most are freed first, then by lot one of each score group after the other.
    """
    seated = np.zeros(field.size + 1, bool)
    seated[rows] = True
    loose = np.flatnonzero(~seated[:-1])
    lots = stream.order(len(rows))
    rows, costs = rows[lots], costs[lots]
    sizes: Counter[int] = Counter()
    turn = []
    for points in field.points[rows[:, 0]].tolist():
        turn.append(sizes[points])
        sizes[points] += 1
    order = sorted(range(len(rows)), key=lambda i: (-costs[i], turn[i]))
    free, kept = rows[order[:tables]], rows[order[tables:]]
    anew = np.setdiff1d(np.concatenate([loose, free.ravel()]), [field.size])
    found = _match(build(*_restrict(field, mate, anew)), stream)
    return None if found is None else np.concatenate([kept, np.append(anew, field.size)[found]])


def _match(costs: Costs, stream: Stream) -> Tables | None:
    """Return the cheapest pairing, if any; seats come in the order of lots, so that no name decides."""
    order = stream.order(len(costs))
    found = match_cheapest(costs[np.ix_(order, order)])
    if isinstance(found, Unmatchable):
        return None
    rows = [(int(order[a]), int(order[b])) for a, b in enumerate(found.mate) if a < b]
    return np.sort(np.array(rows, np.int64).reshape(-1, 2), axis=1)


def _mark_new(field: Field, mate: Ints) -> Ints:
    """Return 1 for every new table, 0 for every old one."""
    found = np.ones((field.seats, field.seats), np.int64)
    rows = _list_old(mate, field)
    found[rows[:, 0], rows[:, 1]] = found[rows[:, 1], rows[:, 0]] = 0
    return found


def _list_old(mate: Ints, field: Field) -> Tables:
    """Return the old tables of these players; a bye only where there is one."""
    players = np.arange(field.size)
    here = (mate > players) & (mate < field.seats)
    return np.stack([players[here], mate[here]], axis=1)


def _cost_each(field: Field, mate: Ints, rows: Tables, build: CostBuilder) -> Costs:
    """Return what each of these tables costs, without a matrix of all players."""
    found: list[Any] = []
    for at in range(0, len(rows), CHUNK):
        some = rows[at : at + CHUNK]
        members = np.setdiff1d(some, [field.size])
        seat = np.searchsorted(members, some)
        found += build(*_restrict(field, mate, members))[seat[:, 0], seat[:, 1]].tolist()
    return np.array(found, object if any(cost >= FITS for cost in found) else np.int64)


def _restrict(field: Field, mate: Ints, members: Ints) -> tuple[Field, Ints]:
    """Return some players of a field, in its order, and who of them sit together at the old tables."""
    place = np.full(field.size + 1, len(members), np.int64)
    place[members] = np.arange(len(members))
    there = mate[members]
    away = (there == NOWHERE) | ((there < field.size) & (place[there] == len(members)))
    return field.restrict(members), np.where(away, NOWHERE, place[there])
