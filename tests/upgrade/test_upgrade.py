"""Does the prompt open what the version before has stored, and does it still take what was typed then?

`test_upgrade_served.py` asks the same of the desk, the hall and the API. If one of these tests fails, what
people have stored, or what they and their programs are used to say, is not understood any more: mend the
program. `make_fixtures.py` is for recording a new version, not for making a failing test pass.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import topcut
from tests.upgrade import introspection, recorded_answers
from tests.upgrade.example_events import EVENTS, FILES, STANDINGS, TABLES
from tests.upgrade.fixture_files import BEFORE, data, lines, unpacked


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the version before, for tests that only look at it."""
    return unpacked(tmp_path_factory.mktemp("before"))


def said(*arguments: object) -> str:
    """Return what a command prints, which must not fail."""
    answer = topcut(*map(str, arguments))
    assert answer.code == 0, answer
    return answer.out


def stored(database: Path, event: str) -> list[str]:
    """Return the facts of an event as they lie in the database."""
    with closing(sqlite3.connect(database)) as file:
        found = (
            "SELECT fact FROM fact JOIN event ON event.key = fact.event WHERE event.id = ? ORDER BY position"
        )
        return [fact.decode() for (fact,) in file.execute(found, (event,))]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_then_is_in_order(database: Path, event: str) -> None:
    found = json.loads(said("check", "--event", event, "--database", database, "--json"))
    assert found["ok"]
    assert all(draw["replayed"] for draw in found["draws"]), found["draws"]


@pytest.mark.parametrize("event", EVENTS)
def test_a_log_of_then_is_written_line_by_line(database: Path, event: str) -> None:
    facts = stored(database, event)
    told = json.loads(said("log", "--event", event, "--database", database, "--json"))["facts"]
    kept = [json.loads(fact) for fact in facts]
    assert said("export", "--event", event, "--database", database).splitlines()[1 : len(facts) + 1] == facts
    for key in ("position", "step", "by", "via"):
        assert [line[key] for line in told] == [line[key] for line in kept]
    assert [line["at"][:19] for line in told] == [line["at"][:19] for line in kept]
    assert recorded_answers.undone(told) == data("undone.json")[event]


@pytest.mark.parametrize("event", EVENTS)
def test_the_prompt_tells_of_an_event_what_it_told_then(database: Path, event: str) -> None:
    where = ("--event", event, "--database", str(database))
    api, told = data("answers.json"), data("told.json")
    expected = {"standings": api[f"/events/{event}/standings"]}
    if brackets := api[f"/events/{event}/bracket"]["brackets"]:
        (expected["bracket"],) = brackets
    expected |= {
        " ".join(words): told[f"{' '.join(words)} --event {event}"] for words in recorded_answers.COMMANDS
    }
    for command, answer in expected.items():
        assert (
            list(recorded_answers.missing(answer, recorded_answers.told(*command.split(), *where), command))
            == []
        )


@pytest.mark.parametrize("file", [name for name in FILES if not name.endswith(".tdf")])
def test_a_file_of_then_would_be_written_alike(database: Path, file: str) -> None:
    event, *options = FILES[file]
    written = said("export", "--event", event, "--database", database, *options)
    assert written.encode() == (BEFORE / file).read_bytes()


@pytest.mark.parametrize(("file", "after"), STANDINGS.items())
def test_a_file_of_then_has_the_standings_of_then(file: str, after: int) -> None:
    found = recorded_answers.told("standings", str(BEFORE / file), "--after", str(after))
    assert list(recorded_answers.missing(data("told.json")[f"standings {file}"], found)) == []


@pytest.mark.parametrize("file", ["spring-cup.log", "summer-final.public.log"])
def test_a_log_of_then_is_in_order(file: str) -> None:
    assert json.loads(said("check", BEFORE / file, "--json"))["ok"]


def test_a_log_of_then_comes_in_and_goes_out_again(tmp_path: Path) -> None:
    there = ("--database", tmp_path / "new.db")
    said("import", BEFORE / "spring-cup.log", *there)
    assert said("export", *there).encode() == (BEFORE / "spring-cup.log").read_bytes()


def standings(*event: object) -> list[tuple[Any, ...]]:
    """Return the rank, the name, the points and the record of each player."""
    rows = json.loads(said("standings", *event, "--json"))["standings"]
    return [(row["rank"], row["name"], row["points"], row["record"]) for row in rows]


@pytest.mark.parametrize("file", ["spring-cup.event.json", "summer-final.event.json", "from-tdf.tdf"])
def test_an_event_of_then_is_taken_over_from_a_file(tmp_path: Path, file: str) -> None:
    there = ("--database", tmp_path / "new.db")
    said("import", BEFORE / file, *there)
    after = ("--after", STANDINGS[file])
    assert standings(*there, *after) == standings(BEFORE / file, *after)


def test_every_kind_of_fact_of_then_is_known() -> None:
    assert lines("facts.txt") <= introspection.fact_tags()


def test_everything_that_was_typed_then_can_be_typed() -> None:
    assert sorted(lines("prompt.txt") - introspection.prompt_lines()) == []


def test_every_address_of_then_is_there(database: Path) -> None:
    assert sorted(lines("addresses.txt") - introspection.addresses(database)) == []


def test_an_event_of_then_goes_on_at_a_prompt(tmp_path: Path) -> None:
    there = ("--event", TABLES, "--database", unpacked(tmp_path))
    for table in json.loads(said("round", "show", *there, "--json"))["tables"]:
        said("report", str(table["table"]), table["players"][0], *there)
    for step in ("end", "pair", "publish", "start"):
        said("round", step, *there)
    assert json.loads(said("event", "show", *there, "--json"))["round"] == 3
    assert json.loads(said("check", *there, "--json"))["ok"]
