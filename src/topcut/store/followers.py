"""Wake the followers of an event when there may be new facts.

A wake-up says nothing but "look": a follower reads on from its own position, so one wake-up too many does no
harm, and one that comes while a follower reads makes it read again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager

from topcut.store.interface import StoreError

AT_ONCE = 1_000
"""Facts in one batch for a follower, at most."""


class Followers:
    """The followers of one store: a wake-up for each, by the internal key of the event."""

    def __init__(self) -> None:
        self.closed = False
        self._wakeups: dict[int, set[asyncio.Event]] = {}

    @property
    def keys(self) -> list[int]:
        """The events that are followed."""
        return list(self._wakeups)

    def wake(self, keys: Iterable[int]) -> None:
        """Wake the followers of these events."""
        for key in keys:
            for wakeup in self._wakeups.get(key, ()):
                wakeup.set()

    def close(self) -> None:
        """Let every follower end."""
        self.closed = True
        self.wake(self.keys)

    @contextmanager
    def _join(self, key: int) -> Iterator[asyncio.Event]:
        """Yield a new wake-up for an event, as long as its follower needs it."""
        wakeup = asyncio.Event()
        self._wakeups.setdefault(key, set()).add(wakeup)
        try:
            yield wakeup
        finally:
            self._wakeups[key].remove(wakeup)
            if not self._wakeups[key]:
                del self._wakeups[key]

    async def follow(
        self,
        find: Callable[[], Awaitable[int]],
        after: int,
        read: Callable[[int, int], Awaitable[list[bytes]]],
    ) -> AsyncIterator[list[bytes]]:
        """Yield every fact after a position, until the store closes.

        `find` returns the key of the event, `read` its facts after a position, or none if there is none yet.
        """
        key = await find()
        with self._join(key) as wakeup:
            while not self.closed:
                wakeup.clear()
                try:
                    facts = await read(key, after)
                except StoreError:
                    if self.closed:
                        return
                    raise
                if facts:
                    after += len(facts)
                    yield facts
                else:
                    await wakeup.wait()
