"""The language of a page: as the reader switched it, as the event has it, or as the browser asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.app_in_process import Answer, Caller, World, database, played, started
from topcut.app.execute import new_context
from topcut.event import commands as c
from topcut.text import catalogues, languages
from topcut.web import language as web_language
from topcut.web import responses

TEXTS = """
msgid ""
msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Standings"
msgstr "Rangliste"

msgid "Log"
msgstr "Protokoll"

msgid "Page not found"
msgstr "Seite nicht gefunden"

msgid "expected a language before the second one"
msgstr "erst die eine, dann die andere Sprache"
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """With English, German, and a catalogue for `xx` that has a few texts."""
    (tmp_path / "xx.po").write_text(TEXTS, "utf-8")
    monkeypatch.setenv(catalogues.OWN, str(tmp_path))
    _forget()
    with World.opened(database(tmp_path)) as made:
        yield made
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    """What was read once a process is read again."""
    catalogues.list_catalogues.cache_clear()
    catalogues.load_catalogue.cache_clear()
    web_language._negotiate.cache_clear()
    for kept in (responses.name_languages, responses.static_files, responses.load_templates):
        kept.cache_clear()


def language_of(page: Answer) -> str:
    return page.text.partition('<html lang="')[2].partition('"')[0]


async def desk_in(world: World, event: str, **options: Any) -> Caller:
    await world.event(event, **options)
    return await world.session("organiser", event)


def test_a_page_is_in_the_language_that_the_browser_asks_for(world: World) -> None:
    async def story() -> None:
        await world.event("asked")
        page = await world.public.get("/e/asked/standings", accept_language="xx, en;q=0.5")
        assert language_of(page) == "xx"
        assert language_of(await world.public.get("/e/asked/standings")) == "en"

    world.run(story())


def test_links_switch_the_language_and_go_back_to_the_page(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "switched")
        page = await desk.get("/desk/switched/log?before=2")
        assert 'href="/language/xx?back=/desk/switched/log%3Fbefore%3D2" lang="xx" hreflang="xx"' in page.text
        assert 'hreflang="en" aria-current="true"' in page.text
        switched = await world.public.get("/language/xx?back=/desk/switched/log%3Fbefore%3D2")
        assert (switched.status, switched.headers["location"]) == (303, "/desk/switched/log?before=2")
        cookie = switched.headers["set-cookie"].partition(";")[0]
        both = f"{desk.headers['cookie']}; {cookie}"
        page = await desk.get("/desk/switched/log", cookie=both)
        assert language_of(page) == "xx"
        assert "<h1>Protokoll</h1>" in page.text

    world.run(story())


@pytest.mark.parametrize("back", ["//evil.test", "/%5Cevil.test", "https://evil.test", "/a%0d%0ab"])
def test_a_link_that_switches_the_language_leads_to_no_other_site(world: World, back: str) -> None:
    async def story() -> None:
        assert (await world.public.get(f"/language/xx?back={back}")).headers["location"] == "/"
        assert (await world.public.get("/language/tlh")).status == 404

    world.run(story())


@pytest.mark.parametrize("address", ["/", "/sign-in", "/nowhere"])
def test_pages_without_an_event_have_the_links_too(world: World, address: str) -> None:
    async def story() -> None:
        page = await world.public.get(address)
        assert f'href="/language/xx?back={address}"' in page.text

    world.run(story())


def test_the_reference_of_the_api_is_in_english_whole(world: World) -> None:
    async def story() -> None:
        page = await world.public.get("/api/v1/docs", accept_language="xx")
        assert language_of(page) == "en"
        assert "/language/" not in page.text

    world.run(story())


def test_the_desk_is_in_the_language_of_the_event(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "german", languages=("xx",))
        page = await desk.get("/desk/german/log", accept_language="en")
        assert "<h1>Protokoll</h1>" in page.text
        refused = await desk.post("/desk/german/options", {"second_language": "en"}, accept_language="en")
        assert refused.json["field"] == "language"
        assert refused.json["problem"] == "erst die eine, dann die andere Sprache"
        lost = await desk.get("/desk/german/players/nobody", accept_language="en")
        assert "<h1>Seite nicht gefunden</h1>" in lost.text
        public = await world.public.get("/e/german/standings", accept_language="en")
        assert language_of(public) == "en"

    world.run(story())


def test_the_organiser_chooses_the_languages_at_any_time(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "chosen", format="elimination", players=4)
        live = await world.services.events.open_event("chosen")
        both = {"format": "elimination", "language": "xx", "second_language": "en"}
        await started(live)
        answer = await desk.post("/desk/chosen/options", both)
        assert answer.status == 200, answer.text
        assert live.state.options.languages == ("xx", "en")
        page = await desk.get("/desk/chosen/event")
        assert '<option value="xx" lang="xx" selected>' in page.text
        assert '<option value="en" lang="en" selected>' in page.text
        answer = await desk.post("/desk/chosen/options", {"format": "elimination"})
        assert answer.status == 200
        assert not live.state.options.languages

    world.run(story())


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"second_language": "xx"}, "expected a language before the second one"),
        ({"language": "xx", "second_language": "xx"}, "expected one language, or two different ones"),
        ({"language": "German"}, "expected the code of a language"),
    ],
)
def test_what_cannot_be_the_languages_of_an_event_is_refused(
    world: World, chosen: dict[str, str], says: str
) -> None:
    async def story() -> None:
        desk = await desk_in(world, f"refused-{len(str(chosen))}")
        refused = await desk.post(f"/desk/refused-{len(str(chosen))}/options", chosen)
        assert refused.status == 422
        assert says in refused.json["error"]

    world.run(story())


def test_a_language_that_this_topcut_lacks_stays(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "lacking", languages=("fr",))
        page = await desk.get("/desk/lacking/event")
        assert language_of(page) == "en"
        assert '<option value="fr" lang="fr" selected>fr</option>' in page.text

    world.run(story())


def test_the_desk_says_what_was_done_and_which_step_undoes_it(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "done")
        added = await desk.post("/desk/done/paste", {"text": "Zoe Zee\nYan Yew", "sure": True})
        assert added.json["done"] == "2 players added."
        live = await world.services.events.open_event("done")
        undone = await desk.post("/desk/done/do", {"commands": [{"do": "undo", "step": added.json["undo"]}]})
        assert len(live.state.players) == 4
        assert undone.json["done"]
        assert undone.json["undo"] is None
        assert (await desk.post("/desk/done/do", {"commands": []})).json == {
            "version": live.version,
            "says": [],
            "warnings": [],
        }

    world.run(story())


def test_the_step_is_that_of_the_person_who_asks(world: World) -> None:
    async def story() -> None:
        desk = await desk_in(world, "steps", rules="mtr")
        live = await world.services.events.open_event("steps")
        await played(live)
        fixed = await desk.post(
            "/desk/steps/do", {"commands": [{"do": "fix table", "player": "p1", "table": 3}]}
        )
        await live.do([c.FixTable(player="p2", table=4)], new_context("Mara"))
        await desk.post("/desk/steps/do", {"commands": [{"do": "undo", "step": fixed.json["undo"]}]})
        assert [live.state.players[player].fixed for player in ("p1", "p2")] == [None, 4]

    world.run(story())


def test_languages_are_listed_with_their_own_names(world: World) -> None:
    assert languages.list_languages()[0] == "en"
    assert responses.name_languages()["de"] == "Deutsch"
