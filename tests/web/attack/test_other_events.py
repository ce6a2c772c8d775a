"""One event's staff at another event, one organiser at another's: they are the public there, and no more."""

from __future__ import annotations

from tests.web.app_in_process import Caller, World, posted
from topcut.app.execute import new_context
from topcut.event import commands as c

SEEN = (
    "",
    "/players",
    "/players?q=shown",
    "/players/p1",
    "/rounds",
    "/standings",
    "/bracket",
    "/changes",
    "/file",
    "/stream?since=0",
)
"""What everybody may ask for, and staff get more of."""


async def looks(who: Caller, event: str) -> dict[str, tuple[int, bytes]]:
    """All that somebody sees of an event by the API."""
    found = {}
    for path in (*SEEN, "/rounds/1"):
        answer = await who.get(f"/api/v1/events/{event}{path}")
        said = answer.body.split(b"event: change")[-1]  # beats tell the time
        found[path] = (answer.status, said)
    return found


def test_staff_of_one_event_are_the_public_at_another(world: World) -> None:
    async def story() -> None:
        await world.event("mine")
        theirs = await world.event("theirs")
        await theirs.do([c.Pair()], new_context("Mara"))  # a draft
        everybody = await looks(world.public, "theirs")
        assert everybody["/rounds/1"][0] == 404
        for who in (await world.session("organiser", "mine"), await world.token("organiser", "mine")):
            assert await looks(who, "theirs") == everybody
            assert b"Legal1" in (await who.get("/api/v1/events/mine/players/p1")).body
            assert (await who.get("/desk/theirs")).status == 403

    world.run(story())


def test_an_accounts_organiser_is_the_public_at_the_events_of_others(world: World) -> None:
    async def story() -> None:
        await world.event("shops", owner="shop")
        rivals, hosts = await world.event("rivals", owner="rival"), await world.event("hosts")
        for live in (rivals, hosts):
            await posted(live)
        for event in ("rivals", "hosts"):
            everybody = await looks(world.public, event)
            for who in (
                await world.session("organiser", owner="shop"),
                await world.token("organiser", owner="shop"),
            ):
                assert await looks(who, event) == everybody
                assert b"Legal1" in (await who.get("/api/v1/events/shops/players/p1")).body

    world.run(story())
