"""What a database of the other kind does not take is refused before it gets there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.store.postgres_server import server
from tests.web.app_in_process import World
from topcut.server.authorization import list_rights


@pytest.fixture(scope="module")
def hosted() -> Iterator[World]:
    with server() as running, World.opened(running.database()) as world:
        yield world


def test_a_sign_that_no_text_of_a_database_can_have_is_just_not_found(hosted: World) -> None:
    async def story() -> None:
        await hosted.event("cup")
        boss = await hosted.token("organiser")
        for method, path in list_rights(hosted.app):
            for part in re.findall(r"{(\w+):str}", path):
                values = {"event": "cup", "player": "p1", "number": "1", "table": "1"} | {part: "x%00y"}
                filled = re.sub(r"{(\w+):\w+}", lambda name, v=values: v.get(name[1], "x"), path)  # type: ignore[misc]
                answer = await boss.ask(method, filled, {} if method == "POST" else None)
                assert answer.status == 404, filled
        for body in ({"login": "\0", "password": "\0"}, {"login": "x\0y", "password": "x"}):
            assert (await hosted.public.post("/sign-in", body)).status == 401

    hosted.run(story())
