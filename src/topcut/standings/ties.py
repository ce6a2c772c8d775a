"""Compare players who are still tied: head to head, by last opponents, by lot.

`ahead[i]` is the number of players ahead of player i so far; equal numbers are still tied.
"""

from math import lcm

import numpy as np

from topcut.history import History, Outcome
from topcut.lots import draw_lot
from topcut.rulebook.keys import HeadToHead, LastOpponent, Outcomes
from topcut.standings.columns import Ints


def score_head_to_head(
    key: HeadToHead, history: History, points: Outcomes, ahead: Ints, players: Ints
) -> Ints:
    """Return for each of `players` the points from tables shared with players they are tied with."""
    counts = key.among == "any" or np.bincount(ahead)[ahead[players]] == 2
    earned = {
        Outcome.WIN: points.win.earned,
        Outcome.DRAW: points.draw.earned,
        Outcome.LOSS: points.loss.earned,
    }
    unit = lcm(*(value.denominator for value in earned.values()))
    worth = np.zeros(len(Outcome), np.int64)
    for outcome, value in earned.items():
        worth[outcome] = int(value * unit)
    group = np.append(ahead, -1)
    total = np.zeros(len(players), np.int64)
    for r, row in zip(history.meeting_round, history.opponents, strict=True):
        met = group[row[players]] == ahead[players]
        total += np.where(met & counts, worth[history.played[r, players]], 0)
    return total


def find_last_opponents(history: History) -> Ints:
    """Return the last real opponent of each player; `history.size` for nobody, who is their own (PK-A7)."""
    nobody = history.size
    last = np.full(nobody + 1, nobody, np.int64)
    for row in history.opponents:
        met = row < nobody
        last[:-1][met] = row[met]
    return last


def count_steps(key: LastOpponent, history: History) -> int:
    """Return how often to go from a player to their last opponent.

    A last opponent's own last meeting is in the same round or a later one, and where it is the same
    round the two point at each other. So after as many steps as there are rounds every chain goes to
    and fro between two players, and more steps tell nothing new.
    """
    return history.rounds + 2 if key.depth == "recursive" else 1


def count_ahead_of_last(history: History, values_ahead: Ints, players: Ints, step: int) -> Ints:
    """Return how many are ahead of the last opponents of `players`, `step` last opponents further on."""
    last = find_last_opponents(history)
    for _ in range(step + 1):
        players = last[players]
    standing: Ints = np.append(values_ahead, history.size)[players]
    return standing


def draw_lots(history: History, seed: str, players: Ints) -> Ints:
    """Return the position of each player's lot among those of all `players`."""
    label = f"standings/{history.rounds}"
    lots = [draw_lot(seed, label, history.players[player].id) for player in players]
    order = np.empty(len(players), np.int64)
    for position, i in enumerate(sorted(range(len(players)), key=lots.__getitem__)):
        order[i] = position
    return order
