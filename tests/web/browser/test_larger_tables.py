"""A whole event of tables of three by its document, at the desk and on phones (AL-6 to AL-11)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.factions import (
    FINAL,
    FIRST_RESULTS,
    NAMES,
    SECOND_GAMES,
    SECOND_RESULTS,
    example_event,
    read_final,
)
from tests.printing.pdf_reader import codes
from tests.web.browser.forked_commands import command
from tests.web.browser.scorekeeper import Staff
from tests.web.browser.test_phones import PHONE, at_table, phone_of
from tests.web.server_process import Site, Visitor

FIRST = "influence tokens of factions with fewer than five members in play"


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor], tmp_path: Path) -> Staff:
    """The document's nine players at its first tables, as an event file was imported."""
    file = tmp_path / "factions.json"
    file.write_text(json.dumps(example_event()), "utf-8")
    site("import", str(file))
    site("round", "start")
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/factions"
    return staff


def table(site: Site, number: int) -> dict[str, object]:
    found: dict[str, object] = site.json("round", "show")["tables"][number - 1]
    return found


def test_the_document_from_its_first_results_to_its_final_standings(
    site: Site, desk: Staff, tmp_path: Path
) -> None:
    desk.at_round()
    for line in FIRST_RESULTS:
        desk.line(line)
    desk.line("end")
    for step in ("pair", "publish", "start"):
        desk.line(step)
    assert [seated["players"] for seated in site.json("round", "show")["tables"]] == SECOND_GAMES  # AL-T4
    for line in SECOND_RESULTS:
        desk.line(line)
    desk.line("end")
    desk.page.goto("/e/factions/standings")
    shown = desk.page.locator(".standings tbody th a").all_inner_texts()
    assert shown == [NAMES[player_id] for player_id, *_ in FINAL]
    file = tmp_path / "played.json"
    site("export", "--as", "event", "-o", str(file))
    ranked = json.loads(command("standings", str(file), "--json"))["standings"]
    assert read_final(ranked) == FINAL  # AL-T5


def test_a_tie_is_broken_step_by_step_with_the_keyboard(site: Site, desk: Staff) -> None:
    page = desk.page
    desk.at_round()
    desk.echo("1 20 20 10")
    echo, field = page.locator("#echo"), page.locator("#entry-text")
    expect(echo).to_contain_text(f"Kristy Roggio and Chris Kugler are tied with 20. Count this: {FIRST}.")
    expect(echo).to_contain_text('If nobody won, add "none".')
    page.keyboard.press("Enter")
    expect(field).to_have_value("1 20 20 10 count ")
    page.keyboard.type("3")
    expect(field).to_have_value("1 20 20 10 count 3")
    expect(echo).to_have_attribute("data-line", "1 20 20 10 count 3")
    page.keyboard.press("Enter")
    expect(field).to_have_value("1 20 20 10 count 3 ")
    page.keyboard.type("3")
    expect(echo).to_contain_text("are still tied. Now count this: all influence tokens.")
    page.keyboard.press("Enter")
    expect(field).to_have_value("1 20 20 10 count 3 3 count ")
    page.keyboard.type("5 5")
    expect(echo).to_contain_text("each of them wins")
    expect(echo).to_contain_text("If the other players give the win to one of them, add g1 or g2.")
    page.keyboard.type(" g2")
    expect(echo).to_contain_text("the win was given to Chris Kugler")
    page.keyboard.press("Enter")
    expect(echo).to_have_text(re.compile("^✓"))
    saved = table(site, 1)
    assert (saved["scores"], saved["winners"], saved["win_given_to"]) == ([20, 20, 10], ["5"], "5")
    page.goto("/e/factions/player/5")
    expect(page.locator("main")).to_contain_text("first count: Kristy Roggio 3, Chris Kugler 3")
    expect(page.locator("main")).to_contain_text("the win was given to Chris Kugler")
    page.goto(f"{desk.desk}/log")
    expect(page.locator("main")).to_contain_text("second count: Kristy Roggio 5, Chris Kugler 5")


def test_a_line_that_is_entered_before_it_was_read_is_kept_with_the_question(site: Site, desk: Staff) -> None:
    desk.at_round()
    page = desk.page
    page.evaluate("document.querySelector('#entry-text').value = '1 20 20 10'")
    page.keyboard.press("Enter")
    expect(page.locator("#lines li")).to_contain_text("are tied with 20")
    page.get_by_role("button", name="Edit 1 20 20 10").click()
    expect(page.locator("#entry-text")).to_have_value("1 20 20 10")
    page.keyboard.type(" count 4 2")
    expect(page.locator("#echo")).to_contain_text("Kristy Roggio 20 (won)")
    page.keyboard.press("Enter")
    expect(page.locator("#lines li")).to_have_count(0)
    assert table(site, 1)["winners"] == ["8"]


