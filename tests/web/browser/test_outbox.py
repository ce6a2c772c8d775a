"""Nothing that is typed is lost: lines wait for the connection, for each other and for answers, in sight."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Route, expect

from tests.web.browser.outbox_steps import (
    NAMES,
    expect_reported,
    log,
    reported,
    row,
    rows,
    scorekeeper,
    tab_to,
)
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor


@pytest.fixture
def cup(site: Site) -> Site:
    """An event of thirty in its first round."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site("add", *NAMES)
    for step in ("pair", "publish", "start"):
        site("round", step)
    return site


@pytest.fixture
def mara(cup: Site, visitor: Callable[..., Visitor]) -> Staff:
    return scorekeeper(cup, visitor)


def refuse_with(staff: Staff, status: int) -> None:
    """The server answers the entry line with an error of its own."""
    body = {"error": "the server is busy", "kind": "Busy"}
    staff.page.route("**/entry", lambda route: route.fulfill(status=status, json=body))


def test_enter_works_on_a_line_that_was_typed_while_the_server_was_down(cup: Site, mara: Staff) -> None:
    cup.stop()
    assert "No connection" in mara.echo("11 2-0")
    cup.start()
    expect(mara.page.locator("#stale")).to_be_hidden()
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("[data-key=s11]")).to_be_visible()
    expect_reported(cup, {11: [2, 0, 0]})


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_error_of_the_server_is_not_what_a_line_means(cup: Site, mara: Staff, status: int) -> None:
    refuse_with(mara, status)
    assert "the server is busy" in mara.echo("11 2-0")
    mara.page.unroute("**/entry")
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("#echo")).to_have_text(re.compile("^✓"))
    expect_reported(cup, {11: [2, 0, 0]})


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_line_that_a_busy_server_did_not_take_is_sent_again_by_itself(
    cup: Site, mara: Staff, status: int
) -> None:
    refuse_with(mara, status)
    mara.page.keyboard.type("11 2-0\n12 2-1\n")
    expect(row(mara, "11 2-0")).to_contain_text("The server is busy.")
    expect(row(mara, "12 2-1")).to_contain_text("waiting")
    mara.page.unroute("**/entry")
    expect(rows(mara)).to_have_count(0)
    expect_reported(cup, {11: [2, 0, 0], 12: [2, 1, 0]})


def test_a_line_that_the_server_fails_at_keeps_no_other_from_counting(cup: Site, mara: Staff) -> None:
    def broken(route: Route) -> None:
        if '"11 2-0"' in (route.request.post_data or ""):
            route.fulfill(status=500, json={"error": "something went wrong here"})
        else:
            route.continue_()

    mara.page.route("**/entry", broken)
    mara.page.keyboard.type("11 2-0\n12 2-1\n")
    expect(mara.page.locator("[data-key=s12]")).to_be_visible()
    expect(row(mara, "11 2-0")).to_contain_text("something went wrong here")
    expect_reported(cup, {12: [2, 1, 0]})


def test_lines_typed_offline_are_in_sight_and_count_once_each_in_order(cup: Site, mara: Staff) -> None:
    mara.visitor.context.set_offline(True)
    mara.page.keyboard.type("11 2-0\n12 2-1\n13 2-1\n", delay=20)
    expect(rows(mara)).to_have_count(3)
    for line in ("11 2-0", "12 2-1", "13 2-1"):
        expect(row(mara, line)).to_contain_text("waiting")
    expect(rows(mara).first).to_contain_text("No connection.")
    expect(mara.page.locator("#entry-text")).to_be_focused()
    expect(mara.page.locator("#entry-text")).to_have_value("")
    mara.visitor.context.set_offline(False)
    expect(rows(mara)).to_have_count(0)
    expect_reported(cup, {11: [2, 0, 0], 12: [2, 1, 0], 13: [2, 1, 0]})
    tables = [found[1] for says in log(cup)[-3:] if (found := re.search(r"table (\d+)", says))]
    assert tables == ["11", "12", "13"], "once each, one after the other"
    assert len([says for says in log(cup) if "beats" in says]) == 3


def test_a_line_entered_before_the_page_was_ready_counts(cup: Site, mara: Staff) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    mara.page.route("**/entry.js*", hold)
    mara.page.goto(mara.desk, wait_until="commit")
    expect(mara.page.locator("#entry-text")).to_be_focused()
    mara.page.keyboard.type("11 2-0\n12 2-1\n13")
    while not held:
        mara.page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(mara.page.locator("[data-key=s12]")).to_be_visible()
    expect(mara.page.locator("#entry-text")).to_have_value("13")
    expect_reported(cup, {11: [2, 0, 0], 12: [2, 1, 0]})


def test_a_waiting_line_that_would_overwrite_something_comes_back_to_be_read(cup: Site, mara: Staff) -> None:
    mara.visitor.context.set_offline(True)
    mara.page.keyboard.type("11 0-2\n12 2-1\n")
    expect(rows(mara)).to_have_count(2)
    cup("report", "11", "2-0")
    mara.visitor.context.set_offline(False)
    expect(row(mara, "11 0-2")).to_contain_text("So far:")
    expect(mara.page.locator("[data-key=s12]")).to_be_visible()
    expect_reported(cup, {11: [2, 0, 0], 12: [2, 1, 0]})
    row(mara, "11 0-2").get_by_role("button", name="Save").click()
    expect(rows(mara)).to_have_count(0)
    expect_reported(cup, {11: [0, 2, 0], 12: [2, 1, 0]})


