"""Where is it kept? An append-only log of facts for many events in one database, SQLite or PostgreSQL.

    store = await open_store("topcut.db")
    version = await store.append(event, expected=version, facts=[b"..."])

To a store facts are bytes, numbered 1, 2, 3 … within their event; `session` decodes them.
What belongs to no event, such as sessions, is a value under a space and a key.
It is the only package that knows SQL.
"""

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
from topcut.store.open import on_server, open_store

__all__ = [
    "Moved",
    "NoSuchEvent",
    "Overtaken",
    "Receipt",
    "Repeated",
    "Store",
    "StoreError",
    "StoredEvent",
    "on_server",
    "open_store",
]