def test_the_form_asks_for_the_counts_and_keeps_what_was_typed(site: Site, desk: Staff) -> None:
    desk.at_round()
    page = desk.page
    page.get_by_role("button", name="Enter with a form").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Table", exact=True).fill("2")
    for name, score in (("Andrew Grierson", "20"), ("Megan Schoonover", "20")):
        dialog.get_by_role("group", name=name).get_by_label("Score").fill(score)
    dialog.get_by_role("group", name="J.T. Kauffman").get_by_label("eliminated").check()
    ask = dialog.get_by_role("group", name=f"Count this: {FIRST}")
    ask.get_by_label("Andrew Grierson").fill("3")
    ask.get_by_label("Megan Schoonover").fill("3")
    page.keyboard.press("Escape")
    expect(page.locator("#entry-text")).to_have_value("2 20 20 x count 3 3")

    page.locator("#entry-text").fill("2")
    page.get_by_role("button", name="Enter with a form").click()
    for name, score in (("Andrew Grierson", "20"), ("Megan Schoonover", "20")):
        dialog.get_by_role("group", name=name).get_by_label("Score").fill(score)
    dialog.get_by_role("group", name="J.T. Kauffman").get_by_label("eliminated").check()
    ask.get_by_label("Andrew Grierson").fill("3")
    ask.get_by_label("Megan Schoonover").fill("3")
    again = dialog.get_by_role("group", name="Count this: all influence tokens")
    again.get_by_label("Andrew Grierson").fill("5")
    again.get_by_label("Megan Schoonover").fill("5")
    dialog.get_by_label("Tied in all counts").select_option(label="Each of them wins")
    expect(dialog.locator("output")).to_contain_text("each of them wins")
    dialog.get_by_role("button", name="Save result").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#echo")).to_have_text(re.compile("^✓"))
    saved = table(site, 2)
    assert (saved["scores"], saved["winners"], saved["eliminated"]) == ([20, 20, 0], ["2", "6"], ["3"])

    page.get_by_role("button", name="Enter with a form").click()
    expect(dialog.get_by_label("Table", exact=True)).to_have_value("1")
    for name, score in (("Kristy Roggio", "24"), ("Chris Kugler", "10"), ("Kara McDonald", "23")):
        dialog.get_by_role("group", name=name).get_by_label("Score").fill(score)
    dialog.get_by_label("Nobody won").check()
    expect(dialog.locator("output")).to_contain_text("nobody won")
    dialog.get_by_role("button", name="Save result").click()
    expect(page.locator("#echo")).to_have_text(re.compile("^✓.*nobody won"))
    assert table(site, 1)["winners"] == []


def report_tie(phone: Page, counts: list[tuple[str, str]]) -> None:
    """Report 20, 20 and an eliminated player, and answer each count that is asked for."""
    button = phone.get_by_role("button", name="Report this result")
    for points, score in zip(phone.get_by_label("Points").all(), ("20", "20"), strict=False):
        points.fill(score)
    phone.get_by_label("eliminated").nth(2).check()
    button.click()
    for step, numbers in enumerate(counts, start=1):
        asked = phone.locator("[data-ties] fieldset").nth(step - 1)
        expect(asked).to_contain_text("are tied. Count this: ")
        for field, number in zip(asked.locator("input").all(), numbers, strict=True):
            field.fill(number)
        button.click()


def test_a_tie_is_reported_by_phone_step_by_step(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    players = at_table(site, 1)
    for player_id in players:
        phone = phone_of(desk, player_id, visitor)
        report_tie(phone, [("3", "3"), ("5", "5")])
        phone.get_by_label("Tied in all counts").select_option(index=2)
        phone.get_by_role("button", name="Report this result").click()
        dialog = phone.get_by_role("dialog")
        expect(dialog).to_contain_text("the win was given to Chris Kugler")
        dialog.get_by_role("button", name="Report result").click()
        expect(phone.locator("main")).to_contain_text(re.compile("You reported:|Result:"))
    saved = table(site, 1)
    assert (saved["winners"], saved["win_given_to"], saved["eliminated"]) == (["5"], "5", ["7"])


def test_one_count_is_enough_if_it_breaks_the_tie(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    phone = phone_of(desk, at_table(site, 2)[0], visitor)
    report_tie(phone, [("3", "4")])
    dialog = phone.get_by_role("dialog")
    expect(dialog).to_contain_text("Megan Schoonover 20 (won)")
    expect(dialog).to_contain_text("first count: Andrew Grierson 3, Megan Schoonover 4")


def test_a_tie_is_reported_by_the_code_of_a_slip(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    slips = desk.visitor.context.request.get(f"{desk.desk}/print/slips.pdf").body()
    link = next(address for address, *_ in codes(slips, 0) if "/slip/1/2/" in address)
    phone = visitor(**PHONE).page
    for player_id in at_table(site, 2):
        phone.goto(link)
        phone.get_by_role("link", name=NAMES[player_id], exact=True).click()
        phone.wait_for_url(f"{link}?me={player_id}")
        report_tie(phone, [("3", "3"), ("5", "4")])
        dialog = phone.get_by_role("dialog")
        expect(dialog).to_contain_text("Andrew Grierson 20 (won)")
        dialog.get_by_role("button", name="Report result").click()
        said = f"{NAMES[player_id]} reported:" if player_id != at_table(site, 2)[-1] else "Result:"
        expect(phone.locator("main")).to_contain_text(said)
    saved = table(site, 2)
    assert (saved["scores"], saved["winners"], saved["eliminated"]) == ([20, 20, 0], ["2"], ["3"])


def test_a_form_that_is_sent_before_its_script_is_there_keeps_what_was_typed(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    phone = phone_of(desk, at_table(site, 1)[0], visitor)
    phone.route("**/static/report.js*", lambda route: route.abort())
    phone.reload()
    for points in phone.get_by_label("Points").all():
        points.fill("20")
    phone.get_by_role("button", name="Report this result").click()
    phone.evaluate("new Promise(done => setTimeout(done, 500))")  # a page that is left ends this
    assert "?" not in phone.url
    expect(phone.get_by_label("Points").first).to_have_value("20")
