"""`topcut serve --workers 2` on PostgreSQL: its processes, what they hold, many who report, and the log."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.server.http_clients import Desk, Follower, Line, Unanswered
from tests.store.command_process import context, create
from tests.store.store_helpers import EVENT, opened
from tests.timeouts import PATIENCE
from tests.web.server_process import Site
from topcut.app.access.access import A_DAY, Access
from topcut.event import commands as c
from topcut.event.facts import Corrected, Reported
from topcut.store import Store
from topcut.store.session import EventSession

AT_ONCE = 100
STAFF = 20
"""Links of those who report: each has a limit of its own for what may come at once."""


class Several(Site):
    """A site of several processes."""

    def __init__(self, folder: Path, database: str, links: Sequence[str] = ()) -> None:
        self.said: Path = folder / "said"
        self.links = links
        """Of those who report at it."""
        super().__init__(folder, "--workers", "2", database=database)

    @property
    def workers(self) -> list[int]:
        """The processes that serve, in the order of their start."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii")
        return [int(pid) for pid in children.split()]

    def holder(self, line: Line) -> int:
        """The process that holds the other end of a connection."""
        assert line.writer is not None
        ends = [line.writer.get_extra_info(name)[1] for name in ("peername", "sockname")]
        wanted = [f":{port:04X}" for port in ends]
        for row in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
            words = row.split()
            if words[1].endswith(wanted[0]) and words[2].endswith(wanted[1]):
                file = f"socket:[{words[9]}]"
                return next(pid for pid in self.workers if file in files(pid))
        raise AssertionError("nobody holds it")

    async def line_to(self, worker: int) -> Line:
        """A connection that this process holds."""
        while True:
            line = Line(self.port)
            await line.ask("GET", "/enter")
            if self.holder(line) == worker:
                return line
            line.close()

    async def killed(self, worker: int) -> None:
        """Kill a process, and wait until another is in its place."""
        before = self.workers
        assert worker in before
        os.kill(worker, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while worker in self.workers or len(self.workers) < len(before):
                await asyncio.sleep(0.02)


def files(pid: int) -> set[str]:
    """What a process has open."""
    found = set()
    for path in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.add(str(path.readlink()))
        except OSError:  # closed meanwhile
            continue
    return found


async def playing(store: Store, tables: int) -> EventSession:
    """An event, called cup, whose first round is played at so many tables."""
    running = await create(store)
    players = [c.Register(name=f"Player {n}") for n in range(2 * tables)]
    await running.do_all([*players, c.Pair(), c.Publish(), c.Start()], context("up"))
    return running


def begin(database: str, tables: int, staff: int) -> list[str]:
    """Make the event; the links of so many who report."""

    async def story() -> list[str]:
        async with opened(database) as store:
            await playing(store, tables)
            access = Access(store)
            keys = [await access.make_link(f"Staff {n}", EVENT, lasts=A_DAY) for n in range(staff)]
            return [f"/enter#{key}" for key in keys]

    return asyncio.run(story())


async def entered(site: Several) -> list[Desk]:
    """All who report, at the desk."""
    return [await Desk.enter(site.port, link, EVENT) for link in site.links]


async def told_the_last(site: Several, followers: list[Follower]) -> None:
    """Wait until all of them have heard of the last fact."""
    async with opened(site.database) as store:
        last = await store.read_version(EVENT)
    for follower in followers:
        await follower.heard(last)
        follower.close()


async def reported(database: str) -> Counter[object]:
    """How often each table's result is in the log."""
    async with opened(database) as store:
        entries = (await EventSession.open(store, EVENT)).log.entries
    return Counter(e.fact.table for e in entries if isinstance(e.fact, Reported | Corrected))


def report(table: int, games: tuple[int, int, int] = (2, 0, 0)) -> dict[str, Any]:
    return {"do": "report", "table": table, "result": {"games": games}}


class Reporting:
    """Many who report at once, and what they were told."""

    def __init__(self, desks: list[Desk], seed: int) -> None:
        self.desks = desks
        self.random = Random(seed)
        self.acknowledged: list[int] = []
        self.refused: list[int] = []
        self.unanswered: list[int] = []
        """Nobody knows whether they are there."""
        self.errors: set[str] = set()

    async def all(self, tables: list[int]) -> None:
        """Report all of these, a hundred at a time."""
        self.random.shuffle(tables)
        left = iter(tables)
        await asyncio.gather(*(self._some(number, left) for number in range(AT_ONCE)))

    async def _some(self, number: int, left: Iterator[int]) -> None:
        desk = self.desks[number % len(self.desks)]
        for table in left:
            try:
                status, answer = await desk.do(report(table))
            except Unanswered:
                self.unanswered.append(table)
                continue
            if status == 200:
                self.acknowledged.append(table)
            elif status == 503:
                self.unanswered.append(table)
                self.errors.add(answer["error"])
            else:
                assert status == 422, answer
                self.refused.append(table)

    def close(self) -> None:
        for desk in self.desks:
            desk.close()
