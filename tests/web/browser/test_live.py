"""Pages stay true: two scorekeepers at once, a lost connection, a server that is killed and starts again."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor


@pytest.fixture
def cup(site: Site) -> Site:
    """An event of eight in its first round."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site("add", *["Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"])
    for step in ("pair", "publish", "start"):
        site("round", step)
    return site


def scorekeeper(cup: Site, visitor: Callable[..., Visitor], link: str | None = None) -> Staff:
    staff = Staff(visitor(), link or cup.link)
    staff.desk = f"{cup.address}/desk/cup"
    staff.at_round()
    return staff


def second_link(first: Staff, name: str) -> str:
    """A link for somebody else, made at the desk."""
    page = first.visitor.context.new_page()
    page.goto(f"{first.desk}/event")
    page.fill("[data-links] [name=name]", name)
    page.click("text=Create link")
    made = page.locator("#made-link")
    expect(made).to_contain_text("/enter#")
    link = re.search(r"http\S+", made.inner_text())
    page.close()
    assert link is not None
    return link[0]


def missing(page: Page) -> list[str]:
    return page.locator("#missing-title >> xpath=../.. >> tbody th").all_inner_texts()


def test_what_one_scorekeeper_enters_the_other_sees_while_typing(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    mara = scorekeeper(cup, visitor)
    lena = scorekeeper(cup, visitor, second_link(mara, "Lena"))
    lena.page.keyboard.type("3 2-")
    mara.line("1 2-0")
    expect(lena.page.locator("[data-key=m1]")).to_have_count(0)
    expect(lena.page.locator("[data-key=s1]")).to_contain_text("Mara")
    expect(lena.page.locator("#entry-text")).to_have_value("3 2-")
    expect(lena.page.locator("#entry-text")).to_be_focused()
    lena.page.keyboard.type("1")
    lena.page.keyboard.press("Enter")
    expect(mara.page.locator("[data-key=s3]")).to_contain_text("Lena")
    assert missing(mara.page) == ["2", "4"]
    log = cup("log")
    assert "Mara" in log
    assert "Lena" in log


def test_of_two_scorekeepers_at_the_same_table_the_second_sees_what_the_first_entered(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    mara = scorekeeper(cup, visitor)
    lena = scorekeeper(cup, visitor, second_link(mara, "Lena"))
    assert "so far" not in lena.echo("2 0-2")
    mara.line("2 2-0")
    echo = lena.page.locator("#echo")
    expect(echo).to_contain_text("so far:")
    lena.page.keyboard.press("Enter")
    expect(echo).to_contain_text("This changed while you typed")
    assert cup.json("round", "show")["tables"][1]["games"] == [2, 0, 0]
    lena.page.keyboard.press("Enter")
    expect(echo).to_have_text(re.compile("^✓"))
    assert cup.json("round", "show")["tables"][1]["games"] == [0, 2, 0]


def test_a_quick_typist_on_a_slow_network_loses_no_key_and_no_line(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    mara = scorekeeper(cup, visitor)

    def slow(route: Route) -> None:
        time.sleep(0.15)
        route.continue_()

    mara.page.route("**/entry", slow)
    mara.page.keyboard.type("1 2-0\n2 0-2\n9 2-0\n3 2-1\n4 1-2\n", delay=15)
    expect(mara.page.locator("#missing-title >> xpath=../..")).to_contain_text("4 of 4")
    tables = cup.json("round", "show")["tables"]
    assert [table["games"] for table in tables] == [[2, 0, 0], [0, 2, 0], [2, 1, 0], [1, 2, 0]]
    expect(mara.page.locator("#lines li")).to_have_count(1)
    expect(mara.page.locator("#lines li")).to_contain_text("9 2-0 Round 1 has no table 9")


def test_what_another_process_does_is_seen(cup: Site, visitor: Callable[..., Visitor]) -> None:
    mara = scorekeeper(cup, visitor)
    cup("report", "4", "2-1")
    expect(mara.page.locator("[data-key=m4]")).to_have_count(0)


def test_a_page_keeps_its_scroll_and_its_half_typed_form(cup: Site, visitor: Callable[..., Visitor]) -> None:
    mara = scorekeeper(cup, visitor)
    page = mara.page
    page.set_viewport_size({"width": 500, "height": 400})
    page.goto(f"{mara.desk}/players")
    page.fill("#add [name=name]", "Somebody who is lat")
    page.evaluate("scrollTo(0, 600)")
    before = page.evaluate("scrollY")
    assert before > 100
    cup("add", "Ivo")
    expect(page.locator("[data-key=p9]")).to_be_attached()
    assert page.input_value("#add [name=name]") == "Somebody who is lat"
    assert page.evaluate("document.activeElement.name") == "name"
    assert abs(page.evaluate("scrollY") - before) < 150


def test_a_page_follows_a_switch_of_the_language_in_another_tab(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    guest = visitor()
    guest.page.goto("/e/cup/pairings?by=table")
    other = guest.context.new_page()
    other.goto("/language/de?back=/e/cup/standings")
    expect(other.locator("html")).to_have_attribute("lang", "de")
    cup("report", "1", "2-1")
    expect(guest.page.locator("tbody tr").first).to_contain_text("2-1")
    expect(guest.page.locator("html")).to_have_attribute("lang", "de")
    guest.page.goto("/e/cup/standings")
    other.goto("/language/en?back=/e/cup")
    guest.page.go_back()
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")


def test_a_lost_connection_is_said_and_caught_up_with(cup: Site, visitor: Callable[..., Visitor]) -> None:
    guest = visitor()
    guest.page.goto("/e/cup/pairings?by=table")
    row = guest.page.locator("tbody tr").first
    expect(row).not_to_contain_text("beats")
    cup.stop()
    banner = guest.page.locator("#stale")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("Offline since")
    cup("report", "1", "2-1")
    cup.start()
    expect(row).to_contain_text("2-1")
    expect(banner).to_be_hidden()


def test_a_killed_server_comes_back_and_nobody_has_to_come_in_again(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    mara = scorekeeper(cup, visitor)
    mara.line("1 2-0")
    cup.stop(signal.SIGKILL)
    expect(mara.page.locator("#stale")).to_be_visible()
    mara.page.keyboard.type("2 2-0")
    mara.page.keyboard.press("Enter")
    expect(mara.page.locator("#lines li")).to_contain_text("No connection")
    cup.start()
    expect(mara.page.locator("#stale")).to_be_hidden()
    expect(mara.page.locator("[data-key=s2]")).to_be_visible()
    expect(mara.page.locator("#lines li")).to_have_count(0)
    assert [table.get("games") for table in cup.json("round", "show")["tables"]][:2] == [[2, 0, 0], [2, 0, 0]]


def test_a_server_with_open_streams_stops_at_once(cup: Site, visitor: Callable[..., Visitor]) -> None:
    guests = [visitor() for _ in range(3)]
    for guest in guests:
        guest.page.goto("/e/cup")
        guest.page.wait_for_timeout(300)
    cup.stop()  # however long it takes: nobody who follows would ever leave
    assert cup.process is not None
    assert cup.process.returncode == 0


def test_a_page_that_was_kept_is_not_fetched_again_and_again(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    """Another process that opened the event after the page was made takes all of it for as new as that."""
    address = "/e/cup/standings"
    first, second = visitor(), visitor()
    first.page.goto(address)
    shown = first.page.locator("body").get_attribute("data-version")
    follows = first.page.locator("body").get_attribute("data-follows")
    assert follows is not None
    cup("report", "1", "2-0")  # no news for the standings
    now = cup.json("event", "show")["version"]
    told = json.dumps({"version": now, "marks": dict.fromkeys(follows.split(), now), "own": {}})
    stream = {"content_type": "text/event-stream", "body": f"retry: 60000\n\ndata: {told}\n\n"}
    second.page.route("**/live", lambda route: route.fulfill(**stream))
    fetched: list[str] = []
    second.page.on("request", lambda request: fetched.append(request.url))
    assert f'data-version="{shown}"' in cup.get(address)
    second.page.goto(address)
    expect(second.page.locator("body")).to_have_attribute("data-version", str(now))
    second.page.wait_for_timeout(1_500)
    pages = [url for url in fetched if url.endswith(address)]
    assert len(pages) == 2, "as it was opened, and when it heard that there may be something new"
