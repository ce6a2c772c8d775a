"""Many who ask at once are answered one by one, though what they ask for is written down together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from tests.store.command_process import context, create
from tests.store.contending_process import NOW
from tests.store.store_helpers import EVENT, told
from topcut.errors import BadInput
from topcut.event.commands import CheckIn, Drop, Register, Undo
from topcut.event.decide.context import Decision
from topcut.event.event_log import EventLog
from topcut.event.refusals import NotNow
from topcut.store import Moved, Repeated, Store, StoreError
from topcut.store.interface import ServerUnreachable
from topcut.store.queue import Once, Request
from topcut.store.session import EventSession

LATER = NOW + timedelta(days=400)


def enters(running: EventSession, name: str, **how: Any) -> asyncio.Task[list[Decision]]:
    return asyncio.create_task(running.execute(Request([Register(name=name)], context(name), **how)))


def once(key: str) -> Once:
    return Once("asked", key, LATER, lambda log, _: f"{key} at {log.version}".encode())


class Counting:
    """A store that counts how often something is appended, and lets a test hold the next one up."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.appends = 0
        self.free = asyncio.Event()
        self.free.set()
        self.trouble: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, *given: Any) -> int:
        self.appends += 1
        await self.free.wait()
        if self.trouble is not None:
            trouble, self.trouble = self.trouble, None
            raise trouble
        return await self._store.append(*given)


async def held_up(store: Store) -> tuple[Counting, EventSession, asyncio.Task[list[Decision]]]:
    """An event in which one command is being written, for as long as a test likes."""
    await create(store)
    counting = Counting(store)
    running = await EventSession.open(cast(Store, counting), EVENT)
    counting.free.clear()
    first = enters(running, "First")
    while not counting.appends:
        await asyncio.sleep(0)
    return counting, running, first


