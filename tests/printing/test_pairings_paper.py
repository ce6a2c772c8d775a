"""Pairings on paper: everybody is there once, with their own table, opponent and record."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from tests.printing.pdf_reader import faults, pages, sheets, text_of
from tests.printing.printable_events import HARD, printed_event
from topcut.errors import BadInput
from topcut.history.model import Table
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import print_sheet
from topcut.rulebook.options import Options
from topcut.text.names import name_key


def rows_of(pdf: bytes) -> list[str]:
    """The rows between headings and foot."""
    found = []
    for page in pages(pdf):
        heads = next(at for at, line in enumerate(page) if line.startswith("table player"))
        found += page[heads + 1 : -1]
    return found


def a_to_z(event: PrintedEvent, number: int) -> list[str]:
    """The rows that should be there."""
    scores = event.board(number - 1).scores
    rows = []
    for table in event.rounds[number - 1].tables:
        for player_id in table.players:
            against = " · ".join(event.names[other] for other in table.players if other != player_id)
            points, record = scores[player_id]
            where = "bye" if table.bye else f"{table.table}"
            rows.append(
                (
                    event.names[player_id],
                    " ".join(f"{where} {event.names[player_id]} {against} {points} {record}".split()),
                )
            )
    return [row for _, row in sorted(rows, key=lambda row: name_key(row[0]))]


@pytest.mark.parametrize(
    ("players", "paper"), [(8, "a4"), (61, "us-letter"), (500, "a4"), (501, "us-letter")]
)
def test_everybody_stands_on_a_row_of_their_own_from_a_to_z(players: int, paper: Paper) -> None:
    event = printed_event("mtr", players, 3, unfinished=True, hard=False)
    pdf = print_sheet("pairings", event, PrintOptions(paper=paper)).pdf
    assert rows_of(pdf) == a_to_z(event, 3)
    for number, page in enumerate(found := sheets(pdf), start=1):
        assert page.faults() == []
        for said in ("Round 3: pairings A–Z", "Autumn Cup", "Sat 14 Nov 2026, 14:05", "version"):
            assert said in page.text
        assert f"page {number} of {len(found)}" in page.text


def test_two_columns_where_that_fits_and_large_letters_where_rows_are_few() -> None:
    events = [printed_event("mtr", players, 2, hard=False) for players in (30, 500)]
    few, many = (sheets(print_sheet("pairings", event, PrintOptions()).pdf) for event in events)
    assert len(few) == 1
    assert len(many) == 5  # 106 rows a page; in one column there would be 11
    sizes = [[w.bottom - w.top for w in page.words if w.text == "Turing"] for page in (few[0], many[0])]
    assert min(sizes[0]) > 1.3 * max(sizes[1])


@pytest.mark.parametrize("rules", ["mtr", "allegiance-2005"])
def test_names_from_everywhere_are_whole_and_lie_on_nothing(rules: str) -> None:
    event = printed_event(rules, 60, 2)
    printed = print_sheet("pairings", event, PrintOptions())
    assert printed.problems == []
    text = "".join(line for page in pages(printed.pdf) for line in page)
    for name in HARD:
        for word in name.split():
            assert text.count("".join(word)) >= 2, name
    for page in sheets(printed.pdf):
        assert page.faults() == []


def test_by_table_for_the_staff() -> None:
    event = printed_event("mtr", 21, 2, unfinished=True, hard=False)
    scores = event.board(1).scores
    rows = []
    for table in event.rounds[1].tables:
        players = " ".join(f"{event.names[player_id]} {scores[player_id][0]}" for player_id in table.players)
        rows.append(f"– {players} bye" if table.bye else f"{table.table} {players}")
    assert rows_of(print_sheet("pairings", event, PrintOptions(by="table")).pdf) == rows


def test_larger_tables_name_all_opponents() -> None:
    event = printed_event("allegiance-2005", 12, 2, unfinished=True, hard=False)
    assert rows_of(print_sheet("pairings", event, PrintOptions()).pdf) == a_to_z(event, 2)


def test_any_round_only_some_tables_only_those_that_are_new() -> None:
    event = printed_event("mtr", 40, 3, hard=False, changed={2: frozenset([4, 5])})
    first = rows_of(print_sheet("pairings", event, PrintOptions(round=1)).pdf)
    assert first == a_to_z(event, 1)
    some = rows_of(print_sheet("pairings", event, PrintOptions(by="table", tables="2-4, 7, 19-")).pdf)
    assert [row.split()[0] for row in some] == ["2", "3", "4", "7", "19", "20"]
    new = rows_of(print_sheet("pairings", event, PrintOptions(round=2, by="table", changed=True)).pdf)
    assert [row.split()[:2] for row in new] == [["4", "new"], ["5", "new"]]
    whole = rows_of(print_sheet("pairings", event, PrintOptions(round=2)).pdf)
    assert sum(row.split()[1] == "new" for row in whole) == 4
    assert [row for row in whole if row.split()[1] != "new"] == [
        row for row in a_to_z(event, 2) if row.split()[0] not in ("4", "5")
    ]


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (PrintOptions(round=4), "there is no round 4: expected 1 to 3"),
        (PrintOptions(tables="90-99"), "round 3 has no such table (only tables 90-99)"),
        (PrintOptions(changed=True), "round 3 has no such table (only new tables)"),
        (PrintOptions(tables="5-2"), 'tables: expected the lower number first, not "5-2"'),
        (PrintOptions(tables="five"), 'tables: expected tables such as 14 or 5-20,31 or 40-, not "five"'),
        (PrintOptions(tables="1-2-3"), 'tables: expected tables such as 14 or 5-20,31 or 40-, not "1-2-3"'),
    ],
    ids=["round", "range", "new", "backwards", "words", "gap"],
)
def test_what_cannot_be_printed_is_said_in_one_line(choice: PrintOptions, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        print_sheet("pairings", printed_event("mtr", 12, 3), choice)
    assert str(refused.value) == says


def test_nothing_is_paired_yet() -> None:
    with pytest.raises(BadInput, match="no round is paired yet"):
        print_sheet("pairings", printed_event("mtr", 12, 0), PrintOptions())


def test_two_versions_can_be_told_apart() -> None:
    event = printed_event("mtr", 12, 1, unfinished=True)
    again = printed_event("mtr", 12, 1, unfinished=True)
    first, *others = event.rounds[0].tables
    swapped = Table(table=first.table, players=first.players[::-1])
    rounds = (replace(event.rounds[0], tables=(swapped, *others)),)
    other = dataclasses.replace(event, rounds=rounds, boards={})
    pdfs = [print_sheet("pairings", one, PrintOptions(by="table")).pdf for one in (event, again, other)]
    assert pdfs[0] == pdfs[1]
    marks = [pages(pdf)[0][-1].rpartition("version ")[2] for pdf in pdfs]
    assert marks[0] == marks[1] != marks[2]


@pytest.mark.large
def test_2_000_players_are_all_there() -> None:
    event = printed_event("mtr", 2_000, 1, unfinished=True, hard=False)
    pdf = print_sheet("pairings", event, PrintOptions()).pdf
    assert rows_of(pdf) == a_to_z(event, 1)
    found = sheets(pdf)
    assert [page.faults() for page in found] == [[]] * len(found)


def test_words_of_right_to_left_names_stand_in_their_own_cell() -> None:
    """Two such names beside each other keep their places: the opponent is at the right of the player."""
    event = printed_event("mtr", 8, 1, unfinished=True)
    table = Table(table=1, players=("p0", "p1"))
    event = dataclasses.replace(event, rounds=(replace(event.rounds[0], tables=(table,)),), boards={})
    words = {
        word.text: word
        for word in sheets(print_sheet("pairings", event, PrintOptions(by="table")).pdf)[0].words
    }
    arabic, hebrew = ([word[::-1] for word in name.split()] for name in HARD[:2])  # as the eye meets them
    assert max(words[w].right for w in arabic) < min(words[w].left for w in hebrew)


def test_tables_without_numbers_are_numbered_in_their_order() -> None:
    event = printed_event("mtr", 9, 1, unfinished=True, hard=False)
    bare = tuple(replace(table, table=None) for table in event.rounds[0].tables)
    unnumbered = dataclasses.replace(event, rounds=(replace(event.rounds[0], tables=bare),), boards={})
    assert rows_of(print_sheet("pairings", unnumbered, PrintOptions()).pdf) == a_to_z(event, 1)


def test_table_0_is_a_table() -> None:
    event = printed_event("mtr", 4, 1, unfinished=True, hard=False)
    tables = (replace(event.rounds[0].tables[0], table=0), event.rounds[0].tables[1])
    event = dataclasses.replace(event, rounds=(replace(event.rounds[0], tables=tables),), boards={})
    assert sorted(row.split()[0] for row in rows_of(print_sheet("pairings", event, PrintOptions()).pdf)) == [
        "0",
        "0",
        "2",
        "2",
    ]


def test_nobody_has_a_record_where_there_were_no_swiss_rounds() -> None:
    event = printed_event(
        "pokemon-2017", 8, 1, unfinished=True, hard=False, options=Options(format="elimination")
    )
    rounds = (replace(event.rounds[0], stage="elimination"),)
    event = dataclasses.replace(event, rounds=rounds, boards={})
    for by in ("name", "table"):
        text = pages(print_sheet("pairings", event, PrintOptions(by=by)).pdf)[0]
        assert "points" not in " ".join(text)
        assert "record" not in " ".join(text)
        assert all(event.names[player_id] in " ".join(text) for player_id in event.names)


@pytest.mark.parametrize("name", ["W" * 300, "a cup " * 50, "杯" * 90], ids=["one word", "words", "wide"])
def test_the_head_holds_whatever_an_event_is_called(name: str) -> None:
    event = printed_event("mtr", 300, 1, unfinished=True, hard=False, name=name)
    every_other = ",".join(str(table) for table in range(1, 150, 2))
    for choice in (PrintOptions(by="table", tables=every_other), PrintOptions()):
        pdf = print_sheet("pairings", event, choice).pdf
        assert faults(pdf) == []
        assert "Round 1: pairings" in text_of(pdf)
        assert "".join(name.split()) in "".join(text_of(pdf).split())
