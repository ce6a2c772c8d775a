"""The desk as a service, one process and two on PostgreSQL: results by the API, readers, pages that follow.

The server is `topcut serve` as a host starts it, on loopback, over a PostgreSQL of its own; the clients live
in this process, on the same cores. The floor of a report is one plain insert of the same size, by as many
connections at once; the floor of an answer about the event is the API's answer about itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import uvloop

from bench.clock import report
from bench.desk_client import Audience, Connection, get, post, read_start
from bench.event import context
from tests.store.postgres_server import server as a_server
from topcut.app.access.access import A_DAY, Access
from topcut.event import commands as c
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.server.serve import raise_file_limit
from topcut.store import open_store
from topcut.store.session import EventSession

PLAYERS = 2_000
EVENTS = 10
"""Halls at once, for what a machine carries in all."""
CONNECTIONS = 32
TOKENS = 16
REPORTS = 600
READ_FOR = 3.0
STREAMS = 2_000
FOLLOWED = 40
PATIENCE = 10.0
EVENT = "cup"
Row = tuple[str, float, str]


async def filled(url: str) -> list[str]:
    """Halls in their first round; tokens for all of them."""
    store = await open_store(url)
    for number in range(EVENTS):
        event_id = EVENT if not number else f"{EVENT}-{number}"
        create = c.Create(
            name="Cup", book=freeze_book(load("mtr")), options=Options(rounds=10, format="swiss")
        )
        running, _ = await EventSession.create(store, event_id, create, context(f"new {number}"))
        await running.do_all([c.Register(name=f"Player {n}") for n in range(PLAYERS)], context(f"{number}"))
        await running.do_all([c.Pair(), c.Publish(), c.Start()], context(f"round {number}"))
    access = Access(store)
    keys = [await access.make_link(f"bench {n}", token=True, lasts=A_DAY) for n in range(TOKENS)]
    await store.close()
    return keys


@contextmanager
def served(url: str, workers: int) -> Iterator[int]:
    """A server; its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "topcut", "serve", "--port", "0", "--json", "--workers", str(workers)],
        env=os.environ | {"TOPCUT_DATABASE": url},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield int(read_start(process)["desk"].partition("/enter")[0].rpartition(":")[2])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def result(event: str, table: int, key: str) -> bytes:
    commands = [{"do": "report", "table": table, "result": {"games": [2, table % 2, 0]}}]
    path = f"/api/v1/events/{event}/commands"
    given = {"authorization": f"Bearer {key}", "idempotency_key": secrets.token_hex(8)}
    return post(path, {"commands": commands}, **given)


async def spread(
    connections: list[Connection], jobs: list[Any], work: Callable[..., Awaitable[Any]]
) -> list[float]:
    """The seconds that each job took, as many at once as there are connections."""
    waiting, found = list(reversed(jobs)), []

    async def worker(connection: Connection) -> None:
        while waiting:
            job = waiting.pop()
            start = perf_counter()
            await work(connection, job)
            found.append(perf_counter() - start)

    await asyncio.gather(*map(worker, connections))
    return found


def told(seconds: list[float], whole: float) -> str:
    tail = quantiles(seconds, n=100)[98] * 1000
    return f"{len(seconds) / whole:,.0f} a second, median {median(seconds) * 1000:.0f} ms, p99 {tail:.0f} ms"


async def reports(port: int, keys: list[str], events: list[str], tables: range, title: str) -> Row:
    """Results of all these events, mixed."""
    connections = [await Connection.to(port) for _ in range(CONNECTIONS)]
    jobs = [(event, table) for table in tables for event in events]

    async def send(connection: Connection, job: tuple[str, int]) -> None:
        await connection.good(result(*job, keys[(job[1] + hash(job[0])) % len(keys)]))

    start = perf_counter()
    seconds = await spread(connections, jobs, send)
    whole = perf_counter() - start
    for connection in connections:
        connection.close()
    return title, whole / len(jobs), told(seconds, whole)


