"""A receipt is written with what it is for, or neither is; where there is one, nothing is done again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.store.contending_process import NOW
from tests.store.store_helpers import EVENT, log_of, opened, told
from topcut.store import NoSuchEvent, Overtaken, Receipt, Repeated, Store, StoreError
from topcut.store.interface import DELETE_VALUE
from topcut.store.postgres import store as postgres_store

LATER = NOW + timedelta(hours=1)
ASKED = Receipt("asked", "one", b"\x00\xff done", LATER)


async def everything(store: Store) -> object:
    """All that there is."""
    listed = await store.list_events()
    logs = [(await store.read(one.event), await store.read_private(one.event)) for one in listed]
    return listed, logs, await store.list_values("asked", NOW), await store.list_values("asked", LATER)


async def refused(asked: Awaitable[int]) -> bytes:
    """What the receipt says that was there."""
    with pytest.raises(Repeated) as repeated:
        await asked
    return repeated.value.value


def test_it_is_there_with_what_was_written(url: str) -> None:
    async def before(store: Store) -> None:
        made = replace(ASKED, key="made")
        assert await store.create(EVENT, [b"1"], {}, b"", [made]) == 1
        assert await store.append(EVENT, 1, [b"2", b"3"], {"ann": b"Ann"}, b"new", [ASKED]) == 3

    async def after(store: Store) -> None:
        assert await store.list_values("asked", NOW) == {"made": ASKED.value, "one": ASKED.value}
        assert await store.get_value("asked", "one", LATER) is None
        assert await store.read(EVENT) == [b"1", b"2", b"3"]

    told(url, before)
    told(url, after)


def test_where_there_is_one_nothing_is_written(url: str) -> None:
    """Whatever is asked, at whichever version, of whichever event, and though its time is over."""
    again = Receipt("asked", "one", b"another", LATER + timedelta(days=1))

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        await store.create("other", [b"1"], {}, b"")
        for until in (LATER, NOW - timedelta(days=1)):
            await store.put_value("asked", "one", b"first", until)
            before = await everything(store)
            for asked in (
                store.append(EVENT, 1, [b"2"], {"ann": b"Ann"}, b"new", [again]),
                store.append(EVENT, 0, [b"2"], {"ann": b"Ann"}, b"new", [again]),
                store.append(EVENT, 1, [], {"ann": b"Ann"}, None, [again]),
                store.append("other", 1, [b"2"], receipts=[again]),
                store.append("nothing", 1, [b"2"], receipts=[again]),
                store.create(EVENT, [b"1"], {}, b"", [again]),
                store.create("new", [b"1"], {}, b"", [again]),
            ):
                assert await refused(asked) == b"first"
            assert await everything(store) == before

    told(url, story)


def test_another_key_or_space_is_another_receipt(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [], {}, b"", [ASKED])
        assert await store.append(EVENT, 0, [b"1"], receipts=[replace(ASKED, key="two")]) == 1
        assert await store.append(EVENT, 1, [b"2"], receipts=[replace(ASKED, space="else")]) == 2
        assert await refused(store.append(EVENT, 2, [b"3"], receipts=[ASKED])) == ASKED.value

    told(url, story)


def test_whoever_is_refused_gets_none(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        with pytest.raises(Overtaken) as overtaken:
            await store.append(EVENT, 0, [b"late"], receipts=[ASKED])
        assert overtaken.value.version == 1
        with pytest.raises(NoSuchEvent):
            await store.append("nothing", 0, [b"1"], receipts=[ASKED])
        with pytest.raises(StoreError, match="already"):
            await store.create(EVENT, [b"new"], {}, b"", [ASKED])
        assert await store.list_values("asked", NOW) == {}
        assert await store.append(EVENT, 1, [b"2"], receipts=[ASKED]) == 2

    told(url, story)


def test_facts_and_receipt_are_all_or_nothing(url: str) -> None:
    """First a private entry and then the receipt is one that the database does not take."""
    bad: Any = "no bytes"
    wrong = replace(ASKED, key="\0") if "://" in url else replace(ASKED, value=bad)
    private = {"\0": b"no text"} if "://" in url else {"wrong": bad}

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        before = await everything(store)
        for asked in (
            store.append(EVENT, 1, [b"2"], private, b"new", [ASKED]),
            store.create("new", [b"2"], private, b"new", [ASKED]),
            store.append(EVENT, 1, [b"2"], {"ann": b"Ann"}, b"new", [wrong]),
            store.create("new", [b"2"], {"ann": b"Ann"}, b"new", [wrong]),
        ):
            good = asyncio.create_task(store.create("other", [b"1"], {}, b""))
            with pytest.raises(StoreError, match="refuses"):
                await asked
            assert await good == 1
            await store.remove_event("other")
        assert await everything(store) == before
        assert await store.append(EVENT, 1, [b"2"], receipts=[ASKED]) == 2

    told(url, story)


def test_a_time_without_a_zone_is_a_mistake_of_the_caller(url: str) -> None:
    local = replace(ASKED, until=NOW.replace(tzinfo=None))

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        before = await everything(store)
        for asked in (
            store.append(EVENT, 1, [b"2"], receipts=[local]),
            store.create("new", [b"1"], {}, b"", [local]),
        ):
            with pytest.raises(TypeError):
                await asked
        assert await everything(store) == before

    told(url, story)


def test_once_it_is_deleted_the_same_can_be_done_again(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"", [ASKED])
        await store.delete_value("asked", "one")
        assert await store.append(EVENT, 1, [b"2"], receipts=[ASKED]) == 2
        await store.put_value("session", "ann", b"Ann", now=LATER)
        assert await store.append(EVENT, 2, [b"3"], receipts=[ASKED]) == 3

    told(url, story)


def test_one_that_is_deleted_while_somebody_looks_at_it(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was in the way; then it is not there to be read."""
    found = postgres_store.get_value
    looks = 0

    async def gone_at_first(connection: Any, *given: Any) -> bytes | None:
        nonlocal looks
        looks += 1
        if looks == 1:
            await connection.execute(DELETE_VALUE.format(t="topcut_"), "asked", "one")
        return await found(connection, *given)

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"", [ASKED])
        monkeypatch.setattr(postgres_store, "get_value", gone_at_first)
        assert await store.append(EVENT, 1, [b"2"], receipts=[replace(ASKED, value=b"new")]) == 2
        assert await store.get_value("asked", "one", NOW) == b"new"

    told(postgres, story)
    assert looks == 1
    assert log_of(postgres) == [b"1", b"2"]


