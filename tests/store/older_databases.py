"""Databases as an earlier Topcut made them."""

from __future__ import annotations

import asyncio

from tests.store.store_helpers import EVENT
from topcut.store import Store
from topcut.store.postgres.store import PostgresServer, PostgresStore
from topcut.store.schema import POSTGRES, SQLITE
from topcut.store.sqlite.store import SqliteFile, SqliteStore


async def _opened(url: str, schema: int) -> Store:
    if "://" in url:
        server = PostgresServer(url, POSTGRES[:schema])
        return PostgresStore(server, await server.make_pool())
    file = SqliteFile(url, SQLITE[:schema])
    file.prepare()
    return SqliteStore(file)


def begun_at(url: str, schema: int, *facts: bytes) -> None:
    """A database of that schema with an event of these facts."""

    async def story() -> None:
        store = await _opened(url, schema)
        await store.create(EVENT, facts, {"key": b"value"}, b"")
        await store.close()

    asyncio.run(story())
