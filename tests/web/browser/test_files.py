"""Files in and out at the desk: looked at first, brought in, gone on from, taken along."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from tests.builders import played
from tests.command_line import topcut, write
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor
from topcut.formats.registry import FORMATS

HALF = played(
    "mtr",
    "A 2-1 B, C 1-1 D, E bye",
    "A - C, B 2-0 E, D bye",
    options={"rounds": 3, "format": "swiss"},
    member={"A": "4711"},
)


@pytest.fixture
def staff(site: Site, visitor: Callable[..., Visitor]) -> Staff:
    return Staff(visitor(), site.link)


@pytest.fixture
def bringing(site: Site, staff: Staff) -> Page:
    page = staff.page
    page.goto(f"{site.address}/new")
    page.get_by_text("Import an event from a file").click()
    return page


def choose(page: Page, path: Path) -> None:
    page.get_by_label("File", exact=True).set_input_files(path)


def test_a_half_played_event_is_brought_in_and_goes_on(site: Site, bringing: Page, tmp_path: Path) -> None:
    choose(bringing, write(HALF, tmp_path / "cup.bin"))
    found = bringing.locator("[data-found]")
    expect(found).to_contain_text("An event")
    expect(found).to_contain_text("5 players · 2 rounds · event file")
    assert site.json("event", "list")["events"] == []  # it was only looked at
    bringing.get_by_role("button", name="Import event").click()
    bringing.wait_for_url("**/desk/an-event")
    bringing.keyboard.type("1 2-0")
    bringing.keyboard.press("Enter")
    expect(bringing.locator("main")).to_contain_text("2 of 2 tables reported")
    assert json.loads(site("export", "--as", "event"))["rounds"][1]["tables"][0]["games"] == [2, 0, 0]
    bringing.goto(f"{site.address}/e/an-event/draws")
    expect(bringing.locator("main")).to_contain_text("played elsewhere and imported from a file")


def test_a_list_of_results_is_asked_for_its_rules(site: Site, bringing: Page, tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_bytes("Runde;Tisch;Spieler 1;Spieler 2;Ergebnis\n1;1;Zoë;Jörg;2-1\n".encode("cp1252"))
    choose(bringing, path)
    expect(bringing.locator("[data-found]")).to_have_text("This is a list of results. Choose the ruleset.")
    form = bringing.locator("#bring")
    form.get_by_role("combobox").select_option("mtr")
    form.get_by_role("textbox", name="Name").press_sequentially("Duell")
    expect(bringing.locator("[data-found]")).to_contain_text("2 players · 1 round · list of results")
    bringing.get_by_role("button", name="Import event").click()
    bringing.wait_for_url("**/desk/duell")
    assert {p["name"] for p in json.loads(site("export", "--as", "event"))["players"]} == {"Zoë", "Jörg"}


def test_what_cannot_be_brought_in_says_why_and_nothing_is_made(
    site: Site, bringing: Page, tmp_path: Path
) -> None:
    path = tmp_path / "cup.json"
    path.write_text('{"topcut": 1, "name": "Cup", "rules": "mtr", "playrs": []}', "utf-8")
    choose(bringing, path)
    expect(bringing.locator("[data-found]")).to_contain_text('unknown key "playrs"')
    expect(bringing.get_by_role("button", name="Import event")).to_be_disabled()
    other = tmp_path / "other.json"
    other.write_text('{"topcut": 1, "name": "Cup", "rules": "../../book.toml", "players": []}', "utf-8")
    choose(bringing, other)
    expect(bringing.locator("[data-found]")).to_contain_text("no ruleset")
    assert site.json("event", "list")["events"] == []


def test_who_plays_together_can_be_chosen_anew(site: Site, staff: Staff, tmp_path: Path) -> None:
    pools = [["junior", "senior"], ["masters"]]
    cup = played("pokemon-tom", players="A B C D", options={"pools": pools})
    site("import", str(write(cup, tmp_path / "cup.json")))
    page = staff.page
    page.goto(f"{site.address}/desk/an-event/event")
    divisions = page.get_by_label("Divisions")
    expect(divisions.locator("option:checked")).to_have_text("junior + senior, masters")
    divisions.select_option("separate")
    page.get_by_role("button", name="Save options").click()
    expect(page.locator("#toast")).to_be_visible()
    assert json.loads(site("export", "--as", "event"))["options"] == {"divisions": "separate"}


def test_every_format_is_offered_with_what_it_loses(site: Site, staff: Staff, tmp_path: Path) -> None:
    path = write(HALF, tmp_path / "cup.json")
    site("import", str(path))
    page = staff.page
    page.goto(f"{site.address}/desk/an-event/event")
    page.get_by_role("link", name="Export").click()
    expect(page.get_by_role("heading", name="Export")).to_be_visible()
    offered = page.locator("[data-key]").evaluate_all("all => all.map(one => one.dataset.key)")
    assert offered == [*FORMATS, "site"]
    page.get_by_text("are left out").first.click()
    expect(page.locator("main")).to_contain_text("Who did what and when")
    for kind in offered:
        sent = staff.visitor.context.request.get(f"{site.address}/desk/an-event/export/{kind}")
        if kind == "site":
            with ZipFile(BytesIO(sent.body())) as site_of:
                assert {"index.html", "event.json", "standings.html"} <= set(site_of.namelist())
                assert b"4711" not in b"".join(map(site_of.read, site_of.namelist()))
            continue
        assert sent.ok, kind
        there = tmp_path / f"there-{kind}"
        there.write_bytes(sent.body())
        again = topcut(
            "convert", str(there), str(tmp_path / "x"), "--as", "event", "--rules", "mtr", "--json"
        )
        assert json.loads(again.out)["from"] == kind
