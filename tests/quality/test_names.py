"""Is there one word for one thing? No name in the source has a word that the glossary leaves alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "topcut"
GLOSSARY = ROOT / "docs" / "glossary.md"

ELSEWHERE_TOO = {
    # English that the source needs for other things than the one in the glossary.
    "change": "to change something, and what is changed, is no fact",
    "draw": "a table without a winner, and to draw lots",
    "entry": "a late entry, the entry line, an entry of a list",
    "export": "the command `export`, and what it makes",
    "float": "the type of numbers",
    "group": "a score group, and any players who are looked at together",
    "host": "the name of a machine in an address",
    "match": "to match a text, a graph or a header; how a table is played, in a book",
    "owner": "whom a link or a file belongs to",
    "phase": "how far a round or an event is",
    "preview": "what a list or an undo would do, before it is done",
    "repeat": "pairs of players who meet again at larger tables, and repeated keys of a file",
    "retry": "to ask again for what was not answered",
    "report": "the command that gives a result",
    "score": "what a player has at a table",
    "set": "a set of Python",
    "top": "the highest of several, and the upper edge of a picture",
    "turn": "to turn round; extra turns of a game",
}
"""Words that may be in any name, and what else they mean."""
ONLY_IN = {
    "action": ("*/limits.py */authorization.py */services.py", "what has a rate limit"),
    "archive": ("printing/*.py", "a file that holds files"),
    "category": ("formats/tdf/*.py", "as the format calls it"),
    "config": ("server/*.py", "as uvicorn calls it"),
    "conflict": ("pairing/engine/*", "players who may not meet"),
    "handle": ("server/*.py event/decide/*.py", "to handle a signal or a command"),
    "history": ("*", "what was played, as `topcut.history` has it; the log is more"),
    "operation": ("api/openapi.py", "as OpenAPI calls it"),
    "system": ("printing/typesetting.py", "the operating system"),
    "ticket": ("pairing/engine/sampling.py", "a number that is drawn"),
}
"""Words that may be in names of some modules only: which, and what else they mean there."""


def forbidden_words() -> set[str]:
    """Return the words of the glossary's last column that are no words of its first."""
    rows = [
        line.strip("| \n").split(" | ") for line in GLOSSARY.read_text("utf-8").splitlines() if "| **" in line
    ]
    used = {row[0].strip("* ") for row in rows}
    return {word.strip() for row in rows if len(row) > 2 for word in row[2].strip(" |").split(",")} - used


def words_of(name: str) -> list[str]:
    """Return the words of a name, each in the singular.

    >>> words_of("_RoundTables2")
    ['round', 'table', '2']
    """
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return [_singular(word.lower()) for word in found]


def _singular(word: str) -> str:
    """Return a word without the ending of a plural.

    >>> [_singular(word) for word in ("categories", "matches", "titles", "class", "phases")]
    ['category', 'match', 'title', 'class', 'phase']
    """
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word if word.endswith("ss") else word.removesuffix("s")


def defined_names(path: Path) -> Iterator[tuple[str, int]]:
    """Yield each name that a module defines, and its own, with the line."""
    yield path.parent.name if path.name == "__init__.py" else path.stem, 1
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno


def places_of(word: str) -> list[str]:
    """Return the patterns of the modules in which a word is allowed."""
    return ONLY_IN[word][0].split() if word in ONLY_IN else []


def is_allowed(word: str, module: str) -> bool:
    return word in ELSEWHERE_TOO or any(fnmatch(module, place) for place in places_of(word))


@cache
def uses() -> list[tuple[str, str, str]]:
    """Return each forbidden word that is in a name, with the module and a sentence about it."""
    forbidden = {word: words_of(word.title().replace(" ", "").replace("-", "")) for word in forbidden_words()}
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).as_posix()
        for name, line in defined_names(path):
            words = words_of(name)
            for word, parts in forbidden.items():
                if any(words[at : at + len(parts)] == parts for at in range(len(words))):
                    found.append((word, module, f"src/topcut/{module}:{line}: {name} has {word!r}"))
    return found


def test_the_glossary_is_read() -> None:
    assert {"tournament", "participant", "journal", "free win"} <= forbidden_words()
    assert {"bracket", "seed", "table"}.isdisjoint(forbidden_words())
    assert words_of("_TheLateArrivals2") == ["the", "late", "arrival", "2"]


def test_no_name_has_a_word_that_the_glossary_leaves_alone() -> None:
    found = [said for word, module, said in uses() if not is_allowed(word, module)]
    if found:
        pytest.fail("\n".join([*found, "docs/glossary.md has the word to use"]), pytrace=False)


def test_no_word_is_allowed_in_vain() -> None:
    assert set(ELSEWHERE_TOO) - {word for word, _, _ in uses()} == set()
    used = {
        (word, place) for word, module, _ in uses() for place in places_of(word) if fnmatch(module, place)
    }
    assert {(word, place) for word in ONLY_IN for place in places_of(word)} - used == set()
