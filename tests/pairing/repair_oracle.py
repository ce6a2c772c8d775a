"""Rounds that were posted, what happened then, and the fewest changes by looking at every pairing there is.

The judge shares nothing with the engine: see oracle.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tests.pairing.pairing_oracle import KEYS, Field, Pairing, Table, pairings, table_cost
from tests.pairing.random_swiss_events import (
    LIVELY,
    File,
    Habits,
    NoByeAgain,
    active,
    answered,
    by_hand,
    entered,
    happens,
    leaving,
    pairable,
    result,
)
from topcut.errors import Impossible
from topcut.pairing.model import DrawnTable
from topcut.pairing.repair.repair_round import cost_unchanged, repair_round

RULES = ("dci-1999", "pokemon-2017", "mtr", "fab-gem")
SEEDS = st.integers(0, 2**32)
AHEAD = 2
"""Rounds that are looked ahead."""


def fewer(by: int) -> settings:
    """So many times fewer examples than elsewhere, where one takes long."""
    assert settings.default is not None
    return settings(max_examples=max(3, settings.default.max_examples // by))


def an_event_so_far(random: Random, rules: str, size: int, rounds: int, habits: Habits) -> File:
    """An event before a round that can be paired."""
    file = entered(random, rules, size, rounds + random.choice([1, 1, 2, 3]), habits)
    for number in range(1, rounds + 1):
        try:
            tables = [table["players"] for table in answered(file, f"{number}")["tables"]]
        except Impossible:
            break
        if happens(random, habits.by_hand):
            tables = by_hand(random, file)
        played = {"tables": [result(random, table, habits) for table in tables]}
        later = {**file, "rounds": [*file["rounds"], played]}
        later["players"] = leaving(random, file, number, habits)
        if len(active(later)) < 2:
            break
        file = later
    return file


def posted_for(random: Random, file: File) -> list[list[str]]:
    """A round as it was posted, by the engine or by somebody."""
    if happens(random, 0.3):
        return by_hand(random, file)
    try:
        return [table["players"] for table in answered(file, f"{random.random()}")["tables"]]
    except Impossible:
        return by_hand(random, file)


def afterwards(random: Random, file: File) -> File:
    """The same event once a result is corrected, somebody left, somebody came, or nothing happened."""
    file = deepcopy(file)
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        what = random.choice(["corrected", "dropped", "late"])
        tables = [table for played in file["rounds"] for table in played["tables"]]
        if what == "corrected" and tables:
            table = random.choice(tables)
            players = table["players"]
            table.clear()
            table.update(result(random, players, LIVELY))
        elif what == "dropped" and len(active(file)) > 2:
            gone = random.choice(active(file))
            (player,) = (player for player in file["players"] if player["id"] == gone)
            player["dropped"] = len(file["rounds"])
        elif what == "late":
            late: dict[str, Any] = {"id": f"l{len(file['players']):02}", "entered": len(file["rounds"]) + 1}
            if file["options"].get("divisions"):
                late["division"] = random.choice(["junior", "senior"])
            file["players"].append(late)
    return file


def some_begun(random: Random, file: File, posted: list[list[str]], share: float) -> list[list[str]]:
    """Tables that have begun; whoever sits there has not left."""
    here = set(active(file))
    return [table for table in posted if here.issuperset(table) and happens(random, share)]


@dataclass(frozen=True)
class Repaired:
    """A posted round once it is repaired, beside the round before."""

    tables: list[DrawnTable]
    cost: dict[str, Any]
    fewest: bool
    optimal: bool
    drawn: dict[str, dict[str, int]]
    changed: list[tuple[int, ...]]
    """The tables that were not posted."""
    gone: list[tuple[int, ...]]
    """The posted tables that are no more."""
    before: dict[str, Any] | None
    """What the posted round costs now; None if it is not legal any more."""


def repair(
    file: File, posted: Iterable[Iterable[str]], fixed: Iterable[Iterable[str]] = (), seed: str = "s"
) -> Repaired:
    event = pairable(file)
    index = event.history.index
    old = [tuple(index[player_id] for player_id in table) for table in posted]
    begun = [[index[player_id] for player_id in table] for table in fixed]
    found = repair_round(event, seed, old, begun)
    now = [frozenset(table.players) for table in found.tables]
    return Repaired(
        **vars(found),
        changed=[
            table.players for table in found.tables if frozenset(table.players) not in map(frozenset, old)
        ],
        gone=[table for table in old if frozenset(table) not in now],
        before=cost_unchanged(event, seed, old),
    )


def posted_cost(file: File, posted: Iterable[Iterable[str]]) -> dict[str, Any] | None:
    event = pairable(file)
    return cost_unchanged(
        event, "s", [[event.history.index[player_id] for player_id in table] for table in posted]
    )


def sets(file: File, tables: Iterable[Iterable[int]]) -> list[Table]:
    """Tables as the oracle writes them."""
    return [frozenset(file["players"][player]["id"] for player in table) for table in tables]


def tables_of(file: File, found: Repaired) -> list[Table]:
    return sets(file, (table.players for table in found.tables))


def assert_sound(file: File, posted: list[list[str]], fixed: list[list[str]], found: Repaired) -> Pairing:
    """Everybody sits somewhere, and nothing that has begun is touched."""
    tables, old = tables_of(file, found), [frozenset(table) for table in posted]
    assert Counter(player_id for table in tables for player_id in table) == Counter(active(file))
    assert {frozenset(table) for table in fixed} <= set(tables)
    kept = [table for table in tables if table in old and len(table) > 1]
    assert kept == [table for table in old if table in tables and len(table) > 1]
    alone = [len(table.players) == 1 for table in found.tables]
    assert alone == sorted(alone)
    assert all(table.why for table in found.tables)
    return frozenset(tables)


def drawn_for(file: File) -> list[list[str]]:
    """The round as the engine posts it."""
    return [table["players"] for table in answered(file, "posted")["tables"]]


# Every pairing there is


def judged_beside(field: Field, fixed: Pairing) -> tuple[tuple[int, ...], list[Pairing]] | None:
    """The least that anything costs beside fixed tables, and all that cost it; None if nothing is legal.

    The last of the parts before points is how many rounds to come are closed.
    """
    rest = set(field.points) - {player_id for table in fixed for player_id in table}
    if len(rest) % 2 and any(len(table) == 1 for table in fixed):
        return None
    if isinstance(field, NoByeAgain) and rest <= field.just_had:
        field = replace(field, just_had=frozenset())
    found: dict[Pairing, tuple[int, ...]] = {}
    for choice in pairings(sorted(rest), field.allows):
        whole = choice | fixed
        parts = [table_cost(field, table) for table in whole]
        found[whole] = tuple(sum(part[key] for part in parts) for key in KEYS)
    if not found:
        return None
    hard = min(cost[:2] for cost in found.values())
    found = {
        choice: (*cost[:2], -open_rounds(field, choice), *cost[3:])
        for choice, cost in found.items()
        if cost[:2] == hard
    }
    least = min(found.values())
    return least, [choice for choice, cost in found.items() if cost == least]


def open_rounds(field: Field, choice: Pairing) -> int:
    """How many of the next planned rounds, two at most, need no rematch and no second bye."""
    used = {table for table, times in field.met.items() if times} | choice
    used |= {frozenset((player_id,)) for player_id, times in field.byes.items() if times}

    def following(wanted: int, used: frozenset[Table]) -> int:
        most = 0
        for later in pairings(field.points, lambda table: table not in used) if wanted else ():
            most = max(most, 1 + following(wanted - 1, used | later))
            if most == wanted:
                break
        return most

    return following(max(0, min(AHEAD, field.rounds_left)), frozenset(used))


def legal(field: Field, pairing: Iterable[Table]) -> bool:
    tables = list(pairing)
    seated = Counter(player_id for table in tables for player_id in table)
    if seated != Counter([*field.points]) or sum(len(table) == 1 for table in tables) != len(seated) % 2:
        return False
    return all(field.allows(table) for table in tables)
