"""How is a store kept in a SQLite file? One thread writes, some others read, and nobody waits for a reader.

Several programs may open the same file.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from queue import Empty, LifoQueue
from typing import TypeVar

import apsw

from topcut.store import sqlite_kept as beside
from topcut.store import sqlite_log as log
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
    moment,
)
from topcut.store.sqlite_file import SqliteFile
from topcut.store.sqlite_writer import Writer

T = TypeVar("T")
_READERS = 4
_POLL = 0.015
"""Seconds between looks for what other programs wrote."""


async def open_sqlite(path: str) -> SqliteStore:
    """The store in a file, which is made if it is missing."""
    file = SqliteFile(path)
    await asyncio.to_thread(file.prepare)
    return SqliteStore(file)


class SqliteStore:
    """A `Store` in a file."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._bells = Bells()
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="topcut store reader")
        self._idle: LifoQueue[apsw.Connection] = LifoQueue()
        self._writer = Writer(file)
        self._poller: asyncio.Task[None] | None = None

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
        rows = [receipt.row for receipt in receipts]

        def work(connection: apsw.Connection) -> None:
            beside.refuse_second(connection, rows)
            if log.found(connection, event) is not None:
                raise AlreadyThere(self._file.path, event)
            log.add(connection, log.made(connection, event, about), 0, facts, private)
            beside.put_receipts(connection, rows)

        await self._writer.do(work)
        return len(facts)

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
        rows = [receipt.row for receipt in receipts]

        def work(connection: apsw.Connection) -> int:
            beside.refuse_second(connection, rows)
            key, version = self._found(connection, event)
            if version != expected:
                raise Overtaken(event, version)
            log.add(connection, key, version, facts, private, about)
            beside.put_receipts(connection, rows)
            return key

        self._bells.ring([await self._writer.do(work)])
        return expected + len(facts)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """The facts after a position, in order."""

        def work(connection: apsw.Connection) -> list[bytes]:
            return log.facts(connection, self._found(connection, event)[0], after)

        return await self._read(work)

    async def version(self, event: str) -> int:
        """The number of the last fact."""
        return await self._read(lambda connection: self._found(connection, event)[1])

    async def private(self, event: str) -> dict[str, bytes]:
        """The private entries there are."""

        def work(connection: apsw.Connection) -> dict[str, bytes]:
            return log.private(connection, self._found(connection, event)[0])

        return await self._read(work)

    async def forget(self, event: str, keys: Iterable[str]) -> None:
        """Deletes private entries for good; keys that are not there do no harm."""
        given = list(keys)

        def work(connection: apsw.Connection) -> None:
            key, _ = self._found(connection, event)
            log.forget(connection, key, given)

        await self._writer.do(work)
        await self._writer.do(self._leave_no_trace, alone=True)

    async def remove(self, event: str) -> None:
        """Deletes an event with everything it has."""

        def work(connection: apsw.Connection) -> int:
            key, _ = self._found(connection, event)
            log.remove(connection, key)
            return key

        self._bells.ring([await self._writer.do(work)])
        await self._writer.do(self._leave_no_trace, alone=True)

    async def keep(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        """Puts or replaces a value, durably; with `now`, deletes all that have expired."""
        expires, at = (None if time is None else moment(time) for time in (until, now))
        await self._writer.do(lambda connection: beside.put(connection, space, key, value, expires, at))

    async def keep_first(self, space: str, key: str, value: bytes) -> bytes:
        """Puts a value unless there is one, and returns the one that is there."""
        found = await self._beside(lambda connection: beside.found(connection, space, key, None), None)
        if found is not None:
            return found
        return await self._writer.do(lambda connection: beside.put_first(connection, space, key, value))

    async def kept(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired."""
        at = moment(now)
        return await self._beside(lambda connection: beside.found(connection, space, key, at), None)

    async def all_kept(self, space: str, now: datetime) -> dict[str, bytes]:
        """All values of a space that have not expired, by their keys."""
        at = moment(now)
        return await self._beside(lambda connection: beside.all_found(connection, space, at), {})

    async def take(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired, and is deleted."""
        at = moment(now)
        return await self._writer.do(lambda connection: beside.taken(connection, space, key, at))

    async def rewrite(self, space: str, change: Change) -> None:
        """Puts in the place of each value of a space what it changes to."""
        await self._writer.do(lambda connection: beside.rewrite(connection, space, change))

    async def unkeep(self, space: str, key: str) -> None:
        """Deletes a value; one that is not there does no harm."""
        await self._writer.do(lambda connection: beside.delete(connection, space, key))

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        """Every fact after a position, once and in order, as soon as it is there."""

        async def found() -> int:
            key, _ = await self._read(lambda connection: self._found(connection, event))
            self._start_polling()
            return key

        def look(connection: apsw.Connection, key: int, after: int) -> list[bytes]:
            facts = log.facts(connection, key, after, AT_ONCE)
            if not facts and log.version(connection, key) is None:
                raise NoSuchEvent(self._file.path, event)
            return facts

        async def read(key: int, after: int) -> list[bytes]:
            return await self._read(lambda connection: look(connection, key, after))

        return followed(self._bells, found, after, read)

    async def close(self) -> None:
        """Gives back what is open. Whoever follows comes to an end."""
        self._bells.close()
        if self._poller is not None:
            self._poller.cancel()
            await asyncio.wait([self._poller])
        await asyncio.to_thread(self._threads.shutdown)
        with suppress(Empty):
            while True:
                self._idle.get_nowait().close()
        await self._writer.close()

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        """What a reading thread finds."""
        if self._bells.closed:
            raise StoreError(self._file.path, "is closed already", "open it again")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._in_thread, work)

    async def _beside(self, work: Callable[[apsw.Connection], T], nothing: T) -> T:
        """What is found beside the events; nothing in an older file that may only be read."""
        return await self._read(work) if self._file.schema >= beside.SINCE else nothing

    def _in_thread(self, work: Callable[[apsw.Connection], T]) -> T:
        try:
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = self._file.connect(query_only="ON")
            try:
                return work(connection)
            finally:
                self._idle.put(connection)
        except apsw.Error as error:
            raise self._file.told(error) from error

    def _found(self, connection: apsw.Connection, event: str) -> tuple[int, int]:
        """An event's internal key and its version."""
        there = log.found(connection, event)
        if there is None:
            raise NoSuchEvent(self._file.path, event)
        return there

    def _leave_no_trace(self, connection: apsw.Connection) -> None:
        """Moves the write-ahead log into the file and empties it: it has pages as they were before."""
        try:
            self._file.insist(lambda: connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE))
        except apsw.BusyError:
            problem = "deleted, but other programs keep the file busy, and its -wal file may still have it"
            raise StoreError(self._file.path, problem, "do it again later") from None

    def _start_polling(self) -> None:
        if self._poller is None or self._poller.done():
            connection = self._file.connect(query_only="ON")
            self._poller = asyncio.create_task(_poll(connection, self._bells))


async def _poll(connection: apsw.Connection, bells: Bells) -> None:
    """Looks, as long as anybody follows, for what other programs wrote, and rings the bells of that."""
    connection.set_busy_handler(None)  # the loop must not wait; there is a next look
    seen: dict[int, int | None] = {}
    last = None
    try:
        while keys := bells.keys:
            with suppress(apsw.BusyError):
                now = connection.pragma("data_version")
                if now != last:
                    found = {key: log.version(connection, key) for key in keys}
                    bells.ring(key for key in keys if key not in seen or seen[key] != found[key])
                    seen, last = found, now
            await asyncio.sleep(_POLL)
    except apsw.Error:
        bells.ring(bells.keys)  # whoever follows meets the same error, and says so
    finally:
        connection.close()
