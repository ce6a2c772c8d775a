"""Draw the next round of an event: its pools, the tables of each of them, and their order.

    RoundDraw(history, book, options).pair(seed) -> RoundPairing

Pure: everything that is left to chance comes from the seed.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round
from topcut.history.divisions import division_of
from topcut.history.drafts import find_present_start, is_next_in_pods
from topcut.history.model import Allowance
from topcut.history.parts import Part, split_into_parts
from topcut.lots import Stream
from topcut.pairing.chart import OffChart, draw_seats, follow_chart
from topcut.pairing.engine.byes import count_byes, is_pairing_sure
from topcut.pairing.engine.costs import COMPONENTS, compute_cost
from topcut.pairing.engine.field import Field, FieldPairing, Ints, Limit, Meetings, NoPairing, Rules
from topcut.pairing.engine.swiss import FieldDraw
from topcut.pairing.model import DrawnTable, PoolPairing, RoundPairing
from topcut.pairing.multiplayer.pool import MultiplayerPool
from topcut.pairing.overrides import (
    count_sitting_out,
    rank_sitting_out,
    relax_rules,
    split_sitting_out,
)
from topcut.pairing.pools import Drafting, PairingPool, PoolLayout, RoundSeeds, lay_out_pools
from topcut.pairing.reasons import PairReasons
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.model import Book, Chart, PairingRules
from topcut.rulebook.options import Options
from topcut.standings.columns import Scaled
from topcut.standings.fast_values import FastValues
from topcut.text.messages import Message, count, list_and, list_first, say

AWARDED_BYE = say("awarded bye: a round won before the event began")
MOST_AHEAD = 2
"""Rounds looked ahead at most."""
LISTED = 12
"""Names listed before "and n more"."""
OTHER_PLACE_EMPTY = say("no opponent: the other place on the chart is empty")

PooledTables = tuple[PoolPairing, list[DrawnTable], list[Message]]
"""The cost and proof of a pool's round, its tables, and what the person at the desk should know."""


