"""Links that give more than their giver has, or pass for somebody else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.app_in_process import PASSWORD, Caller, World
from topcut.app.access.roles import GIVEN, ROLES
from topcut.app.clock import utc_now
from topcut.event.rights import Right

API = "/api/v1/events/{}/links"
DESK = "/desk/{}/links"
HELPS: tuple[Right, ...] = ("hall", "ask", "desk", "staff")


async def asks(who: Caller, address: str, event: str, **new: Any) -> int:
    return (await who.post(address.format(event), {"name": "X", **new})).status


@pytest.mark.parametrize("address", [API, DESK])
def test_nobody_gives_more_than_they_have(world: World, address: str) -> None:
    async def story() -> None:
        event = f"gives-{address[1:4]}"
        await world.event(event)
        judge = await world.token("head judge", event, "Judge")
        helper = await world.token("judge", event, "Helper", None, *HELPS, "enter")
        for role in ("organiser",):
            assert await asks(judge, address, event, role=role) == 422
        for role in GIVEN[:5]:
            assert await asks(helper, address, event, role=role) == 422, role
        for right in ("hooks", "erase"):
            assert await asks(judge, address, event, rights=["desk", right]) == 422
        for right in sorted(ROLES["organiser"] - {"desk", "staff", "enter", "hall", "ask", "create"}):
            assert await asks(helper, address, event, rights=[right]) == 422, right
        for role in ("player", "public", "host", ""):
            assert await asks(judge, address, event, role=role) in (400, 422)
        assert await asks(helper, address, event, rights=["everything"]) in (400, 422)
        assert await asks(helper, address, event, role="display") in (200, 201)
        assert {link.name for link in (await world.access.links(event)).values()} == {"Judge", "Helper", "X"}

    world.run(story())


def test_one_who_reaches_several_events_gives_no_right_to_make_them_without_having_it(world: World) -> None:
    async def story() -> None:
        wide = await world.token("head judge", None, "Wide judge")
        assert (await wide.post("/api/v1/events", {"name": "X", "rules": "mtr"})).status == 403
        for new in ({"role": "organiser"}, {"rights": ["create"]}, {"rights": ["desk", "create"]}):
            assert (await wide.post("/api/v1/links", {"name": "Mine", **new})).status == 422
        assert (await wide.post("/api/v1/links", {"name": "Mine", "role": "head judge"})).status == 201

    world.run(story())


def test_who_reaches_one_event_makes_and_sees_no_links_for_several(world: World) -> None:
    async def story() -> None:
        await world.event("narrow")
        for who in (
            await world.token("organiser", "narrow"),
            await world.session("organiser", "narrow", "Y"),
        ):
            assert (await who.get("/api/v1/links")).status == 403
            assert (await who.post("/api/v1/links", {"name": "Z", "role": "judge"})).status == 403
            assert (await who.ask("DELETE", "/api/v1/links/x")).status == 403
            assert (await who.post("/new", {"name": "X", "rules": "mtr"})).status == 403
            assert (await who.post("/api/v1/imports", {"text": ""})).status == 403

    world.run(story())


def test_a_link_does_not_pass_for_somebody_else_in_the_log(world: World) -> None:
    """Whoever is called like another could take back what they did, and the log would blame them."""

    async def story() -> None:
        await world.access.accounts.add("inn", "The Inn", PASSWORD, utc_now())
        await world.event("names", owner="inn")
        helper = await world.token("judge", "names", "Helper", "inn", *HELPS)
        await world.token("organiser", None, "Wide Mara", "inn")
        await world.token("organiser", None, "The Host")
        for name in ("Helper", " HELPER ", "wide  mara", "the host", "the inn", "p1", "P3"):
            for address in (API, DESK):
                refused = await helper.post(address.format("names"), {"name": name, "rights": ["desk"]})
                assert refused.status in (409, 422), name
        for name in ("", " ", "x" * 61, "a\nb", "a\u202eb", "a\u200bb", "\x00"):
            refused = await helper.post(API.format("names"), {"name": name, "rights": ["desk"]})
            assert refused.status == 422 if name.strip() != "a\nb" else 201, name

    world.run(story())


def test_nobody_revokes_what_they_could_not_give_or_what_is_anothers(world: World) -> None:
    async def story() -> None:
        await world.event("here")
        await world.event("there")
        judge, boss = await world.token("head judge", "here"), await world.token("organiser", "here")
        await world.token("judge", "there", "Elsewhere")
        (theirs,) = await world.access.links("there")
        of_boss = next(
            link_id
            for link_id, link in (await world.access.links("here")).items()
            if link.role == "organiser"
        )
        for link_id in (of_boss, theirs, "x", "../x", "%00", ""):
            assert (await judge.ask("DELETE", f"/api/v1/events/here/links/{link_id}")).status in (
                404,
                405,
                422,
            ), link_id
            assert (await judge.post("/desk/here/links/revoke", {"link": link_id})).status == 422
        assert (await boss.get("/desk/here")).status == 200
        assert len(await world.access.links("there")) == 1

    world.run(story())
