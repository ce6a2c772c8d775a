"""An event from its creation to final places, through the pages alone, for each source ruleset.

Once in English and once in German; in German no text on any page that the event touches is left in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from tests.web.browser.forked_commands import command
from tests.web.browser.scorekeeper import Staff
from tests.web.browser.test_languages import READ_TEXTS
from tests.web.server_process import Site, Visitor
from topcut.text.catalogues import load_catalogue

NAMES = [
    "Ada Okafor",
    "Bruno Keller",
    "陈伟",
    "ليلى منصور",
    "Emil Novák",
    "Farah Aziz",
    "Goro Tanaka",
    "Hana Kim",
    "Ivo",
]
NAMES += ["Ivo", "Maximiliane Katharina Freifrau von Hohenstein-Wolfenbüttel", "Đặng Thị Ngọc Hân"]


def games(seed: int) -> Callable[[int], str]:
    random = Random(seed)
    return lambda _: random.choice(["2-0", "2-1", "1-2", "0-2"])


def scores(seed: int) -> Callable[[int], str]:
    random = Random(seed)
    return lambda table: " ".join(random.sample(["30*", "12", "7x"], 3)) if table > 1 else "24 10 23 none"


EVENTS = {
    "draft-sheet": (8, "", {}, 3, games(1)),
    "draft-sheet of six": (6, "", {}, 3, games(6)),
    "draft-sheet of seven": (7, "", {}, 3, games(7)),
    "pokemon-2017": (8, "", {"rounds": "3", "cut": "4"}, 5, games(2)),
    "allegiance-2005": (9, "", {"rounds": "3"}, 3, scores(3)),
    "dci-1999": (9, "swiss+elimination", {"rounds": "3", "cut": "4"}, 5, games(4)),
    "fab-gem": (11, "swiss", {"rounds": "4"}, 4, games(5)),
}


NAME = "Autumn cup"
NATIVE: dict[str, dict[str, str]] = {"en": {}, "de": {"language": "de"}}
"""The option of the event by which its desk, paper and screens are in this language."""
PAGES = ["", "/pairings", "/standings", "/bracket", "/draws", "/changes", "/player/p1", "/slip/1", "/screen"]
DESK_PAGES = ["", "/players", "/players/p1", "/standings", "/log", "/print", "/event", "/export"]
KINDS = [
    *(pytest.param("en", kind, marks=[pytest.mark.quick] * (kind == "pokemon-2017")) for kind in EVENTS),
    *(pytest.param("de", kind) for kind in EVENTS if " " not in kind),
]


@cache
def list_english(language: str) -> tuple[tuple[str, ...], ...]:
    """The fixed parts of every English text that the language says otherwise, and nowhere as in English."""
    catalogue = load_catalogue(language)
    translated = "\n".join(form for forms in catalogue.texts.values() for form in forms)
    parts = [[part.strip() for part in re.split(r"\{\w+\}", text)] for _, text in catalogue.texts]
    long = [[part for part in one if " " in part and len(part) > 9] for one in parts]
    return tuple(tuple(one) for one in long if one and not any(part in translated for part in one))


def left_in_english(staff: Staff, paths: list[str]) -> list[str]:
    """Texts on these pages that are in English."""
    found = []
    for path in paths:
        staff.page.goto(path)
        assert staff.page.evaluate("document.documentElement.lang") == staff.language, path
        for text in staff.page.evaluate(READ_TEXTS):
            read = text.replace(NAME, "")
            if any(all(part in read for part in parts) for parts in list_english(staff.language)):
                found.append(f"{path}: {text}")
    return found


@pytest.mark.parametrize(("language", "kind"), KINDS)
def test_an_event_runs_from_its_creation_to_final_places(
    language: str, kind: str, site: Site, visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    players, event_format, options, rounds, result = EVENTS[kind]
    rules = kind.partition(" ")[0]
    cut = "cut" in options
    guest = visitor(viewport={"width": 1280, "height": 800}, locale={"en": "en-GB", "de": "de-DE"}[language])
    staff = Staff(guest, site.link, language)
    staff.make(NAME, rules, players, event_format)
    staff.paste(NAMES[:players])
    if options | NATIVE[language]:
        staff.options(**options, **NATIVE[language])
    staff.at_round()
    for number in range(rounds):
        if language != "en" and number == 1:
            staff.line("pair")
            staff.line("publish")
            assert left_in_english(staff, [staff.desk, *(f"/e/autumn-cup{page}" for page in PAGES)]) == []
            staff.at_round()
            staff.line("start")
            staff.finish(result)
        else:
            staff.play(result)

    staff.page.get_by_role("button", name=staff.read("Finish the event")).click()
    expect(staff.page.locator("h1")).to_have_text(staff.read("The event is over"))
    if language != "en":
        desk = [f"{staff.desk}{page}" for page in DESK_PAGES]
        assert left_in_english(staff, [*desk, *(f"/e/autumn-cup{page}" for page in PAGES)]) == []

    # What everybody sees is what the command line computes from the exported event.
    file = tmp_path / "event.json"
    site("export", "--as", "event", "-o", str(file))
    command("check", str(file))
    ranked = json.loads(command("standings", str(file), "--json"))["standings"]
    staff.page.goto("/e/autumn-cup/standings")
    assert staff.page.locator(".standings tbody th a").all_inner_texts() == [row["name"] for row in ranked]
    if cut:
        places = json.loads(command("bracket", str(file), "--json"))["places"]
        staff.page.goto("/e/autumn-cup/bracket")
        shown = staff.page.locator("table.places tbody th").all_inner_texts()
        assert shown == [place["name"] for place in places]
    log = tmp_path / "event.log"
    site("export", "-o", str(log))
    command("check", str(log))
