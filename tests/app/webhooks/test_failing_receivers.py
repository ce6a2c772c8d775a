"""Receivers that fail, are slow, say too much, or send us elsewhere: tried again, given up, kept apart."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from tests.app.webhooks.delivery_helpers import (
    NOON,
    Time,
    append,
    delivering,
    facts,
    reached,
    state_of,
    stopped,
    told,
)
from tests.app.webhooks.receiver import receiving
from tests.store.store_helpers import EVENT, opened
from topcut.app.webhooks.post import AT_ONCE, DeliveryOutcome, Sender
from topcut.app.webhooks.webhooks import (
    FEWEST,
    GIVE_UP,
    DeliveryEnvironment,
    HookState,
    NoSuchHook,
    WebhookService,
    record_failure,
)
from topcut.client.webhook_signature import verified
from topcut.text.messages import Message


def test_what_fails_is_sent_again_and_later_each_time(url: str) -> None:
    async def story() -> None:
        time = Time()
        async with (
            opened(url) as store,
            receiving(500, "drop", 404, 302, 503, 429) as receiver,
            delivering(store, time) as hooks,
        ):
            await store.create(EVENT, facts(1, 3), {}, b"")
            hook, secret = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            assert await reached(hooks, hook, 3) == HookState(position=3)
            assert time.waits == [1, 2, 4, 8, 16, 32]
            assert [got.said["facts"] for got in receiver.got] == [told(1, 3)] * 7
            last = receiver.got[-1]
            assert verified(secret, last.headers, last.body, time.now.timestamp(), tolerance=0)
            assert last.headers["topcut-timestamp"] == f"{NOON.timestamp() + 63:.0f}", (
                "each try is signed anew"
            )
            await append(store, 4, 4)
            await receiver.took(4)
            assert time.waits == [1, 2, 4, 8, 16, 32], "after a success everything is as before"

    asyncio.run(story())


def test_what_is_kept_of_failing(sqlite: str) -> None:
    async def story() -> None:
        time, again = Time(), asyncio.Event()

        async def wait(seconds: float) -> None:
            await again.wait()

        async with opened(sqlite) as store, receiving() as receiver:
            receiver.always = 500
            hooks = WebhookService(
                store,
                Sender(allow_private=True),
                DeliveryEnvironment(time.environment.clock, wait, lambda: 0.0, look=0.05),
            )
            await hooks.begin()
            await store.create(EVENT, facts(1, 3), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=1)
            await receiver.had(1)
            while not (state := await state_of(hooks, hook)).tries:
                await asyncio.sleep(0.01)
            assert state == HookState(
                position=1, failing_since=NOON, tries=1, last_error=Message("answered 500")
            )
            await hooks.close()
            receiver.always = 200
            async with delivering(store, time) as hooks:
                assert await reached(hooks, hook, 3) == HookState(position=3), "a new start tries at once"
            assert time.waits == []

    asyncio.run(story())


def test_no_answer_in_time(sqlite: str) -> None:
    async def story() -> None:
        time = Time()
        async with (
            opened(sqlite) as store,
            receiving("hang", "hang") as receiver,
            delivering(store, time, within=0.2) as hooks,
        ):
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 1)
            assert len(receiver.got) >= 3, "a slow machine may need more"
            receiver.always = "hang"
            outcome = await hooks.test(EVENT, hook.id)
            assert outcome == DeliveryOutcome(None, "no answer within 0.2 seconds")

    asyncio.run(story())


def test_nobody_listens(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store:
            async with receiving() as receiver:
                nobody = receiver.url
            hooks = WebhookService(store, Sender(allow_private=True), Time().environment)
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, nobody, "Mara")
            outcome = await hooks.test(EVENT, hook.id)
            assert outcome.status is None
            assert outcome.problem.startswith("cannot be reached")

    asyncio.run(story())


def test_a_receiver_that_is_gone_is_left_alone(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store, receiving(410) as receiver, delivering(store) as hooks:
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            state = await stopped(hooks, hook)
            assert state == HookState(
                position=0, failing_since=NOON, tries=1, last_error=Message("answered 410"), stopped=True
            )
            await append(store, 2, 2)
            await hooks.close()
            async with delivering(store) as again:
                assert await state_of(again, hook) == state, "also after a new start"
                await again.replay(EVENT, hook.id, since=0)
                assert await receiver.took(2) == told(1, 2)
                assert (await reached(again, hook, 2)).stopped is False
            assert len(receiver.got) == 2

    asyncio.run(story())


def test_a_receiver_that_is_away_for_three_days_is_given_up(sqlite: str) -> None:
    async def story() -> None:
        time = Time()
        async with opened(sqlite) as store:
            async with receiving() as receiver:
                nobody = receiver.url
            async with delivering(store, time) as hooks:
                await store.create(EVENT, facts(1, 1), {}, b"")
                hook, _ = await hooks.add(EVENT, nobody, "Mara", since=0)
                state = await stopped(hooks, hook)
            assert state.last_error.startswith("cannot be reached")
            assert state.failing_since == NOON
            assert state.position == 0
            assert GIVE_UP <= time.now - NOON <= GIVE_UP + timedelta(minutes=10)
            assert max(time.waits) == 600
            assert state.tries == len(time.waits) + 1

    asyncio.run(story())


def test_a_laptop_that_was_closed_for_a_week_has_not_tried_for_a_week() -> None:
    failing = record_failure(HookState(position=5), DeliveryOutcome(500, "answered 500"), NOON)
    later = record_failure(failing, DeliveryOutcome(500, "answered 500"), NOON + timedelta(days=7))
    assert (later.tries, later.stopped) == (2, False)
    for _ in range(FEWEST):
        later = record_failure(later, DeliveryOutcome(500, "answered 500"), NOON + timedelta(days=7))
    assert later.stopped


def test_waits_are_spread_by_chance(sqlite: str) -> None:
    async def story() -> None:
        time = Time()
        environment = DeliveryEnvironment(time.environment.clock, time.sleep, chance=lambda: 0.0)
        async with opened(sqlite) as store, receiving(500, 500) as receiver:
            hooks = WebhookService(store, Sender(allow_private=True), environment)
            await hooks.begin()
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 1)
            await hooks.close()
            assert time.waits == [0.5, 1.0]

    asyncio.run(story())


def test_a_slow_receiver_holds_up_nobody(url: str) -> None:
    async def story() -> None:
        async with (
            opened(url) as store,
            receiving() as slow,
            receiving() as quick,
            delivering(store) as hooks,
        ):
            slow.always = "hang"
            await store.create(EVENT, facts(1, 1), {}, b"")
            await hooks.add(EVENT, slow.url, "Mara", since=0)
            await slow.had(1)
            await hooks.add(EVENT, quick.url, "Mara", since=0)
            for position in range(2, 12):
                await append(store, position, position)
                await quick.took(position)
            assert quick.taken == told(1, 11)
            assert len(slow.got) == 1

    asyncio.run(story())


def test_only_so_many_deliveries_are_under_way(sqlite: str) -> None:
    async def story() -> None:
        post, go = Sender(allow_private=True, within=60), asyncio.Event()

        async def wait() -> int:
            await go.wait()
            return 200

        async with receiving() as receiver:
            receiver.always = wait
            sending = [asyncio.create_task(post.send(receiver.url, {}, b'{"facts":[]}')) for _ in range(60)]
            await receiver.had(AT_ONCE)
            for _ in range(200):
                await asyncio.sleep(0)
            assert len(receiver.got) == AT_ONCE
            go.set()
            assert await asyncio.gather(*sending) == [DeliveryOutcome(200)] * 60
        await post.close()

    asyncio.run(story())


def test_redirects_are_not_followed(sqlite: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store, receiving() as elsewhere, receiving() as receiver:
            receiver.always = elsewhere.url
            hooks = WebhookService(store, Sender(allow_private=True), Time().environment)
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            outcome = await hooks.test(EVENT, hook.id)
            assert outcome == DeliveryOutcome(302, "answered 302: redirects are not followed")
            assert elsewhere.got == []
            await hooks.close()

    asyncio.run(story())


@pytest.mark.parametrize("answer", ["endless", "drip"])
def test_answers_without_an_end_are_cut_off(sqlite: str, answer: str) -> None:
    async def story() -> None:
        async with opened(sqlite) as store, receiving() as receiver, delivering(store) as hooks:
            receiver.always = answer
            await store.create(EVENT, facts(1, 1), {}, b"")
            hook, _ = await hooks.add(EVENT, receiver.url, "Mara", since=0)
            await reached(hooks, hook, 1)
            await append(store, 2, 2)
            assert await reached(hooks, hook, 2) == HookState(position=2)
            assert receiver.taken == told(1, 2)
            assert receiver.written < 20_000_000, "what was written lies in the buffers of two sockets"

    asyncio.run(story())


def test_a_delivery_to_see_whether_it_arrives(sqlite: str) -> None:
    async def story() -> None:
        time = Time()
        async with opened(sqlite) as store, receiving(204, 500) as receiver:
            hooks = WebhookService(store, Sender(allow_private=True), time.environment)
            await store.create(EVENT, facts(1, 5), {}, b"")
            hook, secret = await hooks.add(EVENT, receiver.url, "Mara")
            assert await hooks.test(EVENT, hook.id) == DeliveryOutcome(204)
            assert await hooks.test(EVENT, hook.id) == DeliveryOutcome(500, "answered 500")
            ping = receiver.got[0]
            assert ping.said == {"event": EVENT, "hook": hook.id, "first": 6, "last": 5, "facts": []}
            assert verified(secret, ping.headers, ping.body, NOON.timestamp())
            assert await state_of(hooks, hook) == HookState(position=5), "it changes nothing"
            with pytest.raises(NoSuchHook):
                await hooks.test(EVENT, "nothing")
            await hooks.close()

    asyncio.run(story())


def test_the_environments_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with receiving() as proxy, receiving() as receiver:
            for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            post = Sender(allow_private=True)
            assert await post.send(receiver.url, {}, b'{"facts":[]}') == DeliveryOutcome(200)
            assert (len(receiver.got), len(proxy.got)) == (1, 0)
            await post.close()

    asyncio.run(story())


def test_no_cookie_comes_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with receiving() as receiver:
            post = Sender(allow_private=True)
            for _ in range(2):
                await post.send(receiver.url, {}, b'{"facts":[]}')
            assert all("cookie" not in got.headers for got in receiver.got)
            assert all(got.headers["connection"] == "close" for got in receiver.got)
            await post.close()

    asyncio.run(story())
