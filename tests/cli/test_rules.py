"""`topcut rules`: the list of rulesets, and what one of them says."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import assert_refused, topcut
from topcut.rulebook import list_ids, load


def printed(*arguments: str) -> str:
    answer = topcut("rules", *arguments)
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def document(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(printed(*arguments, "--json"))
    return answer


def parameter(answer: dict[str, Any], section: str, name: str) -> dict[str, Any]:
    (found,) = [p for p in answer["parameters"] if (p["section"], p["name"]) == (section, name)]
    return dict(found)


class TestList:
    def test_for_people(self) -> None:
        heading, _, *rows = printed().splitlines()
        assert heading.split() == ["id", "title", "edition", "status"]
        assert [row.split()[0] for row in rows] == list_ids()
        assert [row.split()[-1] for row in rows] == [load(book_id).status for book_id in list_ids()]

    def test_for_programs(self) -> None:
        first, *_ = document()["rules"]
        assert first == {
            "id": "allegiance-2005",
            "title": "Allegiance: War of Factions, game assignment",
            "edition": "7 June 2005",
            "status": "official",
            "document": "Tournament Game Assignment, 7 June 2005",
        }


class TestShow:
    @pytest.mark.parametrize("book_id", list_ids())
    def test_every_parameter_stands_on_the_page_with_its_source(self, book_id: str) -> None:
        lines = [line.split() for line in printed("show", book_id).splitlines()]
        for found in document("show", book_id)["parameters"]:
            source = found["source"].split()
            assert any(line[:1] == [found["name"]] and _within(source, line) for line in lines), found

    def test_a_value_and_its_source(self) -> None:
        answer = document("show", "pokemon-2017")
        assert (answer["id"], answer["edition"]) == ("pokemon-2017", "2 November 2017")
        assert parameter(answer, "flights", "flight_from") == {
            "section": "flights",
            "name": "flight_from",
            "value": 32,
            "source": "§3.3.3.1 (PK-42)",
            "reading": None,
        }
        assert parameter(answer, "chain 3", "shown.form")["value"] == "percent"

    def test_a_value_from_a_reading(self) -> None:
        found = parameter(document("show", "pokemon-2017"), "measures.win_rate", "draw")
        assert found["value"] == [0, 1]
        assert found["reading"] == {
            "id": "PK-A3",
            "asks": "What is a tie worth in a win percentage?",
            "chosen": "a",
            "says": "nothing",
            "usual": "a",
            "because": "the text divides wins by rounds",
            "others": {"b": "half a win", "c": "a third of a win"},
        }

    def test_another_reading(self) -> None:
        answer = document("show", "pokemon-2017", "--reading", "PK-A3=b", "--reading", "PK-A1=c")
        found = parameter(answer, "measures.win_rate", "draw")
        assert found["value"] == ["1/2", 1]
        assert (found["reading"]["chosen"], found["reading"]["usual"]) == ("b", "a")
        assert parameter(answer, "measures.points", "win")["value"] == 1

    def test_a_reading_that_a_book_chose_over_its_base(self) -> None:
        found = parameter(document("show", "pokemon-tom"), "measures.win_rate", "draw")
        reading = found["reading"]
        assert (found["value"], reading["chosen"], reading["usual"]) == (["1/2", 1], "b", "b")
        assert reading["because"] == "chosen by this book"

    def test_readings_for_people(self) -> None:
        page = printed("show", "pokemon-2017", "--reading", "PK-A3=b")
        expected = """\
  PK-A3: What is a tie worth in a win percentage?
      a  nothing (usual: the text divides wins by rounds)
    * b  half a win
      c  a third of a win
      sets measures.win_rate.draw
"""
        assert expected in page
        assert page.index("  PK-A3: ") < page.index("  PK-A12: ")

    def test_a_round_table_for_people(self) -> None:
        expected = """\
plan.tables.appendix-e
  rows  below  Appendix E
    to   rounds  cut
    ---  ------  ---
    8    3       -
    16   5       4
"""
        assert expected in printed("show", "mtr")

    def test_json_may_stand_before_show(self) -> None:
        assert json.loads(printed("--json", "show", "mtr"))["id"] == "mtr"

    def test_a_book_of_your_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "club.toml").write_text(
            'id = "club"\nbase = "mtr"\ntitle = "Club\\u001b[2J"\n', encoding="utf-8"
        )
        page = printed("show", "club.toml")
        assert page.startswith("club: Club\N{REPLACEMENT CHARACTER}[2J, 2026 (official)\n")

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["show"], "topcut: Missing argument 'ID'"),
            (["show", "chess"], 'topcut: no ruleset "chess": expected one of'),
            (["show", "mtr", "--reading", "PK-A3"], "topcut: Invalid value for '--reading'"),
            (["show", "mtr", "--reading", "PK-A3=b"], 'topcut: --reading: no reading "b" of PK-A3'),
            (["list"], "topcut: There is no command list."),
        ],
    )
    def test_mistakes(self, arguments: list[str], expected: str) -> None:
        assert_refused(topcut("rules", *arguments), expected)


def _within(part: list[str], line: list[str]) -> bool:
    """Whether words stand in a line next to each other; the last may be followed by a comma."""
    words = [word.rstrip(",") for word in line]
    wanted = [word.rstrip(",") for word in part]
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words)))
