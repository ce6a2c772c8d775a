"""Who is forgotten is gone from the database and from every process that knew them, whatever dies."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest

from tests.store.command_process import context, create
from tests.store.store_helpers import EVENT, opened, told
from tests.store.test_forget import bytes_of
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.refusals import NotNow
from topcut.event.state import add_months
from topcut.formats import log_file
from topcut.store import Store, StoreError
from topcut.store.session import EventSession, EventSummary

WHO = "Grace Brewster Hopper"


async def finished(store: Store) -> EventSession:
    """A finished event of two, of whom one can be forgotten."""
    running = await create(store)
    entering = [c.Register(name=WHO, member="member 739879"), c.Register(name="Bo")]
    await running.do_all(entering, context("players"))
    await running.do(c.EditPlayer(player="p1", name=f"Prof. {WHO}", display="Zed"), context("edit"))
    await running.do_all([c.Pair(), c.Publish(), c.Start()], context("up"))
    await running.do(c.Report(table=1, result=Result(games=(2, 0, 0))), context("r"))
    await running.do_all([c.End(), c.Finish(reason="x")], context("end"))
    return running


async def entries(store: Store) -> bytes:
    return b"".join((await store.read_private(EVENT)).values())


def test_they_are_gone_from_the_database_and_nobody_else_is(url: str) -> None:
    async def story(store: Store) -> None:
        running = await finished(store)
        before = await store.read_private(EVENT)
        await running.do(c.Forget(player="p1"), context("forget"))
        after = await store.read_private(EVENT)
        assert len(before) == len(after) + 2
        assert WHO.encode() not in await entries(store)
        again = await EventSession.open(store, EVENT)
        assert [again.state.name_of(player_id) for player_id in again.state.players] == ["p1", "Bo"]
        assert again.state == running.state
        assert check_log(again.log.lines, again.log.private).ok

    told(url, story)


def test_no_byte_of_them_is_left_in_the_file(sqlite: str) -> None:
    async def story(store: Store) -> None:
        running = await finished(store)
        for secret in (WHO.encode(), b"Zed", b"member 739879"):
            assert secret in bytes_of(sqlite)
        await running.do(c.Forget(player="p1"), context("forget"))
        for secret in (WHO.encode(), b"Zed", b"member 739879"):
            assert secret not in bytes_of(sqlite)
        assert b'"Bo"' in bytes_of(sqlite)

    told(sqlite, story)


def test_a_crash_between_the_fact_and_the_deed_is_healed_by_whoever_opens_it(url: str) -> None:
    async def story(store: Store) -> None:
        running = await finished(store)
        people = dict(await store.read_private(EVENT))
        await running.do(c.Forget(player="p1"), context("forget"))
        await store.append(EVENT, running.log.version, [], people)  # as if they had stayed
        assert WHO.encode() in await entries(store)
        again = await EventSession.open(store, EVENT)
        assert WHO.encode() not in await entries(store)
        assert WHO not in repr((again.state, again.log.private))

    told(url, story)


class Failing:
    """A store that cannot delete, for a while."""

    def __init__(self, store: Store) -> None:
        self.store, self.fails = store, 1

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    async def delete_private(self, event: str, keys: set[str]) -> None:
        if self.fails:
            self.fails -= 1
            raise StoreError("cup.db", "is busy", "do it again later")
        await self.store.delete_private(event, keys)


def test_what_could_not_be_deleted_is_not_seen_any_more_and_deleted_the_next_time(url: str) -> None:
    async def story(store: Store) -> None:
        await finished(store)
        failing: Store = Failing(store)  # type: ignore[assignment]
        running = await EventSession.open(failing, EVENT)
        with pytest.raises(StoreError, match="is busy"):
            await running.do(c.Forget(player="p1"), context("forget"))
        assert WHO not in repr((running.state, running.log.private))
        assert WHO.encode() in await entries(store)
        await running.refresh()
        assert WHO.encode() not in await entries(store)

    told(url, story)


def test_two_stores_are_open_and_both_let_go(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, opened(url) as elsewhere:
            running = await finished(store)
            other = await EventSession.open(elsewhere, EVENT)
            assert WHO in other.state.players["p1"].legal
            await running.do(c.Forget(player="p1"), context("forget"))
            async for _ in elsewhere.follow(EVENT, other.log.version):
                await other.refresh()
                break
            assert other.state == running.state
            assert WHO.encode() not in b"".join(other.log.private.values())
            assert WHO not in repr(other.log._saved)
            assert WHO.encode() not in await entries(elsewhere)
            with pytest.raises(NotNow, match="already deleted"):
                await other.do(c.Forget(player="p1"), context("again"))

    asyncio.run(story())


def test_of_two_who_forget_at_once_one_is_first_and_nothing_comes_back(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, opened(url) as elsewhere:
            one = await finished(store)
            other = await EventSession.open(elsewhere, EVENT)
            await one.do(c.Forget(player="p1"), context("one"))
            with pytest.raises(NotNow, match="are deleted and can't be changed"):  # it did not know yet
                await other.do(c.EditPlayer(player="p1", member="4711"), context("other"))
            await other.do(c.Forget(player="p2"), context("other"))
            await one.refresh()
            assert set(await store.read_private(EVENT)) == {one.state.commitment}

    asyncio.run(story())


def test_an_event_with_forgotten_people_is_taken_out_and_put_in_again(url: str) -> None:
    async def story(store: Store) -> None:
        running = await finished(store)
        people = dict(await store.read_private(EVENT))
        await running.do(c.Forget(player="p1"), context("forget"))
        raw = log_file.encode_log(EVENT, running.log.lines, running.log.private)
        found, _ = log_file.read_checked_log(raw)
        copy = await EventSession.put(store, "copy", found.facts, found.private)
        assert copy.state == running.state
        stale, _ = log_file.read_checked_log(log_file.encode_log(EVENT, running.log.lines, people))
        await EventSession.put(store, "stale", stale.facts, stale.private)
        assert await store.read_private("stale") == await store.read_private(EVENT)

    told(url, story)


def test_a_list_says_from_when_on_names_may_be_deleted(url: str) -> None:
    async def listed(store: Store) -> EventSummary:
        (one,) = await store.list_events()
        return msgspec.json.decode(one.about, type=EventSummary)

    async def story(store: Store) -> None:
        running = await finished(store)
        assert running.state.finished is not None
        due = add_months(running.state.finished, 3)
        assert (await listed(store)).due == due
        await running.do(c.Reopen(reason="x"), context("reopen"))
        assert (await listed(store)).due is None
        await running.do(c.Finish(reason="x"), context("finish"))
        later = replace(context("purge"), at=add_months(due, 1))
        await running.do(c.Purge(), later)
        about = await listed(store)
        assert (about.due, about.finished, about.purged) == (None, True, True)
        assert EventLog(running.log.lines, {}).state.purged

    told(url, story)
