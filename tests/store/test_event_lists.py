"""A list in pages: every event once, the newest first, and no page costs more than what is on it."""

from __future__ import annotations

import asyncio
from random import Random

import apsw

from tests.store.postgres_server import Server
from tests.store.store_helpers import told
from topcut.store import Store
from topcut.store.interface import LIST_EVENTS


async def some(store: Store, count: int) -> list[str]:
    """Events that were appended to in some order; the last one first."""
    names = [f"event {number}" for number in range(count)]
    await asyncio.gather(*(store.create(name, [b"1"], {}, b"") for name in names))
    Random(count).shuffle(names)
    for name in names:
        await store.append(name, 1, [b"2"])
    return names[::-1]


async def page(store: Store, before: int | None, limit: int | None) -> tuple[list[str], int | None]:
    """The events of a page, and where the next one begins."""
    listed = await store.list_events(before, limit)
    return [one.event for one in listed], listed[-1].touched if listed else None


def test_pages_are_the_list_cut_into_pieces(url: str) -> None:
    async def story(store: Store) -> None:
        everything = await some(store, 23)
        for size in (1, 7, 23, 24):
            found: list[str] = []
            pages, last = 0, None
            while True:
                names, last = await page(store, last, size)
                if not names:
                    break
                assert len(names) <= size
                found, pages = found + names, pages + 1
            assert found == everything
            assert pages == -(-23 // size)

    told(url, story)


def test_before_and_limit_are_there_for_themselves(url: str) -> None:
    async def story(store: Store) -> None:
        everything = await some(store, 5)
        listed = await store.list_events()
        assert [one.event for one in listed] == everything
        assert [one.touched for one in listed] == sorted({one.touched for one in listed}, reverse=True)
        assert await store.list_events(limit=2) == listed[:2]
        assert await store.list_events(limit=0) == []
        assert await store.list_events(before=listed[1].touched) == listed[2:]
        assert await store.list_events(before=listed[-1].touched) == []
        assert await store.list_events(before=listed[0].touched + 1) == listed

    told(url, story)


def test_an_event_that_is_touched_meanwhile_moves_to_the_front_and_hides_no_other(url: str) -> None:
    async def story(store: Store) -> None:
        everything = await some(store, 9)
        first, last = await page(store, None, 3)
        await store.append(first[0], 2, [b"3"])
        await store.append(everything[5], 2, [b"3"])
        rest, _ = await page(store, last, None)
        assert first == everything[:3]
        assert rest == [*everything[3:5], *everything[6:]]
        assert (await page(store, None, 2))[0] == [everything[5], first[0]]

    told(url, story)


def test_a_page_is_found_by_the_index(sqlite: str, postgres: str, server: Server) -> None:
    async def story(store: Store) -> None:
        for first in range(0, 1_000, 20):
            names = [f"event {number}" for number in range(first, first + 20)]
            await asyncio.gather(*(store.create(name, [], {}, b"x" * 200) for name in names))

    told(postgres, story)
    server.ask("ANALYZE", postgres)
    query = LIST_EVENTS.format(t="topcut_").replace("$1", "500").replace("$2", "20")
    plan = "\n".join(line for (line,) in server.ask(f"EXPLAIN {query}", postgres))
    assert "topcut_event_touched" in plan
    assert "Sort" not in plan
    told(sqlite, lambda store: store.list_events())
    connection = apsw.Connection(sqlite)
    (step,) = connection.execute(f"EXPLAIN QUERY PLAN {LIST_EVENTS.format(t='')}", (500, 20)).fetchall()
    assert "event_touched (touched<?)" in str(step[-1])
    connection.close()
