"""What a stranger can have kept or poisoned: cached pages, links by a false Host, memory."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import pytest

from tests.web.app_in_process import World, played, started
from topcut.app import services
from topcut.app.execute import new_context
from topcut.app.limits import StreamLimits
from topcut.app.live_events import IDLE
from topcut.app.page_cache import Page, PageCache
from topcut.app.views.leaderboard import EventLeaderboard, bracket_documents
from topcut.event import commands as c
from topcut.event.refusals import NotNow
from topcut.event.state import State
from topcut.store.session import EventSession

FALSE = [
    "",
    "a b",
    'evil"><script>',
    "evil/path",
    "user@evil",
    "evil\\",
    "x" * 5000,
    "évil",
    "[::1",
    "a:b",
    "a:123456",
]


def test_what_is_invented_behind_an_address_makes_no_other_page(world: World) -> None:
    async def story() -> None:
        live = await world.event("cached", players=8)
        await started(live)
        for page in ("", "/pairings", "/standings", "/bracket", "/draws", "/changes", "/screen"):
            await world.public.get(f"/e/cached{page}")
        before = len(world.services.page_cache)
        for n in range(40):
            for query in (
                f"by=x{n}",
                f"division=x{n}",
                f"names=x{n}",
                f"show=x{n}",
                f"x{n}=1",
                f"number={n}",
            ):
                for page in ("", "/pairings", "/standings", "/screen", "/draws"):
                    await world.public.get(f"/e/cached{page}?{query}")
            await world.public.get("/e/cached/pairings", host=f"h{n}.test")
        assert len(world.services.page_cache) <= before + 2  # a round by its number, and another start of it

    world.run(story())


def test_the_page_cache_has_room_for_a_number_of_pages_and_letters() -> None:
    cache = PageCache(room=3, most=100)
    for n in range(10):
        cache.get(n, 0, lambda: Page(b"x" * 10))
    assert len(cache) == 3
    for n in range(10):
        cache.get(n, 0, lambda: Page(b"x" * 40))
    assert (len(cache), cache.size) == (2, 80)
    cache.get(9, 1, lambda: Page(b"x" * 60))
    assert (len(cache), cache.size) == (2, 100)
    large = Page(b"x" * 1000)
    assert cache.get("large", 0, lambda: large) is large
    assert (len(cache), cache.size) == (1, 1000)


@pytest.mark.parametrize("host", FALSE, ids=lambda host: host[:12])
def test_a_host_that_cannot_be_one_stands_in_no_link(world: World, host: str) -> None:
    async def story() -> None:
        if "false" not in [one.event for one in await world.store.list_events()]:
            await world.event("false")
        boss = await world.token("organiser", "false")
        addresses = ["/e/false/screen", "/e/false/qr.svg", "/desk/false/players/p1", "/desk/false/print"]
        addresses += ["/desk/false/players/p1/qr.svg", "/desk/false/announcement"]
        for address in [*addresses, "/api/v1/events/false/players/p1/link"]:
            answer = await boss.get(address, host=host)
            assert answer.status == 400, address
            assert "evil" not in answer.text
        before = await world.access.links("false"), await world.store.list_events()
        for path in ("/api/v1/events/false/links", "/desk/false/links", "/api/v1/events"):
            body = (
                {"name": "X", "rules": "mtr"} if path.endswith("events") else {"name": "X", "role": "judge"}
            )
            who = await world.token("organiser") if path.endswith("events") else boss
            assert (await who.post(path, body, host=host)).status == 400
        assert (await world.access.links("false"), await world.store.list_events()) == before
        for path in ("/", "/e/false", "/nothing", "/api/v1/nothing", "/e/nothing", "/api/v1/events/nothing"):
            answer = await world.public.get(path, host=host)
            assert answer.status in (200, 400, 404), path

    world.run(story())


def test_nobody_gets_a_page_with_the_links_of_somebody_elses_host(world: World) -> None:
    async def story() -> None:
        await world.event("hosts")
        for host in ("evil.test", "10.0.0.5:8080", "[::1]:8080", "hall.test"):
            page = await world.public.get("/e/hosts/screen", host=host)
            assert f"{host}/e/hosts" in page.text
            assert host == "evil.test" or "evil" not in page.text

    world.run(story())


def test_events_that_are_not_there_leave_nothing_behind(world: World) -> None:
    async def story() -> None:
        await world.event("there")
        await world.public.get("/e/there")
        live_events = world.services.events
        before = len(live_events._open), len(live_events._tasks)
        for n in range(50):
            for path in (
                "/e/{}",
                "/e/{}/live",
                "/api/v1/events/{}",
                "/api/v1/events/{}/stream",
                "/e/{}/me/p1/x",
            ):
                assert (await world.public.get(path.format(f"nothing-{n}"))).status == 404
        assert (len(live_events._open), len(live_events._tasks)) == before
        assert world.services.streams.open == 0

    world.run(story())


def test_what_takes_long_is_computed_once_however_often_a_stranger_asks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading has no limit in the hall; so it must not cost anything the second time."""

    async def story() -> tuple[int, int]:
        live = await world.event("often", players=8)
        await played(live)
        counted = {"boards": 0, "brackets": 0}

        def board(*given: Any) -> EventLeaderboard:
            counted["boards"] += 1
            return EventLeaderboard(*given)

        def documents(state: State) -> list[dict[str, Any]]:
            counted["brackets"] += 1
            return bracket_documents(state)

        monkeypatch.setattr(services, "EventLeaderboard", board)
        monkeypatch.setattr(services, "bracket_documents", documents)
        paths = ("/standings?after=1", "/standings?after=0", "/standings/p1?after=1", "/bracket")
        asked = [world.public.get(f"/api/v1/events/often{path}") for path in paths * 10]
        assert {answer.status for answer in await asyncio.gather(*asked)} == {200}
        return counted["boards"], counted["brackets"]

    assert world.run(story()) == (3, 1)  # after 0 and 1 rounds, and the last one


