"""Webhooks that would have the server knock at doors which only it can reach."""

from __future__ import annotations

import pytest

from tests.web.app_in_process import PASSWORD, World
from topcut.app.clock import utc_now
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import WebhookService

NEAR = [
    "http://127.0.0.1:5432/",
    "http://localhost/",
    "http://[::1]:8080/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.5/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
    "http://0/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://017700000001/",
    "http://127.1/",
]
NEVER = [
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "ftp://example.com/",
    "javascript:1",
    "//example.com/",
    "http:///x",
    "http://user:secret@example.com/",
    "http://example.com:0/",
    "http://example.com:99999/",
    "http://exa\r\nmple.com/",
    "http://example.com/\r\nX-Evil: 1",
    "http://example.com/" + "x" * 3000,
]


@pytest.mark.parametrize("url", NEAR)
def test_an_accounts_event_has_nothing_told_that_is_near_the_server(world: World, url: str) -> None:
    """Though this server may send anywhere: what is near it is the host's, and not the shop's."""

    async def story() -> None:
        if await world.access.accounts.find("shop", utc_now()) is None:
            await world.access.accounts.add("shop", "Shop", PASSWORD, utc_now())
            await world.event("shops", owner="shop")
        for who in (await world.token("organiser", owner="shop"), await world.token("organiser", "shops")):
            made = await who.post("/api/v1/events/shops/webhooks", {"url": url})
            if made.status == 201:  # a name, which is looked up when something is sent
                hook_id = made.json["webhook"]["id"]
                tried = await who.post(f"/api/v1/events/shops/webhooks/{hook_id}/test", {})
                assert tried.json["status"] is None
                assert "private" in tried.json["problem"] or "looked up" in tried.json["problem"]
                await who.ask("DELETE", f"/api/v1/events/shops/webhooks/{hook_id}")
            else:
                assert made.status == 422
                assert made.json["place"] == "url"

    world.run(story())


@pytest.mark.parametrize("url", NEVER, ids=lambda url: repr(url)[:30])
def test_nobody_has_what_is_no_address_told(world: World, url: str) -> None:
    async def story() -> None:
        if not any(one.event == "own" for one in await world.store.list_events()):
            await world.event("own")
        host = await world.token("organiser")
        made = await host.post("/api/v1/events/own/webhooks", {"url": url})
        assert made.status == 422
        assert made.json["place"] == "url"

    world.run(story())


def test_whoever_runs_the_server_has_near_addresses_told_only_where_that_is_allowed(world: World) -> None:
    async def story() -> None:
        await world.event("near")
        host = await world.token("organiser")
        body = {"url": "http://127.0.0.1:9/"}
        assert (await host.post("/api/v1/events/near/webhooks", body)).status == 201
        free = world.services.webhooks
        world.services.webhooks = WebhookService(world.store, Sender(allow_private=False))
        try:
            assert (await host.post("/api/v1/events/near/webhooks", body)).status == 422
        finally:
            world.services.webhooks = free

    world.run(story())


def test_one_event_does_not_see_or_touch_the_webhooks_of_another(world: World) -> None:
    async def story() -> None:
        for event in ("left", "right"):
            await world.event(event)
        left, right = await world.token("organiser", "left"), await world.token("organiser", "right")
        made = await left.post("/api/v1/events/left/webhooks", {"url": "http://127.0.0.1:9/secret-path"})
        hook_id = made.json["webhook"]["id"]
        for event in ("left", "right"):
            path = f"/api/v1/events/{event}/webhooks"
            expected = 403 if event == "left" else 404
            assert (await right.post(f"{path}/{hook_id}/replay", {"since": 0})).status == expected
            assert (await right.post(f"{path}/{hook_id}/test", {})).status == expected
            assert (await right.ask("DELETE", f"{path}/{hook_id}")).status == expected
            assert "secret-path" not in (await right.get(path)).text
        judge = await world.token("head judge", "left", "Judge")
        for address in ("/api/v1/events/left/webhooks", "/desk/left/event"):
            assert "secret-path" not in (await judge.get(address)).text
        assert "secret-path" in (await left.get("/desk/left/event")).text

    world.run(story())
