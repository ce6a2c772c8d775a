"""A program that gives commands to an event and prints what was acknowledged: a position, and who entered.

python -m tests.store.scorekeeper URL NAME COUNT EVENT
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from tests.store.stories import EVENT, opened
from topcut.event.commands import Create, Register
from topcut.event.deciding import Context
from topcut.rulebook import load
from topcut.rulebook.frozen import frozen
from topcut.store import Store
from topcut.store.running import Running


def context(entropy: str, by: str = "Ada") -> Context:
    return Context(at=datetime.now(UTC), by=by, entropy=entropy, via="a test")


async def create(store: Store, event: str = EVENT) -> Running:
    """A new event."""
    running, _ = await Running.create(
        store, event, Create(name="Cup", book=frozen(load("mtr"))), context("new")
    )
    return running


async def main(url: str, name: str, count: int, event: str) -> None:
    """Enter so many players, one command each."""
    async with opened(url) as store:
        running = await Running.open(store, event)
        for number in range(count):
            await running.do(Register(name=f"{name} {number}"), context(f"{name} {number}", name))
            print(running.journal.version, f"{name} {number}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
