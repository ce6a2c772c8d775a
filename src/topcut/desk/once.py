"""A request that may be sent twice and is done once: `Idempotency-Key`.

The answer is kept in the same transaction as the facts. So after a lost answer or a crash the same request
gets the same answer, whichever process it comes to, and nothing is done again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
from litestar.exceptions import HTTPException
from msgspec import Struct

from topcut.desk.access import utc
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.event.deciding import Decision
from topcut.event.journal import Journal
from topcut.store.turn import RECEIPTS, Kept, Once

KEPT = timedelta(days=2)
"""How long a request can be repeated."""
KEY = re.compile(r"[\x21-\x7e]{1,200}")


class KeyReused(TopcutError):
    """A key that came with another request before."""

    def __init__(self) -> None:
        super().__init__("this Idempotency-Key was used for another request: each request takes a new one")


class Request(Struct, frozen=True):
    """A request with a key."""

    key: str
    asked: str
    event: str
    """What it is about; empty for one that makes an event."""

    def once(self, answer: Callable[[Journal, Sequence[Decision]], Any]) -> Once:
        """The receipt that is written with its facts."""

        def says(journal: Journal, decisions: Sequence[Decision]) -> bytes:
            return msgspec.json.encode(Kept(self.asked, answer(journal, decisions), self.event))

        return Once(RECEIPTS, self.key, utc() + KEPT, says)

    def answered(self, value: bytes) -> Any:
        """What was answered the first time; refused where the key came with another request."""
        kept = msgspec.json.decode(value, type=Kept)
        if kept.asked != self.asked:
            raise KeyReused
        return kept.answer

    async def before(self, house: House) -> Any:
        """What was answered if it was done already; None: it is new."""
        value = await house.store.kept(RECEIPTS, self.key, utc())
        return None if value is None else self.answered(value)


async def keyed(request: AnyRequest, who: Who, where: str) -> Request | None:
    """The key of a request, which is good for its sender and for what it is about; None without one."""
    given = request.headers.get("idempotency-key")
    if given is None:
        return None
    if not KEY.fullmatch(given):
        raise HTTPException("Idempotency-Key: expected 1 to 200 letters and signs", status_code=400)
    name = sha256("\0".join((who.key, where, given)).encode()).hexdigest()
    asked = f"{request.method} {request.scope['path']}\0".encode() + await request.body()
    return Request(name, sha256(asked).hexdigest(), where)
