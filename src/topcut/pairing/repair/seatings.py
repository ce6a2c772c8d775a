"""Make a posted round at tables of three and more as good as can be again, with the fewest new tables.

Tables that can stay are freed, none at first, then every one, every two and so on; players without a table
are seated as well as possible with the others kept, until the cost is that of the engine's own draw. Up to
EXACT_PLAYERS this tries every way, so the first that is found changes the fewest tables: at most 2^m choices
of m ≤ 5 tables, each seated exactly. Of more players some choices near the tables in question are tried,
then windows that begin with the posted tables, then the draw is taken as it is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.matching import Matching, match_cheapest
from topcut.pairing.multiplayer.exact_seatings import EXACT_PLAYERS, ExactSeatings
from topcut.pairing.multiplayer.seating_draw import Seating, SeatingDraw
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField
from topcut.pairing.multiplayer.window_search import WindowSearch

TRIED = 60
"""Choices of tables that are freed among more than EXACT_PLAYERS."""
AROUND = 6
"""Tables near those in question that such choices are made from."""
PLACED_TO = 150
"""Up to this many tables of one size are put in the best order there is, more by their players' standings."""

Table = list[int]


@dataclass(frozen=True)
class RepairedSeating:
    """The tables of a pool from the top, and whether no fewer could have been changed."""

    seating: Seating
    fewest: bool


def resize(field: SeatingField, tables: Sequence[Table]) -> SeatingField:
    """Return the field with these tables' sizes in their order, where a lot put tables of another size."""
    return replace(field, sizes=tuple(map(len, tables)))


def order_tables(field: SeatingField, tables: Sequence[Table]) -> list[Table] | None:
    """Return tables from the top in the order that moves players least; None if their sizes are not right."""
    if Counter(map(len, tables)) != Counter(field.sizes):
        return None
    placed = _place_tables(field, tables, range(len(field.sizes)))
    return [placed[number] for number in range(len(field.sizes))]


def repair_seating(field: SeatingField, standing: Sequence[Table], stream: Stream) -> RepairedSeating:
    """Return the best seating that keeps most of the tables that are `standing`."""
    kept = [sorted(table) for table in standing if len(table) in field.sizes]
    kept = [kept[i] for i in stream.order(len(kept)).tolist()]  # what comes first below is left to the lot
    best = SeatingDraw(field).draw(stream)
    unchanged = order_tables(field, kept)
    if unchanged is not None and field.cost(unchanged) <= best.cost:
        return _judge(best, unchanged, fewest=True)
    if field.size <= EXACT_PLAYERS:
        return _try_every_choice(best, kept, stream)
    return _try_some_choices(best, kept, stream)


