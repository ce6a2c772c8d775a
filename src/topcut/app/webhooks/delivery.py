"""Deliver every fact to a webhook, in order and at least once, by a courier of its own.

A courier sends new facts, a batch at a time, and goes on only when the receiver has taken the batch and that
is written down. After a crash or a lost answer a batch may come twice, but nothing is left out.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import random
from urllib.parse import quote

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from topcut.app.clock import utc_now
from topcut.app.webhooks.post import DeliveryOutcome, Post
from topcut.app.webhooks.records import HookState, Records, WebhookRecord, beginning
from topcut.client.webhook_signature import headers
from topcut.store.interface import NoSuchEvent, StoreError

FACTS = 100
"""Facts in one delivery, at most."""
BYTES = 1_000_000
"""Bytes of facts in one delivery, at most, unless a single fact is larger, such as a large pairing."""
LONGEST_WAIT = 600.0
"""Seconds between one try and the next, at most."""
GIVE_UP = timedelta(days=3)
FEWEST = 100
"""Tries, at least, before a webhook is given up: a laptop that was closed for three days has not tried."""
_PAUSE = 5.0
"""Seconds before a database that does not answer is asked again."""


@dataclass(frozen=True)
class Ways:
    """Hold clock, pause and chance (a number from 0 to 1), which tests replace."""

    clock: Callable[[], datetime] = utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random


class _Delivery(Struct, frozen=True):
    event: str
    hook: str
    first: int
    last: int
    facts: list[Raw]


class Courier:
    """Deliver to one webhook."""

    def __init__(self, records: Records, post: Post, record: WebhookRecord, ways: Ways) -> None:
        self.state = record.state
        self._records = records
        self._store = records.store
        self._post = post
        self._record = record
        self._hook = record.hook
        self._ways = ways

    async def run(self) -> None:
        """Deliver until the webhook is given up, its event is removed, or the store is closed."""
        while not self.state.stopped:
            try:
                await self._follow()
                return
            except StoreError as error:
                self._log("waits for the database: %s", error)
            except Exception:
                logging.getLogger("topcut").exception("webhook %s: nobody foresaw this", self._hook.id)
            await self._ways.sleep(_PAUSE)

    async def _follow(self) -> None:
        event = self._hook.event
        try:
            begins = await beginning(self._store, event)
            if begins is None:
                return
            # A log is shorter than before if its event was removed and an older copy put back.
            if begins != self._hook.begins or await self._store.read_version(event) < self.state.position:
                raise NoSuchEvent("", event)
            async for lines in self._store.follow(event, self.state.position):
                for batch in batches(lines):
                    await self._insist(batch)
                    if self.state.stopped:
                        return
        except NoSuchEvent:
            await self._records.remove(event, self._hook.id)

    async def _insist(self, batch: Sequence[bytes]) -> None:
        """Send a batch until it is taken or the webhook is given up."""
        after, last = self.state.position, self.state.position + len(batch)
        while not self.state.stopped and self.state.position == after:
            outcome = await sent(self._post, self._record, after, batch, self._ways.clock())
            if not outcome.problem:
                self.state = HookState(position=last, replay=self.state.replay)
                await self._keep()
            else:
                self.state = failed(self.state, outcome, self._ways.clock())
                await self._keep()
                if self.state.stopped:
                    self._log("is given up: %s", outcome.problem)
                else:
                    await self._ways.sleep(wait(self.state.tries, self._ways.chance()))

    async def _keep(self) -> None:
        """Write down how far the webhook is, however long that takes, so that no batch is sent again."""
        while True:
            try:
                return await self._records.reached(self._hook, self.state)
            except StoreError as error:
                self._log("waits for the database: %s", error)
            await self._ways.sleep(_PAUSE)

    def _log(self, says: str, what: object) -> None:
        """Log a warning without the address: a person who knows it may be able to write there."""
        place = f"webhook {self._hook.id} of event {self._hook.event}"
        logging.getLogger("topcut").warning("%s " + says, place, what)


async def sent(
    post: Post, record: WebhookRecord, after: int, facts: Sequence[bytes], now: datetime
) -> DeliveryOutcome:
    """Send one delivery with the facts after a position, or with none as a test; return its outcome."""
    hook, first, last = record.hook, after + 1, after + len(facts)
    delivery = _Delivery(hook.event, hook.id, first, last, [Raw(fact) for fact in facts])
    body = msgspec.json.encode(delivery)
    name = f"{quote(hook.event, safe='')}/{first}-{last}"
    signed = headers(record.secret, name, body, now.timestamp())
    return await post.send(hook.url, signed, body, near=hook.near)


def batches(lines: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield facts in order, in batches as large as one delivery may be.

    >>> [len(batch) for batch in batches([b"{}"] * 250)]
    [100, 100, 50]
    """
    batch: list[bytes] = []
    size = 0
    for line in lines:
        if batch and (len(batch) == FACTS or size + len(line) > BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def failed(state: HookState, outcome: DeliveryOutcome, now: datetime) -> HookState:
    """Return the state of a webhook after one more failed try."""
    since = state.failing_since or now
    tries = state.tries + 1
    too_long = now - since >= GIVE_UP and tries >= FEWEST
    return replace(
        state,
        failing_since=since,
        tries=tries,
        last_error=outcome.problem,
        stopped=outcome.gone or too_long,
    )


def wait(tries: int, chance: float) -> float:
    """Return the seconds before the next try after failed tries; chance keeps webhooks from trying together.

    >>> [wait(tries, chance=1.0) for tries in (1, 2, 3, 10, 11, 500)]
    [1.0, 2.0, 4.0, 512.0, 600.0, 600.0]
    """
    return min(2.0 ** min(tries - 1, 10), LONGEST_WAIT) * (1 + chance) / 2
