"""Limit how many streams are open, in all and by one key, such as the id of a link.

A stream counts once it has begun, and until it ends, however it ends.
"""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing

from topcut.errors import TopcutError

IN_ALL = 20_000
BY_ONE = 50
KEPT = 20
"""One stream in 20 is kept for senders with a key: a hall full of phones cannot shut out the desk."""


class NoRoom(TopcutError):
    """This process serves as many streams as it can."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"{most} follow already: try again in a moment")


class TooManyStreams(TopcutError):
    """One key has as many streams open as it may."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"{most} pages are open by the same link already: close some of them")


class StreamLimits:
    """Count open streams by opaque keys; a stream without a key counts only among all."""

    def __init__(self, in_all: int = IN_ALL, by_one: int = BY_ONE) -> None:
        self.in_all = in_all
        self.by_one = by_one
        self.open = 0
        self._by: Counter[str] = Counter()

    def has_room(self, key: str = "") -> bool:
        return self.open < self._most(key) and self._by[key] < self.by_one

    def _most(self, key: str) -> int:
        return self.in_all if key else self.in_all - self.in_all // KEPT

    def admit(self, stream: AsyncGenerator[bytes, None], key: str = "") -> AsyncGenerator[bytes, None]:
        """Return the stream, counted while it goes on; refuse one too many."""
        if self.open >= self._most(key):
            raise NoRoom(self._most(key))
        if not self.has_room(key):
            raise TooManyStreams(self.by_one)
        return self._count(stream, key)

    async def _count(self, stream: AsyncGenerator[bytes, None], key: str = "") -> AsyncGenerator[bytes, None]:
        """Yield a stream; end at once if others admitted at the same moment took its place."""
        if not self.has_room(key):
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
