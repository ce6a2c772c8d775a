"""Define the store with the statements that every database understands, and its errors."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from topcut.errors import TopcutError
from topcut.text.messages import join_messages, map_text, say

NOTHING: Mapping[str, bytes] = MappingProxyType({})
"""No private entries."""
Change = Callable[[bytes], bytes]
"""Returns the new value; the same one to leave it."""
AT_ONCE = 1_000
"""Facts in one batch for a follower, at most."""
_LARGEST = 2**63 - 1
"""Larger than `touched` of every event, and than every count."""
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


@dataclass(frozen=True)
class Addition:
    """What is written to an event in one transaction."""

    event: str
    after: int | None
    """The version of the event; None: the event is new."""
    facts: Sequence[bytes]
    private: Mapping[str, bytes]
    about: bytes | None
    receipts: Sequence[Receipt]


class Overtaken(Exception):
    """The event has moved on since the version that was expected: another writer was faster."""

    def __init__(self, event: str, version: int) -> None:
        self.event, self.version = event, version
        super().__init__(f"event {event} is now at version {version}")


class Repeated(Exception):
    """The request was done before: its receipt is there, with this value."""

    def __init__(self, value: bytes) -> None:
        self.value = value
        super().__init__("it was done before")


class Moved(TopcutError):
    """A request was made for one version of an event, which is at another.

    >>> str(Moved("cup", expected=7, version=9))
    'Event cup is now at version 9, not at 7. Load it again.'
    """

    def __init__(self, event: str, expected: int, version: int) -> None:
        self.event, self.expected, self.version = event, expected, version
        super().__init__(
            say(
                "Event {event} is now at version {version}, not at {expected}. Load it again.",
                event=event,
                version=version,
                expected=expected,
            )
        )


class StoreError(TopcutError):
    """A database failed: which one, what is wrong, and what to do.

    >>> str(StoreError("cup.db", "the disk is full", "free some space and try again"))
    'cup.db: the disk is full; free some space and try again'
    """

    def __init__(self, database: str, problem: str, remedy: str) -> None:
        self.database, self.problem, self.remedy = database, problem, remedy
        said = join_messages(": ", [database, join_messages("; ", [problem, remedy])])
        super().__init__(map_text(said, lambda part: " ".join(part.split())))


class ServerUnreachable(StoreError):
    """A database server does not answer; the last change may or may not have been made."""


class NoSuchEvent(StoreError):
    """The event is not in the database."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        super().__init__(
            database,
            say('there is no event "{event}"', event=event),
            say("choose one from the list of events"),
        )


class AlreadyThere(StoreError):
    """Another event has the id of a new one."""

    def __init__(self, database: str, event: str) -> None:
        self.event = event
        problem = say('there is already an event "{event}"', event=event)
        super().__init__(database, problem, say("choose another id"))


def newer_schema_error(database: str, schema: int, known: int) -> StoreError:
    """Return the error for a database that a newer Topcut has written to."""
    problem = say(
        "a newer Topcut made this database (schema {schema}, this one knows {known})",
        schema=schema,
        known=known,
    )
    return StoreError(database, problem, say("update Topcut"))


def to_microseconds(time: datetime) -> int:
    """Return a time in microseconds since 1970, which every database can compare.

    >>> to_microseconds(datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
    60000000
    """
    return (time - _EPOCH) // timedelta(microseconds=1)


