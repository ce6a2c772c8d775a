"""Open a SQLite file, bring its tables up to date, and explain its errors."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import apsw

from topcut.store.interface import StoreError, newer_schema_error
from topcut.store.schema import SQLITE

_APPLICATION = int.from_bytes(b"Tcut", "big")
"""Marks a file as ours, in its header."""
_NAP = 0.001
"""Seconds between two attempts at a busy file."""
_OPEN = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX

_READING = (apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_SHORT_READ)
_MEANINGS: tuple[tuple[type[apsw.Error], str, str], ...] = (
    (apsw.NotADBError, "is not a database", "give another file"),
    (apsw.ReadOnlyError, "is read-only", "allow writing to the file and to its folder"),
    (apsw.FullError, "the disk is full", "make room and try again"),
    (apsw.BusyError, "another program keeps writing to it", "end that program or try again"),
    (apsw.LockedError, "another program keeps writing to it", "end that program or try again"),
    (apsw.CorruptError, "the file is damaged", "put back a copy of it"),
    (apsw.PermissionsError, "access is not allowed", "allow reading and writing of the file"),
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
            what = "reading" if getattr(error, "extendedresult", 0) in _READING else "writing"
            return StoreError(self.path, f"{what} failed ({error})", "make room on the disk, or look at it")
        return StoreError(self.path, f"the database refuses: {error}", "report this, please")

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
            raise StoreError(self.path, "is a database of another program", "give another file")
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

    def _explain_not_opened(self) -> tuple[str, str]:
        path = Path(self.path)
        if path.is_dir():
            return "is a folder", "give the path of a file"
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}", "make the folder first"
        if not path.exists():
            return f"the file cannot be made in {path.parent}", "allow writing to that folder"
        return "the file cannot be opened", "allow reading and writing of the file and of its folder"


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
