"""A process that delivers is killed at any moment: the next one goes on, and leaves nothing out."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.app.webhooks.delivery_helpers import Time, append, facts, without_gaps
from tests.app.webhooks.receiver import Receiver, receiving
from tests.store.store_helpers import EVENT, ROOT, opened
from tests.tiers import SOAK
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import WebhookService

pytestmark = pytest.mark.large  # processes that are killed

KILLS = 50 if SOAK else 3


def test_a_deliverer_that_is_killed(url: str) -> None:
    async def story() -> None:
        lots = random.Random(8)
        async with opened(url) as store, receiving() as receiver:
            await store.create(EVENT, facts(1, 1), {}, b"")
            await WebhookService(store, Sender(allow_private=True), Time().environment).add(
                EVENT, receiver.url, "Mara", since=0
            )
            version = 1
            for _ in range(KILLS):
                with deliverer(url):
                    for _ in range(lots.randrange(2, 6)):
                        before = len(receiver.got)
                        new = lots.choice([1, 20, 250])
                        await append(store, version + 1, version + new)
                        version += new
                        await receiver.had(before + 1)
                    await asyncio.sleep(lots.random() * 0.02)
            with deliverer(url):
                await receiver.until(lambda: taken(receiver) == set(range(1, version + 1)))
            assert without_gaps([got.said for got in receiver.got])

    asyncio.run(story())


def taken(receiver: Receiver) -> set[int]:
    """The positions of the facts that were taken."""
    return {fact["position"] for fact in receiver.taken}


@contextmanager
def deliverer(url: str) -> Iterator[None]:
    """A process that delivers, and is killed afterwards."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.app.webhooks.delivery_process", url], cwd=ROOT
    ) as running:
        try:
            yield
        finally:
            running.kill()
