"""Many at once on one `EventSession`, as in a web server: each has its turn, and nobody waits for a draw."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from tests.store.command_process import context, create
from tests.store.store_helpers import EVENT, log_of, opened, told
from topcut.event import commands as c
from topcut.event.facts import Reported, Result
from topcut.event.refusals import AlreadyReported, NotNow
from topcut.store import Store
from topcut.store.session import EventSession
from topcut.store.sqlite.store import SqliteStore

WON = Result(games=(2, 0, 0))


async def playing(store: Store, tables: int) -> EventSession:
    """A round that is played at so many tables."""
    running = await create(store)
    players = [c.Register(name=f"Player {n}") for n in range(2 * tables)]
    await running.do_all([*players, c.Pair(), c.Publish(), c.Start()], context("up"))
    return running


async def report(running: EventSession, table: int) -> None:
    await running.do(c.Report(table=table, result=WON), context(f"{table}"))


async def refresh(running: EventSession) -> None:
    """Five times, each as soon as it can be."""
    for _ in range(5):
        await running.refresh()
        assert len(running.log.entries) == running.log.version


def reports(running: EventSession) -> Counter[object]:
    """How often each table's result is in the log."""
    return Counter(e.fact.table for e in running.log.entries if isinstance(e.fact, Reported))


def test_two_hundred_reports_at_once_refreshers_and_another_writer(url: str) -> None:
    async def story() -> list[bytes]:
        async with opened(url) as store, opened(url) as elsewhere:
            running = await playing(store, 240)
            other = await EventSession.open(elsewhere, EVENT)
            asked = [report(running, table) for table in range(1, 201)]
            asked += [report(other, table) for table in range(201, 241)]
            asked += [refresh(running) for _ in range(60)]
            Random(1).shuffle(asked)
            await asyncio.gather(*asked)
            await running.refresh()
            assert reports(running) == dict.fromkeys(range(1, 241), 1)
            assert (await EventSession.open(store, EVENT)).state == running.state
            return running.log.lines

    lines = asyncio.run(story())
    assert log_of(url) == lines


def test_of_many_reports_of_one_table_one_is_written(url: str) -> None:
    async def story(store: Store) -> None:
        running = await playing(store, 2)
        done = await asyncio.gather(*(report(running, 1) for _ in range(20)), return_exceptions=True)
        assert sorted(type(answer) is AlreadyReported for answer in done) == [False] + [True] * 19
        assert reports(running) == {1: 1}

    told(url, story)


def test_requests_that_are_given_up_leave_nothing_wrong(url: str) -> None:
    """Some are given up while they wait, some while they are decided, some while they are written."""
    random = Random(1)

    async def story(store: Store) -> None:
        running = await playing(store, 60)
        tasks = [asyncio.create_task(report(running, table)) for table in range(1, 61)]
        while not all(task.done() for task in tasks):
            random.choice(tasks).cancel()
            await asyncio.sleep(random.uniform(0, 0.005))
        acknowledged = {table for table, task in enumerate(tasks, 1) if not task.cancelled()}
        await running.refresh()
        assert acknowledged <= set(reports(running))
        for table in set(range(1, 61)) - acknowledged:
            with suppress(AlreadyReported):
                await report(running, table)
        assert reports(running) == dict.fromkeys(range(1, 61), 1)
        assert running.log.lines == await store.read(EVENT)

    told(url, story)


def test_to_take_back_the_last_step_never_takes_back_one_that_came_meanwhile(url: str) -> None:
    async def story(store: Store) -> None:
        running = await playing(store, 4)
        first, undo = await asyncio.gather(
            report(running, 1), running.do(c.Undo(), context("undo")), return_exceptions=True
        )
        assert first is None
        assert isinstance(undo, NotNow)
        assert str(undo) == "Another user was faster. Check the last step and try again."
        assert reports(running) == {1: 1}

    told(url, story)


def test_a_log_that_somebody_looks_at_does_not_change(url: str) -> None:
    async def story(store: Store) -> None:
        running = await playing(store, 4)
        other = await EventSession.open(store, EVENT)
        seen, state, version = other.log, other.state, other.log.version
        await report(running, 1)
        await other.refresh()
        await report(other, 2)
        assert other.log.version == version + 2
        assert (seen.version, seen.state) == (version, state)

    told(url, story)


def test_the_loop_goes_on_while_a_round_is_paired(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its facts are handed to the store: to write them is none of the deciding."""
    ticks = 0
    decided_by: list[int] = []
    write = SqliteStore.append

    async def append(store: SqliteStore, *given: Any) -> int:
        decided_by.append(ticks)
        return await write(store, *given)

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    async def story(store: Store) -> None:
        running = await create(store)
        players = [c.Register(name=f"Player {n}") for n in range(1_000)]
        monkeypatch.setattr(SqliteStore, "append", append)
        ticking = asyncio.create_task(tick())
        await running.do_all([*players, c.Pair()], context("pair"))
        ticking.cancel()
        assert running.state.round is not None

    told(sqlite, story)
    assert len(decided_by) == 1
    assert decided_by[0] >= 5


def test_a_refusal_comes_out_of_the_thread_as_it_is(url: str) -> None:
    async def story(store: Store) -> None:
        running = await playing(store, 1)
        with pytest.raises(NotNow, match="There is no round to publish"):
            await running.do(c.Publish(), context("again"))
        await report(running, 1)

    told(url, story)
