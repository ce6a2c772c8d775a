"""Where is it kept? An append-only log of facts for many events in one database, SQLite or PostgreSQL.

    store = await open_store("topcut.db")
    version = await store.append(event, expected=version, facts=[b"..."])

To a store facts are bytes, numbered 1, 2, 3 … within their event; `running` joins it to what they say.
What belongs to no event, such as sessions, is kept beside them by a space and a key.
It is the only room that knows SQL.
"""

from topcut.store.model import (
    Listed,
    Moved,
    NoSuchEvent,
    Overtaken,
    Receipt,
    Repeated,
    Store,
    StoreError,
)
from topcut.store.open import on_server, open_store

__all__ = [
    "Listed",
    "Moved",
    "NoSuchEvent",
    "Overtaken",
    "Receipt",
    "Repeated",
    "Store",
    "StoreError",
    "on_server",
    "open_store",
]