async def inserts(url: str) -> Row:
    """The floor of reports."""
    connections = [await asyncpg.connect(url) for _ in range(CONNECTIONS)]
    await connections[0].execute("CREATE TABLE IF NOT EXISTS floor (n serial PRIMARY KEY, line bytea)")
    line = secrets.token_bytes(300)

    async def put(connection: Any, _: int) -> None:
        await connection.execute("INSERT INTO floor (line) VALUES ($1)", line)

    start = perf_counter()
    seconds = await spread(connections, list(range(REPORTS)), put)
    whole = perf_counter() - start
    await asyncio.gather(*(connection.close() for connection in connections))
    return "a plain insert, the floor", whole / REPORTS, told(seconds, whole)


async def reading(port: int, path: str, title: str) -> Row:
    connections = [await Connection.to(port) for _ in range(CONNECTIONS)]
    until = perf_counter() + READ_FOR
    seconds: list[float] = []

    async def read(connection: Connection) -> None:
        while perf_counter() < until:
            seconds.append((await connection.good(get(path))).seconds)

    start = perf_counter()
    await asyncio.gather(*map(read, connections))
    whole = perf_counter() - start
    for connection in connections:
        connection.close()
    return title, whole / len(seconds), told(seconds, whole)


async def warmed(port: int, events: list[str]) -> None:
    """Have every worker open every event: each new connection may come to another one."""
    for event in events:
        connections = [await Connection.to(port) for _ in range(CONNECTIONS)]
        await asyncio.gather(*(one.good(get(f"/api/v1/events/{event}")) for one in connections))
        for connection in connections:
            connection.close()


async def following(port: int, key: str, tables: range) -> tuple[list[Row], int]:
    """Pages that follow while results come in: how long until the last has heard; how many never did."""
    audience = Audience(port, EVENT)
    start = perf_counter()
    await audience.gather(STREAMS)
    opened = perf_counter() - start
    desk = await Connection.to(port)
    heard = []
    version = 0
    for table in tables:
        answer = await desk.good(result(EVENT, table, key))
        end = perf_counter()
        version = json.loads(answer.body)["version"]
        last = await audience.all_heard(version, PATIENCE)
        heard.append(PATIENCE if last is None else max(0.0, last - end))
        await asyncio.sleep(0.1)
    behind = audience.behind(version)
    audience.close()
    desk.close()
    worst = f"median {median(heard) * 1000:.0f} ms, worst {max(heard) * 1000:.0f} ms after the answer"
    rows = [
        (f"{STREAMS:,} streams open", opened, f"{opened / STREAMS * 1e6:.0f} µs each"),
        ("the last of them has heard of a result", median(heard), worst),
    ]
    return rows, behind


async def measured(url: str, keys: list[str], workers: int, tables: Iterator[int]) -> int:
    everywhere = [EVENT if not number else f"{EVENT}-{number}" for number in range(EVENTS)]

    def some(count: int) -> range:
        first = next(tables)
        for _ in range(count - 1):
            next(tables)
        return range(first, first + count)

    with served(url, workers) as port:
        await warmed(port, everywhere)
        one = await reports(port, keys, [EVENT], some(REPORTS // 2), "reports of one event")
        many = await reports(port, keys, everywhere, some(REPORTS // EVENTS), f"reports of {EVENTS} events")
        floor = await inserts(url)
        about = await reading(port, "/api/v1", "the API about itself, the floor")
        shown = await reading(port, f"/api/v1/events/{EVENT}", "an event by the API")
        page = await reading(port, f"/e/{EVENT}/pairings", f"the pairings page of {PLAYERS:,}")
        streams, behind = await following(port, keys[0], some(FOLLOWED))
        rows: list[Row] = [floor, one, many, about, shown, page, *streams]
        report(f"{workers} worker{'s' if workers > 1 else ''} on PostgreSQL, {CONNECTIONS} connections", rows)
        alone, mixed = one[1] / floor[1], many[1] / floor[1]
        print(f"  a report takes {alone:.1f} × an insert, {mixed:.1f} × in many events;")
        print(f"  an event takes {shown[1] / about[1]:.1f} × the API's answer about itself")
    return behind


def main() -> None:
    raise_file_limit()
    with a_server() as database, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        url = database.database()
        keys = runner.run(filled(url))
        tables = iter(range(1, PLAYERS // 2 + 1))
        behind = [runner.run(measured(url, keys, workers, tables)) for workers in (1, 2)]
    if any(behind):
        sys.exit("bench: a stream has missed something")
