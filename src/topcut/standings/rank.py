"""Rank players by the chain of keys, each applied only to players who are still tied."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm

import numpy as np
from numpy.typing import NDArray

from topcut.history import History, Outcome
from topcut.lots import draw_lot
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import HeadToHead, LastOpponent, Outcomes, ValueKey
from topcut.standings.columns import Column, Ints
from topcut.standings.fast_values import FastValues

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
    """For each key that looks at ties: its value for each player whose tie it broke."""
    _decided: NDArray[np.int8]

    def rank(self, player: int) -> int:
        """Return a player's rank: 1 for the best; players whom no key separates share it."""
        return int(self.ahead[player]) + 1

    def decided_by(self, position: int) -> str | None:
        """Return the key that puts a position of `order` above the next; None if tied or last."""
        key = int(self._decided[position + 1]) if position + 1 < len(self.order) else -1
        return list_keys(self.book)[key] if key >= 0 else None

    def value(self, key: str, player: int) -> Fraction | None:
        """Return a player's exact value under a key; None where a key that looks at ties was not needed."""
        if key in self.columns:
            return self.columns[key].exact(player)
        told = self.tie_values[key].get(player)
        return None if told is None else Fraction(told)

    def points(self, player: int) -> Fraction | None:
        """Return a player's value under the first key of the chain."""
        return self.value(list_keys(self.book)[0], player)


def list_keys(book: Book) -> list[str]:
    """List the names of the chain's keys, with the lot where it ends in one."""
    return [key.key for key in book.chain] + ([LOT] if book.standings.ends_in == "lot" else [])


def rank(history: History, book: Book, seed: str = "", pools: Ints | None = None) -> Standings:
    """Rank the players of `history` by the chain of `book`.

    With `pools` (a number for each player) each pool is ranked by itself, as an event of its own.
    Nothing but the seed and the players' ids decides lots, so the order of players never matters.
    """
    everyone = np.arange(history.size)
    out = history.disqualified <= history.rounds if book.standings.disqualified == "removed" else everyone < 0
    first = _find_pool_starts(pools, out)
    order = RankedGroups(first)
    values = FastValues(history, book)
    by_key: dict[str, Column] = {}
    tie_values: dict[str, dict[int, int]] = {}
    for number, name in enumerate(list_keys(book)):
        key = None if name == LOT else book.chain[number]
        if isinstance(key, ValueKey):
            by_key[name] = values.deciding_column(key)
            order.split_by_value(by_key[name], key, number)
            continue
        before, tied = order.count_ahead(), order.tied
        match key:
            case HeadToHead():
                assert isinstance(book.primary_measure, Outcomes)  # checked with the book
                order.split(-_score_head_to_head(key, history, book.primary_measure, before, tied), number)
            case LastOpponent():
                _split_by_last_opponents(order, key, number, history, book, by_key)
            case None:
                order.split(_draw_lots(history, seed, tied), number)
        after = order.count_ahead()
        told_apart = tied[np.isin(before[tied], before[before != after])]
        places = (after - before)[told_apart] + 1
        tie_values[name] = dict(zip(told_apart.tolist(), places.tolist(), strict=True))
    order.list_ties_by([player.id for player in history.players])
    return Standings(
        history=history,
        book=book,
        seed=seed,
        order=order.players[~out[order.players]],
        ahead=order.count_ahead() - first,
        columns=by_key,
        tie_values=tie_values,
        _decided=order.decided,
    )


def _find_pool_starts(pools: Ints | None, out: NDArray[np.bool_]) -> Ints:
    """Return where each player's pool begins in the list of all; players who are out come last."""
    if pools is None:
        return np.where(out, len(out) - np.count_nonzero(out), 0)
    pools = np.where(out, pools.max(initial=0) + 1, pools)
    return np.searchsorted(np.sort(pools), pools)


def _score_head_to_head(
    key: HeadToHead, history: History, points: Outcomes, ahead: Ints, players: Ints
) -> Ints:
    """Return for each of `players` the points from tables shared with players they are tied with.

    `ahead[i]`: how many are ahead of player i so far; equal numbers are still tied.
    """
    counts = key.among == "any" or np.bincount(ahead)[ahead[players]] == 2
    earned = {Outcome.WIN: points.win, Outcome.DRAW: points.draw, Outcome.LOSS: points.loss}
    unit = lcm(*(credit.earned.denominator for credit in earned.values()))
    worth = np.zeros(len(Outcome), np.int64)
    for outcome, credit in earned.items():
        worth[outcome] = int(credit.earned * unit)
    group = np.append(ahead, -1)
    total = np.zeros(len(players), np.int64)
    for r, row in zip(history.meeting_round, history.opponents, strict=True):
        met = group[row[players]] == ahead[players]
        total += np.where(met & counts, worth[history.played[r, players]], 0)
    return total


