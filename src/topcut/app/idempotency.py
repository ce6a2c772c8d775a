"""Do a request once, however often it is sent: `Idempotency-Key`.

The answer is kept in the same transaction as the facts. After a lost answer or a crash the same request gets
the same answer from any process, and nothing is done again.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.services import BadRequest
from topcut.errors import TopcutError
from topcut.event.decide.context import Decision
from topcut.event.event_log import EventLog
from topcut.store.interface import Repeated, Store
from topcut.store.queue import DELETED, RECEIPTS, Once, StoredAnswer
from topcut.text.message_json import write_json
from topcut.text.messages import say

KEPT = timedelta(days=2)
"""Time during which a request can be repeated."""
KEY = re.compile(r"[\x21-\x7e]{1,200}")


class KeyReused(TopcutError):
    """A key came with another request before."""

    def __init__(self) -> None:
        super().__init__(
            say("This Idempotency-Key was used for another request. Use a new key for each request.")
        )


class KeyedRequest(Struct, frozen=True):
    """Identify a request that may be sent twice."""

    key: str
    asked: str
    event: str
    """The event it is about; empty for a request that makes an event."""

    def once(self, answer: Callable[[EventLog, Sequence[Decision]], Any]) -> Once:
        """Return the receipt to write with the facts of the request."""
        return Once(
            RECEIPTS,
            self.key,
            utc_now() + KEPT,
            lambda *done: write_json(StoredAnswer(self.asked, answer(*done), self.event)),
        )

    def read_answer(self, value: bytes) -> Any:
        """Return the first answer; refuse a key that came with another request."""
        kept = msgspec.json.decode(value, type=StoredAnswer)
        if kept.asked != self.asked:
            raise KeyReused
        if isinstance(kept.answer, dict) and kept.answer.get("says") == [DELETED]:
            return kept.answer | {"says": [DELETED]}  # as it is in the language of this request
        return kept.answer

    async def earlier_answer(self, store: Store) -> Any:
        """Return the answer of a request that was done already; None if it is new."""
        value = await store.get_value(RECEIPTS, self.key, utc_now())
        return None if value is None else self.read_answer(value)


def identify_request(
    given: str | None, who: Identity, where: str, address: str, body: bytes
) -> KeyedRequest | None:
    """Return the request of a key, which counts for one sender and one event; None without a key.

    `address` is the method and the path.
    """
    if given is None:
        return None
    if not KEY.fullmatch(given):
        raise BadRequest(say("Idempotency-Key: expected 1 to 200 characters."))
    name = sha256("\0".join((who.key, where, given)).encode()).hexdigest()
    return KeyedRequest(name, sha256(f"{address}\0".encode() + body).hexdigest(), where)


async def do_once(
    key: KeyedRequest | None, store: Store, work: Callable[[], Awaitable[Any]]
) -> tuple[Any, bool]:
    """Return the answer to a request, and whether an earlier request with the same key got it."""
    if key is None:
        return await work(), False
    if (before := await key.earlier_answer(store)) is not None:
        return before, True
    try:
        return await work(), False
    except Repeated as again:
        return key.read_answer(again.value), True