def test_a_line_that_was_read_before_the_connection_was_lost_is_checked_against_that(
    cup: Site, mara: Staff
) -> None:
    mara.echo("11 0-2")
    mara.visitor.context.set_offline(True)
    mara.page.keyboard.press("Enter")
    expect(rows(mara)).to_have_count(1)
    cup("report", "11", "2-0")
    mara.visitor.context.set_offline(False)
    expect(row(mara, "11 0-2")).to_contain_text("This changed after you typed it")
    expect_reported(cup, {11: [2, 0, 0]})


def test_a_line_typed_in_one_round_does_not_slip_into_the_next(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", "Ada", "Bo", "Cy", "Di")
    for step in ("pair", "publish", "start"):
        site("round", step)
    mara = scorekeeper(site, visitor)
    mara.visitor.context.set_offline(True)
    mara.page.keyboard.type("1 2-0\n")
    expect(rows(mara)).to_have_count(1)
    for table in "12":
        site("report", table, "2-1")
    for step in ("end", "pair", "publish", "start"):
        site("round", step)
    mara.visitor.context.set_offline(False)
    expect(row(mara, "1 2-0")).to_contain_text("This is round 2 now")
    assert reported(site) == {}
    row(mara, "1 2-0").get_by_role("button", name="Dismiss").click()
    expect(rows(mara)).to_have_count(0)


def test_a_refused_line_stays_while_later_ones_count_until_it_is_dismissed(cup: Site, mara: Staff) -> None:
    mara.echo("999 2-0")
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("#echo")).to_contain_text("999 2-0 was not saved")
    mara.line("14 2-0")
    mara.line("13 2-0")
    expect(row(mara, "999 2-0")).to_contain_text("Round 1 has no table 999")
    expect_reported(cup, {13: [2, 0, 0], 14: [2, 0, 0]})
    dismiss = row(mara, "999 2-0").get_by_role("button", name="Dismiss")
    tab_to(mara, dismiss)
    mara.page.keyboard.press("Enter")
    expect(rows(mara)).to_have_count(0)
    expect(mara.page.locator("#entry-text")).to_be_focused()


def test_a_refused_line_is_edited_and_what_was_half_typed_is_kept(cup: Site, mara: Staff) -> None:
    mara.page.keyboard.type("999 2-0\n")
    expect(rows(mara)).to_have_count(1)
    mara.page.keyboard.type("12 2-")
    row(mara, "999 2-0").get_by_role("button", name="Edit").click()
    field = mara.page.locator("#entry-text")
    expect(field).to_have_value("999 2-0")
    expect(field).to_be_focused()
    expect(row(mara, "12 2-")).to_contain_text("Not saved yet")
    field.fill("9 2-0")
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("[data-key=s9]")).to_be_visible()
    expect(row(mara, "999 2-0")).to_have_count(0)
    expect(row(mara, "12 2-")).to_be_visible()
    expect_reported(cup, {9: [2, 0, 0]})


def test_a_waiting_line_that_is_edited_is_not_sent_as_it_was(cup: Site, mara: Staff) -> None:
    mara.visitor.context.set_offline(True)
    mara.page.keyboard.type("11 2-0\n12 2-0\n")
    row(mara, "11 2-0").get_by_role("button", name="Edit").click()
    mara.visitor.context.set_offline(False)
    expect(mara.page.locator("[data-key=s12]")).to_be_visible()
    expect_reported(cup, {12: [2, 0, 0]})
    mara.page.locator("#entry-text").fill("11 0-2")
    mara.page.keyboard.press("Enter")
    expect(rows(mara)).to_have_count(0)
    expect_reported(cup, {11: [0, 2, 0], 12: [2, 0, 0]})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("11 2-0", ["table 11"]),
        ("11 +3", ["3 more minutes"]),
        ("11 2-1 d2", ["table 11", "drops"]),
        ("u", ["is undone: “"]),
    ],
)
def test_a_line_whose_answer_was_lost_counts_once(cup: Site, mara: Staff, line: str, said: list[str]) -> None:
    mara.line("1 2-0")
    before = len(log(cup))
    lost: list[int] = []

    def lose(route: Route) -> None:
        if '"sure":true' in (route.request.post_data or "") and len(lost) < 2:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    mara.page.route("**/entry", lose)
    mara.echo(line)
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("#echo")).to_have_text(re.compile("^✓"))
    expect(rows(mara)).to_have_count(0)
    assert lost == [200, 200], "it counted at first, and was found to have counted"
    more = log(cup)[before:]
    assert len(more) == len(said), "once"
    for says, what in zip(more, said, strict=True):
        assert what in says


def test_leaving_the_page_with_a_waiting_line_warns(cup: Site, mara: Staff) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    mara.visitor.context.set_offline(True)
    mara.page.keyboard.type("11 2-0\n")
    expect(rows(mara)).to_have_count(1)
    mara.page.on("dialog", stay)
    with mara.page.expect_event("dialog"):
        mara.page.close(run_before_unload=True)
    mara.visitor.context.set_offline(False)
    expect(rows(mara)).to_have_count(0)
    assert asked == ["beforeunload"]
    expect_reported(cup, {11: [2, 0, 0]})