# The parameters of a statement stand in it in the order of their numbers; {t} begins the names of tables.
_GET_EVENT = "SELECT key, version FROM {t}event WHERE id = $1"
LIST_EVENTS = """
    SELECT id, version, about, touched FROM {t}event WHERE touched < $1 ORDER BY touched DESC LIMIT $2
"""
FACTS_BY_KEY = "SELECT fact FROM {t}fact WHERE event = $1 AND position > $2 ORDER BY position LIMIT $3"
FACTS = """
    SELECT fact FROM {t}fact WHERE event = (SELECT key FROM {t}event WHERE id = $1) AND position > $2
    ORDER BY position
"""
_PRIVATE = "SELECT key, value FROM {t}private WHERE event = (SELECT key FROM {t}event WHERE id = $1)"
_PUT = """
    INSERT INTO {t}kept VALUES ($1, $2, $3, $4)
    ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, until = excluded.until
"""
# An update that changes nothing waits for the transaction that was first, and returns what it put.
_PUT_ONCE = """
    INSERT INTO {t}kept VALUES ($1, $2, $3, NULL)
    ON CONFLICT (space, key) DO UPDATE SET value = {t}kept.value
    RETURNING value
"""
EXPIRE = "DELETE FROM {t}kept WHERE until <= $1"
GET_ANY_VALUE = "SELECT value FROM {t}kept WHERE space = $1 AND key = $2"
_GET_VALUE = f"{GET_ANY_VALUE} AND coalesce(until > $3, TRUE)"
_LIST_VALUES = "SELECT key, value FROM {t}kept WHERE space = $1 AND coalesce(until > $2, TRUE)"
DELETE_VALUE = "DELETE FROM {t}kept WHERE space = $1 AND key = $2"
TAKE_VALUE = f"{DELETE_VALUE} RETURNING value, coalesce(until > $3, TRUE) AS fresh"


