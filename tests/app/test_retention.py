"""Names go by themselves when their time is over, once, whoever else does the same; nobody else's do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.store.command_process import context
from tests.store.store_helpers import opened
from topcut.app.retention import delete_expired_values, keep_purging, purge_due
from topcut.event import commands as c
from topcut.event.state import add_months
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.server.app import make_app
from topcut.store import Store
from topcut.store.session import EventSession, EventSummary

NOW = datetime(2026, 11, 14, 9, 0, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=400)


async def held(store: Store, event: str, at: datetime, finishes: bool = True) -> EventSession:
    """An event with a player, which ended at once or goes on."""
    when = replace(context(event), at=at)
    create = c.Create(name=event, book=freeze_book(load("mtr")))
    running, _ = await EventSession.create(store, event, create, when)
    await running.do(c.Register(name=f"Grace of {event}"), when)
    if finishes:
        await running.do(c.Finish(reason="a test"), when)
    return running


async def is_known(store: Store, event: str) -> bool:
    return f"Grace of {event}".encode() in b"".join((await store.read_private(event)).values())


async def forgets_due(store: Store, event: str) -> None:
    """Make a list say no more of an event than an older Topcut wrote."""
    about = {e.event: msgspec.json.decode(e.about) for e in await store.list_events()}[event]
    old = {name: value for name, value in about.items() if name not in ("due", "purged")}
    await store.append(event, await store.read_version(event), [], {}, msgspec.json.encode(old))


def test_what_is_due_is_purged_and_nothing_else(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "topcut.db")) as store:
            await held(store, "old", LONG_AGO)
            await held(store, "goes-on", LONG_AGO, finishes=False)
            await held(store, "young", NOW - timedelta(days=30))
            assert await purge_due(store, NOW) == ["old"]
            assert not await is_known(store, "old")
            assert await is_known(store, "goes-on")
            assert await is_known(store, "young")
            last = (await EventSession.open(store, "old")).log.entries[-1]
            assert (last.by, last.via, last.at) == ("topcut", "retention", NOW)
            assert await purge_due(store, NOW) == []
            assert await purge_due(store, add_months(NOW, 3)) == ["young"]

    asyncio.run(story())


def test_two_who_do_it_at_once_do_it_once(tmp_path: Path) -> None:
    async def story() -> None:
        database = str(tmp_path / "topcut.db")
        async with opened(database) as store, opened(database) as elsewhere:
            events = [f"event-{n}" for n in range(6)]
            for event in events:
                await held(store, event, LONG_AGO)
            done = await asyncio.gather(purge_due(store, NOW), purge_due(elsewhere, NOW))
            assert sorted(done[0] + done[1]) == events
            for event in events:
                running = await EventSession.open(store, event)
                purges = [entry for entry in running.log.entries if entry.via == "retention"]
                assert len(purges) == 1
                assert not await is_known(store, event)

    asyncio.run(story())


def test_an_event_that_goes_on_meanwhile_is_left_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "topcut.db")) as store:
            running = await held(store, "old", LONG_AGO)
            (listed,) = await store.list_events()
            await running.do(c.Reopen(reason="a slip turned up"), context("again"))
            await store.append("old", running.log.version, [], {}, listed.about)  # as it was seen before
            assert await purge_due(store, NOW) == []
            assert await is_known(store, "old")

    asyncio.run(story())


def test_events_of_an_older_topcut_are_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    opening = EventSession.open

    async def counted(store: Store, event: str) -> EventSession:
        looked.append(event)
        return await opening(store, event)

    async def story() -> None:
        async with opened(str(tmp_path / "topcut.db")) as store:
            await held(store, "young", NOW - timedelta(days=30))
            purged = await held(store, "purged", LONG_AGO)
            await purged.do(c.Purge(), replace(context("purge"), at=NOW))
            await held(store, "goes-on", LONG_AGO, finishes=False)
            for event in ("young", "purged", "goes-on"):
                await forgets_due(store, event)
            monkeypatch.setattr(EventSession, "open", counted)
            assert await purge_due(store, NOW) == []
            assert sorted(looked) == ["purged", "young"]
            assert await purge_due(store, NOW) == []
            assert len(looked) == 2
            assert await purge_due(store, add_months(NOW, 3)) == ["young"]
            assert not await is_known(store, "young")

    asyncio.run(story())


def test_an_event_that_cannot_be_read_keeps_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "topcut.db")) as store:
            await held(store, "old", LONG_AGO)
            about = EventSummary(name="x", rules="mtr", finished=True, due=LONG_AGO)
            await store.create("broken", [b"{}"], {}, msgspec.json.encode(about))
            with caplog.at_level(logging.WARNING, "topcut"):
                assert await purge_due(store, NOW) == ["old"]
            assert "the names of broken are due: fact 1" in caplog.text

    asyncio.run(story())


@pytest.mark.parametrize("chores", [True, False])
def test_a_server_does_it_when_it_starts_unless_another_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chores: bool
) -> None:
    begun: list[Store] = []

    def counted(store: Store) -> Coroutine[Any, Any, None]:
        begun.append(store)
        return keep_purging(store)

    monkeypatch.setattr("topcut.server.app.keep_purging", counted)

    async def story() -> None:
        async with opened(str(tmp_path / "topcut.db")) as store:
            await held(store, "old", LONG_AGO)
            app = make_app(store, chores=chores)
            async with app.lifespan():
                assert begun == [store] * chores
                live = await app.state.services.events.open_event("old")
                while chores and not live.state.purged:
                    await live.wait_for_change()
            assert await is_known(store, "old") is not chores

    asyncio.run(story())


def test_receipts_and_the_like_go_when_their_time_is_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "x.db")) as store:
            await store.put_value("receipt", "old", b"done", until=NOW)
            await store.put_value("receipt", "new", b"done", until=NOW + timedelta(days=1))
            await delete_expired_values(store, NOW)
            assert set(await store.list_values("receipt", LONG_AGO)) == {"new"}

    asyncio.run(story())
