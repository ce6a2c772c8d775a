"""Keep a store in PostgreSQL: a few connections are shared, and no caller notices when one breaks.

A connection may break after a change was sent and before the answer came. Then the change is tried again, and
it finds out whether it was made before.

A change is one statement, so one transaction. Appends to an event queue up at its row: the first to change
it goes on, a later one finds another version and is refused. So positions have no gaps, and become visible
in their order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

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
    to_microseconds,
)
from topcut.store.postgres.server import FAILURES, Connection, PostgresServer, is_duplicate, is_lost

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
