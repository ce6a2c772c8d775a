"""Keep a store in PostgreSQL: a few connections are shared, and no caller notices when one breaks.

A connection may break after a change was sent and before the answer came. Then the change is tried again, and
it finds out whether it was made before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from topcut.store.followers import AT_ONCE, Followers
from topcut.store.interface import (
    LAST_TOUCHED,
    NOTHING,
    AlreadyThere,
    Change,
    NoSuchEvent,
    Overtaken,
    Receipt,
    ServerUnreachable,
    StoredEvent,
    StoreError,
    to_microseconds,
)
from topcut.store.postgres.changes import (
    DELETE_VALUE,
    AppendFacts,
    TakeValue,
    find_event,
    get_value,
    read_facts,
)
from topcut.store.postgres.listener import CHANNEL, listen
from topcut.store.postgres.server import FAILURES, Connection, PostgresServer, is_lost, terminate_if_lost

T = TypeVar("T")
_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 0.5
"""Seconds between two attempts."""
_CLOSE_WITHIN = 5.0
"""Seconds to take leave of the server."""

LIST_EVENTS = """
    SELECT id, version, about, touched FROM topcut_event WHERE touched < $1 ORDER BY touched DESC LIMIT $2
"""
_FACTS_BY_ID = """
    SELECT fact FROM topcut_fact
    WHERE event = (SELECT key FROM topcut_event WHERE id = $1) AND position > $2
    ORDER BY position
"""
_DELETE_PRIVATE = "DELETE FROM topcut_private WHERE event = $1 AND key = ANY($2::text[])"
_REMOVE = f"""
    WITH moved AS (DELETE FROM topcut_event WHERE id = $1 RETURNING key)
    SELECT pg_notify('{CHANNEL}', key::text) FROM moved
"""
_PUT = """
    INSERT INTO topcut_kept VALUES ($1, $2, $3, $4)
    ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, until = excluded.until
"""
# An update that changes nothing waits for the transaction that was first, and returns what it put.
_PUT_ONCE = """
    INSERT INTO topcut_kept VALUES ($1, $2, $3)
    ON CONFLICT (space, key) DO UPDATE SET value = topcut_kept.value
    RETURNING value
