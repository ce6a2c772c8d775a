"""What is kept in a SQLite file beside the events? Values by space and key, some for a time.

Times are those of `moment`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from topcut.store.model import Change, Repeated

SINCE = 2
"""The schema that brought the table."""
Row = tuple[str, str, bytes, int]
"""A receipt, as the table has it."""

_FRESH = "ifnull(until > ?, TRUE)"
_FIRST = """
    INSERT INTO kept VALUES (?, ?, ?, NULL)
    ON CONFLICT DO UPDATE SET value = kept.value
    RETURNING value
"""


def put(
    connection: apsw.Connection, space: str, key: str, value: bytes, until: int | None, now: int | None
) -> None:
    """Puts or replaces a value; then, if the time is given, deletes what has expired."""
    connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", (space, key, value, until))
    if now is not None:
        connection.execute("DELETE FROM kept WHERE until <= ?", (now,))


def put_first(connection: apsw.Connection, space: str, key: str, value: bytes) -> bytes:
    """The value that is there, if need be the one that is given."""
    (there,) = _values(connection, _FIRST, space, key, value)
    return there


def refuse_second(connection: apsw.Connection, receipts: Sequence[Row]) -> None:
    """`Repeated`, if there is a value in the place of a receipt, expired or not."""
    for space, key, *_ in receipts:
        if (there := found(connection, space, key, None)) is not None:
            raise Repeated(there)


def put_receipts(connection: apsw.Connection, receipts: Sequence[Row]) -> None:
    """Puts receipts, whose places are free."""
    connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", receipts)


def found(connection: apsw.Connection, space: str, key: str, now: int | None) -> bytes | None:
    """A value that has not expired; if no time is given, whether it has or not."""
    query = f"SELECT value FROM kept WHERE space = ? AND key = ? AND {_FRESH}"
    return next(iter(_values(connection, query, space, key, now)), None)


def all_found(connection: apsw.Connection, space: str, now: int) -> dict[str, bytes]:
    """The values of a space that have not expired."""
    query = f"SELECT key, value FROM kept WHERE space = ? AND {_FRESH}"
    rows: Iterable[tuple[str, bytes]] = connection.execute(query, (space, now))
    return dict(rows)


def taken(connection: apsw.Connection, space: str, key: str, now: int) -> bytes | None:
    """A value that has not expired, and is deleted."""
    there = found(connection, space, key, now)
    delete(connection, space, key)
    return there


def rewrite(connection: apsw.Connection, space: str, change: Change) -> None:
    """Puts in the place of each value of a space what it changes to.

    The whole table is emptied and written again: that wipes the copies that SQLite left in the unused parts
    of pages when it moved entries from one page to another.
    """
    query = "SELECT space, key, value, until FROM kept ORDER BY space, key"
    rows: Iterable[tuple[str, str, bytes, int | None]] = connection.execute(query)
    changed = [(own, key, change(value) if own == space else value, until) for own, key, value, until in rows]
    connection.execute("DELETE FROM kept")
    connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", changed)


def delete(connection: apsw.Connection, space: str, key: str) -> None:
    """Deletes a value, if it is there."""
    connection.execute("DELETE FROM kept WHERE space = ? AND key = ?", (space, key))


def _values(connection: apsw.Connection, query: str, *given: str | bytes | int | None) -> list[bytes]:
    rows: Iterable[tuple[bytes]] = connection.execute(query, given)
    return [value for (value,) in rows]
