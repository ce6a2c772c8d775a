"""Which database does a text mean? Only the driver of that one is loaded."""

from __future__ import annotations

from urllib.parse import unquote

from topcut.store.model import Store, StoreError

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql", "postgres")


def on_server(url: str) -> bool:
    """Whether a database is on a server, so that several processes can serve it.

    >>> on_server("postgresql://ann@db.example/cups"), on_server("cups.db")
    (True, False)
    """
    scheme, colon, _ = url.partition("://")
    return bool(colon) and scheme in _POSTGRES


async def open_store(url: str) -> Store:
    """The store at a path, at `sqlite:///path`, or at `postgresql://user@host/database`."""
    scheme, colon, _ = url.partition("://")
    if on_server(url):
        from topcut.store.postgres import open_postgres

        return await open_postgres(url)
    if colon and not url.startswith(_SQLITE):
        known = 'a path, "sqlite:///path" or "postgresql://user@host/database"'
        raise StoreError(f"{scheme}://", "there is no such kind of database", f"give {known}")
    path = unquote(url.removeprefix(_SQLITE)) if colon else url
    if not path:
        raise StoreError(url or '""', "a path is missing", "give the path of a file")
    from topcut.store.sqlite import open_sqlite

    return await open_sqlite(path)
