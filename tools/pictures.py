"""Takes the pictures of the pages for the README and docs/desk.md: real pages, in the system's Chromium.

    .venv/bin/python tools/pictures.py

It needs `./run test --version` once (for Playwright), Chromium and poppler-utils. Run it again whenever pages
or sheets change.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"


def take(browser: Browser, link: str, hall: str) -> None:
    desk = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=hall)
    page = desk.new_page()
    page.goto(link)
    page.wait_for_url(f"{hall}/")
    page.goto("/desk/autumn-open")
    table = page.locator("[data-fill]").nth(2).inner_text()
    page.keyboard.type(f"{table} 2-1")
    page.wait_for_timeout(600)
    page.screenshot(path=PICTURES / "desk.png")
    page.goto("/desk/city-cup/bracket")
    page.wait_for_timeout(400)
    page.locator(".picture").first.screenshot(path=PICTURES / "bracket.png")

    phone = browser.new_context(viewport={"width": 390, "height": 780}, base_url=hall)
    page = phone.new_page()
    page.goto("/e/autumn-open/pairings")
    name = page.locator("tbody th").nth(5).inner_text()
    page.goto("/e/autumn-open")
    page.keyboard.press("Tab")
    page.fill("[type=search]", name.partition(" ")[0])
    page.wait_for_timeout(900)
    page.screenshot(path=PICTURES / "phone.png")

    screen = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=hall)
    page = screen.new_page()
    page.goto("/e/autumn-open/screen")
    page.wait_for_timeout(900)
    page.screenshot(path=PICTURES / "screen.png")


def take_site(browser: Browser) -> None:
    """The first page of a site, from a disk."""
    with tempfile.TemporaryDirectory() as folder:
        event = str(ROOT / "src" / "topcut" / "examples" / "city-cup-final.json")
        site = Path(folder) / "site"
        subprocess.run([sys.executable, "-m", "topcut", "site", event, "-o", str(site)], check=True)
        page = browser.new_context(viewport={"width": 1280, "height": 960}).new_page()
        page.goto(f"{site.as_uri()}/index.html")
        page.screenshot(path=PICTURES / "site.png")


def print_sheets() -> None:
    """Two sheets of paper, from the examples."""
    examples = ROOT / "src" / "topcut" / "examples"
    link = "https://desk.example/e/autumn-cup/slip/{round}/{table}"
    sheets = {
        "slips": ("slips", "league-night", ["--at", "Thu 12 Nov 2026, 19:30", "--link", link]),
        "sheet": ("sheet", "draft-pod", ["--at", "Fri 13 Nov 2026, 21:40"]),
    }
    for name, (kind, event, options) in sheets.items():
        arguments = [kind, str(examples / f"{event}.json"), "-o", "-", *options]
        printing = [sys.executable, "-m", "topcut", "print", *arguments]
        pdf = subprocess.run(printing, stdout=subprocess.PIPE, check=True).stdout
        drawing = ["pdftoppm", "-r", "80", "-png", "-f", "1", "-singlefile", "-", str(PICTURES / name)]
        subprocess.run(drawing, input=pdf, check=True)


def main() -> None:
    print_sheets()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("tools/pictures.py: chromium is not installed")
    demo = subprocess.Popen(
        [sys.executable, "-m", "topcut", "demo", "--no-open", "--json", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"LOGNAME": "Mara"},
    )
    assert demo.stdout is not None
    try:
        lines: list[str] = []
        while not lines or lines[-1].rstrip() != "}":
            lines.append(demo.stdout.readline())
        addresses = json.loads("".join(lines))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            take(browser, addresses["desk"], addresses["hall"])
            take_site(browser)
            browser.close()
    finally:
        demo.terminate()
        demo.wait()


if __name__ == "__main__":
    main()