class RoundDraw:
    """A round about to be drawn; drawing it several times with other seeds reuses what is known."""

    def __init__(
        self,
        history: History,
        book: Book,
        options: Options,
        rounds: Sequence[Round] = (),
        running: Sequence[Part] | None = None,
        active: Ints | None = None,
        drafting: Drafting = "as planned",
        allowed: Allowance | None = None,
        beside: bool = False,
        lots: str | None = None,
        draft_from: int | None = None,
    ) -> None:
        """`rounds` (as written down) tells which of them belong to the same pods; `running`: the parts that
        have a round now, whatever was planned; `active`: who plays in it; `allowed`: what the organiser
        allows in it against the rules; `beside`: whether others play already, at tables that stay.

        `lots`: the seed of the lots of the standings as everybody sees them; None: that of the draw.
        `draft_from`: the first round (from 0) of the draft; None: as options and rounds tell.
        """
        if book.pairing is None:
            problem = say("This version cannot pair by {ruleset}.", ruleset=book.id)
            raise Impossible(problem, rule=book.match.source)
        self.history = history
        self.allowed = allowed
        self.book = relax_rules(book, allowed)
        assert self.book.pairing is not None
        self.rules: PairingRules = self.book.pairing
        self.rounds = rounds
        self.lots = lots
        before = rounds[: history.rounds]
        in_pods = is_next_in_pods(before, options) and drafting != "never"
        self.drafting: Drafting = "always" if in_pods else drafting
        self.draft_from = find_present_start(before, options) if draft_from is None else draft_from
        self.running = list(split_into_parts(history, book, options) if running is None else running)
        if active is None:
            members = np.unique([i for part in self.running for i in part.members]).astype(np.int64)
            number = history.rounds + 1
            active = members[(history.entered[members] <= number) & (history.last[members] >= number)]
        self.active = active
        self.awarded = {int(i) for i in active if history.players[i].has_awarded_bye(history.rounds + 1)}
        """Who won this round before the event began, and is not paired in it."""
        self.points, self.unit = _scale_points(history, book)
        self._draws: dict[tuple[int, ...], FieldDraw] = {}
        self._multiplayer: dict[tuple[str, tuple[int, ...]], MultiplayerPool] = {}
        self._layout: PoolLayout | None = None
        least = min(book.match.table_sizes)
        if len(self.active) < least and not beside and not self.awarded:
            names = [history.players[i].shown_name for i in self.active.tolist()]
            rule = book.match.rule("table_sizes") if book.tables is not None else ""
            raise Impossible(_explain_too_few(names, least), rule=rule)
        for part in self.running if running is None else ():
            if part.rounds is not None and history.rounds >= part.rounds:
                raise Impossible(explain_all_played(part.rounds, part.name), rule=book.plan.rule("tables"))

    def pair(self, seed: str) -> RoundPairing:
        """Draw the round, with reasons and proofs."""
        laid_out = self.lay_out_pools(seed)
        drawn = dict(laid_out.drawn)
        tables: list[DrawnTable] = []
        parts: list[PoolPairing] = []
        warnings = list(laid_out.notes)
        for pool in laid_out.pools:
            stream = self.open_stream(seed, pool)
            if self.book.tables is not None:
                rest, out = self.seat_out(pool, seed)
                part, found, warned = self.find_multiplayer_pool(rest, seed).draw(stream)
                found += [self.explain_sitting_out(player, pool) for player in out]
            elif self.rules.chart is not None:
                seats, fresh = draw_seats(self.history, self.rules.chart, seed, self.rounds)
                if fresh:
                    drawn["seats"] = fresh
                try:
                    part, found, warned = self._pair_by_chart(pool, self.rules.chart, seats, stream)
                except OffChart as off:
                    part, found, warned = self._pair_by_records(pool, stream)
                    if off.why:
                        found = [replace(table, why=(*table.why, off.why)) for table in found]
            else:
                part, found, warned = self._pair_by_records(pool, stream)
            parts.append(part)
            tables += found
            warnings += warned
        tables += list_awarded_byes(laid_out)
        tables.sort(key=lambda table: len(table.players) == 1)
        return RoundPairing(self.history.rounds + 1, seed, tables, parts, warnings, drawn)

    def _pair_by_records(self, pool: PairingPool, stream: Stream) -> PooledTables:
        paired = self._draw_pool(pool, stream)
        reasons = PairReasons(self.history, self.book, pool, paired, self.unit)
        proof = reasons.build_certificate()
        part = PoolPairing(pool, self.unit, paired.cost, paired.optimal, paired.uniform, proof)
        return part, reasons.explain_tables(), reasons.list_warnings()

    def draw_tables(self, seed: str) -> frozenset[frozenset[int]]:
        """Draw the tables that `pair` would give, without reasons; for drawing very often."""
        laid_out = self.lay_out_pools(seed)
        if laid_out.drawn or self.rules.chart is not None:
            return frozenset(frozenset(table.players) for table in self.pair(seed).tables)
        found = {frozenset(table.players) for table in list_awarded_byes(laid_out)}
        for pool in laid_out.pools:
            if self.book.tables is not None:
                rest, out = self.seat_out(pool, seed)
                multiplayer = self.find_multiplayer_pool(rest, seed)
                found |= multiplayer.draw_tables(self.open_stream(seed, pool))
                found |= {frozenset([player]) for player in out}
                continue
            paired = self._draw_pool(pool, self.open_stream(seed, pool))
            seats = np.append(paired.field.players, -1)
            found.update(frozenset(row) - {-1} for row in seats[paired.tables].tolist())
        return frozenset(found)

    def find_multiplayer_pool(self, pool: PairingPool, seed: str) -> MultiplayerPool:
        """Return the pool at tables of more than two; lots for its order or sizes come from the seed."""
        sizes = self.book.tables.others if self.book.tables else "bottom"
        seeds = self.find_seeds(seed)
        by_lot = (self.book.standings.ends_in == "lot" and self.lots is None) or sizes == "random"
        key = (seed if by_lot else "", tuple(pool.players))
        if key not in self._multiplayer:
            if by_lot:
                self._multiplayer.clear()
            found = MultiplayerPool(self.history, self.book, pool, seeds, self.points, self.unit)
            self._multiplayer[key] = found
        return self._multiplayer[key]

    def seat_out(
        self, pool: PairingPool, seed: str, kept: Collection[int] = ()
    ) -> tuple[PairingPool, list[int]]:
        """Return the pool without those who sit out, and them: where that is allowed and tables do not fit.

        `kept`: who sat out of the round before it was repaired.
        """
        groups = self.rank_sitting_out(pool, kept)
        number = count_sitting_out(self.book, len(pool.players)) if groups else 0
        if not number:
            return pool, []
        return split_sitting_out(groups, pool, number, self.open_stream(seed, pool, "sitting-out"))

    def rank_sitting_out(self, pool: PairingPool, kept: Collection[int] = ()) -> list[list[int]]:
        """Return who sits out first, in groups between which lots decide; nobody where it is not allowed."""
        if self.allowed is None or "sits-out" not in self.allowed.what:
            return []
        named = self.allowed.sits_out
        first = kept if named is None else [i for i in pool.players if self.history.players[i].id == named]
        return rank_sitting_out(self.history, pool, self.points, first)

    def explain_sitting_out(self, player: int, pool: PairingPool) -> DrawnTable:
        """Return the place of a player who sits out, with the reason."""
        players = len(pool.players)
        why = [say("sits out: {players} players do not fit the tables", players=players)]
        if self.allowed is not None and self.allowed.sits_out == self.history.players[player].id:
            why.append(say("chosen by the organiser"))
        else:
            why.append(
                say("has sat out least often, then is in the lowest score group; otherwise drawn at random")
            )
        return DrawnTable((player,), tuple(why), pool.title)

    def check_possible(self) -> None:
        """Raise `Impossible` if the rules leave no pairing. A large field is not drawn where one is sure."""
        for pool in self.lay_out_pools("").pools:
            if self.book.tables is not None:
                self.find_multiplayer_pool(self.seat_out(pool, "")[0], "")
            elif self.rules.chart is None:
                field = self.build_field(pool)
                if not is_pairing_sure(field):
                    self._draw_pool(pool, self.open_stream("", pool))
        if self.rules.chart is not None:
            self.pair("")

    def find_seeds(self, seed: str) -> RoundSeeds:
        """Return what lots come from if the round is drawn from a seed."""
        return RoundSeeds(draw=seed, standings=seed if self.lots is None else self.lots)

    def open_stream(self, seed: str, pool: PairingPool, purpose: str = "pairing") -> Stream:
        """Return the lots of a pool's round."""
        return Stream(seed, f"{purpose}/{self.history.rounds + 1}" + (f"/{pool.name}" if pool.name else ""))

    def lay_out_pools(self, seed: str) -> PoolLayout:
        """Return the pools; they stay the same for every seed unless flights or pods are drawn."""
        if self._layout is None:
            seeds = self.find_seeds(seed)
            found = lay_out_pools(
                self.history, self.book, self.running, self.active, seeds, self.drafting, self.draft_from
            )
            if self.awarded:
                found = found.take_out(self.awarded)
            if found.drawn:
                return found
            self._layout = found
        return self._layout

    def _draw_pool(self, pool: PairingPool, stream: Stream) -> FieldPairing:
        key = tuple(pool.players)
        try:
            if key not in self._draws:
                self._draws[key] = FieldDraw(self.build_field(pool))
            return self._draws[key].draw(stream)
        except NoPairing as none:
            raise self.explain_impossible(none) from None

    def explain_impossible(self, none: NoPairing, begun: bool = False) -> Impossible:
        """Return the error that names the rule and the players; `begun`: tables that play take the others."""
        players = self.list_names(none.field.players.tolist())
        if none.cause == "bye":
            rule = self.rules.rule("second_bye")
            if begun:
                problem = say(
                    "Some tables have already started. One of the other players needs a bye, "
                    "but each has already had one: {players}.",
                    players=players,
                )
            else:
                problem = say(
                    "One player needs a bye, but each player has already had one: {players}.", players=players
                )
            return Impossible(problem, rule=rule)
        rule = self.rules.rule("rematches")
        if begun:
            problem = say(
                "Some tables have already started. "
                "No pairing without a rematch is left for the others: {players}.",
                players=players,
            )
        else:
            problem = say("No pairing without a rematch is left for {players}.", players=players)
        return Impossible(problem, rule=rule)

    def list_names(self, players: Sequence[int]) -> Message:
        return list_first([self.history.players[i].shown_name for i in players], LISTED)

    def build_field(self, pool: PairingPool) -> Field:
        """Return the pool as the engine sees it."""
        history = self.history
        ids = [player.id for player in history.players]
        players = np.array(sorted(pool.players, key=lambda i: (-int(self.points[i]), ids[i])), np.int64)
        place = np.full(history.size + 1, len(players), np.int32)
        place[players] = np.arange(len(players))
        met = place[history.opponents[:, players]].astype(np.int32)
        labels = tuple(history.players[i].apart for i in players.tolist())
        names = [division_of(history.players[i], self.book) or "" for i in players.tolist()]
        numbers = {name: number for number, name in enumerate(sorted(set(names)))}
        ignored = {component.name for component in COMPONENTS} - set(self.rules.minimise)
        limit, barred = self._limit_rematches(pool, met)
        ahead = 0 if pool.rounds is None else min(MOST_AHEAD, pool.rounds - history.rounds - 1)
        return Field(
            players=players,
            points=self.points[players],
            met=met,
            byes=count_byes(history, players, self.rules),
            division=np.array([numbers[name] for name in names], np.int64),
            labels=labels if any(labels) else (),
            barred=barred,
            rules=Rules(
                ignored=frozenset(ignored if pool.mixed else ignored | {"cross_division"}),
                rematches=limit,
                second_bye="avoided" if self.rules.second_bye == "never" else self.rules.second_bye,
                look_ahead=max(0, min(self.rules.look_ahead, ahead)),
            ),
        )

    def _limit_rematches(self, pool: PairingPool, met: Meetings) -> tuple[Limit, Meetings | None]:
        """Return how rematches are treated, and in a pod which are forbidden for good (FB-9, FB-A12)."""
        rule = self.rules.rematches
        if rule != "never within the recommended rounds":
            return rule, None
        within = pool.recommended is not None and self.history.rounds < pool.recommended
        pods = self.rules.pods
        drafted = self.drafting == "always" or pool.pods_from is not None
        if pods is None or not drafted or pods.outside == "never":
            return ("never" if within else "avoided"), None
        first = self._find_first_pod_round() if pool.pods_from is None else pool.pods_from
        inside = met[self.history.meeting_round >= first]
        return "avoided", inside if within else None

    def _find_first_pod_round(self) -> int:
        """Return the first round (from 0) that was played in the present pods, by who met whom."""
        history = self.history
        pods = np.array([player.pod or 0 for player in history.players] + [-1])
        first = history.rounds
        if not pods[self.active].any():  # they are made now
            return first
        for r in reversed(range(history.rounds)):
            met = history.opponents[history.meeting_round == r]
            inside = (met == history.size) | (pods[met] == pods[None, :-1])
            same_format = not self.rounds or self.rounds[r].format == self.rounds[history.rounds - 1].format
            if not (inside.all() and same_format):
                break
            first = r
        return first

    def _pair_by_chart(
        self, pool: PairingPool, chart: Chart, seats: dict[int, int], stream: Stream
    ) -> PooledTables:
        found, notes = follow_chart(self.history, chart, seats, stream)
        tables = []
        for letter, players in found:
            why = [say("table {table} of the chart", table=letter)]
            why += [notes[p] for p in players if p in notes]
            if len(players) == 1:
                why.append(cite_reading(OTHER_PLACE_EMPTY, chart, "empty_seats"))
            tables.append(DrawnTable(tuple(players), tuple(why), pool.title))
        field = self.build_field(pool)
        cost = compute_cost(field, field.to_rows(players for _, players in found))
        return PoolPairing(pool, self.unit, cost, certificate={"kind": "chart"}), tables, []


