"""A list of 1,000 players: from the bytes of a CSV to players who are entered, on the disk; and back.

The floor is the csv module alone over the same bytes, in the same process.
"""

from __future__ import annotations

import asyncio
import csv
import tempfile
from datetime import UTC, datetime
from io import StringIO
from itertools import count
from pathlib import Path
from random import Random

from bench.clock import best, report
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.decide.context import Context
from topcut.formats.csv.player_list import read_list
from topcut.formats.csv.reader import read_csv
from topcut.formats.csv.rows import read_sheet
from topcut.formats.csv.writer import write_players
from topcut.formats.event_file import build_event
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.store import open_store
from topcut.store.session import EventSession

PLAYERS = 1_000
RULES = "pokemon-2017"


def players() -> bytes:
    """What a shop's form gives."""
    random = Random(1)
    lines = ["Timestamp;First name;Last name;E-mail;Player ID;Date of birth;Club"]
    for n in range(PLAYERS):
        born = f"{random.randint(1, 28):02}.{random.randint(1, 12):02}.{random.randint(1960, 2012)}"
        lines.append(f"1.2.2026 10:00;Ada{n};Ökafor;a{n}@b.example;{4_000_000 + n};{born};Club {n % 40}")
    return "\r\n".join([*lines, ""]).encode("utf-8-sig")


def main() -> None:
    raw = players()
    divisions = tuple(division.name for division in load(RULES).divisions.list)  # type: ignore[union-attr]
    numbers = count()

    def floor() -> None:
        list(csv.reader(StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=";"))

    def refused() -> None:
        try:
            read_sheet(b"Ada Okafor;1990\n" * 1_000_000)
        except BadInput:
            return
        raise AssertionError("a million rows were read")

    with tempfile.TemporaryDirectory() as folder:

        async def entering() -> None:
            store = await open_store(str(Path(folder) / f"{next(numbers)}.db"))
            context = Context(at=datetime.now(UTC), by="bench", entropy="x", via="bench")
            create = c.Create(name="Cup", book=freeze_book(load(RULES)))
            running, _ = await EventSession.create(store, "cup", create, context)
            found = read_list(raw, divisions)
            await running.do_all([player.register() for player in found.players], context)
            assert len(running.state.players) == PLAYERS
            await store.close()

        event = build_event(read_csv(raw, RULES, "Cup")[1])
        times = best(
            7,
            floor=floor,
            rows=lambda: read_sheet(raw),
            listed=lambda: read_list(raw, divisions),
            entered=lambda: asyncio.run(entering()),
            written=lambda: write_players(event, private=True),
            million=refused,
        )
    ratio = {name: f"{seconds / times['floor']:.0f} × the floor" for name, seconds in times.items()}
    rows = [
        ("the csv module alone, the floor", times["floor"], ""),
        ("rows, whatever their letters and delimiter", times["rows"], ratio["rows"]),
        ("players and problems", times["listed"], ratio["listed"]),
        ("… entered, in a new database on the disk", times["entered"], ratio["entered"]),
        ("written as CSV", times["written"], ratio["written"]),
        ("a million rows are refused", times["million"], ""),
    ]
    report(f"A list of {PLAYERS:,} players ({len(raw):,} bytes)", rows)
