"""Makes a link for the desk of a database that is being served."""

from __future__ import annotations

import asyncio

from topcut.app.access.access import A_DAY, Access
from topcut.store import open_store


def main(database: str, name: str, event: str) -> None:
    async def made() -> str:
        store = await open_store(database)
        try:
            return await Access(store).make_link(name, event or None, lasts=A_DAY)
        finally:
            await store.close()

    print(asyncio.run(made()))
