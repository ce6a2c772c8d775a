"""What the published procedures ask of an event while it runs, at the desk and on the public page:
announcement, divisions, clock, reminders, the end of the Swiss rounds (PK-1, PK-13, PK-60, PK-61, DC-2)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

EIGHT = ("Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture
def staff(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    return Staff(visitor(), site.link)


def made(site: Site, staff: Staff, rules: str, *options: str) -> None:
    """Make the event "cup" by command; the desk is open on it."""
    chosen = [word for option in options for word in ("--option", option)]
    site("new", "Cup", "--rules", rules, "--rehearsal", "cup", *chosen)
    staff.desk = f"{site.address}/desk/cup"


def played(site: Site, tables: int = 4) -> None:
    """One whole round."""
    for step in ("pair", "publish", "start"):
        site("round", step)
    for table in range(1, tables + 1):
        site("report", str(table), "2-0")
    site("round", "end")


def test_the_end_of_swiss_names_who_is_in_and_what_closes(
    site: Site, staff: Staff, visitor: Callable[..., Visitor]
) -> None:
    made(site, staff, "pokemon-2017", "format=swiss+elimination", "rounds=2", "cut=4")
    site("add", *EIGHT)
    played(site)
    page = staff.page
    page.goto(staff.desk)
    expect(page.locator("h1")).to_contain_text("Round 1 of 2")
    played(site)
    made_cut = page.locator(".cut-made")
    expect(made_cut.locator("h2")).to_have_text("The Swiss rounds are over. 4 of 8 players made the cut.")
    expect(made_cut.locator("li")).to_have_count(4)
    closes = "Publishing the first elimination round closes all Swiss records"
    expect(page.locator("main .notice", has_text=closes)).to_be_visible()
    expect(page.get_by_role("link", name="Check the cut in the standings")).to_be_visible()
    hall = visitor().page
    hall.goto(f"{site.address}/e/cup")
    expect(hall.locator(".now .notice")).to_contain_text(f"Check your results now. {closes}")
    expect(hall.locator("section[aria-labelledby=news]")).to_contain_text("Check your results now.")
    hall.goto(f"{site.address}/e/cup/player/p1")
    expect(hall.locator(".card.check")).to_contain_text(closes)
    page.get_by_role("button", name="Pair round 3: top 4").click()
    expect(page.locator("section[aria-labelledby=warnings-title]")).to_contain_text(closes)
    page.get_by_role("button", name="Publish round 3").click()
    expect(page.get_by_role("button", name="Start round 3")).to_be_visible()
    hall.goto(f"{site.address}/e/cup")
    expect(hall.locator(".now")).to_contain_text("Round 3")
    expect(hall.locator(".now .notice")).to_have_count(0)


def test_a_round_without_a_clock_gets_one_and_the_next_round_proposes_it(site: Site, staff: Staff) -> None:
    made(site, staff, "pokemon-2017", "format=swiss", "rounds=3")
    site("add", *EIGHT)
    for step in ("pair", "publish"):
        site("round", step)
    page = staff.page
    page.goto(staff.desk)
    page.get_by_role("button", name="Start round 1").click()
    expect(page.get_by_role("button", name="Set the clock")).to_be_visible()
    expect(page.locator("header .clock")).to_have_count(0)
    page.get_by_label("New time left (minutes)").fill("40")
    page.get_by_role("button", name="Set the clock").click()
    expect(page.locator("header .clock")).to_have_text(re.compile(r"^(40|39):"))
    staff.line("clock 30")
    expect(page.locator("header .clock")).to_have_text(re.compile(r"^(30|29):"))
    for table in range(1, 5):
        site("report", str(table), "2-0")
    for step in ("end", "pair", "publish"):
        site("round", step)
    expect(page.locator("form[data-do=start] [name=minutes]")).to_have_value("30")
    page.get_by_role("button", name="Start round 2").click()
    expect(page.locator("header .clock")).to_have_text(re.compile(r"^(30|29):"))


def test_the_length_for_level_and_decks_is_chosen_at_the_desk(site: Site, staff: Staff) -> None:
    """DC-2."""
    made(site, staff, "dci-1999")
    site("add", *EIGHT)
    page = staff.page
    page.goto(f"{staff.desk}/event")
    form = page.locator("form[data-to$='/options']")
    form.locator("[name=level]").select_option("premier")
    form.locator("[name=deck]").select_option("constructed")
    form.get_by_role("button", name="Save options").click()
    expect(page.locator("#toast")).to_contain_text("deck=constructed")
    for step in ("pair", "publish"):
        site("round", step)
    page.goto(staff.desk)
    expect(page.locator("form[data-do=start] [name=minutes]")).to_have_value("70")


def test_what_will_be_announced_and_what_is_missing_shows_before(site: Site, staff: Staff) -> None:
    """PK-1, PK-13."""
    made(site, staff, "pokemon-2017")
    page = staff.page
    page.goto(f"{staff.desk}/event")
    expect(page.locator("#to-announce")).to_contain_text("The number of rounds and the cut are missing.")
    for number in range(9):
        site("add", f"Masters {number}", "--division", "masters")
    site("add", "Ju", "--division", "junior")
    about = page.locator("#to-announce")
    expect(about).to_contain_text("4 rounds, then a top 4.")
    expect(about).to_contain_text("Divisions are modified: junior and masters play in one pool.")
    expect(about).to_contain_text("There is no match for third place.")
    expect(about).to_contain_text("Enter how many players get prizes, or “none”")
    page.locator("form[data-do=announce]").get_by_role("button", name="Announce").click()
    expect(page.locator("form[data-do=announce] li")).to_have_count(0)  # the field is required
    page.fill("form[data-do=announce] [name=prizes]", "the first 4")
    page.locator("form[data-do=announce]").get_by_role("button", name="Announce").click()
    page.goto(f"{site.address}/e/cup")
    expect(page.locator(".announced")).to_contain_text("Divisions are modified: junior and masters")
    expect(page.locator(".announced")).to_contain_text("Prizes: the first 4.")


def test_players_change_how_divisions_play_and_the_desk_says_so(
    site: Site, staff: Staff, visitor: Callable[..., Visitor]
) -> None:
    """PK-11, PK-13."""
    made(site, staff, "pokemon-2017")
    for number in range(6):
        site("add", f"Masters {number}", "--division", "masters")
        site("add", f"Senior {number}", "--division", "senior")
    page = staff.page
    page.goto(f"{staff.desk}/players")
    expect(page.locator("#plan")).to_contain_text("Divisions are separated: each plays by itself.")
    page.fill("#add [name=name]", "Zoe")
    page.click("#add button.main")
    expect(page.locator("#notes")).to_contain_text("Zoe has no division (PK-11).")
    site("player", "remove", "Zoe")
    site("player", "remove", "Senior 0")  # the page follows
    expect(page.locator("#plan")).to_contain_text(
        "Divisions are modified: senior and masters play in one pool."
    )
    expect(page.locator("#plan")).to_contain_text("Fewer than 6 players: senior (5)")
    hall = visitor().page
    hall.goto(f"{site.address}/e/cup")
    expect(hall.get_by_text("Divisions are modified: senior and masters play in one pool.")).to_be_visible()
    page.goto(staff.desk)
    page.get_by_role("button", name="Pair round 1").click()
    expect(page.get_by_role("button", name="Publish round 1")).to_be_visible()
    expect(page.locator("#plan")).to_contain_text("Divisions are modified")


def test_a_new_event_is_planned_by_the_players_of_each_division(staff: Staff) -> None:
    page = staff.page
    page.goto("/new")
    page.select_option("[name=rules]", "pokemon-2017")
    page.locator("#division-junior input").fill("3")
    page.locator("#division-masters input").fill("20")
    planned = page.locator("#planned")
    expect(planned).to_contain_text("fewer than 6")
    expect(planned).to_contain_text("5 rounds of Swiss")
    page.locator("#division-junior input").fill("9")
    expect(planned).to_contain_text("4 rounds of Swiss")
    expect(planned).not_to_contain_text("fewer than 6")
    page.locator("#new [name=name]").focus()
    page.select_option("[name=format]", "elimination")
    expect(page.locator("#division-junior")).to_have_count(0)
