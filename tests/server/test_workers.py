"""Two processes serve one event: what one writes the other tells, and one that is killed is soon replaced."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.server.http_clients import Follower, Line
from tests.server.worker_processes import (
    STAFF,
    Reporting,
    Several,
    begin,
    entered,
    report,
    reported,
    told_the_last,
)
from tests.store.postgres_server import Server
from tests.store.postgres_server import server as a_server
from tests.store.store_helpers import EVENT
from tests.tiers import SOAK
from tests.timeouts import PATIENCE
from topcut.server import workers as workers_of

FEW, SOME = range(1, 11), range(11, 21)
KILLED = range(21, 1_021 if SOAK else 421)
MANY = range(KILLED.stop, KILLED.stop + (2_000 if SOAK else 1_000))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with a_server() as running:
        yield running


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """For the tests that leave it as it was; each has tables of its own."""
    database = server.database()
    links = begin(database, MANY.stop - 1, STAFF)
    site = Several(tmp_path_factory.mktemp("workers"), database, links)
    yield site
    site.stop()


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await true():
            await asyncio.sleep(0.05)


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_what_is_reported_through_one_is_seen_through_the_other(site: Several) -> None:
    async def story() -> None:
        desk = (await entered(site))[0]
        lines = [await site.line_to(worker) for worker in site.workers]
        followers = [Follower(site.port, f"/e/{EVENT}/live") for _ in range(8)]
        followers += [Follower(site.port, f"/desk/{EVENT}/live", desk.headers) for _ in range(8)]

        async def shows(line: Line, count: int) -> bool:
            _, _, page = await line.ask("GET", f"/desk/{EVENT}", headers=desk.headers)
            return f"{count} of {MANY.stop - 1} tables".encode() in page

        for table in FEW:
            line, other = lines if table % 2 else lines[::-1]
            body = {"commands": [report(table)]}
            status, _, _ = await line.ask("POST", f"/desk/{EVENT}/do", body, desk.headers)
            assert status == 200
            await until(partial(shows, other, table))
        await told_the_last(site, followers)
        for line in lines:
            line.close()

    asyncio.run(story())


def test_a_worker_that_is_killed_is_started_again_and_the_other_goes_on(site: Several) -> None:
    before = site.said.read_text("utf-8")

    async def story() -> None:
        desk = (await entered(site))[0]
        first, second = site.workers
        follower = Follower(site.port, f"/e/{EVENT}/live")
        line = await site.line_to(second)
        killing = asyncio.create_task(site.killed(first))
        for table in SOME[:-1]:
            body = {"commands": [report(table)]}
            status, _, _ = await line.ask("POST", f"/desk/{EVENT}/do", body, desk.headers)
            assert status == 200
        await killing
        line.close()
        (third,) = set(site.workers) - {second}
        line = await site.line_to(third)
        body = {"commands": [report(SOME[-1])]}
        status, _, _ = await line.ask("POST", f"/desk/{EVENT}/do", body, desk.headers)
        assert status == 200, "whoever came in is still in"
        line.close()
        await told_the_last(site, [follower])
        found = await reported(site.database)
        assert [found[table] for table in SOME] == [1] * len(SOME)

    asyncio.run(story())
    said = site.said.read_text("utf-8").removeprefix(before)
    assert re.fullmatch(
        r"topcut: warning: Worker 1 was ended by a signal \(Killed\)\. Another one starts in .* s\.\n", said
    )


def test_no_connection_that_waits_at_the_socket_is_lost(site: Several) -> None:
    """Both workers sleep while people connect, and are killed before they took one of them."""

    async def story() -> None:
        for worker in site.workers:
            os.kill(worker, signal.SIGSTOP)
        lines = [Line(site.port) for _ in range(20)]
        asking = [asyncio.create_task(line.ask("GET", f"/e/{EVENT}")) for line in lines]
        await asyncio.sleep(0.2)
        for worker in site.workers:
            await site.killed(worker)
        for answer in asyncio.as_completed(asking):
            assert (await answer)[0] == 200
        for line in lines:
            line.close()

    asyncio.run(story())


def test_of_two_thousand_reports_at_once_each_acknowledged_one_is_in_the_log_once(site: Several) -> None:
    """Every table is reported twice, by two who do not know of each other: one of them is told that it is
    there already."""

    async def story() -> None:
        reporting = Reporting(await entered(site), seed=1)
        await reporting.all([*MANY] * 2)
        reporting.close()
        assert not reporting.unanswered
        assert sorted(reporting.acknowledged) == sorted(reporting.refused) == [*MANY]
        found = await reported(site.database)
        assert [found[table] for table in MANY] == [1] * len(MANY)

    asyncio.run(story())


def test_also_while_workers_are_killed(site: Several) -> None:
    """A report to which no answer came may or may not be there, but not twice."""

    async def story() -> None:
        reporting = Reporting(await entered(site), seed=2)
        tables = [*KILLED]
        await reporting.all(tables[:100])
        for worker in site.workers:
            os.kill(worker, signal.SIGSTOP)
        going = asyncio.create_task(reporting.all(tables[100:]))
        await asyncio.sleep(0.1)  # a hundred reports are sent now, over connections that a worker holds
        for worker in site.workers:
            await site.killed(worker)
        for share in range(3, 5):
            while len(reporting.acknowledged) < share * len(KILLED) // 5 and not going.done():
                await asyncio.sleep(0.005)
            await site.killed(reporting.random.choice(site.workers))
        await going
        found = {table: count for table, count in (await reported(site.database)).items() if table in KILLED}
        assert set(found.values()) == {1}
        assert set(reporting.acknowledged) <= set(found)
        assert set(found) <= set(reporting.acknowledged) | set(reporting.unanswered)
        assert len(reporting.acknowledged) == len(set(reporting.acknowledged))
        assert reporting.unanswered, "nobody was cut off"
        await reporting.all(sorted(set(KILLED) - set(found)))
        reporting.close()
        after = await reported(site.database)
        assert [after[table] for table in KILLED] == [1] * len(KILLED)

    asyncio.run(story())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_with_the_parent_everything_ends(server: Server, tmp_path: Path, how: signal.Signals) -> None:
    """Also with open streams, and whether or not the parent can say goodbye."""
    database = server.database()
    begin(database, tables=2, staff=0)
    site = Several(tmp_path, database)
    workers = site.workers
    for worker in workers:  # where everybody on the machine could read a password
        assert str(server.folder) not in Path(f"/proc/{worker}/cmdline").read_text("utf-8")

    async def story() -> list[Follower]:
        followers = [Follower(site.port, f"/e/{EVENT}/live") for _ in range(10)]
        for follower in followers:
            await follower.heard(1)
        site.stop(how)
        return followers

    asyncio.run(story())
    for worker in workers:
        wait_for(partial(gone, worker))
    assert site.process is not None
    assert site.process.returncode == (0 if how != signal.SIGKILL else -how)
    assert site.said.read_text("utf-8") == ""


def test_a_worker_that_never_serves_is_tried_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes to find out that it cannot: only one that served was steady."""
    monkeypatch.setattr(workers_of, "STEADY_AFTER", 0.0)
    said: list[str] = []

    async def story() -> None:
        def warn(text: str) -> None:
            said.append(text)
            if len(said) == 3:
                one.end()

        with socket.create_server(("127.0.0.1", 0)) as sock:
            task = workers_of.WorkerTask(database="nowhere://", hall="", chores=False, allow_private=True)
            one = workers_of.Workers(sock, 1, task, warn=warn)
            await one.run(lambda: None)

    asyncio.run(story())
    assert [text.partition(". ")[2] for text in said] == [
        f"Another one starts in {pause} s." for pause in ("0.25", "0.5", "1")
    ]
