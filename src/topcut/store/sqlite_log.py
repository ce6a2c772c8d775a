"""How is the log of an event written and read in a SQLite file?

Whoever writes has looked before whether it may be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import apsw

from topcut.store.model import Listed

_ALL = -1
"""No limit."""
_LIST = "SELECT id, version, about, touched FROM event"
BEFORE = f"{_LIST} WHERE touched < ? ORDER BY touched DESC LIMIT ?"


def listed(connection: apsw.Connection, before: int | None, limit: int | None) -> list[Listed]:
    """The events, the newest first; of those touched before that, if it is given."""
    many = _ALL if limit is None else limit
    if before is None:
        rows = connection.execute(f"{_LIST} ORDER BY touched DESC LIMIT ?", (many,))
    else:
        rows = connection.execute(BEFORE, (before, many))
    return [Listed(*row) for row in rows]


def found(connection: apsw.Connection, event: str) -> tuple[int, int] | None:
    """An event's internal key and its version."""
    for key, version in connection.execute("SELECT key, version FROM event WHERE id = ?", (event,)):
        return key, version
    return None


def version(connection: apsw.Connection, key: int) -> int | None:
    """The version of an event, if it was not removed."""
    found = connection.execute("SELECT version FROM event WHERE key = ?", (key,)).get
    return None if found is None else int(found)


def facts(connection: apsw.Connection, key: int, after: int, limit: int = _ALL) -> list[bytes]:
    """So many facts after a position."""
    query = "SELECT fact FROM fact WHERE event = ? AND position > ? ORDER BY position LIMIT ?"
    return [fact for (fact,) in connection.execute(query, (key, after, limit))]


def private(connection: apsw.Connection, key: int) -> dict[str, bytes]:
    """The private entries of an event."""
    query = "SELECT key, value FROM private WHERE event = ?"
    rows: Iterable[tuple[str, bytes]] = connection.execute(query, (key,))
    return dict(rows)


def made(connection: apsw.Connection, event: str, about: bytes) -> int:
    """The key of a new event, which has nothing yet."""
    query = "INSERT INTO event (id, version, touched, about) VALUES (?, 0, 0, ?)"
    connection.execute(query, (event, about))
    return connection.last_insert_rowid()


def add(
    connection: apsw.Connection,
    key: int,
    version: int,
    facts: Sequence[bytes],
    private: Mapping[str, bytes],
    about: bytes | None = None,
) -> None:
    """Facts and private entries of an event, which becomes the newest of the list."""
    connection.executemany(
        "INSERT INTO fact VALUES (?, ?, ?)",
        [(key, position, fact) for position, fact in enumerate(facts, version + 1)],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO private VALUES (?, ?, ?)",
        [(key, name, value) for name, value in private.items()],
    )
    connection.execute(
        "UPDATE event SET version = ?, touched = (SELECT max(touched) + 1 FROM event) WHERE key = ?",
        (version + len(facts), key),
    )
    if about is not None:
        connection.execute("UPDATE event SET about = ? WHERE key = ?", (about, key))


def forget(connection: apsw.Connection, key: int, names: Iterable[str]) -> None:
    """Deletes private entries of an event."""
    query = "DELETE FROM private WHERE event = ? AND key = ?"
    connection.executemany(query, [(key, name) for name in names])
    _write_anew(connection)


def remove(connection: apsw.Connection, key: int) -> None:
    """Deletes an event with everything it has."""
    connection.execute("DELETE FROM event WHERE key = ?", (key,))
    _write_anew(connection)


def _write_anew(connection: apsw.Connection) -> None:
    """Writes all private entries again, to pages that were wiped.

    `secure_delete` wipes what is deleted, but not the copies that SQLite left in the unused parts of pages
    when it moved entries from one page to another. Emptying the whole table wipes these too.
    """
    rows = connection.execute("SELECT event, key, value FROM private ORDER BY event, key").fetchall()
    connection.execute("DELETE FROM private")
    connection.executemany("INSERT INTO private VALUES (?, ?, ?)", rows)
