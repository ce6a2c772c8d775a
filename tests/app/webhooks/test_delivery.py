"""Every fact arrives, in order, signed, at least once: whatever stops meanwhile and starts again."""

from __future__ import annotations

import asyncio
import json
import random
from hashlib import sha256

import pytest

from tests.app.webhooks.delivery_helpers import (
    NOON,
    Time,
    append,
    delivering,
    facts,
    reached,
    told,
    without_gaps,
)
from tests.app.webhooks.receiver import receiving
from tests.store.store_helpers import EVENT, opened
from tests.tiers import effort
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import HookState, NoSuchHook, WebhookService
from topcut.client.webhook_signature import verified
from topcut.errors import BadInput
from topcut.store import NoSuchEvent


def test_what_is_sent(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver, delivering(store) as hooks:
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, secret = await hooks.add(EVENT, receiver.url, by="Mara", since=0)
            (first,) = await receiver.had(1)
            assert first.said == {"event": EVENT, "hook": hook.id, "first": 1, "last": 1, "facts": told(1, 1)}
            assert first.headers[":target"] == "POST /topcut?from=hall HTTP/1.1"
            assert first.headers["content-type"] == "application/json"
            assert first.headers["topcut-delivery"] == "cup/1-1"
            assert first.headers["host"] == f"127.0.0.1:{receiver.port}"
            assert verified(secret, first.headers, first.body, NOON.timestamp())
            assert not verified(secret, first.headers, first.body + b" ", NOON.timestamp())
            await append(store, 2, 4)
            await receiver.took(4)
            assert facts(2, 4)[2] in receiver.got[-1].body, "lines arrive as they stand"
            assert await reached(hooks, hook, 4) == HookState(position=4)
            ((there, _),) = await hooks.list_hooks(EVENT)
            assert there == hook
            assert (hook.by, hook.made, hook.url) == ("Mara", NOON, receiver.url)
            assert hook.begins == sha256(facts(1, 1)[0]).hexdigest()

    asyncio.run(story())


def test_where_it_begins(sqlite: str) -> None:
    async def story() -> None:
        async with (
            opened(sqlite) as store,
            receiving() as all_of_it,
            receiving() as some,
            receiving() as new,
            delivering(store) as hooks,
        ):
            await store.create(EVENT, facts(1, 5), {}, b"")
            await hooks.add(EVENT, all_of_it.url, "Mara", since=0)
            await hooks.add(EVENT, some.url, "Mara", since=3)
            await hooks.add(EVENT, new.url, "Mara")
            await append(store, 6, 7)
            assert await all_of_it.took(7) == told(1, 7)
            assert await some.took(4) == told(4, 7)
            assert await new.took(2) == told(6, 7)
            for wrong in (-1, 8):
                with pytest.raises(BadInput, match="since: expected a position from 0 to 7"):
                    await hooks.add(EVENT, new.url, "Mara", since=wrong)
            with pytest.raises(NoSuchEvent):
                await hooks.add("nothing", new.url, "Mara")

    asyncio.run(story())


def test_a_long_log_comes_in_parts(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver, delivering(store) as hooks:
            await store.create(EVENT, facts(1, 1_234), {}, b"")
            await hooks.add(EVENT, receiver.url, "Mara", since=0)
            assert await receiver.took(1_234) == told(1, 1_234)
            assert max(len(got.said["facts"]) for got in receiver.got) == 100
            assert [(got.said["first"], got.said["last"]) for got in receiver.got][:2] == [
                (1, 100),
                (101, 200),
            ]

    asyncio.run(story())


def test_large_facts_come_alone(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store, receiving() as receiver, delivering(store) as hooks:
            large = [json.dumps("x" * size).encode() for size in (9, 600_000, 600_000, 3_000_000, 9, 9)]
            await store.create(EVENT, large, {}, b"")
            await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await receiver.took(6)
            assert [len(got.said["facts"]) for got in receiver.got] == [2, 1, 1, 2]

    asyncio.run(story())


def test_an_event_with_a_name_from_elsewhere(sqlite: str) -> None:
    async def story() -> None:
        event = "kraków\r\nx: y/…"
        async with opened(sqlite) as store, receiving() as receiver, delivering(store) as hooks:
            await store.create(event, facts(1, 1), {}, b"")
            _, secret = await hooks.add(event, receiver.url, "Mara", since=0)
            (got,) = await receiver.had(1)
            assert got.said["event"] == event
            assert got.headers["topcut-delivery"] == "krak%C3%B3w%0D%0Ax%3A%20y%2F%E2%80%A6/1-1"
            assert verified(secret, got.headers, got.body, NOON.timestamp())

    asyncio.run(story())


def test_stopped_and_started_at_any_moment(url: str) -> None:
    """In the middle of a delivery, before and after it is taken, before and after that is kept."""

    async def story() -> None:
        lots = random.Random(5)
        async with opened(url) as store, receiving() as receiver:
            await store.create(EVENT, facts(1, 1), {}, b"")
            await WebhookService(store, Sender(allow_private=True), Time().environment).add(
                EVENT, receiver.url, "Mara", since=0
            )
            version = 1
            for _ in range(effort(5, 25, 200)):
                async with delivering(store):
                    new, before = lots.choice([1, 3, 150]), len(receiver.got)
                    await append(store, version + 1, version + new)
                    version += new
                    await receiver.had(before + 1)
                    for _ in range(lots.randrange(12)):
                        await asyncio.sleep(0)
            async with delivering(store) as hooks:
                ((hook, _),) = await hooks.list_hooks(EVENT)
                await reached(hooks, hook, version)
            deliveries = [got.said for got in receiver.got]
            assert without_gaps(deliveries)
            assert {fact["position"] for fact in receiver.taken} == set(range(1, version + 1))
            async with delivering(store) as hooks:
                await append(store, version + 1, version + 1)
                await reached(hooks, hook, version + 1)
            assert receiver.got[-1].said["facts"] == told(version + 1, version + 1), "the rest was kept"

    asyncio.run(story())


def test_a_replay(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving() as receiver, delivering(store) as hooks:
            await store.create(EVENT, facts(1, 5), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 5)
            await hooks.replay(EVENT, hook.id, since=2)
            assert await receiver.took(8) == told(1, 5) + told(3, 5)
            await hooks.replay(EVENT, hook.id, since=4)
            assert await receiver.took(9) == told(1, 5) + told(3, 5) + told(5, 5)
            await append(store, 6, 6)
            assert (await receiver.took(10))[9:] == told(6, 6)
            with pytest.raises(BadInput, match="0 to 6"):
                await hooks.replay(EVENT, hook.id, since=7)
            with pytest.raises(NoSuchHook):
                await hooks.replay(EVENT, "nothing", since=0)
            await reached(hooks, hook, 6)
            await hooks.close()
            async with delivering(store) as again:
                await append(store, 7, 7)
                await reached(again, hook, 7)
            assert receiver.taken[10:] == told(7, 7), "a replay is not begun again by a new start"

    asyncio.run(story())


def test_what_another_process_adds_replays_and_removes(url: str) -> None:
    async def story() -> None:
        async with (
            opened(url) as store,
            opened(url) as other,
            receiving() as receiver,
            delivering(store) as hooks,
        ):
            await store.create(EVENT, facts(1, 3), {}, b"")
            there = WebhookService(other, Sender(allow_private=True), Time().environment)
            hook, _ = await there.add(EVENT, receiver.url, "Lena", since=0)
            assert await receiver.took(3) == told(1, 3)
            await reached(hooks, hook, 3)
            await there.replay(EVENT, hook.id, since=0)
            assert await receiver.took(6) == told(1, 3) * 2
            await append(other, 4, 4)
            assert await receiver.took(7) == told(1, 3) * 2 + told(4, 4)
            await there.remove(EVENT, hook.id)
            assert await hooks.list_hooks(EVENT) == []
            with pytest.raises(NoSuchHook):
                await there.remove(EVENT, hook.id)

    asyncio.run(story())


def test_a_removed_webhook_hears_nothing_more(sqlite: str) -> None:
    async def story() -> None:
        async with (
            opened(sqlite) as store,
            receiving() as receiver,
            receiving() as other,
            delivering(store) as hooks,
        ):
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 1)
            await hooks.remove(EVENT, hook.id)
            await hooks.add(EVENT, other.url, "Mara", since=0)
            await other.took(1)  # whoever noticed the one has noticed the other
            await append(store, 2, 2)
            await other.took(2)
            assert receiver.taken == told(1, 1)
            for space in ("hook state", "hook replay"):
                await store.put_value(space, f"{EVENT}/{hook.id}", b"written by somebody who was late")
                await hooks.list_hooks(EVENT)
                assert not [key for key in await store.list_values(space, NOON) if hook.id in key]

    asyncio.run(story())
