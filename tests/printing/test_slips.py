"""Slips: the order in which they are cut and stacked, and what stands on them."""

from __future__ import annotations

import dataclasses
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.printing.pdf_reader import Sheet, codes, pages, sheets
from tests.printing.printable_events import HARD, printed_event
from tests.required_programs import program
from tests.timeouts import PATIENCE
from topcut.errors import BadInput
from topcut.history.model import Round, Table
from topcut.printing.page import BATCH, Paper, PrintOptions, cut_stack
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import print_sheet
from topcut.rulebook.options import Options


@given(st.integers(1, 500), st.sampled_from([4, 6, 8]))
def test_sheets_cut_as_one_pile_and_laid_on_each_other_are_in_order(tables: int, per_page: int) -> None:
    pages = cut_stack(range(tables), per_page)
    assert all(len(page) == per_page for page in pages)
    stacked: list[int] = []
    while pages:
        begin = len(stacked)
        count = min(BATCH, tables - begin)
        high = -(-count // per_page)
        batch, pages = pages[:high], pages[high:]
        for i, page in enumerate(batch):  # the rule of the issue: page i, slot j, table j·P + i + 1
            assert page == [begin + j * high + i if j * high + i < count else None for j in range(per_page)]
        stacked += [slot for j in range(per_page) for page in batch if (slot := page[j]) is not None]
    assert stacked == list(range(tables))


def linked(event: PrintedEvent) -> PrintedEvent:
    return dataclasses.replace(event, link=lambda r, t: f"https://desk.example/e/cup/slip/{r}/{t}/0123456789")


def slots(page: Sheet, per_page: int) -> list[list[str]]:
    """The words of each slip on a page, from the left to the right and down."""
    across = 1 if per_page == 4 else 2
    down = per_page // across
    found: list[list[str]] = [[] for _ in range(per_page)]
    for word in page.words:
        column = int(word.left / page.width * across)
        row = int((word.top + word.bottom) / 2 / page.height * down)
        found[row * across + column].append(word.text)
    return found


@pytest.mark.parametrize("per_page", [4, 6, 8])
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
@pytest.mark.parametrize(("rules", "players"), [("mtr", 61), ("commander-4", 60)])
def test_every_table_has_its_slip_in_its_slot(rules: str, players: int, paper: Paper, per_page: int) -> None:
    event = linked(printed_event(rules, players, 2, unfinished=True))
    printed = print_sheet("slips", event, PrintOptions(paper=paper, per_page=per_page))
    assert printed.problems == []
    tables = [table for table in event.rounds[1].tables if len(table.players) > 1]
    found = sheets(printed.pdf)
    order = cut_stack(range(len(tables)), per_page)
    assert len(found) == len(order)
    scores = event.board(1).scores
    for page, expected in zip(found, order, strict=True):
        assert page.faults(edge=4.9) == []
        for words, at in zip(slots(page, per_page), expected, strict=True):
            if at is None:
                assert words == []
                continue
            table = tables[at]
            assert str(table.table) in words
            assert {"Autumn", "Cup", "Round", "2", "drop"} <= set(words)
            squeezed = "".join(words)
            for player_id in table.players:
                name = event.names[player_id]
                assert all(word in squeezed or word[::-1] in squeezed for word in name.split()), name
                assert f"{scores[player_id][1]} ·" in " ".join(words)
                assert event.by_id[player_id].member in words
        assert_records_stand_under_their_names(page)


def assert_records_stand_under_their_names(page: Sheet) -> None:
    """Players check their record on the slip (PK-57): nobody may take it for somebody else's."""
    records = [word for word in page.words if re.fullmatch(r"\d-\d(-\d)?,?", word.text)]
    assert records
    for record in records:
        here = [word for word in page.words if abs(word.left - record.left) < 1 and word.top < record.top]
        above = max(here, key=lambda word: word.bottom)
        assert record.top - above.bottom < 2.2, record


@pytest.mark.parametrize("per_page", [4, 6, 8])
def test_the_code_on_a_slip_opens_its_own_table(per_page: int) -> None:
    event = linked(printed_event("mtr", 60, 2, unfinished=True))
    pdf = print_sheet("slips", event, PrintOptions(per_page=per_page)).pdf
    across = 1 if per_page == 4 else 2
    down = per_page // across
    order = cut_stack(range(30), per_page)
    for page in (0, len(order) - 1):
        found = {int(y * down) * across + int(x * across): text for text, x, y in codes(pdf, page)}
        assert found == {
            slot: f"https://desk.example/e/cup/slip/2/{at + 1}/0123456789"
            for slot, at in enumerate(order[page])
            if at is not None
        }


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("draft-sheet", ["50 minutes, then 5 extra turns", "games won", "drawn games"]),
        ("dci-1999", ["games won", "intentional draw"]),
        (
            "allegiance-2005",
            [
                *["Victory influence", "eliminated", "first count", "second count", "won", "nobody won"],
                "first count: influence tokens of factions with fewer than five members in play",
            ],
        ),
        ("commander-4", ["won", "intentional draw"]),
    ],
)
def test_boxes_and_times_are_those_of_the_book(rules: str, says: list[str]) -> None:
    event = printed_event(rules, 12, 1, unfinished=True)
    text = " ".join(pages(print_sheet("slips", event, PrintOptions()).pdf)[0])
    for words in says:
        assert words in text
    assert ("intentional draw" in text) == event.book.match.intentional_draws


