"""Keep a store in a SQLite file: one thread writes, some others read, and no reader holds up a writer.

Several programs may open the same file. Durable writing costs a wait for the disk for each transaction,
however much is in it. While the thread that writes waits for the disk the next jobs gather, so that a hundred
clients wait no longer than one.
"""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from queue import Empty, LifoQueue, SimpleQueue
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import quote

import apsw

from topcut.store.interface import (
    GET_ANY_VALUE,
    TAKE_VALUE,
    Addition,
    AlreadyThere,
    Change,
    NoSuchEvent,
    Overtaken,
    Repeated,
    Store,
    StoreError,
    newer_schema_error,
    to_microseconds,
)
from topcut.store.schema import SQLITE
from topcut.text.messages import Message, say

_APPLICATION = int.from_bytes(b"Tcut", "big")
"""Marks a file as ours, in its header."""
_NAP = 0.001
"""Seconds between two attempts at a busy file."""
_OPEN = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX

_READING = (apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_SHORT_READ)
_BUSY = say("another program keeps writing to it"), say("end that program or try again")
_MEANINGS: tuple[tuple[type[apsw.Error], Message, Message], ...] = (
    (apsw.NotADBError, say("is not a database"), say("give another file")),
    (apsw.ReadOnlyError, say("is read-only"), say("allow writing to the file and to its folder")),
    (apsw.FullError, say("the disk is full"), say("free some space and try again")),
    (apsw.BusyError, *_BUSY),
    (apsw.LockedError, *_BUSY),
    (apsw.CorruptError, say("the file is damaged"), say("restore a backup of it")),
    (apsw.PermissionsError, say("access is not allowed"), say("allow reading and writing of the file")),
)


