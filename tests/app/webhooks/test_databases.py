"""A database that comes back, and what was taken while it was away."""

from __future__ import annotations

import asyncio

import pytest

from tests.app.webhooks.delivery_helpers import (
    Time,
    append,
    delivering,
    facts,
    reached,
    told,
)
from tests.app.webhooks.receiver import receiving
from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, opened
from topcut.store import StoreError


def test_a_database_that_is_restarted(server: Server, postgres: str) -> None:
    async def story() -> None:
        async with opened(postgres) as store, receiving() as receiver, delivering(store) as hooks:
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            for version in (1, 11, 21):
                restart = asyncio.create_task(asyncio.to_thread(server.restart))
                await append(store, version + 1, version + 10)
                await restart
            await reached(hooks, hook, 31)
            assert receiver.taken == told(1, 31), "nothing is sent again, since nothing was forgotten"

    asyncio.run(story())


def test_a_database_that_is_away_when_a_delivery_is_taken(server: Server, postgres: str) -> None:
    async def story() -> None:
        async def without_database() -> int:
            await asyncio.to_thread(server.stop)
            return 200

        async with opened(postgres) as store, receiving(200, without_database) as receiver:
            await store.create(EVENT, facts(1, 1), {}, b"")
            async with delivering(store) as hooks:
                hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
                await reached(hooks, hook, 1)
                await append(store, 2, 2)
                await receiver.took(2)
                await asyncio.to_thread(server.start)
                await reached(hooks, hook, 2)
                await append(store, 3, 3)
                await reached(hooks, hook, 3)
            assert receiver.taken == told(1, 3)

    asyncio.run(story())


def test_a_database_that_fails_when_a_delivery_is_taken(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        time = Time()
        async with opened(sqlite) as store, receiving() as receiver, delivering(store, time) as hooks:
            await store.create(EVENT, facts(1, 1), {}, b"")
            failing, put_value = [1, 2, 3], store.put_value

            async def fail(space: str, key: str, value: bytes) -> None:
                if space == "hook state" and failing:
                    failing.pop()
                    raise StoreError(sqlite, "the disk is full", "make room")
                await put_value(space, key, value)

            monkeypatch.setattr(store, "put_value", fail)
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 1)
            assert time.waits == [5, 5, 5]
            assert receiver.taken == told(1, 1)

    asyncio.run(story())
