"""Lists at the desk: pasted, chosen or dropped; what columns mean can be changed before anybody enters."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

LIST = (
    "Vorname;Nachname;Geburtsdatum;Verein;E-Mail\r\n"
    "Jürgen;Groß;3.4.2001;SC Go;a@b.de\r\nBo;Bell;1.1.2010;SC Go;b@b.de\r\n;;;;c@b.de\r\nAda;;;;\r\n"
)


@pytest.fixture
def desk(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    site("new", "Cup", "--rules", "pokemon-2017", "--rehearsal", "x")
    site("add", "Ada")
    staff = Staff(visitor(), site.link)
    staff.desk = f"{site.address}/desk/cup"
    staff.page.goto(f"{staff.desk}/players")
    return staff


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_letters_of_a_file_survive(site: Site, desk: Staff, tmp_path: Path, encoding: str) -> None:
    page, found = desk.page, desk.page.locator("#pasted")
    listed = tmp_path / "players.csv"
    listed.write_bytes(LIST.encode(encoding))
    page.set_input_files("#paste input[type=file]", listed)
    expect(found).to_contain_text("Jürgen Groß · 2001 · SC Go")
    expect(found).to_contain_text("line 4: the name is missing before “c@b.de”")
    expect(found).to_contain_text("line 5: Ada is left out: a player with this name is already in the event")
    page.get_by_label("Meaning of Verein").select_option("left out")
    expect(found).to_contain_text("Jürgen Groß · 2001")
    expect(found).not_to_contain_text("2001 · SC Go")
    page.click("text=Add 2 players")
    expect(page.locator("h1")).to_have_text("3 players")
    expect(found).to_be_empty()
    listed_by_name = [one["name"] for one in site.json("player", "list")["players"]]
    assert listed_by_name == ["Ada", "Bo Bell", "Jürgen Groß"]


def test_a_file_can_be_dropped(desk: Staff) -> None:
    page = desk.page
    raw = b64encode(LIST.encode("cp1252")).decode()
    dropped = page.evaluate_handle(
        """raw => {
            const bytes = Uint8Array.from(atob(raw), letter => letter.charCodeAt(0));
            const dropped = new DataTransfer();
            dropped.items.add(new File([bytes], "players.csv"));
            return dropped;
        }""",
        raw,
    )
    page.dispatch_event("#paste", "dragover", {"dataTransfer": dropped})
    page.dispatch_event("#paste", "drop", {"dataTransfer": dropped})
    expect(page.locator("#pasted")).to_contain_text("players.csv")
    expect(page.locator("#pasted li").last).to_contain_text("Bo Bell")


def test_what_is_no_list_is_refused_at_the_desk(desk: Staff, tmp_path: Path) -> None:
    page = desk.page
    workbook = tmp_path / "players.csv"
    workbook.write_bytes(b"PK\x03\x04 xl/workbook.xml")
    page.set_input_files("#paste input[type=file]", workbook)
    expect(page.locator("#pasted .problem")).to_have_text("this workbook can't be read: save it as CSV")
    huge = tmp_path / "huge.csv"
    huge.write_bytes(b"Ada\n" * 400_000)
    page.set_input_files("#paste input[type=file]", huge)
    expect(page.locator("#pasted .problem")).to_contain_text("too large for this page")


def test_a_file_chosen_before_the_page_was_ready_is_looked_at(desk: Staff, tmp_path: Path) -> None:
    page = desk.page
    listed = tmp_path / "players.csv"
    listed.write_bytes(LIST.encode())
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/paste.js*", hold)
    page.goto(f"{desk.desk}/players", wait_until="commit")
    page.set_input_files("#paste input[type=file]", listed)
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(page.locator("#pasted")).to_contain_text("Jürgen")


def test_typing_goes_on_after_a_file(desk: Staff, tmp_path: Path) -> None:
    page = desk.page
    listed = tmp_path / "players.csv"
    listed.write_bytes(LIST.encode())
    page.set_input_files("#paste input[type=file]", listed)
    expect(page.locator("#pasted")).to_contain_text("Jürgen")
    page.fill("#paste textarea", "1. Cy Cole\n2. Di Dean")
    expect(page.locator("#pasted")).to_be_empty()
    page.click("text=Preview")
    expect(page.locator("#pasted li")).to_have_text(["Cy Cole", "Di Dean"])
    page.click("text=Add 2 players")
    expect(page.locator("h1")).to_have_text("3 players")
