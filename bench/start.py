"""Starting cold: the whole command in a new process, beside an empty Python and one that loads numpy."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from bench.clock import best, report
from bench.standings import field
from topcut.formats.event_file import EventFile
from topcut.history import Outcome, Round, Table

PLAYERS = 200


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        event = Path(folder) / "event.json"
        event.write_bytes(msgspec.json.encode(make_event(PLAYERS)))
        database = str(Path(folder) / "running.db")

        # As ./run does: with this variable set Python would compile every module anew each time.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

        def run(*arguments: str) -> None:
            subprocess.run(
                [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment
            )

        def desk(*arguments: str) -> None:
            run("-m", "topcut", *arguments, "--database", database)

        desk("new", "Cup", "--rules", "mtr")
        desk("add", *[f"Player {n}" for n in range(32)])
        for act in ("pair", "publish", "start"):
            desk("round", act)
        tables = iter(range(1, 17))

        times = best(
            15,
            empty=lambda: run("-c", "pass"),
            numpy=lambda: run("-c", "import numpy"),
            rules=lambda: run("-m", "topcut", "rules"),
            standings=lambda: run("-m", "topcut", "standings", str(event)),
            report=lambda: desk("report", str(next(tables)), "2-1"),
        )
    rows = [
        ("an empty Python (the floor)", times["empty"], ""),
        ("a Python that imports numpy", times["numpy"], f"{times['numpy'] / times['empty']:.1f} x the floor"),
        ("topcut rules", times["rules"], f"{times['rules'] / times['empty']:.1f} x the floor"),
        (
            f"topcut standings, {PLAYERS} players",
            times["standings"],
            f"{times['standings'] / times['empty']:.1f} x",
        ),
        ("topcut report, 32 players", times["report"], f"{times['report'] / times['empty']:.1f} x"),
    ]
    report("cold start, process to process", rows)


def make_event(size: int) -> EventFile:
    history = field(size)
    assert history.games is not None
    rounds = []
    for r in range(history.rounds):
        tables = []
        for player in range(size):
            opponent = int(history.opponents[r, player])
            if history.played[r, player] == Outcome.BYE:
                tables.append(Table(players=(f"p{player}",), bye=True))
            elif player < opponent < size:
                won, lost, drawn = (int(g) for g in history.games[:, r, player])
                tables.append(Table(players=(f"p{player}", f"p{opponent}"), games=(won, lost, drawn)))
        rounds.append(Round(tables=tuple(tables)))
    left = [None if d > history.rounds else int(d) for d in history.dropped]
    players = tuple(msgspec.structs.replace(p, dropped=d) for p, d in zip(history.players, left, strict=True))
    return EventFile(topcut=1, name="A league night", rules="mtr", players=players, rounds=tuple(rounds))