def test_what_gathers_meanwhile_is_one_change(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        others = [enters(running, f"Player {number}") for number in range(50)]
        await asyncio.sleep(0)
        counting.free.set()
        await asyncio.gather(first, *others)
        assert counting.appends == 2
        steps = [entry.step for entry in running.log.entries]
        assert steps == sorted(set(steps))  # each is a step of its own
        assert len(running.state.players) == 51
        assert await store.read(EVENT) == running.log.lines

    told(url, story)


def test_one_that_is_refused_hurts_nobody_else(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        before = enters(running, "Before")
        bad = asyncio.create_task(running.do_all([Register(name="Half"), Drop(player="x")], context("bad")))
        after = enters(running, "After")
        await asyncio.sleep(0)
        counting.free.set()
        await asyncio.gather(first, before, after)
        with pytest.raises(BadInput):
            await bad
        names = [listed.player.name for listed in running.state.players.values()]
        assert names == ["First", "Before", "After"]
        assert await store.read(EVENT) == running.log.lines

    told(url, story)


def test_each_is_told_of_its_own_facts(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        heard: dict[str, tuple[int, str]] = {}

        def listens(name: str) -> Any:
            def hear(log: EventLog, decisions: Sequence[Decision]) -> None:
                heard[name] = (log.version, decisions[0].facts[0].player)  # type: ignore[attr-defined]

            return hear

        others = [enters(running, name, told=listens(name)) for name in ("Ann", "Ben")]
        await asyncio.sleep(0)
        counting.free.set()
        await asyncio.gather(first, *others)
        assert heard == {"Ann": (3, "p2"), "Ben": (4, "p3")}

    told(url, story)


def test_one_that_was_done_before_is_told_so_and_the_others_are_done(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        await store.put_value("asked", "twice", b"the first time", until=LATER)
        others = [enters(running, name, once=once(name)) for name in ("Ann", "twice", "Ben")]
        await asyncio.sleep(0)
        counting.free.set()
        await first
        found = await asyncio.gather(*others, return_exceptions=True)
        assert isinstance(found[1], Repeated)
        assert found[1].value == b"the first time"
        names = [listed.player.name for listed in running.state.players.values()]
        assert names == ["First", "Ann", "Ben"]
        assert await store.get_value("asked", "Ben", NOW) == b"Ben at 4"

    told(url, story)


def test_the_same_asked_for_many_times_at_once_is_done_once(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        others = [enters(running, "Ann", once=once("ann")) for _ in range(5)]
        await asyncio.sleep(0)
        counting.free.set()
        await first
        found = await asyncio.gather(*others, return_exceptions=True)
        assert [isinstance(one, Repeated) for one in found] == [False, True, True, True, True]
        assert [listed.player.name for listed in running.state.players.values()] == ["First", "Ann"]

    told(url, story)


def test_of_those_who_mean_one_version_one_is_done(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        others = [enters(running, name, expected=2) for name in ("Ann", "Ben", "Cy")]
        await asyncio.sleep(0)
        counting.free.set()
        await first
        found = await asyncio.gather(*others, return_exceptions=True)
        assert [isinstance(one, Moved) for one in found] == [False, True, True]

    told(url, story)


def test_the_last_step_is_the_one_that_was_seen(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        undo = asyncio.create_task(running.do_all([Undo()], context("undo")))
        await asyncio.sleep(0)
        counting.free.set()
        await first
        with pytest.raises(NotNow, match="faster"):
            await undo

    told(url, story)


def test_whoever_goes_away_is_done_all_the_same_and_holds_up_nobody(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        gone, stays = enters(running, "Gone"), enters(running, "Stays")
        await asyncio.sleep(0)
        first.cancel()
        gone.cancel()
        counting.free.set()
        await stays
        names = [listed.player.name for listed in running.state.players.values()]
        assert names == ["First", "Stays"]  # what was being written is written; what only waited is not

    told(url, story)


def test_a_database_in_trouble_is_said_to_all_and_the_next_goes_on(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        counting.trouble = StoreError("cup.db", "the disk is full", "make room")
        counting.free.set()
        with pytest.raises(StoreError, match="full"):
            await first
        await enters(running, "Next")
        assert [listed.player.name for listed in running.state.players.values()] == ["Next"]

    told(url, story)


def test_where_the_database_does_not_answer_nobody_waits_after_the_others(url: str) -> None:
    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        others = [enters(running, name) for name in ("Ann", "Ben")]
        await asyncio.sleep(0)
        counting.trouble = ServerUnreachable("cups", "the server does not answer", "start it")
        counting.free.set()
        found = await asyncio.gather(first, *others, return_exceptions=True)
        assert [type(one) for one in found] == [ServerUnreachable] * 3
        assert counting.appends == 1
        await enters(running, "Next")

    told(url, story)


def test_what_nobody_foresaw_in_one_is_only_its_own(url: str) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async def story(store: Store) -> None:
        counting, running, first = await held_up(store)
        bad = [enters(running, "Bad", check_right=broken), enters(running, "Bad too", told=broken)]
        good = enters(running, "Good")
        await asyncio.sleep(0)
        counting.free.set()
        await asyncio.gather(first, good)
        for one in bad:
            with pytest.raises(ZeroDivisionError):
                await one
        assert [listed.player.name for listed in running.state.players.values()] == ["First", "Good"]
        assert await store.read(EVENT) == running.log.lines

    told(url, story)


def test_two_processes_that_write_at_once_lose_nothing(url: str) -> None:
    """Each has many waiting, and each finds again and again that the other was faster."""

    async def story(store: Store) -> None:
        await create(store)
        two = [await EventSession.open(store, EVENT) for _ in range(2)]
        asked = [enters(one, f"{n} {number}") for n, one in enumerate(two) for number in range(40)]
        await asyncio.gather(*asked)
        for one in two:
            await one.refresh()
            assert len(one.state.players) == 80
        assert two[0].log.lines == two[1].log.lines

    told(url, story)


def test_names_that_others_enter_are_known_after_a_refresh(url: str) -> None:
    async def story(store: Store) -> None:
        await create(store)
        mine, other = [await EventSession.open(store, EVENT) for _ in range(2)]
        await other.do(Register(name="Ann"), replace(context("ann"), by="other"))
        await mine.refresh()
        await other.do(CheckIn(), context("here"))
        await mine.refresh()
        assert mine.state.players["p1"].player.name == "Ann"
        assert mine.log.private == other.log.private

    told(url, story)
