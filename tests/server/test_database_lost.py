"""The database goes away while people work: they are told so, nothing acknowledged is lost, it goes on."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator

import pytest

from tests.server.http_clients import Follower, Line
from tests.server.worker_processes import STAFF, Reporting, Several, begin, entered, reported, told_the_last
from tests.store.postgres_server import Server, ask
from tests.store.postgres_server import server as a_server
from tests.store.store_helpers import EVENT
from tests.tiers import SOAK
from tests.timeouts import PATIENCE

TABLES = 1_000 if SOAK else 100
"""For each of the tests, which follow each other in one round."""
CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with a_server() as running:
        yield running


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    database = server.database()
    links = begin(database, 4 * TABLES, STAFF)
    site = Several(tmp_path_factory.mktemp("lost"), database, links)
    yield site
    site.stop()


def some(part: int) -> list[int]:
    """The tables of one test."""
    return [*range(part * TABLES + 1, (part + 1) * TABLES + 1)]


async def assert_kept(site: Several, reporting: Reporting, tables: list[int]) -> None:
    """Each acknowledged report is there once, and what nobody acknowledged at most once; the rest can be
    reported now."""
    found = {table: count for table, count in (await reported(site.database)).items() if table in tables}
    assert set(found.values()) <= {1}
    assert set(reporting.acknowledged) <= set(found)
    assert set(found) <= set(reporting.acknowledged) | set(reporting.unanswered)
    await reporting.all(sorted(set(tables) - set(found)))
    after = await reported(site.database)
    assert [after[table] for table in tables] == [1] * len(tables)


def test_all_connections_are_cut_while_people_report(site: Several) -> None:
    async def story() -> None:
        followers = [Follower(site.port, f"/e/{EVENT}/live") for _ in range(6)]
        reporting = Reporting(await entered(site), seed=3)
        going = asyncio.create_task(reporting.all(some(0)))
        cuts = 0
        while not going.done():
            cuts += len(await ask(site.database, CUT))
            await asyncio.sleep(0.1)
        await going
        assert cuts
        await assert_kept(site, reporting, some(0))
        reporting.close()
        await told_the_last(site, followers)

    asyncio.run(story())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_database_is_restarted_while_people_report(
    server: Server, site: Several, how: signal.Signals
) -> None:
    tables = some(1 if how == signal.SIGINT else 2)

    async def story() -> None:
        followers = [Follower(site.port, f"/e/{EVENT}/live") for _ in range(6)]
        reporting = Reporting(await entered(site), seed=how)
        going = asyncio.create_task(reporting.all(tables.copy()))
        while len(reporting.acknowledged) < TABLES // 4:
            await asyncio.sleep(0.005)
        await asyncio.to_thread(server.restart, how)
        await going
        await assert_kept(site, reporting, tables)
        reporting.close()
        await told_the_last(site, followers)

    asyncio.run(story())


def test_while_the_database_is_away_everybody_is_told_so(server: Server, site: Several) -> None:
    """Nobody is told one after the other: a hundred times as long would be a quarter of an hour."""
    tables = some(3)

    async def story() -> None:
        followers = [Follower(site.port, f"/e/{EVENT}/live") for _ in range(6)]
        desks = await entered(site)
        reporting = Reporting(desks, seed=4)
        going = asyncio.create_task(reporting.all(tables.copy()))
        while not reporting.acknowledged:
            await asyncio.sleep(0.005)
        await asyncio.to_thread(server.stop)
        try:
            async with asyncio.timeout(PATIENCE):
                status, page = await desks[0].get("/")
                await going
        finally:
            await asyncio.to_thread(server.start)
        assert status == 503
        assert b"The database doesn&#39;t answer. Try again" in page
        assert reporting.errors == {
            "The database doesn't answer. Try again, and check what the server prints."
        }
        await assert_kept(site, reporting, tables)
        reporting.close()
        await told_the_last(site, followers)

    asyncio.run(story())


def test_workers_that_cannot_start_while_the_database_is_away_are_tried_again_less_and_less_often(
    server: Server, site: Several
) -> None:
    before = site.said.read_text("utf-8")

    def pauses() -> list[float]:
        """How long it was waited after each end of worker 1."""
        said = site.said.read_text("utf-8").removeprefix(before)
        found = re.findall(r"^topcut: warning: Worker 1 .*Another one starts in (.*) s\.$", said, re.M)
        return [float(pause) for pause in found]

    async def story() -> None:
        server.stop()
        try:
            for worker in site.workers:
                os.kill(worker, signal.SIGKILL)
            async with asyncio.timeout(PATIENCE):
                while len(pauses()) < 2:
                    await asyncio.sleep(0.05)
        finally:
            server.start()
        line = Line(site.port)  # it waits at the socket until somebody is there
        status, _, _ = await line.ask("GET", f"/e/{EVENT}")
        line.close()
        assert status == 200

    asyncio.run(story())
    first, second = pauses()[:2]
    assert first < second
