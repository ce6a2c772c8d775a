"""One pool of a posted round: its tables made as good as can be again, with reasons, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from topcut.errors import Impossible
from topcut.lots import Stream
from topcut.pairing.exhaustive import SEATS, compare, rounds_kept_open
from topcut.pairing.field import Cost, Field, Ints, Tables, cost_of, shown
from topcut.pairing.pair import Event
from topcut.pairing.paired import Drawn, Table
from topcut.pairing.pools import PoolOf
from topcut.pairing.repair_pairs import fewest_changes
from topcut.pairing.repair_parts import NOWHERE, legal
from topcut.pairing.repair_tables import as_seated, in_best_order, reseated
from topcut.pairing.swiss import NoPairing, Paired
from topcut.pairing.tables.round import TablesOf
from topcut.pairing.tables.why import TablesWhy
from topcut.pairing.why import Why

BEGUN = "it has begun already"
NEW = "a new table: as few as possible were changed"

Players = tuple[int, ...]


@dataclass(frozen=True)
class MendedPool:
    """One pool's part."""

    tables: list[Table]
    parts: list[Drawn]
    fewest: bool
    warnings: list[str]


def mended_pool(
    event: Event, seed: str, pool: PoolOf, posted: list[Players], begun: list[frozenset[int]]
) -> MendedPool:
    here = set(pool.players)
    playing = {player for table in begun for player in table}
    rest = replace(pool, players=[player for player in pool.players if player not in playing])
    inside = [tuple(sorted(table)) for table in begun if table <= here]
    waiting, old = set(rest.players), []
    for table in posted:
        if waiting.issuperset(table):  # somebody's second table cannot stay
            waiting.difference_update(table)
            old.append(table)
    stream = Stream(seed, f"repair/{event.history.rounds + 1}" + (f"/{pool.name}" if pool.name else ""))
    if event.book.tables is not None:
        return _at_tables(event, seed, pool, rest, inside, old, stream)
    if len(rest.players) % 2 and any(len(table) == 1 for table in inside):
        names = _names(event, rest.players)
        problem = f"a bye has begun already, and one of {names} would have another in the same round"
        raise Impossible(problem, rule=event.book.match.rule("byes"))
    return _in_pairs(event, pool, rest, inside, old, stream)


# Two at a table


def _in_pairs(
    event: Event, pool: PoolOf, rest: PoolOf, begun: list[Players], posted: list[Players], stream: Stream
) -> MendedPool:
    whole, field = event.field(pool), event.field(rest)
    done = _rows(whole, begun)
    try:
        found = fewest_changes(field, _mates(field, posted), whole, done, stream)
    except NoPairing as none:
        raise _impossible(event, none, field.size < whole.size) from None
    seats = np.searchsorted(np.sort(whole.players), field.players)
    there = np.append(np.argsort(whole.players)[seats], whole.size).astype(np.int64)
    rows = np.concatenate([done, there[found.tables]])
    cost = _shown(whole, rows)
    because = Why(event.history, event.book, pool, _paired(whole, rows, cost), event.unit)
    warned = because
    if (
        field.size < whole.size
    ):  # what cannot be avoided now might have been without the tables that have begun
        alone = _paired(field, found.tables, shown(field, cost_of(field, found.tables)))
        warned = Why(event.history, event.book, rest, alone, event.unit)
    before = {frozenset(table) for table in posted}
    tables = []
    for players, reasons in because.tables():
        why = (BEGUN,) if tuple(sorted(players)) in begun else reasons
        if tuple(sorted(players)) not in begun and frozenset(players) not in before:
            why = (*reasons, NEW)
        tables.append(Table(players, why, pool.name))
    part = Drawn(pool, event.unit, cost, found.optimal, "approximate", {"kind": "repair"})
    return MendedPool(tables, [part], found.fewest, warned.warnings())


def _paired(field: Field, rows: Tables, cost: Cost) -> Paired:
    return Paired(field, rows, cost, "approximate", {"kind": "repair"})


def _rows(field: Field, tables: Iterable[Players]) -> Tables:
    place = {int(player): at for at, player in enumerate(field.players)}
    rows = [sorted(place[player] for player in t) + [field.size] * (2 - len(t)) for t in tables]
    return np.array(rows, np.int64).reshape(-1, 2)


def _mates(field: Field, posted: list[Players]) -> Ints:
    """Beside whom everybody was posted."""
    mates = np.full(field.size + 1, NOWHERE, np.int64)
    rows = _rows(field, [table for table in posted if len(table) <= 2])
    mates[rows[:, 0]], mates[rows[:, 1]] = rows[:, 1], rows[:, 0]
    return mates[:-1]


