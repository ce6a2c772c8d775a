"""Every page: no violation that axe finds, in light and dark; nothing cut off from 320 px to a projector."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.timeouts import PATIENCE
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import LOOKS, Site, Visitor

HALL = [
    "/",
    "/e/autumn-open",
    "/e/autumn-open?q=an",
    "/e/autumn-open?q=zzz",
    "/e/autumn-open/pairings",
    "/e/autumn-open/pairings?by=table",
    "/e/autumn-open/standings",
    "/e/autumn-open/player/p1",
    "/e/autumn-open/draws",
    "/e/autumn-open/changes",
    "/e/autumn-open/screen",
    "/e/autumn-open/screen?show=clock",
    "/e/autumn-open/screen?show=standings",
    "/e/autumn-open/bracket",
    "/e/three-kingdoms/pairings",
    "/e/three-kingdoms/standings",
    "/e/three-kingdoms/player/p1",
    "/e/city-cup/bracket",
    "/e/city-cup/standings",
    "/e/city-cup/screen?show=bracket",
    "/e/friday-draft",
    "/e/friday-draft/standings",
    "/e/friday-draft/player/p1",
    "/e/friday-draft/draws",
    "/e/nobody-knows-this",
    "/e/empty",
    "/e/empty/pairings",
    "/e/empty/standings",
    "/e/empty/screen",
    "/enter",
]
DESK = [
    "/",
    "/new?rules=mtr&players=60",
    "/desk/autumn-open",
    "/desk/autumn-open?number=1",
    "/desk/autumn-open/players",
    "/desk/autumn-open/players?q=zzz",
    "/desk/autumn-open/players/p1",
    "/desk/autumn-open/standings?player=p1",
    "/desk/autumn-open/print",
    "/desk/autumn-open/log",
    "/desk/autumn-open/event",
    "/desk/autumn-open/announcement",
    "/desk/city-cup/bracket",
    "/desk/three-kingdoms",
    "/desk/friday-draft",
    "/desk/friday-draft/event",
    "/desk/empty",
    "/desk/empty/players",
    "/desk/empty/standings",
    "/desk/draft",
]
SIZES = [(320, 640), (390, 844), (768, 1024), (1280, 800), (1920, 1080), (3840, 2160)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The example events, an event without players, and one whose first round nobody has seen yet."""
    folder: Path = tmp_path_factory.mktemp("filled")
    subprocess.run(
        [sys.executable, "-m", "tests.web.browser.fill_database", str(folder / "site.db")],
        check=True,
        timeout=PATIENCE,
    )
    site = Site(folder)
    site("new", "Empty", "--rules", "mtr")
    site("new", "Draft", "--rules", "mtr", "--rehearsal", "draft")
    site("add", "Ada", "Bo", "Cy", "--event", "draft")
    site("round", "pair", "--event", "draft")
    yield site
    site.stop()


def violations(visitor: Visitor, paths: list[str]) -> list[str]:
    """What axe finds on these pages."""
    found = []
    for path in paths:
        visitor.page.goto(path)
        for violation in Axe().run(visitor.page).response["violations"]:
            where = ", ".join(str(node["target"]) for node in violation["nodes"][:3])
            found.append(f"{path}: {violation['id']}: {violation['help']} ({where})")
    return found


def cut_off(visitor: Visitor, paths: list[str]) -> list[str]:
    """Pages that are wider than the screen, at each of its sizes."""
    found = []
    for path in paths:
        visitor.page.goto(path)
        for width, height in SIZES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            wider = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                found.append(f"{path}: {wider} px are cut off at {width}")
    return found


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_of_the_hall(filled: Site, browser: Browser, width: int, scheme: str) -> None:
    guest = Visitor(browser, filled, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert violations(guest, HALL) == []
    guest.leave()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_of_the_desk(filled: Site, browser: Browser, width: int, scheme: str) -> None:
    visitor = Visitor(browser, filled, viewport={"width": width, "height": 800}, color_scheme=scheme)
    Staff(visitor, filled.new_link())
    assert violations(visitor, DESK) == []
    visitor.leave()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_players_own_page_and_questions_at_the_desk(filled: Site, browser: Browser, scheme: str) -> None:
    visitor = Visitor(browser, filled, viewport={"width": 390, "height": 800}, color_scheme=scheme)
    Staff(visitor, filled.new_link())
    page = visitor.page
    own = []
    for event in ("autumn-open", "three-kingdoms", "friday-draft"):
        page.goto(f"/desk/{event}/players/p1")
        link = page.locator("a[href*='/me/']").get_attribute("href")
        assert link is not None
        own.append(link)
    assert violations(visitor, own) == []
    page.goto("/desk/autumn-open/log")
    page.get_by_role("button", name="Undo the last step").click()
    page.locator("dialog[open]").wait_for()
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    assert found == []
    visitor.leave()


def test_nothing_is_cut_off_at_any_size(filled: Site, browser: Browser) -> None:
    visitor = Visitor(browser, filled)
    Staff(visitor, filled.new_link())
    assert cut_off(visitor, [*HALL, *DESK]) == []
    visitor.leave()
