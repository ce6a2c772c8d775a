"""Seat a round robin by the circle method: everybody meets everybody once."""

from collections.abc import Sequence

import numpy as np

from topcut.errors import BadInput
from topcut.history import History, Round
from topcut.history.parts import Part
from topcut.stages.brackets.bracket import draw_rank_seeds
from topcut.text.messages import Message, say


def circle_pairs(players: int, number: int) -> list[tuple[int, int]]:
    """Return the rank seeds that meet in a round (from 0), the better first; seed players + 1 is a bye.

    One player stays, the others go round: players opposite each other meet.

    >>> circle_pairs(5, 0), circle_pairs(5, 1)
    ([(1, 6), (2, 5), (3, 4)], [(1, 5), (2, 3), (4, 6)])
    """
    seats = players + players % 2
    order = [1, *((i - number) % (seats - 1) + 2 for i in range(seats - 1))]
    pairs = [(order[i], order[seats - 1 - i]) for i in range(seats // 2)]
    return sorted((min(pair), max(pair)) for pair in pairs)


def find_circle_seeds(
    history: History, part: Part, rounds: Sequence[Round], seed: str
) -> tuple[list[str], bool]:
    """Return the ids by rank seed, and whether they are drawn now; recorded rounds say what they were."""
    recorded = [a_round.seed for a_round in rounds[:1] if a_round.seed is not None]
    ids, drawn = draw_rank_seeds(history, part, recorded[0] if recorded else seed)
    if not rounds:
        return ids, drawn
    wrong = _first_wrong_round(history, ids)
    if wrong is None:
        return ids, False
    read = _read_seeds(rounds[0], set(ids))
    if sorted(read) == sorted(ids) and _first_wrong_round(history, read) is None:
        return read, False
    problem = say("expected the tables of a round robin by the circle method")
    raise BadInput(problem, place=f"rounds[{wrong}].tables")


def list_circle_tables(
    history: History, ids: Sequence[str], number: int
) -> list[tuple[tuple[int, ...], Message]]:
    """Return the tables of a round (from 0), with a reason each; a player whose opponent left has a bye."""
    found = []
    for pair in circle_pairs(len(ids), number):
        seeds = {seed: history.index[ids[seed - 1]] for seed in pair if seed <= len(ids)}
        here = {seed: i for seed, i in seeds.items() if history.last[i] > number}
        away = [history.players[i].shown_name for seed, i in seeds.items() if seed not in here]
        if here:
            found.append((tuple(here.values()), _explain_table(number + 1, list(here), away)))
    return found


def _explain_table(number: int, seeds: Sequence[int], away: Sequence[str]) -> Message:
    """Say which rank seeds meet, or why the only one has a bye; `away`: who has left."""
    if len(seeds) == 2:
        one, other = seeds
        return say(
            "round {round} of the round robin: rank seeds {seed} and {other}",
            round=number,
            seed=one,
            other=other,
        )
    if away:
        return say(
            "round {round} of the round robin: rank seed {seed}, {player} has left",
            round=number,
            seed=seeds[0],
            player=away[0],
        )
    return say("round {round} of the round robin: rank seed {seed}, bye", round=number, seed=seeds[0])


def _read_seeds(first: Round, ids: set[str]) -> list[str]:
    """Return the rank seeds of a recorded first round: down the first seats, then up the second ones."""
    here = [table.players for table in first.tables if set(table.players) <= ids]
    alone = [players[0] for players in here if len(players) == 1]
    pairs = [players for players in here if len(players) == 2]
    return [*alone, *(first for first, _ in pairs), *(second for _, second in reversed(pairs))]


def _first_wrong_round(history: History, ids: list[str]) -> int | None:
    """Return the first round (from 0) in which players met who do not meet there by the circle."""
    at = np.array([history.index[player_id] for player_id in ids] + [history.size])
    for r in range(min(history.rounds, len(ids) - 1 + len(ids) % 2)):
        expected = np.full(history.size + 1, history.size)
        seeds = np.array(circle_pairs(len(ids), r)) - 1
        one, other = at[seeds[:, 0]], at[seeds[:, 1]]
        expected[one], expected[other] = other, one
        met = history.opponents[history.meeting_round == r][:, at[:-1]]
        if ((met < history.size) & (met != expected[at[:-1]])).any():
            return r
    return None
