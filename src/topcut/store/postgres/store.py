"""Keep a store in PostgreSQL: a few connections are shared, and no caller notices when one breaks.

A connection may break after a change was sent and before the answer came. Then the change is tried again, and
it finds out whether it was made before.

A change is one statement, so one transaction. Appends to an event queue up at its row: the first to change
it goes on, a later one finds another version and is refused. So positions have no gaps, and become visible
in their order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]

from topcut.store import hide_credentials
from topcut.store.interface import (
    FACTS,
    GET_ANY_VALUE,
    TAKE_VALUE,
    Addition,
    AlreadyThere,
    Change,
    NoSuchEvent,
    Overtaken,
    Repeated,
    ServerUnreachable,
    Store,
    StoreError,
    newer_schema_error,
    to_microseconds,
)
from topcut.store.schema import POSTGRES
from topcut.text.messages import Message, say

Connection = Any
"""A connection of the driver, which has no types."""
FAILURES = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Everything that may go wrong on the way to a server and in it; a time-out is an OSError."""

_CONNECTIONS = 8
_CONNECT_WITHIN = 5.0
_ANSWER_WITHIN = 30.0
"""Seconds until the server counts as lost."""
_MIGRATION = int.from_bytes(b"Tcut", "big")
"""The lock that makes one of two programs wait while the other migrates."""
# Not `to_regclass`, which may remember that there was none before we waited for another program.
_HAS_TABLES = "SELECT 1 FROM pg_class WHERE relname = 'topcut_schema' AND pg_table_is_visible(oid)"

_GONE = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleSessionTimeoutError,
    asyncpg.TooManyConnectionsError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InternalClientError,  # "another operation is in progress", if it broke between two messages
)
_GIVE_ADDRESS = say("give postgresql://user@host/database")
_MEANINGS: tuple[tuple[type[Exception], Message, Message], ...] = (
    (
        asyncpg.ReadOnlySQLTransactionError,
        say("is read-only"),
        say("allow writing, or give the primary server"),
    ),
    (asyncpg.DiskFullError, say("the server's disk is full"), say("free some space and try again")),
    (
        asyncpg.InvalidAuthorizationSpecificationError,
        say("the server refuses the login"),
        say("check user and password"),
    ),
    (
        asyncpg.InvalidCatalogNameError,
        say("there is no such database on the server"),
        say("create it with createdb"),
    ),
    (
        asyncpg.InsufficientPrivilegeError,
        say("the user may not do this"),
        say("give the user rights to the database"),
    ),
    (asyncpg.ClientConfigurationError, say("the address cannot be read"), _GIVE_ADDRESS),
)


