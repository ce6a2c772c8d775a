"""Who waits for news of which event? A bell for each follower, rung when there may be something to read.

A bell says nothing but "look": a follower reads on from its own position, so that a bell rung twice or
for nothing does no harm, and one that is rung while a follower reads makes it read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager

from topcut.store.model import StoreError

AT_ONCE = 1_000
"""Facts in one batch for a follower, at most."""


class Bells:
    """The bells of everybody who follows an event of one store, by the internal keys of events."""

    def __init__(self) -> None:
        self.closed = False
        self._bells: dict[int, set[asyncio.Event]] = {}

    @property
    def keys(self) -> list[int]:
        """The events that are followed."""
        return list(self._bells)

    def ring(self, keys: Iterable[int]) -> None:
        """Wakes the followers of these events."""
        for key in keys:
            for bell in self._bells.get(key, ()):
                bell.set()

    def close(self) -> None:
        """Lets every follower come to its end."""
        self.closed = True
        self.ring(self.keys)

    @contextmanager
    def bell(self, key: int) -> Iterator[asyncio.Event]:
        """A bell of one's own, as long as it is needed."""
        bell = asyncio.Event()
        self._bells.setdefault(key, set()).add(bell)
        try:
            yield bell
        finally:
            bells = self._bells[key]
            bells.remove(bell)
            if not bells:
                del self._bells[key]


async def followed(
    bells: Bells,
    found: Callable[[], Awaitable[int]],
    after: int,
    read: Callable[[int, int], Awaitable[list[bytes]]],
) -> AsyncIterator[list[bytes]]:
    """Every fact after a position, until the store closes.

    `found` gives the key of the event, `read` its facts after a position, or none if there is none yet.
    """
    key = await found()
    with bells.bell(key) as bell:
        while not bells.closed:
            bell.clear()
            try:
                facts = await read(key, after)
            except StoreError:
                if bells.closed:
                    return
                raise
            if facts:
                after += len(facts)
                yield facts
            else:
                await bell.wait()
