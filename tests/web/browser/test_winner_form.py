"""The form of a larger table where only the winner counts: picked by name, and typed as the entry line."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

EIGHT = ("Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")


def test_the_winner_of_a_table_of_four_is_picked_by_name(site: Site, visitor: Callable[..., Visitor]) -> None:
    site("new", "Cup", "--rules", "commander-4", "--rehearsal", "cup", "--option", "rounds=2")
    site("add", *EIGHT)
    for step in ("pair", "publish", "start"):
        site("round", step)
    desk = Staff(visitor(), site.link)
    desk.desk = f"{site.address}/desk/cup"
    desk.at_round()
    page, dialog = desk.page, desk.page.get_by_role("dialog")
    seats = [table["players"] for table in site.json("round", "show")["tables"]]
    names = dict(zip((f"p{n}" for n in range(1, 9)), EIGHT, strict=True))

    page.get_by_role("button", name="Enter with a form").click()
    expect(dialog.get_by_label("Table", exact=True)).to_have_value("1")
    expect(dialog.get_by_role("radio")).to_have_count(5)
    dialog.get_by_role("button", name="Save result").click()
    expect(dialog).to_be_visible()  # nobody is picked yet
    dialog.get_by_label(f"{names[seats[0][2]]} won").check()
    expect(dialog.locator("output")).to_contain_text(f"{names[seats[0][2]]} beats")
    dialog.get_by_role("button", name="Save result").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#echo")).to_have_text(re.compile("^✓"))
    assert site.json("round", "show")["tables"][0]["winner"] == seats[0][2]

    page.get_by_role("button", name="Enter with a form").click()
    expect(dialog.get_by_label("Table", exact=True)).to_have_value("2")
    dialog.get_by_label("Draw").check()
    page.keyboard.press("Escape")
    expect(page.locator("#entry-text")).to_have_value("2 draw")
    page.get_by_role("button", name="Enter with a form").click()
    dialog.get_by_label("Draw").check()
    dialog.get_by_role("button", name="Save result").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#missing-title")).to_be_visible()
    assert site.json("round", "show")["missing"] == []
