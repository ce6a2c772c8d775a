"""A site in a browser, from a disk: accessible in light and dark, nothing cut off, no request elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.builders import a_round, played
from tests.site.example_events import ALL
from tests.web.server_process import LOOKS
from topcut.cli.site import replace_folder
from topcut.formats.event_file import Event
from topcut.site.pages import build_site

LONG = "Wolfeschlegelsteinhausenbergerdorff" * 2
SIZES = [320, 390, 768, 1280, 1920, 3840]


def crowd() -> Event:
    """Sixty players with names of every kind, so that finders and letters are there."""
    names = {
        f"p{n}": f"{first} {last}"
        for n, (first, last) in enumerate(
            (first, last) for first in ("Ada", "Bo", "Çelik", "ليلى", "李", LONG) for last in "QRSTUVWXYZ"
        )
    }
    tables = ", ".join(f"p{n} 2-1 p{n + 1}" for n in range(0, 60, 2))
    return played("mtr", tables, a_round(tables), name=names, options={"cut": 8})


EVENTS: dict[str, Callable[[], Event]] = {**ALL, "crowd": crowd}
SHOWN = {
    "city-cup-final": ["index", "standings", "bracket", "rounds/1", "rounds/8", "rounds/all", "players"],
    "city-cup": ["index", "bracket", "players/p19"],
    "three-at-a-table": ["index", "rounds/1", "standings"],
    "two-brackets": ["index", "standings", "standings-senior", "bracket", "players/p1"],
    "unfinished": ["index", "rounds/2", "standings", "bracket", "players/a"],
    "robin": ["bracket", "index"],
    "cumulative": ["standings", "players/a"],
    "empty": ["index", "standings", "players", "players/a"],
    "crowd": ["index", "standings", "rounds/1", "rounds/all", "players", "players/p30", "players/p50"],
}
PATHS = [f"{name}/{path}" for name, paths in SHOWN.items() for path in paths]


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sites, in a folder whose name needs care."""
    folder: Path = tmp_path_factory.mktemp("a file share") / "100% ünsere"
    for name in SHOWN:
        replace_folder(build_site(EVENTS[name]()), folder / name)
    return folder


class Guest:
    """Somebody with a browser; whatever it complains of or asks for elsewhere fails the test."""

    def __init__(self, browser: Browser, disk: Path, **how: Any) -> None:
        self.disk = disk
        self.context: BrowserContext = browser.new_context(offline=True, **how)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda said: self.troubles.append(said.text))
        self.page.on("requestfailed", lambda request: self.troubles.append(request.url))
        self.page.on("request", lambda request: self._where(request.url))

    def _where(self, url: str) -> None:
        if not url.startswith(f"{self.disk.as_uri()}/"):
            self.troubles.append(url)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.disk.as_uri()}/{path}.html")
        return self.page


@pytest.fixture
def guest(browser: Browser, disk: Path) -> Iterator[Callable[..., Guest]]:
    came: list[Guest] = []

    def new(**how: Any) -> Guest:
        came.append(Guest(browser, disk, **how))
        return came[-1]

    yield new
    for one in came:
        one.context.close()
        assert one.troubles == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_is_accessible(guest: Callable[..., Guest], width: int, scheme: str) -> None:
    one = guest(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found = []
    for path in PATHS:
        page = one.open(path)
        for violation in Axe().run(page, options={"preload": False}).response["violations"]:
            where = ", ".join(str(node["target"]) for node in violation["nodes"][:3])
            found.append(f"{path}: {violation['id']}: {violation['help']} ({where})")
    assert "\n".join(found) == ""


def test_nothing_is_cut_off_from_phones_to_walls(guest: Callable[..., Guest]) -> None:
    one = guest()
    found = []
    for path in PATHS:
        page = one.open(path)
        for width in SIZES:
            page.set_viewport_size({"width": width, "height": 800})
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                found.append(f"{path}: {wider} px are cut off at {width}")
    assert "\n".join(found) == ""


def test_the_style_is_there(guest: Callable[..., Guest]) -> None:
    """The policy of the page lets its own files in, also from a disk."""
    page = guest(color_scheme="dark").open("city-cup/players/p19")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 22, 21)"
    assert page.evaluate("matchMedia('print').matches") is False


def test_a_player_is_found_while_one_types(guest: Callable[..., Guest]) -> None:
    page = guest().open("crowd/players")
    page.get_by_label("Find a player").fill("celik w")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    expect(page.locator("tbody tr:visible")).to_contain_text("Çelik W")
    page.get_by_label("Find a player").fill("nobody at all")
    expect(page.get_by_role("status")).to_contain_text("No player")
    page.get_by_label("Find a player").fill("")
    expect(page.locator("tbody tr:visible")).to_have_count(60)
    page = guest().open("crowd/rounds/1")
    page.get_by_label("Find a player").fill("ada t")
    expect(page.locator("tbody tr:visible")).to_have_count(1)


def test_all_of_it_is_there_without_scripts(guest: Callable[..., Guest]) -> None:
    page = guest(java_script_enabled=False).open("crowd/index")
    page.get_by_role("link", name="Rounds", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Round 2")
    expect(page.locator("tbody tr:visible")).to_have_count(30)
    expect(page.get_by_label("Find a player")).to_be_hidden()
    page.get_by_role("link", name="Ada Q").click()
    page.get_by_role("link", name="Ada R").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada R")
    page.get_by_text("Opponents' match-win %").first.click()
    expect(page.locator("details[open]")).to_have_count(2)
    page.get_by_role("link", name="Standings", exact=True).click()
    expect(page.locator("tbody tr:visible")).to_have_count(60)


def test_a_name_from_right_to_left_stays_in_its_place(guest: Callable[..., Guest]) -> None:
    page = guest().open("crowd/players/p30")
    text = page.locator("#why-rank ~ ul li, details li").all_inner_texts()
    assert any("\u2068ليلى" in line for line in text)
