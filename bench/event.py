"""An event of 2,000 players and ten rounds while it runs: opening it, one report, taking back, repairing.

The floor of opening is reading the same lines: decoding the JSON and checking the chain, without any state.
The floor of a report is writing its line: encoding and hashing it. The floor of a durable report is one plain
insert into a SQLite file of the same kind, in the same folder and in turn with ours.
"""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import apsw

from bench.clock import best, report
from topcut.event import commands as c
from topcut.event.decide.context import Context
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.log_chain import NOTHING, digest, encode_entry, read_lines
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.store import Store, open_store
from topcut.store.queue import Request, Waiting, decide_together
from topcut.store.session import EventSession

PLAYERS = 2_000
ROUNDS = 10
RESULTS = (Result(games=(2, 0, 0)), Result(games=(2, 1, 0)), Result(games=(1, 2, 0)), Result(games=(0, 2, 0)))


def context(entropy: str = "x") -> Context:
    return Context(at=datetime.now(UTC), by="bench", entropy=entropy, via="bench")


async def played(store: Store) -> EventSession:
    """The event, up to the last report of its last round."""
    random = Random(1)
    create = c.Create(
        name="Cup", book=freeze_book(load("mtr")), options=Options(rounds=ROUNDS, format="swiss")
    )
    running, _ = await EventSession.create(store, "cup", create, context("new"))
    await running.do_all([c.Register(name=f"Player {n}") for n in range(PLAYERS)], context("players"))
    await running.do(c.CheckIn(), context())
    for number in range(1, ROUNDS + 1):
        await running.do_all([c.Pair(), c.Publish(), c.Start()], context(f"round {number}"))
        assert running.state.round is not None
        tables = [t.table for t in running.state.round.missing if isinstance(t.table, int)]
        reports = [c.Report(table=table, result=random.choice(RESULTS)) for table in tables]
        confirm = [c.Confirm(tables=(table,)) for table in tables]
        last = number == ROUNDS
        await running.do_all([*reports[: -1 if last else None], *confirm[: -1 if last else None]], context())
        if not last:
            await running.do(c.End(), context())
    return running


async def measured(folder: Path) -> None:
    store = await open_store(str(folder / "cup.db"))
    running = await played(store)
    log = running.log
    assert running.state.round is not None
    (table,) = (t.table for t in running.state.round.missing)
    assert isinstance(table, int)
    command = c.Report(table=table, result=RESULTS[0])
    entry = log.entries[-1]

    loop = asyncio.get_running_loop()

    def reported() -> None:
        asked = Waiting(Request([command], context()), "cup", log.version, loop.create_future())
        decide_together(log, [asked])

    def line() -> None:
        digest(encode_entry(entry))

    opening = best(
        3,
        ours=lambda: EventLog(log.lines, log.private),
        floor=lambda: list(read_lines(log.lines, 0, NOTHING)),
    )
    one = best(200, ours=reported, floor=line)
    back = best(5, one=lambda: log.state_without(log.steps()[-1:]))
    facts, opened = f"{log.version:,} facts", opening["ours"] / opening["floor"]
    rows = [
        (f"opening it ({facts})", opening["ours"], f"{opened:.1f} × reading the lines"),
        ("a report, in memory", one["ours"], f"{one['ours'] / one['floor']:.0f} × writing its line"),
        ("what it was before the last step", back["one"], ""),
        await _durable(running, command, folder),
        await _opened_again(store, log),
    ]
    await store.close()
    report(f"An event of {PLAYERS:,} players and {ROUNDS} rounds", rows)


async def _durable(running: EventSession, command: c.Report, folder: Path) -> tuple[str, float, str]:
    """A report and its undoing, each acknowledged, beside plain inserts."""
    plain = apsw.Connection(str(folder / "plain.db"))
    plain.pragma("journal_mode", "WAL")
    plain.pragma("synchronous", "FULL")
    plain.execute("CREATE TABLE fact (position INTEGER PRIMARY KEY, body BLOB)")
    ours: list[float] = []
    floor: list[float] = []
    for _ in range(50):
        for times, act in ((ours, command), (ours, c.Undo())):
            start = perf_counter()
            await running.do(act, context())
            times.append(perf_counter() - start)
        start = perf_counter()
        plain.execute("INSERT INTO fact (body) VALUES (?)", (running.log.lines[-1],))
        floor.append(perf_counter() - start)
    ratio = median(ours[::2]) / median(floor)
    return "a report, durable (median)", median(ours[::2]), f"{ratio:.1f} × a plain insert"


async def _opened_again(store: Store, log: EventLog) -> tuple[str, float, str]:
    """From the database, beside 999 others."""
    for number in range(999):
        await store.create(f"other-{number}", log.lines[:3], {}, b"{}")
    times = []
    for _ in range(3):
        start = perf_counter()
        await EventSession.open(store, "cup")
        times.append(perf_counter() - start)
    return "opening it from a file with 999 others", min(times), ""


async def followed(name: str, url: str) -> tuple[str, float, str]:
    """From an append to a follower that has a connection of its own, as one in another process has."""
    writing, following = await open_store(url), await open_store(url)
    await writing.create("followed", [b"0"], {}, b"{}")
    delays = []
    sent = 0.0

    async def listen() -> None:
        async for _ in following.follow("followed", 1):
            delays.append(perf_counter() - sent)
            heard.set()

    heard = asyncio.Event()
    listener = asyncio.create_task(listen())
    await asyncio.sleep(0.2)
    for number in range(100):
        heard.clear()
        sent = perf_counter()
        await writing.append("followed", number + 1, [b"x"])
        await heard.wait()
        await asyncio.sleep(0.003 * (number % 7))
    listener.cancel()
    await writing.close()
    await following.close()
    return (
        f"a follower hears of a fact, {name} (median)",
        median(delays),
        f"worst {max(delays) * 1000:.1f} ms",
    )


def follow(folder: Path) -> None:
    rows = [asyncio.run(followed("SQLite", str(folder / "followed.db")))]
    try:
        from tests.store.postgres_server import server
    except ImportError:  # PostgreSQL comes with what the tests install
        pass
    else:
        with server() as postgres:
            rows.append(asyncio.run(followed("PostgreSQL", postgres.database())))
    report("Followers, each with a connection of its own", rows)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder)))
        follow(Path(folder))