class SqliteFile:
    """One SQLite file, to which connections are made.

    `steps` are those of `schema`; `patience` is how many seconds another program may be writing.
    """

    def __init__(self, path: str, steps: Sequence[str] = SQLITE, patience: float = 10.0) -> None:
        self.path = path
        self.read_only = False
        self.schema = 0
        self._immutable = False
        self._steps = steps
        self._patience = patience

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Raise errors of SQLite in words for people."""
        try:
            yield
        except apsw.Error as error:
            raise self.explain(error) from error

    def prepare(self) -> None:
        """Make the file if it is missing, and bring its tables up to date."""
        with self.explaining(), closing(self._connect_first()) as connection:
            self.schema = self._read_schema(connection)
            if not self.read_only:
                self.retry(lambda: connection.pragma("journal_mode", "WAL"))
            # An older file that may only be read can be: no step so far has changed how events are kept.
            if self.schema < len(self._steps) and not (self.read_only and self.schema):
                self._migrate(connection)
                self.schema = len(self._steps)

    def connect(self, **pragmas: str) -> apsw.Connection:
        """Return a connection with these settings beside the usual ones."""
        flags = apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE
        with self.explaining():
            return self._connect(flags, **pragmas)

    def retry(self, work: Callable[[], object]) -> None:
        """Do what SQLite refuses at once, without waiting, to one of two programs that do it together."""
        until = time.monotonic() + self._patience
        while True:
            try:
                work()
                return
            except apsw.BusyError:
                if time.monotonic() > until:
                    raise
                time.sleep(_NAP)

    def explain(self, error: apsw.Error) -> StoreError:
        """Return an error of SQLite in words for people."""
        if isinstance(error, apsw.CantOpenError):
            return StoreError(self.path, *self._explain_not_opened())
        for kind, problem, remedy in _MEANINGS:
            if isinstance(error, kind):
                return StoreError(self.path, problem, remedy)
        if isinstance(error, apsw.IOError):
            problem = say("writing failed ({error})", error=str(error))
            if getattr(error, "extendedresult", 0) in _READING:
                problem = say("reading failed ({error})", error=str(error))
            return StoreError(self.path, problem, say("free some space on the disk, or check the disk"))
        problem = say("the database refuses: {error}", error=str(error))
        return StoreError(self.path, problem, say("please report this"))

    def _connect(self, flags: int, **pragmas: str) -> apsw.Connection:
        name = f"file:{quote(os.path.abspath(self.path))}{'?immutable=1' * self._immutable}"
        connection = apsw.Connection(name, flags | _OPEN)
        connection.set_busy_handler(_make_busy_handler(self._patience))
        settings = {"foreign_keys": "ON", "secure_delete": "ON", "synchronous": "FULL", **pragmas}
        for key, value in settings.items():
            connection.pragma(key, value)
        return connection

    def _connect_first(self) -> apsw.Connection:
        """Connect, and find out whether the file can be written.

        A read-only file may be in a folder where SQLite cannot make the files it needs beside it. If nothing
        waits in its write-ahead log, the file alone can be read.
        """
        try:
            if not os.path.exists(self.path):  # it holds people's names: only its owner may read it
                with suppress(OSError):
                    os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            connection = self._connect(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            self.read_only = connection.readonly("main")
            connection.pragma("user_version")
            return connection
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            log = Path(f"{self.path}-wal")
            if not os.path.isfile(self.path) or (log.exists() and log.stat().st_size):
                raise
        self.read_only = self._immutable = True
        return self._connect(apsw.SQLITE_OPEN_READONLY)

    def _read_schema(self, connection: apsw.Connection) -> int:
        """Return the number of the file's schema, if the file is ours and not too new."""
        schema = int(str(connection.pragma("user_version")))
        empty = not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        if not empty and connection.pragma("application_id") != _APPLICATION:
            raise StoreError(self.path, say("is a database of another program"), say("give another file"))
        if schema > len(self._steps):
            raise newer_schema_error(self.path, schema, len(self._steps))
        return schema

    def _migrate(self, connection: apsw.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for step in self._steps[self._read_schema(connection) :]:
            connection.execute(step)
        connection.pragma("application_id", _APPLICATION)
        connection.pragma("user_version", len(self._steps))
        connection.execute("COMMIT")

    def _explain_not_opened(self) -> tuple[Message, Message]:
        path = Path(self.path)
        if path.is_dir():
            return say("is a folder"), say("give the path of a file")
        folder = str(path.parent)
        if not path.parent.is_dir():
            return say("there is no folder {folder}", folder=folder), say("create the folder first")
        if not path.exists():
            problem = say("the file cannot be created in {folder}", folder=folder)
            return problem, say("allow writing to that folder")
        problem = say("the file cannot be opened")
        return problem, say("allow reading and writing of the file and of its folder")


def _make_busy_handler(patience: float) -> Callable[[int], bool]:
    """Return a handler that retries every millisecond; SQLite's own sleeps for up to a tenth of a second."""
    until = 0.0

    def wait(tries: int) -> bool:
        nonlocal until
        if tries == 0:
            until = time.monotonic() + patience
        time.sleep(_NAP)
        return time.monotonic() < until

    return wait


T = TypeVar("T")
_READERS = 4
_POLL = 0.015
"""Seconds between looks for what other programs wrote."""
_MOST = 1_000
"""Jobs in one transaction, at most."""
_VALUES_SINCE = 2
"""The schema that brought the table `kept`: a read-only file may be older."""
_TOUCH = """
    UPDATE event SET version = ?, about = ifnull(?, about), touched = (SELECT max(touched) + 1 FROM event)
    WHERE key = ?
"""


async def open_sqlite(path: str) -> "SqliteStore":
    """Open the store in a file, which is made if it is missing."""
    file = SqliteFile(path)
    await asyncio.to_thread(file.prepare)
    return SqliteStore(file)


class SqliteStore(Store):
    """A store in a file."""

    def __init__(self, file: SqliteFile) -> None:
        super().__init__(file.path)
        self._file = file
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="topcut store reader")
        self._idle: LifoQueue[apsw.Connection] = LifoQueue()
        self._writer = _Writer(file)

    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        given = list(keys)

        def work(connection: apsw.Connection) -> None:
            key, _ = self._find_event(connection, event)
            query = "DELETE FROM private WHERE event = ? AND key = ?"
            connection.executemany(query, [(key, name) for name in given])
            _rewrite_table(connection, "private", ("event", "key", "value"))

        await self._writer.do(work)
        await self._writer.do(self._empty_wal, alone=True)

    async def remove_event(self, event: str) -> None:
        def work(connection: apsw.Connection) -> int:
            key, _ = self._find_event(connection, event)
            connection.execute("DELETE FROM event WHERE key = ?", (key,))
            _rewrite_table(connection, "private", ("event", "key", "value"))
            return key

        self._wake([await self._writer.do(work)])
        await self._writer.do(self._empty_wal, alone=True)

    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        rows = await self._change((TAKE_VALUE, space, key, to_microseconds(now)))
        return next((value for value, fresh in rows if fresh), None)

    async def rewrite_values(self, space: str, change: Change) -> None:
        def work(connection: apsw.Connection) -> None:
            query = "SELECT key, value FROM kept WHERE space = ?"
            rows: Iterable[tuple[str, bytes]] = connection.execute(query, (space,))
            changed = [(new, space, key) for key, value in rows if (new := change(value)) != value]
            connection.executemany("UPDATE kept SET value = ? WHERE space = ? AND key = ?", changed)
            _rewrite_table(connection, "kept", ("space", "key", "value", "until"))

        await self._writer.do(work)

    async def _fetch(self, query: str, *given: Any) -> list[Any]:
        self._refuse_if_closed()
        if self._file.schema < _VALUES_SINCE and "{t}kept" in query:
            return []
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._fetch_in_thread, query.format(t=""), given)

    def _fetch_in_thread(self, query: str, given: Sequence[Any]) -> list[Any]:
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self._file.connect(query_only="ON")
        try:
            with self._file.explaining():
                rows: list[Any] = connection.execute(query, given).fetchall()
                return rows
        finally:
            self._idle.put(connection)

    async def _change(self, *statements: tuple[Any, ...]) -> list[Any]:
        def work(connection: apsw.Connection) -> list[list[Any]]:
            return [connection.execute(query.format(t=""), given).fetchall() for query, *given in statements]

        return (await self._writer.do(work))[-1]

    async def _write(self, new: Addition) -> None:
        receipts = [receipt.row for receipt in new.receipts]

        def work(connection: apsw.Connection) -> int:
            for space, name, *_ in receipts:
                there: Any = connection.execute(GET_ANY_VALUE.format(t=""), (space, name)).get
                if there is not None:
                    raise Repeated(there)
            if new.after is None:
                query = "INSERT OR IGNORE INTO event (id, version, touched, about) VALUES (?, 0, 0, x'')"
                connection.execute(query, (new.event,))
                if not connection.changes():
                    raise AlreadyThere(self.name, new.event)
            key, version = self._find_event(connection, new.event)
            if version != (new.after or 0):
                raise Overtaken(new.event, version)
            facts = [(key, position, fact) for position, fact in enumerate(new.facts, version + 1)]
            connection.executemany("INSERT INTO fact VALUES (?, ?, ?)", facts)
            private = [(key, name, value) for name, value in new.private.items()]
            connection.executemany("INSERT OR REPLACE INTO private VALUES (?, ?, ?)", private)
            connection.execute(_TOUCH, (version + len(facts), new.about, key))
            connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", receipts)
            return key

        self._wake([await self._writer.do(work)])

    def _find_event(self, connection: apsw.Connection, event: str) -> tuple[int, int]:
        """Return an event's internal key and its version."""
        for key, version in connection.execute("SELECT key, version FROM event WHERE id = ?", (event,)):
            return key, version
        raise NoSuchEvent(self.name, event)

    def _empty_wal(self, connection: apsw.Connection) -> None:
        """Move the write-ahead log into the file and empty it: it has pages as they were before."""
        try:
            self._file.retry(lambda: connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE))
        except apsw.BusyError:
            problem = say(
                "deleted, but other programs have the file open, and its -wal file may still hold the names"
            )
            raise StoreError(self.name, problem, say("do it again when they have ended")) from None

    def _watch_others(self) -> Coroutine[Any, Any, None]:
        return self._poll(self._file.connect(query_only="ON"))

    async def _poll(self, connection: apsw.Connection) -> None:
        """Look for what other programs wrote, as long as an event is followed, and wake its followers."""
        connection.set_busy_handler(None)  # the loop must not wait; there is a next look
        seen: dict[int, int | None] = {}
        last = None
        try:
            while self._wakeups:
                with suppress(apsw.BusyError):
                    now = connection.pragma("data_version")
                    if now != last:
                        query = "SELECT version FROM event WHERE key = ?"
                        found = {key: connection.execute(query, (key,)).get for key in self._wakeups}
                        self._wake(key for key in found if key not in seen or seen[key] != found[key])
                        seen, last = found, now
                await asyncio.sleep(_POLL)
        except apsw.Error:
            self._wake(self._wakeups)  # they meet the same error, and say so
        finally:
            connection.close()

    async def _disconnect(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        while not self._idle.empty():
            self._idle.get_nowait().close()
        await self._writer.close()


def _rewrite_table(connection: apsw.Connection, table: str, columns: Sequence[str]) -> None:
    """Empty a table and write its rows again, to wipe deleted and replaced values from the file.

    `secure_delete` wipes what is deleted, but not the copies that SQLite left in the unused parts of pages
    when it moved entries from one page to another.
    """
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2").fetchall()
    connection.execute(f"DELETE FROM {table}")
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


@dataclass(frozen=True)
class _Job:
    """Something to do with the connection, and the future that waits for it.

    `alone`: it must run outside a transaction. All other work must refuse before it writes anything.
    """

    work: Callable[[apsw.Connection], Any]
    result: asyncio.Future[Any]
    alone: bool


class _Writer:
    """The one connection of a store that writes, and its thread."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._connection = file.connect()
        self._closed = False
        # A daemon, or a program that forgot to close its store would never end.
        self._thread = Thread(target=self._run, name="topcut store", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[apsw.Connection], T], *, alone: bool = False) -> T:
        """Return what the work returns, once it is durable."""
        if self._closed:
            raise StoreError(self._file.path, say("is already closed"), say("open it again"))
        if self._file.read_only:  # before an older file lacks a table
            raise self._file.explain(apsw.ReadOnlyError())
        result: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, result, alone))
        return await result

    async def close(self) -> None:
        """End the thread after everything that was asked for."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        """Do all jobs that wait at once, again and again, until there is None among them."""
        going_on = True
        while going_on:
            waiting = [self._jobs.get()]
            with suppress(Empty):
                while len(waiting) < _MOST:
                    waiting.append(self._jobs.get_nowait())
            jobs = [job for job in waiting if job is not None]
            going_on = len(jobs) == len(waiting)
            if shared := [job for job in jobs if not job.alone]:
                self._hand_over(shared, self._do_together(shared))
            for job in jobs:
                if job.alone:
                    try:
                        result = self._do(job)
                    except Exception as error:
                        result = self._explain(error)
                    self._hand_over([job], [result])
        self._connection.close()

    def _hand_over(self, jobs: list[_Job], results: list[object]) -> None:
        """Give each job its result, or the error in the place of it."""
        with suppress(RuntimeError):  # the loop has gone, and with it everybody who asked
            self._loop.call_soon_threadsafe(_set_results, jobs, results)

    def _do_together(self, jobs: list[_Job]) -> list[object]:
        """Return the results of jobs that share a transaction; if that fails, each gets one of its own."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            results = [self._do(job) for job in jobs]
            self._connection.execute("COMMIT")
            return results
        except Exception as error:
            if self._connection.in_transaction:
                with suppress(apsw.Error):  # then the next transaction cannot begin, and comes here again
                    self._connection.execute("ROLLBACK")
            if len(jobs) == 1 or isinstance(error, apsw.BusyError):
                return [self._explain(error)] * len(jobs)
        return [result for job in jobs for result in self._do_together([job])]

    def _do(self, job: _Job) -> object:
        try:
            return job.work(self._connection)
        except (Overtaken, Repeated, StoreError) as refusal:
            return refusal

    def _explain(self, error: Exception) -> Exception:
        return self._file.explain(error) if isinstance(error, apsw.Error) else error


def _set_results(jobs: list[_Job], results: list[object]) -> None:
    for job, result in zip(jobs, results, strict=True):
        if job.result.done():  # nobody waits for it any more
            continue
        if isinstance(result, Exception):
            job.result.set_exception(result)
        else:
            job.result.set_result(result)
