"""The same in a browser, where our own scripts put texts on a page: echoes, dialogs, notes, lists."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

EVIL = '"><blink onx=1 onload=evil()><img src=x onerror=evil()>'


def only_text(page: Page) -> None:
    """Nothing that somebody typed has become a part of the page."""
    assert page.locator("blink, img[onerror], img[src=x], [onx]").count() == 0


def test_what_scripts_show_is_text_too(site: Site, visitor: Callable[..., Visitor]) -> None:
    site("new", EVIL, "--rules", "mtr", "--id", "evil", "--rehearsal", "x")
    site("add", *(f"{n}{EVIL}" for n in "ABCD"))
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/evil"
    page = staff.page
    page.goto(f"{staff.desk}/players")
    page.fill("#paste textarea", f"{EVIL}\nA{EVIL}")
    page.click("text=Preview")
    expect(page.locator("#pasted")).to_contain_text("onerror")
    only_text(page)
    staff.at_round()
    for step in ("pair", "publish", "start"):
        staff.line(step)
    assert "onerror" in staff.line("1 2-0")
    only_text(page)
    staff.echo(f"2 {EVIL}")
    only_text(page)
    page.goto(f"{staff.desk}/log")
    page.locator("[data-undo]").nth(1).click()
    expect(page.locator("dialog[open]")).to_contain_text("onerror")
    only_text(page)
    page.keyboard.press("Escape")
    page.goto(f"{staff.desk}/event")
    form = page.locator("form[data-links]").first
    form.locator("[name=name]").fill(EVIL)
    form.get_by_text("Create link").click()
    expect(page.locator("#links")).to_contain_text("onerror")
    only_text(page)
    hall = visitor().page
    for address in ("", "?q=onx", "/pairings", "/standings", "/screen", "/player/p1", "/changes"):
        hall.goto(f"/e/evil{address}")
        only_text(hall)
    hall.goto("/e/evil/player/p1")
    hall.get_by_text("This is me").first.click()
    hall.goto("/e/evil")
    expect(hall.locator("body")).to_contain_text("onerror")
    only_text(hall)
