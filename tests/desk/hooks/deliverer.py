"""A process that delivers webhooks until it is killed: `python -m tests.desk.hooks.deliverer URL`."""

from __future__ import annotations

import asyncio
import sys

from tests.store.stories import opened
from topcut.desk.hooks import Hooks, Post


async def main(url: str) -> None:
    async with opened(url) as store:
        await Hooks(store, Post(anywhere=True), look=0.05).begin()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
