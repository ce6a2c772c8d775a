"""The next round of an event: pools, the draw in each of them, the tables in order.

    pair(history, book, options, seed) -> Pairing

Pure: everything that is left to chance comes from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topcut.errors import BadInput, Impossible
from topcut.history import History, Played, Round
from topcut.history.divisions import division_of
from topcut.history.parts import Part, parts
from topcut.lots import Stream
from topcut.pairing.chart import OffChart, charted, drawn_seats
from topcut.pairing.field import BARRED, COMPONENTS, Field, Ints, Limit, Rules, cost_of, shown
from topcut.pairing.paired import Drawn, Pairing, Table
from topcut.pairing.pools import Drafting, Layout, PoolOf, layout
from topcut.pairing.swiss import NoPairing, Paired, Pool
from topcut.pairing.tables.round import TablesOf
from topcut.pairing.why import Why
from topcut.rulebook.model import Book, Chart
from topcut.rulebook.model import Pairing as PairingRules
from topcut.rulebook.options import Options
from topcut.rulebook.planning.words import both
from topcut.standings.columns import Scaled
from topcut.standings.measures import Columns

MOST_AHEAD = 2
"""Rounds looked ahead at most."""


def active_players(history: History) -> Ints:
    """Who takes part in the next round."""
    following = history.rounds + 1
    return np.flatnonzero((history.entered <= following) & (history.last >= following))


def pair(history: History, book: Book, options: Options, seed: str, rounds: Sequence[Round] = ()) -> Pairing:
    """The next Swiss round. `rounds` (as written down) tells which of them belong to the same pods."""
    return Event(history, book, options, rounds).pair(seed)


class Event:
    """An event about to be paired; pairing it several times with other seeds reuses what is known."""

    def __init__(
        self,
        history: History,
        book: Book,
        options: Options,
        rounds: Sequence[Round] = (),
        running: Sequence[Part] | None = None,
        active: Ints | None = None,
        drafting: Drafting = "as planned",
    ) -> None:
        """`running`: the parts that have a round now, whatever was planned; `active`: who plays in it."""
        if book.pairing is None:
            raise Impossible(f"pairing by {book.id} is not part of this version", rule=book.match.source)
        self.history = history
        self.book = book
        self.rules: PairingRules = book.pairing
        self.rounds = rounds
        self.drafting: Drafting = "always" if options.mode == "draft" and drafting != "never" else drafting
        self.running = list(parts(history, book, options) if running is None else running)
        if active is None:
            members = [i for part in self.running for i in part.members]
            active = np.intersect1d(active_players(history), np.array(members, np.int64))
        self.active = active
        self.points, self.unit = _points(history, book)
        self._pools: dict[tuple[int, ...], Pool] = {}
        self._rooms: dict[tuple[str, tuple[int, ...]], TablesOf] = {}
        self._fixed: Layout | None = None
        least = min(book.match.table_sizes)
        if len(self.active) < least:
            names = [history.players[i].shown_name for i in self.active.tolist()]
            here = f"only {both(names)} {'is' if len(names) == 1 else 'are'}" if names else "nobody is"
            raise Impossible(f"{here} left, and a table takes {least}", rule=book.match.rule("table_sizes"))
        for part in self.running if running is None else ():
            self._still_planned(part)

    def pair(self, seed: str) -> Pairing:
        laid_out = self.layout(seed)
        drawn = dict(laid_out.drawn)
        tables: list[Table] = []
        parts: list[Drawn] = []
        warnings: list[str] = []
        for pool in laid_out.pools:
            stream = self.stream(seed, pool)
            if self.book.tables is not None:
                part, found, said = self.room(pool, seed).drawn(stream)
                parts.append(part)
                tables += found
                warnings += said
                continue
            if self.rules.chart is not None:
                seats, fresh = drawn_seats(self.history, self.rules.chart, seed, self.rounds)
                if fresh:
                    drawn["seats"] = fresh
                try:
                    part, found = self._by_chart(pool, self.rules.chart, seats, stream)
                    parts.append(part)
                    tables += found
                    continue
                except OffChart:
                    pass
            paired = self._draw(pool, stream)
            why = Why(self.history, self.book, pool, paired, self.unit)
            warnings += why.warnings()
            tables += [Table(players, reasons, pool.name) for players, reasons in why.tables()]
            parts.append(
                Drawn(
                    pool,
                    self.unit,
                    paired.cost,
                    paired.optimal,
                    paired.uniform,
                    why.certificate(),
                )
            )
        tables.sort(key=lambda table: len(table.players) == 1)
        return Pairing(self.history.rounds + 1, seed, tables, parts, warnings, drawn)

    def only_tables(self, seed: str) -> frozenset[frozenset[int]]:
        """The tables that `pair` would give, without reasons; for drawing very often."""
        laid_out = self.layout(seed)
        if laid_out.drawn or self.rules.chart is not None:
            return frozenset(frozenset(table.players) for table in self.pair(seed).tables)
        found: set[frozenset[int]] = set()
        for pool in laid_out.pools:
            if self.book.tables is not None:
                found |= self.room(pool, seed).only_tables(self.stream(seed, pool))
                continue
            paired = self._draw(pool, self.stream(seed, pool))
            seats = np.append(paired.field.players, -1)
            found.update(frozenset(row) - {-1} for row in seats[paired.tables].tolist())
        return frozenset(found)

    def room(self, pool: PoolOf, seed: str) -> TablesOf:
        """The pool at tables of more than two; lots that its order or sizes need come from the seed."""
        sizes = self.book.tables.others if self.book.tables else "bottom"
        by_lot = self.book.standings.ends_in == "lot" or sizes == "random"
        key = (seed if by_lot else "", tuple(pool.players))
        if key not in self._rooms:
            if by_lot:
                self._rooms.clear()
            self._rooms[key] = TablesOf(self.history, self.book, pool, seed, self.points, self.unit)
        return self._rooms[key]

    def stream(self, seed: str, pool: PoolOf) -> Stream:
        """The lots of a pool's round."""
        return Stream(seed, f"pairing/{self.history.rounds + 1}" + (f"/{pool.name}" if pool.name else ""))

    def layout(self, seed: str) -> Layout:
        """The pools; they stay the same for every seed unless flights or pods are drawn."""
        if self._fixed is None:
            found = layout(self.history, self.book, self.running, self.active, seed, self.drafting)
            if found.drawn:
                return found
            self._fixed = found
        return self._fixed

    def _still_planned(self, part: Part) -> None:
        if part.rounds is not None and self.history.rounds >= part.rounds:
            where = f" of {part.name}" if part.name else ""
            those = f"all {part.rounds} planned Swiss rounds{where} are"
            if part.rounds == 1:
                those = f"the only planned Swiss round{where} is"
            raise Impossible(f"{those} played", rule=self.book.plan.rule("tables"))

    def _draw(self, pool: PoolOf, stream: Stream) -> Paired:
        key = tuple(pool.players)
        try:
            if key not in self._pools:
                self._pools[key] = Pool(self.field(pool))
            return self._pools[key].draw(stream)
        except NoPairing as none:
            raise self._impossible(none) from None

    def _impossible(self, none: NoPairing) -> Impossible:
        names = [self.history.players[i].shown_name for i in none.field.players.tolist()]
        shown_names = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        if none.cause == "bye":
            problem = f"one player must have a bye, and each has had one: {shown_names}"
            return Impossible(problem, rule=self.rules.rule("second_bye"))
        problem = f"no pairing without a rematch is left for {shown_names}"
        return Impossible(problem, rule=self.rules.rule("rematches"))

    def field(self, pool: PoolOf) -> Field:
        """The pool as the engine sees it."""
        history = self.history
        ids = [player.id for player in history.players]
        players = np.array(sorted(pool.players, key=lambda i: (-int(self.points[i]), ids[i])), np.int64)
        place = np.full(history.size + 1, len(players), np.int32)
        place[players] = np.arange(len(players))
        met = place[history.opponents[:, players]].astype(np.int32)
        labels = tuple(history.players[i].apart for i in players.tolist())
        names = [division_of(history.players[i], self.book) or "" for i in players.tolist()]
        numbers = {name: number for number, name in enumerate(sorted(set(names)))}
        division = np.array([numbers[name] for name in names], np.int64)
        minimise = tuple(c for c in COMPONENTS if c in self.rules.minimise)
        if not pool.mixed:
            minimise = tuple(c for c in minimise if c != "cross_division")
        limit, barred = self._rematches(pool, met)
        rules = Rules(
            minimise=minimise,
            rematches=limit,
            second_bye="avoided" if self.rules.second_bye == "never" else self.rules.second_bye,
            look_ahead=self._ahead(pool),
        )
        return Field(
            players=players,
            points=self.points[players],
            met=met,
            byes=self._byes(players),
            division=division,
            labels=labels if any(labels) else (),
            rules=rules,
            barred=barred,
        )

    def _ahead(self, pool: PoolOf) -> int:
        if pool.rounds is None:
            return 0
        return max(0, min(self.rules.look_ahead, MOST_AHEAD, pool.rounds - self.history.rounds - 1))

    def _byes(self, players: Ints) -> Ints:
        """How many byes each has had, plus BARRED for whom the rules give none."""
        byes: Ints = self.history.counts[Played.BYE][players].astype(np.int64)
        if self.rules.second_bye == "never":  # PK-8
            byes[byes > 0] += BARRED
        if not self.rules.bye_twice_running and self.history.rounds:  # FB-A11
            again = self.history.played[-1, players] == Played.BYE
            if not again.all():
                byes[again] += BARRED
        return byes

    def _rematches(self, pool: PoolOf, met: NDArray[np.int32]) -> tuple[Limit, NDArray[np.int32] | None]:
        """How rematches are treated, and in a pod which of them are forbidden for good (FB-9, FB-A12)."""
        rule = self.rules.rematches
        if rule != "never within the recommended rounds":
            return rule, None
        within = pool.recommended is not None and self.history.rounds < pool.recommended
        pods = self.rules.pods
        drafted = self.drafting == "always" or pool.pods_from is not None
        if pods is None or not drafted or pods.outside == "never":
            return ("never" if within else "avoided"), None
        first = self._pod_rounds() if pool.pods_from is None else pool.pods_from
        inside = met[self.history.meeting_round >= first]
        return "avoided", inside if within else None

    def _pod_rounds(self) -> int:
        """The first round (from 0) that was played in the present pods."""
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

    def _by_chart(
        self, pool: PoolOf, chart: Chart, seats: dict[int, int], stream: Stream
    ) -> tuple[Drawn, list[Table]]:
        found = charted(self.history, chart, seats, stream)
        field = self.field(pool)
        place = {int(player): at for at, player in enumerate(field.players)}
        rows = [
            [place[p] for p in players] + [field.size] * (2 - len(players)) for _, players in found.tables
        ]
        tables = []
        for letter, players in found.tables:
            why = [f"table {letter} of the chart"]
            names = {p: self.history.players[p].shown_name for p in players}
            why += [f"{names[p]} {found.notes[p]}" for p in players if p in found.notes]
            if len(players) == 1:
                why.append("the other place is empty")
            tables.append(Table(tuple(players), tuple(why), pool.name))
        cost = shown(field, cost_of(field, rows))
        certificate: dict[str, object] = {"kind": "chart"}
        return Drawn(pool, self.unit, cost, True, "exact", certificate), tables


def _points(history: History, book: Book) -> tuple[Ints, int]:
    """The primary score of every player as whole numbers, and how many of them make one point."""
    key = book.chain[0]
    column = Columns(history, book).key(key)  # type: ignore[arg-type]
    if not isinstance(column, Scaled):
        raise BadInput(f"points of {book.id} are too fine to be paired by", place="rules")
    values = column.values
    unit = int(np.gcd.reduce(np.append(values, column.denominator)))
    return values // unit, column.denominator // unit
