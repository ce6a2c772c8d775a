"""How is a store kept in PostgreSQL? Every change of an event is one statement, and so one transaction.

The row of an event is what appends queue up at: whoever changes it first goes on, whoever comes later finds
another version and is refused. So positions have no gaps, and become visible in their order.

A connection may break after a change was sent and before the answer came. Then nobody knows whether it was
made; it is tried again, and if it is refused now, the facts at its positions say whether that was by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from topcut.store import postgres_kept as beside
from topcut.store.follow import AT_ONCE, Bells, followed
from topcut.store.model import (
    NOTHING,
    Listed,
    NoSuchEvent,
    Overtaken,
    StoreError,
    Unreachable,
    already_there,
    moment,
)
from topcut.store.postgres_listener import CHANNEL, listen
from topcut.store.postgres_server import (
    FAILURES,
    Connection,
    PostgresServer,
    dropped_when_lost,
    lost,
)

T = TypeVar("T")
_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 0.5
_CLOSE_WITHIN = 5.0
"""Seconds to take leave of the server."""

# Both begin with the row of the event, called `moved`, and end the same way.
_ADD = f"""
    added AS (
        INSERT INTO topcut_fact
        SELECT moved.key, moved.version - cardinality($2::bytea[]) + number, fact
        FROM moved, unnest($2::bytea[]) WITH ORDINALITY AS given (fact, number)
    ), kept AS (
        INSERT INTO topcut_private
        SELECT moved.key, name, value FROM moved, unnest($3::text[], $4::bytea[]) AS given (name, value)
        ON CONFLICT (event, key) DO UPDATE SET value = excluded.value
    )
    SELECT moved.version, pg_notify('{CHANNEL}', moved.key::text) FROM moved
"""
_CREATE = f"""
    WITH moved AS (
        INSERT INTO topcut_event (id, version, about) VALUES ($1, cardinality($2::bytea[]), $5)
        ON CONFLICT (id) DO NOTHING
        RETURNING key, version
    ), {_ADD}
"""
_APPEND = f"""
    WITH moved AS (
        UPDATE topcut_event
        SET version = version + cardinality($2::bytea[]),
            touched = nextval('topcut_touched'),
            about = coalesce($5, about)
        WHERE id = $1 AND version = $6
        RETURNING key, version
    ), {_ADD}
"""
_REMOVE = f"""
    WITH moved AS (DELETE FROM topcut_event WHERE id = $1 RETURNING key)
    SELECT pg_notify('{CHANNEL}', key::text) FROM moved
