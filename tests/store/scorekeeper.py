"""A program that gives commands to an event and prints what was acknowledged: a position, and who entered.

python -m tests.store.scorekeeper URL NAME COUNT
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


async def create(store: Store, rules: str = "mtr") -> Running:
    """A new event."""
    running, _ = await Running.create(
        store, EVENT, Create(name="Cup", book=frozen(load(rules))), context("new")
    )
    return running


async def main(url: str, name: str, count: int) -> None:
    """Enter so many players, one command each."""
    async with opened(url) as store:
        running = await Running.open(store, EVENT)
        for number in range(count):
            await running.do(Register(name=f"{name} {number}"), context(f"{name} {number}", name))
            print(running.journal.version, f"{name} {number}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
