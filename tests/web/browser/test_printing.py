"""Paper at the desk: every button gives its sheet, and the code on a slip lets the table report."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, Page, expect

from tests.printing.pdf_reader import codes, pages, sheets, text_of
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor
from topcut.printing.typesetting import find_unprintable

RARE = "🎲\U00010570\U00012f90\U0001df00"
"""Letters of which hardly any machine has all."""
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    """Six players in the first round."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", "Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    for step in ("pair", "publish", "start"):
        site("round", step)
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    return staff


def got(desk: Staff, what: str) -> APIResponse:
    return desk.visitor.context.request.get(f"{desk.desk}/print/{what}")


def links(page: Page) -> list[str]:
    """The buttons that open a PDF."""
    found = page.locator("a[href*='.pdf']").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    return [str(link) for link in found]


def test_the_buttons_of_the_round_print_it(site: Site, desk: Staff) -> None:
    desk.page.goto(desk.desk)
    assert links(desk.page) == [
        "/desk/cup/print/pairings.pdf",
        "/desk/cup/print/pairings.pdf?by=table",
        "/desk/cup/print/slips.pdf",
    ]
    first = pages(got(desk, "pairings.pdf").body())[0]
    assert "Round 1: pairings A–Z" in first
    players = {row["players"][0]: row["players"][1] for row in site.json("round", "show")["tables"]}
    names = {f"p{i}": name for i, name in enumerate(["Ada", "Bo", "Cy", "Di", "Ed", "Flo"], start=1)}
    tables = {player_id: table for table, pair in enumerate(players.items(), start=1) for player_id in pair}
    both = players | {b: a for a, b in players.items()}
    assert first[-7:-1] == [
        f"{tables[player_id]} {names[player_id]} {names[both[player_id]]} 0 0-0"
        for player_id in sorted(names)
    ]
    by_table = pages(got(desk, "pairings.pdf?by=table&tables=2").body())[0]
    assert "only tables 2" in by_table
    a, b = list(players.items())[1]
    assert by_table[-2] == f"2 {names[a]} 0 {names[b]} 0"


def test_every_form_of_the_page_gives_a_pdf(site: Site, desk: Staff) -> None:
    for table in (1, 2, 3):
        site("report", str(table), "2-0")
    site("round", "end")
    desk.page.goto(f"{desk.desk}/print")
    kinds = ["pairings", "slips", "standings", "card", "sign-in"]
    forms = desk.page.locator("main form").evaluate_all("all => all.map(one => one.getAttribute('action'))")
    assert forms == [f"/desk/cup/print/{kind}.pdf" for kind in kinds]
    desk.page.get_by_label("Paper").nth(1).select_option("us-letter")
    desk.page.get_by_label("Per page").select_option("8")
    asked = desk.page.locator("form[action$='slips.pdf']").evaluate(
        "form => new URLSearchParams(new FormData(form)).toString()"  # a PDF in Chromium is an extension
    )
    sent = got(desk, f"slips.pdf?{asked}")
    assert round(sheets(sent.body())[0].width) == 216
    assert "per_page=8" in asked
    for kind in kinds:
        sent = got(desk, f"{kind}.pdf")
        assert sent.status == 200, kind
        assert sent.headers["content-type"] == "application/pdf"
        assert sent.headers["content-disposition"] == f'inline; filename="{kind}.pdf"'
        assert {round(page.width) for page in sheets(sent.body())} <= {216, 279}, "the paper of last time"


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        ("draft-sheet", ["pairings", "slips", "card", "sheet", "sign-in", "seats"]),
        ("pokemon-2017", ["pairings", "slips", "card", "bracket", "sign-in"]),
    ],
)
def test_a_chart_seats_and_a_bracket_where_there_are_some(
    site: Site, visitor: Callable[..., Visitor], rules: str, kinds: list[str]
) -> None:
    options = [] if rules == "draft-sheet" else ["--option", "format=elimination"]
    site("new", "Cup", "--rules", rules, "--rehearsal", "cup", *options)
    site("add", *["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal"])
    site("round", "pair")
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    staff.page.goto(f"{staff.desk}/print")
    forms = staff.page.locator("main form").evaluate_all("all => all.map(one => one.getAttribute('action'))")
    assert forms == [f"/desk/cup/print/{kind}.pdf" for kind in kinds]
    for kind in kinds:
        assert "Flo" in text_of(got(staff, f"{kind}.pdf").body()), kind


def test_what_cannot_be_printed_is_a_page_with_one_line(desk: Staff) -> None:
    for what, status, says in [
        ("standings.pdf", 422, "there are no standings before the first round is played"),
        ("pairings.pdf?number=9", 422, "there is no round 9: expected 1 to 1"),
        ("slips.pdf?tables=x", 422, "expected tables such as 14 or 5-20,31"),
        ("slips.pdf?per_page=5", 422, "expected 4, 6 or 8 slips on a page"),
        ("pairings.pdf?paper=a5", 422, "expected a4 or us-letter"),
        (f"pairings.pdf?tables={'1,' * 1500}", 422, "expected at most 2000 characters"),
        ("menu.pdf", 404, "There is no such sheet."),
    ]:
        answer = got(desk, what)
        assert answer.status == status, what
        assert says in answer.text()


