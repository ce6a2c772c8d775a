"""A program that gives commands to an event and prints what was acknowledged: a position, and who entered.

python -m tests.store.command_process URL NAME COUNT EVENT
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from tests.store.store_helpers import EVENT, opened
from topcut.event.commands import Create, Register
from topcut.event.decide.context import Context
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.store import Store
from topcut.store.session import EventSession


def context(entropy: str, by: str = "Ada") -> Context:
    return Context(at=datetime.now(UTC), by=by, entropy=entropy, via="a test")


async def create(store: Store, event: str = EVENT) -> EventSession:
    """A new event."""
    running, _ = await EventSession.create(
        store, event, Create(name="Cup", book=freeze_book(load("mtr"))), context("new")
    )
    return running


async def main(url: str, name: str, count: int, event: str) -> None:
    """Enter so many players, one command each."""
    async with opened(url) as store:
        running = await EventSession.open(store, event)
        for number in range(count):
            await running.do(Register(name=f"{name} {number}"), context(f"{name} {number}", name))
            print(running.log.version, f"{name} {number}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
