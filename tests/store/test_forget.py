"""What is forgotten is gone from the SQLite file and from the log beside it, wherever SQLite had copies."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import apsw
import pytest

from tests.store.store_helpers import EVENT, gathered, opened, told
from topcut.store import Store, StoreError
from topcut.store.sqlite.store import SqliteFile, SqliteStore

EVENTS = [f"event {number}" for number in range(5)]


def bytes_of(path: str) -> bytes:
    """All that is on the disk."""
    return b"".join(file.read_bytes() for file in sorted(Path(path).parent.iterdir()))


def secret(name: str, size: int = 0) -> bytes:
    """A value that is easy to find."""
    return f"<secret {name}>".encode().ljust(size, b".")


@pytest.mark.parametrize("largest", [60, 500, 3_000, 20_000])
@pytest.mark.parametrize("seed", range(2))
def test_half_of_many_are_forgotten(sqlite: str, seed: int, largest: int) -> None:
    """Pages were split and merged while they came, in any order and size; some were replaced."""
    random = Random(seed)
    names = [(event, f"{random.getrandbits(32):08x}") for event in EVENTS for _ in range(100)]
    random.shuffle(names)
    gone = names[::2]

    async def story(store: Store) -> None:
        for event in EVENTS:
            await store.create(event, [b"1"], {}, b"")
        for event, name in [*names, *names[::3]]:
            await store.append(event, 1, [], {name: secret(name, random.randrange(20, largest))})
        there = bytes_of(sqlite)
        assert all(secret(name) in there for _, name in names)
        for event in EVENTS:
            await store.delete_private(event, [name for its_event, name in gone if its_event == event])
        left = bytes_of(sqlite)
        assert not [name for _, name in gone if secret(name) in left]
        assert all(secret(name) in left for _, name in names[1::2])

    told(sqlite, story)


def test_a_removed_event_leaves_no_private_entry(sqlite: str) -> None:
    async def story(store: Store) -> None:
        for event in EVENTS:
            await store.create(
                event, [b"1"], {f"{event} {n}": secret(f"{event} {n}") for n in range(50)}, b""
            )
        await store.remove_event(EVENTS[2])
        assert secret(f"{EVENTS[1]} 7") in bytes_of(sqlite)
        assert b"<secret event 2" not in bytes_of(sqlite)

    told(sqlite, story)


def test_readers_and_followers_are_not_in_the_way(sqlite: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {"ann": secret("ann")}, b"")
        following = asyncio.create_task(gathered(store, 2))
        await asyncio.gather(*(store.read_private(EVENT) for _ in range(10)))
        await store.delete_private(EVENT, ["ann"])
        assert secret("ann") not in bytes_of(sqlite)
        await store.append(EVENT, 1, [b"2"])
        assert await following == [b"1", b"2"]

    told(sqlite, story)


def test_two_who_forget_at_once_are_not_in_each_others_way(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as one, opened(sqlite) as other:
            names = [f"{n}" for n in range(60)]
            await one.create(EVENT, [b"1"], {name: secret(name) for name in names}, b"")
            for name, another in zip(names[::2], names[1::2], strict=True):
                await asyncio.gather(
                    one.delete_private(EVENT, [name]), other.delete_private(EVENT, [another])
                )
            assert b"<secret" not in bytes_of(sqlite)

    asyncio.run(story())


def test_a_program_in_the_way_is_told_of(sqlite: str) -> None:
    async def story() -> None:
        file = SqliteFile(sqlite, patience=0.05)
        file.prepare()
        store = SqliteStore(file)
        await store.create(EVENT, [b"1"], {"ann": secret("ann")}, b"")
        reader = apsw.Connection(sqlite)
        reader.execute("BEGIN; SELECT * FROM private")
        with pytest.raises(
            StoreError, match=r"deleted, but other programs .*; do it again when they have ended"
        ):
            await store.delete_private(EVENT, ["ann"])
        assert await store.read_private(EVENT) == {}
        reader.close()
        await store.delete_private(EVENT, ["ann"])
        assert secret("ann") not in bytes_of(sqlite)
        await store.close()

    asyncio.run(story())
