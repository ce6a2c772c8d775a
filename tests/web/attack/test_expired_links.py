"""Links, tokens and sessions that are over: nobody comes in by them, and whoever is in is out."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from tests.web.app_in_process import PASSWORD, Caller, World
from topcut.app.access.access import A_DAY, digest
from topcut.app.clock import utc_now
from topcut.app.execute import new_context
from topcut.event import commands as c

NEW = "another password"


async def follows(world: World, who: Caller, address: str) -> asyncio.Task[list[bytes]]:
    """Somebody follows until the stream ends; it has begun when this returns."""
    heard: list[bytes] = []
    begun, over = asyncio.Event(), asyncio.Event()

    async def send(message: Any) -> None:
        heard.append(message.get("body", b""))
        if len(heard) > 2:
            begun.set()
        if not message.get("more_body", True):
            over.set()

    async def receive() -> Any:
        await over.wait()
        return {"type": "http.disconnect"}

    async def listen() -> list[bytes]:
        headers = [(name.encode(), value.encode()) for name, value in who.headers.items()]
        scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": headers}
        scope |= {"http_version": "1.1", "scheme": "http", "server": ("x", 80), "root_path": ""}
        await world.app(scope, receive, send)  # type: ignore[arg-type]
        return heard

    task = asyncio.ensure_future(listen())
    await begun.wait()
    return task


@pytest.mark.parametrize("address", ["/api/v1/events/{}/stream", "/desk/{}/live"])
@pytest.mark.parametrize("how", ["token", "session"])
def test_a_stream_ends_with_its_link(world: World, address: str, how: str) -> None:
    async def story() -> None:
        event = f"ends-{how}-{address[1:4]}"
        live = await world.event(event)
        who = await (world.token if how == "token" else world.session)("judge", event)
        (link,) = await world.access.links(event)
        following = await follows(world, who, address.format(event))
        await live.do([c.CheckIn()], new_context("Mara"))
        await world.access.revoke(link)
        await live.do([c.Pair()], new_context("Mara"))
        heard = await asyncio.wait_for(following, 60)
        assert b'"fact":"paired"' not in b"".join(heard)
        assert not world.services.streams.open

    world.run(story())


def test_a_link_that_is_revoked_or_run_out_opens_nothing_and_throws_out(world: World) -> None:
    async def story() -> None:
        await world.event("over")
        who = await world.session("organiser", "over", "Lena")
        program = await world.token("organiser", "over", "Robot")
        assert [(await one.get("/desk/over")).status for one in (who, program)] == [200, 200]
        for link in await world.access.links("over"):
            await world.access.revoke(link)
        for one in (who, program):
            assert (await one.get("/desk/over")).status == 401
            assert (await one.do("over", {"do": "check in"})).status == 401
            assert (await one.get("/desk/over/export")).status == 401
        gone = await world.access.make_link("Late", "over", lasts=timedelta(seconds=-1))
        assert (await world.public.post("/enter", {"key": gone})).status == 401
        spent = await world.access.make_link("Bot", "over", token=True, lasts=timedelta(seconds=-1))
        assert (await world.bearing(spent).get("/desk/over")).status == 401

    world.run(story())


def test_a_session_is_new_whatever_the_browser_brings(world: World) -> None:
    """A cookie that somebody else has put there is worth nothing before and after."""

    async def story() -> None:
        await world.event("fixed")
        name = await world.access.cookie()
        key = await world.access.make_link("Lena", "fixed", role="judge", lasts=A_DAY)
        planted = Caller(world.app, {"cookie": f"{name}=planted-by-somebody"})
        came = await planted.post("/enter", {"key": key})
        assert came.status == 200
        assert "planted" not in came.headers["set-cookie"]
        assert (await planted.get("/desk/fixed")).status == 401
        cookie = came.headers["set-cookie"].partition(";")[0]
        before = Caller(world.app, {"cookie": cookie})
        assert (await before.get("/desk/fixed")).status == 200
        again = await before.post("/enter", {"key": key})
        assert again.headers["set-cookie"].partition(";")[0] != cookie

    world.run(story())


def test_whoever_leaves_is_out_and_only_a_page_of_ours_can_say_so(world: World) -> None:
    async def story() -> None:
        await world.event("leaves")
        who = await world.session("judge", "leaves")
        other_site = Caller(world.app, {"cookie": who.headers["cookie"]})
        for token in ({}, {"x_csrf": ""}, {"x_csrf": "wrong"}):
            await other_site.post("/leave", {}, **token)
            assert (await who.get("/desk/leaves")).status == 200
        await who.post("/leave", {})
        assert (await who.get("/desk/leaves")).status == 401

    world.run(story())


def test_another_password_ends_what_the_old_one_opened(world: World) -> None:
    async def story() -> None:
        accounts = world.access.accounts
        await accounts.add("shop", "The shop", PASSWORD, utc_now())
        await world.event("shops", owner="shop")
        came = await world.public.post("/sign-in", {"login": "shop", "password": PASSWORD})
        who = Caller(world.app, {"cookie": came.headers["set-cookie"].partition(";")[0]})
        assert (await who.get("/desk/shops")).status == 200
        await accounts.change("shop", NEW, utc_now())
        assert (await who.get("/desk/shops")).status == 401
        assert (await world.public.post("/sign-in", {"login": "shop", "password": PASSWORD})).status == 401
        assert (await world.public.post("/sign-in", {"login": "SHOP ", "password": NEW})).status == 200

    world.run(story())


def test_an_account_that_is_removed_leaves_no_way_in(world: World) -> None:
    async def story() -> None:
        access = world.access
        await access.accounts.add("gone", "Gone", PASSWORD, utc_now())
        await world.event("gones", owner="gone")
        came = await world.public.post("/sign-in", {"login": "gone", "password": PASSWORD})
        signed_in = Caller(world.app, {"cookie": came.headers["set-cookie"].partition(";")[0]})
        wide = await world.token("organiser", None, "Robot", "gone")
        narrow = await world.token("organiser", "gones", "Helper", "gone")
        browser = await world.session("organiser", None, "Lena", "gone")
        everybody = (signed_in, wide, narrow, browser)
        assert [(await one.get("/desk/gones")).status for one in everybody] == [200] * 4
        await access.remove_account("gone")
        assert [(await one.get("/desk/gones")).status for one in everybody] == [401] * 4
        await access.accounts.add("gone", "Somebody else", PASSWORD, utc_now())
        new = await world.public.post("/sign-in", {"login": "gone", "password": PASSWORD})
        stranger = Caller(world.app, {"cookie": new.headers["set-cookie"].partition(";")[0]})
        assert (await stranger.get("/desk/gones")).status == 403
        assert (await wide.get("/desk/gones")).status == 401
        assert (await (await world.token("organiser", name="Host")).get("/desk/gones")).status == 200

    world.run(story())


def test_keys_are_told_once_and_never_again(world: World) -> None:
    async def story() -> None:
        await world.event("told")
        boss = await world.session("organiser", "told", "Boss")
        made = await boss.post("/api/v1/events/told/links", {"name": "Lena", "role": "judge", "token": True})
        key = made.json["key"]
        hook = await boss.post("/api/v1/events/told/webhooks", {"url": "http://127.0.0.1:9/x?key=abc"})
        secret = hook.json["secret"]
        assert made.headers["cache-control"] == hook.headers["cache-control"] == "no-store"
        for path in (
            "/api/v1/events/told/links",
            "/api/v1/events/told/webhooks",
            "/api/v1/events/told/log",
            "/desk/told/event",
            "/desk/told/log",
            "/desk/told/export",
        ):
            answer = await boss.get(path)
            assert answer.status == 200, path
            assert key not in answer.text
            assert secret not in answer.text
        rows = await world.store.list_values("link", utc_now())
        assert digest(key) in rows
        assert not any(key.encode() in raw for raw in rows.values())

    world.run(story())
