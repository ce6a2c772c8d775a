"""What does a store promise, whichever database is behind it, and what can go wrong?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Protocol

from topcut.errors import TopcutError

NOTHING: Mapping[str, bytes] = MappingProxyType({})
"""No private entries."""
Change = Callable[[bytes], bytes]
"""What a value becomes; itself where it stays."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Listed:
    """One event of a list."""

    event: str
    version: int
    """The number of its last fact."""
    about: bytes
    touched: int
    """Larger than that of every event that was appended to before; no two have the same."""


@dataclass(frozen=True)
class Receipt:
    """Says, under a space and a key, that something was done; written with it, or not at all."""

    space: str
    key: str
    value: bytes
    until: datetime

    @property
    def row(self) -> tuple[str, str, bytes, int]:
        """As a table has it."""
        return self.space, self.key, self.value, moment(self.until)


class Overtaken(Exception):
    """Somebody was faster: the event has moved on since the version that was expected."""

    def __init__(self, event: str, version: int) -> None:
        self.event = event
        self.version = version
        super().__init__(f"event {event} is at version {version} by now")


class Repeated(Exception):
    """It was done before: the receipt is there, with this value."""

    def __init__(self, value: bytes) -> None:
        self.value = value
        super().__init__("it was done before")


class Moved(TopcutError):
    """Something was asked of an event at one version, and it is at another.

    >>> str(Moved("cup", expected=7, version=9))
    'event cup is at version 9 by now, not at 7: look again'
    """

    def __init__(self, event: str, expected: int, version: int) -> None:
        self.event = event
        self.expected = expected
        self.version = version
        super().__init__(f"event {event} is at version {version} by now, not at {expected}: look again")


class StoreError(TopcutError):
    """A database cannot do what was asked: which one, what is wrong, and what to do.

    >>> str(StoreError("cup.db", "the disk is full", "make room and try again"))
    'cup.db: the disk is full; make room and try again'
    """

    def __init__(self, database: str, problem: str, remedy: str) -> None:
        self.database = database
        self.problem = problem
        self.remedy = remedy
        super().__init__(" ".join(f"{database}: {problem}; {remedy}".split()))


class Unreachable(StoreError):
    """A server that does not answer; what was asked of it last may or may not have been done."""


class NoSuchEvent(StoreError):
    """An event that is not in the database."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        super().__init__(database, f'there is no event "{event}"', "look at the list of events")


class AlreadyThere(StoreError):
    """An event whose id another event has."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        super().__init__(database, f'there is an event "{event}" already', "choose another id")


def too_new(database: str, schema: int, known: int) -> StoreError:
    """For a database that a newer Topcut has written to."""
    return StoreError(
        database,
        f"a newer Topcut made this database (schema {schema}, this one knows {known})",
        "update Topcut",
    )


def moment(time: datetime) -> int:
    """A time as every database can compare it: in microseconds since 1970.

    >>> moment(datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
    60000000
    """
    return (time - _EPOCH) // timedelta(microseconds=1)


class Store(Protocol):
    """An append-only log of facts for each event; beside it private entries, which can be deleted.

    What belongs to no event, such as sessions, is kept by a space and a key, some of it until a time.
    A store reads no clock, and it belongs to the event loop that opened it.
    """

    async def events(self, before: int | None = None, limit: int | None = None) -> list[Listed]:
        """All events, the one that was appended to last first; or so many, of those touched before that.

        Whoever reads them in parts gives the `touched` of the last one to get the next part. An event that is
        appended to meanwhile is at the front by then: whoever wants it all begins anew there.
        """

    async def create(
        self,
        event: str,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes,
        receipts: Sequence[Receipt] = (),
    ) -> int:
        """A new event with its first facts; its version. An id that exists is refused.

        A receipt is put with them; nothing at all, but `Repeated`, if it is there.
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
        """Adds facts, durably, all or none, and returns the new version; `Overtaken` if somebody was faster.

        Private entries are put beside those there are, or in the place of one with the same key. A receipt is
        put with them; nothing at all, but `Repeated`, if there is a value under its space and key, expired or
        not. That comes before everything else that may be wrong.
        """

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """The facts after a position, in order."""

    async def version(self, event: str) -> int:
        """The number of the last fact."""

    async def private(self, event: str) -> dict[str, bytes]:
        """The private entries there are."""

    async def forget(self, event: str, keys: Iterable[str]) -> None:
        """Deletes private entries for good; keys that are not there do no harm."""

    def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        """Every fact after a position, once and in order, as soon as it is there.

        It goes on until the store is closed, or the event removed: then `NoSuchEvent`.
        """

    async def remove(self, event: str) -> None:
        """Deletes an event with everything it has."""

    async def keep(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        """Puts or replaces a value, durably; from the time `until` on it is not there any more.

        Whoever gives `now` deletes, in passing, all values of all spaces that have expired by then.
        """

    async def keep_first(self, space: str, key: str, value: bytes) -> bytes:
        """Puts a value unless there is one, and returns the one that is there: to all who ask, the same."""

    async def kept(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired."""

    async def all_kept(self, space: str, now: datetime) -> dict[str, bytes]:
        """All values of a space that have not expired, by their keys."""

    async def take(self, space: str, key: str, now: datetime) -> bytes | None:
        """A value that has not expired, and is deleted: of several who take it at once one gets it."""

    async def rewrite(self, space: str, change: Change) -> None:
        """Puts in the place of each value of a space, expired or not, what it changes to; all, or none.

        It leaves no trace of what was there before only together with `forget`, after it.
        """

    async def unkeep(self, space: str, key: str) -> None:
        """Deletes a value; one that is not there does no harm."""

    async def close(self) -> None:
        """Gives back what is open. Whoever follows comes to an end."""
