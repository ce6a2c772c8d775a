"""The fewest new tables of three and more that make a posted round as good as can be again.

Tables that can stay are freed, none at first, then every one, every two and so on; whoever has no table
then is seated as well as possible with the others kept, until the cost is that of the engine's own draw.
Up to MOST players this tries every way, so the first that is found changes the fewest tables: at most 2^m
choices of m ≤ 5 tables, each seated exactly (subsets.py). Of more players some choices near the tables in
question are tried, then windows that begin with the posted tables, then the draw is taken as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

import numpy as np

from topcut.lots import Stream
from topcut.pairing.matching import Matching, cheapest
from topcut.pairing.tables.improve import Improver
from topcut.pairing.tables.seat import Room, Seated
from topcut.pairing.tables.seating import Seating, TablesCost
from topcut.pairing.tables.subsets import MOST, Best

TRIED = 60
"""Choices of tables that are freed among more than MOST players."""
AROUND = 6
"""Tables near those in question that such choices are made from."""
PLACED_TO = 150
"""So many tables of one size are put in the best order there is, more by their players' standings."""

Table = list[int]


@dataclass(frozen=True)
class Reseated:
    """The tables of a pool from the top, and whether no fewer could have been changed."""

    seated: Seated
    fewest: bool


def as_seated(seating: Seating, tables: Sequence[Table]) -> Seating:
    """The seating with these tables' sizes in their order, where the lot decided where the others are."""
    return replace(seating, sizes=tuple(map(len, tables)))


def in_best_order(seating: Seating, tables: Sequence[Table]) -> list[Table] | None:
    """Tables from the top in the order that moves players least; None if their sizes are not right."""
    if Counter(map(len, tables)) != Counter(seating.sizes):
        return None
    placed = _placed(seating, tables, range(len(seating.sizes)))
    return [placed[number] for number in range(len(seating.sizes))]


def reseated(seating: Seating, standing: Sequence[Table], stream: Stream) -> Reseated:
    """The best seating that keeps most of the tables that are `standing`."""
    kept = [sorted(table) for table in standing if len(table) in seating.sizes]
    kept = [kept[i] for i in stream.order(len(kept)).tolist()]  # what comes first below is left to the lot
    best = Room(seating).draw(stream)
    unchanged = in_best_order(seating, kept)
    if unchanged is not None and seating.cost(unchanged) <= best.cost:
        return _found(best, unchanged, fewest=True)
    if seating.size <= MOST:
        return _every_choice(best, kept, stream)
    return _some_choices(best, kept, stream)