"""
_FORGET = "DELETE FROM topcut_private WHERE event = $1 AND key = ANY($2::text[])"
_EVENTS = "SELECT id, version, about FROM topcut_event ORDER BY touched DESC"
_FOUND = "SELECT key, version FROM topcut_event WHERE id = $1"
_PRIVATE = "SELECT key, value FROM topcut_private WHERE event = $1"
FACTS = "SELECT fact FROM topcut_fact WHERE event = $1 AND position > $2 ORDER BY position LIMIT $3"


async def open_postgres(url: str) -> PostgresStore:
    """The store in a database that exists; its tables are made if they are missing."""
    server = PostgresServer(url)
    return PostgresStore(server, await server.pool())


class PostgresStore:
    """A `Store` in a PostgreSQL database."""

    def __init__(self, server: PostgresServer, pool: Any) -> None:
        self._server = server
        self._pool = pool
        self._bells = Bells()
        self._listener: asyncio.Task[None] | None = None

    async def events(self) -> list[Listed]:
        """All events, the one that was appended to last first."""
        return await self._read(
            lambda connection: _mapped(connection.fetch(_EVENTS), lambda row: Listed(*row))
        )

    async def create(
        self, event: str, facts: Sequence[bytes], private: Mapping[str, bytes], about: bytes
    ) -> int:
        """A new event with its first facts; its version. An id that exists is refused."""
        given = (event, list(facts), list(private), list(private.values()), about)

        async def work(connection: Connection, again: bool) -> int:
            made = await connection.fetchval(_CREATE, *given)
            if made is None and not (again and await self._kept(connection, event, 0, facts)):
                raise already_there(self._server.name, event)
            return len(facts)

        return await self._do(work)

    async def append(
        self,
        event: str,
        expected: int,
        facts: Sequence[bytes],
        private: Mapping[str, bytes] = NOTHING,
        about: bytes | None = None,
    ) -> int:
        """Adds facts, durably, all or none, and returns the new version; or `Overtaken`."""
        given = (event, list(facts), list(private), list(private.values()), about, expected)

        async def work(connection: Connection, again: bool) -> int:
            made = await connection.fetchval(_APPEND, *given)
            if made is None and not (again and await self._kept(connection, event, expected, facts)):
                raise Overtaken(event, (await self._found(connection, event))[1])
            return expected + len(facts)

        return await self._do(work)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """The facts after a position, in order."""

        async def work(connection: Connection) -> list[bytes]:
            key, _ = await self._found(connection, event)
            return await _facts(connection, key, after, None)

        return await self._read(work)

    async def version(self, event: str) -> int:
        """The number of the last fact."""
        _, version = await self._read(lambda connection: self._found(connection, event))
        return version

    async def private(self, event: str) -> dict[str, bytes]:
        """The private entries there are."""

        async def work(connection: Connection) -> dict[str, bytes]:
            key, _ = await self._found(connection, event)
            return dict(await _mapped(connection.fetch(_PRIVATE, key), tuple))

        return await self._read(work)

    async def forget(self, event: str, keys: Iterable[str]) -> None:
        """Deletes private entries for good; keys that are not there do no harm."""
        given = list(keys)

        async def work(connection: Connection) -> None:
            key, _ = await self._found(connection, event)
            await connection.execute(_FORGET, key, given)

        await self._read(work)

    async def remove(self, event: str) -> None:
        """Deletes an event with everything it has."""

        async def work(connection: Connection, again: bool) -> None:
            if await connection.fetchrow(_REMOVE, event) is None and not again:
                raise NoSuchEvent(self._server.name, event)

        await self._do(work)

    async def keep(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        """Puts or replaces a value, durably; with `now`, deletes all that have expired."""
        expires, at = (None if time is None else moment(time) for time in (until, now))
        await self._read(lambda connection: beside.put(connection, space, key, value, expires, at))

    async def keep_first(self, space: str, key: str, value: bytes) -> bytes:
        """Puts a value unless there is one, and returns the one that is there."""
        found = await self._read(lambda connection: beside.found(connection, space, key, None))
        if found is not None:
            return found
        return await self._read(lambda connection: beside.put_first(connection, space, key, value))

    async def kept(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired."""
        at = moment(now)
        return await self._read(lambda connection: beside.found(connection, space, key, at))

    async def all_kept(self, space: str, now: datetime) -> dict[str, bytes]:
        """All values of a space that have not expired, by their keys."""
        at = moment(now)
        return await self._read(lambda connection: beside.all_found(connection, space, at))

    async def take(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired, and is deleted."""
        return await self._do(beside.Taking(space, key, moment(now)).attempt)

    async def unkeep(self, space: str, key: str) -> None:
        """Deletes a value; one that is not there does no harm."""
        await self._read(lambda connection: beside.delete(connection, space, key))

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        """Every fact after a position, once and in order, as soon as it is there."""

        async def found() -> int:
            key, _ = await self._read(lambda connection: self._found(connection, event))
            if self._listener is None:
                self._listener = asyncio.create_task(listen(self._server, self._bells))
            return key

        async def look(connection: Connection, key: int, after: int) -> list[bytes]:
            facts = await _facts(connection, key, after, AT_ONCE)
            if not facts and not await connection.fetch("SELECT 1 FROM topcut_event WHERE key = $1", key):
                raise NoSuchEvent(self._server.name, event)
            return facts

        async def read(key: int, after: int) -> list[bytes]:
            while True:
                try:
                    return await self._read(lambda connection: look(connection, key, after))
                except Unreachable:
                    continue  # for ever, since the server may come back; each round has its pauses

        return followed(self._bells, found, after, read)

    async def close(self) -> None:
        """Gives back what is open. Whoever follows comes to an end."""
        self._bells.close()
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])
        try:
            await asyncio.wait_for(self._pool.close(), _CLOSE_WITHIN)
        except FAILURES:
            self._pool.terminate()

    async def _read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """What work finds that can be done any number of times."""

        async def whichever(connection: Connection, again: bool) -> T:
            return await work(connection)

        return await self._do(whichever)

    async def _do(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """What the work returns, on another connection if one breaks.

        The work is told whether it was tried before: then it may have been done already.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + self._server.patience
        pause = _FIRST_PAUSE
        again = False
        while True:
            if self._bells.closed:
                raise StoreError(self._server.name, "is closed already", "open it again")
            try:
                async with self._pool.acquire(timeout=self._server.patience) as connection:
                    with dropped_when_lost(connection):
                        tried, again = again, True
                        return await work(connection, tried)
            except FAILURES as error:
                if isinstance(error, ValueError):
                    raise  # an argument of the wrong kind is a mistake of the caller's
                if not lost(error) or clock() > until:
                    raise self._server.told(error) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _found(self, connection: Connection, event: str) -> tuple[int, int]:
        """An event's internal key and its version."""
        row = await connection.fetchrow(_FOUND, event)
        if row is None:
            raise NoSuchEvent(self._server.name, event)
        return row["key"], row["version"]

    async def _kept(self, connection: Connection, event: str, expected: int, facts: Sequence[bytes]) -> bool:
        """Whether exactly these facts are there, after that position; none at all prove nothing."""
        key, _ = await self._found(connection, event)
        return bool(facts) and await _facts(connection, key, expected, len(facts)) == list(facts)


async def _facts(connection: Connection, key: int, after: int, limit: int | None) -> list[bytes]:
    return await _mapped(connection.fetch(FACTS, key, after, limit), lambda row: row["fact"])


async def _mapped(rows: Awaitable[list[Any]], made: Callable[[Any], T]) -> list[T]:
    return [made(row) for row in await rows]