@pytest.mark.parametrize("rules", ["allegiance-2005", "commander-4"])
@pytest.mark.parametrize("per_page", [4, 8])
def test_a_slip_has_a_row_for_each_player_of_its_table_and_no_more(rules: str, per_page: int) -> None:
    event = printed_event(rules, 4, 1, unfinished=True, hard=False)
    ids = [player.id for player in event.players]
    of_three = Round(tables=(Table(table=1, players=tuple(ids[:3])),))
    of_four = Round(tables=(Table(table=1, players=tuple(ids)),))
    both = [dataclasses.replace(event, rounds=(one,)) for one in (of_three, of_four)]
    boxes = [count_boxes(print_sheet("slips", one, PrintOptions(per_page=per_page)).pdf) for one in both]
    columns = {"allegiance-2005": 6, "commander-4": 2}[rules]
    assert boxes[1] - boxes[0] == columns


def count_boxes(pdf: bytes) -> int:
    """How many boxes to tick or fill in are on the first page."""
    drawing = subprocess.run(
        [
            program("pdftocairo", "on Debian: apt install poppler-utils"),
            "-svg",
            "-f",
            "1",
            "-l",
            "1",
            "-",
            "-",
        ],
        input=pdf,
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    return len(re.findall(r'<path style="[^"]*stroke-width:0\.6;', drawing.stdout.decode()))


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (Options(), ""),
        (Options(level="premier"), "60 minutes"),
        (Options(level="premier", deck="constructed"), "70 minutes"),
    ],
)
def test_the_time_is_that_for_level_and_decks(options: Options, shown: str) -> None:
    """DC-2."""
    event = dataclasses.replace(printed_event("dci-1999", 12, 1, unfinished=True), options=options)
    text = " ".join(pages(print_sheet("slips", event, PrintOptions()).pdf)[0])
    assert shown in text
    assert ("minutes" in text) == bool(shown)


def test_nobody_draws_in_a_bracket() -> None:
    event = printed_event("mtr", 8, 1, unfinished=True)
    knocked = dataclasses.replace(event, rounds=(replace(event.rounds[0], stage="elimination"),), boards={})
    text = " ".join(pages(print_sheet("slips", knocked, PrintOptions()).pdf)[0])
    assert "Round 1, elimination" in text
    assert "drawn games" not in text
    assert "intentional draw" not in text


def test_a_bye_needs_no_slip_and_a_new_table_says_so() -> None:
    event = printed_event("mtr", 5, 1, unfinished=True, hard=False, changed={1: frozenset([2])})
    found = slots(sheets(print_sheet("slips", event, PrintOptions()).pdf)[0], 4)
    assert [bool(words) for words in found] == [True, True, False, False]
    assert ["new" in words for words in found[:2]] == [False, True]
    only = slots(sheets(print_sheet("slips", event, PrintOptions(changed=True)).pdf)[0], 4)
    assert [bool(words) for words in only] == [True, False, False, False]


def test_a_round_without_opponents_has_no_slips() -> None:
    with pytest.raises(BadInput, match="round 1 has no slips"):
        print_sheet("slips", printed_event("mtr", 1, 1), PrintOptions())
    with pytest.raises(BadInput, match="expected 4, 6 or 8 slips on a page, not 5"):
        print_sheet("slips", printed_event("mtr", 4, 1), PrintOptions(per_page=5))


def test_the_names_that_are_hardest_to_set_are_whole() -> None:
    event = printed_event("mtr", 14, 1, unfinished=True)
    for per_page in (4, 8):
        text = "".join(
            line
            for page in pages(print_sheet("slips", event, PrintOptions(per_page=per_page)).pdf)
            for line in page
        )
        for name in HARD:
            for word in name.split():
                assert word in text


def test_an_address_too_long_for_a_code_is_refused() -> None:
    event = dataclasses.replace(printed_event("mtr", 4, 1, unfinished=True), link=lambda r, t: "x" * 5_000)
    with pytest.raises(BadInput, match="this address is too long for a QR code"):
        print_sheet("slips", event, PrintOptions())
