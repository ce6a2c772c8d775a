"""Players report on their own phones: both must agree, disagreement goes to the desk, a scorekeeper wins."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    """Four players in the first round, seen by a scorekeeper."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", "Ada", "Bo", "Cy", "Di")
    for step in ("pair", "publish", "start"):
        site("round", step)
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    return staff


def at_table(site: Site, table: int) -> list[str]:
    players: list[str] = site.json("round", "show")["tables"][table - 1]["players"]
    return players


def phone_of(desk: Staff, player: str, visitor: Callable[..., Visitor]) -> Page:
    """The player's phone, by the link that the desk shows."""
    page = desk.visitor.context.new_page()
    page.goto(f"{desk.desk}/players/{player}")
    link = page.locator("a[href*='/me/']").get_attribute("href")
    code = page.locator("img.qr")
    assert code.evaluate("image => image.complete && image.naturalWidth > 0"), "the QR code is shown"
    page.close()
    assert link is not None
    phone = visitor(**PHONE).page
    phone.goto(link)
    return phone


def say(phone: Page, words: str) -> None:
    phone.get_by_role("button", name=words, exact=True).click()
    phone.get_by_role("button", name="Report result").click()


def test_a_result_counts_once_both_say_the_same(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    first, second = at_table(site, 1)
    one, other = phone_of(desk, first, visitor), phone_of(desk, second, visitor)
    expect(one.locator(".big")).to_contain_text("Table 1")
    say(one, "I won 2–1")
    expect(one.locator("main")).to_contain_text("Your opponent has to confirm this.")
    expect(other.locator("main")).to_contain_text("2-1")
    assert 1 in site.json("round", "show")["missing"]
    say(other, "I lost 1–2")
    for phone in (one, other):
        expect(phone.locator("main")).to_contain_text("Result:")
    table = site.json("round", "show")["tables"][0]
    assert table["games"] == [2, 1, 0]
    assert "phone" in site("log")


def test_players_who_do_not_say_the_same_are_seen_by_the_desk_and_the_scorekeeper_wins(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    desk.at_round()
    first, second = at_table(site, 2)
    one, other = phone_of(desk, first, visitor), phone_of(desk, second, visitor)
    say(one, "I won 2–0")
    say(other, "I won 2–0")
    for phone in (one, other):
        expect(phone.locator("main")).to_contain_text("Your reports don't match.")
    row = desk.page.locator("[data-key=m2]")
    expect(row).to_contain_text("reports differ")
    assert desk.outstanding()[0] == 2, "disputes come first"
    desk.line("2 0-2")
    expect(one.locator("main")).to_contain_text("Result:")
    assert site.json("round", "show")["tables"][1]["games"] == [0, 2, 0]
    expect(one.locator("[data-result]")).to_have_count(0)


def test_leaving_by_phone_is_asked_twice(site: Site, desk: Staff, visitor: Callable[..., Visitor]) -> None:
    phone = phone_of(desk, "p1", visitor)
    phone.get_by_text("Leave the event (drop)", exact=True).click()
    phone.get_by_role("button", name="Leave the event").click()
    phone.locator("dialog").get_by_role("button", name="Leave the event").click()
    expect(phone.locator(".problem")).to_contain_text("Your table is not reported yet.")
    for table in "12":
        site("report", table, "2-0")
    phone.get_by_role("button", name="Leave the event").click()
    phone.get_by_role("button", name="Cancel").click()
    assert site.json("event", "show")["active"] == 4
    phone.get_by_role("button", name="Leave the event").click()
    phone.locator("dialog").get_by_role("button", name="Leave the event").click()
    expect(phone.locator("main")).to_contain_text("You left this event.")
    assert site.json("event", "show")["active"] == 3


def test_leaving_after_the_next_round_is_posted_goes_to_the_desk(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    for table in "12":
        site("report", table, "2-0")
    for step in ("end", "pair", "publish"):
        site("round", step)
    desk.at_round()
    phone = phone_of(desk, "p1", visitor)
    phone.get_by_text("Leave the event (drop)", exact=True).click()
    phone.get_by_role("button", name="Leave the event").click()
    phone.locator("dialog").get_by_role("button", name="Leave the event").click()
    expect(desk.page.locator("#questions")).to_contain_text("Ada wants to drop.")
    assert site.json("event", "show")["active"] == 4
    desk.page.locator("#questions").get_by_role("button", name="Mark as answered").click()
    expect(desk.page.locator("#questions")).to_have_count(0)


def test_my_points_are_wrong_reaches_the_desk(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    for table in "12":
        site("report", table, "2-0")
    desk.at_round()
    guest = visitor(**PHONE).page
    guest.goto("/e/cup/player/p3")
    guest.get_by_role("button", name="My points are wrong").click()
    guest.locator("dialog").get_by_role("button", name="Ask the desk").click()
    expect(desk.page.locator("#questions")).to_contain_text("Cy says their points are wrong.")


@pytest.mark.parametrize("change", ["another player", "another signature", "another event"])
def test_a_link_that_was_changed_opens_nothing(
    site: Site, desk: Staff, visitor: Callable[..., Visitor], change: str
) -> None:
    site("new", "Other", "--rules", "mtr")
    site("add", "Zoe", "--event", "other")
    page = desk.page
    page.goto(f"{desk.desk}/players/p1")
    link = page.locator("a[href*='/me/']").get_attribute("href")
    assert link is not None
    forged = {
        "another player": link.replace("/me/p1/", "/me/p2/"),
        "another signature": link[:-4] + ("0000" if not link.endswith("0000") else "1111"),
        "another event": link.replace("/e/cup/", "/e/other/"),
    }[change]
    answer = visitor().page.goto(forged)
    assert answer is not None
    assert answer.status == 404


def test_a_table_that_nobody_won_is_reported_by_phone_and_at_the_desk(
    site: Site, visitor: Callable[..., Visitor]
) -> None:  # AL-9
    site("new", "Factions", "--rules", "allegiance-2005", "--rehearsal", "al", "--option", "rounds=2")
    site("add", "Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    for step in ("pair", "publish", "start"):
        site("round", step)
    desk = Staff(visitor(), site.link)
    desk.desk = f"{site.address}/desk/factions"
    for player_id in at_table(site, 1):
        phone = phone_of(desk, player_id, visitor)
        for points, score in zip(phone.get_by_label("Points").all(), ("24", "10", "23"), strict=True):
            points.fill(score)
        phone.get_by_label("nobody won").check()
        say(phone, "Report this result")
        expect(phone.locator("main")).to_contain_text("nobody won")
    desk.at_round()
    desk.page.keyboard.type("2 24 21 3x")
    desk.page.get_by_role("button", name="Nobody won").click()
    expect(desk.page.locator("#echo")).to_contain_text("(eliminated), nobody won")
    expect(desk.page.locator("#entry-text")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#echo")).to_have_text(re.compile("^✓.*nobody won"))
    tables = site.json("round", "show")["tables"]
    assert [(table["scores"], table["winners"]) for table in tables] == [
        ([24, 10, 23], []),
        ([24, 21, 3], []),
    ]
    guest = visitor().page
    guest.goto("/e/factions/player/p1")
    expect(guest.locator("main")).to_contain_text("nobody won")
