"""Limit how often a sender may do each action, and how many streams are open.

Both count by key and never by address, since a hall shares one address. A sender has a bucket for each
action. It holds a burst and fills again at a rate; a request takes from it, and has to wait when it is empty.
A bucket that is full is not kept. A stream counts once it has begun, and until it ends, however it ends.
"""

from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Literal, get_args

from topcut.errors import TopcutError
from topcut.text.messages import count, number, say

Action = Literal["read", "command", "ask", "enter", "password", "print", "heavy"]
EVERYBODY = ""
"""The key of all senders without a link, a session or an account: a whole hall together."""
MOST = 20_000
"""Buckets of one action that are kept, at most."""
IN_ALL = 20_000
BY_ONE = 50
KEPT = 20
"""One stream in 20 is kept for senders with a key: a hall full of phones cannot shut out the desk."""


@dataclass(frozen=True)
class Rate:
    """Allow a number of requests a second without end, and now and then a burst."""

    rate: float
    burst: float


UNLIMITED = Rate(inf, inf)


@dataclass(frozen=True)
class Rates:
    """Set the rate of each action for one sender."""

    read: Rate = Rate(50, 200)
    """Pages and lists. A page fetches itself again at each change, a few times a second when results come
    in, and a person at the desk has a dozen open. A league's site that copies a whole event, as fast as its
    parts come, is slowed down after four seconds of that."""
    command: Rate = Rate(50, 500)
    """The quickest scorekeeper enters three results a second. A program that reports a round of 2,000 tables
    one by one is through in half a minute, and one that runs wild hurts nobody else."""
    ask: Rate = Rate(0.2, 10)
    """Claims and questions of one player: a table has a result, a wrong tap and a second thought. Ten at
    once, then one in five seconds, is more than anybody needs, and a child with a phone cannot fill a log."""
    enter: Rate = Rate(1, 10)
    """Coming in by the same key: once for each browser, and again at each *reload*."""
    password: Rate = Rate(5 / 60, 5)
    """Passwords for one account: five to remember which it was, then one in twelve seconds. Guessing
    comes to 7,200 a day, against which any password holds that is not on a list."""
    print: Rate = Rate(1, 20)
    """Sheets are set in well under a second, and every printer is slower than that. Everything that a round
    needs, for every division, is asked for in one go."""
    heavy: Rate = Rate(1, 20)
    """Whole logs out and in, plans, new events: each is a second's work or so, and nobody looks at more than
    one at a time. A shop makes the events of a season in one go."""


SHARED = Rates(
    read=UNLIMITED,
    command=Rate(100, 1_000),
    ask=Rate(50, 2_000),
    enter=Rate(50, 500),
    password=Rate(5, 50),
    print=Rate(2, 40),
    heavy=Rate(1, 20),
)
"""Rates of all senders without a link, together.

Reading has no limit here, and cannot have an honest one. When a round is published, thousands of phones that
share one address fetch it in the same second; the page is made once and kept, so that to refuse one costs as
much as to answer it; and a limit that all share is one that a single rude phone can use up for the hall.

The others protect what costs something. `ask`: 2,000 who all find their points wrong at once. `command`:
hardly any can be given without a link. `enter`: the staff of a hundred shops on a Saturday morning.
`password`: for names that no account has; five a second keep a quarter of one core busy, and not more.
`print` and `heavy`: as much as one or two senders with a link.
"""
_ROUNDING = 1e-6
"""Seconds of waiting that are ignored: rounding errors of sums are smaller."""


class TooMany(TopcutError):
    """One link, account or player asks for more than its share."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(
            count(
                "Too many requests. Try again in {n} second.",
                "Too many requests. Try again in {n} seconds.",
                seconds,
            )
        )


class Limits:
    """Keep the buckets of one process; it has one event loop, and so no lock."""

    def __init__(self, rates: Rates | None = None, shared: Rates = SHARED, most: int = MOST) -> None:
        self._rates = rates or Rates()
        self._shared = shared
        self._most = most
        # When each bucket is full again; the last used are at the end.
        self._full: dict[Action, OrderedDict[str, float]] = {one: OrderedDict() for one in get_args(Action)}

    def take(self, who: str, action: Action, now: float, cost: float = 1) -> float:
        """Take from a bucket and return 0.0; if it holds too little, return the seconds to wait.

        `now` is a clock that never goes back. A cost above the burst is the whole burst.

        >>> limits = Limits(Rates(print=Rate(rate=0.5, burst=1)))
        >>> [limits.take("ann", "print", now) for now in (0.0, 1.5, 2.0)]
        [0.0, 0.5, 0.0]
        """
        allowed: Rate = getattr(self._rates if who != EVERYBODY else self._shared, action)
        if allowed.rate == inf:
            return 0.0
        buckets = self._full[action]
        full = max(buckets.get(who, now), now) + min(cost, allowed.burst) / allowed.rate
        wait = full - now - allowed.burst / allowed.rate
        if wait > _ROUNDING:
            return wait
        buckets[who] = full
        buckets.move_to_end(who)
        # Two of the oldest are looked at: those that are full go, and any beyond the most.
        for oldest, full in list(islice(buckets.items(), 2)):
            if full > now and len(buckets) <= self._most:
                break
            del buckets[oldest]
        return 0.0

    def __len__(self) -> int:
        return sum(map(len, self._full.values()))


class NoRoom(TopcutError):
    """This process serves as many streams as it can."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(
            say("The server already updates {most} open pages. Try again in a moment.", most=number(most))
        )


class TooManyStreams(TopcutError):
    """One key has as many streams open as it may."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(
            say("{most} pages are already open with the same link. Close some of them.", most=number(most))
        )


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
