"""Where is it kept? An append-only log of facts for many events in one database, SQLite or PostgreSQL.

    store = await open_store("topcut.db")
    version = await store.append(event, expected=version, facts=[b"..."])

To a store facts are bytes, numbered 1, 2, 3 … within their event; `session` decodes them.
What belongs to no event, such as sessions, is a value under a space and a key.
It is the only package that knows SQL.
"""

import re
from urllib.parse import unquote

from topcut.store.interface import (
    Moved,
    NoSuchEvent,
    Overtaken,
    Receipt,
    Repeated,
    Store,
    StoredEvent,
    StoreError,
)
from topcut.text.messages import say

__all__ = ["Moved", "NoSuchEvent", "Overtaken", "Receipt", "Repeated", "Store", "StoreError", "StoredEvent"]
_SQLITE = "sqlite:///"


def on_server(url: str) -> bool:
    """Return whether a database is on a server, so that several processes can serve it.

    >>> on_server("postgresql://ann@db.example/cups"), on_server("cups.db")
    (True, False)
    """
    return url.startswith(("postgresql://", "postgres://"))


def hide_credentials(url: str) -> str:
    """Return an address without its user, password and options.

    >>> hide_credentials("postgresql://ann:pass/word@db.example:5432/cups?ssl=on")
    'postgresql://db.example:5432/cups'
    """
    bare = re.sub(r"[?&](ssl)?password=.*", "", url)
    return re.sub(r"//.*@", "//", bare).partition("?")[0]


async def open_store(url: str) -> Store:
    """Open the store at a path, at `sqlite:///path`, or at `postgresql://user@host/database`."""
    if on_server(url):
        from topcut.store.postgres.store import open_postgres

        return await open_postgres(url)
    scheme, colon, _ = url.partition("://")
    if colon and not url.startswith(_SQLITE):
        remedy = say('give a path, "sqlite:///path" or "postgresql://user@host/database"')
        raise StoreError(f"{scheme}://", say("there is no such kind of database"), remedy)
    path = unquote(url.removeprefix(_SQLITE)) if colon else url
    if not path:
        raise StoreError(url or '""', say("a path is missing"), say("give the path of a file"))
    from topcut.store.sqlite.store import open_sqlite

    return await open_sqlite(path)
