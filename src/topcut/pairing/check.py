"""Was every recorded round legal, was it the best there was, does it replay from its seed?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from topcut.errors import Impossible
from topcut.history import History, Round
from topcut.history.divisions import division_of
from topcut.history.parts import Part, parts
from topcut.lots import Stream
from topcut.pairing.answer import POWER, total_cost
from topcut.pairing.chart import OffChart, charted, drawn_seats
from topcut.pairing.exhaustive import SEATS, rounds_kept_open
from topcut.pairing.field import BARRED, COMPONENTS, Component, Cost, Field, Tables, cost_of, shown
from topcut.pairing.pair import Event
from topcut.pairing.paired import Drawn
from topcut.pairing.pools import Drafting, PoolOf
from topcut.pairing.swiss import NoPairing, Pool
from topcut.pairing.tables.check import judge
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options

_SAID = {
    "second_byes": "the player with the bye has had {} already, {} were possible",
    "rematches": "rematches: {}, where {} were possible",
    "dead_end": "a later round is left without a pairing, which could be avoided",
    "bye_points": "the bye went to a player with {} points, {} were possible",
    "cross_division": "tables across divisions: {}, where {} were possible",
    "score_gap_squared": "squared differences in points add up to {}, where {} were possible",
    "apart": "tables of players to be kept apart: {}, where {} were possible",
}
LOTS = 64
"""A chart leaves at most one place to a lot; so often drawn, both ways come up."""


@dataclass(frozen=True)
class Problem:
    rule: str
    players: list[str]
    text: str


@dataclass(frozen=True)
class Verdict:
    """One recorded round."""

    round: int
    legal: bool
    optimal: bool
    replayed: bool | None
    cost: dict[str, Any]
    best: dict[str, Any]
    problems: list[Problem]

    @property
    def ok(self) -> bool:
        return self.legal and self.optimal and self.replayed is not False


def check(before: Sequence[History], book: Book, options: Options, rounds: Sequence[Round]) -> list[Verdict]:
    """A verdict on each Swiss round; `before`: the history that counts for each of them."""
    return [check_round(history, book, options, rounds, r) for r, history in enumerate(before)]


def check_round(
    before: History, book: Book, options: Options, rounds: Sequence[Round], number: int
) -> Verdict:
    """A verdict on one Swiss round (from 0), by the history before it."""
    try:
        return _Round(before, book, options, rounds, number).verdict()
    except Impossible as impossible:  # no round could have been paired then
        problem = Problem(impossible.rule, [], impossible.problem)
        return Verdict(number + 1, False, False, None, total_cost([]), total_cost([]), [problem])


class _Round:
    def __init__(
        self, before: History, book: Book, options: Options, rounds: Sequence[Round], number: int
    ) -> None:
        self.round = rounds[number]
        self.number = number
        self.book = book
        running = self._running(before, options)
        self.before, drafting = self._with_pods(before, options, rounds, running)
        self.event = Event(self.before, book, options, rounds, running, drafting=drafting)
        self.problems: list[Problem] = []

    def _running(self, before: History, options: Options) -> list[Part]:
        """The parts that played this round, or had it planned; the plan can have been another then."""
        seated = {before.index[player_id] for table in self.round.tables for player_id in table.players}
        return [
            part
            for part in parts(before, self.book, options)
            if part.rounds is None or self.number < part.rounds or seated & set(part.members)
        ]

    def _with_pods(
        self, before: History, options: Options, rounds: Sequence[Round], running: list[Part]
    ) -> tuple[History, Drafting]:
        """The history with the pods of this round; pods that were made later say nothing about it.

        Those of an earlier draft are drawn again from the seed of its first round; where that cannot be, the
        round is judged without pods.
        """
        stages = [stage for part in running if (stage := part.stage_of(self.number))]
        recorded = sum(a_round.stage == "swiss" for a_round in rounds)
        drafts = {at.first for part in running for at in part.swiss if at.drafts and at.first < recorded}
        now = max((first for first in drafts if first <= self.number), default=0)
        if self._inside_pods(before) and now == max(drafts, default=0):
            return before, "as planned"
        seed = rounds[stages[0].first].seed if stages else None
        if seed is None or options.mode == "draft":
            return before, "never"
        nobody = [msgspec.structs.replace(player, pod=None) for player in before.players]
        first = replace(before.after(stages[0].first), players=tuple(nobody))
        pods = Event(first, self.book, options, rounds, running).layout(seed).drawn.get("pods", {})
        players = [msgspec.structs.replace(player, pod=pods.get(player.id)) for player in nobody]
        then = replace(before, players=tuple(players))
        return (then, "as planned") if self._inside_pods(then) else (before, "never")

    def _inside_pods(self, before: History) -> bool:
        pods = {player.id: player.pod for player in before.players}
        return all(len({pods[player_id] for player_id in table.players}) == 1 for table in self.round.tables)

    def verdict(self) -> Verdict:
        tables = [
            [self.before.index[player_id] for player_id in table.players]
            for table in self.round.tables
            if not table.loss
        ]
        given = {
            self.before.index[player_id]
            for table in self.round.tables
            if table.loss
            for player_id in table.players
        }
        seed = self.round.seed
        pools = self.event.layout(seed or "").pools
        by_chart = self._by_chart(tables)
        costs: list[Drawn] = []
        bests: list[Drawn] = []
        legal = self._complete(tables, given) & self._within(tables, pools) & (by_chart is not False)
        optimal = True
        for pool in pools:
            inside = replace(pool, players=[p for p in pool.players if p not in given])
            here = set(inside.players)
            if self.book.tables is not None:
                legal_here, optimal_here = self._seated(
                    pool, [t for t in tables if set(t) <= here], costs, bests
                )
                legal &= legal_here
                optimal &= optimal_here
                continue
            field = self.event.field(inside)
            rows = _rows(field, [t for t in tables if set(t) <= here])
            legal &= by_chart is not None or self._one_bye(field, rows)
            legal &= self._hard_rules(field, rows)
            cost = shown(field, cost_of(field, rows))
            best = (cost, rows) if by_chart else self._best(field)
            if best is None:
                continue
            if by_chart is None:
                cost["dead_end"] = self._dead_end(field, rows, best[1])
                optimal &= self._compare(field, rows, cost, best[0])
            costs.append(Drawn(pool, self.event.unit, cost, True, "exact", {}))
            bests.append(Drawn(pool, self.event.unit, best[0], True, "exact", {}))
        replayed = None if seed is None else self._replays(seed, tables)
        cost_now, best_now = total_cost(costs), total_cost(bests)
        return Verdict(self.number + 1, legal, optimal and legal, replayed, cost_now, best_now, self.problems)

    def _seated(
        self, pool: PoolOf, tables: list[list[int]], costs: list[Drawn], bests: list[Drawn]
    ) -> tuple[bool, bool]:
        """Whether tables of more than two are legal, and as good as can be; their costs are added."""
        inside = replace(pool, players=[player for table in tables for player in table])
        seed = self.round.seed
        stream = Stream("", "check") if seed is None else self.event.stream(seed, pool)
        try:
            judged = judge(self.event.room(inside, seed or ""), tables, stream)
        except Impossible as impossible:
            self._problem(impossible.rule, inside.players, impossible.problem)
            return False, False
        for rule, players, text in judged.problems:
            self._problem(rule, players, text)
        costs.append(judged.cost)
        bests.append(judged.best)
        return judged.legal, judged.optimal

    def _problem(self, rule: str, players: Sequence[int], text: str) -> None:
        self.problems.append(Problem(rule, [self.before.players[p].id for p in players], text))

    def _complete(self, tables: list[list[int]], given: set[int]) -> bool:
        """Everybody who takes part sits somewhere."""
        seated = {p for table in tables for p in table} | given
        missing = [int(p) for p in self.event.active if int(p) not in seated]
        if missing:
            self._problem(self.book.match.rule("table_sizes"), missing, "active, but at no table")
        return not missing

    def _within(self, tables: list[list[int]], pools: list[PoolOf]) -> bool:
        """Tables stay inside their pools."""
        pool_of = {player: pool for pool in pools for player in pool.players}
        legal = True
        for table in tables:
            names = {pool_of[player].name: pool_of[player] for player in table if player in pool_of}
            if len(names) > 1:
                legal = False
                self._problem(self._pool_rule(table), table, f"a table between {' and '.join(sorted(names))}")
        return legal

    def _pool_rule(self, table: list[int]) -> str:
        """The rule that keeps these players in different pools."""
        players = [self.before.players[player] for player in table]
        pods = self.event.rules.pods
        if len({division_of(player, self.book) for player in players}) > 1 and self.book.divisions:
            return self.book.divisions.rule("separate_from")
        if len({player.flight for player in players}) > 1 and self.book.flights:
            return self.book.flights.rule("counts")
        return pods.rule("size") if pods else self.event.rules.rule("minimise")

    def _one_bye(self, field: Field, rows: Tables) -> bool:
        alone = [int(field.players[a]) for a, b in rows.tolist() if b == field.size]
        if len(alone) > 1:
            self._problem(self.book.match.rule("byes"), alone, "more than one bye")
        return len(alone) <= 1

    def _hard_rules(self, field: Field, rows: Tables) -> bool:
        legal = True
        for a, b in rows.tolist():
            if b == field.size:
                if field.byes[a] >= BARRED:
                    legal = False
                    self._problem(self.event.rules.rule("second_bye"), [int(field.players[a])], "second bye")
            elif self._forbidden(field, a, b):
                legal = False
                both = [int(field.players[a]), int(field.players[b])]
                self._problem(self.event.rules.rule("rematches"), both, "rematch")
        return legal

    def _forbidden(self, field: Field, a: int, b: int) -> bool:
        """Whether two must not meet again: never, or not in their pod (FB-9)."""
        if field.barred is not None and (field.barred[:, a] == b).any():
            return True
        return field.rules.rematches == "never" and bool(field.have_met(a, b))

    def _best(self, field: Field) -> tuple[Cost, Tables] | None:
        try:
            found = Pool(field).draw(Stream("", "check"))
        except NoPairing:
            return None
        return found.cost, found.tables

    def _dead_end(self, field: Field, rows: Tables, best: Tables) -> int:
        if field.size + field.odd > SEATS or len(rows) != len(best):
            return 0
        if len(set(rows.ravel().tolist()) - {field.size}) < field.size:  # somebody sits nowhere
            return 0
        return int(rounds_kept_open(field, rows) < rounds_kept_open(field, best))

    def _compare(self, field: Field, rows: Tables, cost: Cost, best: Cost) -> bool:
        for component in COMPONENTS:
            if cost[component] == best[component]:
                continue
            if cost[component] < best[component]:
                return True
            players = [int(field.players[p]) for p in _guilty(field, rows, component)]
            power = self.event.unit ** POWER.get(component, 0)
            text = _SAID[component].format(Fraction(cost[component], power), Fraction(best[component], power))
            rule = self._rule(component)
            if not self._named(rule, players):
                self._problem(rule, players, text)
            return False
        return True

    def _named(self, rule: str, players: Sequence[int]) -> bool:
        """Whether all of them are already said to break this rule."""
        said = {
            player_id for problem in self.problems if problem.rule == rule for player_id in problem.players
        }
        return bool(players) and {self.before.players[p].id for p in players} <= said

    def _rule(self, component: str) -> str:
        parameter = {"second_byes": "second_bye", "rematches": "rematches"}.get(component, "minimise")
        return self.event.rules.rule(parameter)

    def _replays(self, seed: str, tables: list[list[int]]) -> bool:
        try:
            drawn = self.event.only_tables(seed)
        except Impossible:
            return False
        same = drawn == frozenset(frozenset(table) for table in tables)
        if not same:
            self._problem("seed", [], "the seed draws other tables than those recorded")
        return same

    def _by_chart(self, tables: list[list[int]]) -> bool | None:
        """Whether a lot gives these tables of the chart; None where no chart applies."""
        chart = self.event.rules.chart
        if chart is None:
            return None
        if self.number >= len(chart.rounds):
            self._problem(self.book.plan.rule("fixed_rounds"), [], "a round more than the chart has")
            return False
        wanted = sorted(sorted(table) for table in tables)
        try:
            for lot in range(LOTS):
                seats, _ = drawn_seats(self.before, chart, "", self.event.rounds)
                found = charted(self.before, chart, seats, Stream(f"check {lot}", ""))
                if sorted(sorted(players) for _, players in found.tables) == wanted:
                    return True
        except OffChart:
            return None
        self._problem(self.event.rules.rule("chart"), [], "not the tables of the chart")
        return False


def _rows(field: Field, tables: list[list[int]]) -> Tables:
    place = {int(player): at for at, player in enumerate(field.players)}
    rows = [sorted(place[p] for p in table) + [field.size] * (2 - len(table)) for table in tables]
    rows.sort(key=lambda row: row[1] == field.size)
    return np.array(rows, np.int64).reshape(-1, 2)


def _guilty(field: Field, rows: Tables, component: Component) -> list[int]:
    """The players at tables that add to a component."""
    found = []
    for row in rows.tolist():
        if component != "dead_end" and cost_of(field, [row])[component]:
            found += [p for p in row if p < field.size]
    return found
