"""How many may follow at once? So many in all, and so many by one key, such as the id of a link.

    return house.streams.follow(live.stream(), "link 7")

Only a stream that has begun counts, and it counts until it ends, however it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing

from litestar.background_tasks import BackgroundTask
from litestar.exceptions import ServiceUnavailableException, TooManyRequestsException
from litestar.response import Stream

IN_ALL = 20_000
BY_ONE = 50
KEPT = 20
"""One in so many is for those who have a key: nobody fills a hall so that its desk hears nothing."""
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class NoRoom(ServiceUnavailableException):
    """As many follow as this process serves."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(detail=f"{most} follow already: try again in a moment")


class TooManyStreams(TooManyRequestsException):
    """One key has as many streams open as it may."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(detail=f"{most} pages are open by the same link already: close some of them")


class Streams:
    """Who follows, by opaque keys; whoever has none counts only among all."""

    def __init__(self, in_all: int = IN_ALL, by_one: int = BY_ONE) -> None:
        self.in_all = in_all
        self.by_one = by_one
        self.open = 0
        self._by: Counter[str] = Counter()

    def may_follow(self, key: str = "") -> bool:
        """Whether there is room for one more."""
        return self.open < self._room(key) and self._by[key] < self.by_one

    def _room(self, key: str) -> int:
        """How many there may be with this one: strangers leave some room for those who have a key."""
        return self.in_all if key else self.in_all - self.in_all // KEPT

    def follow(self, stream: AsyncGenerator[bytes, None], key: str = "") -> Stream:
        """Server-sent events as an answer; refused if they would be one too many."""
        if self.open >= self._room(key):
            raise NoRoom(self._room(key))
        if not self.may_follow(key):
            raise TooManyStreams(self.by_one)
        counted = self.counted(stream, key)

        async def end() -> None:
            """Where a reader is cut off, nobody but the garbage collector would do it."""
            await counted.aclose()

        background = BackgroundTask(end)
        return Stream(counted, media_type="text/event-stream", headers=HEADERS, background=background)

    async def counted(
        self, stream: AsyncGenerator[bytes, None], key: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """A stream that counts as long as it goes on. One that begins too late ends at once: many may have
        been let in at the same moment."""
        if not self.may_follow(key):
            return
        self.open += 1
        if key:
            self._by[key] += 1
        try:
            async with aclosing(stream) as messages:
                async for message in messages:
                    yield message
        finally:
            self.open -= 1
            if key:
                self._by[key] -= 1
                if not self._by[key]:
                    del self._by[key]