class PostgresServer:
    """One database of one server, to which connections are made.

    `steps` are those of `schema`; `patience` is how many seconds a lost server may take to come back.
    """

    def __init__(self, url: str, steps: Sequence[str] = POSTGRES, patience: float = 8.0) -> None:
        self.name = hide_credentials(url)
        self.patience = patience
        self._url = url
        self._steps = steps
        self._settings: dict[str, Any] = {
            "timeout": _CONNECT_WITHIN,
            "command_timeout": _ANSWER_WITHIN,
            "server_settings": {
                "application_name": "topcut",
                "default_transaction_isolation": "read committed",
                "synchronous_commit": "on",
            },
        }

    async def connect(self) -> Connection:
        return await asyncpg.connect(self._url, **self._settings)

    async def make_pool(self) -> Any:
        """Return a pool of connections to the database, once its tables are up to date."""
        try:
            connection = await self.connect()
            try:
                await self._prepare(connection)
            finally:
                connection.terminate()
            return await asyncpg.create_pool(
                self._url, min_size=0, max_size=_CONNECTIONS, reset=_reset_nothing, **self._settings
            )
        except (*FAILURES, ValueError) as error:
            raise self.explain(error) from None  # the driver's own words may have the password

    def explain(self, error: Exception) -> StoreError:
        """Return an error of the driver or of the server in words for people."""
        for kind, problem, remedy in _MEANINGS:
            if isinstance(error, kind):
                return StoreError(self.name, problem, remedy)
        if is_lost(error):
            reason = str(error) or say("it took too long")
            problem = say("the server does not answer ({reason})", reason=reason)
            remedy = say("start it, and check whether the last change was kept")
            return ServerUnreachable(self.name, problem, remedy)
        if isinstance(error, asyncpg.PostgresError):
            problem = say("the server refuses: {error}", error=str(error))
            return StoreError(self.name, problem, say("please report this"))
        return StoreError(self.name, say("the address cannot be used"), _GIVE_ADDRESS)

    async def _prepare(self, connection: Connection) -> None:
        if await self._read_schema(connection) == len(self._steps):
            return
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATION)
            schema = await self._read_schema(connection)
            if schema == 0:
                await connection.execute("CREATE TABLE topcut_schema (version integer NOT NULL)")
                await connection.execute("INSERT INTO topcut_schema VALUES (0)")
            for step in self._steps[schema:]:
                await connection.execute(step)
            await connection.execute("UPDATE topcut_schema SET version = $1", len(self._steps))

    async def _read_schema(self, connection: Connection) -> int:
        """Return the number of the database's schema, if it is not too new; 0 without any tables."""
        if await connection.fetchval(_HAS_TABLES) is None:
            return 0
        schema = int(await connection.fetchval("SELECT version FROM topcut_schema"))
        if schema > len(self._steps):
            raise newer_schema_error(self.name, schema, len(self._steps))
        return schema


async def _reset_nothing(connection: Connection) -> None:
    """Do nothing before a connection is used again: we leave no traces in a session."""


def is_lost(error: Exception) -> bool:
    """Return whether another attempt may succeed: the connection broke, or the server is not ready.

    The driver gives the kind that says "connection is closed" to wrong arguments too, with ValueError.
    """
    wrong = isinstance(error, (ValueError, asyncpg.ClientConfigurationError))
    return isinstance(error, _GONE) or (isinstance(error, asyncpg.InterfaceError) and not wrong)


def is_duplicate(error: Exception, table: str) -> bool:
    """Return whether a row was refused because this table has one with the same key."""
    return isinstance(error, asyncpg.UniqueViolationError) and error.table_name == table


T = TypeVar("T")
_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 0.5
"""Seconds between two attempts."""
_FIRST_LISTEN_PAUSE = 0.05
_LONGEST_LISTEN_PAUSE = 2.0
"""Seconds between two attempts to listen."""
_CLOSE_WITHIN = 5.0
"""Seconds to take leave of the server."""
_CHANNEL = "topcut"
"""Every append notifies it with the key of the event."""
_PULSE = 15.0
"""Seconds of silence after which the server is asked whether it is still there."""
_ANSWER_WITHIN = 5.0

# A change begins with the row of the event, called `moved`, and ends with what is added to it. If a receipt
# is there already, the whole statement fails.
_CREATE = """
    WITH moved AS (
        INSERT INTO topcut_event (id, version, about) VALUES ($1, $6::bigint + cardinality($2::bytea[]), $5)
        ON CONFLICT (id) DO NOTHING
        RETURNING key, version
    )
"""
_APPEND = """
    WITH moved AS (
        UPDATE topcut_event
        SET version = version + cardinality($2::bytea[]),
            touched = nextval('topcut_touched'),
            about = coalesce($5, about)
        WHERE id = $1 AND version = $6
        RETURNING key, version
    )
"""
_ADD = """
    , added AS (
        INSERT INTO topcut_fact
        SELECT moved.key, moved.version - cardinality($2::bytea[]) + number, fact
        FROM moved, unnest($2::bytea[]) WITH ORDINALITY AS given (fact, number)
    ), kept AS (
        INSERT INTO topcut_private
        SELECT moved.key, name, value FROM moved, unnest($3::text[], $4::bytea[]) AS given (name, value)
        ON CONFLICT (event, key) DO UPDATE SET value = excluded.value
    )
"""
_RECEIPT = """
    , receipt AS (
        INSERT INTO topcut_kept
        SELECT given.* FROM moved, unnest($7::text[], $8::text[], $9::bytea[], $10::bigint[]) AS given
    )
"""
_NOTIFY = f"SELECT moved.version, pg_notify('{_CHANNEL}', moved.key::text) FROM moved"
_FACTS_BY_ID = f"{FACTS.format(t='topcut_')} LIMIT $3"
_TAKE = f"{TAKE_VALUE.format(t='topcut_')}, txid_current() AS change"
_REMOVE = f"""
    WITH moved AS (DELETE FROM topcut_event WHERE id = $1 RETURNING key)
    SELECT pg_notify('{_CHANNEL}', key::text) FROM moved
"""
# In one order, so that of two transactions that do this at once one waits, and neither for ever.
_LOCK_VALUES = "SELECT key, value FROM topcut_kept WHERE space = $1 ORDER BY key FOR UPDATE"
_CHANGE_VALUE = "UPDATE topcut_kept SET value = $3 WHERE space = $1 AND key = $2"


