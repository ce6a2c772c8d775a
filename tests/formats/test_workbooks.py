"""Workbooks of spreadsheets are read like the CSV of their first sheet, or refused in one line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.command_line import assert_refused, topcut, write
from tests.formats.hostile_files import FAR_APART
from tests.formats.workbooks import Cell, make_ods, make_xlsx, make_xlsx_of_xml, make_zip
from topcut.errors import BadInput
from topcut.formats.csv.player_list import read_list
from topcut.formats.csv.rows import MOST_COLUMNS, MOST_ROWS, read_sheet

PLAYERS: list[list[Cell]] = [
    ["Autumn cup"],
    [],
    ["Name", "Member no", "Date of birth", "Club", "Paid"],
    ["Zoë Größe", 1234567, date(2008, 3, 12), "Go", True],
    ["山田 太郎", "0012", 1990, None, False],
]


def test_cells_are_those_of_csv() -> None:
    sheet = read_sheet(make_xlsx(PLAYERS, [["another", "sheet"]]))
    assert [(row.line, row.cells) for row in sheet.rows] == [
        (1, ("Autumn cup",)),
        (3, ("Name", "Member no", "Date of birth", "Club", "Paid")),
        (4, ("Zoë Größe", "1234567", "2008-03-12", "Go", "TRUE")),
        (5, ("山田 太郎", "0012", "1990", "", "FALSE")),
    ]


def test_players_of_a_workbook() -> None:
    found = read_list(make_xlsx(PLAYERS))
    assert [(p.name, p.member, p.born, p.apart) for p in found.players] == [
        ("Zoë Größe", "1234567", 2008, ("Go",)),
        ("山田 太郎", "0012", 1990, ()),
    ]
    assert found.problems == ()


def test_an_opendocument_workbook() -> None:
    found = read_list(make_ods([["Vorname", "Nachname"], ["Ada", "Okafor"]]))
    assert [player.name for player in found.players] == ["Ada Okafor"]


def test_results_of_a_workbook(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [["Round", "Player 1", "Player 2", "Result"], [1, "Ada", "Bo", "2-1"]]
    file = write(make_xlsx(rows), tmp_path / "results.xlsx")
    answer = topcut("convert", str(file), "-", "--as", "results", "--rules", "mtr")
    assert answer.code == 0
    assert "1,swiss,,Ada,p1,win,2,Bo,p2,loss,1,0" in answer.out


def test_a_result_that_the_spreadsheet_took_for_a_date_is_named(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [["Round", "Player 1", "Player 2", "Result"], [1, "Ada", "Bo", date(2026, 1, 2)]]
    file = write(make_xlsx(rows), tmp_path / "results.xlsx")
    answer = topcut("convert", str(file), "-", "--as", "results", "--rules", "mtr")
    assert_refused(answer, "line 2: a spreadsheet turned this result into the date “2026-01-02”")


REFUSED: dict[str, tuple[bytes, str]] = {
    "two cells far apart": (make_xlsx_of_xml(FAR_APART), "this workbook can't be read: save it as CSV"),
    "more than is unpacked": (
        make_zip({"xl/workbook.xml": "x", "xl/bomb.xml": " " * (65 * 2**20)}),
        "too large once it is unpacked: expected at most 64 MiB",
    ),
    "no workbook inside": (make_zip({"xl/workbook.xml": "x"}), "this workbook can't be read"),
    "half a workbook": (make_xlsx(PLAYERS)[:-40], "this workbook can't be read"),
    "no sheet": (make_xlsx(), "this workbook can't be read"),
    "an old document": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "this workbook can't be read"),
    "many rows": (
        make_xlsx_of_xml(f'<row r="{MOST_ROWS + 1}"><c r="A{MOST_ROWS + 1}"><v>1</v></c></row>'),
        f"more than {MOST_ROWS:,} rows",
    ),
    "many columns": (make_xlsx_of_xml(f"<row>{'<c><v>1</v></c>' * (MOST_COLUMNS + 1)}</row>"), "101 columns"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_a_list_is_refused(name: str) -> None:
    raw, says = REFUSED[name]
    with pytest.raises(BadInput) as refused:
        read_sheet(raw)
    assert says in str(refused.value)


def test_a_workbook_without_a_list_is_no_event(tmp_path: Path) -> None:
    file = write(make_xlsx([["x" * 200], ["y" * 300]]), tmp_path / "cup.xlsx")
    assert_refused(topcut("standings", str(file)), "the first sheet of this workbook isn't a list")