def _least(seating: Seating, standing: Sequence[Table]) -> int:
    """So many tables change at least: those of no size that stays, and those of whoever has none."""
    sizes = Counter(seating.sizes)
    stay = sizes & Counter(map(len, standing))
    loose = seating.size - sum(map(len, standing))
    return max(len(seating.sizes) - stay.total(), -(-loose // max(sizes)))


def _found(best: Seated, tables: list[Table], fewest: bool) -> Reseated:
    cost = best.seating.cost(tables)
    bound = best.cost if best.optimal else min(best.bound, cost)
    proof: dict[str, object] = {"kind": "repair"}
    seated = Seated(best.seating, tables, cost, bound, "approximate", proof)
    return Reseated(seated, fewest and seated.optimal)


def _every_choice(best: Seated, standing: list[Table], stream: Stream) -> Reseated:
    seating = best.seating
    for freed in range(len(standing) + 1):
        found: list[tuple[dict[int, Table], Best]] = []
        for kept in combinations(standing, len(standing) - freed):
            found += _ways(seating, kept, best.cost)
        if found:
            placed, rest = found[stream.below(len(found))]
            return _found(best, _joined(placed, rest, stream), fewest=True)
    raise AssertionError("the draw is a seating that keeps none")


def _ways(
    seating: Seating, kept: Sequence[Table], cost: TablesCost
) -> Iterator[tuple[dict[int, Table], Best]]:
    """The ways to place kept tables and seat everybody else that cost no more."""
    seated = {player for table in kept for player in table}
    free = [player for player in range(seating.size) if player not in seated]
    for numbers in _numbers(seating, kept):
        placed = _placed(seating, kept, numbers)
        so_far = _sum(seating, [seating.cost_of(number, table) for number, table in placed.items()])
        if so_far > cost or not free:
            continue
        rest = Best(seating, free, [k for k in range(len(seating.sizes)) if k not in placed])
        if seating.cost(_joined(placed, rest, Stream("", ""))) <= cost:
            yield placed, rest


def _numbers(seating: Seating, kept: Sequence[Table]) -> Iterator[list[int]]:
    """Every choice of places for so many tables of these sizes; none if they are too many of a size."""
    wanted = Counter(map(len, kept))
    choices = [
        combinations([k for k, size in enumerate(seating.sizes) if size == wanted_size], count)
        for wanted_size, count in sorted(wanted.items())
    ]
    for chosen in product(*choices):
        yield sorted(number for numbers in chosen for number in numbers)


def _sum(seating: Seating, costs: Sequence[TablesCost]) -> TablesCost:
    repeats = tuple(sum(cost.repeats[back] for cost in costs) for back in range(seating.rounds))
    return TablesCost(repeats, sum(cost.displacement for cost in costs), sum(cost.apart for cost in costs))


def _joined(placed: dict[int, Table], rest: Best, stream: Stream) -> list[Table]:
    drawn = rest.draw_tables(stream) if rest.players else []
    tables = placed | dict(zip(rest.numbers, drawn, strict=True))
    return [tables[number] for number in sorted(tables)]


def _some_choices(best: Seated, standing: list[Table], stream: Stream) -> Reseated:
    seating = best.seating
    choices = (kept for freed in range(AROUND) for kept in _near(seating, standing, freed))
    for kept in islice(choices, TRIED):
        tables = _seated_beside(seating, kept, stream)
        if tables is not None and seating.cost(tables) <= best.cost:
            changed = len(tables) - len(kept)
            return _found(best, tables, fewest=changed == _least(seating, standing))
    candidates = [best.tables]
    begun = _cut(seating, standing)
    if begun is not None:
        improver = Improver(seating, stream)
        improver.begin(begun)
        improver.follow()
        if seating.cost(improver.tables) <= best.cost:
            candidates.append(improver.tables)
    before = {tuple(table) for table in standing}
    most = max(candidates, key=lambda tables: sum(tuple(table) in before for table in tables))
    return _found(best, most, fewest=False)


def _near(seating: Seating, standing: list[Table], freed: int) -> Iterator[list[Table]]:
    """Some choices of tables to keep: those freed are near whoever has no table, or cost most."""
    seated = {player for table in standing for player in table}
    loose = [player for player in range(seating.size) if player not in seated]
    costs = {tuple(t): seating.cost_of(k, t) for k, t in enumerate(_cut(seating, standing) or [])}
    costly = [table for table in standing if tuple(table) in costs and costs[tuple(table)].any]
    costly.sort(key=lambda table: costs[tuple(table)], reverse=True)
    middle = np.mean(loose if loose or not costly else costly[0]) if loose or costly else 0
    others = [table for table in standing if table not in costly]
    others.sort(key=lambda table: abs(float(np.mean(table) - middle)))
    choice = [*costly[:AROUND], *others[:AROUND]]
    for some in combinations(choice, freed):
        if len(loose) + sum(map(len, some)) <= MOST:
            yield [table for table in standing if table not in some]


def _cut(seating: Seating, kept: Sequence[Table]) -> list[Table] | None:
    """Kept tables, and those who have none cut into tables in the order of standings."""
    seated = {player for table in kept for player in table}
    free = [player for player in range(seating.size) if player not in seated]
    sizes = Counter(seating.sizes)
    sizes.subtract(map(len, kept))
    if min(sizes.values()) < 0:
        return None
    parts = []
    for size in seating.sizes:
        if sizes[size] > 0:
            sizes[size] -= 1
            parts.append(free[:size])
            del free[:size]
    return seating.in_order([*kept, *parts])


def _seated_beside(seating: Seating, kept: Sequence[Table], stream: Stream) -> list[Table] | None:
    """Everybody else seated as well as possible, with kept tables where their players' standings put them."""
    tables = _cut(seating, kept)
    if tables is None:
        return None
    own = {tuple(table) for table in kept}
    placed = {k: table for k, table in enumerate(tables) if tuple(table) in own}
    free = sorted(player for k, table in enumerate(tables) if k not in placed for player in table)
    if not free or len(free) > MOST:
        return None
    rest = Best(seating, free, [k for k in range(len(tables)) if k not in placed])
    return in_best_order(seating, _joined(placed, rest, stream))


def _placed(seating: Seating, tables: Sequence[Table], numbers: Sequence[int]) -> dict[int, Table]:
    """Each table at one of these places of its size, so that players move least together."""
    placed: dict[int, Table] = {}
    middle = seating.first + seating.last
    for size in sorted(set(map(len, tables))):
        at = [k for k in numbers if seating.sizes[k] == size]
        these = sorted((sorted(t) for t in tables if len(t) == size), key=lambda t: (int(middle[t].sum()), t))
        if 1 < len(these) <= PLACED_TO:
            these = _least_moved(seating, these, at)
        placed |= dict(zip(at, these, strict=True))
    return placed


def _least_moved(seating: Seating, tables: list[Table], numbers: list[int]) -> list[Table]:
    """Tables of one size in the order of the places that each is given by a matching."""
    many, size = len(tables), len(tables[0])
    away = np.zeros((many, many), np.int64)
    for at in range(size):
        seats = [seating.starts[k] + at for k in numbers]
        away += seating.distances([table[at] for table in tables], seats)
    costs = np.full((2 * many, 2 * many), -1, np.int64)
    costs[:many, many:] = away
    costs[many:, :many] = away.T
    found = cheapest(costs)
    assert isinstance(found, Matching)
    return [tables[found.mate[many + place]] for place in range(many)]
