"""Whole events of 226 players, from registration to final places, by each way of playing one.

Each round is asked for from the event file alone, as the command line does: the file is checked, the
history built, the round paired, the results written down. The floor is that reading without any pairing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec

from bench.clock import best, report
from topcut.errors import Impossible
from topcut.formats.event_file import EventFile
from topcut.history import build_history
from topcut.pairing.model import build_pairing_document
from topcut.rulebook import Book, load
from topcut.stages.document import bracket_document, build_schedules
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.message_json import decode_text

PLAYERS = 226
Plain = dict[str, Any]
COPIED = {"cut": "cut", "pods": "pod", "flights": "flight", "seeds": "seed"}


def progress_of(file: Plain, book: Book) -> Progress:
    event = msgspec.convert(file, EventFile, dec_hook=decode_text)
    history = build_history(event.players, event.rounds, book)
    return Progress(history, book, event.options, event.rounds, [event.seed])


def event(rules: str, **options: Any) -> tuple[Plain, Book]:
    people = [{"id": f"p{i}", "name": f"Player {i}"} for i in range(PLAYERS)]
    file = {"topcut": 1, "name": "x", "rules": rules, "seed": "x", "options": options}
    return file | {"players": people, "rounds": []}, load(rules)


def play(file: Plain, book: Book) -> Plain:
    """The event to its end, and its places."""
    random = Random(1)
    file = msgspec.json.decode(msgspec.json.encode(file))
    while True:
        progress = progress_of(file, book)
        try:
            answer = build_pairing_document(
                pair_next_round(progress, str(len(file["rounds"]))), progress.history
            )
        except Impossible:
            break
        for table in answer["tables"]:
            if len(table["players"]) == 2:
                table["winner"] = random.choice(table["players"])
        kept = {key: answer[key] for key in ("stage", "seed", "tables")}
        file["rounds"].append(kept)
        by_id = {player["id"]: player for player in file["players"]}
        for kind, field in COPIED.items():
            for player_id, number in answer.get(kind, {}).items():
                by_id[player_id][field] = number
    for bracket in progress.brackets:
        bracket_document(progress, bracket)
    return file


def circle(file: Plain, book: Book) -> Plain:
    """A round robin: all rounds at once, then the standings."""
    file = msgspec.json.decode(msgspec.json.encode(file))
    progress = progress_of(file, book)
    planned = build_schedules(progress)[0]
    for player_id, number in planned["rank_seeds"].items():
        file["players"][int(player_id[1:])]["seed"] = number
    file["rounds"] = [
        {"tables": [{"players": t["players"], "winner": min(t["players"])} for t in tables]}
        for tables in planned["rounds"]
    ]
    progress = progress_of(file, book)
    build_schedules(progress)[0]
    return file


def reading(file: Plain, book: Book) -> Callable[[], None]:
    """Reading what is recorded before each round, and nothing else."""
    rounds = len(file["rounds"])
    steps = range(rounds + 1) if rounds < 100 else [0, rounds]
    files = [{**file, "rounds": file["rounds"][:r]} for r in steps]
    for earlier in files:
        if len(earlier["rounds"]) < rounds:
            earlier["players"] = [{**player, "cut": None} for player in file["players"]]

    def read() -> None:
        for one in files:
            known = msgspec.convert(one, EventFile, dec_hook=decode_text)
            build_history(known.players, known.rounds, book)

    return read


def main() -> None:
    two_days = {"table": "tcg-two-day"}
    events = {
        "Swiss": event("pokemon-2017", format="swiss"),
        "Swiss and elimination": event("pokemon-2017"),
        "two days (227 players)": event("pokemon-2017", **two_days),
        "flights": event("pokemon-2017", flights=4, cut=16),
        "drafts in pods, and a top 8": event("fab-gem", mode="draft", rounds=7, cut=8),
        "elimination": event("pokemon-2017", format="elimination"),
        "double elimination": event("pokemon-2017", format="double-elimination"),
        "round robin (225 rounds)": event("pokemon-2017", format="round-robin"),
    }
    events["two days (227 players)"][0]["players"].append({"id": "p226", "name": "One more"})
    rows = []
    for name, (file, book) in events.items():
        run = circle if "robin" in name else play
        finished = run(file, book)
        times = best(3, ours=partial(run, file, book), floor=reading(finished, book))
        ratio = times["ours"] / times["floor"]
        rows.append((name, times["ours"], f"{len(finished['rounds'])} rounds; {ratio:.1f} × reading them"))
    report(f"A whole event of {PLAYERS} players", rows)
