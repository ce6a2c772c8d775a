"""What is kept in a PostgreSQL database beside the events? Values by space and key, some for a time.

Times are those of `moment`. All but `Taking` can be done any number of times.
"""

from __future__ import annotations

from typing import Any

from topcut.store.model import Change
from topcut.store.postgres_server import Connection

TABLE = "topcut_kept"
_FRESH = "coalesce(until > $3::bigint, TRUE)"
_PUT = """
    INSERT INTO topcut_kept VALUES ($1, $2, $3, $4)
    ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, until = excluded.until
"""
# A change that changes nothing waits for whoever was first, and returns what they put.
_FIRST = """
    INSERT INTO topcut_kept VALUES ($1, $2, $3)
    ON CONFLICT (space, key) DO UPDATE SET value = topcut_kept.value
    RETURNING value
"""
EXPIRE = "DELETE FROM topcut_kept WHERE until <= $1"
_FOUND = f"SELECT value FROM topcut_kept WHERE space = $1 AND key = $2 AND {_FRESH}"
_ALL = "SELECT key, value FROM topcut_kept WHERE space = $1 AND coalesce(until > $2, TRUE)"
_DELETE = "DELETE FROM topcut_kept WHERE space = $1 AND key = $2"
# In one order, so that of two who do this at once one waits and neither for ever.
_LOCKED = "SELECT key, value FROM topcut_kept WHERE space = $1 ORDER BY key FOR UPDATE"
_CHANGE = "UPDATE topcut_kept SET value = $3 WHERE space = $1 AND key = $2"
_TAKE = f"{_DELETE} RETURNING value, {_FRESH} AS fresh, txid_current() AS change"


async def put(
    connection: Connection, space: str, key: str, value: bytes, until: int | None, now: int | None
) -> None:
    """Puts or replaces a value; then, if the time is given, deletes what has expired.

    In two transactions: none holds one row while it waits for another.
    """
    await connection.execute(_PUT, space, key, value, until)
    if now is not None:
        await connection.execute(EXPIRE, now)


async def put_first(connection: Connection, space: str, key: str, value: bytes) -> bytes:
    """The value that is there, if need be the one that is given."""
    there: bytes = await connection.fetchval(_FIRST, space, key, value)
    return there


async def found(connection: Connection, space: str, key: str, now: int | None) -> bytes | None:
    """A value that has not expired; if no time is given, whether it has or not."""
    there: bytes | None = await connection.fetchval(_FOUND, space, key, now)
    return there


async def all_found(connection: Connection, space: str, now: int) -> dict[str, bytes]:
    """The values of a space that have not expired."""
    return {row["key"]: row["value"] for row in await connection.fetch(_ALL, space, now)}


async def rewrite(connection: Connection, space: str, change: Change) -> None:
    """Puts in the place of each value of a space what it changes to."""
    async with connection.transaction():
        rows = await connection.fetch(_LOCKED, space)
        changed = [(space, row["key"], new) for row in rows if (new := change(row["value"])) != row["value"]]
        await connection.executemany(_CHANGE, changed)


async def delete(connection: Connection, space: str, key: str) -> None:
    """Deletes a value, if it is there."""
    await connection.execute(_DELETE, space, key)


class Taking:
    """Takes one value, however often the connection breaks.

    The value is read before the change is made, with the number of the change. If the answer to that is lost
    and the value is gone by the next attempt, the server says by that number whether we took it.
    """

    def __init__(self, space: str, key: str, now: int) -> None:
        self._wanted = (space, key, now)
        self._seen: Any = None

    async def attempt(self, connection: Connection, again: bool) -> bytes | None:
        """The value, once it is deleted; none if it has expired, or another took it."""
        async with connection.transaction():
            row = await connection.fetchrow(_TAKE, *self._wanted)
            before, self._seen = self._seen, row or self._seen
        if row is None and before is not None:
            # The deletion above has waited for the end of that change.
            ended = await connection.fetchval("SELECT txid_status($1)", before["change"])
            row = before if ended == "committed" else None
        return row["value"] if row is not None and row["fresh"] else None
