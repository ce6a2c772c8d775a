"""Is every sentence that people read in the catalogues? `tools/sentences.py` finds none that is not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools.sentences import (
    EXCEPTIONS,
    KINDS,
    SOURCE,
    find_sentences,
    read_exceptions,
)


def texts_in(suffix: str, source: str) -> list[str]:
    return [text.replace("\0", "{}") for _, text in KINDS[suffix](source)]


def test_no_sentence_is_outside_the_catalogues() -> None:
    found = [f"{file}:{line}: {text!r}" for file, line, text in find_sentences([SOURCE])]
    assert found == [], "put it into say(), {% trans %} or _(); or into tools/sentences.toml, with the reason"


def test_every_exception_has_a_reason_and_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = tomllib.loads(EXCEPTIONS.read_text("utf-8"))["exception"]
    assert all(group["why"].endswith(".") for group in groups)
    allowed = read_exceptions()
    monkeypatch.setattr("tools.sentences.read_exceptions", dict)
    there = {(file, text) for file, _, text in find_sentences([SOURCE])}
    unused = [
        (pattern, text)
        for group in groups
        for text in group.get("texts", ())
        for pattern in [", ".join(group["files"])]
        if not any(text == found and Path(file).match(one) for file, found in there for one in group["files"])
    ]
    assert unused == []
    assert [one for one in allowed if not any(Path(file).match(one) for file, _ in there)] == []


@pytest.mark.parametrize(
    ("suffix", "source", "found"),
    [
        (".py", 'raise BadInput(f"table {number} is open")', ["table {} is open"]),
        (".py", 'raise BadInput(say("table {number} is open", number=number))', []),
        (".py", 'raise ValueError("table 3 is open")', []),
        (".py", '"""A docstring of a module."""', []),
        (".html", "<p>Table {{ number }} is open.</p>", ["Table {} is open."]),
        (".html", "<p>{% trans %}The table is open.{% endtrans %}</p>", []),
        (".html", '<p>{{ _("The table is open.") }}</p>', []),
        (".html", '<p>{{ "the table is open" if open }}</p>', ["the table is open"]),
        (".html", '<button title="Close the table">×</button>', ["Close the table"]),
        (".html", "<h1>Tables</h1>", ["Tables"]),
        (".html", "{% block parts %}entry paste{% endblock %}", []),
        (".html", "{% block main %}<p>The table is open.</p>{% endblock %}", ["The table is open."]),
        (".js", "show(`table ${number} is open`);", ["table {} is open"]),
        (".js", 'show(say("The table is open."));', []),
        (".js", 'show(count("{n} table is open.", "{n} tables are open.", n));', []),
        (".js", 'show("Tables");', ["Tables"]),
        (".typ", "#text(size: 9pt)[The table is open]", ["The table is open"]),
        (".typ", '#say("The table is open.")', []),
    ],
)
def test_the_scan_tells_sentences_from_code(suffix: str, source: str, found: list[str]) -> None:
    assert texts_in(suffix, source) == found
