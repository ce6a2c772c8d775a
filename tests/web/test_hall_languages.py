"""The hall in the language that the reader switched to, or that the browser or the event asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.web.app_in_process import Answer, World, database, posted

PAGES = ["", "/pairings", "/pairings?by=table", "/standings", "/bracket", "/draws", "/changes"]
GERMAN = {"cookie": "language=de"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.opened(database(tmp_path_factory.mktemp("languages"))) as one:
        one.run(_make_events(one))
        yield one


async def _make_events(world: World) -> None:
    await posted(await world.event("cup", players=8))
    await posted(await world.event("pokal", players=8, languages=("de",)))


def language_of(answer: Answer) -> str:
    found = re.search(r'<html lang="([^"]*)"', answer.body.decode())
    assert found is not None
    return found[1]


def way_back(answer: Answer) -> str:
    """Return where the link to German pages leads back to."""
    link = re.search(r'href="(/language/de\?[^"]*)"', answer.body.decode())
    assert link is not None
    return parse_qs(urlsplit(unescape(link[1])).query)["back"][0]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_a_browser_has_in_one_language_is_sent_anew_in_another(world: World, page: str) -> None:
    async def story() -> None:
        english = await world.public.get(f"/e/cup{page}")
        german = await world.public.get(f"/e/cup{page}", **GERMAN)
        assert [language_of(english), language_of(german)] == ["en", "de"]
        for known, headers, status in (
            (english, {}, 304),
            (german, GERMAN, 304),
            (english, GERMAN, 200),
            (german, {}, 200),
        ):
            asked = {"if-none-match": known.headers["etag"], **headers}
            assert (await world.public.get(f"/e/cup{page}", **asked)).status == status
        assert {"cookie", "accept-language"} <= set(english.headers["vary"].split(", "))

    world.run(story())


def test_a_switch_counts_more_than_what_the_browser_asks_for(world: World) -> None:
    async def story() -> None:
        asked = {"accept-language": "de-AT, en;q=0.5"}
        assert language_of(await world.public.get("/e/cup", **asked)) == "de"
        assert language_of(await world.public.get("/e/cup", **asked, cookie="language=en")) == "en"
        assert language_of(await world.public.get("/e/cup", cookie="language=tlh")) == "en"

    world.run(story())


def test_a_screen_is_in_the_language_of_the_event_and_other_pages_are_not(world: World) -> None:
    async def story() -> None:
        for show in ("", "?show=pairings", "?show=clock"):
            assert language_of(await world.public.get(f"/e/pokal/screen{show}")) == "de"
        assert language_of(await world.public.get("/e/cup/screen")) == "en"
        assert language_of(await world.public.get("/e/pokal/screen", cookie="language=en")) == "en"
        assert language_of(await world.public.get("/e/pokal/pairings")) == "en"

    world.run(story())


def test_a_players_own_page_is_in_their_language(world: World) -> None:
    async def story() -> None:
        own = await world.own("cup", "p1")
        assert language_of(await world.public.get(own)) == "en"
        german = await world.public.get(own, **GERMAN)
        assert language_of(german) == "de"
        assert way_back(german) == own

    world.run(story())


@pytest.mark.parametrize(
    ("asked", "back"),
    [
        ("", ""),
        ("?evil=1", ""),
        ("?q=a%26b", "?q=a%26b"),
        ("/pairings?by=name&number=1", "/pairings?number=1"),
        ("/pairings?x=1&by=table", "/pairings?by=table"),
        ("/standings?division=none", "/standings"),
        ("/player/p1?x=1", "/player/p1"),
    ],
)
def test_a_switch_leads_back_to_the_page_and_to_nothing_that_another_reader_asked_for(
    world: World, asked: str, back: str
) -> None:
    async def story() -> None:
        assert way_back(await world.public.get(f"/e/cup{asked}")) == f"/e/cup{back}"

    world.run(story())
