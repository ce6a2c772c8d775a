"""A log holds sentences with their templates, and is read in any language; old logs hold plain English."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.describe.log_sentences import describe_log
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.log_chain import NOTHING, digest, write_lines
from topcut.history.model import Table
from topcut.text.catalogues import list_catalogues, load_catalogue
from topcut.text.messages import count, render, say, using_language

WARNING = count("{n} player has a rematch.", "{n} players have a rematch.", 2)
REASON = say("same points ({points})", points=6)
CATALOGUE = """
msgid ""
msgstr "Plural-Forms: nplurals=2; plural=(n != 1);"

msgid "Round {round} is published."
msgstr "Publissat rundo {round}."

msgid "Step {step} is undone: “{facts}”"
msgid_plural "{n} steps are undone, from step {step}: “{facts}”"
msgstr[0] "Malfarat {step}: «{facts}»"
msgstr[1] "Malfarat {n}: «{facts}»"

msgid "Announced: {text}"
msgstr "Anonsat: {text}"

msgid "{n} player has a rematch."
msgid_plural "{n} players have a rematch."
msgstr[0] "Ri {n}."
msgstr[1] "Rij {n}."

msgid "Question {question}: {player} asks about points."
msgstr "{player} demandat ({question})."
"""
INVENTED = "x-any"


@pytest.fixture
def invented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / f"{INVENTED}.po").write_text(CATALOGUE, "utf-8")
    monkeypatch.setenv("TOPCUT_LANGUAGES", str(tmp_path))
    list_catalogues.cache_clear()
    load_catalogue.cache_clear()
    yield
    monkeypatch.undo()
    list_catalogues.cache_clear()
    load_catalogue.cache_clear()


def written(event: Running, *facts: f.AnyFact) -> list[bytes]:
    """The lines of a log that goes on with these facts."""
    log = event.log
    more = write_lines(facts, after=log.version, previous=log.head, at=event.now, by="Ada", via="test")
    return [*log.lines, *more]


def paired(event: Running) -> f.Paired:
    """A round with a reason and a warning."""
    tables = (
        Table(players=("p1", "p2"), table=1, why=(REASON,)),
        Table(players=("p3", "p4"), table=2, why=(REASON,)),
    )
    return f.Paired(round=1, seed="x", attempt=1, tables=tables, warnings=(WARNING,))


def test_a_new_line_holds_template_and_fields() -> None:
    event = Running("mtr", 4)
    *_, announced, drawn = written(event, f.Announced(says=(WARNING,)), paired(event))
    expected = {**WARNING.to_json(), "fields": {"n": 2}}
    assert expected["template"] == "{n} player has a rematch."
    assert json.loads(announced)["fact"]["says"] == [expected]
    fact: dict[str, Any] = json.loads(drawn)["fact"]
    assert fact["warnings"] == [expected]
    assert fact["tables"][0]["why"] == [{"template": "same points ({points})", "fields": {"points": 6}}]


def test_plain_english_of_an_old_log_is_read_and_shown_as_it_is(invented: None) -> None:
    event = Running("mtr", 4)
    lines = written(event, f.Announced(says=(say("Prizes: {cups}", cups="two {cups}"),)), paired(event))
    old = [json.loads(line) for line in lines]
    old[-2]["fact"]["says"] = ["Five rounds.", "Prizes: 100 % in {cups}."]
    old[-1]["fact"] |= {"warnings": ["This was said in 2025."]}
    for table in old[-1]["fact"]["tables"]:
        table["why"] = ["as the lots have it"]
    log = EventLog(rechained(old), event.log.private)
    with using_language(INVENTED):
        says = [line.says.render() for line in describe_log(log)]
        assert says[-2] == "Anonsat: Five rounds. Prizes: 100 % in {cups}."
        assert [why.render() for why in log.state.rounds[0].tables[0].why] == ["as the lots have it"]
        assert [render(warning) for warning in log.state.rounds[0].warnings] == ["This was said in 2025."]


def test_a_log_is_the_same_when_it_is_read_and_speaks_another_language(invented: None) -> None:
    event = Running("mtr", ["Ada", "Bo", "Cy", "Di"])
    event.up()
    event.do(
        c.Report(table=1, result=Result(games=(2, 1, 0))),
        c.Report(table=2, result=Result(games=(2, 0, 0))),
        c.Ask(player="p1", about="points"),
        c.Undo(),
    )
    lines = written(event, f.Announced(says=(WARNING, say("Prizes: {prizes}.", prizes="a cup"))))
    log, again = EventLog(lines, event.log.private), EventLog(lines, event.log.private)
    assert again.state == log.state
    assert [entry.fact for entry in again.entries] == [entry.fact for entry in log.entries]
    in_english = [str(line.says) for line in describe_log(log)]
    with using_language(INVENTED):
        says = [line.says.render() for line in describe_log(again)]
        assert [str(line.says) for line in describe_log(again)] == in_english
    asked, undone, announced = says[-3:]
    assert "Publissat rundo 1." in says
    assert asked == "Ada demandat (1)."
    assert undone == f"Malfarat {len(lines) - 2}: «Ada demandat (1).»"
    assert announced == "Anonsat: Rij 2. Prizes: a cup."
    assert in_english[-2] == f"Step {len(lines) - 2} is undone: “Question 1: Ada asks about points.”"


def rechained(entries: list[dict[str, Any]]) -> list[bytes]:
    """The lines of a log as an older Topcut wrote them."""
    lines: list[bytes] = []
    for entry in entries:
        entry["previous"] = digest(lines[-1]) if lines else NOTHING
        lines.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode())
    return lines