"""
EXPIRE = "DELETE FROM topcut_kept WHERE until <= $1"
_LIST_VALUES = "SELECT key, value FROM topcut_kept WHERE space = $1 AND coalesce(until > $2, TRUE)"
# In one order, so that of two transactions that do this at once one waits, and neither for ever.
_LOCK_VALUES = "SELECT key, value FROM topcut_kept WHERE space = $1 ORDER BY key FOR UPDATE"
_CHANGE_VALUE = "UPDATE topcut_kept SET value = $3 WHERE space = $1 AND key = $2"


async def open_postgres(url: str) -> PostgresStore:
    """Open the store in a database that exists; its tables are made if they are missing."""
    server = PostgresServer(url)
    return PostgresStore(server, await server.make_pool())


class PostgresStore:
    """A `Store` in a PostgreSQL database."""

    def __init__(self, server: PostgresServer, pool: Any) -> None:
        self._server = server
        self._pool = pool
        self._followers = Followers()
        self._listener: asyncio.Task[None] | None = None

    async def list_events(self, before: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        rows = await self._fetch(LIST_EVENTS, LAST_TOUCHED if before is None else before, limit)
        return [StoredEvent(*row) for row in rows]

    async def create(
        self,
        event: str,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        append = AppendFacts(event, None, facts, private, about, receipts)

        async def work(connection: Connection, again: bool) -> int:
            if not await append.attempt(connection, again):
                raise AlreadyThere(self._server.name, event)
            return len(facts)

        return await self._do_once(work)

    async def append(
        self,
        event: str,
        expected: int,
        facts: Sequence[bytes],
        private: Mapping[str, bytes] = NOTHING,
        about: bytes | None = None,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        append = AppendFacts(event, expected, facts, private, about, receipts)

        async def work(connection: Connection, again: bool) -> int:
            if not await append.attempt(connection, again):
                raise Overtaken(event, (await self._get_event(connection, event))[1])
            return expected + len(facts)

        return await self._do_once(work)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        async def work(connection: Connection) -> list[bytes]:
            if facts := [row["fact"] for row in await connection.fetch(_FACTS_BY_ID, event, after)]:
                return facts
            key, version = await self._get_event(connection, event)  # or there is no such event
            return await read_facts(connection, key, after, None) if version > after else []

        return await self._do(work)

    async def read_version(self, event: str) -> int:
        _, version = await self._do(lambda connection: self._get_event(connection, event))
        return version

    async def read_private(self, event: str) -> dict[str, bytes]:
        async def work(connection: Connection) -> dict[str, bytes]:
            key, _ = await self._get_event(connection, event)
            rows = await connection.fetch("SELECT key, value FROM topcut_private WHERE event = $1", key)
            return {row["key"]: row["value"] for row in rows}

        return await self._do(work)

    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        given = list(keys)

        async def work(connection: Connection) -> None:
            key, _ = await self._get_event(connection, event)
            await connection.execute(_DELETE_PRIVATE, key, given)

        await self._do(work)

    async def remove_event(self, event: str) -> None:
        async def work(connection: Connection, again: bool) -> None:
            if await connection.fetchrow(_REMOVE, event) is None and not again:
                raise NoSuchEvent(self._server.name, event)

        await self._do_once(work)

    async def put_value(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        expires, at = (None if time is None else to_microseconds(time) for time in (until, now))

        async def work(connection: Connection) -> None:
            # In two transactions: none holds one row while it waits for another.
            await connection.execute(_PUT, space, key, value, expires)
            if at is not None:
                await connection.execute(EXPIRE, at)

        await self._do(work)

    async def put_value_once(self, space: str, key: str, value: bytes) -> bytes:
        found = await self._do(lambda connection: get_value(connection, space, key, None))
        if found is not None:
            return found
        ((there,),) = await self._fetch(_PUT_ONCE, space, key, value)
        return bytes(there)

    async def get_value(self, space: str, key: str, now: datetime) -> bytes | None:
        at = to_microseconds(now)
        return await self._do(lambda connection: get_value(connection, space, key, at))

    async def list_values(self, space: str, now: datetime) -> dict[str, bytes]:
        return dict(await self._fetch(_LIST_VALUES, space, to_microseconds(now)))

    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        return await self._do_once(TakeValue(space, key, to_microseconds(now)).attempt)

    async def rewrite_values(self, space: str, change: Change) -> None:
        async def work(connection: Connection) -> None:
            async with connection.transaction():
                rows = await connection.fetch(_LOCK_VALUES, space)
                changed = [(space, key, new) for key, value in rows if (new := change(value)) != value]
                await connection.executemany(_CHANGE_VALUE, changed)

        await self._do(work)

    async def delete_value(self, space: str, key: str) -> None:
        await self._fetch(DELETE_VALUE, space, key)

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        async def find() -> int:
            key, _ = await self._do(lambda connection: self._get_event(connection, event))
            if self._listener is None:
                self._listener = asyncio.create_task(listen(self._server, self._followers))
            return key

        async def look(connection: Connection, key: int, after: int) -> list[bytes]:
            facts = await read_facts(connection, key, after, AT_ONCE)
            if not facts and not await connection.fetch("SELECT 1 FROM topcut_event WHERE key = $1", key):
                raise NoSuchEvent(self._server.name, event)
            return facts

        async def read(key: int, after: int) -> list[bytes]:
            while True:
                try:
                    return await self._do(lambda connection: look(connection, key, after))
                except ServerUnreachable:
                    continue  # for ever, since the server may come back; each attempt has its pauses

        return self._followers.follow(find, after, read)

    async def close(self) -> None:
        self._followers.close()
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])
        try:
            await asyncio.wait_for(self._pool.close(), _CLOSE_WITHIN)
        except FAILURES:
            self._pool.terminate()

    async def _fetch(self, query: str, *given: object) -> list[Any]:
        """Return the rows of a query that may be run any number of times."""
        rows: list[Any] = await self._do(lambda connection: connection.fetch(query, *given))
        return rows

    async def _do(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what the work returns, which may be done any number of times."""
        return await self._do_once(lambda connection, _again: work(connection))

    async def _do_once(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """Return what the work returns, on another connection if one breaks.

        The work is told whether it was tried before: then it may have been done already.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + self._server.patience
        pause = _FIRST_PAUSE
        again = False
        while True:
            if self._followers.closed:
                raise StoreError(self._server.name, "is closed already", "open it again")
            try:
                async with self._pool.acquire(timeout=self._server.patience) as connection:
                    with terminate_if_lost(connection):
                        tried, again = again, True
                        return await work(connection, tried)
            except FAILURES as error:
                if isinstance(error, ValueError):
                    raise  # an argument of the wrong kind is a mistake of the caller's
                if not is_lost(error) or clock() > until:
                    raise self._server.explain(error) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _get_event(self, connection: Connection, event: str) -> tuple[int, int]:
        """Return an event's internal key and its version."""
        found = await find_event(connection, event)
        if found is None:
            raise NoSuchEvent(self._server.name, event)
        return found
