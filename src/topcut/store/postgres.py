"""How is a store kept in PostgreSQL? A few connections are shared, and nobody sees one of them break.

A connection may break after a change was sent and before the answer came. Then nobody knows whether it was
made: it is tried again, and whoever makes it finds out whether it was made before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from topcut.store import postgres_kept as beside
from topcut.store import postgres_log as log
from topcut.store.follow import AT_ONCE, Bells, followed
from topcut.store.model import (
    NOTHING,
    AlreadyThere,
    Change,
    Listed,
    NoSuchEvent,
    Overtaken,
    Receipt,
    StoreError,
    Unreachable,
    moment,
)
from topcut.store.postgres_listener import listen
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

    async def events(self, before: int | None = None, limit: int | None = None) -> list[Listed]:
        """All events, the one that was appended to last first; or so many, of those touched before that."""
        return await self._read(lambda connection: log.listed(connection, before, limit))

    async def create(
        self,
        event: str,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        """A new event with its first facts; its version. An id that exists is refused; or `Repeated`."""
        adding = log.Adding(event, None, facts, private, about, receipts)

        async def work(connection: Connection, again: bool) -> int:
            if not await adding.attempt(connection, again):
                raise AlreadyThere(self._server.name, event)
            return len(facts)

        return await self._do(work)

    async def append(
        self,
        event: str,
        expected: int,
        facts: Sequence[bytes],
        private: Mapping[str, bytes] = NOTHING,
        about: bytes | None = None,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        """Adds facts, durably, all or none, and returns the new version; or `Overtaken`, or `Repeated`."""
        adding = log.Adding(event, expected, facts, private, about, receipts)

        async def work(connection: Connection, again: bool) -> int:
            if not await adding.attempt(connection, again):
                raise Overtaken(event, (await self._found(connection, event))[1])
            return expected + len(facts)

        return await self._do(work)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """The facts after a position, in order."""

        async def work(connection: Connection) -> list[bytes]:
            facts = await log.facts_of(connection, event, after)
            if facts:
                return facts
            key, version = await self._found(connection, event)  # or there is no such event
            return await log.facts(connection, key, after, None) if version > after else []

        return await self._read(work)

    async def version(self, event: str) -> int:
        """The number of the last fact."""
        _, version = await self._read(lambda connection: self._found(connection, event))
        return version

    async def private(self, event: str) -> dict[str, bytes]:
        """The private entries there are."""

        async def work(connection: Connection) -> dict[str, bytes]:
            key, _ = await self._found(connection, event)
            return await log.private(connection, key)

        return await self._read(work)

    async def forget(self, event: str, keys: Iterable[str]) -> None:
        """Deletes private entries for good; keys that are not there do no harm."""
        given = list(keys)

        async def work(connection: Connection) -> None:
            key, _ = await self._found(connection, event)
            await log.forget(connection, key, given)

        await self._read(work)

    async def remove(self, event: str) -> None:
        """Deletes an event with everything it has."""

        async def work(connection: Connection, again: bool) -> None:
            if not await log.removed(connection, event) and not again:
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

    async def rewrite(self, space: str, change: Change) -> None:
        """Puts in the place of each value of a space what it changes to."""
        await self._read(lambda connection: beside.rewrite(connection, space, change))

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
            facts = await log.facts(connection, key, after, AT_ONCE)
            if not facts and not await log.there(connection, key):
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
        there = await log.found(connection, event)
        if there is None:
            raise NoSuchEvent(self._server.name, event)
        return there
