"""Who waits while the database does not answer? Nobody longer than the first of them.

Commands on one event wait for each other. When the database has not answered one of them, those behind it
would find out the same, one after the other, each after as long a wait. So they are told at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from topcut.store.model import Unreachable


class Queue:
    """Everybody whose command is not done yet."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Timeout, list[Unreachable]] = {}

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait as long as it takes, or until the database was found not to answer somebody."""
        told: list[Unreachable] = []
        try:
            async with asyncio.timeout(None) as patience:
                self._waiting[patience] = told
                try:
                    yield
                finally:
                    del self._waiting[patience]
        except TimeoutError:
            if not told:
                raise
            raise told[0] from None
        except Unreachable as error:
            for patience, others in self._waiting.items():
                others.append(error)
                patience.reschedule(asyncio.get_running_loop().time())
            raise
