"""What a cache on the way may keep: nothing of staff, and nothing that passes from one role to another."""

from __future__ import annotations

import re

from tests.web.app_in_process import World, started
from topcut.app.access.roles import GIVEN
from topcut.server.authorization import list_rights

VALUES = {"player": "p1", "number": "1", "table": "1", "rules": "mtr", "kind": "pairings", "digest": "x"}


def test_nothing_that_is_for_staff_is_kept_on_the_way(world: World) -> None:
    async def story() -> None:
        await started(await world.event("kept"))
        boss = await world.session("organiser")
        for (method, path), right in list_rights(world.app).items():
            if method != "GET":
                continue
            address = re.sub(
                r"{(\w+):\w+}", lambda part: ({"event": "kept"} | VALUES).get(part[1], "x"), path
            )
            mine, theirs = await boss.get(address), await world.public.get(address)
            for answer in (mine, theirs):
                keep = answer.headers.get("cache-control", "")
                assert keep, address  # nobody guesses
                if answer.status >= 400 or right not in ("hall", "ask", "speak"):
                    assert keep == "no-store" or keep.startswith("private"), address
            if theirs.status == mine.status == 200 and "stream" not in mine.headers["content-type"]:
                same = re.sub(
                    rb'data-(made|ends|left)="[^"]*"|"(ends|left)":[^,]*', b"", mine.body
                ) == re.sub(rb'data-(made|ends|left)="[^"]*"|"(ends|left)":[^,]*', b"", theirs.body)
                assert same or re.match("no-store|private", mine.headers["cache-control"]), address

    world.run(story())


def test_what_one_role_has_seen_is_not_unchanged_for_another(world: World) -> None:
    async def story() -> None:
        await started(await world.event("tags"))
        callers = {"public": world.public} | {role: await world.token(role, "tags") for role in GIVEN}
        for path in ("", "/players", "/players/p1", "/rounds/1", "/file"):
            address = f"/api/v1/events/tags{path}"
            seen = {role: await who.get(address) for role, who in callers.items()}
            for role, who in callers.items():
                for other, answer in seen.items():
                    tag = answer.headers["etag"]
                    again = await who.get(address, if_none_match=tag)
                    if again.status == 304:
                        assert seen[role].body == answer.body, (path, role, other)
                        assert not again.body
                assert (await who.get(address, if_none_match="*")).status == 200

    world.run(story())
