"""The desk and the hall over HTTP: pages of an event of 2,000 players, and 2,000 pages that follow it.

The server is a process of its own, started as `topcut serve` starts it, on loopback; the clients live in this
one. The floor of a page is a bare page of the same application: a handler that returns three hundred letters.
Both are asked for over the same connections, in turn.

Times are taken where the answer arrives, so they hold the way there and back.
"""

from __future__ import annotations

import asyncio
import resource
import shutil
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import uvloop

from bench.clock import report
from bench.desk_client import Answer, Audience, Connection, Scorekeeper, get
from bench.event import RESULTS, context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.server.serve import raise_file_limit
from topcut.store import Store, open_store
from topcut.store.session import EventSession

PLAYERS = 2_000
ROUNDS = 10
CONNECTIONS = 32
TURNS, TURN = 6, 0.7
"""How often everything comes, and for how many seconds many ask for one page."""
STREAMS = 2_000
REPORTS = 100
EVERY = 0.25
"""Seconds from one of them to the next."""
PATIENCE = 5.0
"""Seconds after which whoever has not heard of one is late."""
READERS = 8
"""Pages that are read without end while results come in."""
EVENT, PAGE = "cup", "/e/cup/pairings"
EDIT = {"do": "edit player", "player": "p1"}
PUBLISH, UNDO = {"do": "publish"}, {"do": "undo"}

GIVEN = """
Ada Amélie Bartholomew Beatriz Camille Chidi Dagmar Dimitra Elif Eszter Fatima Ferdinand Giulia Guadalupe
Hiroshi Ingeborg Ioana Jadwiga José Katarzyna Kwame Leopold Lucía Mehmet Mirela Natsuki Nikolai Olumide Óscar
Priya Przemek Quentin Rosalind Rūta Siobhán Søren Tatjana Tomasz Ulrike Valentina Vikram Wilhelmina Wojciech
"""
STEMS = """
Ander Bald Berg Castel Dombr Eber Fern Fried Grön Hall Haver Iver Jank Kowal Lind Mar Mont Nor Oster Pasz
Quint Rosen Sand Schwarz Thor Ullman Vester Wald Yarbor Zimmer
"""
ENDINGS = "son sen ström berg owski mann ová ez ini wood ley gaard hurst feld ić escu idis ough nikov ara"


def names(random: Random) -> list[str]:
    """Names of ten to 25 letters, all different."""
    middle = ["", *(f"{letter}. " for letter in string.ascii_uppercase)]
    parts = (GIVEN.split(), middle, STEMS.split(), ENDINGS.split())
    found: dict[str, None] = {}
    while len(found) < PLAYERS:
        given, letter, stem, ending = map(random.choice, parts)
        name = f"{given} {letter}{stem}{ending}"
        if 10 <= len(name) <= 25:
            found[name] = None
    return list(found)


async def drawn(store: Store) -> None:
    """The event, up to the draft of its last round."""
    random = Random(1)
    options = Options(rounds=ROUNDS, format="swiss")
    create = c.Create(name="Autumn Cup", book=freeze_book(load("mtr")), options=options)
    running, _ = await EventSession.create(store, EVENT, create, context("new"))
    await running.do_all([c.Register(name=name) for name in names(random)], context("players"))
    await running.do(c.CheckIn(), context())
    for number in range(1, ROUNDS):
        await running.do_all([c.Pair(), c.Publish(), c.Start()], context(f"round {number}"))
        tables = [at.table for at in running.state.get_round(number).tables if isinstance(at.table, int)]
        reports = [c.Report(table=table, result=random.choice(RESULTS)) for table in tables]
        confirm = [c.Confirm(tables=(table,)) for table in tables]
        await running.do_all([*reports, *confirm, c.End()], context())
    await running.do(c.Pair(), context(f"round {ROUNDS}"))


