"""A round robin on its way: who sits where on the circle, and the tables of each round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topcut.errors import BadInput
from topcut.history import History, Round
from topcut.history.parts import Part
from topcut.stages.graph import RankSeed
from topcut.stages.robin import robin
from topcut.stages.seeds import drawn_seeds


def circle_seeds(history: History, part: Part, rounds: Sequence[Round], seed: str) -> tuple[list[str], bool]:
    """The ids by rank seed, and whether they are drawn now; recorded rounds say what they were."""
    recorded = [a_round.seed for a_round in rounds[:1] if a_round.seed is not None]
    ids, drawn = drawn_seeds(history, part, recorded[0] if recorded else seed)
    if not rounds:
        return ids, drawn
    wrong = _first_wrong(history, ids)
    if wrong is None:
        return ids, False
    read = _recorded(rounds[0], set(ids))
    if sorted(read) == sorted(ids) and _first_wrong(history, read) is None:
        return read, False
    raise BadInput("these are not the tables of a round robin by the circle", place=f"rounds[{wrong}].tables")


def circle_tables(history: History, ids: Sequence[str], number: int) -> list[tuple[tuple[int, ...], str]]:
    """The tables of a round (from 0), with a reason each; whose opponent has left has a bye."""
    found = []
    for node in robin(len(ids)).rounds[number]:
        pair = [seat.number for seat in node.seats if isinstance(seat, RankSeed)]
        seeds = {seed: history.index[ids[seed - 1]] for seed in pair if seed <= len(ids)}
        here = {seed: i for seed, i in seeds.items() if history.last[i] > number}
        why = f"round {number + 1} of the circle: rank seed{'s' if len(here) > 1 else ''} "
        why += " and ".join(map(str, here))
        if len(here) == 1:
            away = [history.players[i].shown_name for seed, i in seeds.items() if seed not in here]
            why += f", {away[0]} has left" if away else ", nobody opposite"
        if here:
            found.append((tuple(here.values()), why))
    return found


def _recorded(first: Round, ids: set[str]) -> list[str]:
    """The rank seeds of a recorded first round: down the first seats, then up the second ones."""
    here = [table.players for table in first.tables if set(table.players) <= ids]
    alone = [players[0] for players in here if len(players) == 1]
    pairs = [players for players in here if len(players) == 2]
    return [*alone, *(first for first, _ in pairs), *(second for _, second in reversed(pairs))]


def _first_wrong(history: History, ids: list[str]) -> int | None:
    """The first round (from 0) in which players met who do not meet there by the circle."""
    at = np.array([history.index[player_id] for player_id in ids] + [history.size])
    for r, nodes in enumerate(robin(len(ids)).rounds[: history.rounds]):
        expected = np.full(history.size + 1, history.size)
        pairs = [[seat.number for seat in node.seats if isinstance(seat, RankSeed)] for node in nodes]
        seeds = np.array(pairs) - 1
        one, other = at[seeds[:, 0]], at[seeds[:, 1]]
        expected[one], expected[other] = other, one
        met = history.opponents[history.meeting_round == r][:, at[:-1]]
        if ((met < history.size) & (met != expected[at[:-1]])).any():
            return r
    return None
