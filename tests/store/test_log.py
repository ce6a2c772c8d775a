"""A log of facts: what is appended can be read, by one winner for each version, all of it or nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.store.store_helpers import EVENT, begun, gathered, log_of, told
from topcut.errors import TopcutError
from topcut.store import NoSuchEvent, Overtaken, Store, StoredEvent, StoreError


def shown(listed: StoredEvent) -> tuple[str, int, bytes]:
    """What a list says of an event, without when it was touched."""
    return listed.event, listed.version, listed.about


def test_facts_are_read_in_order(url: str) -> None:
    async def story(store: Store) -> None:
        assert await store.create(EVENT, [b"1", b"2"], {}, b"") == 2
        assert await store.append(EVENT, 2, [b"3", b"", b"\x00\xff"]) == 5
        assert await store.read(EVENT) == [b"1", b"2", b"3", b"", b"\x00\xff"]
        assert await store.read(EVENT, after=3) == [b"", b"\x00\xff"]
        assert await store.read(EVENT, after=5) == []
        assert await store.read_version(EVENT) == 5

    told(url, story)
    assert len(log_of(url)) == 5


def test_an_event_may_begin_without_facts(url: str) -> None:
    begun(url)
    assert told(url, lambda store: store.append(EVENT, 0, [b"1"])) == 1


def test_an_id_that_exists_is_refused(url: str) -> None:
    begun(url, b"1")
    with pytest.raises(StoreError, match=r'there is already an event "cup"; choose another id$'):
        begun(url, b"2")
    assert log_of(url) == [b"1"]


def test_what_is_not_there_is_named(url: str) -> None:
    async def story(store: Store) -> None:
        for asked in (
            store.read("no"),
            store.read_version("no"),
            store.read_private("no"),
            store.append("no", 0, [b"1"]),
            store.delete_private("no", ["key"]),
            store.remove_event("no"),
            gathered(store, 1, event="no"),
        ):
            with pytest.raises(NoSuchEvent, match='there is no event "no"') as refused:
                await asked
            assert isinstance(refused.value, TopcutError)
            assert refused.value.exit_code == 2
            assert refused.value.event == "no"

    told(url, story)


def test_whoever_is_late_is_told_the_newest_version(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1", b"2"], {}, b"")
        for expected in (0, 1, 3, 9):
            with pytest.raises(Overtaken) as refused:
                await store.append(EVENT, expected, [b"late"], {"key": b"late"}, b"late")
            assert (refused.value.event, refused.value.version) == (EVENT, 2)
        assert await store.read_private(EVENT) == {}
        assert [shown(listed) for listed in await store.list_events()] == [(EVENT, 2, b"")]

    told(url, story)


def test_every_version_has_one_winner(url: str) -> None:
    async def attempt(store: Store, expected: int, name: bytes) -> list[bytes]:
        try:
            await store.append(EVENT, expected, [name])
            return [name]
        except Overtaken:
            return []

    async def story(store: Store) -> None:
        await store.create(EVENT, [], {}, b"")
        won: list[bytes] = []
        for version in range(10):
            names = [b"%d by %d" % (version, rival) for rival in range(30)]
            for one in await asyncio.gather(*(attempt(store, version, name) for name in names)):
                won += one
        assert len(won) == 10
        assert await store.read(EVENT) == won

    told(url, story)


def test_one_refusal_does_not_hurt_others(url: str) -> None:
    async def story(store: Store) -> None:
        events = [f"event {number}" for number in range(40)]
        await asyncio.gather(*(store.create(event, [b"1"], {}, b"") for event in events))
        done = await asyncio.gather(
            *(store.append(event, 1 + number % 2, [b"2"]) for number, event in enumerate(events)),
            return_exceptions=True,
        )
        assert [answer == 2 for answer in done] == [True, False] * 20
        assert [len(await store.read(event)) for event in events] == [2, 1] * 20

    told(url, story)


def test_an_append_is_all_or_nothing(url: str) -> None:
    """The last private entry is one that the database does not take; by then the rest has been written."""
    wrong: dict[str, Any] = {"\0": b"no text"} if "://" in url else {"wrong": "no bytes"}

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {"key": b"old"}, b"old")
        good = asyncio.create_task(store.create("other", [b"1"], {}, b""))
        with pytest.raises(StoreError, match="refuses"):
            await store.append(EVENT, 1, [b"2", b"3"], {"key": b"new", **wrong}, b"new")
        assert await good == 1
        assert await store.read(EVENT) == [b"1"]
        assert await store.read_private(EVENT) == {"key": b"old"}
        assert await store.append(EVENT, 1, [b"2"]) == 2

    told(url, story)


def test_private_entries_are_beside_the_log(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {"ann": b"Ann", "ben": b"Ben"}, b"")
        await store.append(EVENT, 1, [], {"ben": b"Benjamin", "cat": b""})
        assert await store.read_private(EVENT) == {"ann": b"Ann", "ben": b"Benjamin", "cat": b""}
        await store.delete_private(EVENT, ["ann", "nobody"])
        assert await store.read_private(EVENT) == {"ben": b"Benjamin", "cat": b""}
        assert await store.read(EVENT) == [b"1"]

    told(url, story)


def test_the_list_begins_with_the_newest(url: str) -> None:
    async def story(store: Store) -> None:
        assert await store.list_events() == []
        for event in ("a", "b", "c"):
            await store.create(event, [b"1"], {}, event.encode())
        await store.append("a", 1, [b"2"], about=b"A")
        await store.append("b", 1, [b"2", b"3"])
        found = await store.list_events()
        assert [shown(listed) for listed in found] == [("b", 3, b"b"), ("a", 2, b"A"), ("c", 1, b"c")]

    told(url, story)


def test_a_removed_event_is_gone_and_its_id_free(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {"key": b"value"}, b"")
        await store.create("other", [b"1"], {}, b"")
        await store.remove_event(EVENT)
        assert [listed.event for listed in await store.list_events()] == ["other"]
        await store.create(EVENT, [b"new"], {}, b"")
        assert await store.read(EVENT) == [b"new"]
        assert await store.read_private(EVENT) == {}

    told(url, story)


def test_a_large_fact(url: str) -> None:
    fact = b"x" * 3_000_000
    begun(url, fact)
    assert log_of(url) == [fact]


def test_a_closed_store_says_so(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        await store.close()
        with pytest.raises(StoreError, match="is already closed"):
            await store.read(EVENT)
        with pytest.raises(StoreError, match="is already closed"):
            await store.append(EVENT, 1, [b"2"])

    told(url, story)


def test_an_event_that_is_made_while_somebody_looks_is_there_or_not(url: str) -> None:
    """Never without the facts it was made with."""

    async def look(store: Store, name: str) -> list[bytes] | None:
        try:
            return await store.read(name)
        except NoSuchEvent:
            return None

    async def story(store: Store) -> None:
        for number in range(60):
            name = f"event {number}"
            looks = [look(store, name) for _ in range(4)]
            found = await asyncio.gather(store.create(name, [b"1"], {}, b""), *looks)
            assert all(one in (None, [b"1"]) for one in found[1:])

    told(url, story)
