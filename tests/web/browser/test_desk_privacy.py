"""Staff give display names, find players by either name, and forget one when the event is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    site("new", "Cup", "--rules", "mtr")
    site("add", "Bo", "Cy", "Di")
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    return staff


def test_a_player_is_entered_with_another_name_to_show_and_found_by_both(site: Site, desk: Staff) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players")
    page.fill("#add [name=name]", "Xanthippe Quackenbush")
    page.get_by_label("Display name").fill("Zed")
    page.click("#add button.main")
    row = page.locator("[data-key=p4]")
    expect(row).to_contain_text("Zed (Xanthippe Quackenbush)")
    for text in ("quack", "zed"):
        page.goto(f"{desk.desk}/players?q={text}")
        expect(page.locator("tbody tr")).to_have_count(1)
    assert "Quackenbush" not in site.get("/e/cup?q=zed")
    row.get_by_role("link").click()
    form = page.locator("form[data-do='edit player']")
    expect(form.locator("[name=name]")).to_have_value("Xanthippe Quackenbush")
    expect(form.locator("[name=display]")).to_have_value("Zed")
    form.locator("[name=display]").fill("")
    form.locator("button").click()
    expect(page.locator("h1")).to_have_text("Xanthippe Quackenbush")


def test_one_is_forgotten_at_the_end_after_a_question(site: Site, desk: Staff) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players/p1")
    expect(page.get_by_text("You can delete the personal data when the event is finished")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_text("Download this player's data").click()
    assert '"name": "Bo"' in download.value.path().read_text()
    site("event", "finish", "--reason", "a test")
    page.get_by_role("button", name="Delete personal data").click()
    expect(page.locator("dialog[open]")).to_contain_text("Delete the personal data of Bo?")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("h1")).to_have_text("p1")
    expect(page.get_by_text("The personal data of this player is deleted")).to_be_visible()
    expect(page.locator("form[data-do='edit player']")).to_have_count(0)
    page.goto(f"{desk.desk}/log")
    expect(page.locator("main")).to_contain_text("The personal data of p1 is deleted")
    expect(page.locator("main")).not_to_contain_text("Bo ")
