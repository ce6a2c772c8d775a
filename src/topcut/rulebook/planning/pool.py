"""Group divisions into pools of players who play together."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from topcut.rulebook.layout import Divisions

DivisionMode = Literal["separate", "modified", "off"]


class PlannedPool(Struct, frozen=True):
    """Players who are paired with each other during the Swiss rounds."""

    players: int
    counted: int
    """The number that round tables are asked for."""
    mode: DivisionMode = "separate"


def group_divisions(rule: Divisions, players: Sequence[int]) -> tuple[DivisionMode, list[list[int]]]:
    """Return whether divisions of these sizes are separated or modified, and which of them play together.

    Divisions are named by position; an empty one plays nowhere. With 6 players to be separate:
    3, 10 and 40 give `("modified", [[0, 1, 2]])` or, where only the short one moves,
    `("modified", [[0, 1], [2]])`.
    """
    count_empty = rule.empty == "short"  # PK-A8
    entries = [i for i, number in enumerate(players) if number or count_empty]
    if all(players[i] >= rule.separate_from for i in entries):  # PK-12
        return "separate", [[i] for i in entries]
    if rule.merge == "all":  # PK-13, PK-A26
        return "modified", _leave_out_empty([entries], players)
    pools = [[i] for i in entries]
    while len(pools) > 1 and (short := _find_short(rule, pools, players)) is not None:
        # It joins the next division of the list; the last one has only the one before.
        first = min(short, len(pools) - 2)
        pools[first : first + 2] = [pools[first] + pools[first + 1]]
    return "modified", _leave_out_empty(pools, players)


def _find_short(rule: Divisions, pools: list[list[int]], players: Sequence[int]) -> int | None:
    totals = [sum(players[i] for i in pool) for pool in pools]
    return next((at for at, total in enumerate(totals) if total < rule.separate_from), None)


def _leave_out_empty(pools: list[list[int]], players: Sequence[int]) -> list[list[int]]:
    kept = ([i for i in pool if players[i]] for pool in pools)
    return [pool for pool in kept if pool]