@contextmanager
def server(database: Path) -> Iterator[tuple[int, str, int]]:
    """A server over a database: its port, a key to the desk, its process."""
    arguments = [sys.executable, "-m", "bench.desk_server", str(database)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port, key = process.stdout.readline().split()
        yield int(port), key, process.pid
    finally:
        process.terminate()
        process.wait(20)


def spread(seconds: list[float]) -> str:
    return f"median {median(seconds) * 1000:.1f} ms, worst {max(seconds) * 1000:.1f} ms"


def size(answer: Answer) -> str:
    return f"{len(answer.body) / 1000:.1f} KB gzip"


async def pages(port: int, desk: Scorekeeper) -> None:
    """The pairings from A to Z: the first who asks after publication, and the others."""
    reader, somebody = await Connection.to(port), Audience(port, EVENT)
    await somebody.gather(1)  # where nobody follows, nothing is computed before it is asked for
    times: dict[str, list[float]] = {"bare": [], "warm": [], "cold": [], "ready": [], "later": []}

    async def asked(name: str, path: str = PAGE) -> Answer:
        answer = await reader.good(get(path))
        times[name].append(answer.seconds)
        return answer

    page = await reader.good(get(PAGE))  # templates are compiled when they are first used
    for turn in range(TURNS):
        await desk.do(PUBLISH)
        page = await asked("warm")
        for _ in range(20):
            await asked("later")
            await asked("bare", "/bare")
        await desk.do(UNDO)
        for name, pause in (("cold", 0.0), ("ready", 0.5)):
            await asyncio.sleep(0.5)  # what was taken back is computed by now
            await desk.do(EDIT | {"member": f"{name} {turn}"}, PUBLISH)
            await asyncio.sleep(pause)
            await asked(name)
            await desk.do(UNDO)
        await asyncio.sleep(0.5)
    later = min(times["later"]) / min(times["bare"])
    rows = [
        ("a bare page", min(times["bare"]), spread(times["bare"])),
        ("the first request, standings known", min(times["warm"]), spread(times["warm"])),
        ("… standings changed half a second before", min(times["ready"]), spread(times["ready"])),
        ("… standings changed in the same instant", min(times["cold"]), spread(times["cold"])),
        ("later requests", min(times["later"]), f"{spread(times['later'])}; {later:.1f} × a bare page"),
    ]
    reader.close()
    somebody.close()
    report(f"The pairings of {PLAYERS:,} players from A to Z after publication, {size(page)}", rows)


async def crowd(port: int) -> None:
    """The same page for many at once, beside a bare page."""
    connections = await asyncio.gather(*(Connection.to(port) for _ in range(CONNECTIONS)))
    etag = (await connections[0].good(get(PAGE))).header("etag")
    asked = {
        "bare": (get("/bare"), 200),
        "page": (get(PAGE), 200),
        "304": (get(PAGE, if_none_match=etag), 304),
    }
    rate: dict[str, list[float]] = {name: [] for name in asked}
    slow: dict[str, list[float]] = {name: [] for name in asked}

    async def reading(connection: Connection, request: bytes, status: int, until: float) -> list[float]:
        found = []
        while perf_counter() < until:
            found.append((await connection.good(request, status)).seconds)
        return found

    for _ in range(TURNS):
        for name, (request, status) in asked.items():
            start = perf_counter()
            read = (reading(connection, request, status, start + TURN) for connection in connections)
            times = [seconds for found in await asyncio.gather(*read) for seconds in found]
            rate[name].append(len(times) / (perf_counter() - start))
            slow[name].append(quantiles(times, n=100)[98])
    for connection in connections:
        connection.close()

    def beside(name: str) -> str:
        many, tail = max(rate["bare"]) / max(rate[name]), min(slow[name]) / min(slow["bare"])
        return f"{max(rate[name]):,.0f} a second: {many:.2f} × as long as a bare page, p99 {tail:.2f} ×"

    rows = [
        ("a bare page, p99", min(slow["bare"]), f"{max(rate['bare']):,.0f} a second"),
        ("the pairings, p99", min(slow["page"]), beside("page")),
        ("the pairings, not modified, p99", min(slow["304"]), beside("304")),
    ]
    report(f"{CONNECTIONS} connections that ask without end, the best of {TURNS} turns", rows)


async def following(port: int, desk: Scorekeeper, process: int) -> bool:
    """Everybody follows while results come in; whether all of them have heard the last."""
    readers = [await Connection.to(port) for _ in range(READERS)]
    await readers[0].good(get(PAGE))
    before = memory(process)
    audience = Audience(port, EVENT)
    start = perf_counter()
    await audience.gather(STREAMS)
    opened = perf_counter() - start
    await asyncio.sleep(0.5)
    grown = memory(process) - before
    reading = [asyncio.create_task(_read(connection)) for connection in readers]
    heard: list[float] = []
    acknowledged: list[float] = []
    late = version = 0
    for table in range(1, REPORTS + 1):
        start = perf_counter()
        version = await desk.do(result(table))
        end = perf_counter()
        acknowledged.append(end - start)
        last = await audience.all_heard(version, PATIENCE)
        late += last is None
        heard.append(PATIENCE if last is None else max(0.0, last - end))
        await asyncio.sleep(max(0.0, start + EVERY - perf_counter()))
    start = perf_counter()
    for table in range(REPORTS + 1, 2 * REPORTS + 1):
        version = await desk.do(result(table))
    burst = perf_counter() - start
    end = perf_counter()
    last = await audience.all_heard(version, PATIENCE)
    for task in reading:
        task.cancel()
    read = [seconds for times in await asyncio.gather(*reading) for seconds in times]
    behind = audience.behind(version)
    audience.close()
    rows = [
        ("opening them", opened, f"{grown / STREAMS / 1000:.1f} KB of the server's memory each"),
        ("a report is acknowledged", median(acknowledged), spread(acknowledged)),
        ("… and the last stream has heard of it", median(heard), f"{spread(heard)}, after that"),
        (f"{REPORTS} reports as fast as can be", burst, f"{REPORTS / burst:,.0f} a second"),
        ("… and the last stream has heard of them", last - end if last else PATIENCE, "after that"),
        (f"the pairings, {READERS} readers meanwhile", median(read), spread(read)),
    ]
    report(f"{STREAMS:,} open streams while {2 * REPORTS} results come in", rows)
    print(f"  {STREAMS - behind:,} of {STREAMS:,} streams have the last version, {late} reports came late")
    return not behind


async def _read(connection: Connection) -> list[float]:
    """Read the pairings until it is enough."""
    found: list[float] = []
    try:
        while True:
            found.append((await connection.good(get(PAGE))).seconds)
            await asyncio.sleep(0.02)
    except asyncio.CancelledError:
        connection.close()
        return found


def result(table: int) -> dict[str, Any]:
    return {"do": "report", "table": table, "result": {"games": [2, table % 2, 0]}}


def memory(process: int) -> int:
    """The bytes a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


async def noticing(database: Path) -> list[float]:
    """What a report costs the loop to see what is different."""
    store = await open_store(str(database))
    running = await EventSession.open(store, EVENT)
    await running.do_all([c.Publish(), c.Start()], context())
    live, found = LiveEvent(running), []
    for table in range(1, REPORTS + 1):
        await running.do(c.Report(table=table, result=RESULTS[0]), context())
        start = perf_counter()
        live.notice()
        found.append(perf_counter() - start)
    await store.close()
    return found


async def measured(folder: Path) -> bool:
    database = folder / "cup.db"
    store = await open_store(str(database))
    await drawn(store)
    await store.close()
    shutil.copy(database, folder / "copy.db")
    noticed = await noticing(folder / "copy.db")
    with server(database) as (port, key, _):
        desk = await Scorekeeper.enter(port, EVENT, key)
        await pages(port, desk)
        await desk.do(PUBLISH, {"do": "start"})
        await crowd(port)
        rounds = [await desk.page() for _ in range(20)]
        outstanding = [page.seconds for page in rounds]
        desk_rows = [
            (f"its round, {size(rounds[0])}", min(outstanding), spread(outstanding)),
            ("seeing what a report has changed", min(noticed), spread(noticed)),
        ]
        report(f"The desk with {PLAYERS // 2:,} tables outstanding", desk_rows)
    with server(database) as (port, key, process):  # a new one, whose memory nothing else has grown
        return await following(port, await Scorekeeper.enter(port, EVENT, key), process)


def main() -> None:
    raise_file_limit()
    folders = tempfile.TemporaryDirectory()
    with folders as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        whole = runner.run(measured(Path(folder)))
    if not whole:
        sys.exit("bench: a stream has missed something")
