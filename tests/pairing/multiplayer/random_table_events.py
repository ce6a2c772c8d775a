"""Events at tables of three and four, for tests: a `Random` decides everything.

    file = an_event(Random(7), "commander-4", size=9, rounds=4)
    for file, answer in unfolding(Random(7), "commander-4", size=60, rounds=5): ...

The rounds of the first kind are seated at random and not as the rules want, with few different results, so
that players have met in every way and many places are shared. The second kind is seated by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from tests.pairing.multiplayer.seating_oracle import PREFERRED, Field, sizes_for
from tests.pairing.random_swiss_events import Answer, active, answered, happens
from topcut.pairing.multiplayer.seating_field import SeatingField

File = dict[str, Any]
CLUBS = ("north", "south", "east")
FEWEST = 6


def before(rules: str, size: int, **about: Callable[[int], Any]) -> File:
    """An event before its first round; `about` gives fields of players by their numbers."""
    players = [
        {"id": f"p{number:03}", **{key: value(number) for key, value in about.items()}}
        for number in range(size)
    ]
    return {"topcut": 1, "name": "An event", "rules": rules, "players": players, "rounds": []}


def unfolding(random: Random, file: File, rounds: int) -> Iterator[tuple[File, Answer]]:
    """An event before each of its rounds, with the engine's answer; then anything comes out."""
    for number in range(1, rounds + 1):
        answer = answered(file, f"round {number}")
        yield file, answer
        tables = [played(random, file["rules"], table["players"]) for table in answer["tables"]]
        file = {**file, "rounds": [*file["rounds"], {"seed": f"round {number}", "tables": tables}]}


def played(random: Random, rules: str, players: list[str]) -> dict[str, Any]:
    """A table once it is played, with many different results."""
    if rules == "commander-4":
        return {"players": players, "winner": random.choice([*players, *players, "draw"])}
    scores = [random.randint(0, 27) for _ in players]
    best = [player_id for player_id, score in zip(players, scores, strict=True) if score == max(scores) >= 20]
    return {"players": players, "scores": scores, "winners": best}


def an_event(random: Random, rules: str, size: int, rounds: int, labels: bool | None = None) -> File:
    """An event before its next round, in which so many take part."""
    file = entered(random, rules, size, rounds, labels)
    for number in range(1, rounds + 1):
        ids = active(file)
        sizes = sizes_for(PREFERRED[rules], len(ids))
        if sizes is None:
            raise AssertionError(f"{len(ids)} players have no tables")
        file["rounds"].append({"tables": [result(random, rules, t) for t in by_lot(random, ids, sizes)]})
        go(random, file, number, size)
    return file


def entered(random: Random, rules: str, size: int, rounds: int, labels: bool | None = None) -> File:
    """Somebody more than will be left, somebody late."""
    labelled = happens(random, 0.4) if labels is None else labels
    leaving = random.choice([0, 0, 1, 2]) if rounds else 0
    players: list[dict[str, Any]] = []
    for number in range(size + leaving):
        player: dict[str, Any] = {"id": f"p{number:02}"}
        if labelled and happens(random, 0.6):
            player["apart"] = random.sample(CLUBS, random.choice([1, 1, 2]))
        if number >= FEWEST and happens(random, 0.2):
            player["entered"] = random.randint(1, rounds + 1)
        players.append(player)
    random.shuffle(players)
    return {"topcut": 1, "name": "An event", "rules": rules, "players": players, "rounds": []}


def go(random: Random, file: File, number: int, size: int) -> None:
    """Some leave, as many as still must; those here stay enough for two tables."""
    coming = [p for p in file["players"] if p.get("entered", 1) > number + 1]
    must = len(active(file)) + len(coming) - size
    for _ in range(must):
        here = [p for p in file["players"] if p["id"] in active(file)]
        last = number == max([number, *(p["entered"] - 1 for p in coming)])
        if len(here) > FEWEST and (last or happens(random, 0.4)):
            random.choice(here)[random.choice(["dropped", "cut", "disqualified"])] = number


def by_lot(random: Random, ids: list[str], sizes: tuple[int, ...]) -> list[list[str]]:
    """Tables of any players, in any order."""
    waiting = random.sample(ids, len(ids))
    return [[waiting.pop() for _ in range(size)] for size in random.sample(sizes, len(sizes))]


def result(random: Random, rules: str, players: list[str]) -> dict[str, Any]:
    """A table once it is played."""
    if rules == "commander-4":
        return {"players": players, "winner": random.choice([*players, "draw", "draw"])}
    scores = [random.choice([0, 0, 10, 20]) for _ in players]
    best = [player_id for player_id, score in zip(players, scores, strict=True) if score == max(scores) >= 20]
    won = best if random.random() < 0.8 else []
    return {"players": players, "scores": scores, "winners": won}


# Fields without an event


def a_field(random: Random, rules: str, size: int) -> Field:
    """Players who have met at random, in rounds that may have had other players too."""
    order = [f"p{number:02}" for number in range(size)]
    sizes = sizes_for(PREFERRED[rules], size)
    assert sizes is not None
    shared = random.choice([0.0, 0.3, 0.7, 0.9])
    groups: list[list[int]] = []
    for place in range(size):
        if groups and happens(random, shared):
            groups[-1].append(place)
        else:
            groups.append([place])
    places = {order[place]: (group[0], group[-1]) for group in groups for place in group}
    dense = random.choice([0.1, 0.3, 0.5, 0.7, 1.0])
    met = []
    for _ in range(random.choice([1, 1, 2, 3, 4])):
        tables = [t for t in by_lot(random, order, sizes) if happens(random, dense)]
        met.append(frozenset(frozenset((a, b)) for table in tables for a in table for b in table if a != b))
    labelled = happens(random, 0.4)
    labels = {
        player_id: frozenset(random.sample(CLUBS, 1))
        for player_id in order
        if labelled and happens(random, 0.6)
    }
    return Field(tuple(order), places, tuple(met), labels, sizes)


def as_engine(field: Field) -> SeatingField:
    """A field of the judge as the engine sees it."""
    size = len(field.order)
    rows, back = [], []
    for age, met in enumerate(field.met):
        left = sorted(sorted(field.position[player_id] for player_id in pair) for pair in met)
        while left:
            row = [size] * size
            for pair in list(left):
                a, b = pair
                if row[a] == row[b] == size:
                    row[a], row[b] = b, a
                    left.remove(pair)
            rows.append(row)
            back.append(age)
    labels = tuple(tuple(sorted(field.labels.get(player_id, ()))) for player_id in field.order)
    return SeatingField(
        players=np.arange(size),
        first=np.array([field.places[player_id][0] for player_id in field.order], np.int64),
        last=np.array([field.places[player_id][1] for player_id in field.order], np.int64),
        met=np.array(rows, np.int32).reshape(-1, size),
        back=np.array(back, np.int64),
        sizes=field.sizes,
        labels=labels if any(labels) else (),
    )
