"""Who is ahead: the chain of keys applied one after the other, each only to those still tied."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topcut.history import History
from topcut.rulebook.keys import HeadToHead, LastOpponent, Outcomes, ValueKey
from topcut.rulebook.model import Book
from topcut.standings import ties
from topcut.standings.columns import Column, Ints
from topcut.standings.measures import Columns
from topcut.standings.order import Order

LOT = "lot"


@dataclass(frozen=True)
class Standings:
    """The order of all players after some round, and what made it."""

    history: History
    book: Book
    seed: str
    order: Ints
    """The players from the top. Disqualified players whom the rules take out are not in it."""
    ahead: Ints
    """For each player, how many are ahead of them in their pool."""
    columns: dict[str, Column]
    tie_values: dict[str, dict[int, int]]
    """For each key that looks at ties: what it said of those whom it told apart."""
    _decided: NDArray[np.int8]

    def rank(self, player: int) -> int:
        """1 for the best; players whom no key separates share it."""
        return int(self.ahead[player]) + 1

    def decided_by(self, position: int) -> str | None:
        """The key that puts the player at this position of `order` above the next; None if tied or last."""
        key = int(self._decided[position + 1]) if position + 1 < len(self.order) else -1
        return keys(self.book)[key] if key >= 0 else None

    def value(self, key: str, player: int) -> Fraction | None:
        """A player's exact value under a key; None where a key that looks at ties was not needed."""
        if key in self.columns:
            return self.columns[key].exact(player)
        told = self.tie_values[key].get(player)
        return None if told is None else Fraction(told)


def keys(book: Book) -> list[str]:
    """The names of the chain's keys, with the lot where it ends in one."""
    return [key.key for key in book.chain] + ([LOT] if book.standings.ends_in == "lot" else [])


def rank(history: History, book: Book, seed: str = "", pools: Ints | None = None) -> Standings:
    """Standings from the rounds in `history` by the chain of `book`.

    With `pools` (a number for each player) each pool is ranked by itself, as an event of its own.
    Nothing but the seed and the players' ids decides lots, so the order of players never matters.
    """
    everyone = np.arange(history.size)
    out = history.disqualified <= history.rounds if book.standings.disqualified == "removed" else everyone < 0
    first = _first_places(pools, out)
    order = Order(first)
    columns = Columns(history, book)
    by_key: dict[str, Column] = {}
    tie_values: dict[str, dict[int, int]] = {}
    for number, key in enumerate(book.chain):
        if isinstance(key, ValueKey):
            by_key[key.key] = columns.key(key)
            _split_by_value(order, key, by_key[key.key], number)
            continue
        before, tied = order.ahead(), order.tied
        match key:
            case HeadToHead():
                order.split(-ties.head_to_head(key, history, _points(book), before, tied), number)
            case LastOpponent():
                standing = _by_values(history, book, by_key)
                for step in range(ties.steps(key, history)):
                    order.split(ties.last_opponents_ahead(history, standing, order.tied, step), number)
        tie_values[key.key] = _told_apart(before, order.ahead(), tied)
    if book.standings.ends_in == "lot":
        before, tied = order.ahead(), order.tied
        order.split(ties.by_lot(history, seed, tied), len(book.chain))
        tie_values[LOT] = _told_apart(before, order.ahead(), tied)
    order.list_ties_by(lambda player: history.players[player].id)
    return Standings(
        history=history,
        book=book,
        seed=seed,
        order=order.players[~out[order.players]],
        ahead=order.ahead() - first,
        columns=by_key,
        tie_values=tie_values,
        _decided=order.decided,
    )


def _split_by_value(order: Order, key: ValueKey, column: Column, number: int) -> None:
    ranks = column.ranks(order.tied, order.groups)
    order.split(-ranks if key.better == "high" else ranks, number)


def _by_values(history: History, book: Book, columns: dict[str, Column]) -> Ints:
    """How many stand ahead of each player by the keys by value so far, all pools together."""
    order = Order(np.zeros(history.size, np.int64))
    for number, key in enumerate(book.chain):
        if isinstance(key, ValueKey) and key.key in columns:
            _split_by_value(order, key, columns[key.key], number)
    return order.ahead()


def _points(book: Book) -> Outcomes:
    """The measure of the primary score, which head to head counts among those tied."""
    primary = book.chain[0]
    assert isinstance(primary, ValueKey)
    measure = book.measures[primary.measure]
    assert isinstance(measure, Outcomes)
    return measure


def _first_places(pools: Ints | None, out: NDArray[np.bool_]) -> Ints:
    """Where each player's pool begins in the list of all; those who are out come after everybody."""
    if pools is None:
        return np.where(out, len(out) - np.count_nonzero(out), 0)
    pools = np.where(out, pools.max(initial=0) + 1, pools)
    return np.searchsorted(np.sort(pools), pools)


def _told_apart(before: Ints, after: Ints, players: Ints) -> dict[int, int]:
    """The place, from 1, of each player within a group that a key has split."""
    split = {int(group) for group in before[players[before[players] != after[players]]]}
    return {
        int(player): int(after[player] - before[player]) + 1
        for player in players
        if int(before[player]) in split
    }
