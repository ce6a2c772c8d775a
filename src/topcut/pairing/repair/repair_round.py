"""Repair a round that is paired but has not begun: change the fewest tables that make it right again.

A result was corrected, a player left or came (PK-59). Of all pairings that keep the tables which have
begun, obey the hard rules and cost as little as any such pairing can, `repair_round` takes one with the
fewest new tables; a bye is a table of one. Pool by pool, as the engine pairs:

    repair_round(draw, seed, old=[(0, 1), (2, 3), (4,)], begun=[(0, 1)])

Tables that have begun stay, and the rest is paired as if their players were not there. Only the look ahead of
small pools counts all players.

Among equally few changes lots decide, from the stream `repair/ROUND`, or `repair/ROUND/POOL` where there are
several pools. Up to twelve seats all are equally likely; beyond, seats go into the matching in an order of
lots: neither names nor the order of a file favour anybody, though not all need be equally likely.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from topcut.errors import Impossible
from topcut.pairing.engine.costs import compute_cost
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, find_best_pairings, is_dead_end
from topcut.pairing.engine.field import Cost, Field, FieldPairing, NoPairing, Tables
from topcut.pairing.model import DrawnTable, PoolPairing, RoundPairing, sum_costs
from topcut.pairing.multiplayer.pool import MultiplayerPool
from topcut.pairing.multiplayer.seating_field import order_tables
from topcut.pairing.pools import PairingPool
from topcut.pairing.reasons import PairReasons, SeatingReasons
from topcut.pairing.repair.pairs import NOWHERE, are_legal, repair_pairs
from topcut.pairing.repair.seatings import repair_seating
from topcut.pairing.round_draw import RoundDraw, list_awarded_byes
from topcut.text.messages import say

BEGUN = say("this table has already started")
NEW = say("new table: as few tables as possible were changed")
LOTS = 16
"""A chart leaves at most one place to a lot; in this many draws both ways come up."""

Players = tuple[int, ...]


@dataclass(frozen=True)
class RoundRepair:
    """A round after the fewest changes that make it as good as can be again."""

    tables: list[DrawnTable]
    """The whole round; kept tables in their old order, new ones where others are gone, byes last."""
    cost: dict[str, Any]
    fewest: bool
    """Whether it is proved that fewer changes would not do."""
    optimal: bool
    """Whether it is proved that nothing costs less beside the tables that have begun."""
    drawn: dict[str, dict[str, int]]
    """Flights, pods or seats that were drawn for it: player id to number."""


def repair_round(
    draw: RoundDraw, seed: str, old: Sequence[Sequence[int]], begun: Sequence[Sequence[int]] = ()
) -> RoundRepair:
    """Return the round with the fewest new tables that make it legal and as good as can be.

    `draw`: the round as it would be drawn now; `old`: its tables so far, from the top; `begun`: the tables
    among them that have begun. Where standings or table sizes need lots, `seed` should be the one the round
    was drawn with. `Impossible` where nothing is legal.
    """
    before, playing = [tuple(table) for table in old], [frozenset(table) for table in begun]
    if not set(map(frozenset, before)).issuperset(playing):
        raise ValueError("a table that has begun is no table of the round")
    if (whole := _repair_by_chart(draw, seed, before, playing)) is not None:
        tables, parts, fewest, drawn = whole.tables, whole.parts, True, whole.drawn
    else:
        laid_out = draw.lay_out_pools(seed)
        pools = [_PoolRepair(draw, seed, pool, before, playing) for pool in laid_out.pools]
        tables = [table for pool in pools for table in pool.tables] + list_awarded_byes(laid_out)
        elsewhere = set(playing) - {frozenset(table.players) for table in tables}
        tables += [DrawnTable(table, (BEGUN,), "") for table in before if frozenset(table) in elsewhere]
        parts = [pool.part for pool in pools if pool.part is not None]
        fewest, drawn = all(pool.fewest for pool in pools), laid_out.drawn
    optimal = all(part.optimal for part in parts)
    return RoundRepair(_keep_order(before, tables), sum_costs(parts), fewest, optimal, drawn)


def _keep_order(old: list[Players], tables: list[DrawnTable]) -> list[DrawnTable]:
    """Return kept tables in their old order; new ones fill gaps of their pool or come after; byes last."""
    by_players = {frozenset(table.players): table for table in tables}
    kept_players = set(map(frozenset, old))
    fresh = [table for players, table in by_players.items() if players not in kept_players]
    pool_of = {player: table.pool for table in tables for player in table.players}
    ordered: list[DrawnTable] = []
    for players in old:
        if kept := by_players.get(frozenset(players)):
            ordered.append(replace(kept, players=players))
            continue
        pools = {pool_of[player] for player in players if player in pool_of}
        fits = (table for table in fresh if table.pool in pools and len(table.players) > 1)
        if filled := next(fits, None):
            fresh.remove(filled)
            ordered.append(filled)
    return sorted([*ordered, *fresh], key=lambda table: len(table.players) == 1)


def _repair_by_chart(
    draw: RoundDraw, seed: str, old: list[Players], begun: Iterable[frozenset[int]]
) -> RoundPairing | None:
    """Return the round of the chart that is most like the old one; None where no chart applies."""
    if draw.rules.chart is None:
        return None
    found = [draw.pair(seed)]
    if any(part.certificate["kind"] != "chart" for part in found[0].parts):
        return None
    if not found[0].drawn:
        found += [draw.pair(f"{seed}/{lot}") for lot in range(LOTS)]
    before = set(map(frozenset, old))
    kept = [before & {frozenset(table.players) for table in pairing.tables} for pairing in found]
    likely = [number for number in range(len(found)) if kept[number].issuperset(begun)]
    if not likely:
        problem = say("The chart no longer has the tables that have already started.")
        raise Impossible(problem, rule=draw.rules.rule("chart"))
    return found[max(likely, key=lambda number: len(kept[number]))]


def cost_unchanged(draw: RoundDraw, seed: str, tables: Sequence[Sequence[int]]) -> dict[str, Any] | None:
    """Return what the tables of a round cost as the event is now; None if they are not legal any more.

    They are not if a player who left sits there, if one who takes part sits nowhere or twice, if players of
    two pools meet, or if a hard rule is broken.
    """
    old = [tuple(table) for table in tables]
    seated = sorted(player for table in old for player in table)
    if seated != sorted(int(player) for player in draw.active):
        return None
    if (by_chart := _repair_by_chart(draw, seed, old, ())) is not None:
        same = {frozenset(table.players) for table in by_chart.tables} == set(map(frozenset, old))
        return sum_costs(by_chart.parts) if same else None
    parts: list[PoolPairing] = []
    for pool in draw.lay_out_pools(seed).pools:
        members = set(pool.players)
        here = [table for table in old if members.issuperset(table)]
        if sum(map(len, here)) < len(pool.players):
            return None
        multiplayer = draw.book.tables is not None
        if multiplayer:
            alone = [table[0] for table in here if len(table) == 1]
            rest, out = draw.seat_out(pool, seed, kept=alone)
            if sorted(out) != sorted(alone):
                return None
            part = _cost_seating(draw, seed, rest, [table for table in here if len(table) > 1])
        else:
            part = _cost_pairs(draw, pool, here)
        if part is None:
            return None
        parts.append(part)
    return sum_costs(parts)


class _PoolRepair:
    """One pool of the round: the tables that stay beside those that have begun, and the new ones."""

    def __init__(
        self,
        draw: RoundDraw,
        seed: str,
        pool: PairingPool,
        old: list[Players],
        begun: list[frozenset[int]],
    ) -> None:
        self.draw, self.seed, self.pool = draw, seed, pool
        self.tables: list[DrawnTable] = []
        self.part: PoolPairing | None = None
        self.fewest = True
        playing = {player for table in begun for player in table}
        self._rest = replace(pool, players=[player for player in pool.players if player not in playing])
        self._begun = [tuple(sorted(table)) for table in begun if table <= set(pool.players)]
        self._old: list[Players] = []
        waiting = set(self._rest.players)
        for table in old:
            if waiting.issuperset(table):  # a player's second table cannot stay
                waiting.difference_update(table)
                self._old.append(table)
        self._stream = draw.open_stream(seed, pool, "repair")
        if draw.book.tables is not None:
            self._repair_seating()
        else:
            self._repair_pairs()

    def _add_tables(self, tables: Iterable[DrawnTable]) -> None:
        """Add tables, with a reason more for each that has begun or is new."""
        old = set(map(frozenset, self._old))
        for table in tables:
            why = table.why if frozenset(table.players) in old else (*table.why, NEW)
            why = (BEGUN,) if tuple(sorted(table.players)) in self._begun else why
            self.tables.append(DrawnTable(table.players, why, self.pool.title))

    def _repair_pairs(self) -> None:
        draw, rest = self.draw, self._rest
        if len(rest.players) % 2 and any(len(table) == 1 for table in self._begun):
            problem = say(
                "One player already has the bye of this round, "
                "but one of these players would need a bye too: {players}.",
                players=draw.list_names(rest.players),
            )
            raise Impossible(problem, rule=draw.book.match.rule("byes"))
        whole, field = draw.build_field(self.pool), draw.build_field(rest)
        mates = np.full(field.size + 1, NOWHERE, np.int64)
        rows = field.to_rows(table for table in self._old if len(table) <= 2)
        mates[rows[:, 0]], mates[rows[:, 1]] = rows[:, 1], rows[:, 0]
        try:
            found = repair_pairs(field, mates[:-1], whole, whole.to_rows(self._begun), self._stream)
        except NoPairing as none:
            raise draw.explain_impossible(none, begun=field.size < whole.size) from None
        numbers = field.players.tolist()
        now = [[numbers[p] for p in row if p < field.size] for row in found.tables.tolist()]
        rows = whole.to_rows([*self._begun, *now])
        cost = _cost_rows(whole, rows)
        paired = FieldPairing(whole, rows, cost, "approximate", {"kind": "repair"})
        reasons = PairReasons(draw.history, draw.book, self.pool, paired, draw.unit)
        self._add_tables(reasons.explain_tables())
        self.part = PoolPairing(self.pool, draw.unit, cost, found.optimal)
        self.fewest = found.fewest

    def _repair_seating(self) -> None:
        draw, pool, rest = self.draw, self.pool, self._rest
        alone = [table[0] for table in self._old if len(table) == 1]
        rest, out = draw.seat_out(rest, self.seed, kept=alone)
        pool = replace(pool, players=[player for player in pool.players if player not in out])
        self._rest = rest
        self.tables = [DrawnTable(table, (BEGUN,), pool.title) for table in self._begun]
        self.tables += [draw.explain_sitting_out(player, self.pool) for player in out]
        if not rest.players:
            self.part = _cost_seating(draw, self.seed, pool, self._begun)
            return
        none_begun = len(rest.players) == len(pool.players)
        here = draw.find_multiplayer_pool(pool, self.seed) if none_begun else self._seat_rest()
        field, seated = here.field, here.to_positions(t for t in self._old if not {*out} & {*t})
        if here.sizes_by_lot and sorted(map(len, seated)) == sorted(field.sizes):
            field = replace(field, sizes=tuple(map(len, seated)))
        seating, self.fewest = repair_seating(field, seated, self._stream)
        self._add_tables(SeatingReasons(draw.history, draw.book, rest, seating).explain_tables())
        whole = None
        if not none_begun:
            seated_now = [table.players for table in self.tables if table.players[1:]]
            whole = _cost_seating(draw, self.seed, pool, seated_now)
        part = whole or here.describe_cost(seating.tables, seating.cost)
        self.part = replace(part, optimal=seating.optimal)

    def _seat_rest(self) -> MultiplayerPool:
        """Return the players beside the tables that have begun, however few they are."""
        draw = self.draw
        assert draw.book.tables is not None
        rule = msgspec.structs.replace(draw.book.tables, recommended_from=0)
        book = msgspec.structs.replace(draw.book, tables=rule)
        return MultiplayerPool(
            draw.history, book, self._rest, draw.find_seeds(self.seed), draw.points, draw.unit
        )


def _cost_rows(field: Field, rows: Tables) -> Cost:
    """Return the cost; a dead end counts only where another pairing of the whole pool would avoid it."""
    cost = compute_cost(field, rows)
    if field.looks_ahead and field.seats <= EXHAUSTIVE_SEATS:
        best = find_best_pairings(field)
        cost["dead_end"] = int(best is not None and is_dead_end(field, rows, best.pairings[0]))
    return cost


def _cost_pairs(draw: RoundDraw, pool: PairingPool, tables: list[Players]) -> PoolPairing | None:
    """Return what the tables of a whole pool cost; None if a hard rule forbids them."""
    field = draw.build_field(pool)
    if max(map(len, tables)) > 2:
        return None
    rows = field.to_rows(tables)
    if (rows[:, 1] == field.size).sum() != field.odd or not are_legal(field, rows):
        return None
    return PoolPairing(pool, draw.unit, _cost_rows(field, rows))


def _cost_seating(draw: RoundDraw, seed: str, pool: PairingPool, seated: list[Players]) -> PoolPairing | None:
    """Return what the tables of a whole pool cost in their best order; None if their sizes are not right."""
    try:
        whole = draw.find_multiplayer_pool(pool, seed)
    except Impossible:
        return None
    tables = whole.to_positions(seated)
    sizes = tuple(map(len, tables))
    if sorted(sizes) != sorted(whole.field.sizes):
        return None
    field = replace(whole.field, sizes=sizes) if whole.sizes_by_lot else whole.field
    ordered = order_tables(field, tables)
    return whole.describe_cost(ordered, field.cost(ordered))
