"""Keys that look at those who are still tied: head to head, the last opponent, a lot.

`ahead[i]` is the number of players ahead of player i so far; equal numbers are still tied.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topcut.history import History, Played
from topcut.lots import lot
from topcut.rulebook.keys import HeadToHead, LastOpponent, Outcomes
from topcut.standings.columns import Ints


def head_to_head(key: HeadToHead, history: History, points: Outcomes, ahead: Ints, players: Ints) -> Ints:
    """For each of `players` the points from tables shared with those they are tied with."""
    if key.among == "two":
        apply: NDArray[np.bool_] = np.bincount(ahead)[ahead[players]] == 2
    else:
        apply = np.ones(len(players), np.bool_)
    worth = _worth(points)
    group = np.append(ahead, -1)
    total = np.zeros(len(players), np.int64)
    for r, row in zip(history.meeting_round, history.opponents, strict=True):
        met = group[row[players]] == ahead[players]
        total += np.where(met & apply, worth[history.played[r, players]], 0)
    return total


def _worth(points: Outcomes) -> Ints:
    unit = 1
    values = {Played.WIN: points.win, Played.DRAW: points.draw, Played.LOSS: points.loss}
    for credit in values.values():
        unit = unit * credit.earned.denominator
    table = np.zeros(len(Played), np.int64)
    for played, credit in values.items():
        table[played] = int(credit.earned * unit)
    return table


def last_opponents(history: History) -> Ints:
    """The last real opponent of each player; `history.size` for nobody, who is their own (PK-A7)."""
    nobody = history.size
    last = np.full(nobody + 1, nobody, np.int64)
    for row in history.opponents:
        met = row < nobody
        last[:-1][met] = row[met]
    return last


def steps(key: LastOpponent, history: History) -> int:
    """How often to go from a player to their last opponent.

    A last opponent's own last meeting is in the same round or a later one, and where it is the same
    round the two point at each other. So after as many steps as there are rounds every chain goes to
    and fro between two players, and more steps tell nothing new.
    """
    return history.rounds + 2 if key.depth == "recursive" else 1


def last_opponents_ahead(history: History, values_ahead: Ints, players: Ints, step: int) -> Ints:
    """How many stand ahead of the last opponent (from step 1 on: of the last opponent …) of `players`."""
    last = last_opponents(history)
    for _ in range(step + 1):
        players = last[players]
    standing: Ints = np.append(values_ahead, history.size)[players]
    return standing


def by_lot(history: History, seed: str, players: Ints) -> Ints:
    """The order of the players' lots; the first comes out on top."""
    label = f"standings/{history.rounds}"
    lots = [lot(seed, label, history.players[player].id) for player in players]
    order = np.empty(len(players), np.int64)
    for position, i in enumerate(sorted(range(len(players)), key=lots.__getitem__)):
        order[i] = position
    return order