def test_staff_can_follow_when_the_hall_is_full() -> None:
    streams = StreamLimits(in_all=100)
    streams.open = 95
    assert not streams.has_room()
    assert streams.has_room("link 7")
    streams.open = 100
    assert not streams.has_room("link 7")


def test_versions_that_somebody_made_up_do_not_keep_the_desk_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would be a look into the database, one after the other, and every command waits for its turn."""

    async def story() -> int:
        live = await world.event("ahead")
        looked = 0
        real = live.session.refresh

        async def refresh() -> int:
            nonlocal looked
            looked += 1
            for _ in range(1_000):  # everybody has asked by then, however slowly
                await asyncio.sleep(0)
            return await real()

        monkeypatch.setattr(live.session, "refresh", refresh)
        ahead = "9" * 18
        asked = [world.public.get("/e/ahead", topcut_version=ahead) for _ in range(50)]
        asked += [world.public.get(f"/api/v1/events/ahead/stream?since={ahead}") for _ in range(50)]
        assert {answer.status for answer in await asyncio.gather(*asked)} == {200}
        return looked

    assert world.run(story()) < 10


def test_whoever_has_seen_more_elsewhere_sees_no_less_here(world: World) -> None:
    async def story() -> None:
        await world.event("more")
        elsewhere = await EventSession.open(world.store, "more")
        await elsewhere.do(c.Register(name="Late Comer"), new_context("Mara"))
        version = str(elsewhere.log.version)
        assert "Late Comer" in (await world.public.get("/e/more?q=late", topcut_version=version)).text

    world.run(story())


def test_events_that_nobody_looks_at_are_closed_and_opened_again(world: World) -> None:
    """Whoever opens all events of a host, one after the other, does not fill its memory."""

    async def story() -> None:
        live_events = world.services.events
        for event in ("idle", "followed"):
            await world.event(event)
        idle, followed = await live_events.open_event("idle"), await live_events.open_event("followed")
        moments = followed.ticks()
        await anext(moments)
        live_events.close_idle(monotonic() + IDLE / 2)
        await asyncio.sleep(0)
        assert "idle" in live_events._open
        live_events.close_idle(monotonic() + IDLE + 1)
        while "idle" in live_events._open:
            await asyncio.sleep(0.01)
        assert idle.over
        assert "followed" in live_events._open
        assert not followed.over
        await moments.aclose()
        assert (await world.public.get("/e/idle")).status == 200
        await (await live_events.open_event("idle")).do([c.CheckIn()], new_context("Mara"))
        with pytest.raises(NotNow):  # one that somebody still holds knows it too
            await idle.do([c.CheckIn()], new_context("Mara"))

    world.run(story())
