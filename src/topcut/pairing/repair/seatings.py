"""Make a round at tables of three and more as good as can be again, with the fewest new tables.

Tables that can stay are freed, none at first, then every one, every two and so on; players without a table
are seated as well as possible with the others kept, until the cost is that of the engine's own draw. Up to
EXACT_PLAYERS this tries every way, so the first that is found changes the fewest tables: at most 2^m choices
of m ≤ 5 tables, each seated exactly. Of more players some choices near the tables in question are tried,
then windows that begin with the old tables, then the draw is taken as it is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

import numpy as np

from topcut.lots import Stream
from topcut.pairing.multiplayer.exact_seatings import EXACT_PLAYERS, ExactSeatings
from topcut.pairing.multiplayer.seating_draw import Seating, SeatingDraw, WindowSearch
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField, order_tables

TRIED = 60
"""Choices of tables that are freed among more than EXACT_PLAYERS."""
CANDIDATE_TABLES = 6
"""How many of the costliest and of the nearest tables are tried as tables to free."""

Table = list[int]
RepairedSeating = tuple[Seating, bool]
"""A seating, and whether it is proved that no fewer tables could have been changed."""


def repair_seating(field: SeatingField, old: Sequence[Table], stream: Stream) -> RepairedSeating:
    """Return the best seating that keeps most of the old tables."""
    kept = [sorted(table) for table in old if len(table) in field.sizes]
    kept = [kept[i] for i in stream.order(len(kept)).tolist()]  # what comes first below is left to the lot
    best = SeatingDraw(field).draw(stream)
    if Counter(map(len, kept)) == Counter(field.sizes):
        unchanged = order_tables(field, kept)
        if field.cost(unchanged) <= best.cost:
            return _judge(best, unchanged, fewest=True)
    if field.size <= EXACT_PLAYERS:
        return _try_every_choice(best, kept, stream)
    return _try_some_choices(best, kept, stream)


def _judge(best: Seating, tables: list[Table], fewest: bool) -> RepairedSeating:
    cost = best.field.cost(tables)
    bound = best.cost if best.optimal else min(best.bound, cost)
    seating = Seating(best.field, tables, cost, bound, "approximate", {"kind": "repair"})
    return seating, fewest and seating.optimal


def _try_every_choice(best: Seating, old: list[Table], stream: Stream) -> RepairedSeating:
    field = best.field
    for freed in range(len(old) + 1):
        found: list[tuple[dict[int, Table], ExactSeatings]] = []
        for kept in combinations(old, len(old) - freed):
            found += _list_ways(field, kept, best.cost)
        if found:
            placed, rest = found[stream.below(len(found))]
            return _judge(best, _join(placed, rest, stream), fewest=True)
    raise AssertionError("the draw is a seating that keeps none")


def _list_ways(
    field: SeatingField, kept: Sequence[Table], cost: SeatingCost
) -> Iterator[tuple[dict[int, Table], ExactSeatings]]:
    """Return the ways to place kept tables and seat the other players that cost no more."""
    free = _list_free(field, kept)
    for numbers in _list_places(field, kept) if free else ():
        placed = field.place_tables(kept, numbers)
        costs = [field.cost_table(number, table) for number, table in placed.items()]
        repeats = tuple(sum(one.repeats[back] for one in costs) for back in range(field.rounds))
        away, apart = sum(one.displacement for one in costs), sum(one.apart for one in costs)
        if SeatingCost(repeats, away, apart) <= cost:
            rest = ExactSeatings(field, free, [k for k in range(len(field.sizes)) if k not in placed])
            if field.cost(_join(placed, rest, Stream("", ""))) <= cost:
                yield placed, rest


def _list_free(field: SeatingField, kept: Sequence[Table]) -> list[int]:
    seated = {player for table in kept for player in table}
    return [player for player in range(field.size) if player not in seated]


def _list_places(field: SeatingField, kept: Sequence[Table]) -> Iterator[list[int]]:
    """Return every choice of places for tables of these sizes; none if they are too many of a size."""
    choices = [
        combinations([k for k, size in enumerate(field.sizes) if size == wanted], count)
        for wanted, count in sorted(Counter(map(len, kept)).items())
    ]
    for chosen in product(*choices):
        yield sorted(number for numbers in chosen for number in numbers)


def _join(placed: dict[int, Table], rest: ExactSeatings, stream: Stream) -> list[Table]:
    tables = placed | dict(zip(rest.numbers, rest.draw_tables(stream), strict=True))
    return [tables[number] for number in sorted(tables)]


def _try_some_choices(best: Seating, old: list[Table], stream: Stream) -> RepairedSeating:
    field = best.field
    # What changes at least: tables of sizes that do not stay, and tables for players without one.
    sizes = Counter(field.sizes)
    stay = sizes & Counter(map(len, old))
    least = max(len(field.sizes) - stay.total(), -(-len(_list_free(field, old)) // max(sizes)))
    choices = (kept for freed in range(CANDIDATE_TABLES) for kept in _list_near(field, old, freed))
    for kept in islice(choices, TRIED):
        tables = _seat_others(field, kept, stream)
        if tables is not None and field.cost(tables) <= best.cost:
            return _judge(best, tables, fewest=len(tables) - len(kept) == least)
    candidates = [best.tables]
    if (begun := _fill_tables(field, old)) is not None:
        search = WindowSearch(field, stream)
        search.begin(begun)
        search.follow()
        if field.cost(search.tables) <= best.cost:
            candidates.append(search.tables)
    before = {tuple(table) for table in old}
    most = max(candidates, key=lambda tables: sum(tuple(table) in before for table in tables))
    return _judge(best, most, fewest=False)


def _list_near(field: SeatingField, old: list[Table], freed: int) -> Iterator[list[Table]]:
    """Yield choices of tables to keep: the others are near players without a table, or cost most."""
    loose = _list_free(field, old)
    costs = {tuple(t): field.cost_table(k, t) for k, t in enumerate(_fill_tables(field, old) or [])}
    costly = [table for table in old if tuple(table) in costs and costs[tuple(table)].any]
    costly.sort(key=lambda table: costs[tuple(table)], reverse=True)
    middle = np.mean(loose if loose or not costly else costly[0]) if loose or costly else 0
    others = [table for table in old if table not in costly]
    others.sort(key=lambda table: abs(float(np.mean(table) - middle)))
    choice = [*costly[:CANDIDATE_TABLES], *others[:CANDIDATE_TABLES]]
    for some in combinations(choice, freed):
        if len(loose) + sum(map(len, some)) <= EXACT_PLAYERS:
            yield [table for table in old if table not in some]


def _fill_tables(field: SeatingField, kept: Sequence[Table]) -> list[Table] | None:
    """Return kept tables, and tables of the other players in the order of standings."""
    free = iter(_list_free(field, kept))
    sizes = Counter(field.sizes)
    sizes.subtract(map(len, kept))
    if min(sizes.values()) < 0:
        return None
    parts = []
    for size in field.sizes:
        if sizes[size] > 0:
            sizes[size] -= 1
            parts.append(list(islice(free, size)))
    return field.order_tables([*kept, *parts])


def _seat_others(field: SeatingField, kept: Sequence[Table], stream: Stream) -> list[Table] | None:
    """Seat the other players as well as possible, kept tables where their players' standings put them."""
    tables = _fill_tables(field, kept)
    if tables is None:
        return None
    own = {tuple(table) for table in kept}
    placed = {k: table for k, table in enumerate(tables) if tuple(table) in own}
    free = sorted(player for k, table in enumerate(tables) if k not in placed for player in table)
    if not 0 < len(free) <= EXACT_PLAYERS:
        return None
    rest = ExactSeatings(field, free, [k for k in range(len(tables)) if k not in placed])
    return order_tables(field, _join(placed, rest, stream))
