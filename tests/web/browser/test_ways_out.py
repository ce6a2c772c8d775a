"""A round that the rules leave no pairing for, at the desk: what can be chosen, and where it is shown."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

DeadEnd = Callable[[Site], None]


def play(site: Site, rounds: int, result: str) -> None:
    for _ in range(rounds):
        for step in ("pair", "publish", "start"):
            site("round", step)
        for table in site.json("round", "show")["missing"]:
            site("report", str(table), *result.split())
        site("round", "end")


def everybody_had_a_bye(site: Site) -> None:
    site("new", "Cup", "--rules", "pokemon-2017", "--option", "format=swiss", "--option", "rounds=4")
    site("add", "Ada", "Ben", "Nora")
    play(site, 3, "2-0")


def only_rematches(site: Site) -> None:
    """Of four players two drop after the first round; the other two have met."""
    site("new", "Cup", "--rules", "fab-gem", "--option", "format=swiss")
    site("add", "Ada", "Ben", "Cleo", "Dov")
    play(site, 1, "2-0")
    for player in site.json("round", "show")["tables"][0]["players"]:
        site("drop", player)


def five_left(site: Site) -> None:
    site("new", "Cup", "--rules", "allegiance-2005", "--option", "rounds=2")
    site("add", "Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana")
    play(site, 1, "30* 3 2 1")
    for player in ("Finn", "Gus", "Hana"):
        site("drop", player)


@pytest.mark.parametrize(
    ("dead_end", "consequence", "button", "public"),
    [
        (everybody_had_a_bye, "gets a second bye", "Allow a second bye", "allowed a second bye"),
        (only_rematches, "meet again (round 1)", "Allow rematches", "allowed rematches"),
        (five_left, "gets a win and the target score", "Let a player sit out", "let a player sit out"),
    ],
)
def test_a_dead_end_shows_the_ways_out_and_they_work(
    site: Site,
    visitor: Callable[..., Visitor],
    dead_end: DeadEnd,
    consequence: str,
    button: str,
    public: str,
) -> None:
    dead_end(site)
    staff = Staff(visitor(), site.link)
    page, desk = staff.page, f"{site.address}/desk/cup"
    page.goto(desk)
    ways = page.locator("#ways-out")
    expect(ways).to_contain_text(consequence)
    expect(page.locator("button[data-do=pair]")).to_have_count(0)
    expect(page.locator("form[data-do=finish]")).to_be_visible()
    picture(page, dead_end.__name__)
    ways.get_by_label("Reason").fill("nothing else is left")
    ways.get_by_role("button", name=button).click()
    expect(page.locator("#steps")).to_contain_text("Publish round")
    expect(page.locator("main")).to_contain_text(f"The organiser {public}. Reason: nothing else is left.")
    for step in ("publish", "start"):
        page.click(f"#steps [data-do={step}]{' button' if step == 'start' else ''}")
        expect(page.locator("#steps")).not_to_contain_text(
            "Publish round" if step == "publish" else "Start round"
        )
    number = site.json("event", "show")["round"]
    for table in site.json("round", "show")["missing"]:
        site("report", str(table), *("30* 3 2 1" if dead_end is five_left else "2-0").split())
    page.click("#steps [data-do=end]")
    expect(page.locator("form[data-do=finish]")).to_be_visible()
    page.click("form[data-do=finish] button")
    expect(page.locator("h1")).to_contain_text("The event is over")
    for address in (f"{desk}/log", f"{site.address}/e/cup/changes", f"{site.address}/e/cup/draws"):
        page.goto(address)
        expect(page.locator("main")).to_contain_text(f"The organiser {public}. Reason: nothing else is left.")
    assert f"round {number}: The organiser {public}." in site("event", "show")


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page where TOPCUT_PICTURES names a folder."""
    if folder := os.environ.get("TOPCUT_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
