"""Who is ahead, worked out a second time: slowly, plainly, in fractions, straight from the published rules.

The engine is compared with this. The two share nothing but what was written down about an event and how
a lot is drawn: no arrays, no books, no measures. Each ruleset is a small class, written out by hand, in
`ruleset_oracles.py`.

Where the rules are silent: a missed round and a loss given without an opponent are losses; a player who
left, left after the round that is named; who met nobody stands below everyone as a last opponent.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key

from topcut.history import Player, Round, Table
from topcut.lots import draw_lot

Pool = Container[str] | None


@dataclass(frozen=True)
class Turn:
    """What one round was for one player who was still in the event."""

    outcome: str
    """win, draw, loss, double loss, bye, assigned, missed or idle."""
    opponents: tuple[str, ...] = ()
    games: tuple[int, int, int] = (0, 0, 0)
    """Won, lost, drawn."""
    score: int = 0


@dataclass(frozen=True)
class Place:
    """One row of the standings."""

    id: str
    rank: int
    values: dict[str, Fraction | None]
    """The exact value of every key; None for a key that looks at ties and was not needed."""
    decided_by: str | None
    record: dict[str, int]
    dropped: bool


class Oracle(ABC):
    """An event under one ruleset."""

    chain: tuple[str, ...]
    """The keys that have a value for everybody, in order."""
    low: tuple[str, ...] = ()
    """Those of which less is better."""
    head_to_head = False
    last_opponent = False
    lot = False
    removes_disqualified = False

    def __init__(
        self, players: Sequence[Player], rounds: Sequence[Round], seed: str = "", pool: Pool = None
    ) -> None:
        """With a `pool` only its players are ranked; all play feeds their values."""
        self.players = {player.id: player for player in players}
        self.rounds = [a_round for a_round in rounds if a_round.stage == "swiss"]
        self.seed = seed
        self.pool = self.players if pool is None else pool
        self.tables = [
            {player_id: table for table in r.tables for player_id in table.players} for r in self.rounds
        ]
        self.turns = {player.id: list(self._turns(player)) for player in players}
        self._known: dict[str, dict[str, Fraction]] = {}

    @abstractmethod
    def keys(self, player_id: str) -> dict[str, Fraction]:
        """The value of each key of the chain for one player."""

    def _turns(self, player: Player) -> Iterable[Turn]:
        for number, tables in enumerate(self.tables, start=1):
            if left_by(player, number - 1):
                return
            if player.id in tables:
                yield turn(tables[player.id], player.id)
            else:
                yield Turn("missed" if number < player.entered else "idle")

    def count(self, player_id: str, *outcomes: str) -> int:
        """In how many rounds one of these happened to a player."""
        return sum(turn.outcome in outcomes for turn in self.turns[player_id])

    def losses(self, player_id: str) -> int:
        """Losses of every kind."""
        return self.count(player_id, "loss", "double loss", "assigned", "missed")

    def match_points(self, player_id: str) -> int:
        """3 for a win, 1 for a draw, 0 for a loss; a bye is a win."""
        return 3 * self.count(player_id, "win", "bye") + self.count(player_id, "draw")

    def opponents(self, player_id: str) -> list[str]:
        """Everybody a player met, once for each meeting, in order."""
        return [other for turn in self.turns[player_id] for other in turn.opponents]

    def dropped(self, player_id: str) -> bool:
        """Whether they had left by choice or by disqualification; those left out by a cut had not."""
        player = self.players[player_id]
        return had_left(player.dropped, len(self.rounds)) or had_left(player.disqualified, len(self.rounds))

    def values(self, player_id: str) -> dict[str, Fraction]:
        if player_id not in self._known:
            found = self.keys(player_id)
            self._known[player_id] = {key: found[key] for key in self.chain}
        return self._known[player_id]

    @cached_property
    def ranked(self) -> list[str]:
        """Those who have a place, p2 before p10: so they are listed where they share one."""
        gone = {
            player_id for player_id, p in self.players.items() if had_left(p.disqualified, len(self.rounds))
        }
        out = gone if self.removes_disqualified else set()
        here = [player_id for player_id in self.players if player_id in self.pool and player_id not in out]
        return sorted(
            here,
            key=lambda player_id: [int(p) if p.isdecimal() else p for p in re.split("([0-9]+)", player_id)],
        )

    @cached_property
    def _tied(self) -> Counter[tuple[Fraction, ...]]:
        """How many have these values."""
        return Counter(tuple(self.values(player_id).values()) for player_id in self.ranked)

    def by_values(self, a: str, b: str) -> tuple[int, str | None]:
        """Negative if `a` is ahead of `b`, and the first key whose values differ."""
        mine, other = self.values(a), self.values(b)
        for key in self.chain:
            if mine[key] != other[key]:
                ahead = mine[key] < other[key] if key in self.low else mine[key] > other[key]
                return -1 if ahead else 1, key
        return 0, None

    def compare(self, a: str, b: str) -> tuple[int, str | None]:
        """Negative if `a` is ahead of `b`, and the key that says so; 0 and None if no key does."""
        sign, key = self.by_values(a, b)
        if sign:
            return sign, key
        if self.head_to_head and (sign := self._by_head_to_head(a, b)):
            return sign, "head_to_head"
        if self.last_opponent and (sign := self._by_last_opponent(a, b, frozenset())):
            return sign, "last_opponent"
        if self.lot and a != b:
            label = f"standings/{len(self.rounds)}"
            return -1 if draw_lot(self.seed, label, a) < draw_lot(self.seed, label, b) else 1, "lot"
        return 0, None

    def _order(self, a: str, b: str) -> int:
        return self.compare(a, b)[0]

    def _by_head_to_head(self, a: str, b: str) -> int:
        """PK-A5: only where exactly two are tied by the values; PK-A6: a draw decides nothing."""
        if self._tied[tuple(self.values(a).values())] != 2:
            return 0
        return self._wins_against(b, a) - self._wins_against(a, b)

    def _wins_against(self, a: str, b: str) -> int:
        return sum(turn.outcome == "win" and b in turn.opponents for turn in self.turns[a])

    def _by_last_opponent(self, a: str, b: str, seen: frozenset[tuple[str, str]]) -> int:
        """PK-A7: the last opponents by their values, then theirs in turn, until a pair comes again."""
        last_a, last_b = (([None, *self.opponents(player_id)])[-1] for player_id in (a, b))
        if last_a is None or last_b is None:
            return (last_a is None) - (last_b is None)
        if (last_a, last_b) in seen:
            return 0
        sign, _ = self.by_values(last_a, last_b)
        return sign or self._by_last_opponent(last_a, last_b, seen | {(last_a, last_b)})

    def standings(self) -> list[Place]:
        """Every row, from the top."""
        against = {a: {b: self.compare(a, b) for b in self.ranked} for a in self.ranked}
        order = sorted(self.ranked, key=cmp_to_key(self._order))
        places = []
        for position, player_id in enumerate(order):
            after = order[position + 1] if position + 1 < len(order) else player_id
            places.append(
                Place(
                    id=player_id,
                    rank=1 + sum(sign > 0 for sign, _ in against[player_id].values()),
                    values={**self.values(player_id), **self._tie_values(against[player_id])},
                    decided_by=against[player_id][after][1],
                    record=self._record(player_id),
                    dropped=had_left(self.players[player_id].dropped, len(self.rounds)),
                )
            )
        return places

    def _record(self, player_id: str) -> dict[str, int]:
        plain = {f"{outcome}s": self.count(player_id, outcome) for outcome in ("win", "draw", "bye")}
        return {**plain, "losses": self.losses(player_id)}

    def _tie_values(self, against: dict[str, tuple[int, str | None]]) -> dict[str, Fraction | None]:
        """What each key that looks at ties made of a player: their place among those it told apart."""
        values: dict[str, Fraction | None] = {}
        keys = {"head_to_head": self.head_to_head, "last_opponent": self.last_opponent, "lot": self.lot}
        for key in (name for name, has in keys.items() if has):
            signs = [sign for sign, by in against.values() if by == key]
            values[key] = Fraction(1 + sum(sign > 0 for sign in signs)) if signs else None
        return values


def had_left(last: int | None, rounds: int) -> bool:
    """Whether somebody whose last round is `last` had left after so many rounds."""
    return last is not None and last <= rounds


def left_by(player: Player, rounds: int) -> bool:
    """Whether they had left after so many rounds, for any reason."""
    return any(had_left(last, rounds) for last in (player.dropped, player.cut, player.disqualified))


def turn(table: Table, player_id: str) -> Turn:
    """What a table was for one of its players."""
    others = tuple(other for other in table.players if other != player_id)
    if table.bye or table.loss:
        return Turn("bye" if table.bye else "assigned")
    if table.games is not None:
        won, lost, drawn = table.games
        if player_id != table.players[0]:
            won, lost = lost, won
        return Turn("win" if won > lost else "loss" if won < lost else "draw", others, (won, lost, drawn))
    if table.scores is not None:
        winners, eliminated = table.winners or (), table.eliminated or ()
        score = 0 if player_id in eliminated else table.scores[table.players.index(player_id)]
        return Turn("win" if player_id in winners else "loss" if winners else "draw", others, score=score)
    if table.winner in ("draw", "double_loss"):
        return Turn(table.winner.replace("_", " "), others)
    return Turn("win" if player_id == table.winner else "loss", others)


def mean(values: Sequence[Fraction], empty: Fraction) -> Fraction:
    """The mean, or `empty` of nothing."""
    return sum(values, Fraction(0)) / len(values) if values else empty


def share(part: int | Fraction, whole: int) -> Fraction:
    """part ÷ whole, and 0 of nothing."""
    return Fraction(part, 1) / whole if whole else Fraction(0)