async def open_postgres(url: str) -> "PostgresStore":
    """Open the store in a database that exists; its tables are made if they are missing."""
    server = PostgresServer(url)
    return PostgresStore(server, await server.make_pool())


class PostgresStore(Store):
    """A store in a PostgreSQL database."""

    def __init__(self, server: PostgresServer, pool: Any) -> None:
        super().__init__(server.name)
        self._server = server
        self._pool = pool

    async def delete_private(self, event: str, keys: Iterable[str]) -> None:
        key, _ = await self._get_event(event)
        query = "DELETE FROM topcut_private WHERE event = $1 AND key = ANY($2::text[])"
        await self._fetch(query, key, list(keys))

    async def remove_event(self, event: str) -> None:
        async def work(connection: Connection, again: bool) -> None:
            if await connection.fetchrow(_REMOVE, event) is None and not again:
                raise NoSuchEvent(self.name, event)

        await self._do_once(work)

    async def take_value(self, space: str, key: str, now: datetime) -> bytes | None:
        # The value is read before it is deleted, with the number of the transaction. If the answer is lost
        # and the value is gone by the next attempt, the server says by that number whether we took it.
        seen: Any = None

        async def work(connection: Connection, again: bool) -> bytes | None:
            nonlocal seen
            async with connection.transaction():
                row = await connection.fetchrow(_TAKE, space, key, to_microseconds(now))
                before, seen = seen, row or seen
            if row is None and before is not None:
                # The deletion above has waited for the end of that transaction.
                status = await connection.fetchval("SELECT txid_status($1)", before["change"])
                row = before if status == "committed" else None
            return row["value"] if row is not None and row["fresh"] else None

        return await self._do_once(work)

    async def rewrite_values(self, space: str, change: Change) -> None:
        async def work(connection: Connection, again: bool) -> None:
            async with connection.transaction():
                rows = await connection.fetch(_LOCK_VALUES, space)
                changed = [(space, key, new) for key, value in rows if (new := change(value)) != value]
                await connection.executemany(_CHANGE_VALUE, changed)

        await self._do_once(work)

    async def _fetch(self, query: str, *given: Any) -> list[Any]:
        async def work(connection: Connection, again: bool) -> list[Any]:
            rows: list[Any] = await connection.fetch(query.format(t="topcut_"), *given)
            return rows

        return await self._do_once(work)

    async def _change(self, *statements: tuple[Any, ...]) -> list[Any]:
        # Each in a transaction of its own: none holds one row while it waits for another.
        return [await self._fetch(*statement) for statement in statements][-1]

    async def _write(self, new: Addition) -> None:
        if await self._do_once(_AppendFacts(new).attempt):
            return
        if new.after is None:
            raise AlreadyThere(self.name, new.event)
        raise Overtaken(new.event, await self.read_version(new.event))

    async def _read_on(self, event: str, key: int, after: int) -> list[bytes]:
        while True:  # for ever, since the server may come back; each attempt has its pauses
            with suppress(ServerUnreachable):
                return await super()._read_on(event, key, after)

    async def _watch_others(self) -> None:
        """Listen for what is written. A connection may break at any time, and misses what happens meanwhile:
        so after every new connection all followers are woken.
        """
        pause = _FIRST_LISTEN_PAUSE
        while True:
            with suppress(*FAILURES):
                connection = await self._server.connect()
                try:
                    gone = asyncio.Event()
                    connection.add_termination_listener(lambda _connection, gone=gone: gone.set())
                    await connection.add_listener(
                        _CHANNEL, lambda _connection, _process, _channel, key: self._wake([int(key)])
                    )
                    self._wake(self._wakeups)
                    pause = _FIRST_LISTEN_PAUSE
                    while not gone.is_set():
                        try:
                            await asyncio.wait_for(gone.wait(), _PULSE)
                        except TimeoutError:
                            await connection.execute("SELECT 1", timeout=_ANSWER_WITHIN)
                finally:
                    connection.terminate()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_LISTEN_PAUSE)

    async def _disconnect(self) -> None:
        try:
            await asyncio.wait_for(self._pool.close(), _CLOSE_WITHIN)
        except FAILURES:
            self._pool.terminate()

    async def _do_once(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """Return what the work returns, on another connection if one breaks.

        The work is told whether it was tried before: then it may have been done already.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + self._server.patience
        pause = _FIRST_PAUSE
        again = False
        while True:
            self._refuse_if_closed()
            try:
                async with self._pool.acquire(timeout=self._server.patience) as connection:
                    tried, again = again, True
                    try:
                        return await work(connection, tried)
                    except FAILURES as error:
                        if is_lost(error):
                            connection.terminate()  # or it would return to the pool
                        raise
            except FAILURES as error:
                if isinstance(error, ValueError):
                    raise  # an argument of the wrong kind is a mistake of the caller's
                if not is_lost(error) or clock() > until:
                    raise self._server.explain(error) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


async def get_value(connection: Connection, space: str, key: str) -> bytes | None:
    """Return a value, expired or not."""
    found: bytes | None = await connection.fetchval(GET_ANY_VALUE.format(t="topcut_"), space, key)
    return found


class _AppendFacts:
    """Appends to an event, or creates one, once.

    If the answer of the server is lost and the change is refused when it is tried again, the facts at its
    positions say whether it was made the first time.
    """

    def __init__(self, new: Addition) -> None:
        self._event = new.event
        self._after = new.after or 0
        self._facts = list(new.facts)
        self._receipts = {(receipt.space, receipt.key): receipt.value for receipt in new.receipts}
        beginning = _CREATE if new.after is None else _APPEND
        self._query = f"{beginning}{_ADD}{_RECEIPT if new.receipts else ''}{_NOTIFY}"
        entries = (list(new.private), list(new.private.values()))
        columns = zip(*(receipt.row for receipt in new.receipts), strict=True)
        self._given = (new.event, self._facts, *entries, new.about, self._after, *map(list, columns))

    async def attempt(self, connection: Connection, again: bool) -> bool:
        """Return whether it is done: not if the event is at another version, or there already.

        Raise `Repeated` if a receipt is there that another change has put.
        """
        duplicate = False
        try:
            if await connection.fetchval(self._query, *self._given) is not None:
                return True
        except FAILURES as error:
            duplicate = is_duplicate(error, "topcut_kept")
            if not duplicate:
                raise
        found = {place: await get_value(connection, *place) for place in self._receipts}
        there = {place: value for place, value in found.items() if value is not None}
        if again and await self._was_made(connection, there):
            return True
        for value in there.values():
            raise Repeated(value)
        # A receipt that was in the way and is not there has expired and been deleted.
        return duplicate and await self.attempt(connection, again)

    async def _was_made(self, connection: Connection, there: dict[tuple[str, str], bytes]) -> bool:
        """Return whether these facts are there, or, if there are none, these receipts."""
        if any(self._receipts[place] != value for place, value in there.items()):
            return False
        if not self._facts:
            return bool(there)
        rows = await connection.fetch(_FACTS_BY_ID, self._event, self._after, len(self._facts))
        return [row["fact"] for row in rows] == self._facts
