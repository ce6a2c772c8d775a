"""One pool at tables of more than two: its players in order, its tables, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import msgspec
import numpy as np

from topcut.history import History
from topcut.history.divisions import division_of
from topcut.lots import Stream
from topcut.pairing.paired import Drawn, Table
from topcut.pairing.pools import PoolOf
from topcut.pairing.tables.seat import Room, Seated
from topcut.pairing.tables.seating import Ints, Seating, TablesCost
from topcut.pairing.tables.why import TablesWhy
from topcut.rulebook.model import Book
from topcut.rulebook.planning.tables import tables_for
from topcut.standings import rank


class TablesOf:
    """A pool before a round at tables of more than two."""

    def __init__(
        self, history: History, book: Book, pool: PoolOf, seed: str, points: Ints, unit: int
    ) -> None:
        self.history = history
        self.book = book
        self.pool = pool
        self.points = points
        self.unit = unit
        counts, self.notes = tables_for(book, len(pool.players))
        assert counts is not None
        self.seating = self._seating(seed, self._sizes(counts, seed))

    @cached_property
    def room(self) -> Room:
        return Room(self.seating)

    def drawn(self, stream: Stream) -> tuple[Drawn, list[Table], list[str]]:
        """A round: its cost and proof, its tables, and what the person at the desk should know."""
        seated = self.room.draw(stream)
        why = TablesWhy(self.history, self.book, self.pool, seated)
        tables = [
            Table(tuple(self._numbers(table)), why.table(number), self.pool.name)
            for number, table in enumerate(seated.tables)
        ]
        cost = self.cost(seated.tables, seated.cost)
        part = Drawn(
            self.pool,
            self.unit,
            cost,
            seated.optimal,
            seated.uniform,
            self._certificate(seated),
            self.by_round(seated.cost),
        )
        return part, tables, [*self.notes, *why.warnings()]

    def only_tables(self, stream: Stream) -> set[frozenset[int]]:
        return {frozenset(self._numbers(table)) for table in self.room.tables(stream)}

    def _numbers(self, table: Sequence[int]) -> list[int]:
        numbers: list[int] = self.seating.players[np.array(table)].tolist()
        return numbers

    def _sizes(self, counts: dict[str, int], seed: str) -> tuple[int, ...]:
        """The sizes of tables from the top (AL-A4)."""
        preferred, other = self.book.match.table_sizes
        sizes = [preferred] * counts[str(preferred)] + [other] * counts[str(other)]
        where = self.book.tables.others if self.book.tables else "bottom"
        if where == "top":
            sizes.reverse()
        elif where == "random":
            stream = Stream(seed, f"table sizes/{self.history.rounds + 1}/{self.pool.name}")
            sizes = [sizes[i] for i in stream.order(len(sizes)).tolist()]
        return tuple(sizes)

    def _seating(self, seed: str, sizes: tuple[int, ...]) -> Seating:
        history = self.history
        ahead = rank(history, self._ordering, seed).ahead
        ids = [player.id for player in history.players]
        players = np.array(sorted(self.pool.players, key=lambda i: (int(ahead[i]), ids[i])), np.int64)
        places = ahead[players]
        place = np.full(history.size + 1, len(players), np.int32)
        place[players] = np.arange(len(players))
        rules = self.book.pairing
        assert rules is not None
        labels = tuple(history.players[i].apart for i in players.tolist())
        opponents, rounds = history.opponents, history.meeting_round
        if "rematches" not in rules.minimise:
            opponents, rounds = opponents[:0], rounds[:0]
        return Seating(
            players=players,
            first=np.searchsorted(places, places, side="left"),
            last=np.searchsorted(places, places, side="right") - 1,
            met=place[opponents[:, players]],
            back=history.rounds - 1 - rounds.astype(np.int64),
            sizes=sizes,
            labels=labels if any(labels) and "apart" in rules.minimise else (),
            by_age=rules.newest_first,
            moves="displacement" in rules.minimise,
        )

    @property
    def _ordering(self) -> Book:
        """The book with the chain that tables are cut by (AL-A2)."""
        order = self.book.tables.order if self.book.tables else "standings"
        if order == "standings":
            return self.book
        chain = tuple(key for key in self.book.chain if key.key == order)
        standings = msgspec.structs.replace(self.book.standings, ends_in="shared")
        return msgspec.structs.replace(self.book, chain=chain, standings=standings)

    def cost(self, tables: Sequence[Sequence[int]], found: TablesCost) -> dict[str, int]:
        """The cost as it is shown: a table of two is the smallest table, and pairs at tables are counted."""
        seating = self.seating
        points = self.points[seating.players]
        gaps = sum(int(points[a] - points[b]) ** 2 for t in tables for a, b in combinations(t, 2))
        across = 0
        if self.pool.mixed:
            division = [division_of(self.history.players[i], self.book) for i in seating.players.tolist()]
            across = sum(len({division[p] for p in table}) > 1 for table in tables)
        return {
            "second_byes": 0,
            "rematches": sum(found.repeats),
            "dead_end": 0,
            "bye_points": 0,
            "cross_division": across,
            "score_gap_squared": gaps,
            "displacement": found.displacement,
            "apart": found.apart,
        }

    def by_round(self, cost: TablesCost) -> dict[int, int]:
        """Repeated pairs by round, the newest first; nothing where age does not count."""
        if not self.seating.by_age:
            return {}
        return {self.history.rounds - back: pairs for back, pairs in enumerate(cost.repeats)}

    def _certificate(self, seated: Seated) -> dict[str, object]:
        """The proof with players by id, so that other code can check it."""
        proof = dict(seated.certificate)
        bound = seated.bound
        proof["bound"] = {
            "rematches": sum(bound.repeats),
            "displacement": bound.displacement,
            "apart": bound.apart,
        }
        ids = [self.history.players[i].id for i in self.seating.players.tolist()]
        if "prices" in proof:
            proof["prices"] = {ids[player]: price for player, price in proof["prices"].items()}  # type: ignore[attr-defined]
        return proof