def _shown(field: Field, rows: Tables) -> Cost:
    """The cost, and whether it is a dead end that another choice of everybody would have avoided."""
    cost = shown(field, cost_of(field, rows))
    seats = field.size + field.odd
    if field.rules.look_ahead and seats <= SEATS and (found := compare(field)) is not None:
        possible = rows[rows.max(axis=1) < seats]
        best = rounds_kept_open(field, found.pairings[0])
        cost["dead_end"] = int(rounds_kept_open(field, possible) < best)
    return cost


def _impossible(event: Event, none: NoPairing, begun: bool) -> Impossible:
    names = _names(event, none.field.players.tolist())
    beside = ", beside the tables that have begun" if begun else ""
    if none.cause == "bye":
        problem = f"one player must have a bye, and each has had one: {names}{beside}"
        return Impossible(problem, rule=event.rules.rule("second_bye"))
    problem = f"no pairing without a rematch is left for {names}{beside}"
    return Impossible(problem, rule=event.rules.rule("rematches"))


def _names(event: Event, players: Sequence[int]) -> str:
    names = [event.history.players[i].shown_name for i in players]
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def cost_in_pairs(event: Event, pool: PoolOf, tables: list[Players]) -> Drawn | None:
    field = event.field(pool)
    if max(map(len, tables)) > 2:
        return None
    rows = _rows(field, tables)
    alone = rows[rows[:, 1] == field.size]
    if len(alone) != field.odd or not legal(field, rows):
        return None
    return Drawn(pool, event.unit, _shown(field, rows), True, "exact", {})


# Three and more at a table


def _at_tables(
    event: Event,
    seed: str,
    pool: PoolOf,
    rest: PoolOf,
    begun: list[Players],
    posted: list[Players],
    stream: Stream,
) -> MendedPool:
    done = [Table(table, (BEGUN,), pool.name) for table in begun]
    if not rest.players:
        cost = cost_at_tables(event, seed, pool, begun)
        return MendedPool(done, [] if cost is None else [cost], True, [])
    everybody = len(rest.players) == len(pool.players)
    of = event.room(pool, seed) if everybody else _room(event, rest, seed)
    place = {int(player): at for at, player in enumerate(of.seating.players)}
    standing = [[place[player] for player in table] for table in posted]
    seating = of.seating
    if _sizes_by_lot(event) and sorted(map(len, standing)) == sorted(seating.sizes):
        seating = as_seated(seating, standing)
    found = reseated(seating, standing, stream)
    seated = found.seated
    why = TablesWhy(event.history, event.book, rest, seated)
    before = {frozenset(table) for table in posted}
    tables = []
    for number, table in enumerate(seated.tables):
        players = tuple(seating.players[np.array(table)].tolist())
        reasons = why.table(number)
        tables.append(Table(players, reasons if frozenset(players) in before else (*reasons, NEW), pool.name))
    part = Drawn(
        pool,
        event.unit,
        of.cost(seated.tables, seated.cost),
        seated.optimal,
        "approximate",
        {"kind": "repair"},
        of.by_round(seated.cost),
    )
    if not everybody:
        whole = cost_at_tables(event, seed, pool, [table.players for table in [*done, *tables]])
        part = part if whole is None else replace(whole, optimal=seated.optimal)
    return MendedPool([*done, *tables], [part], found.fewest, [*of.notes, *why.warnings()])


def _room(event: Event, rest: PoolOf, seed: str) -> TablesOf:
    """Those beside the tables that have begun, however few they are."""
    assert event.book.tables is not None
    rule = msgspec.structs.replace(event.book.tables, recommended_from=0)
    book = msgspec.structs.replace(event.book, tables=rule)
    return TablesOf(event.history, book, rest, seed, event.points, event.unit)


def _sizes_by_lot(event: Event) -> bool:
    return event.book.tables is not None and event.book.tables.others == "random"


def cost_at_tables(event: Event, seed: str, pool: PoolOf, posted: list[Players]) -> Drawn | None:
    """What tables of everybody cost in their best order; None if their sizes are not right."""
    try:
        of = event.room(pool, seed)
    except Impossible:
        return None
    place = {int(player): at for at, player in enumerate(of.seating.players)}
    tables = [sorted(place[player] for player in table) for table in posted]
    seating = as_seated(of.seating, tables) if _sizes_by_lot(event) else of.seating
    ordered = in_best_order(seating, tables)
    if ordered is None or sorted(map(len, tables)) != sorted(of.seating.sizes):
        return None
    cost = seating.cost(ordered)
    return Drawn(pool, event.unit, of.cost(ordered, cost), True, "exact", {}, of.by_round(cost))
