"""Deliver webhooks until killed: `python -m tests.app.webhooks.delivery_process URL`."""

from __future__ import annotations

import asyncio
import sys

from tests.store.store_helpers import opened
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import DeliveryEnvironment, WebhookService


async def main(url: str) -> None:
    async with opened(url) as store:
        await WebhookService(store, Sender(allow_private=True), DeliveryEnvironment(look=0.05)).begin()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