def list_awarded_byes(laid_out: PoolLayout) -> list[DrawnTable]:
    """Return a bye for each player who won this round before the event began."""
    return [DrawnTable((player,), (AWARDED_BYE,), title) for player, title in laid_out.awarded]


def _explain_too_few(names: Sequence[str], least: int) -> Message:
    if not names:
        return say("No player is left, but a table needs {least}.", least=least)
    return count(
        "Only {players} is left, but a table needs {least} players.",
        "Only {players} are left, but a table needs {least} players.",
        len(names),
        players=list_and(names),
        least=least,
    )


def explain_all_played(rounds: int, division: str = "") -> Message:
    """Say that no Swiss round is left to pair."""
    if rounds == 1:
        if division:
            return say("The only planned Swiss round of {division} is played.", division=division)
        return say("The only planned Swiss round is played.")
    if division:
        return say(
            "All {rounds} planned Swiss rounds of {division} are played.", rounds=rounds, division=division
        )
    return say("All {rounds} planned Swiss rounds are played.", rounds=rounds)


def _scale_points(history: History, book: Book) -> tuple[Ints, int]:
    """Return the primary score of every player as whole numbers, and how many of them make one point."""
    key = book.chain[0]
    column = FastValues(history, book).deciding_column(key)  # type: ignore[arg-type]
    if not isinstance(column, Scaled):
        problem = say("the points of {ruleset} have too many decimals to pair by", ruleset=book.id)
        raise BadInput(problem, place="rules")
    values = column.values
    unit = int(np.gcd.reduce(np.append(values, column.denominator)))
    return values // unit, column.denominator // unit
