"""A follower gets every fact once and in order, whoever writes and whatever breaks meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from tests.store.postgres_server import Server, ask
from tests.store.store_helpers import EVENT, begun, gathered, insist, log_of, opened, program, told
from tests.timeouts import PATIENCE
from topcut.store import NoSuchEvent, Store, open_store


def facts(first: int, last: int) -> list[bytes]:
    """Facts that say their position."""
    return [b"%d" % position for position in range(first, last + 1)]


def test_what_is_there_and_what_comes(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, facts(1, 3), {}, b"")
        everything = asyncio.create_task(gathered(store, 53))
        newest = asyncio.create_task(gathered(store, 53, after=3))
        later = asyncio.create_task(gathered(store, 53, after=20))
        for position in range(4, 54):
            await store.append(EVENT, position - 1, facts(position, position))
        assert await everything == facts(1, 53)
        assert await newest == facts(4, 53)
        assert await later == facts(21, 53)

    told(url, story)


def test_a_long_log_comes_in_batches(url: str) -> None:
    begun(url, *facts(1, 5_500))

    async def story(store: Store) -> list[int]:
        sizes: list[int] = []
        async for batch in store.follow(EVENT, 0):
            sizes.append(len(batch))
            if sum(sizes) == 5_500:
                break
        return sizes

    assert max(told(url, story)) <= 1_000
    assert told(url, lambda store: gathered(store, 5_500)) == facts(1, 5_500)


def test_news_of_other_events_is_not_mixed_in(url: str) -> None:
    async def story(store: Store) -> None:
        events = [f"event {number}" for number in range(5)]
        for event in events:
            await store.create(event, [], {}, b"")
        following = [asyncio.create_task(gathered(store, 20, event=event)) for event in events]
        for version in range(20):
            for event in events:
                await store.append(event, version, [f"{event} {version}".encode()])
        for event, found in zip(events, await asyncio.gather(*following), strict=True):
            assert found == [f"{event} {version}".encode() for version in range(20)]

    told(url, story)


def test_another_program_writes(url: str) -> None:
    begun(url)

    async def story(store: Store) -> list[bytes]:
        following = asyncio.create_task(gathered(store, 300))
        with program("writer_process", url, "other", "300", "1", "1") as writer:
            found = await asyncio.wait_for(following, PATIENCE)
            await asyncio.to_thread(writer.communicate)
        return found

    assert told(url, story) == log_of(url) == [b"other0 %d 1/1" % number for number in range(300)]


def test_following_ends_with_the_store(url: str) -> None:
    async def story() -> None:
        store = await open_store(url)
        await store.create(EVENT, [b"1"], {}, b"")
        came = asyncio.Event()
        following = asyncio.create_task(gathered(store, 5, came=came))
        await came.wait()
        await store.close()
        assert await following == [b"1"]

    asyncio.run(story())


def test_following_ends_with_a_store_whose_server_is_away(server: Server, postgres: str) -> None:
    async def story() -> None:
        store = await open_store(postgres)
        await store.create(EVENT, [b"1"], {}, b"")
        stream = store.follow(EVENT, 0)
        assert await anext(stream) == [b"1"]
        await asyncio.to_thread(server.stop)
        try:
            following = asyncio.ensure_future(anext(stream, b"the end"))
            await asyncio.sleep(0.2)
            await store.close()
            assert await following == b"the end"
        finally:
            await asyncio.to_thread(server.start)

    asyncio.run(story())


def test_following_ends_with_the_event(url: str) -> None:
    """Here it is removed by another store, and its id is given to a new event."""

    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        came = asyncio.Event()
        following = asyncio.create_task(gathered(store, 5, came=came))
        await came.wait()
        async with opened(url) as other:
            await other.remove_event(EVENT)
            await other.create(EVENT, [b"new", b"new"], {}, b"")
        with pytest.raises(NoSuchEvent):
            await asyncio.wait_for(following, PATIENCE)

    told(url, story)


def test_a_follower_may_leave_and_another_come(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [b"1"], {}, b"")
        async with opened(url) as other:
            for version in range(1, 6):
                following = asyncio.create_task(gathered(store, version + 1))
                await asyncio.sleep(0.03)
                await other.append(EVENT, version, [b"%d" % (version + 1)])
                assert await asyncio.wait_for(following, PATIENCE) == facts(1, version + 1)
                await asyncio.sleep(0.03)

    told(url, story)


async def hang_up(url: str) -> None:
    """Ends the connection that listens, once there is one."""
    query = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'
    """
    while not await ask(url, query):
        await asyncio.sleep(0.01)


def test_a_listener_whose_connection_breaks_four_times(postgres: str) -> None:
    """What comes while nobody listens is not told later: the follower has to look by itself."""

    async def story(store: Store) -> None:
        await store.create(EVENT, [], {}, b"")
        following = asyncio.create_task(gathered(store, 200))
        async with opened(postgres) as other:
            for first in (1, 41, 81, 121):
                for position in range(first, first + 39):
                    await other.append(EVENT, position - 1, facts(position, position))
                waiting = asyncio.create_task(gathered(store, first + 39, after=first + 38))
                await hang_up(postgres)
                await other.append(EVENT, first + 38, facts(first + 39, first + 39))
                assert await asyncio.wait_for(waiting, PATIENCE) == facts(first + 39, first + 39)
            await other.append(EVENT, 160, facts(161, 200))
        assert await asyncio.wait_for(following, PATIENCE) == facts(1, 200)

    told(postgres, story)


def test_a_server_that_is_restarted(server: Server, postgres: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, facts(1, 5), {}, b"")
        following = asyncio.create_task(gathered(store, 40))
        for version in (5, 15, 25):
            restart = asyncio.create_task(asyncio.to_thread(server.restart))
            await store.append(EVENT, version, facts(version + 1, version + 10))
            await restart
        await store.append(EVENT, 35, facts(36, 40))
        assert await asyncio.wait_for(following, PATIENCE) == facts(1, 40)
        assert await store.read(EVENT) == facts(1, 40)

    told(postgres, story)


def test_many_who_write_and_follow_at_once(url: str) -> None:
    async def story(store: Store) -> None:
        await store.create(EVENT, [], {}, b"")
        following = [asyncio.create_task(gathered(store, 100)) for _ in range(20)]
        await asyncio.gather(*(insist(store, [b"%d" % number], 0) for number in range(100)))
        log = await store.read(EVENT)
        assert sorted(log, key=int) == facts(0, 99)
        assert await asyncio.gather(*following) == [log] * 20

    told(url, story)