def test_only_new_tables_after_a_repair(site: Site, desk: Staff) -> None:
    site("report", "1", "2-0")
    desk.page.goto(desk.desk)
    assert "Print changed slips" not in desk.page.locator("main").inner_text()
    for table in ("2", "3"):
        site("report", table, "2-0")
    for step in ("end", "pair", "publish"):
        site("round", step)
    gone = site.json("round", "show")["tables"][0]["players"][0]
    before = sorted(codes(got(desk, "slips.pdf").body(), 0), key=lambda code: code[2])[0][0]
    desk.page.wait_for_function("link => fetch(link).then(answer => answer.status === 200)", arg=before)
    site("drop", gone, "--then", "fewest")
    desk.page.wait_for_function("link => fetch(link).then(answer => answer.status === 404)", arg=before)
    desk.page.goto(desk.desk)
    expect(desk.page.get_by_role("link", name="Print changed slips")).to_be_visible()
    shown = site.json("round", "show")
    new = [row["table"] for row in shown["tables"] if row.get("table") in shown["changed"]]
    text = " ".join(pages(got(desk, "slips.pdf?changed=true").body())[0])
    assert text.count("new table") == len(new)
    assert 0 < len(new) < 3


def test_what_hangs_on_the_wall_can_be_told_from_what_is_true_now(site: Site, desk: Staff) -> None:
    for table in ("1", "2", "3"):
        site("report", table, "2-0")
    for step in ("end", "pair"):
        site("round", step)
    assert "not published yet" in text_of(got(desk, "pairings.pdf").body())
    site("round", "publish")
    desk.page.goto(desk.desk)
    expect(desk.page.get_by_role("button", name="Start round 2")).to_be_visible()
    before = pages(got(desk, "pairings.pdf").body())[0]
    assert "not published yet" not in " ".join(before)
    site("drop", site.json("round", "show")["tables"][0]["players"][0], "--then", "fewest")
    desk.page.goto(desk.desk)
    expect(desk.page.get_by_role("link", name="Print changed slips")).to_be_visible()
    after = pages(got(desk, "pairings.pdf").body())[0]
    assert before[-1].split()[-1] != after[-1].split()[-1], "the version"


def test_the_code_on_a_slip_lets_both_players_report(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    found = codes(got(desk, "slips.pdf").body(), 0)
    assert len(found) == 3
    link = sorted(found, key=lambda code: code[2])[1][0]
    assert link.startswith(f"{site.address}/e/cup/slip/1/2/")
    names = [["Ada", "Bo", "Cy", "Di", "Ed", "Flo"][int(player_id[1:]) - 1] for player_id in _table(site, 2)]
    phone = visitor(**PHONE).page
    phone.goto(link)
    expect(phone.locator(".big")).to_have_text("Table 2")
    assert Axe().run(phone).response["violations"] == []
    for name, words in zip(names, ("I won 2–1", "I lost 1–2"), strict=True):
        phone.goto(link)
        phone.get_by_role("link", name=name, exact=True).click()
        phone.get_by_role("button", name=words, exact=True).click()
        phone.get_by_role("button", name="Report result").click()
        expect(phone.locator("main")).to_contain_text(f"{name} reported" if name == names[0] else "Result:")
    table = site.json("round", "show")["tables"][1]
    assert table["games"] == [2, 1, 0]
    log = site("log")
    assert f"{names[1]} reports “{names[0]} beats {names[1]} 2-1”." in log


def _table(site: Site, number: int) -> list[str]:
    players: list[str] = site.json("round", "show")["tables"][number - 1]["players"]
    return players


def test_a_slip_opens_nothing_else(site: Site, desk: Staff, visitor: Callable[..., Visitor]) -> None:
    link = sorted(codes(got(desk, "slips.pdf").body(), 0), key=lambda code: code[2])[0][0]
    anybody = visitor().context.request
    assert anybody.get(link).status == 200
    signed = link.rpartition("/")[2]
    wrong = [
        link.replace("/slip/1/1/", "/slip/1/2/"),
        link.replace("/slip/1/1/", "/slip/2/1/"),
        link.replace("/slip/1/1/", "/slip/0/1/"),
        link.replace("/slip/1/1/", "/slip/1/999999999999999999999/"),
        link.replace("/slip/1/1/", "/slip/x/1/"),
        link.replace(signed, signed[:-1]),
        link.replace(signed, "é" * len(signed)),
    ]
    assert [anybody.get(address).status for address in wrong] == [404] * len(wrong)
    stranger = _table(site, 2)[0]
    said = {
        "player": stranger,
        "result": {"games": [2, 0, 0]},
        "round": 1,
        "table": 1,
        "players": _table(site, 1),
    }
    assert anybody.post(f"{link}/report", data=said).status == 404
    assert site.json("round", "show")["tables"][1].get("games") is None


def test_a_slip_of_a_round_that_is_not_posted_opens_nothing(
    site: Site, desk: Staff, visitor: Callable[..., Visitor]
) -> None:
    for table in ("1", "2", "3"):
        site("report", table, "2-0")
    for step in ("end", "pair"):
        site("round", step)
    link = codes(got(desk, "slips.pdf").body(), 0)[0][0]
    anybody = visitor().context.request
    assert anybody.get(link).status == 404
    site("round", "publish")
    desk.page.wait_for_function("link => fetch(link).then(answer => answer.status === 200)", arg=link)
    site("undo")
    desk.page.wait_for_function("link => fetch(link).then(answer => answer.status === 404)", arg=link)


def test_letters_that_no_font_has_are_said_before_printing(site: Site, desk: Staff) -> None:
    rare = next(letter for letter in RARE if find_unprintable([("", letter)]))
    site("player", "edit", "p1", "--name", f"Zo{rare}")
    desk.page.goto(f"{desk.desk}/print")
    expect(desk.page.locator("main")).to_contain_text(f"player p1, Zo{rare}: no font on this machine has")
