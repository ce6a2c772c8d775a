"""The round page names the options that let an event go on (PK-42, FB-9)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.app_in_process import World, database, played


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World.opened(database(tmp_path)) as made:
        yield made


def test_the_round_page_names_the_option_that_the_rules_forbid(world: World) -> None:
    """PK-42"""

    async def story() -> None:
        await world.event("flights", players=8, flights=2)
        desk = await world.session("organiser", "flights")
        page = (await desk.get("/desk/flights")).text
        assert "8 players are too few for flights" in page
        assert "Or change the options: Play without flights." in page
        assert 'href="/desk/flights/event">Change the options' in page

    world.run(story())


def test_after_the_last_round_the_page_says_how_to_play_another(world: World) -> None:
    async def story() -> None:
        live = await world.event("longer", rules="fab-gem", players=2, format="swiss", rounds=1)
        desk = await world.session("organiser", "longer")
        await played(live)
        page = (await desk.get("/desk/longer")).text
        assert "Round 1 was the last round." in page
        assert "To play another round, set the rounds to 2" in page

    world.run(story())
