"""Write the tables of docs/rules.md: what each rule says, where Topcut has it, and which tests prove it.

    .venv/bin/python -m tools.rules_page

The texts are those of src/topcut/rulebook/rule_texts.toml, the places those of rules_page.toml, the readings
those of the books, and the tests those marked `@proves("DS-12")`, first those in tests/sources/. Between the
tables, the page is written by hand. A test fails while the page is not what this module writes.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from topcut.rulebook.loader import read_book
from topcut.rulebook.rule_texts import RuleText, list_rule_texts

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
TESTS = ROOT / "tests"
FIRST = TESTS / "sources"
"""Tests from here are named first."""
NAMED = 3
"""So many tests are named in a cell; the rest is counted."""
NOTHING = "nothing to do"
RULE_COLUMNS = ("source section", "number", "the rule", "where", "test")
QUESTION_COLUMNS = ("ambiguity", "question", "the reading taken", "switch", "where", "test")
EXAMPLE_COLUMNS = ("numbers", "what they work out", "test")

_PART = re.compile(r"(<!-- (rules|ambiguities|examples) ?([A-Z]*) -->\n).*?(<!-- end -->)", re.DOTALL)
_MODULE = re.compile(r"`([\w/]+(?:\.py|/))`")


class Proof(NamedTuple):
    """A test that is marked with the number of a rule."""

    path: Path
    test: str


class Document(NamedTuple):
    """A document: the ruleset that follows it (empty if all rulesets do), and where its rules are."""

    ruleset: str
    where: dict[str, str]


@cache
def read_places() -> dict[str, Any]:
    """Return rules_page.toml."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def list_documents() -> dict[str, Document]:
    """Return the documents by the letters of their numbers."""
    found = read_places()
    return {letters: Document(**found[letters]) for letters in found if letters.isupper()}


@cache
def read_tree(letters: str) -> Mapping[str, Any]:
    """Return the book of a document as it is written, without a choice between readings."""
    ruleset = list_documents()[letters].ruleset
    return read_book(ruleset).tree if ruleset else {}


@cache
def collect_proofs() -> dict[str, list[Proof]]:
    """Return the tests of each number that any test is marked with."""
    found: dict[str, list[Proof]] = {}
    for path in sorted(TESTS.rglob("test_*.py"), key=lambda path: (FIRST not in path.parents, path)):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "@proves(" in text else ():
            if isinstance(node, ast.FunctionDef):
                for number in _list_numbers(node):
                    found.setdefault(number, []).append(Proof(path, node.name))
    return found


def _list_numbers(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "proves":
            yield from (str(ast.literal_eval(number)) for number in mark.args)


def find_where(number: str) -> str:
    """Return where Topcut has a rule, or the values that a reading sets; empty if nobody says it."""
    letters = number.partition("-")[0]
    set_by_reading = [f"`{path}`" for path in _find_reading(read_tree(letters), number)]
    written = list_documents()[letters].where.get(number, "")
    return "; ".join(text for text in (", ".join(dict.fromkeys(set_by_reading)), written) if text)


def _find_reading(tree: Any, number: str, path: str = "") -> Iterator[str]:
    """Return the values that a reading sets, such as `chain.omp.floor`."""
    if isinstance(tree, Mapping):
        if tree.get("reading") == number:
            yield path
        for name, value in tree.items():
            yield from _find_reading(value, number, f"{path}.{name}" if path else name)
    elif isinstance(tree, list):
        for value in tree:
            key = value.get("key") if isinstance(value, Mapping) else None
            yield from _find_reading(value, number, f"{path}.{key}" if key else path)


def find_switch(number: str) -> str:
    """Return how to take another reading of an ambiguity."""
    readings = read_tree(number.partition("-")[0]).get("readings", {})
    if number in readings:
        others = [letter for letter in readings[number]["options"] if letter != readings[number]["chosen"]]
        says = {letter: readings[number]["options"][letter]["says"] for letter in others}
        return "; ".join(f"`--reading {number}={letter}`: {text}" for letter, text in says.items())
    return str(read_places()["switches"].get(number, "none"))


def write_page(page: str) -> str:
    """Return the page with its tables as they should be."""
    return _PART.sub(lambda part: f"{part[1]}\n{_write_table(part[2], part[3])}\n\n{part[4]}", page)


def _write_table(kind: str, letters: str) -> str:
    columns: tuple[str, ...] = EXAMPLE_COLUMNS
    if kind == "examples":
        rows = list(_list_example_rows())
    else:
        texts = [text for number, text in list_rule_texts().items() if number.startswith(f"{letters}-")]
        rows = [_write_row(text) for text in texts if bool(text.question) == (kind == "ambiguities")]
        columns = QUESTION_COLUMNS if kind == "ambiguities" else RULE_COLUMNS
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _write_row(rule: RuleText) -> list[str]:
    where = _MODULE.sub(r"[`\1`](../src/topcut/\1)", find_where(rule.number))
    tests = _write_proofs(collect_proofs().get(rule.number, []))
    if rule.question:
        return [rule.number, str(rule.question), str(rule.says), find_switch(rule.number), where, tests]
    return [str(rule.source), rule.number, str(rule.says), where, tests]


def _list_example_rows() -> Iterator[list[str]]:
    for numbers, says in read_places()["examples"].items():
        proofs = [proof for number in numbers.split(", ") for proof in collect_proofs().get(number, [])]
        yield [numbers, says, _write_proofs(list(dict.fromkeys(proofs)))]


def _write_proofs(proofs: list[Proof]) -> str:
    """Return links to the first tests, by file."""
    files = [
        f"[{path.name}]({Path('..') / path.relative_to(ROOT)}): {', '.join(f'`{one.test}`' for one in tests)}"
        for path, tests in groupby(proofs[:NAMED], key=lambda proof: proof.path)
    ]
    more = [f"and {len(proofs) - NAMED} more"] if len(proofs) > NAMED else []
    return "; ".join([*files, *more])


if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text("utf-8")), "utf-8")
