"""Seat one pool at tables of more than two: its players in order, its tables, and what they cost."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import msgspec
import numpy as np

from topcut.history import History
from topcut.history.divisions import division_of
from topcut.lots import Stream
from topcut.pairing.engine.costs import BY_NAME
from topcut.pairing.engine.field import Ints
from topcut.pairing.model import DrawnTable, PoolPairing
from topcut.pairing.multiplayer.seating_draw import SeatingDraw
from topcut.pairing.multiplayer.seating_field import SeatingCost, SeatingField
from topcut.pairing.pools import PairingPool, RoundSeeds
from topcut.pairing.reasons import SeatingReasons
from topcut.rulebook.model import Book
from topcut.rulebook.planning.tables import plan_tables
from topcut.standings import rank
from topcut.text.messages import Message, to_message


class MultiplayerPool:
    """A pool before a round at tables of more than two."""

    def __init__(
        self, history: History, book: Book, pool: PairingPool, seeds: RoundSeeds, points: Ints, unit: int
    ) -> None:
        assert book.pairing is not None
        assert book.tables is not None
        self.history = history
        self.book = book
        self.rules, self.table_rules = book.pairing, book.tables
        self.pool = pool
        self.points = points
        self.unit = unit
        self.sizes_by_lot = book.tables.others == "random"
        """Whether the lot says where the tables of another size stand."""
        counts, self._notes = plan_tables(book, len(pool.players))
        assert counts is not None
        self.field = self._build_field(seeds.standings, self._order_sizes(counts, seeds.draw))

    @cached_property
    def _draw(self) -> SeatingDraw:
        return SeatingDraw(self.field)

    def draw(self, stream: Stream) -> tuple[PoolPairing, list[DrawnTable], list[Message]]:
        """Draw a round: its cost and proof, its tables, and what the person at the desk should know.

        The proof has players by id, so that other code can check it.
        """
        seating = self._draw.draw(stream)
        bound, proof = seating.bound, dict(seating.certificate)
        least = {"rematches": sum(bound.repeats), "displacement": bound.displacement, "apart": bound.apart}
        proof["bound"] = least
        ids = [self.history.players[i].id for i in self.field.players.tolist()]
        if "prices" in proof:
            proof["prices"] = {ids[player]: price for player, price in proof["prices"].items()}
        part = self.describe_cost(seating.tables, seating.cost)
        part = replace(part, optimal=seating.optimal, uniform=seating.uniform, certificate=proof)
        reasons = SeatingReasons(self.history, self.book, self.pool, seating)
        return part, reasons.explain_tables(), [*map(to_message, self._notes), *reasons.list_warnings()]

    def draw_tables(self, stream: Stream) -> set[frozenset[int]]:
        return {frozenset(self.field.players[table].tolist()) for table in self._draw.draw_tables(stream)}

    def to_positions(self, tables: Iterable[Sequence[int]]) -> list[list[int]]:
        """Return tables of players, given by their numbers in the history, as positions in the standings."""
        place = {int(player): at for at, player in enumerate(self.field.players)}
        return [sorted(place[player] for player in table) for table in tables]

    def _order_sizes(self, counts: dict[str, int], seed: str) -> tuple[int, ...]:
        """Return the sizes of tables from the top (AL-A4)."""
        preferred, other = self.book.match.table_sizes
        sizes = [preferred] * counts[str(preferred)] + [other] * counts[str(other)]
        if self.sizes_by_lot:
            stream = Stream(seed, f"table sizes/{self.history.rounds + 1}/{self.pool.name}")
            return tuple(sizes[i] for i in stream.order(len(sizes)).tolist())
        return tuple(reversed(sizes) if self.table_rules.others == "top" else sizes)

    def _build_field(self, seed: str, sizes: tuple[int, ...]) -> SeatingField:
        history, book = self.history, self.book
        if (order := self.table_rules.order) != "standings":  # the chain that tables are cut by (AL-A2)
            chain = tuple(key for key in book.chain if key.key == order)
            standings = msgspec.structs.replace(book.standings, ends_in="shared")
            book = msgspec.structs.replace(book, chain=chain, standings=standings)
        ahead = rank(history, book, seed).ahead
        ids = [player.id for player in history.players]
        players = np.array(sorted(self.pool.players, key=lambda i: (int(ahead[i]), ids[i])), np.int64)
        places = ahead[players]
        place = np.full(history.size + 1, len(players), np.int32)
        place[players] = np.arange(len(players))
        labels = tuple(history.players[i].apart for i in players.tolist())
        opponents, rounds = history.opponents, history.meeting_round
        if "rematches" not in self.rules.minimise:
            opponents, rounds = opponents[:0], rounds[:0]
        return SeatingField(
            players=players,
            first=np.searchsorted(places, places, side="left"),
            last=np.searchsorted(places, places, side="right") - 1,
            met=place[opponents[:, players]],
            back=history.rounds - 1 - rounds.astype(np.int64),
            sizes=sizes,
            labels=labels if any(labels) and "apart" in self.rules.minimise else (),
            by_age=self.rules.newest_first,
            moves="displacement" in self.rules.minimise,
        )

    def describe_cost(self, tables: Sequence[Sequence[int]], cost: SeatingCost) -> PoolPairing:
        """Return the cost of tables as documents name it; of tables across points all pairs are counted."""
        points = self.points[self.field.players]
        across = 0
        if self.pool.mixed:
            division = [division_of(self.history.players[i], self.book) for i in self.field.players.tolist()]
            across = sum(len({division[p] for p in table}) > 1 for table in tables)
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        counted = {
            "rematches": sum(cost.repeats),
            "cross_division": across,
            "score_gap_squared": sum(int(points[a] - points[b]) ** 2 for a, b in pairs),
            "displacement": cost.displacement,
            "apart": cost.apart,
        }
        by_round: dict[int, int] = {}
        if self.field.by_age:
            by_round = {self.history.rounds - back: number for back, number in enumerate(cost.repeats)}
        return PoolPairing(self.pool, self.unit, dict.fromkeys(BY_NAME, 0) | counted, repeats=by_round)
