"""Fill a database with the example events: `python -m tests.web.browser.fill_database FILE`."""

from __future__ import annotations

import asyncio
import sys

from topcut.app.demo import fill
from topcut.store import open_store


async def main(database: str) -> None:
    store = await open_store(database)
    await fill(store)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
