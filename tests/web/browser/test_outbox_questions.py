"""What must be read or answered takes no key: what is typed meanwhile goes to the entry line and is done."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.browser.outbox_steps import NAMES, played, reported, row, rows, scorekeeper, tab_to
from tests.web.server_process import LOOKS, Site, Visitor


def test_what_must_be_read_takes_no_key_and_steps_typed_ahead_are_done(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    """Two players meet again, of which the pairing warns."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", "Ada", "Bo")
    for step in ("pair", "publish", "start"):
        site("round", step)
    mara = scorekeeper(site, visitor)
    mara.page.keyboard.type("1 2-0\nend\npair\npublish\nstart 30\n1 2-1\n", delay=5)
    expect(mara.page.locator("h1")).to_contain_text("Round 2")
    expect(mara.page.locator("[data-key=s1]")).to_contain_text("2-1")
    note = mara.page.locator("#notes .notice")
    expect(note).to_have_count(1)
    expect(note).to_contain_text("pair: please note")
    expect(mara.page.locator("dialog[open]")).to_have_count(0)
    expect(mara.page.locator("header .clock")).to_have_text(re.compile(r"^(30|29):"))
    tab_to(mara, note.get_by_role("button", name="Close"))
    mara.page.keyboard.press("Enter")
    expect(note).to_have_count(0)
    expect(mara.page.locator("#entry-text")).to_be_focused()


def test_publishing_without_an_announcement_swallows_nothing(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Cup", "--rules", "pokemon-2017", "--rehearsal", "cup")
    site("add", "Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")
    mara = scorekeeper(site, visitor)
    mara.line("pair")
    expect(mara.page.locator("main")).to_contain_text("Rounds, cut and prizes are not announced yet (PK-1).")
    mara.page.keyboard.type("publish\nstart 30\n1 2-0\n", delay=5)
    expect(mara.page.locator("[data-key=s1]")).to_be_visible()
    expect(mara.page.locator("dialog[open]")).to_have_count(0)
    expect(rows(mara)).to_have_count(0)
    assert site.json("round", "show")["phase"] == "started"


def test_steps_typed_ahead_of_a_choice_wait_for_it_and_no_key_is_taken_as_the_answer(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    played(site, "pair", "publish")
    mara = scorekeeper(site, visitor)
    before = site.json("round", "show")
    mara.echo("r2 1 0-2")
    mara.page.keyboard.type("\nstart 30\n1 2-0\n3 2-1\n3", delay=5)
    question = row(mara, "r2 1 0-2")
    expect(question).to_contain_text("How should it be updated?")
    for line in ("start 30", "1 2-0", "3 2-1"):
        expect(row(mara, line)).to_contain_text("waiting")
    expect(mara.page.locator("#entry-text")).to_have_value("3")
    assert site.json("round", "show") == before, "nothing is done before there is an answer"
    tab_to(mara, question.locator(".choices"))
    mara.page.keyboard.press("1")
    expect(rows(mara)).to_have_count(0)
    expect(mara.page.locator("#entry-text")).to_be_focused()
    expect(mara.page.locator("#entry-text")).to_have_value("3")
    after = site.json("round", "show")
    assert after["phase"] == "started"
    assert sorted(reported(site)) == [1, 3]
    assert "is corrected" in site("log")


def test_results_typed_ahead_of_a_closed_record_count_meanwhile(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    played(site, "pair", "publish", "start")
    mara = scorekeeper(site, visitor)
    mara.echo("r1 1 0-2")
    mara.page.keyboard.type("\n1 2-0\n2 2-0\n", delay=5)
    question = row(mara, "r1 1 0-2")
    expect(question).to_contain_text("can no longer be corrected")
    expect(mara.page.locator("[data-key=s2]")).to_be_visible()
    expect(rows(mara)).to_have_count(1)
    tab_to(mara, question.locator("input"))
    mara.page.keyboard.type("the slip was read upside down\n")
    expect(rows(mara)).to_have_count(0)
    assert "is corrected" in site("log")
    assert sorted(reported(site)) == [1, 2]


def test_a_choice_that_is_dismissed_changes_nothing_and_lets_the_next_lines_go(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    played(site, "pair", "publish")
    mara = scorekeeper(site, visitor)
    mara.echo("r2 1 0-2")
    mara.page.keyboard.type("\nstart 30\n", delay=5)
    expect(row(mara, "start 30")).to_be_visible()
    row(mara, "r2 1 0-2").get_by_role("button", name="Dismiss").click()
    expect(mara.page.locator("h1")).to_contain_text("being played")
    assert "is corrected" not in site("log")


def test_a_second_pair_is_read_before_a_round_is_drawn_again(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site("add", *NAMES)
    mara = scorekeeper(site, visitor)
    mara.page.keyboard.type("pair\npair\n")
    expect(row(mara, "pair")).to_contain_text("So far: round 1 is paired, but not published")
    assert site.json("round", "show")["attempt"] == 1


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_lines_that_have_not_counted_can_be_read_by_everybody(
    site: Site, visitor: Callable[..., Visitor], width: int, scheme: str
) -> None:
    played(site, "pair", "publish")
    mara = scorekeeper(site, visitor, viewport={"width": width, "height": 768}, color_scheme=scheme)
    mara.echo("r2 1 0-2")
    mara.page.keyboard.type("\n999 2-0\nstart 30\n", delay=5)
    expect(rows(mara)).to_have_count(3)
    assert [violation["id"] for violation in Axe().run(mara.page).response["violations"]] == []
    assert mara.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
