"""What is the least to change in a round that is posted but has not begun?

A result was corrected, somebody left or came (PK-59). Of all pairings that keep the tables which have
begun, obey the hard rules and cost as little as any such pairing can, `repaired` takes one with the fewest
tables that were not posted; a bye is a table of one. Pool by pool, as the engine pairs:

    repaired(event, seed, posted=[(0, 1), (2, 3), (4,)], fixed=[(0, 1)])

Tables that have begun are as if their players were not there, but for the look ahead in small pools, which
is about everybody.

Among equally few changes lots decide, from the stream `repair/ROUND`, or `repair/ROUND/POOL` where there are
several pools. Up to twelve seats all are equally likely; beyond, seats go into the matching in an order of
lots: neither names nor the order of a file favour anybody, though not all need be equally likely.

repair_pairs.py and repair_tables.py say how, and what it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from topcut.errors import Impossible
from topcut.pairing.answer import total_cost
from topcut.pairing.pair import Event
from topcut.pairing.paired import Drawn, Pairing, Table
from topcut.pairing.repair_pools import BEGUN, Players, cost_at_tables, cost_in_pairs, mended_pool

LOTS = 16
"""A chart leaves at most one place to a lot; so often drawn, both ways come up."""


@dataclass(frozen=True)
class Repair:
    """A posted round made as good as can be again."""

    tables: list[Table]
    """The whole round; kept tables in their old order, new ones where others are gone, byes last."""
    changed: list[Players]
    """The tables that were not posted."""
    gone: list[Players]
    """The posted tables that are no more."""
    before: dict[str, Any] | None
    """What the posted round costs now; None if it is not legal any more."""
    cost: dict[str, Any]
    fewest: bool
    """Whether it is proved that fewer changes would not do."""
    optimal: bool
    """Whether it is proved that nothing costs less beside the tables that have begun."""
    warnings: list[str]
    drawn: dict[str, dict[str, int]]
    """Flights, pods or seats that were drawn for it: player id to number."""


def repaired(
    event: Event, seed: str, posted: Sequence[Sequence[int]], fixed: Sequence[Sequence[int]] = ()
) -> Repair:
    """The posted round with the fewest new tables that make it legal and as good as can be.

    `event`: as it is now, before the round that is repaired; `posted`: its tables, from the top; `fixed`:
    those of them that have begun. Where standings or table sizes need lots, `seed` should be the one the
    round was drawn with. `Impossible` where nothing is legal.
    """
    old, begun = [tuple(table) for table in posted], [frozenset(table) for table in fixed]
    if not set(begun) <= {frozenset(table) for table in old}:
        raise ValueError("a table that has begun was never posted")
    charted = _by_chart(event, seed, old, begun)
    if charted is not None:
        return _answer(event, seed, old, charted.tables, charted, True)
    laid_out = event.layout(seed)
    mended = [mended_pool(event, seed, pool, old, begun) for pool in laid_out.pools]
    tables = [table for pool in mended for table in pool.tables]
    seated = {frozenset(table.players) for table in tables}
    tables += [Table(table, (BEGUN,), "") for table in old if frozenset(table) in set(begun) - seated]
    warnings = [warning for pool in mended for warning in pool.warnings]
    parts = [part for pool in mended for part in pool.parts]
    whole = Pairing(event.history.rounds + 1, seed, tables, parts, warnings, laid_out.drawn)
    return _answer(event, seed, old, tables, whole, all(pool.fewest for pool in mended))


def _answer(
    event: Event, seed: str, posted: list[Players], tables: list[Table], whole: Pairing, fewest: bool
) -> Repair:
    now, before = ({frozenset(t) for t in some} for some in ([t.players for t in tables], posted))
    ordered = _in_order(posted, tables)
    return Repair(
        tables=ordered,
        changed=[table.players for table in ordered if frozenset(table.players) not in before],
        gone=[table for table in posted if frozenset(table) not in now],
        before=as_posted(event, seed, posted),
        cost=total_cost(whole.parts),
        fewest=fewest,
        optimal=all(part.optimal for part in whole.parts),
        warnings=whole.warnings,
        drawn=whole.drawn,
    )


def _in_order(posted: list[Players], tables: list[Table]) -> list[Table]:
    """Kept tables in their old order; new ones fill the gaps of their pool, then come after; byes last."""
    old = {frozenset(table): table for table in posted}
    kept = {frozenset(table.players): table for table in tables if frozenset(table.players) in old}
    fresh = [table for table in tables if frozenset(table.players) not in old]
    pool_of = {player: table.pool for table in tables for player in table.players}
    ordered: list[Table] = []
    for players in posted:
        if frozenset(players) in kept:
            ordered.append(replace(kept[frozenset(players)], players=players))
            continue
        pools = {pool_of[player] for player in players if player in pool_of}
        fits = (table for table in fresh if table.pool in pools and len(table.players) > 1)
        filled = next(fits, None)
        if filled is not None:
            fresh.remove(filled)
            ordered.append(filled)
    return sorted([*ordered, *fresh], key=lambda table: len(table.players) == 1)


# By a chart


def _by_chart(
    event: Event, seed: str, posted: list[Players], begun: Iterable[frozenset[int]]
) -> Pairing | None:
    """The round of the chart that is most like the posted one; None where no chart applies."""
    chart = event.rules.chart
    if chart is None:
        return None
    found = [event.pair(seed)]
    if any(part.certificate["kind"] != "chart" for part in found[0].parts):
        return None
    if not found[0].drawn:
        found += [event.pair(f"{seed}/{lot}") for lot in range(LOTS)]
    before = {frozenset(table) for table in posted}
    kept = [{frozenset(table.players) for table in pairing.tables} & before for pairing in found]
    likely = [number for number in range(len(found)) if set(begun) <= kept[number]]
    if not likely:
        problem = "the chart has other tables now than those that have begun"
        raise Impossible(problem, rule=event.rules.rule("chart"))
    return found[max(likely, key=lambda number: (len(kept[number]), -number))]


# As it was posted


def as_posted(event: Event, seed: str, posted: Sequence[Sequence[int]]) -> dict[str, Any] | None:
    """What a posted round costs as the event is now; None if it is not legal any more.

    It is not if somebody who left sits in it, if somebody who takes part sits nowhere or twice, if players
    of two pools meet, or if a hard rule is broken.
    """
    old = [tuple(table) for table in posted]
    seated = sorted(player for table in old for player in table)
    if seated != sorted(int(player) for player in event.active):
        return None
    if event.rules.chart is not None:
        charted = _by_chart(event, seed, old, ())
        if charted is not None:
            same = {frozenset(table.players) for table in charted.tables} == {frozenset(t) for t in old}
            return total_cost(charted.parts) if same else None
    parts: list[Drawn] = []
    for pool in event.layout(seed).pools:
        members = set(pool.players)
        here = [table for table in old if members.issuperset(table)]
        if sum(map(len, here)) < len(pool.players):
            return None
        if event.book.tables is not None:
            part = cost_at_tables(event, seed, pool, here)
        else:
            part = cost_in_pairs(event, pool, here)
        if part is None:
            return None
        parts.append(part)
    return total_cost(parts)
