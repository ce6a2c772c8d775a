"""Every page in two invented languages: all texts translated, nothing cut off, mirrored where it must be."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.timeouts import PATIENCE
from tests.web.browser.scorekeeper import Staff
from tests.web.browser.test_accessible import DESK, HALL, cut_off
from tests.web.server_process import Site, Visitor
from tools.messages import write_pseudo_languages
from topcut.app.demo import read_demo
from topcut.text.catalogues import OWN

LONG, MIRRORED = "en-XA", "ar-XB"
RULES = ["/rules", "/rules/PK-42", "/rules/PK-A3"]
READ_TEXTS = """() => {
  const shown = [], walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const skipped = "script, style, code, kbd, time, .name, bdi, [translate=no], [lang]:not(html)";
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.textContent.trim() && !node.parentElement.closest(skipped)) shown.push(node.textContent.trim());
  }
  for (const name of ["aria-label", "title", "placeholder", "alt", "data-confirm"])
    for (const element of document.querySelectorAll(`[${name}]`)) shown.push(element.getAttribute(name));
  return shown;
}"""
"""Everything a person reads on a page, but for names and times."""
WORD = re.compile(r"(?<![\w/@.-])[A-Za-z]*[aeiou][A-Za-z]*(?![\w/@])")
"""A word with a vowel: in the invented language every vowel of a translated text has an accent."""
SAME = {"Topcut", "API", "JSON", "JavaScript", "https", "Letter", "appendix"}
"""Names that no language changes: also of paper and tables of rounds."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The example events on a server that has the invented languages."""
    folder: Path = tmp_path_factory.mktemp("languages")
    write_pseudo_languages(folder / "po")
    script = [sys.executable, "-m", "tests.web.browser.fill_database", str(folder / "site.db")]
    subprocess.run(script, check=True, timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN, str(folder / "po"))
        site = Site(folder)
    site("new", "Empty", "--rules", "mtr")
    site("new", "Draft", "--rules", "mtr", "--rehearsal", "draft")
    site("add", "Ada", "Bo", "Cy", "--event", "draft")
    site("round", "pair", "--event", "draft")
    yield site
    site.stop()


def words_of_events(site: Site) -> set[str]:
    """The words that people wrote: names of events, players and divisions."""
    texts = [site("export", "--event", event, "--as", "event", "-o", "-") for event in events_of(site)]
    texts.append(json.dumps([example.prizes for example in read_demo().event]))
    return {word for text in texts for word in WORD.findall(" ".join(_strings(json.loads(text))))}


def events_of(site: Site) -> list[str]:
    return [one["event"] for one in site.json("event", "list")["events"]]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def in_language(browser: Browser, site: Site, language: str) -> Visitor:
    visitor = Visitor(browser, site, viewport={"width": 1280, "height": 800})
    visitor.context.add_cookies([{"name": "language", "value": language, "url": site.address}])
    return visitor


def not_translated(visitor: Visitor, paths: list[str], known: set[str]) -> list[str]:
    """Texts on these pages with a word that is English and no name."""
    found = []
    for path in paths:
        visitor.page.goto(path)
        for text in visitor.page.evaluate(READ_TEXTS):
            if left := set(WORD.findall(text)) - known:
                found.append(f"{path}: {text!r} ({', '.join(sorted(left))})")
    return found


@pytest.mark.parametrize("paths", [HALL + RULES, DESK], ids=["hall", "desk"])
def test_no_page_has_a_text_that_is_not_translated(filled: Site, browser: Browser, paths: list[str]) -> None:
    visitor = in_language(browser, filled, LONG)
    if paths is DESK:
        Staff(visitor, filled.new_link())
    assert not_translated(visitor, paths, words_of_events(filled) | SAME) == []
    visitor.leave()


@pytest.mark.parametrize("language", [LONG, MIRRORED])
@pytest.mark.parametrize("paths", [HALL + RULES, DESK], ids=["hall", "desk"])
def test_nothing_is_cut_off(filled: Site, browser: Browser, language: str, paths: list[str]) -> None:
    visitor = in_language(browser, filled, language)
    if paths is DESK:
        Staff(visitor, filled.new_link())
    assert cut_off(visitor, paths) == []
    page = visitor.page
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("getComputedStyle(document.body).direction") == (
        "rtl" if language == MIRRORED else "ltr"
    )
    visitor.leave()


def test_the_switch_is_remembered(filled: Site, browser: Browser) -> None:
    visitor = Visitor(browser, filled, locale="en-GB")
    page = visitor.page
    page.goto("/e/autumn-open/standings")
    page.locator(f"a[hreflang='{LONG}']").click()
    page.wait_for_url("**/e/autumn-open/standings")
    assert page.evaluate("document.documentElement.lang") == LONG
    page.goto("/e/autumn-open/pairings")
    assert page.evaluate("document.documentElement.lang") == LONG
    page.locator("a[hreflang='en']").click()
    page.wait_for_url("**/e/autumn-open/pairings")
    assert page.evaluate("document.documentElement.lang") == "en"
    visitor.leave()


def test_a_browser_gets_its_own_language(filled: Site, browser: Browser) -> None:
    visitor = Visitor(browser, filled, locale="de-AT")
    visitor.page.goto("/e/autumn-open/standings")
    assert visitor.page.evaluate("document.documentElement.lang") == "de"
    visitor.leave()