def _bound_changes(field: SeatingField, standing: Sequence[Table]) -> int:
    """Return how many tables change at least: of sizes that do not stay, of players without a table."""
    sizes = Counter(field.sizes)
    stay = sizes & Counter(map(len, standing))
    loose = field.size - sum(map(len, standing))
    return max(len(field.sizes) - stay.total(), -(-loose // max(sizes)))


def _judge(best: Seating, tables: list[Table], fewest: bool) -> RepairedSeating:
    cost = best.field.cost(tables)
    bound = best.cost if best.optimal else min(best.bound, cost)
    proof: dict[str, object] = {"kind": "repair"}
    seating = Seating(best.field, tables, cost, bound, "approximate", proof)
    return RepairedSeating(seating, fewest and seating.optimal)


def _try_every_choice(best: Seating, standing: list[Table], stream: Stream) -> RepairedSeating:
    field = best.field
    for freed in range(len(standing) + 1):
        found: list[tuple[dict[int, Table], ExactSeatings]] = []
        for kept in combinations(standing, len(standing) - freed):
            found += _list_ways(field, kept, best.cost)
        if found:
            placed, rest = found[stream.below(len(found))]
            return _judge(best, _join(placed, rest, stream), fewest=True)
    raise AssertionError("the draw is a seating that keeps none")


def _list_ways(
    field: SeatingField, kept: Sequence[Table], cost: SeatingCost
) -> Iterator[tuple[dict[int, Table], ExactSeatings]]:
    """Return the ways to place kept tables and seat everybody else that cost no more."""
    seated = {player for table in kept for player in table}
    free = [player for player in range(field.size) if player not in seated]
    for numbers in _list_places(field, kept):
        placed = _place_tables(field, kept, numbers)
        so_far = _add_costs(field, [field.cost_table(number, table) for number, table in placed.items()])
        if so_far > cost or not free:
            continue
        rest = ExactSeatings(field, free, [k for k in range(len(field.sizes)) if k not in placed])
        if field.cost(_join(placed, rest, Stream("", ""))) <= cost:
            yield placed, rest


def _list_places(field: SeatingField, kept: Sequence[Table]) -> Iterator[list[int]]:
    """Return every choice of places for tables of these sizes; none if they are too many of a size."""
    wanted = Counter(map(len, kept))
    choices = [
        combinations([k for k, size in enumerate(field.sizes) if size == wanted_size], count)
        for wanted_size, count in sorted(wanted.items())
    ]
    for chosen in product(*choices):
        yield sorted(number for numbers in chosen for number in numbers)


def _add_costs(field: SeatingField, costs: Sequence[SeatingCost]) -> SeatingCost:
    repeats = tuple(sum(cost.repeats[back] for cost in costs) for back in range(field.rounds))
    return SeatingCost(repeats, sum(cost.displacement for cost in costs), sum(cost.apart for cost in costs))


def _join(placed: dict[int, Table], rest: ExactSeatings, stream: Stream) -> list[Table]:
    drawn = rest.draw_tables(stream) if rest.players else []
    tables = placed | dict(zip(rest.numbers, drawn, strict=True))
    return [tables[number] for number in sorted(tables)]


def _try_some_choices(best: Seating, standing: list[Table], stream: Stream) -> RepairedSeating:
    field = best.field
    choices = (kept for freed in range(AROUND) for kept in _list_near(field, standing, freed))
    for kept in islice(choices, TRIED):
        tables = _seat_others(field, kept, stream)
        if tables is not None and field.cost(tables) <= best.cost:
            changed = len(tables) - len(kept)
            return _judge(best, tables, fewest=changed == _bound_changes(field, standing))
    candidates = [best.tables]
    begun = _fill_tables(field, standing)
    if begun is not None:
        search = WindowSearch(field, stream)
        search.begin(begun)
        search.follow()
        if field.cost(search.tables) <= best.cost:
            candidates.append(search.tables)
    before = {tuple(table) for table in standing}
    most = max(candidates, key=lambda tables: sum(tuple(table) in before for table in tables))
    return _judge(best, most, fewest=False)


def _list_near(field: SeatingField, standing: list[Table], freed: int) -> Iterator[list[Table]]:
    """Return some choices of tables to keep: those freed are near players without a table, or cost most."""
    seated = {player for table in standing for player in table}
    loose = [player for player in range(field.size) if player not in seated]
    costs = {tuple(t): field.cost_table(k, t) for k, t in enumerate(_fill_tables(field, standing) or [])}
    costly = [table for table in standing if tuple(table) in costs and costs[tuple(table)].any]
    costly.sort(key=lambda table: costs[tuple(table)], reverse=True)
    middle = np.mean(loose if loose or not costly else costly[0]) if loose or costly else 0
    others = [table for table in standing if table not in costly]
    others.sort(key=lambda table: abs(float(np.mean(table) - middle)))
    choice = [*costly[:AROUND], *others[:AROUND]]
    for some in combinations(choice, freed):
        if len(loose) + sum(map(len, some)) <= EXACT_PLAYERS:
            yield [table for table in standing if table not in some]


def _fill_tables(field: SeatingField, kept: Sequence[Table]) -> list[Table] | None:
    """Return kept tables, and tables of the other players in the order of standings."""
    seated = {player for table in kept for player in table}
    free = [player for player in range(field.size) if player not in seated]
    sizes = Counter(field.sizes)
    sizes.subtract(map(len, kept))
    if min(sizes.values()) < 0:
        return None
    parts = []
    for size in field.sizes:
        if sizes[size] > 0:
            sizes[size] -= 1
            parts.append(free[:size])
            del free[:size]
    return field.order_tables([*kept, *parts])


def _seat_others(field: SeatingField, kept: Sequence[Table], stream: Stream) -> list[Table] | None:
    """Seat everybody else as well as possible, with kept tables where their players' standings put them."""
    tables = _fill_tables(field, kept)
    if tables is None:
        return None
    own = {tuple(table) for table in kept}
    placed = {k: table for k, table in enumerate(tables) if tuple(table) in own}
    free = sorted(player for k, table in enumerate(tables) if k not in placed for player in table)
    if not free or len(free) > EXACT_PLAYERS:
        return None
    rest = ExactSeatings(field, free, [k for k in range(len(tables)) if k not in placed])
    return order_tables(field, _join(placed, rest, stream))


def _place_tables(field: SeatingField, tables: Sequence[Table], numbers: Sequence[int]) -> dict[int, Table]:
    """Put each table at one of these places of its size, so that players move least together."""
    placed: dict[int, Table] = {}
    middle = field.first + field.last
    for size in sorted(set(map(len, tables))):
        at = [k for k in numbers if field.sizes[k] == size]
        these = sorted((sorted(t) for t in tables if len(t) == size), key=lambda t: (int(middle[t].sum()), t))
        if 1 < len(these) <= PLACED_TO:
            these = _order_alike(field, these, at)
        placed |= dict(zip(at, these, strict=True))
    return placed


def _order_alike(field: SeatingField, tables: list[Table], numbers: list[int]) -> list[Table]:
    """Return tables of one size in the order of the places that each is given by a matching."""
    many, size = len(tables), len(tables[0])
    away = np.zeros((many, many), np.int64)
    for at in range(size):
        seats = [field.starts[k] + at for k in numbers]
        away += field.measure_distances([table[at] for table in tables], seats)
    costs = np.full((2 * many, 2 * many), -1, np.int64)
    costs[:many, many:] = away
    costs[many:, :many] = away.T
    found = match_cheapest(costs)
    assert isinstance(found, Matching)
    return [tables[found.mate[many + place]] for place in range(many)]
