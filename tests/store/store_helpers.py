"""Stores for tests: a story is told to a store that is open, and what it returns is looked at.

async def story(store: Store) -> list[bytes]:
    await store.append("cup", 1, [b"two"])
    return await store.read("cup")

assert told(url, story) == [b"one", b"two"]
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from topcut.store import Overtaken, Store, open_store
from topcut.store.postgres.store import PostgresStore

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
EVENT = "cup"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """A store that is closed afterwards."""
    store = await open_store(url)
    if isinstance(store, PostgresStore):
        store._server.patience = 120.0  # many stories ask at once, and the machine may be busy
    try:
        yield store
    finally:
        await store.close()


def told(url: str, story: Callable[[Store], Awaitable[T]]) -> T:
    """What a story returns that is told to a store."""

    async def main() -> T:
        async with opened(url) as store:
            return await story(store)

    return asyncio.run(main())


def begun(url: str, *facts: bytes, event: str = EVENT) -> None:
    """A database with an event of these facts."""
    told(url, lambda store: store.create(event, facts, {}, b""))


def log_of(url: str, event: str = EVENT) -> list[bytes]:
    """All facts of an event, read by a store that is opened for it."""
    return told(url, lambda store: store.read(event))


async def insist(store: Store, facts: list[bytes], version: int, event: str = EVENT) -> int:
    """Appends, looking again whenever somebody was faster."""
    while True:
        try:
            return await store.append(event, version, facts)
        except Overtaken as overtaken:
            version = overtaken.version


async def gathered(
    store: Store, until: int, after: int = 0, event: str = EVENT, came: asyncio.Event | None = None
) -> list[bytes]:
    """What a follower gets, up to that position; `came`: something came."""
    found: list[bytes] = []
    async for facts in store.follow(event, after):
        found += facts
        if came is not None:
            came.set()
        if after + len(found) >= until:
            break
    return found


def program(module: str, *arguments: str) -> subprocess.Popen[str]:
    """A program of these tests, running; its output is a pipe."""
    command = [sys.executable, "-m", f"tests.store.{module}", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
