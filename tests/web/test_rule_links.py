"""The number of a rule in a sentence opens what the rule says, in the hall and at the desk."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.app_in_process import Caller, World, database, played

LINK = re.compile(r'<a class="rule" href="(/rules/([A-Z]+-[AR]?[0-9]+))">\2</a>')


async def linked_rules(reader: Caller, page: str) -> set[str]:
    """The rules that a page links to; each of them opens."""
    found = set()
    for address, number in set(LINK.findall((await reader.get(page)).text)):
        rule = await reader.get(address)
        assert rule.status == 200
        assert f">{number}<" in rule.text or f" {number}" in rule.text
        found.add(number)
    return found


def test_rules_open_from_the_hall_and_from_the_desk(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        live = await world.event("cup", players=8)
        await played(live)
        desk = await world.session("organiser", "cup")
        assert "PK-3" in await linked_rules(world.public, "/e/cup/player/p1")
        assert "PK-3" in await linked_rules(desk, "/desk/cup/standings?player=p1")

    with World.opened(database(tmp_path)) as world:
        world.run(story(world))


def test_a_rule_is_said_in_the_language_of_the_reader(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        english = await world.public.get("/rules/PK-42")
        german = await world.public.get("/rules/PK-42", accept_language="de")
        assert "Flights need" in english.text
        assert "Flights setzen" in german.text
        assert (await world.public.get("/rules/PK-999")).status == 404
        assert (await world.public.get("/rules/SHA-256")).status == 404

    with World.opened(database(tmp_path)) as world:
        world.run(story(world))


def test_pages_are_kept_only_in_the_languages_that_readers_ask_for(tmp_path: Path) -> None:
    async def story(world: World) -> None:
        await world.event("cup", players=8)
        kept = []
        for language in ("en", "en", "de", "de", "de-AT", "fr"):
            await world.public.get("/e/cup/standings", accept_language=language)
            kept.append(len(world.services.page_cache))
        assert kept == [1, 1, 2, 2, 2, 2]

    with World.opened(database(tmp_path)) as world:
        world.run(story(world))