Asking = Callable[[Store, str, Receipt], Awaitable[int]]


async def attempt(asked: Awaitable[int], name: bytes) -> tuple[str, bytes]:
    """How it ended, and for whom it was done."""
    try:
        await asked
    except Repeated as repeated:
        return "repeated", repeated.value
    except Overtaken:
        return "overtaken", name
    return "done", name


@pytest.mark.parametrize(
    "ask",
    [
        lambda store, event, mine: store.append(EVENT, 0, [mine.value], receipts=[mine]),
        lambda store, event, mine: store.append(event, 0, [mine.value], receipts=[mine]),
        lambda store, event, mine: store.create(f"new {event}", [mine.value], {}, b"", [mine]),
    ],
    ids=["of one event", "of many events", "new events"],
)
def test_of_many_who_do_the_same_at_once_one_does_it(url: str, ask: Asking) -> None:
    async def story() -> None:
        async with opened(url) as store, opened(url) as other:
            for event in [EVENT, *map(str, range(20))]:
                await store.create(event, [], {}, b"")
            names = [b"%d" % number for number in range(20)]
            done = await asyncio.gather(
                *(
                    attempt(
                        ask((store, other)[number % 2], str(number), replace(ASKED, value=name)),
                        name,
                    )
                    for number, name in enumerate(names)
                )
            )
            (winner,) = [name for how, name in done if how == "done"]
            assert {name for how, name in done if how == "repeated"} == {winner}
            assert [how for how, _ in done].count("repeated") == 19
            logs = [await store.read(listed.event) for listed in await store.list_events()]
            assert [log for log in logs if log] == [[winner]]

    asyncio.run(story())


def test_one_that_is_repeated_does_not_hurt_others(url: str) -> None:
    async def story(store: Store) -> None:
        await store.put_value("asked", "even", b"")
        events = [f"event {number}" for number in range(40)]
        await asyncio.gather(*(store.create(event, [b"1"], {}, b"") for event in events))
        receipts = [replace(ASKED, key=str(n) if n % 2 else "even") for n in range(40)]
        done = await asyncio.gather(
            *(
                store.append(event, 1, [b"2"], receipts=[mine])
                for event, mine in zip(events, receipts, strict=True)
            ),
            return_exceptions=True,
        )
        assert [isinstance(answer, Repeated) for answer in done] == [True, False] * 20
        assert [len(await store.read(event)) for event in events] == [1, 2] * 20

    told(url, story)
