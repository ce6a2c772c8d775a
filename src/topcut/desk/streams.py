"""How many may follow at once? So many in all, and so many by one key, such as the id of a link.

streams = Streams()
streams.expect("link 7")                          # refuses whoever would be one too many
async for message in streams.counted(live.stream(), "link 7"):
    ...

Only a stream that has begun counts, and it counts until it ends, however it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing

from litestar.exceptions import ServiceUnavailableException, TooManyRequestsException

IN_ALL = 20_000
BY_ONE = 50


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
        return self.open < self.in_all and self._by[key] < self.by_one

    def expect(self, key: str = "") -> None:
        """Refuse one that would be one too many."""
        if self.open >= self.in_all:
            raise NoRoom(self.in_all)
        if not self.may_follow(key):
            raise TooManyStreams(self.by_one)

    async def counted(
        self, stream: AsyncGenerator[bytes, None], key: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """A stream that counts as long as it goes on. One that came too late, though it was expected, ends at
        once: many may be expected in the same moment."""
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
