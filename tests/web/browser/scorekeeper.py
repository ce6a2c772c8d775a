"""A scorekeeper in a browser: makes events and runs them, results by keyboard only."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.server_process import Visitor
from topcut.text.messages import count, say


class Staff:
    """A person at the desk, signed in by a link, who reads pages in `language`."""

    def __init__(self, visitor: Visitor, link: str, language: str = "en") -> None:
        self.visitor = visitor
        self.language = language
        self.page: Page = visitor.page
        self.desk = ""
        self.notes: list[str] = []
        """What had to be read before going on."""
        self.page.goto(link)
        self.page.wait_for_url(lambda url: "/enter" not in url)

    def read(self, text: str) -> str:
        """Return a text of the pages in the language of this person."""
        return say(text).render(self.language)

    def make(self, name: str, rules: str, players: int, event_format: str = "") -> None:
        """Make an event by the form."""
        page = self.page
        page.goto("/new")
        page.fill("[name=name]", name)
        page.select_option("[name=rules]", rules)
        page.fill("[name=players]", str(players))
        expect(page.locator("#planned")).to_contain_text(f"{players} ")
        if event_format:
            page.select_option("[name=format]", event_format)
        page.click(f"text={self.read('Create event')}")
        page.wait_for_url(re.compile("/desk/.*/players"))
        self.desk = page.url.removesuffix("/players")

    def paste(self, names: list[str]) -> None:
        """Enter players by a pasted list."""
        page = self.page
        page.goto(f"{self.desk}/players")
        page.fill("#paste textarea", "\n".join(names))
        page.click(f"text={self.read('Preview')}")
        expect(page.locator("#pasted")).to_contain_text(names[0])
        add = count("Add {n} player", "Add {n} players", len(names)).render(self.language)
        page.click(f"text={add}")
        expect(page.locator("h1")).to_have_text(re.compile(f"^{len(names)} "))

    def options(self, **values: str) -> None:
        """Change options of the event."""
        page = self.page
        page.goto(f"{self.desk}/event")
        form = page.locator("form[data-to$='/options']")
        for name, value in values.items():
            field = form.locator(f"[name={name}]")
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        form.locator("button").click()
        expect(form.locator(".problem:visible")).to_have_count(0)
        page.wait_for_load_state()

    def at_round(self) -> None:
        self.page.goto(self.desk)
        expect(self.page.locator("#entry-text")).to_be_focused()

    def echo(self, text: str) -> str:
        """Type a line and read what it means; nothing counts."""
        self.page.keyboard.type(text)
        echo = self.page.locator("#echo")
        expect(echo).to_have_attribute("data-line", text)
        expect(echo).not_to_have_class(re.compile("done"))
        return echo.inner_text()

    def line(self, text: str) -> str:
        """Type a line, read what it means, and let it count; what was read."""
        read = self.echo(text)
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#echo")).to_have_text(re.compile("^✓"))
        for note in self.page.locator("#notes .notice").all():  # something that must be read
            self.notes.append(note.inner_text())
        while (close := self.page.locator("#notes").get_by_role("button", name=self.read("Close"))).count():
            close.first.click()
        expect(self.page.locator("#entry-text")).to_be_focused()
        return read

    def answer(self, key: str) -> None:
        """Answer a dialog by keyboard, after it was read."""
        self.page.locator("dialog[open]").wait_for()
        self.page.wait_for_timeout(500)
        self.page.keyboard.press(key)

    def outstanding(self) -> list[int]:
        cells = self.page.locator("#missing-title >> xpath=../.. >> tbody th")
        cells.first.wait_for()  # the page may just be fetching itself
        return [int(cell) for cell in cells.all_inner_texts()]

    def play(self, result: Callable[[int], str]) -> None:
        """A whole round by keyboard: pair, publish, start, every result, end."""
        for step in ("pair", "publish", "start"):
            self.line(step)
        self.finish(result)

    def finish(self, result: Callable[[int], str]) -> None:
        """Report every table of a round that has started, and end the round."""
        for table in self.outstanding():
            self.line(f"{table} {result(table)}")
        self.line("end")
