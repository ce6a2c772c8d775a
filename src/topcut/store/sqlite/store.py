"""Keep a store in a SQLite file: one thread writes, some others read, and no reader holds up a writer.

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

from topcut.store.followers import AT_ONCE, Followers
from topcut.store.interface import (
    LAST_TOUCHED,
    NOTHING,
    AlreadyThere,
    Change,
    NoSuchEvent,
    Overtaken,
    Receipt,
    Repeated,
    StoredEvent,
    StoreError,
    to_microseconds,
)
from topcut.store.sqlite.file import SqliteFile
from topcut.store.sqlite.writer import Writer

T = TypeVar("T")
_READERS = 4
_POLL = 0.015
"""Seconds between looks for what other programs wrote."""
_NO_LIMIT = -1
_VALUES_SINCE = 2
"""The schema that brought the table `kept`: a read-only file may be older."""

LIST_EVENTS = "SELECT id, version, about, touched FROM event WHERE touched < ? ORDER BY touched DESC LIMIT ?"
_FACTS = "SELECT fact FROM fact WHERE event = ? AND position > ? ORDER BY position LIMIT ?"
_TOUCH = "UPDATE event SET version = ?, touched = (SELECT max(touched) + 1 FROM event) WHERE key = ?"
_FRESH = "ifnull(until > ?, TRUE)"
_PUT_ONCE = """
    INSERT INTO kept VALUES (?, ?, ?, NULL)
    ON CONFLICT DO UPDATE SET value = kept.value
    RETURNING value
