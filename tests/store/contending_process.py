"""A program that is after the same values as others, and prints what it got.

python -m tests.store.contending_process URL NAME COUNT

`first KEY VALUE`: the value that is there after it put one of its own; `taken KEY` for one that it took.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from tests.store.store_helpers import opened

NOW = datetime(2026, 5, 1, tzinfo=UTC)


async def main(url: str, name: str, count: int) -> None:
    """Asks for each of so many keys."""
    async with opened(url) as store:
        for number in range(count):
            there = await store.put_value_once("secret", str(number), name.encode())
            print("first", number, there.decode())
            if await store.take_value("link", str(number), NOW) is not None:
                print("taken", number)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
