"""A program that may only read: it prints what it finds, and what it is told when it changes something.

python -m tests.store.read_only_process PATH

As root it becomes `nobody` first, since root may write to everything; so it loads what it needs before.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime

from tests.store.store_helpers import EVENT, opened
from topcut.store import Store, StoreError
from topcut.store.sqlite.store import open_sqlite

_NOBODY = 65534
NOW = datetime(2026, 5, 1, tzinfo=UTC)
NEEDED = (open_sqlite,)


async def look(store: Store) -> None:
    """Reads, follows and tries to write."""
    print(b" ".join(await store.read(EVENT)).decode())
    async for facts in store.follow(EVENT, 0):
        print(b" ".join(facts).decode())
        break
    print(await store.get_value("link", "ann", NOW), await store.list_values("link", NOW))
    for change in (
        store.append(EVENT, 2, [b"3"]),
        store.create("new", [], {}, b""),
        store.remove_event(EVENT),
        store.put_value("link", "ann", b"Ann"),
        store.put_value_once("link", "ann", b"Ann"),
        store.take_value("link", "ann", NOW),
        store.delete_value("link", "ann"),
    ):
        try:
            await change
        except StoreError as error:
            print(error)


async def main(path: str) -> None:
    """Opens the store and looks."""
    try:
        async with opened(path) as store:
            await look(store)
    except StoreError as error:
        print(error)


if __name__ == "__main__":
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    asyncio.run(main(sys.argv[1]))
