"""How is the log of an event written and read in PostgreSQL? A change is one statement, so one transaction.

The row of an event is what appends queue up at: whoever changes it first goes on, whoever comes later finds
another version and is refused. So positions have no gaps, and become visible in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topcut.store import postgres_kept as beside
from topcut.store.model import Listed, Receipt, Repeated
from topcut.store.postgres_listener import CHANNEL
from topcut.store.postgres_server import FAILURES, Connection, in_the_way

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
_TELL = f"SELECT moved.version, pg_notify('{CHANNEL}', moved.key::text) FROM moved"
_REMOVE = f"""
    WITH moved AS (DELETE FROM topcut_event WHERE id = $1 RETURNING key)
    SELECT pg_notify('{CHANNEL}', key::text) FROM moved
"""
_FOUND = "SELECT key, version FROM topcut_event WHERE id = $1"
_THERE = "SELECT 1 FROM topcut_event WHERE key = $1"
_PRIVATE = "SELECT key, value FROM topcut_private WHERE event = $1"
_FORGET = "DELETE FROM topcut_private WHERE event = $1 AND key = ANY($2::text[])"
_ALL = "SELECT id, version, about, touched FROM topcut_event ORDER BY touched DESC LIMIT $1"
BEFORE = """
    SELECT id, version, about, touched FROM topcut_event WHERE touched < $2 ORDER BY touched DESC LIMIT $1
"""
_FACTS_OF = """
    SELECT fact FROM topcut_fact
    WHERE event = (SELECT key FROM topcut_event WHERE id = $1) AND position > $2
    ORDER BY position
"""
FACTS = "SELECT fact FROM topcut_fact WHERE event = $1 AND position > $2 ORDER BY position LIMIT $3"


async def listed(connection: Connection, before: int | None, limit: int | None) -> list[Listed]:
    """The events, the newest first; of those touched before that, if it is given."""
    query, given = (_ALL, (limit,)) if before is None else (BEFORE, (limit, before))
    return [Listed(*row) for row in await connection.fetch(query, *given)]


async def found(connection: Connection, event: str) -> tuple[int, int] | None:
    """An event's internal key and its version."""
    row = await connection.fetchrow(_FOUND, event)
    return None if row is None else (row["key"], row["version"])


async def there(connection: Connection, key: int) -> bool:
    """Whether an event was not removed."""
    return bool(await connection.fetch(_THERE, key))


async def facts(connection: Connection, key: int, after: int, limit: int | None) -> list[bytes]:
    """So many facts after a position."""
    return [row["fact"] for row in await connection.fetch(FACTS, key, after, limit)]


async def facts_of(connection: Connection, event: str, after: int) -> list[bytes]:
    """All facts of an event after a position, by its id; none where there is no such event."""
    return [row["fact"] for row in await connection.fetch(_FACTS_OF, event, after)]


async def private(connection: Connection, key: int) -> dict[str, bytes]:
    """The private entries of an event."""
    return {row["key"]: row["value"] for row in await connection.fetch(_PRIVATE, key)}


async def forget(connection: Connection, key: int, names: list[str]) -> None:
    """Deletes private entries of an event."""
    await connection.execute(_FORGET, key, names)


async def removed(connection: Connection, event: str) -> bool:
    """Whether there was such an event; there is none now."""
    return await connection.fetchrow(_REMOVE, event) is not None


class Adding:
    """Adds to an event, or makes one, once, however often the connection breaks.

    If the answer is lost and the change is refused when it is tried again, the facts at its positions say
    whether that was by itself.
    """

    def __init__(
        self,
        event: str,
        after: int | None,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes | None,
        receipts: Sequence[Receipt],
    ) -> None:
        """After no position at all: the event is new."""
        self._event = event
        self._after = after or 0
        self._facts = list(facts)
        self._receipts = {(receipt.space, receipt.key): receipt.value for receipt in receipts}
        beginning = _CREATE if after is None else _APPEND
        self._query = f"{beginning}{_ADD}{_RECEIPT if receipts else ''}{_TELL}"
        entries = (list(private), list(private.values()))
        columns = zip(*(receipt.row for receipt in receipts), strict=True)
        self._given: tuple[Any, ...] = (event, self._facts, *entries, about, self._after, *map(list, columns))

    async def attempt(self, connection: Connection, again: bool) -> bool:
        """Whether it is done: not if the event is at another version, or there already; or `Repeated`."""
        taken = False
        try:
            if await connection.fetchval(self._query, *self._given) is not None:
                return True
        except FAILURES as error:
            taken = in_the_way(error, beside.TABLE)
            if not taken:
                raise
        there = await self._receipts_there(connection)
        if again and await self._ours(connection, there):
            return True
        for value in there.values():
            raise Repeated(value)
        # A receipt that was in the way and is not there has expired and been deleted.
        return taken and await self.attempt(connection, again)

    async def _receipts_there(self, connection: Connection) -> dict[tuple[str, str], bytes]:
        """What is in the places of the receipts."""
        found = {place: await beside.found(connection, *place, None) for place in self._receipts}
        return {place: value for place, value in found.items() if value is not None}

    async def _ours(self, connection: Connection, there: dict[tuple[str, str], bytes]) -> bool:
        """Whether exactly this was done: these facts are there, or, if there are none, these receipts."""
        if any(self._receipts[place] != value for place, value in there.items()):
            return False
        if not self._facts:
            return bool(there)
        event = await found(connection, self._event)
        return event is not None and (
            await facts(connection, event[0], self._after, len(self._facts)) == self._facts
        )
