"""Whole events for tests of stages: every round is asked for, played and written down.

    event = finished("pokemon-2017", 20, seed="cup")
    places(event)["p1"]

Who wins is decided by a `Random`; everything else is what the program answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from topcut.errors import Impossible
from topcut.formats.event_file import Event, EventFile
from topcut.history import build_history
from topcut.history.parts import excuse_idle_parts
from topcut.pairing.model import build_pairing_document
from topcut.rulebook import Book, load
from topcut.rulebook.options import check_options
from topcut.stages.document import bracket_document
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.message_json import decode_text

Plain = dict[str, Any]
COPIED = {"cut": "cut", "pods": "pod", "flights": "flight", "seeds": "seed", "seats": "seat"}
"""What an answer draws, and the field of a player it is copied to."""


def progress_of(file: Plain, book: Book | None = None, seed: str | None = None) -> Progress:
    """The progress of an event file, by its own rules or by a book."""
    event = msgspec.convert(file, EventFile, dec_hook=decode_text)
    rules = book or load(event.rules)
    history = build_history(event.players, event.rounds, rules)
    check_options(event.options, history.rounds, rules)
    history = excuse_idle_parts(history, rules, event.options)
    return Progress(history, rules, event.options, event.rounds, [seed, event.seed])


def progress(event: Event, seed: str | None = None) -> Progress:
    """The progress of an event from `tests.builders.played`."""
    file = event.file
    history = excuse_idle_parts(event.history, event.book, file.options)
    return Progress(history, event.book, file.options, file.rounds, [seed, file.seed])


def started(rules: str, players: int, **about: Any) -> Plain:
    """An event file before its first round; `about` gives options, `division` is a function of the number."""
    division: Callable[[int], str] | None = about.pop("division", None)
    people = [{"id": f"p{i}", "name": f"Player {i}"} for i in range(1, players + 1)]
    for i, player in enumerate(people, start=1):
        if division:
            player["division"] = division(i)
    return {
        "topcut": 1,
        "name": "An event",
        "rules": rules,
        "options": about,
        "players": people,
        "rounds": [],
    }


def answered(file: Plain, book: Book | None = None) -> Plain:
    """What `pair` answers for the next round."""
    now = progress_of(file, book, seed=None if file["rounds"] else "first")
    return build_pairing_document(pair_next_round(now, f"round {len(file['rounds']) + 1}"), now.history)


def written(file: Plain, answer: Plain, random: Random, draws: float = 0.0) -> Plain:
    """The file with the round of an answer, its results by chance."""
    tables = []
    for table in answer["tables"]:
        result = {}
        if len(table["players"]) > 1:
            drawn = answer["stage"] == "swiss" and random.random() < draws
            result = {"winner": "draw" if drawn else random.choice(table["players"])}
        tables.append(table | result)
    copy: Plain = json.loads(json.dumps(file))
    copy["rounds"].append({"stage": answer["stage"], "seed": answer["seed"], "tables": tables})
    by_id = {player["id"]: player for player in copy["players"]}
    for kind, field in COPIED.items():
        for player_id, number in answer.get(kind, {}).items():
            by_id[player_id][field] = number
    return copy


def finished(file: Plain, random: Random, book: Book | None = None, draws: float = 0.05) -> Plain:
    """The event played to its end."""
    while True:
        try:
            answer = answered(file, book)
        except Impossible:
            return file
        file = written(file, answer, random, draws)


def places(now: Progress) -> dict[str, int]:
    """Player id to final place, in all brackets."""
    found = (bracket_document(now, bracket)["places"] for bracket in now.brackets)
    return {row["id"]: row["place"] for rows in found for row in rows}
