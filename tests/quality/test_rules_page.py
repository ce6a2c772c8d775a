"""Does docs/rules.md say where Topcut has each rule and which test proves it, and is all of that there?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import click
import pytest

from tools.event_schema import build_schema
from tools.rules_page import (
    NOTHING,
    PAGE,
    ROOT,
    collect_proofs,
    find_where,
    list_documents,
    read_places,
    read_tree,
    write_page,
)
from topcut.cli.main import app
from topcut.rulebook.rule_texts import list_rule_texts

SOURCE = ROOT / "src" / "topcut"
RULES = list_rule_texts()
QUOTED = re.compile(r"`([^`]+)`")
CONTEXT = click.Context(app)
LINK = re.compile(r"\]\((?!http)([^)#]+)\)")


def test_the_page_is_what_the_tool_writes() -> None:
    page = PAGE.read_text("utf-8")
    assert page == write_page(page), "python -m tools.rules_page writes it"


def test_no_cell_is_empty() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    assert len(rows) > len(RULES)
    assert [row for row in rows if re.search(r"\|\s*\|", row)] == []


def test_every_file_that_is_linked_is_there() -> None:
    linked = set(LINK.findall(PAGE.read_text("utf-8")))
    assert [link for link in linked if not (PAGE.parent / link).exists()] == []


def test_every_place_is_there() -> None:
    wrong = {
        number: [f"`{place}`" for place in QUOTED.findall(find_where(number)) if not _is_there(place, number)]
        for number in RULES
    }
    assert {number: places for number, places in wrong.items() if places} == {}


def test_what_is_not_there_is_found() -> None:
    for place in ("match.best", "pairing/chert.py", "topcut round pare", "topcut plan --flight", "winer"):
        assert not _is_there(place, "DS-1")


def test_nothing_to_do_has_a_reason() -> None:
    for number in RULES:
        where = find_where(number)
        assert not where.startswith("nothing") or re.match(f"{NOTHING}: \\w+", where), number


@pytest.mark.parametrize("letters", list_documents())
def test_every_entry_is_about_a_rule(letters: str) -> None:
    assert [number for number in list_documents()[letters].where if number not in RULES] == []


def test_every_mark_and_every_switch_is_about_a_rule_or_an_example() -> None:
    examples = {number for numbers in read_places()["examples"] for number in numbers.split(", ")}
    assert sorted({*collect_proofs(), *read_places()["switches"]} - {*RULES, *examples}) == []


def test_every_rule_and_every_example_has_a_test_that_proves_it() -> None:
    examples = {number for numbers in read_places()["examples"] for number in numbers.split(", ")}
    assert sorted({*RULES, *examples} - {*collect_proofs()}) == []


# Whether a place is there


def _is_there(place: str, number: str) -> bool:
    """Whether a module, a command, a value of the document's book, or a key of the event file is there."""
    if place.endswith((".py", "/")):
        return (SOURCE / place).exists()
    if place.startswith("topcut "):
        return _is_command(place.split()[1:])
    return _has(read_tree(number.partition("-")[0]), place.split(".")) or place in _keys_of_event_files()


def _is_command(words: list[str]) -> bool:
    command: click.Command | None = app
    for word in words:
        assert command is not None
        if word.startswith("--"):
            return any(word in option.opts for option in command.params)
        command = command.get_command(CONTEXT, word) if isinstance(command, click.Group) else None
        if command is None:
            return False
    return True


def _has(part: Any, steps: list[str]) -> bool:
    """Whether a value is in a book; in `chain` and `stages` in any entry, or in the one with that key."""
    if not steps:
        return True
    if isinstance(part, list):
        named = [one for one in part if isinstance(one, dict) and one.get("key") == steps[0]]
        return any(_has(one, steps[1:]) for one in named) or any(_has(one, steps) for one in part)
    return isinstance(part, dict) and steps[0] in part and _has(part[steps[0]], steps[1:])


@cache
def _keys_of_event_files() -> frozenset[str]:
    def keys(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            yield from part.get("properties", {})
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from keys(inner)

    return frozenset(keys(build_schema()))