"""


async def open_sqlite(path: str) -> SqliteStore:
    """Open the store in a file, which is made if it is missing."""
    file = SqliteFile(path)
    await asyncio.to_thread(file.prepare)
    return SqliteStore(file)


class SqliteStore:
    """A `Store` in a file."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._followers = Followers()
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="topcut store reader")
        self._idle: LifoQueue[apsw.Connection] = LifoQueue()
        self._writer = Writer(file)
        self._poller: asyncio.Task[None] | None = None

    async def list_events(self, before: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        given = (LAST_TOUCHED if before is None else before, _NO_LIMIT if limit is None else limit)
        return await self._read(
            lambda connection: [StoredEvent(*row) for row in connection.execute(LIST_EVENTS, given)]
        )

    async def create(
        self,
        event: str,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        def work(connection: apsw.Connection) -> None:
            _refuse_repeated(connection, receipts)
            if _find_event(connection, event) is not None:
                raise AlreadyThere(self._file.path, event)
            query = "INSERT INTO event (id, version, touched, about) VALUES (?, 0, 0, ?)"
            connection.execute(query, (event, about))
            _add(connection, connection.last_insert_rowid(), 0, facts, private, receipts)

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
        def work(connection: apsw.Connection) -> int:
            _refuse_repeated(connection, receipts)
            key, version = self._get_event(connection, event)
            if version != expected:
                raise Overtaken(event, version)
            _add(connection, key, version, facts, private, receipts)
            if about is not None:
                connection.execute("UPDATE event SET about = ? WHERE key = ?", (about, key))
            return key

        self._followers.wake([await self._writer.do(work)])
        return expected + len(facts)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        def work(connection: apsw.Connection) -> list[bytes]:
            return _read_facts(connection, self._get_event(connection, event)[0], after, _NO_LIMIT)

        return await self._read(work)

    async def read_version(self, event: str) -> int:
        return await self._read(lambda connection: self._get_event(connection, event)[1])

    async def read_private(self, event: str) -> dict[str, bytes]:
        def work(connection: apsw.Connection) -> dict[str, bytes]:
            key, _ = self._get_event(connection, event)
            query = "SELECT key, value FROM private WHERE event = ?"
            rows: Iterable[tuple[str, bytes]] = connection.execute(query, (key,))
            return dict(rows)

        return await self._read(work)

    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        given = list(keys)

        def work(connection: apsw.Connection) -> None:
            key, _ = self._get_event(connection, event)
            query = "DELETE FROM private WHERE event = ? AND key = ?"
            connection.executemany(query, [(key, name) for name in given])
            _rewrite_table(connection, "private", ("event", "key", "value"))

        await self._writer.do(work)
        await self._writer.do(self._empty_wal, alone=True)

    async def remove_event(self, event: str) -> None:
        def work(connection: apsw.Connection) -> int:
            key, _ = self._get_event(connection, event)
            connection.execute("DELETE FROM event WHERE key = ?", (key,))
            _rewrite_table(connection, "private", ("event", "key", "value"))
            return key

        self._followers.wake([await self._writer.do(work)])
        await self._writer.do(self._empty_wal, alone=True)

    async def put_value(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        expires, at = (None if time is None else to_microseconds(time) for time in (until, now))

        def work(connection: apsw.Connection) -> None:
            query = "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)"
            connection.execute(query, (space, key, value, expires))
            if at is not None:
                connection.execute("DELETE FROM kept WHERE until <= ?", (at,))

        await self._writer.do(work)

    async def put_value_once(self, space: str, key: str, value: bytes) -> bytes:
        found = await self._read_values(lambda connection: _get_value(connection, space, key, None), None)
        if found is not None:
            return found

        def work(connection: apsw.Connection) -> bytes:
            rows: Iterable[tuple[bytes]] = connection.execute(_PUT_ONCE, (space, key, value))
            ((there,),) = rows
            return there

        return await self._writer.do(work)

    async def get_value(self, space: str, key: str, now: datetime) -> bytes | None:
        at = to_microseconds(now)
        return await self._read_values(lambda connection: _get_value(connection, space, key, at), None)

    async def list_values(self, space: str, now: datetime) -> dict[str, bytes]:
        at = to_microseconds(now)

        def work(connection: apsw.Connection) -> dict[str, bytes]:
            query = f"SELECT key, value FROM kept WHERE space = ? AND {_FRESH}"
            rows: Iterable[tuple[str, bytes]] = connection.execute(query, (space, at))
            return dict(rows)

        return await self._read_values(work, {})

    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        at = to_microseconds(now)

        def work(connection: apsw.Connection) -> bytes | None:
            found = _get_value(connection, space, key, at)
            _delete_value(connection, space, key)
            return found

        return await self._writer.do(work)

    async def rewrite_values(self, space: str, change: Change) -> None:
        def work(connection: apsw.Connection) -> None:
            query = "SELECT key, value FROM kept WHERE space = ?"
            rows: Iterable[tuple[str, bytes]] = connection.execute(query, (space,))
            changed = [(new, space, key) for key, value in rows if (new := change(value)) != value]
            connection.executemany("UPDATE kept SET value = ? WHERE space = ? AND key = ?", changed)
            _rewrite_table(connection, "kept", ("space", "key", "value", "until"))

        await self._writer.do(work)

    async def delete_value(self, space: str, key: str) -> None:
        await self._writer.do(lambda connection: _delete_value(connection, space, key))

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        async def find() -> int:
            key, _ = await self._read(lambda connection: self._get_event(connection, event))
            if self._poller is None or self._poller.done():
                connection = self._file.connect(query_only="ON")
                self._poller = asyncio.create_task(_poll(connection, self._followers))
            return key

        def look(connection: apsw.Connection, key: int, after: int) -> list[bytes]:
            facts = _read_facts(connection, key, after, AT_ONCE)
            if not facts and _read_version(connection, key) is None:
                raise NoSuchEvent(self._file.path, event)
            return facts

        async def read(key: int, after: int) -> list[bytes]:
            return await self._read(lambda connection: look(connection, key, after))

        return self._followers.follow(find, after, read)

    async def close(self) -> None:
        self._followers.close()
        if self._poller is not None:
            self._poller.cancel()
            await asyncio.wait([self._poller])
        await asyncio.to_thread(self._threads.shutdown)
        with suppress(Empty):
            while True:
                self._idle.get_nowait().close()
        await self._writer.close()

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Return what the work finds, in a reading thread."""
        if self._followers.closed:
            raise StoreError(self._file.path, "is closed already", "open it again")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read_in_thread, work)

    async def _read_values(self, work: Callable[[apsw.Connection], T], nothing: T) -> T:
        """Return what the work finds in the table of values; `nothing` in a file that is older than it."""
        return await self._read(work) if self._file.schema >= _VALUES_SINCE else nothing

    def _read_in_thread(self, work: Callable[[apsw.Connection], T]) -> T:
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
            raise self._file.explain(error) from error

    def _get_event(self, connection: apsw.Connection, event: str) -> tuple[int, int]:
        """Return an event's internal key and its version."""
        found = _find_event(connection, event)
        if found is None:
            raise NoSuchEvent(self._file.path, event)
        return found

    def _empty_wal(self, connection: apsw.Connection) -> None:
        """Move the write-ahead log into the file and empty it: it has pages as they were before."""
        try:
            self._file.retry(lambda: connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE))
        except apsw.BusyError:
            problem = "deleted, but other programs keep the file busy, and its -wal file may still have it"
            raise StoreError(self._file.path, problem, "do it again later") from None


def _find_event(connection: apsw.Connection, event: str) -> tuple[int, int] | None:
    """Return an event's internal key and its version, if it is there."""
    for key, version in connection.execute("SELECT key, version FROM event WHERE id = ?", (event,)):
        return key, version
    return None


def _read_version(connection: apsw.Connection, key: int) -> int | None:
    """Return the version of an event, if it was not removed."""
    found = connection.execute("SELECT version FROM event WHERE key = ?", (key,)).get
    return None if found is None else int(found)


def _read_facts(connection: apsw.Connection, key: int, after: int, limit: int) -> list[bytes]:
    return [fact for (fact,) in connection.execute(_FACTS, (key, after, limit))]


def _add(
    connection: apsw.Connection,
    key: int,
    version: int,
    facts: Sequence[bytes],
    private: Mapping[str, bytes],
    receipts: Sequence[Receipt],
) -> None:
    """Add facts, private entries and receipts to an event, which becomes the newest of the list."""
    connection.executemany(
        "INSERT INTO fact VALUES (?, ?, ?)",
        [(key, position, fact) for position, fact in enumerate(facts, version + 1)],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO private VALUES (?, ?, ?)",
        [(key, name, value) for name, value in private.items()],
    )
    connection.execute(_TOUCH, (version + len(facts), key))
    rows = [receipt.row for receipt in receipts]
    connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", rows)


def _refuse_repeated(connection: apsw.Connection, receipts: Sequence[Receipt]) -> None:
    """Raise `Repeated` if there is a value in the place of a receipt, expired or not."""
    for receipt in receipts:
        if (there := _get_value(connection, receipt.space, receipt.key, None)) is not None:
            raise Repeated(there)


def _get_value(connection: apsw.Connection, space: str, key: str, now: int | None) -> bytes | None:
    """Return a value that has not expired; without `now` also one that has."""
    query = f"SELECT value FROM kept WHERE space = ? AND key = ? AND {_FRESH}"
    rows: Iterable[tuple[bytes]] = connection.execute(query, (space, key, now))
    return next((value for (value,) in rows), None)


def _delete_value(connection: apsw.Connection, space: str, key: str) -> None:
    connection.execute("DELETE FROM kept WHERE space = ? AND key = ?", (space, key))


def _rewrite_table(connection: apsw.Connection, table: str, columns: Sequence[str]) -> None:
    """Empty a table and write its rows again, to wipe deleted and replaced values from the file.

    `secure_delete` wipes what is deleted, but not the copies that SQLite left in the unused parts of pages
    when it moved entries from one page to another.
    """
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2").fetchall()
    connection.execute(f"DELETE FROM {table}")
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


async def _poll(connection: apsw.Connection, followers: Followers) -> None:
    """Look for what other programs wrote, as long as anybody follows, and wake the followers of that."""
    connection.set_busy_handler(None)  # the loop must not wait; there is a next look
    seen: dict[int, int | None] = {}
    last = None
    try:
        while keys := followers.keys:
            with suppress(apsw.BusyError):
                now = connection.pragma("data_version")
                if now != last:
                    found = {key: _read_version(connection, key) for key in keys}
                    followers.wake(key for key in keys if key not in seen or seen[key] != found[key])
                    seen, last = found, now
            await asyncio.sleep(_POLL)
    except apsw.Error:
        followers.wake(followers.keys)  # they meet the same error, and say so
    finally:
        connection.close()
