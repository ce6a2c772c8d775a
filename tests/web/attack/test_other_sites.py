"""Commands that other sites make a browser send, and what their pages may read."""

from __future__ import annotations

import re

import pytest

from tests.web.app_in_process import Caller, World
from topcut.app.access.roles import OPEN
from topcut.server.authorization import list_rights

FORMS = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "",
    "text/json",
]
"""What another site's page can send without being asked, and what is none of ours."""
VALUES = {"event": "cup", "player": "p1", "number": "1", "table": "1", "id": "x", "signed": "x"}


def filled(path: str) -> str:
    return re.sub(r"{(\w+):\w+}", lambda part: VALUES[part[1]], path)


@pytest.fixture(scope="module")
def cup(world: World) -> World:
    world.run(world.event("cup"))
    return world


def test_nothing_that_changes_something_is_taken_without_the_token_of_a_page(cup: World) -> None:
    async def story() -> None:
        live = await cup.services.events.open_event("cup")
        before, events, links = live.version, await cup.store.list_events(), 0
        who = await cup.session("organiser")
        links = len(await cup.access.all_links())
        tried = 0
        for (method, path), right in list_rights(cup.app).items():
            if method == "GET" or right in OPEN:
                continue
            for token in (None, "", "wrong", who.headers["x-csrf"][:-1], "é"):
                headers = {"cookie": who.headers["cookie"]} | ({} if token is None else {"x-csrf": token})
                refused = await Caller(cup.app, headers).ask(method, filled(path), {})
                assert refused.status == 403, (method, path, token)
                assert "Reload it" in refused.text
            tried += 1
        assert tried > 20
        assert (live.version, await cup.store.list_events()) == (before, events)
        assert len(await cup.access.all_links()) == links

    cup.run(story())


def test_nothing_but_json_is_taken_even_with_the_token(cup: World) -> None:
    async def story() -> None:
        who = await cup.session("organiser", name="Boss")
        for method, path in list_rights(cup.app):
            if method != "POST":
                continue
            cup.rest()
            for kind in FORMS:
                for one in (who, cup.public):
                    refused = await one.ask("POST", filled(path), b"{}", content_type=kind)
                    assert refused.status in (401, 415), (path, kind, one is who)

    cup.run(story())


def test_the_token_of_one_session_is_none_of_another(cup: World) -> None:
    async def story() -> None:
        one, other = await cup.session("judge", "cup", "A"), await cup.session("judge", "cup", "B")
        mixed = Caller(cup.app, {"cookie": one.headers["cookie"], "x-csrf": other.headers["x-csrf"]})
        assert (await mixed.post("/desk/cup/undo", {})).status == 403
        assert (await one.post("/desk/cup/undo", {})).status != 403

    cup.run(story())


def test_a_program_needs_no_token_of_a_page_and_gets_no_rights_from_a_cookie(cup: World) -> None:
    async def story() -> None:
        boss, judge = await cup.session("organiser", "cup", "Boss 2"), await cup.token("judge", "cup", "Bot")
        both = Caller(cup.app, dict(boss.headers) | dict(judge.headers))
        assert (await both.do("cup", {"do": "check in"})).status == 403
        spoilt = Caller(cup.app, dict(boss.headers) | {"authorization": "Bearer nothing"})
        assert (await spoilt.get("/desk/cup")).status == 401

    cup.run(story())


def test_other_sites_read_only_what_everybody_may(cup: World) -> None:
    """Whoever lets every site read must not let it send cookies."""

    async def story() -> None:
        who = await cup.session("organiser", "cup", "Boss 3")
        for path in (
            "/",
            "/e/cup",
            "/desk/cup",
            "/enter",
            "/api/v1/events/cup/players",
            "/api/v1/events/nothing",
        ):
            answer = await who.get(path, origin="https://evil.test")
            assert "access-control-allow-credentials" not in answer.headers, path
            assert ("access-control-allow-origin" in answer.headers) == path.startswith("/api/"), path
            asked = await who.ask("OPTIONS", path, origin="https://evil.test")
            assert "access-control-allow-credentials" not in asked.headers, path
            assert ("access-control-allow-headers" in asked.headers) == path.startswith("/api/"), path
            assert "access-control-allow-credentials" not in asked.headers

    cup.run(story())


def test_a_session_stays_out_of_scripts_and_other_sites(cup: World) -> None:
    async def story() -> None:
        key = await cup.access.make_link("Lena", "cup", role="judge")
        came = await cup.public.post("/enter", {"key": key})
        cookie = came.headers["set-cookie"].casefold()
        assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/"))
        assert "domain" not in cookie

    cup.run(story())


def test_nobody_is_sent_to_another_site(cup: World) -> None:
    """Where a page goes on is said by us, and never by an address."""

    async def story() -> None:
        key = await cup.access.make_link("Lena", "cup", role="judge")
        for query in ("?go=https://evil.test", "?next=//evil.test", "?url=javascript:1"):
            came = await cup.public.post(f"/enter{query}", {"key": key})
            assert came.json == {"go": "/desk/cup"}
            for path in ("/", "/enter", "/sign-in", "/e/cup"):
                answer = await cup.public.get(path + query)
                assert "location" not in answer.headers
                assert "evil" not in answer.text

    cup.run(story())