class Store(ABC):
    """An append-only log of facts for each event; beside it private entries, which can be deleted.

    What belongs to no event, such as sessions, is a value under a space and a key, some with an expiry.
    A store reads no clock, and it belongs to the event loop that opened it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        """The database, as errors name it."""
        self._closed = False
        # A wake-up says nothing but "look": a follower reads on from its own position, so one wake-up too
        # many does no harm, and one that comes while a follower reads makes it read again.
        self._wakeups: dict[int, set[asyncio.Event]] = {}
        """A wake-up for each follower, by the internal key of the event."""
        self._watch: asyncio.Task[None] | None = None

    async def list_events(self, before: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        """Return the events, the one that was appended to last first; at most `limit` of them.

        To read them in pages, give the `touched` of the last one as `before`. An event that is appended to
        meanwhile moves to the front.
        """
        given = [_LARGEST if number is None else number for number in (before, limit)]
        return [StoredEvent(*row) for row in await self._fetch(LIST_EVENTS, *given)]

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
        await self._write(Addition(event, None, facts, private, about, receipts))
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
        """Append facts, durably, all or none, and return the new version.

        Private entries are added, or replaced where the key exists. Raise `Repeated`, and write nothing, if
        there is a value under the space and key of a receipt, expired or not: this is checked first. Raise
        `Overtaken` if the event is not at the version `expected`.
        """
        await self._write(Addition(event, expected, facts, private, about, receipts))
        return expected + len(facts)

    async def read(self, event: str, after: int = 0) -> list[bytes]:
        """Return the facts after a position, in order."""
        while not (rows := await self._fetch(FACTS, event, after)):
            if await self.read_version(event) <= after:  # or there is no such event
                break
        return [fact for (fact,) in rows]

    async def read_version(self, event: str) -> int:
        """Return the number of the last fact."""
        return (await self._get_event(event))[1]

    async def read_private(self, event: str) -> dict[str, bytes]:
        rows = await self._fetch(_PRIVATE, event)
        if not rows:
            await self._get_event(event)  # or there is no such event
        return dict(rows)

    @abstractmethod
    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        """Delete private entries for good; ignore keys that are not there."""

    @abstractmethod
    async def remove_event(self, event: str) -> None:
        """Delete an event with its facts and private entries."""

    async def put_value(
        self, space: str, key: str, value: bytes, until: datetime | None = None, now: datetime | None = None
    ) -> None:
        """Put or replace a value, durably; it expires at the time `until`.

        With `now`, also delete all values of all spaces that have expired by then.
        """
        put = (_PUT, space, key, value, None if until is None else to_microseconds(until))
        await self._change(put, *([] if now is None else [(EXPIRE, to_microseconds(now))]))

    async def put_value_once(self, space: str, key: str, value: bytes) -> bytes:
        """Put a value unless there is one; return the one that is there, the same to every caller."""
        rows = await self._fetch(GET_ANY_VALUE, space, key)
        ((there,),) = rows or await self._change((_PUT_ONCE, space, key, value))
        return bytes(there)

    async def get_value(self, space: str, key: str, now: datetime) -> bytes | None:
        """Return a value that has not expired."""
        rows = await self._fetch(_GET_VALUE, space, key, to_microseconds(now))
        return next((value for (value,) in rows), None)

    async def list_values(self, space: str, now: datetime) -> dict[str, bytes]:
        """Return all values of a space that have not expired, by key."""
        return dict(await self._fetch(_LIST_VALUES, space, to_microseconds(now)))

    @abstractmethod
    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        """Delete a value and return it if it had not expired: of several concurrent callers one gets it."""

    @abstractmethod
    async def rewrite_values(self, space: str, change: Change) -> None:
        """Replace each value of a space, expired or not, by what `change` returns; all of them, or none.

        Only `delete_private` after it wipes the last traces of the old values from the disk.
        """

    async def delete_value(self, space: str, key: str) -> None:
        """Delete a value; ignore one that is not there."""
        await self._change((DELETE_VALUE, space, key))

    async def follow(self, event: str, after: int) -> AsyncIterator[list[bytes]]:
        """Yield every fact after a position, once and in order, as soon as it is written.

        It ends when the store is closed; it raises `NoSuchEvent` when the event is removed.
        """
        key, _ = await self._get_event(event)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._watch_others())
        wakeup = asyncio.Event()
        self._wakeups.setdefault(key, set()).add(wakeup)
        try:
            while not self._closed:
                wakeup.clear()
                if facts := await self._read_on(event, key, after):
                    after += len(facts)
                    yield facts
                else:
                    await wakeup.wait()
        except StoreError:
            if not self._closed:
                raise
        finally:
            self._wakeups[key].remove(wakeup)
            if not self._wakeups[key]:
                del self._wakeups[key]

    async def close(self) -> None:
        """Close all connections and end all followers."""
        self._closed = True
        self._wake(self._wakeups)
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])
        await self._disconnect()

    def _wake(self, keys: Iterable[int]) -> None:
        for key in keys:
            for wakeup in self._wakeups.get(key, ()):
                wakeup.set()

    async def _get_event(self, event: str) -> tuple[int, int]:
        """Return an event's internal key and its version."""
        for key, version in await self._fetch(_GET_EVENT, event):
            return key, version
        raise NoSuchEvent(self.name, event)

    async def _read_on(self, event: str, key: int, after: int) -> list[bytes]:
        """Return the next facts for a follower; none if there are none yet."""
        rows = await self._fetch(FACTS_BY_KEY, key, after, AT_ONCE)
        if not rows and not await self._fetch("SELECT 1 FROM {t}event WHERE key = $1", key):
            raise NoSuchEvent(self.name, event)
        return [fact for (fact,) in rows]

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(self.name, say("is already closed"), say("open it again"))

    @abstractmethod
    async def _fetch(self, query: str, *given: Any) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def _change(self, *statements: tuple[Any, ...]) -> list[Any]:
        """Execute statements, each with its parameters, durably; return the rows of the last.

        They may be executed any number of times.
        """

    @abstractmethod
    async def _write(self, new: Addition) -> None:
        """Write what `create` or `append` is given, or raise what they raise."""

    @abstractmethod
    def _watch_others(self) -> Coroutine[Any, Any, None]:
        """Return what wakes followers when other programs write, until it is cancelled."""

    @abstractmethod
    async def _disconnect(self) -> None:
        """Close all connections."""
