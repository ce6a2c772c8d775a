"""Check recorded rounds: whether each was legal and the best there was, and replays from its seed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

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
from topcut.pairing.engine.field import BARRED, Cost, Field, FieldPairing, NoPairing, Tables
from topcut.pairing.engine.swiss import FieldDraw
from topcut.pairing.model import PoolPairing, sum_costs
from topcut.pairing.multiplayer.seating_draw import Seating, SeatingDraw
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField, describe_sizes, order_tables
from topcut.pairing.overrides import count_sitting_out
from topcut.pairing.pools import Drafting, PairingPool
from topcut.pairing.round_draw import RoundDraw
from topcut.pairing.verdicts import RoundProblem, RoundVerdict, Severity, make_problem
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.text.messages import Message, count, join_messages, list_and, say, to_message

LOTS = 64
"""A chart leaves at most one place to a lot; in this many draws both ways come up."""
MANY_PODS, FEW_CROSSING = 4, 2
"""With at least 4 pods, a round in which at most 2 tables cross them was played in them."""


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
        self.remarks: list[RoundProblem] = []
        self.illegal: set[int] = set()
        """Players of illegal tables: a pool with one of them is not compared with the best pairing."""
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
        if now == max(drafts, default=0) and (
            self._is_inside_pods(before) or self._are_pods_made(before, rounds[now : self.number])
        ):
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
        return not _count_crossing(before, self.round)

    def _are_pods_made(self, before: History, earlier: Sequence[Round]) -> bool:
        """Return whether the pods were there in this round, although some of its tables cross them.

        They were if a round before it kept to them, or if too few tables cross for that to be chance.
        """
        pods = {player.pod for player in before.players} - {None}
        if len(pods) < 2:
            return False
        few = len(pods) >= MANY_PODS and _count_crossing(before, self.round) <= FEW_CROSSING
        return few or any(not _count_crossing(before, a_round) for a_round in earlier)

    def judge(self) -> RoundVerdict:
        seed = self.round.seed
        pools = self.draw.lay_out_pools(seed or "").pools
        by_chart = self._follows_chart()
        self._check_seats(pools)
        self._note_awarded_byes()
        for pool in pools:
            inside = replace(pool, players=[p for p in pool.players if p not in self.losses])
            tables = [table for table in self.tables if table and set(table) <= set(inside.players)]
            if self.book.tables is not None:
                self._check_seating(pool, tables)
            else:
                self._check_pairs(inside, tables, by_chart)
        replayed = None if seed is None else self._replays(seed)
        return RoundVerdict(
            self.number + 1,
            self.legal,
            self.optimal and self.legal,
            replayed,
            sum_costs(self.costs),
            sum_costs(self.bests),
            self.problems,
            self.pair_downs,
            self.remarks,
        )

    def _make_problem(
        self, rule: str, tables: Iterable[Sequence[int]], text: Message, severity: Severity
    ) -> RoundProblem:
        named = [[self.before.players[p].id for p in table] for table in tables]
        return make_problem(rule, named, text, severity)

    def _call_illegal(self, rule: str, tables: Iterable[Sequence[int]], text: Message) -> None:
        self.legal = False
        tables = [list(table) for table in tables]
        self.illegal |= {p for table in tables for p in table}
        self.problems.append(self._make_problem(rule, tables, text, "illegal"))

    def _call_not_optimal(self, rule: str, tables: Iterable[Sequence[int]], text: Message) -> None:
        self.optimal = False
        self.problems.append(self._make_problem(rule, tables, text, "not optimal"))

    def _check_seats(self, pools: list[PairingPool]) -> None:
        """Check that everybody who takes part sits somewhere, and in one pool."""
        seated = {p for table in self.tables for p in table} | self.losses | self.draw.awarded
        for table in self.tables:
            if len(table) > 1 and (won := self.draw.awarded.intersection(table)):
                text = say("at a table, despite an awarded bye in this round")
                self._call_illegal(self.book.match.rule("byes"), [[p] for p in sorted(won)], text)
        if missing := [int(p) for p in self.draw.active if int(p) not in seated]:
            rule = self.book.match.rule("table_sizes")
            self._call_illegal(rule, [[p] for p in missing], say("takes part, but has no table"))
        pool_of = {player: pool.title for pool in pools for player in pool.players}
        across: dict[tuple[str, ...], list[list[int]]] = {}
        for table in self.tables:
            titles = {pool_of[player] for player in table if player in pool_of}
            if len(titles) > 1:
                across.setdefault(tuple(sorted(titles)), []).append(table)
        for pools_here, tables in across.items():
            text = count(
                "a table with players of different pools, who are paired apart ({pools})",
                "{n} tables with players of different pools, who are paired apart ({pools})",
                len(tables),
                pools=list_and(pools_here),
            )
            self._call_illegal(self._find_pool_rule(tables[0]), tables, text)

    def _find_pool_rule(self, table: list[int]) -> str:
        """Return the rule that keeps these players in different pools."""
        players = [self.before.players[player] for player in table]
        pods = self.rules.pods
        if len({division_of(player, self.book) for player in players}) > 1 and self.book.divisions:
            return self.book.divisions.rule("separate_from")
        if len({player.flight for player in players}) > 1 and self.book.flights:
            return self.book.flights.rule("apart")
        return pods.rule("size") if pods else self.rules.rule("minimise")

    def _note_awarded_byes(self) -> None:
        """Name the players who won this round before the event began: a judge should know."""
        alone = {table[0] for table in self.tables if len(table) == 1}
        if awarded := sorted(alone & self.draw.awarded):
            text = count("{n} awarded bye", "{n} awarded byes", len(awarded))
            self.remarks.append(self._make_problem("", [[p] for p in awarded], text, "remark"))

    def _check_seating(self, pool: PairingPool, tables: list[list[int]]) -> None:
        """Check that tables of more than two are legal, and as good as can be."""
        assert self.book.tables is not None
        tables = self._set_aside_sitting_out(pool, tables)
        inside = replace(pool, players=[player for table in tables for player in table])
        seed = self.round.seed
        try:
            here = self.draw.find_multiplayer_pool(inside, seed or "")
        except Impossible as impossible:
            self._call_illegal(impossible.rule, tables, to_message(impossible.problem))
            return
        field, seated = here.field, here.to_positions(tables)
        sizes = tuple(map(len, seated))
        right = Counter(sizes) == Counter(field.sizes)
        if not right:
            text = say(
                "wrong table sizes: {sizes} (expected: {expected})",
                sizes=describe_sizes(sizes),
                expected=describe_sizes(field.sizes),
            )
            self._call_illegal(self.book.tables.rule("at_most"), [], text)
        if not right or here.sizes_by_lot:
            field = replace(field, sizes=sizes)
        ordered = order_tables(field, seated)
        cost = field.cost(ordered)
        if sizes == field.sizes:  # many are not put in the best order
            cost = min(cost, field.cost(seated))
        stream = Stream("", "check") if seed is None else self.draw.open_stream(seed, pool)
        best = SeatingDraw(field).draw(stream)
        if best.cost < cost and right and not self.illegal & set(pool.players):
            self._call_not_optimal(*self._explain_worse(field, ordered, cost, best))
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
            self._call_illegal(self.book.match.rule("table_sizes"), [[p] for p in alone], text)
        order = {player: group for group, players in enumerate(ranked) for player in players}
        best = sorted(order.values())[: len(alone)]
        if sorted(order[player] for player in alone) != best:
            text = say("another player should have sat out: least often so far, then fewest points")
            self._call_not_optimal(self.book.match.rule("table_sizes"), [[p] for p in alone], text)
        return [table for table in tables if len(table) > 1]

    def _explain_worse(
        self, field: SeatingField, tables: list[list[int]], cost: SeatingCost, drawn: Seating
    ) -> tuple[str, list[list[int]], Message]:
        """Return the rule, the players by table and the sentence for the part of the cost that decides."""
        best = drawn.cost
        for back, (now, least) in enumerate(zip(cost.repeats, best.repeats, strict=True)):
            if now != least:
                pairs = [pair for table in tables for pair in field.list_repeated(table)]
                again = [pair for pair in pairs if not field.by_age or back in field.list_meetings(*pair)]
                who = [[int(field.players[player]) for player in pair] for pair in again]
                text = BY_NAME["rematches"].explain_excess(now, least)
                if field.by_age:
                    text = count(
                        "{n} rematch from round {round} (fewest possible: {best})",
                        "{n} rematches from round {round} (fewest possible: {best})",
                        now,
                        best=least,
                        round=self.before.rounds - back,
                    )
                return self.rules.rule("rematches"), who, text
        if cost.displacement != best.displacement:
            return self._cite("displacement"), *self._explain_displacement(field, tables, drawn)
        sharing = [
            [int(field.players[player]) for player in table] for table in tables if field.share_label(table)
        ]
        return self._cite("apart"), sharing, BY_NAME["apart"].explain_excess(cost.apart, best.apart)

    def _explain_displacement(
        self, field: SeatingField, tables: list[list[int]], drawn: Seating
    ) -> tuple[list[list[int]], Message]:
        """Return the tables whose players sit away from where the standings have them, and by how much."""
        moves = [_count_moves(field, table, at) for table, at in zip(tables, field.starts, strict=True)]
        best = sum(
            _count_moves(field, table, at) for table, at in zip(drawn.tables, field.starts, strict=True)
        )
        away = [[int(field.players[p]) for p in table] for table, n in zip(tables, moves, strict=True) if n]
        if sum(moves) <= best:
            return away, say("players sit further from their places in the standings than necessary")
        text = count(
            "players sit {n} seat away from their places in the standings, all together (possible: {best})",
            "players sit {n} seats away from their places in the standings, all together (possible: {best})",
            sum(moves),
            best=best,
        )
        return away, text

    def _cite(self, component: str) -> str:
        """Return the rule about a part of the cost: where the book has none for it, the one for all parts."""
        own = BY_NAME[component].rule
        return self.rules.rule(component if component in self.rules.sources else own) if own else ""

    def _check_pairs(self, pool: PairingPool, tables: list[list[int]], by_chart: bool | None) -> None:
        """Check that tables of two are legal, and as good as can be; tables of a chart are as they are."""
        field = self.draw.build_field(pool)
        rows = field.to_rows(sorted(tables, key=lambda table: len(table) == 1))
        alone = [[int(field.players[a])] for a, b in rows.tolist() if b == field.size]
        if by_chart is None and len(alone) > 1:
            self._call_illegal(self.rules.rule("one_bye"), alone, say("more than one bye"))
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
                if not self.illegal & set(pool.players):
                    self._compare(field, rows, cost, drawn)
        self.costs.append(PoolPairing(pool, self.draw.unit, cost))
        self.bests.append(PoolPairing(pool, self.draw.unit, best))

    def _check_hard_rules(self, field: Field, rows: Tables) -> None:
        for a, b in rows.tolist():
            players = [int(field.players[p]) for p in (a, b) if p < field.size]
            if self.illegal & set(players):
                continue
            if b == field.size:
                if field.byes[a] >= BARRED:
                    never = self.rules.second_bye == "never"
                    self._call_illegal(
                        self.rules.rule("second_bye" if never else "bye_twice_running"),
                        [players],
                        say("second bye") if never else say("a bye again after the one in the last round"),
                    )
            elif (field.rules.rematches == "never" and field.have_met(a, b)) or (
                field.barred is not None and (field.barred[:, a] == b).any()
            ):
                self._call_illegal(self.rules.rule("rematches"), [players], say("rematch"))

    def _compare(self, field: Field, rows: Tables, cost: Cost, best: FieldPairing) -> None:
        """Compare the round with the best, and name the tables that make it worse."""
        names = (component.name for component in AT_TWO)
        name = next((name for name in names if cost[name] != best.cost[name]), None)
        if name is None or cost[name] < best.cost[name]:
            return
        component = BY_NAME[name]
        guilty = [row for row in rows.tolist() if compute_cost(field, [row])[name]]
        unit = self.draw.unit**component.unit_power
        text = component.explain_excess(_divide(cost[name], unit), _divide(best.cost[name], unit))
        if name == "score_gap_squared":
            now, least = _count_gaps(field, rows), _count_gaps(field, best.tables)
            guilty = [row for row in guilty if now[_gap(field, row)] > least[_gap(field, row)]]
            text = say(
                "pair-downs: {paid} (possible: {best})",
                paid=self._list_gaps(now),
                best=self._list_gaps(least),
            )
        tables = [[int(field.players[p]) for p in row if p < field.size] for row in guilty]
        self._call_not_optimal(self._cite(name), tables, text)

    def _list_gaps(self, gaps: Counter[int]) -> Message:
        """Return how many players are paired down by how many points, the most points first."""
        listed = [
            count(
                "{tables} by {n} point", "{tables} by {n} points", _divide(gap, self.draw.unit), tables=number
            )
            for gap, number in sorted(gaps.items(), reverse=True)
        ]
        return list_and(listed) if listed else say("none")

    def _replays(self, seed: str) -> bool:
        try:
            tables = [*self.tables, *([i] for i in self.draw.awarded)]  # also byes that no table says
            same = self.draw.draw_tables(seed) == frozenset(map(frozenset, tables))
        except Impossible:
            return False
        if not same and not self.problems:  # else it is not the round of the seed for what is said already
            text = say("the seed draws different tables from the recorded ones")
            self.problems.append(self._make_problem("", [], text, "not replayed"))
        return same

    def _follows_chart(self) -> bool | None:
        """Return whether a lot gives these tables of the chart; None where no chart applies."""
        chart = self.rules.chart
        if chart is None:
            return None
        if self.number >= len(chart.rounds):
            text = say("there is no round {round} on the chart", round=self.number + 1)
            self._call_illegal(self.book.plan.rule("fixed_rounds"), [], text)
            return False
        recorded = sorted(sorted(table) for table in self.tables)
        expected: list[list[int]] = []
        try:
            for lot in range(LOTS):
                seats, _ = draw_seats(self.before, chart, "", self.draw.rounds)
                tables, _ = follow_chart(self.before, chart, seats, Stream(f"check {lot}", ""))
                found = sorted(sorted(players) for _, players in tables)
                if found == recorded:
                    return True
                if not expected or _count_shared(found, recorded) > _count_shared(expected, recorded):
                    expected = found
        except OffChart:
            return None
        missing = [table for table in expected if table not in recorded]
        text = say("not the tables of the chart (expected: {tables})", tables=self._name_tables(missing))
        wrong = [table for table in recorded if table not in expected]
        self._call_illegal(self.rules.rule("chart"), wrong, text)
        return False

    def _name_tables(self, tables: Iterable[Sequence[int]]) -> Message:
        names = [[self.before.players[p].shown_name for p in table] for table in tables]
        return join_messages("; ", map(list_and, names))


def _count_shared(tables: list[list[int]], others: list[list[int]]) -> int:
    return sum(table in others for table in tables)


def _put_pods(before: History, pods: Mapping[str, int]) -> History:
    """Return the history with these pods in the place of those that players are in now."""
    players = [msgspec.structs.replace(player, pod=pods.get(player.id)) for player in before.players]
    return replace(before, players=tuple(players))


def _divide(cost: int, unit: int) -> int | Fraction:
    """Return what a cost is in points: a whole number wherever it is one."""
    points = Fraction(cost, unit)
    return points.numerator if points.denominator == 1 else points


def _gap(field: Field, row: Sequence[int]) -> int:
    """Return the difference in points at a table; 0 for a bye."""
    a, b = row
    return 0 if field.size in (a, b) else abs(int(field.points[a]) - int(field.points[b]))


def _count_gaps(field: Field, rows: Tables) -> Counter[int]:
    """Count the tables of players with different points, by the difference."""
    return Counter(gap for row in rows.tolist() if (gap := _gap(field, row)))


def _count_moves(field: SeatingField, table: Sequence[int], start: int) -> int:
    """Count the seats between the players of a table and their places in the standings."""
    seated = enumerate(sorted(table), start=start)
    return sum(max(int(field.first[p]) - seat, seat - int(field.last[p]), 0) for seat, p in seated)


def _count_crossing(before: History, a_round: Round) -> int:
    """Count the tables of a round that are not inside one pod."""
    pods = {player.id: player.pod for player in before.players}
    return sum(len({pods[player_id] for player_id in table.players}) > 1 for table in a_round.tables)
