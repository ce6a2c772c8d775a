"""Awarded byes: entered at the desk, shown in their rounds at the desk, in public and on paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.printing.pdf_reader import text_of
from tests.web.browser.scorekeeper import Staff
from tests.web.browser.test_phones import PHONE, phone_of
from tests.web.server_process import Site, Visitor

SEVEN = ("Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    """Seven players without awarded byes."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", *SEVEN)
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    return staff


def printed(desk: Staff, sheet: str) -> str:
    return text_of(desk.visitor.context.request.get(f"{desk.desk}/print/{sheet}").body())


def test_byes_of_the_form_are_won_in_their_rounds_and_then_the_player_is_paired(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players")
    form = page.locator("#add")
    form.get_by_label("Name", exact=True).fill("Ada")
    form.get_by_label("Awarded byes").fill("1")
    form.get_by_role("button", name="Add player").click()
    expect(page.get_by_role("row", name="Ada")).to_contain_text("1 awarded bye")

    desk.at_round()
    desk.line("pair")
    awarded = page.locator("tr", has_text="Ada")
    expect(awarded.locator("th")).to_have_text("bye (awarded)")
    expect(page.locator("tr", has=page.get_by_role("rowheader", name="bye", exact=True))).to_have_count(1)
    for step in ("publish", "start"):
        desk.line(step)
    assert "bye (awarded)" in printed(desk, "pairings.pdf")
    assert "Ada" not in printed(desk, "slips.pdf")
    hall = visitor(**PHONE).page
    hall.goto(f"{site.address}/e/cup/pairings")
    expect(hall.get_by_role("row", name="Ada")).to_contain_text("bye (awarded)")
    hall.goto(f"{site.address}/e/cup/player/p8")
    expect(hall.locator("main")).to_contain_text("this player won this round before the event began")
    screen = visitor().page
    screen.goto(f"{site.address}/e/cup/screen")
    expect(screen.locator("li", has_text="Ada")).to_contain_text("bye (awarded)")
    phone = phone_of(desk, "p8", visitor)
    expect(phone.locator("main")).to_contain_text("You won this round before the event began.")

    desk.finish(lambda _: "2-0")
    for step in ("pair", "publish", "start"):
        desk.line(step)
    paired = [table["players"] for table in site.json("round", "show")["tables"] if not table.get("bye")]
    assert any("p8" in players for players in paired), "after its awarded byes a player is paired"
    assert "bye (awarded)" not in printed(desk, "pairings.pdf")