def _split_by_last_opponents(
    order: "RankedGroups",
    key: LastOpponent,
    number: int,
    history: History,
    book: Book,
    columns: dict[str, Column],
) -> None:
    """Split ties by the last opponents' places under the keys by value so far, all pools together.

    A last opponent's own last meeting is in the same round or a later one, and where it is the same
    round the two point at each other. So after as many steps as there are rounds every chain goes to
    and fro between two players, and more steps tell nothing new.
    """
    by_value = RankedGroups(np.zeros(history.size, np.int64))
    for at, link in enumerate(book.chain[:number]):
        if isinstance(link, ValueKey):
            by_value.split_by_value(columns[link.key], link, at)
    ahead = np.append(by_value.count_ahead(), history.size)
    opponents = last = find_last_opponents(history)
    for _ in range(history.rounds + 2 if key.depth == "recursive" else 1):
        order.split(ahead[opponents[order.tied]], number)
        opponents = last[opponents]


def find_last_opponents(history: History) -> Ints:
    """Return the last real opponent of each player; `history.size` for nobody, who is their own (PK-A7)."""
    nobody = history.size
    last = np.full(nobody + 1, nobody, np.int64)
    for row in history.opponents:
        met = row < nobody
        last[:-1][met] = row[met]
    return last


def _draw_lots(history: History, seed: str, players: Ints) -> Ints:
    """Return the position of each player's lot among the lots of all `players`."""
    label = f"standings/{history.rounds}"
    lots = [draw_lot(seed, label, history.players[player].id) for player in players]
    position = {lot: at for at, lot in enumerate(sorted(lots))}
    return np.array([position[lot] for lot in lots], np.int64)


class RankedGroups:
    """All players from the top, in groups that are still tied and that each key splits further.

    Positions count from 0. A group is a run of positions; it is known by its first one, which is the
    number of players ahead of it.
    """

    def __init__(self, first: Ints) -> None:
        """Begin with groups, given as the first position of each player's group."""
        self.players: Ints = np.argsort(first, kind="stable")
        self._group: Ints = first[self.players]
        self.decided = np.full(len(first) + 1, -1, np.int8)
        """For each position the key that separates it from the one before, or -1."""
        self._find_tied(np.arange(len(first)))

    def count_ahead(self) -> Ints:
        """Return for each player how many are ahead."""
        ahead = np.empty_like(self._group)
        ahead[self.players] = self._group
        return ahead

    @property
    def tied(self) -> Ints:
        """The players who share their group with another, group after group."""
        players: Ints = self.players[self._tied]
        return players

    def split(self, by: Ints, key: int) -> None:
        """Order each group by ascending `by`, one number for each of `tied`."""
        at = self._tied
        if not len(at):
            return
        group = self._group[at]
        order, differs = _sort_groups(group, by)
        self.players[at] = self.players[at][order]
        self._group[at] = np.maximum.accumulate(np.where(differs, at, 0))
        inside = differs[1:] & (group[1:] == group[:-1])
        self.decided[at[1:][inside]] = key
        self._find_tied(at)

    def split_by_value(self, column: Column, key: ValueKey, number: int) -> None:
        """Order each group by the values of a key, the better ones first."""
        ranks = column.ranks(self.tied, self._group[self._tied])
        self.split(-ranks if key.better == "high" else ranks, number)

    def list_ties_by(self, names: list[str]) -> None:
        """List players who share a place by their names, p2 before p10; this decides nothing."""
        pad = partial(re.sub, "[0-9]+", lambda number: number[0].zfill(12))
        tied = zip(self._group[self._tied].tolist(), self.tied.tolist(), strict=True)
        listed = sorted((group, pad(names[player]), names[player], player) for group, player in tied)
        self.players[self._tied] = [player for *_, player in listed]

    def _find_tied(self, among: Ints) -> None:
        group = self._group[among]
        like_next = group[1:] == group[:-1]
        is_tied = np.zeros(len(among), np.bool_)
        is_tied[1:] |= like_next
        is_tied[:-1] |= like_next
        self._tied: Ints = among[is_tied]


def _sort_groups(group: Ints, by: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the order by group, then value, and where in it either differs from the one before.

    Group, value and position are packed into one number wherever they fit into 63 bits: sorting
    numbers is several times faster than sorting positions by them.
    """
    group = np.cumsum(np.concatenate(([False], group[1:] != group[:-1])))  # 0, 1, 2 … need fewer bits
    low = int(by.min())
    value_bits = (int(by.max()) - low).bit_length()
    position_bits = (len(by) - 1).bit_length()
    bits = int(group.max()).bit_length() + value_bits
    differs = np.ones(len(by), np.bool_)
    if bits > 63:
        order = np.lexsort((by, group))
        differs[1:] = (by[order][1:] != by[order][:-1]) | (group[1:] != group[:-1])
        return order, differs
    packed = (group << value_bits) | (by - low)
    if bits + position_bits <= 63:
        packed = (packed << position_bits) | np.arange(len(by))
        packed.sort()
        order = packed & ((1 << position_bits) - 1)
        packed >>= position_bits
    else:
        order = np.argsort(packed)
        packed = packed[order]
    differs[1:] = packed[1:] != packed[:-1]
    return order, differs
