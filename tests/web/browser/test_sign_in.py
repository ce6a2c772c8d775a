"""The organiser's sign-in link in a browser: it leads on where it was used, and tells others the way in."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.timeouts import PAGE_PATIENCE
from tests.web.server_process import Demo, Site, Visitor

New = Callable[..., Visitor]


def opens(visitor: Visitor, link: str) -> None:
    """Open a link as if it were clicked: in a new tab, since only what is behind the # may differ."""
    visitor.page = visitor.context.new_page()
    visitor.page.set_default_timeout(PAGE_PATIENCE)
    visitor.page.goto(link)


def signed_in(visitor: Visitor) -> None:
    visitor.page.wait_for_url(lambda url: urlsplit(url).path == "/")
    expect(visitor.page.locator("text=New event")).to_be_visible()


def command_on(visitor: Visitor, part: str) -> list[str]:
    """What a page tells to type, without `topcut`."""
    program, *arguments = shlex.split(visitor.page.locator(f"{part} code").first.inner_text())
    assert program == "topcut"
    return arguments


def test_the_link_leads_on_again_in_the_browser_that_used_it(site: Site, visitor: New) -> None:
    mara = visitor()
    for _ in range(3):
        opens(mara, site.link)
        signed_in(mara)
    site.stop()
    used = site.link
    site.start()
    opens(mara, used)
    signed_in(mara)


def test_another_browser_is_told_how_to_get_a_new_link_which_works(site: Site, visitor: New) -> None:
    mara, other = visitor(), visitor()
    opens(mara, site.link)
    signed_in(mara)
    opens(other, site.link)
    expect(other.page.locator("h1")).to_have_text("This link was already used")
    expect(other.page.locator("#says")).to_have_text(re.compile("Another browser has signed in with it"))
    expect(other.page.locator("#for-staff")).to_be_hidden()
    assert site.link.partition("#")[2] not in other.page.url
    told = command_on(other, "#new-link")
    made = site(*[("Mara at home" if word == "NAME" else word) for word in told]).strip()
    assert made.startswith(f"{site.address}/enter#")
    opens(other, made)
    signed_in(other)
    expect(other.page.locator("header")).to_contain_text("Mara at home")


def test_whoever_took_the_link_is_signed_out_by_the_command_on_the_page(site: Site, visitor: New) -> None:
    thief, mara = visitor(), visitor()
    opens(thief, site.link)
    signed_in(thief)
    opens(mara, site.link)
    expect(mara.page.locator("#not-you time")).to_have_text(re.compile(r"\d\d?:\d\d"))
    site(*command_on(mara, "#not-you"))
    thief.page.goto("/new")
    expect(thief.page.locator("h1")).to_have_text("You need a link")
    opens(thief, site.link)
    expect(thief.page.locator("h1")).to_have_text("This link doesn't work")


def test_a_browser_that_is_signed_in_otherwise_is_told_so_and_goes_on(site: Site, visitor: New) -> None:
    first = site.link
    mara, lena = visitor(), visitor()
    opens(mara, first)
    signed_in(mara)
    opens(lena, site.new_link(name="Lena"))
    signed_in(lena)
    opens(lena, first)
    expect(lena.page.locator("#signed-in")).to_contain_text("This browser is signed in as Lena.")
    lena.page.click("#signed-in a")
    signed_in(lena)


def test_a_link_that_is_not_whole_or_never_was_one_names_a_way_in(site: Site, visitor: New) -> None:
    guest = visitor()
    for link, says in (
        ("/enter", "The part of the link after the # is missing. Open the complete link."),
        ("/enter#nonsense", "This link has expired, was revoked, or is incomplete."),
    ):
        opens(guest, link)
        expect(guest.page.locator("#says")).to_have_text(says)
        expect(guest.page.locator("#for-staff")).to_be_visible()
        expect(guest.page.locator("#not-you")).to_be_hidden()
        assert command_on(guest, "#new-link")[:2] == ["link", "new"]


def test_the_desk_tells_strangers_how_to_get_a_link(site: Site, visitor: New) -> None:
    guest = visitor()
    guest.page.goto("/new")
    assert command_on(guest, "main")[:2] == ["link", "new"]


def test_the_demos_link_works_in_every_browser(tmp_path: Path, browser: Browser) -> None:
    demo = Demo(tmp_path)
    try:
        for visitor in (Visitor(browser, demo), Visitor(browser, demo)):
            for _ in range(2):
                opens(visitor, demo.link)
                signed_in(visitor)
            visitor.leave()
    finally:
        demo.stop()
