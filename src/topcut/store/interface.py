"""Define the store that every database implements, and its errors."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Protocol

from topcut.errors import TopcutError

NOTHING: Mapping[str, bytes] = MappingProxyType({})
"""No private entries."""
Change = Callable[[bytes], bytes]
"""Returns the new value; the same one to leave it."""
LAST_TOUCHED = 2**63 - 1
"""Larger than `touched` of every event."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class StoredEvent:
    """An event in the list of a store."""

    event: str
    version: int
    """The number of its last fact."""
    about: bytes
    touched: int
    """Larger than that of every event appended to before; no two events have the same."""


@dataclass(frozen=True)
class Receipt:
    """A value that says a request was done; it is written in the same transaction as the request's facts."""

    space: str
    key: str
    value: bytes
    until: datetime

    @property
    def row(self) -> tuple[str, str, bytes, int]:
        """Return the row of the table of values."""
        return self.space, self.key, self.value, to_microseconds(self.until)


class Overtaken(Exception):
    """The event has moved on since the version that was expected: another writer was faster."""

    def __init__(self, event: str, version: int) -> None:
        self.event = event
        self.version = version
        super().__init__(f"event {event} is at version {version} by now")


class Repeated(Exception):
    """The request was done before: its receipt is there, with this value."""

    def __init__(self, value: bytes) -> None:
        self.value = value
        super().__init__("it was done before")


class Moved(TopcutError):
    """A request was made for one version of an event, which is at another.

    >>> str(Moved("cup", expected=7, version=9))
    'event cup is at version 9 by now, not at 7: look again'
    """

    def __init__(self, event: str, expected: int, version: int) -> None:
        self.event = event
        self.expected = expected
        self.version = version
        super().__init__(f"event {event} is at version {version} by now, not at {expected}: look again")


class StoreError(TopcutError):
    """A database failed: which one, what is wrong, and what to do.

    >>> str(StoreError("cup.db", "the disk is full", "make room and try again"))
    'cup.db: the disk is full; make room and try again'
    """

    def __init__(self, database: str, problem: str, remedy: str) -> None:
        self.database = database
        self.problem = problem
        self.remedy = remedy
        super().__init__(" ".join(f"{database}: {problem}; {remedy}".split()))


class ServerUnreachable(StoreError):
    """A database server does not answer; the last change may or may not have been made."""


class NoSuchEvent(StoreError):
    """The event is not in the database."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        super().__init__(database, f'there is no event "{event}"', "look at the list of events")


class AlreadyThere(StoreError):
    """Another event has the id of a new one."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        super().__init__(database, f'there is an event "{event}" already', "choose another id")


def newer_schema_error(database: str, schema: int, known: int) -> StoreError:
    """Return the error for a database that a newer Topcut has written to."""
    return StoreError(
        database,
        f"a newer Topcut made this database (schema {schema}, this one knows {known})",
        "update Topcut",
    )


def to_microseconds(time: datetime) -> int:
    """Return a time in microseconds since 1970, which every database can compare.

    >>> to_microseconds(datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
    60000000
    """
    return (time - _EPOCH) // timedelta(microseconds=1)


class Store(Protocol):
    """An append-only log of facts for each event; beside it private entries, which can be deleted.

    What belongs to no event, such as sessions, is a value under a space and a key, some with an expiry.
    A store reads no clock, and it belongs to the event loop that opened it.
    """

    async def list_events(self, before: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        """Return the events, the one that was appended to last first; at most `limit` of them.

        To read them in pages, give the `touched` of the last one as `before`. An event that is appended to
        meanwhile moves to the front.
        """

    async def create(
        self,
        event: str,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        """Create an event with its first facts and return its version.

        Raise `Repeated`, and write nothing, if one of the receipts is there; then `AlreadyThere`.
        """

    async def append(
        self,
        event: str,
        expected: int,
        facts: Sequence[bytes],
        private: Mapping[str, bytes] = NOTHING,
        about: bytes | None = None,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        """Append facts, durably, all or none, and return the new version.

        Private entries are added, or replaced where the key exists. Raise `Repeated`, and write nothing, if
        there is a value under the space and key of a receipt, expired or not: this is checked first. Raise
        `Overtaken` if the event is not at the version `expected`.
        """

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """Return the facts after a position, in order."""

    async def read_version(self, event: str) -> int:
        """Return the number of the last fact."""

    async def read_private(self, event: str) -> dict[str, bytes]:
        """Return the private entries of an event."""

    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        """Delete private entries for good; ignore keys that are not there."""

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        """Yield every fact after a position, once and in order, as soon as it is written.

        It ends when the store is closed; it raises `NoSuchEvent` when the event is removed.
        """

    async def remove_event(self, event: str) -> None:
        """Delete an event with its facts and private entries."""

    async def put_value(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        """Put or replace a value, durably; it expires at the time `until`.

        With `now`, also delete all values of all spaces that have expired by then.
        """

    async def put_value_once(self, space: str, key: str, value: bytes) -> bytes:
        """Put a value unless there is one; return the one that is there, the same to every caller."""

    async def get_value(self, space: str, key: str, now: datetime) -> bytes | None:
        """Return a value that has not expired."""

    async def list_values(self, space: str, now: datetime) -> dict[str, bytes]:
        """Return all values of a space that have not expired, by key."""

    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        """Delete a value and return it if it had not expired: of several concurrent callers one gets it."""

    async def rewrite_values(self, space: str, change: Change) -> None:
        """Replace each value of a space, expired or not, by what `change` returns; all of them, or none.

        Only `delete_private` after it wipes the last traces of the old values from the disk.
        """

    async def delete_value(self, space: str, key: str) -> None:
        """Delete a value; ignore one that is not there."""

    async def close(self) -> None:
        """Close all connections and end all followers."""
