"""Many events have webhooks; each hears of its own, and of it only as long as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.app.webhooks.delivery_helpers import (
    NOON,
    Time,
    append,
    delivering,
    facts,
    reached,
    told,
)
from tests.app.webhooks.receiver import receiving
from tests.store.store_helpers import EVENT, opened
from tests.timeouts import PATIENCE
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import TooManyHooks, WebhookService


def test_the_webhooks_of_a_removed_event_are_removed(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver, delivering(store) as hooks:
            for event in (EVENT, "league"):
                await store.create(event, facts(1, 1), {}, b"")
                await hooks.add(event, receiver.url, "Mara", since=0)
            await receiver.took(2)
            await store.remove_event(EVENT)
            async with asyncio.timeout(PATIENCE):
                while await hooks.list_hooks(EVENT):
                    await asyncio.sleep(0.01)
            assert len(await hooks.list_hooks("league")) == 1
            assert list(await store.list_values("hook", NOON)) == [
                f"league/{(await hooks.list_hooks('league'))[0][0].id}"
            ]

    asyncio.run(story())


@pytest.mark.parametrize(
    "instead",
    [[], [b'"another"', *facts(2, 9)], facts(1, 4)],
    ids=["none", "another", "an older copy"],
)
def test_an_event_that_is_removed_while_nobody_delivers(url: str, instead: list[bytes]) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver:
            await store.create(EVENT, facts(1, 5), {}, b"")
            async with delivering(store) as hooks:
                hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
                await reached(hooks, hook, 5)
            await store.remove_event(EVENT)
            if instead:
                await store.create(EVENT, instead, {}, b"")
            async with delivering(store) as hooks, asyncio.timeout(PATIENCE):
                while await hooks.list_hooks(EVENT):
                    await asyncio.sleep(0.01)
            assert receiver.taken == told(1, 5), "what has its id now is none of its business"

    asyncio.run(story())


def test_a_hundred_events(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver, delivering(store) as hooks:
            events = [f"shop {number}" for number in range(100)]
            for event in events:
                await store.create(event, facts(1, 1), {}, b"")
                await hooks.add(event, receiver.url, "Mara", since=0)
            await asyncio.gather(*(append(store, 2, 4, event) for event in events))
            await receiver.took(400)
            assert len(receiver.taken) == 400
            for event in events:
                heard = [got.said for got in receiver.got if got.said["event"] == event]
                assert [fact for said in heard for fact in said["facts"]] == told(1, 4)

    asyncio.run(story())


def test_only_lively_events_are_followed_and_the_others_hear_all_the_same(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with opened(sqlite) as store, receiving() as receiver:
            added = []
            async with delivering(store) as hooks:
                for event in ("old", "older", "new"):
                    await store.create(event, facts(1, 1), {}, b"")
                    added.append((await hooks.add(event, receiver.url, "Mara", since=0))[0])
                for hook in added:
                    await reached(hooks, hook, 1)
                await append(store, 2, 2, "new")
                await reached(hooks, added[2], 2)
            followed: list[str] = []
            follow = store.follow

            def noted(event: str, after: int) -> AsyncIterator[list[bytes]]:
                followed.append(event)
                return follow(event, after)

            monkeypatch.setattr(store, "follow", noted)
            async with delivering(store, lively=1) as hooks:
                await append(store, 3, 3, "new")
                await reached(hooks, added[2], 3)
                assert set(followed) == {"new"}
                await append(store, 2, 2, "old")
                await reached(hooks, added[0], 2)
                await append(store, 2, 2, "older")
                await append(store, 4, 4, "new")
                await reached(hooks, added[1], 2)
                await reached(hooks, added[2], 4)

    asyncio.run(story())


def test_an_event_has_so_many_webhooks_and_no_more(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store:
            hooks = WebhookService(store, Sender(), Time().environment)
            await store.create(EVENT, facts(1, 1), {}, b"")
            for _ in range(20):
                await hooks.add(EVENT, "https://league.example/", "Mara")
            with pytest.raises(TooManyHooks, match="Event cup already has 20 webhooks"):
                await hooks.add(EVENT, "https://league.example/", "Mara")

    asyncio.run(story())
