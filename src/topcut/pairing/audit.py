"""Check recorded rounds: whether each was legal and the best there was, and replays from its seed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from topcut.errors import Impossible
from topcut.history import History, Round
from topcut.history.divisions import division_of
from topcut.history.drafts import find_draft_start, name_draft
from topcut.history.parts import Part, split_into_parts
from topcut.lots import Stream
from topcut.pairing.chart import OffChart, draw_seats, follow_chart
from topcut.pairing.engine.costs import AT_TWO, BY_NAME, compute_cost
from topcut.pairing.engine.exhaustive import EXHAUSTIVE_SEATS, is_dead_end
from topcut.pairing.engine.field import BARRED, Cost, Field, NoPairing, Tables
from topcut.pairing.engine.swiss import FieldDraw
from topcut.pairing.model import PoolPairing, sum_costs
from topcut.pairing.multiplayer.seating_draw import SeatingDraw
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField, describe_sizes, order_tables
from topcut.pairing.overrides import count_sitting_out
from topcut.pairing.pools import Drafting, PairingPool
from topcut.pairing.round_draw import RoundDraw
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.text.messages import Message, count, list_and, say, to_message

LOTS = 64
"""A chart leaves at most one place to a lot; in this many draws both ways come up."""


@dataclass(frozen=True)
class RoundProblem:
    rule: str
    players: list[str]
    text: Message


@dataclass(frozen=True)
class RoundVerdict:
    """What was found about one recorded round."""

    round: int
    legal: bool
    optimal: bool
    replayed: bool | None
    cost: dict[str, Any]
    best: dict[str, Any]
    problems: list[RoundProblem]
    pair_downs: int = 0
    """Tables of two players who had different points before the round."""

    @property
    def ok(self) -> bool:
        return self.legal and self.optimal and self.replayed is not False


def check_round(
    before: History,
    book: Book,
    options: Options,
    rounds: Sequence[Round],
    number: int,
    lots: Sequence[str] = (),
) -> RoundVerdict:
    """Return a verdict on one Swiss round (from 0), by the history before it.

    `lots`: seeds of the standings that it can have been drawn by. The kindest verdict counts: pods and the
    order of larger tables once had lots of the round's own seed, and are facts once they are recorded.
    """
    verdict = _judge_round(before, book, options, rounds, number, None)
    for seed in lots:
        if verdict.ok:
            return verdict
        kinder = _judge_round(before, book, options, rounds, number, seed)
        verdict = kinder if kinder.ok else verdict
    return verdict


def _judge_round(
    before: History, book: Book, options: Options, rounds: Sequence[Round], number: int, lots: str | None
) -> RoundVerdict:
    try:
        return _RoundCheck(before, book, options, rounds, number, lots).judge()
    except Impossible as impossible:  # no round could have been paired then
        problem = RoundProblem(impossible.rule, [], to_message(impossible.problem))
        return RoundVerdict(number + 1, False, False, None, sum_costs([]), sum_costs([]), [problem])


class _RoundCheck:
    """One recorded round beside the draw that could have been made in its place."""

    def __init__(
        self,
        before: History,
        book: Book,
        options: Options,
        rounds: Sequence[Round],
        number: int,
        lots: str | None,
    ) -> None:
        self.lots = lots if number else None
        self.round = rounds[number]
        self.number = number
        self.book = book
        seated = {before.index[player_id] for table in self.round.tables for player_id in table.players}
        running = [  # the parts that played this round, or had it planned: the plan can have been another
            part
            for part in split_into_parts(before, book, options)
            if part.rounds is None or number < part.rounds or seated & set(part.members)
        ]
        draft_from = find_draft_start(rounds, number)
        if draft_from is None:
            self.before, drafting = self._restore_pods(before, options, rounds, running)
        else:
            self.before, drafting = _put_pods(before, rounds[draft_from].pods or {}), "always"
        self.draw = RoundDraw(
            self.before,
            book,
            options,
            rounds,
            running,
            drafting=drafting,
            allowed=self.round.allowed,
            lots=self.lots,
            draft_from=draft_from,
        )
        self.rules = self.draw.rules
        self.legal = self.optimal = True
        self.costs: list[PoolPairing] = []
        self.bests: list[PoolPairing] = []
        self.pair_downs = 0
        self.problems: list[RoundProblem] = []
        index = self.before.index
        self.tables = [[index[p] for p in table.players] for table in self.round.tables if not table.loss]
        self.losses = {index[p] for table in self.round.tables if table.loss for p in table.players}
        """Players with an assigned loss, who sit nowhere."""

    def _restore_pods(
        self, before: History, options: Options, rounds: Sequence[Round], running: list[Part]
    ) -> tuple[History, Drafting]:
        """Return the history with the pods of this round; pods that were made later say nothing about it.

        Pods of an earlier draft are drawn again from the seed of its first round; where that cannot be, the
        round is judged without pods. So is one outside the drafts that the rounds record.
        """
        if options.draft is not None or (options.mode is None and any(r.pods is not None for r in rounds)):
            inside = options.draft and self.round.format == name_draft(options.draft.number)
            return before, "as planned" if inside or options.mode is None else "never"
        stages = [stage for part in running if (stage := part.stage_of(self.number))]
        recorded = sum(a_round.is_scored for a_round in rounds)
        drafts = {at.first for part in running for at in part.swiss if at.drafts and at.first < recorded}
        now = max((first for first in drafts if first <= self.number), default=0)
        if self._is_inside_pods(before) and now == max(drafts, default=0):
            return before, "as planned"
        seed = rounds[stages[0].first].seed if stages else None
        if seed is None or options.mode == "draft":
            return before, "never"
        nobody = [msgspec.structs.replace(player, pod=None) for player in before.players]
        first = replace(before.after(stages[0].first), players=tuple(nobody))
        lots = self.lots if first.rounds else None
        draw = RoundDraw(first, self.book, options, rounds, running, lots=lots)
        then = _put_pods(before, draw.lay_out_pools(seed).drawn.get("pods", {}))
        return (then, "as planned") if self._is_inside_pods(then) else (before, "never")

    def _is_inside_pods(self, before: History) -> bool:
        pods = {player.id: player.pod for player in before.players}
        return all(len({pods[player_id] for player_id in table.players}) == 1 for table in self.round.tables)

    def judge(self) -> RoundVerdict:
        seed = self.round.seed
        pools = self.draw.lay_out_pools(seed or "").pools
        by_chart = self._follows_chart()
        self._check_seats(pools)
        for pool in pools:
            inside = replace(pool, players=[p for p in pool.players if p not in self.losses])
            tables = [table for table in self.tables if set(table) <= set(inside.players)]
            if self.book.tables is not None:
                self._check_seating(pool, tables)
            else:
                self._check_pairs(inside, tables, by_chart)
        replayed = None if seed is None else self._replays(seed)
        cost_now, best_now = sum_costs(self.costs), sum_costs(self.bests)
        optimal = self.optimal and self.legal
        return RoundVerdict(
            self.number + 1,
            self.legal,
            optimal,
            replayed,
            cost_now,
            best_now,
            self.problems,
            self.pair_downs,
        )

    def _add_problem(self, rule: str, players: Sequence[int], text: Message) -> None:
        self.problems.append(RoundProblem(rule, [self.before.players[p].id for p in players], text))

    def _call_illegal(self, rule: str, players: Sequence[int], text: Message) -> None:
        self.legal = False
        self._add_problem(rule, players, text)

    def _check_seats(self, pools: list[PairingPool]) -> None:
        """Check that everybody who takes part sits somewhere, and in one pool."""
        seated = {p for table in self.tables for p in table} | self.losses | self.draw.awarded
        for table in self.tables:
            if len(table) > 1 and (won := self.draw.awarded.intersection(table)):
                text = say("has an awarded bye in this round, but plays")
                self._call_illegal(self.book.match.rule("byes"), sorted(won), text)
        if missing := [int(p) for p in self.draw.active if int(p) not in seated]:
            self._call_illegal(self.book.match.rule("table_sizes"), missing, say("active, but at no table"))
        pool_of = {player: pool.title for pool in pools for player in pool.players}
        for table in self.tables:
            titles = {pool_of[player] for player in table if player in pool_of}
            if len(titles) > 1:
                text = say("players of different pools at one table: {pools}", pools=list_and(sorted(titles)))
                self._call_illegal(self._find_pool_rule(table), table, text)

    def _find_pool_rule(self, table: list[int]) -> str:
        """Return the rule that keeps these players in different pools."""
        players = [self.before.players[player] for player in table]
        pods = self.rules.pods
        if len({division_of(player, self.book) for player in players}) > 1 and self.book.divisions:
            return self.book.divisions.rule("separate_from")
        if len({player.flight for player in players}) > 1 and self.book.flights:
            return self.book.flights.rule("counts")
        return pods.rule("size") if pods else self.rules.rule("minimise")

    def _check_seating(self, pool: PairingPool, tables: list[list[int]]) -> None:
        """Check that tables of more than two are legal, and as good as can be."""
        assert self.book.tables is not None
        tables = self._set_aside_sitting_out(pool, tables)
        inside = replace(pool, players=[player for table in tables for player in table])
        seed = self.round.seed
        try:
            here = self.draw.find_multiplayer_pool(inside, seed or "")
        except Impossible as impossible:
            self._call_illegal(impossible.rule, inside.players, to_message(impossible.problem))
            return
        field, seated = here.field, here.to_positions(tables)
        sizes = tuple(map(len, seated))
        right = Counter(sizes) == Counter(field.sizes)
        if not right:
            text = say(
                "{sizes}; expected {expected}",
                sizes=describe_sizes(sizes),
                expected=describe_sizes(field.sizes),
            )
            self._call_illegal(self.book.tables.rule("at_most"), [], text)
        if not right or here.sizes_by_lot:
            field = replace(field, sizes=sizes)
        cost = field.cost(order_tables(field, seated))
        if sizes == field.sizes:  # many are not put in the best order
            cost = min(cost, field.cost(seated))
        stream = Stream("", "check") if seed is None else self.draw.open_stream(seed, pool)
        best = SeatingDraw(field).draw(stream)
        if best.cost < cost:
            self.optimal = False
            self._add_problem(*self._explain_worse(field, seated, cost, best.cost))
        self.costs.append(here.describe_cost(seated, cost))
        self.bests.append(here.describe_cost(best.tables, best.cost))

    def _set_aside_sitting_out(self, pool: PairingPool, tables: list[list[int]]) -> list[list[int]]:
        """Return the tables without the players who sit out, having checked these."""
        alone = [table[0] for table in tables if len(table) == 1]
        ranked = self.draw.rank_sitting_out(pool)
        if not ranked or not alone:
            return tables
        number = count_sitting_out(self.book, len(pool.players)) or 0
        if len(alone) > number:
            text = say("more players sit out than necessary")
            self._call_illegal(self.book.match.rule("table_sizes"), alone, text)
        order = {player: group for group, players in enumerate(ranked) for player in players}
        best = sorted(order.values())[: len(alone)]
        if sorted(order[player] for player in alone) != best:
            self.optimal = False
            text = say("another player should have sat out: least often so far, then fewest points")
            self._add_problem(self.book.match.rule("table_sizes"), alone, text)
        return [table for table in tables if len(table) > 1]

    def _explain_worse(
        self, field: SeatingField, tables: list[list[int]], cost: SeatingCost, best: SeatingCost
    ) -> tuple[str, list[int], Message]:
        """Return the rule, the players and the sentence for the part of the cost that decides."""
        for back, (now, least) in enumerate(zip(cost.repeats, best.repeats, strict=True)):
            if now != least:
                pairs = [pair for table in tables for pair in field.list_repeated(table)]
                again = [pair for pair in pairs if not field.by_age or back in field.list_meetings(*pair)]
                who = dict.fromkeys(int(field.players[player]) for pair in again for player in pair)
                text = BY_NAME["rematches"].explain_excess(now, least)
                if field.by_age:
                    text = count(
                        "{n} rematch from round {round} (fewest possible: {best})",
                        "{n} rematches from round {round} (fewest possible: {best})",
                        now,
                        best=least,
                        round=self.before.rounds - back,
                    )
                return self.rules.rule("rematches"), list(who), text
        component, now, least = BY_NAME["apart"], cost.apart, best.apart
        if cost.displacement != best.displacement:
            component, now, least = BY_NAME["displacement"], cost.displacement, best.displacement
        return self.rules.rule(component.rule), [], component.explain_excess(now, least)

    def _check_pairs(self, pool: PairingPool, tables: list[list[int]], by_chart: bool | None) -> None:
        """Check that tables of two are legal, and as good as can be; tables of a chart are as they are."""
        field = self.draw.build_field(pool)
        rows = field.to_rows(sorted(tables, key=lambda table: len(table) == 1))
        alone = [int(field.players[a]) for a, b in rows.tolist() if b == field.size]
        if by_chart is None and len(alone) > 1:
            self._call_illegal(self.book.match.rule("byes"), alone, say("more than one bye"))
        self._check_hard_rules(field, rows)
        points = field.points.tolist()
        self.pair_downs += sum(points[a] != points[b] for a, b in rows.tolist() if b < field.size)
        cost = best = compute_cost(field, rows)
        if not by_chart:
            try:
                drawn = FieldDraw(field).draw(Stream("", "check"))
            except NoPairing:
                return
            best = drawn.cost
            if by_chart is None:
                everybody = len(np.setdiff1d(rows, [field.size])) == field.size
                if field.seats <= EXHAUSTIVE_SEATS and everybody and len(rows) == len(drawn.tables):
                    cost["dead_end"] = int(is_dead_end(field, rows, drawn.tables))
                self._compare(field, rows, cost, best)
        self.costs.append(PoolPairing(pool, self.draw.unit, cost))
        self.bests.append(PoolPairing(pool, self.draw.unit, best))

    def _check_hard_rules(self, field: Field, rows: Tables) -> None:
        for a, b in rows.tolist():
            players = [int(field.players[p]) for p in (a, b) if p < field.size]
            if b == field.size:
                if field.byes[a] >= BARRED:
                    self._call_illegal(self.rules.rule("second_bye"), players, say("second bye"))
            elif (field.rules.rematches == "never" and field.have_met(a, b)) or (
                field.barred is not None and (field.barred[:, a] == b).any()
            ):
                self._call_illegal(self.rules.rule("rematches"), players, say("rematch"))

    def _compare(self, field: Field, rows: Tables, cost: Cost, best: Cost) -> None:
        """Compare the round with the best, and name the tables that make it worse."""
        names = (component.name for component in AT_TWO)
        name = next((name for name in names if cost[name] != best[name]), None)
        if name is None or cost[name] < best[name]:
            return
        self.optimal = False
        component = BY_NAME[name]
        guilty = [row for row in rows.tolist() if compute_cost(field, [row])[name]]
        players = [int(field.players[p]) for row in guilty for p in row if p < field.size]
        unit = self.draw.unit**component.unit_power
        text = component.explain_excess(_divide(cost[name], unit), _divide(best[name], unit))
        rule = self.rules.rule(component.rule)
        named = {player for problem in self.problems if problem.rule == rule for player in problem.players}
        if not players or not {self.before.players[p].id for p in players} <= named:
            self._add_problem(rule, players, text)

    def _replays(self, seed: str) -> bool:
        try:
            tables = [*self.tables, *([i] for i in self.draw.awarded)]  # also byes that no table says
            same = self.draw.draw_tables(seed) == frozenset(map(frozenset, tables))
        except Impossible:
            return False
        if not same:
            self._add_problem("seed", [], say("the seed draws different tables from the recorded ones"))
        return same

    def _follows_chart(self) -> bool | None:
        """Return whether a lot gives these tables of the chart; None where no chart applies."""
        chart = self.rules.chart
        if chart is None:
            return None
        if self.number >= len(chart.rounds):
            text = say("the chart has no round {round}", round=self.number + 1)
            self._call_illegal(self.book.plan.rule("fixed_rounds"), [], text)
            return False
        recorded = sorted(sorted(table) for table in self.tables)
        try:
            for lot in range(LOTS):
                seats, _ = draw_seats(self.before, chart, "", self.draw.rounds)
                tables, _ = follow_chart(self.before, chart, seats, Stream(f"check {lot}", ""))
                if sorted(sorted(players) for _, players in tables) == recorded:
                    return True
        except OffChart:
            return None
        self._call_illegal(self.rules.rule("chart"), [], say("not the tables of the chart"))
        return False


def _put_pods(before: History, pods: Mapping[str, int]) -> History:
    """Return the history with these pods in the place of those that players are in now."""
    players = [msgspec.structs.replace(player, pod=pods.get(player.id)) for player in before.players]
    return replace(before, players=tuple(players))


def _divide(cost: int, unit: int) -> int | Fraction:
    """Return what a cost is in points: a whole number wherever it is one."""
    points = Fraction(cost, unit)
    return points.numerator if points.denominator == 1 else points
