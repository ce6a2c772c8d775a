"""A numbered rule says the same on pages and in docs/rules.md, and every number that is named is a rule."""

from __future__ import annotations

import re
from pathlib import Path

from tools.rules_page import PAGE
from topcut.rulebook.rule_texts import NUMBER, list_rule_prefixes, list_rule_texts

ROOT = Path(__file__).parents[2]
SOURCES = ("*.py", "*.toml", "*.html", "*.js", "*.typ")


def test_the_page_has_every_number_once_in_the_order_of_the_texts() -> None:
    rows = r"^\| (?:[^|]+ \| )?([A-Z]{2,3}-[AR]?\d+) \|"
    assert re.findall(rows, PAGE.read_text("utf-8"), re.MULTILINE) == list(list_rule_texts())


def test_every_rule_that_is_named_is_there() -> None:
    known = set(list_rule_texts())
    books = list_rule_prefixes()
    for pattern in SOURCES:
        for path in (ROOT / "src" / "topcut").rglob(pattern):
            found = NUMBER.findall(path.read_text("utf-8"))
            named = {number for number in found if number.partition("-")[0] in books}
            assert named <= known, (path.name, sorted(named - known))


def test_every_rule_says_something_and_where() -> None:
    for rule in list_rule_texts().values():
        assert rule.says
        assert bool(rule.question) != bool(rule.source), rule.number
