"""What tests of the list below the entry line have in common."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator

from tests.timeouts import PAGE_PATIENCE
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

NAMES = [f"{first} {last}" for first in ("Ada", "Bo", "Cy", "Di", "Eve", "Fay") for last in "QRSTU"]


def scorekeeper(site: Site, visitor: Callable[..., Visitor], **how: Any) -> Staff:
    staff = Staff(visitor(**how), site.link)
    staff.desk = f"{site.address}/desk/cup"
    staff.at_round()
    return staff


def rows(staff: Staff) -> Locator:
    return staff.page.locator("#lines li")


def row(staff: Staff, text: str) -> Locator:
    """The row of a line in the list of those that have not counted."""
    return rows(staff).filter(has=staff.page.get_by_text(text, exact=True))


def reported(site: Site) -> dict[int, list[int]]:
    return {t["table"]: t["games"] for t in site.json("round", "show")["tables"] if t.get("games")}


def expect_reported(site: Site, games: dict[int, list[int]]) -> None:
    """Wait until these tables are reported, and no others. A line that counts at once is not listed."""
    end = time.monotonic() + PAGE_PATIENCE / 1_000
    while (found := reported(site)) != games:
        assert time.monotonic() < end, found
        time.sleep(0.05)


def log(site: Site) -> list[str]:
    """What the log says, the oldest first."""
    return [fact["says"] for fact in site.json("log")["facts"]]


def tab_to(staff: Staff, target: Locator) -> None:
    """Reach something by keyboard alone."""
    for _ in range(12):
        if target.evaluate("e => e.contains(document.activeElement)"):
            return
        staff.page.keyboard.press("Tab")
    raise AssertionError("it cannot be reached by keyboard")


def played(site: Site, *last: str) -> None:
    """Two rounds of eight players, and these steps of the third."""
    site("new", "Cup", "--rules", "pokemon-2017", "--rehearsal", "cup", "--option", "rounds=4")
    site("add", "Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")
    for _ in range(2):
        for step in ("pair", "publish", "start"):
            site("round", step)
        for table in "1234":
            site("report", table, "2-0")
        site("round", "end")
    for step in last:
        site("round", step)
