"""A program that may only read: it prints the log of the event, and what it is told when it appends.

python -m tests.store.nobody PATH

As root it becomes `nobody` first, since root may write to everything; so it loads what it needs before.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tests.store.stories import EVENT, opened
from topcut.store import Store, StoreError
from topcut.store.sqlite import open_sqlite

_NOBODY = 65534
NEEDED = (open_sqlite,)


async def look(store: Store) -> None:
    """Reads, follows and tries to write."""
    print(b" ".join(await store.read(EVENT)).decode())
    async for facts in store.follow(EVENT, 0):
        print(b" ".join(facts).decode())
        break
    for change in (store.append(EVENT, 2, [b"3"]), store.create("new", [], {}, b""), store.remove(EVENT)):
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
