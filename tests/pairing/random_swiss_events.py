"""Events that unfold round by round, for tests: the engine pairs them, a `Random` decides everything else.

    for stage in unfolding(Random(7), "mtr", size=9, planned=8, habits=LIVELY):
        stage.file      the event file before a round
        stage.answer    what the engine answers, or None
        stage.refusal   why it answers nothing

An event file is a plain document here, as in the contract, so that the oracle can read it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import numpy as np

from tests.pairing.pairing_oracle import Field, Pairing, Table, field_of
from topcut.errors import Impossible
from topcut.formats.event_file import EventFile
from topcut.history import build_history
from topcut.pairing.engine.field import Field as EngineField
from topcut.pairing.engine.field import Rules
from topcut.pairing.model import build_pairing_document
from topcut.pairing.round_draw import RoundDraw
from topcut.rulebook import Book, load
from topcut.rulebook.options import check_options
from topcut.text.message_json import decode_text

File = dict[str, Any]
Answer = dict[str, Any]

SWISS = ("dci-1999", "mtr", "pokemon-2017", "pokemon-tom", "fab-gem")
WITH_DIVISIONS = ("pokemon-2017", "pokemon-tom")
DIVISIONS = ("junior", "senior", "masters")
NEVER_TWICE_RUNNING = ("fab-gem",)


@dataclass(frozen=True)
class NoByeAgain(Field):
    """A round in which some may not have the bye because they have just had it (FB-A11)."""

    just_had: frozenset[str] = frozenset()

    def allows(self, table: Table) -> bool:
        return super().allows(table) and not (len(table) == 1 and table <= self.just_had)


@dataclass(frozen=True)
class Habits:
    """How often things happen."""

    draw: float = 0.0
    both_lose: float = 0.0
    loss: float = 0.0
    """A loss without an opponent, for somebody who should have had the bye."""
    drop: float = 0.0
    late: float = 0.0
    by_hand: float = 0.0
    """Rounds that somebody paired without looking at points, rematches or byes."""
    divisions: float = 0.0
    labels: float = 0.0
    favourite: float = 0.0
    """Tables that the player with the lower number wins for certain."""


PLAIN = Habits()
LIVELY = Habits(draw=0.15, both_lose=0.03, loss=0.1, drop=0.05, late=0.15)
WILD = replace(LIVELY, by_hand=0.3, divisions=0.4, labels=0.4, favourite=0.3)


@dataclass(frozen=True)
class Stage:
    """An event before one of its rounds."""

    file: File
    answer: Answer | None
    refusal: Impossible | None = None

    @property
    def field(self) -> Field:
        """The round as the oracle sees it."""
        return judged_field(self.file)


def unfolding(
    random: Random, rules: str, size: int, planned: int, habits: Habits = PLAIN, look_ahead: bool = True
) -> Iterator[Stage]:
    """An event before each of its rounds; it ends early where fewer than two are left or nothing is legal."""
    file = entered(random, rules, size, planned, habits)
    for number in range(1, planned + 1):
        if len(active(file)) < 2:
            return
        event = pairable(file, look_ahead)
        try:
            answer = build_pairing_document(event.pair(f"{random.random()}"), event.history)
        except Impossible as refusal:
            yield Stage(file, None, refusal)
            return
        yield Stage(file, answer)
        tables = [table["players"] for table in answer["tables"]]
        if happens(random, habits.by_hand):
            tables = by_hand(random, file)
        played = {"tables": [result(random, table, habits) for table in tables]}
        players = leaving(random, file, number, habits)
        for kind in ("flights", "pods", "seats"):
            drawn = answer.get(kind, {})
            players = [{**p, kind[:-1]: drawn[p["id"]]} if p["id"] in drawn else p for p in players]
        file = {**file, "rounds": [*file["rounds"], played], "players": players}


def entered(random: Random, rules: str, size: int, planned: int, habits: Habits) -> File:
    """An event before its first round, at least two of its players in time."""
    options: dict[str, Any] = {"rounds": planned}
    divided = rules in WITH_DIVISIONS and happens(random, habits.divisions)
    if divided:
        options["divisions"] = "modified"
    kept_apart = happens(random, habits.labels)
    players = []
    for number in range(1, size + 1):
        player: dict[str, Any] = {"id": f"p{number:03}"}
        if number > 2 and happens(random, habits.late):
            player["entered"] = random.randint(2, max(2, planned))
        if divided and happens(random, 0.9):
            player["division"] = random.choice(DIVISIONS)
        if kept_apart and happens(random, 0.6):
            player["apart"] = random.sample(["north", "south", "east"], random.choice([1, 1, 2]))
        players.append(player)
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "options": options,
        "players": players,
        "rounds": [],
    }


def by_hand(random: Random, file: File) -> list[list[str]]:
    """Tables in any order whatever."""
    ids = active(file)
    random.shuffle(ids)
    return [ids[at : at + 2] for at in range(0, len(ids), 2)]


def result(random: Random, players: list[str], habits: Habits) -> dict[str, Any]:
    """A table once it is played."""
    if len(players) == 1:
        return {"players": players, "loss" if happens(random, habits.loss) else "bye": True}
    if happens(random, habits.both_lose):
        return {"players": players, "winner": "double_loss"}
    if happens(random, habits.draw):
        return {"players": players, "winner": "draw"}
    winner = min(players) if happens(random, habits.favourite) else random.choice(players)
    return {"players": players, "winner": winner}


def leaving(random: Random, file: File, number: int, habits: Habits) -> list[dict[str, Any]]:
    """The players after a round, some of them for the last time."""
    here = set(active(file))
    return [
        {**player, random.choice(["dropped", "dropped", "cut", "disqualified"]): number}
        if player["id"] in here and happens(random, habits.drop)
        else player
        for player in file["players"]
    ]


def active(file: File) -> list[str]:
    """Who takes part in the next round."""
    following = len(file["rounds"]) + 1
    return [
        player["id"]
        for player in file["players"]
        if player.get("entered", 1) <= following
        and all(player.get(why, following) >= following for why in ("dropped", "cut", "disqualified"))
    ]


def happens(random: Random, how_often: float) -> bool:
    return random.random() < how_often


# What the engine and the oracle make of a file


@cache
def book(rules: str) -> Book:
    """A ruleset, read once."""
    return load(rules)


def pairable(file: File, look_ahead: bool = True) -> RoundDraw:
    """An event file as the engine takes it; its rules look ahead, or do not."""
    read = msgspec.convert(file, EventFile, dec_hook=decode_text)
    rules = book(read.rules)
    if not look_ahead and rules.pairing is not None:
        rules = msgspec.structs.replace(rules, pairing=msgspec.structs.replace(rules.pairing, look_ahead=0))
    history = build_history(read.players, read.rounds, rules)
    check_options(read.options, history.rounds, rules)
    return RoundDraw(history, rules, read.options, read.rounds)


def answered(file: File, seed: str) -> Answer:
    """The document of the contract."""
    event = pairable(file)
    return build_pairing_document(event.pair(seed), event.history)


def recommended(file: File) -> int:
    """Up to how many rounds rematches are forbidden, where the book says so (FB-9, FB-A8)."""
    known = sum(player.get("entered", 1) <= len(file["rounds"]) + 1 for player in file["players"])
    chart = ((3, 0), (8, 3), (16, 4), (32, 5), (64, 6), (128, 7), (226, 8), (409, 9))
    return next((rounds for most, rounds in chart if known <= most), 10)


def judged_field(file: File) -> Field:
    """The next round as the oracle sees it."""
    field = field_of(file, recommended(file))
    if file["rules"] not in NEVER_TWICE_RUNNING or not file["rounds"]:
        return field
    last = frozenset(table["players"][0] for table in file["rounds"][-1]["tables"] if table.get("bye"))
    if last >= set(field.points):
        return field
    return NoByeAgain(**{part.name: getattr(field, part.name) for part in fields(field)}, just_had=last)


def seated(answer: Answer) -> Pairing:
    """The tables of an answer as the oracle writes them."""
    return frozenset(frozenset(table["players"]) for table in answer["tables"])


# Fields without an event


def crowded(random: Random, size: int) -> Field:
    """Small score groups in which many have met: what parity asks for can often not be had."""
    win = random.choice([1, 3])
    points: list[int] = []
    score = 3 * size * win
    while len(points) < size:
        points += [score] * random.choice([1, 2, 2, 3, 3, 4, 4, 5, 6, 8])
        score -= win * random.choice([1, 1, 2, 3])
    ids = [f"p{number:02}" for number in range(size)]
    near, far = random.choice([0.3, 0.6, 0.8, 0.95, 1.0]), random.choice([0.0, 0.05, 0.2, 0.5])
    reach = win * random.choice([0, 1, 2, 4])
    gaps = {frozenset((a, b)): points[a] - points[b] for a, b in combinations(range(size), 2)}
    met = [pair for pair, gap in gaps.items() if happens(random, near if gap <= reach else far)]
    labelled = happens(random, 0.3)
    return Field(
        points=dict(zip(ids, points, strict=False)),
        met={frozenset(ids[player] for player in pair): 1 for pair in met},
        byes={player_id: 1 for player_id in ids if happens(random, 0.2)},
        division={},
        apart={
            player_id: frozenset(random.sample("xyz", 1))
            for player_id in ids
            if labelled and happens(random, 0.7)
        },
        rounds_left=0,
        second_bye="avoided",
        rematch="avoided",
    )


def as_engine(field: Field) -> EngineField:
    """A field of the oracle as the engine sees it; its players' numbers follow the order of the field."""
    order = sorted(field.points, key=lambda player_id: (-field.points[player_id], player_id))
    place = {player_id: at for at, player_id in enumerate(order)}
    rounds: list[list[int]] = []
    for pair in sorted(
        sorted(place[player_id] for player_id in pair) for pair, times in field.met.items() if times
    ):
        a, b = pair
        free = next((r for r in rounds if r[a] == r[b] == len(order)), None)
        if free is None:
            free = [len(order)] * len(order)
            rounds.append(free)
        free[a], free[b] = b, a
    labels = tuple(tuple(sorted(field.apart.get(player_id, ()))) for player_id in order)
    return EngineField(
        players=np.arange(len(order)),
        points=np.array([field.points[player_id] for player_id in order], np.int64),
        met=np.array(rounds, np.int32).reshape(-1, len(order)),
        byes=np.array([field.byes.get(player_id, 0) for player_id in order], np.int64),
        division=np.zeros(len(order), np.int64),
        labels=labels if any(labels) else (),
        rules=Rules(),
    )
