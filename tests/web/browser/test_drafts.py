"""A 20-player event of two formats at the desk: standard rounds, a draft with pods and clocks, a top 8."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRST"]
SECONDS = re.compile(r"\d+:\d\d")


def result(table: int) -> str:
    return f"2-{table % 2}"


def test_two_formats_and_a_top_8_at_the_desk(site: Site, visitor: Callable[..., Visitor]) -> None:
    guest = visitor(viewport={"width": 1280, "height": 900}, locale="en-GB")
    staff = Staff(guest, site.link)
    page = staff.page
    staff.make("Road to nationals", "fab-gem", 20, "swiss+elimination")
    staff.paste(NAMES)
    staff.options(rounds="7", cut="8")
    staff.at_round()
    staff.play(result)
    staff.play(result)

    panel = page.locator("#draft")
    panel.locator("[name=rounds]").fill("3")
    panel.get_by_role("button", name="Begin a draft").click()
    expect(panel).to_contain_text("Draft 1, before round 1 of 3")
    expect(panel.locator(".pods section")).to_have_count(3)
    expect(panel.locator("#pod-1")).to_have_text("Pod 1")
    expect(panel.locator(".pods li")).to_have_count(20)
    hall = page.locator("header a", has_text="Public page").get_attribute("href")
    assert hall is not None

    public = visitor(viewport={"width": 400, "height": 800}, locale="en-GB").page
    public.goto(hall)
    expect(public.locator("h1")).to_have_text("Draft 1: find your pod and seat")
    public.locator("[type=search]").fill("Player G")
    expect(public.locator("#found")).to_contain_text(re.compile(r"Pod \d, seat \d"))
    screen = visitor(viewport={"width": 1280, "height": 720}, locale="en-GB").page
    screen.goto(f"{hall}/screen")
    expect(screen.locator("li")).to_have_count(20)
    expect(screen.locator("li").first).to_have_text(re.compile(r"Player A\s*Pod \d, seat \d"))

    drafting = panel.locator("form[data-do='start draft clock']").first
    drafting.locator("[name=minutes]").fill("40")
    drafting.get_by_role("button", name="Start drafting").click()
    for shown in (page, public, screen):
        expect(shown.locator(".clock-label").first).to_have_text("Drafting")
        expect(shown.locator(".clock").first).to_have_text(SECONDS)
    page.locator("#steps").get_by_role("button", name="Pause the clock").click()
    expect(page.locator("header .badge.warn")).to_have_text("clock paused")
    building = panel.locator("form[data-do='start draft clock']").last
    building.locator("[name=minutes]").fill("30")
    building.get_by_role("button", name="Start deck building").click()
    expect(screen.locator(".clock-label").first).to_have_text("Deck building")

    for inside in (1, 2, 3):
        staff.at_round()
        for step in ("pair", "publish", "start"):
            staff.line(step)
        expect(page.locator("h1 .badge", has_text="Draft")).to_have_text(f"Draft 1, round {inside} of 3")
        staff.finish(result)
    expect(public.locator("main")).to_contain_text("Draft 1, round 3 of 3")
    expect(panel).to_contain_text("Topcut pairs the next round among all players again.")
    panel.get_by_role("button", name="End the draft").click()
    expect(panel.locator(".pods")).to_have_count(0)
    expect(panel.get_by_role("button", name="Begin a draft")).to_be_visible()
    staff.play(result)
    staff.play(result)
    expect(panel).to_have_count(0)
    for _ in range(3):
        staff.play(result)
    page.locator("form[data-do=finish] button").click()
    expect(page.locator("h1")).to_contain_text("The event is over")


def test_a_draft_begins_before_round_1_and_can_be_undone(site: Site, visitor: Callable[..., Visitor]) -> None:
    guest = visitor(viewport={"width": 1280, "height": 900}, locale="en-GB")
    staff = Staff(guest, site.link)
    page = staff.page
    staff.make("Store draft", "fab-gem", 8, "swiss")
    staff.paste(NAMES[:8])
    staff.at_round()
    panel = page.locator("#draft")
    panel.get_by_role("button", name="Begin a draft").click()
    expect(panel.locator(".pods section")).to_have_count(1)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(panel.locator(".pods")).to_have_count(0)


def test_books_without_pods_have_no_draft(site: Site, visitor: Callable[..., Visitor]) -> None:
    staff = Staff(visitor(locale="en-GB"), site.link)
    staff.make("Cup", "mtr", 8, "")
    staff.paste(NAMES[:8])
    staff.at_round()
    expect(staff.page.locator("#draft")).to_have_count(0)
