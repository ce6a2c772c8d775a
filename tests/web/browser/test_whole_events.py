"""An event from its creation to final places, through the pages alone, for each source ruleset."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from tests.web.browser.forked_commands import command
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

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


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.quick] * (kind == "pokemon-2017")) for kind in EVENTS]
)
def test_an_event_runs_from_its_creation_to_final_places(
    kind: str, site: Site, visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    players, event_format, options, rounds, result = EVENTS[kind]
    rules = kind.partition(" ")[0]
    cut = "cut" in options
    staff = Staff(visitor(viewport={"width": 1280, "height": 800}), site.link)
    staff.make("Autumn cup", rules, players, event_format)
    staff.paste(NAMES[:players])
    if options:
        staff.options(**options)
    staff.at_round()
    for _ in range(rounds):
        staff.play(result)

    staff.page.get_by_role("button", name="Finish the event").click()
    expect(staff.page.locator("h1")).to_have_text("The event is over")

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
