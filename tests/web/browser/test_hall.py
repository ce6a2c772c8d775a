"""The hall in a browser: two taps to one's table, without a connection, on a projector."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.web.server_process import Site, Visitor

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def cup(site: Site) -> Site:
    """An event of 60 in its first round."""
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site(
        "add",
        *(f"{first} {last}" for first in ("Ada", "Bo", "Cy", "Di", "Eve", "Fay") for last in "QRSTUVWXYZ"),
    )
    for step in ("pair", "publish", "start"):
        site("round", step)
    return site


def table_of(site: Site, player: str) -> int:
    tables = site.json("round", "show")["tables"]
    return next(int(table["table"]) for table in tables if player in table["players"])


def test_a_player_finds_the_table_in_two_taps_and_is_known_from_then_on(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    phone = visitor(**PHONE).page
    phone.goto("/e/cup")
    phone.locator("[type=search]").tap()
    phone.keyboard.type("cy w")
    row = phone.locator("main li", has_text="Cy W")
    expect(row).to_contain_text(f"Table {table_of(cup, 'p27')}")
    row.get_by_role("button", name="This is me").tap()
    phone.goto("/e/cup/standings")
    expect(phone.locator("body")).to_contain_text(f"Table {table_of(cup, 'p27')}")


def test_what_was_typed_before_the_page_was_ready_is_looked_for(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    phone = visitor(**PHONE).page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.route("**/find.js*", hold)
    phone.goto("/e/cup", wait_until="commit")
    phone.locator("[type=search]").tap()
    phone.keyboard.type("cy w")
    row = phone.locator("main li", has_text="Cy W")
    while not held:
        phone.wait_for_timeout(50)
    expect(row).to_have_count(0)
    for request in held:
        request.continue_()
    expect(row).to_contain_text(f"Table {table_of(cup, 'p27')}")


def test_the_last_pairings_can_be_read_without_a_connection_and_say_that_they_are_old(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    guest = visitor(**PHONE)
    page = guest.page
    page.goto("/e/cup/pairings")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(60)
    page.wait_for_function("caches.match(location.href, {ignoreVary: true}).then(kept => kept !== undefined)")
    cup.stop()
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(60)
    expect(page.locator("#stale")).to_be_visible()
    expect(page.locator("#stale")).to_contain_text("Offline since")
    cup.start()
    expect(page.locator("#stale")).to_be_hidden()


def test_after_a_switch_of_the_language_no_page_is_shown_in_the_old_one(
    cup: Site, visitor: Callable[..., Visitor]
) -> None:
    page = visitor(**PHONE).page
    html = page.locator("html")
    kept = "caches.match(location.href, {ignoreVary: true}).then(kept => kept !== undefined)"
    page.goto("/e/cup/standings")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto("/e/cup/pairings")
    page.wait_for_function(kept)
    page.get_by_role("link", name="Deutsch").click()
    expect(html).to_have_attribute("lang", "de")
    page.wait_for_function(kept)
    page.wait_for_function(
        "caches.match('/missing').then(kept => kept?.text()).then(text => text?.includes('lang=\"de\"'))"
    )
    cup.stop()
    page.reload()
    expect(html).to_have_attribute("lang", "de")
    expect(page.locator("tbody tr")).to_have_count(60)
    expect(page.locator("#stale")).to_be_visible()
    page.goto("/e/cup/standings")
    expect(html).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("#main")).to_have_count(0)
    cup.start()


def test_a_projector_turns_pages_that_show_everybody_once(cup: Site, visitor: Callable[..., Visitor]) -> None:
    page = visitor(viewport={"width": 1920, "height": 1080}).page
    page.goto("/e/cup/screen")
    expect(page.locator("body")).to_contain_text("Page 1 of")
    pages = re.search(r"Page 1 of (\d+)", page.inner_text("body"))
    assert pages is not None
    page.keyboard.press("Space")
    seen: list[str] = []
    for number in range(1, int(pages[1]) + 1):
        expect(page.locator("body")).to_contain_text(f"Page {number} of {pages[1]}")
        seen += page.locator("main li:visible bdi").all_inner_texts()
        height = page.locator("main li:visible bdi").first.evaluate(
            "e => parseFloat(getComputedStyle(e).fontSize) / innerHeight"
        )
        assert height > 0.04, "readable from the back of the hall"
        page.keyboard.press("ArrowRight")
    assert len(seen) == 60
    assert len(set(seen)) == 60
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_an_unpublished_round_changes_nothing_in_the_hall(
    site: Site, visitor: Callable[..., Visitor]
) -> None:
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup", "--option", "rounds=3")
    site("add", "Ada", "Bo", "Cy", "Di")
    for step in ("pair", "publish", "start"):
        site("round", step)
    site("report", "1", "2-0")
    site("report", "2", "2-0")
    site("round", "end")
    page = visitor().page
    page.goto("/e/cup/pairings")
    expect(page.locator("h1")).to_contain_text("Round 1")
    page.wait_for_timeout(1_500)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    site("round", "pair")
    page.wait_for_timeout(1_500)
    assert page.url not in requests, "a draft does not even make pages look again"
    site("round", "publish")
    expect(page.locator("h1")).to_contain_text("Round 2")
