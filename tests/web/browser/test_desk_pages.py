"""What staff do at the desk beside results: players, corrections with their choices, the log, the bracket."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    """An event of eight under rules with late entry, records that close, and divisions; nothing is paired."""
    site("new", "Cup", "--rules", "pokemon-2017", "--rehearsal", "cup", "--option", "rounds=4")
    site("add", "Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    return staff


def started(site: Site, rounds: int = 0) -> None:
    """So many whole rounds, and one more that is being played."""
    for _ in range(rounds):
        started(site)
        for table in range(1, 5):
            site("report", str(table), "2-0")
        site("round", "end")
    for step in ("pair", "publish", "start"):
        site("round", step)


def posted(site: Site) -> None:
    """Two whole rounds, and a third that is published and has not begun."""
    started(site, rounds=1)
    for table in range(1, 5):
        site("report", str(table), "2-0")
    for step in ("end", "pair", "publish"):
        site("round", step)


def test_a_late_player_is_entered_with_the_notice_the_rules_demand(site: Site, desk: Staff) -> None:
    started(site)
    page = desk.page
    page.goto(f"{desk.desk}/players")
    expect(page.locator("#add h2")).to_have_text("Add a late player")
    page.fill("#add [name=name]", "Ivo")
    page.click("#add button.main")
    note = page.locator("#notes .notice")
    expect(note).to_contain_text("Tell Ivo: entering late means a loss for round 1")
    expect(page.locator("dialog[open]")).to_have_count(0)
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    expect(page.locator("[data-key=p9]")).to_contain_text("plays from round 2")


def test_what_was_done_can_be_undone_at_once(site: Site, desk: Staff) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players")
    page.fill("#paste textarea", "Zoe Zee\nYan Yew")
    page.click("text=Preview")
    page.click("text=Add 2 players")
    expect(page.locator("h1")).to_have_text("10 players")
    expect(page.locator("#toast")).to_have_text("2 players added. Undo")
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text("8 players")
    expect(page.locator("#toast").get_by_role("button")).to_have_count(0)


def test_what_is_wrong_with_a_form_stands_beside_its_field(site: Site, desk: Staff) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players/p1")
    page.fill("form[data-do='fix table'] [name=table]", "3")
    page.click("form[data-do='fix table'] button")
    expect(page.locator("#toast")).to_have_text(re.compile("Ada .*table 3.* Undo$"))
    page.reload()
    page.click("form[data-do='fix table'] button")
    expect(page.locator("form[data-do='fix table'] .problem")).to_contain_text(
        "Nothing about Ada would change"
    )
    expect(page.locator("form[data-do='fix table'] [name=table]")).to_have_attribute("aria-invalid", "true")
    page.goto(f"{desk.desk}/players")
    expect(page.locator("[data-key=p1] td.number")).to_have_text("3")


def test_a_drop_after_posting_offers_three_answers_with_their_cost(site: Site, desk: Staff) -> None:
    posted(site)
    page = desk.page
    page.goto(f"{desk.desk}/players/p1")
    page.get_by_role("button", name="Drop player").click()
    page.get_by_role("button", name="Drop", exact=True).click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Round 3 is already published. How should it be updated?")
    choices = dialog.locator(".choices button")
    expect(choices).to_have_count(3)
    assert "No table changes" in choices.nth(0).inner_text()
    assert re.search(r"\d tables? changes?|No other table changes", choices.nth(1).inner_text())
    assert "All tables are paired again" in choices.nth(2).inner_text()
    before = site.json("round", "show")["tables"]
    desk.answer("2")
    expect(page.get_by_role("button", name="Reinstate player")).to_be_visible()
    after = site.json("round", "show")
    assert 0 < len(after["changed"]) < len(before)
    assert "p1" not in str(after["tables"])


def test_a_correction_that_touches_a_published_round_is_typed_and_answered_by_keyboard(
    site: Site, desk: Staff
) -> None:
    posted(site)
    desk.at_round()
    echo = desk.echo("r2 1 0-2")
    assert "so far:" in echo
    desk.page.keyboard.press("Enter")
    row = desk.page.locator("#lines li")
    expect(row).to_contain_text("How should it be updated?")
    expect(desk.page.locator("#entry-text")).to_be_focused()
    desk.page.keyboard.press("Tab")
    expect(row.get_by_role("button", name="Edit")).to_be_focused()
    desk.page.keyboard.press("1")  # counts anywhere in the question
    expect(desk.page.locator("#echo")).to_have_text(re.compile("^✓"))
    assert "is corrected" in site("log")


def test_a_closed_record_asks_for_a_reason_and_everybody_can_see_it(site: Site, desk: Staff) -> None:
    started(site, rounds=2)
    desk.at_round()
    desk.echo("r1 1 0-2")
    desk.page.keyboard.press("Enter")
    row = desk.page.locator("#lines li")
    expect(row).to_contain_text("can no longer be corrected: round 3 was published")
    row.locator("a.rule", has_text="PK-60").click()
    rule = desk.page.locator("dialog[open]")
    expect(rule).to_contain_text("until round 3 is paired")
    rule.get_by_role("button", name="Close").click()
    while not row.locator("input").evaluate("e => e === document.activeElement"):
        desk.page.keyboard.press("Tab")
    desk.page.keyboard.type("the slip was read upside down")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#echo")).to_have_text(re.compile("^✓"))
    desk.page.goto("/e/cup/draws")
    expect(desk.page.locator("main")).to_contain_text("the slip was read upside down")


def test_undo_shows_what_it_would_change(site: Site, desk: Staff) -> None:
    started(site)
    site("report", "1", "2-0")
    page = desk.page
    page.goto(f"{desk.desk}/log")
    page.get_by_role("button", name=re.compile("Undo: Round 1, table 1")).click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("not reported")
    page.keyboard.press("Escape")
    assert site.json("round", "show")["missing"] == [2, 3, 4]
    page.get_by_role("button", name=re.compile("Undo: Round 1, table 1")).click()
    dialog.get_by_role("button", name="Undo").click()
    expect(page.locator("s").first).to_be_visible()
    assert site.json("round", "show")["missing"] == [1, 2, 3, 4]
    page.get_by_role("button", name=re.compile("Redo: ")).click()
    dialog.get_by_role("button", name="Redo").click()
    expect(page.locator("s")).to_have_count(0)


def test_u_takes_back_ones_own_last_step_and_nobody_elses(site: Site, desk: Staff) -> None:
    started(site)
    desk.at_round()
    desk.line("1 2-0")
    site("report", "2", "2-0")
    assert "table 1" in desk.line("u")
    assert site.json("round", "show")["missing"] == [1, 3, 4]


def test_warnings_come_first_before_a_round_is_published(site: Site, desk: Staff) -> None:
    site("add", "Ivo")
    site("round", "pair")
    desk.at_round()
    page = desk.page
    expect(page.get_by_role("heading", name="Check before publishing")).to_be_visible()
    expect(page.locator(".notice", has_text="has a bye")).to_be_visible()
    first = page.locator("section[aria-labelledby=warnings-title] .notice").first
    expect(first).to_contain_text("Rounds, cut and prizes are not announced yet (PK-1).")
    site("event", "announce", "--prizes", "the first 4")
    expect(first).to_contain_text("has a bye")
    assert "No pairings yet" in site.get("/e/cup/pairings")


def test_a_list_is_looked_at_before_it_is_entered(site: Site, desk: Staff, tmp_path: Path) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/players")
    listed = tmp_path / "players.csv"
    listed.write_text("\ufeffAda\nIvo Petrov;P-77;2014\n\nJana\tSenior\nIvo Petrov;\n;2001\n", "utf-8")
    page.set_input_files("#paste input[type=file]", listed)
    found = page.locator("#pasted")
    expect(found).to_contain_text("Ivo Petrov · P-77 · 2014")
    expect(found).to_contain_text("Jana · senior")
    expect(found).to_contain_text("Ada is left out: a player with this name")
    expect(found).to_contain_text("line 5: Ivo Petrov is on the list twice")
    expect(found).to_contain_text("line 6: the name is missing")
    assert site.json("event", "show")["players"] == 8, "nothing is entered yet"
    page.fill("#paste textarea", "Ivo Petrov;P-77;2014\nJana\tSenior")
    page.click("text=Preview")
    page.click("text=Add 2 players")
    expect(page.locator("h1")).to_have_text("10 players")
    page.goto(f"{desk.desk}/players/p9")
    expect(page.locator("[name=member]")).to_have_value("P-77")
    expect(page.locator("[name=born]")).to_have_value("2014")


def test_the_announcement_is_a_sheet(site: Site, desk: Staff) -> None:
    page = desk.page
    page.goto(f"{desk.desk}/event")
    page.fill("form[data-do=announce] [name=prizes]", "the first 4 get boosters")
    page.fill("form[data-do=announce] [name=details]", "Lunch after round 2.\nPlay fair.")
    page.click("form[data-do=announce] button")
    page.get_by_role("link", name="Print the announcement").click()
    sheet = page.locator(".sheet")
    expect(sheet).to_contain_text("4 rounds")
    expect(sheet).to_contain_text("Prizes: the first 4 get boosters.")
    expect(sheet).to_contain_text("Play fair.")
    page.emulate_media(media="print")
    expect(page.locator("header > nav")).to_be_hidden()


def test_the_winner_of_a_bracket_is_clicked_in_the_picture(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "format=elimination")
    site("add", "Ada", "Bo", "Cy", "Di")
    started(site)
    staff = Staff(visitor(), site.link)
    page = staff.page
    page.goto("/desk/cup/bracket")
    slot = page.locator(".slot.open").first
    name = slot.locator("text").last.text_content()
    slot.click()
    page.get_by_role("button", name="won 2–1").last.click()
    expect(page.locator("#open-tables fieldset")).to_have_count(1)
    table = next(table for table in site.json("round", "show")["tables"] if table.get("games"))
    winner = table["players"][0 if table["games"][0] == 2 else 1]
    shown = {"p1": "Ada", "p2": "Bo", "p3": "Cy", "p4": "Di"}
    assert shown[winner] == name


def test_staff_links_open_one_event_and_can_be_revoked(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Other", "--rules", "mtr")
    page = desk.page
    page.goto(f"{desk.desk}/event")
    page.fill("[data-links] [name=name]", "Lena")
    page.click("text=Create link")
    made = page.locator("#made-link")
    expect(made).to_contain_text("/enter#")
    link = re.search(r"http\S+", made.inner_text())
    assert link is not None
    lena = Staff(visitor(), link[0])
    assert lena.page.url.endswith("/desk/cup")
    for closed in ("/desk/other", "/new"):
        answer = lena.page.goto(closed)
        assert answer is not None
        assert answer.status == 403
    page.get_by_role("button", name="Revoke").click()
    page.locator("dialog[open]").get_by_role("button", name="Revoke").click()
    expect(page.locator("#links li")).to_have_count(0)
    answer = lena.page.goto("/desk/cup")
    assert answer is not None
    assert answer.status == 401


def test_two_players_change_places_by_name(site: Site, desk: Staff) -> None:
    site("round", "pair")
    before = [table["players"] for table in site.json("round", "show")["tables"]]
    ada = next(players for players in before if "p1" in players)
    other = next(players for players in before if "p1" not in players)[0]
    name = ["Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"][int(other[1:]) - 1]
    desk.at_round()
    page = desk.page
    page.locator("summary", has_text="Swap players").click()
    form = page.locator("form[data-to$='/swap']")
    form.locator("[name=first]").fill("Ada")
    form.locator("[name=second]").fill(name)
    form.locator("[name=reason]").fill("sisters")
    form.get_by_role("button", name="Swap").click()
    expect(page.locator("main")).to_contain_text("Changed by hand (sisters).")
    after = [table["players"] for table in site.json("round", "show")["tables"]]
    assert {*ada} - {"p1"} | {other} in [set(players) for players in after]


def test_the_desk_shows_the_working_of_every_tiebreak(site: Site, desk: Staff) -> None:
    started(site, rounds=1)
    page = desk.page
    page.goto(f"{desk.desk}/standings")
    page.get_by_role("link", name="Ada").click()
    why = page.locator("#why")
    expect(why).to_contain_text("Why Ada has rank")
    for detail in why.locator("summary").all()[1:]:
        detail.click()
    worked = why.inner_text()
    assert "Match points" in worked
    assert "counts as 1/4 (minimum)" in worked or "/ 1 = 1 =" in worked


def test_the_clock_is_stopped_goes_on_and_is_given_more_time(site: Site, desk: Staff) -> None:
    for step in ("pair", "publish"):
        site("round", step)
    desk.at_round()
    desk.line("start 50")
    page = desk.page
    page.get_by_role("button", name="Pause the clock").click()
    expect(page.get_by_role("button", name="Resume the clock")).to_be_visible()
    expect(page.locator("#entry-text")).to_be_focused()
    desk.line("go")
    page.fill("form[data-do=extend] [name=minutes]", "5")
    page.get_by_role("button", name="Extend the round").click()
    expect(page.locator("header .clock")).to_have_text(re.compile(r"^5[345]:"))


def test_a_plan_that_comes_late_does_not_replace_a_newer_one(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    page = Staff(visitor(), site.link).page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.goto("/new")
    page.route("**/new?rules=mtr", hold)
    page.select_option("[name=rules]", "mtr")
    while not held:
        page.wait_for_timeout(20)
    page.fill("[name=players]", "8")
    expect(page.locator("#planned")).to_contain_text("8 players")
    with page.expect_response("**/new?rules=mtr") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise(done => setTimeout(done))")
    expect(page.locator("#planned")).to_contain_text("8 players")
