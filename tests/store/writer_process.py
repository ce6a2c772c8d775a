"""A program that appends to an event and prints what was acknowledged: a position and the facts there.

python -m tests.store.writer_process URL NAME COUNT FACTS TASKS

Each of TASKS tasks appends COUNT times as many FACTS as that.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from tests.store.store_helpers import EVENT, insist, opened
from topcut.store import Store, StoreError


async def write(store: Store, name: str, count: int, width: int) -> None:
    """Appends facts like `a0 17 1/2`, over and over."""
    version = await store.read_version(EVENT)
    for number in range(count):
        facts = [f"{name} {number} {part}/{width}".encode() for part in range(1, width + 1)]
        version = await insist(store, facts, version)
        lines = [f"{version - width + part} {fact.decode()}" for part, fact in enumerate(facts, 1)]
        print(*lines, sep="\n", flush=True)


async def main(url: str, name: str, count: int, width: int, tasks: int) -> None:
    """Opens the store, with the event in it, and writes."""
    async with opened(url) as store:
        with suppress(StoreError):  # another made it
            await store.create(EVENT, [], {}, b"")
        await asyncio.gather(*(write(store, f"{name}{task}", count, width) for task in range(tasks)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
