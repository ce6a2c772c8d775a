"""Values that belong to no event: put, found until their time is over, deleted once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import apsw
import pytest

from tests.store.contending_process import NOW
from tests.store.postgres_server import Server
from tests.store.store_helpers import EVENT, opened, program, told
from topcut.store import Store, StoreError
from topcut.store.interface import EXPIRE, to_microseconds

LATER = NOW + timedelta(hours=1)
MOMENT = timedelta(microseconds=1)
ANYTHING = b"\x00\xff any bytes"


def test_a_value_is_put_replaced_and_deleted(url: str) -> None:
    async def story(store: Store) -> None:
        assert await store.get_value("session", "ann", NOW) is None
        await store.put_value("session", "ann", ANYTHING)
        assert await store.get_value("session", "ann", NOW) == ANYTHING
        await store.put_value("session", "ann", b"")
        assert await store.get_value("session", "ann", NOW) == b""
        await store.delete_value("session", "ann")
        await store.delete_value("session", "nobody")
        assert await store.get_value("session", "ann", NOW) is None

    told(url, story)


def test_spaces_and_events_have_nothing_to_do_with_each_other(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {"ann": b"private"}, b"")
        await store.put_value("session", "ann", b"1")
        await store.put_value("session", "ben", b"2")
        await store.put_value("link", "ann", b"3")
        assert await store.list_values("session", NOW) == {"ann": b"1", "ben": b"2"}
        assert await store.list_values("link", NOW) == {"ann": b"3"}
        assert await store.list_values("nothing", NOW) == {}
        await store.delete_value("session", "ann")
        await store.remove_event(EVENT)
        assert await store.get_value("link", "ann", NOW) == b"3"

    told(url, story)


def test_a_value_is_there_until_its_time(url: str) -> None:
    async def story(store: Store) -> None:
        elsewhere = LATER.astimezone(timezone(timedelta(hours=9)))
        await store.put_value("link", "ann", b"Ann", until=elsewhere)
        for now, there in ((NOW, True), (LATER - MOMENT, True), (LATER, False), (LATER + MOMENT, False)):
            assert await store.get_value("link", "ann", now) == (b"Ann" if there else None)
            assert await store.list_values("link", now) == ({"ann": b"Ann"} if there else {})
        assert await store.take_value("link", "ann", LATER) is None
        assert await store.take_value("link", "ann", NOW) is None, "whoever came too late has deleted it"

    told(url, story)


def test_a_new_time_takes_the_place_of_the_old_one(url: str) -> None:
    async def story(store: Store) -> None:
        await store.put_value("session", "ann", b"1", until=NOW)
        await store.put_value("session", "ann", b"2", until=LATER)
        assert await store.get_value("session", "ann", NOW) == b"2"
        await store.put_value("session", "ann", b"3")
        assert await store.get_value("session", "ann", LATER) == b"3"

    told(url, story)


def test_a_time_without_a_zone_is_a_mistake_of_the_caller(url: str) -> None:
    local = NOW.replace(tzinfo=None)

    async def story(store: Store) -> None:
        for asked in (
            store.put_value("link", "ann", b"Ann", until=local),
            store.put_value("link", "ann", b"Ann", now=local),
            store.get_value("link", "ann", local),
            store.list_values("link", local),
            store.take_value("link", "ann", local),
        ):
            with pytest.raises(TypeError):
                await asked
        assert await store.list_values("link", NOW) == {}

    told(url, story)


def test_expired_values_are_deleted_in_passing(url: str) -> None:
    """Looking for them as of an earlier time shows whether they are still there."""
    before = NOW - timedelta(days=1)

    async def story(store: Store) -> None:
        await store.put_value("link", "old", b"1", until=NOW)
        await store.put_value("session", "old", b"2", until=NOW - MOMENT)
        await store.put_value("session", "new", b"3", until=NOW + MOMENT)
        await store.put_value("session", "always", b"4")
        assert await store.get_value("link", "old", before) == b"1"
        await store.put_value("session", "another", b"5", until=LATER, now=NOW)
        assert await store.list_values("link", before) == {}
        assert set(await store.list_values("session", before)) == {"new", "always", "another"}
        await store.put_value("session", "new", b"6", until=NOW, now=LATER)
        assert set(await store.list_values("session", before)) == {"always"}

    told(url, story)


def test_values_that_have_not_expired_are_not_looked_at(sqlite: str, postgres: str, server: Server) -> None:
    async def story(store: Store) -> None:
        await asyncio.gather(
            *(store.put_value("session", str(n), b"x" * 99, until=LATER + n * MOMENT) for n in range(1_500))
        )

    told(postgres, story)
    server.ask("ANALYZE", postgres)
    query = EXPIRE.format(t="topcut_").replace("$1", str(to_microseconds(NOW)))
    plan = "\n".join(line for (line,) in server.ask(f"EXPLAIN {query}", postgres))
    assert "topcut_kept_until" in plan
    told(sqlite, lambda store: store.put_value("session", "one", b"x"))
    connection = apsw.Connection(sqlite)
    (step,) = connection.execute("EXPLAIN QUERY PLAN DELETE FROM kept WHERE until <= 0").fetchall()
    assert "kept_until" in str(step[-1])
    connection.close()


def test_of_many_who_take_a_value_at_once_one_gets_it(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, opened(url) as other:
            for turn in range(10):
                await store.put_value("link", "ann", b"%d" % turn, until=LATER)
                takers = [(store, other)[number % 2].take_value("link", "ann", NOW) for number in range(20)]
                got = await asyncio.gather(*takers)
                assert sorted(got, key=bool) == [None] * 19 + [b"%d" % turn]
                assert await store.get_value("link", "ann", NOW) is None

    asyncio.run(story())


def test_all_who_make_what_is_missing_get_the_same(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, opened(url) as other:
            for turn in range(10):
                makers = [
                    (store, other)[number % 2].put_value_once("secret", str(turn), b"%d" % number)
                    for number in range(20)
                ]
                (there,) = set(await asyncio.gather(*makers))
                assert await store.get_value("secret", str(turn), NOW) == there
                assert await other.put_value_once("secret", str(turn), b"late") == there
                await store.delete_value("secret", str(turn))
                assert await other.put_value_once("secret", str(turn), b"late") == b"late"

    asyncio.run(story())


def test_programs_are_after_the_same_values(url: str) -> None:
    count = 200

    async def begin(store: Store) -> None:
        await asyncio.gather(*(store.put_value("link", str(number), b"x") for number in range(count)))

    told(url, begin)
    programs = [program("contending_process", url, name, str(count)) for name in ("Ada", "Bo", "Cy")]
    said = [running.communicate()[0].splitlines() for running in programs]
    first = [[line for line in lines if line.startswith("first")] for lines in said]
    assert len(first[0]) == count
    assert first[0] == first[1] == first[2]
    taken = [line for lines in said for line in lines if line.startswith("taken")]
    assert sorted(taken) == sorted(f"taken {number}" for number in range(count))


def test_it_is_there_when_the_database_is_opened_again(url: str) -> None:
    async def before(store: Store) -> None:
        await store.put_value("session", "ann", ANYTHING, until=LATER)
        await store.put_value_once("secret", "key", b"secret")
        await store.put_value("link", "ben", b"Ben")
        await store.take_value("link", "ben", NOW)

    async def after(store: Store) -> None:
        assert await store.get_value("session", "ann", NOW) == ANYTHING
        assert await store.get_value("session", "ann", LATER) is None
        assert await store.put_value_once("secret", "key", b"another") == b"secret"
        assert await store.list_values("link", NOW) == {}

    told(url, before)
    told(url, after)


def test_the_distant_past_and_future(url: str) -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

    async def story(store: Store) -> None:
        await store.put_value("link", "ann", b"Ann", until=last, now=first)
        assert (
            await store.get_value("link", "ann", first) == await store.get_value("link", "ann", NOW) == b"Ann"
        )
        assert await store.get_value("link", "ann", last) is None

    told(url, story)


def test_a_closed_store_keeps_nothing(url: str) -> None:
    async def story(store: Store) -> None:
        await store.close()
        for asked in (
            store.put_value("link", "ann", b"Ann"),
            store.put_value_once("link", "ann", b"Ann"),
            store.get_value("link", "ann", NOW),
            store.list_values("link", NOW),
            store.take_value("link", "ann", NOW),
            store.delete_value("link", "ann"),
        ):
            with pytest.raises(StoreError, match="is already closed"):
                await asked

    told(url, story)
