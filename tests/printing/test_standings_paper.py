"""Standings and lists on paper: every value, the line of the cut, who has left, where everybody sits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from tests.printing.pdf_reader import pages, sheets
from tests.printing.printable_events import HARD, printed_event
from topcut.errors import BadInput
from topcut.history.model import Player
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import print_sheet
from topcut.rulebook.options import Options
from topcut.standings.document import format_record
from topcut.text.names import name_key


def body(pdf: bytes, heading: str) -> list[list[str]]:
    """The rows of each page under its headings."""
    found = []
    for page in pages(pdf):
        heads = next(at for at, line in enumerate(page) if line.startswith(heading))
        found.append(page[heads + 1 : -1])
    return found


def with_players(event: PrintedEvent, **changes: Mapping[str, object]) -> PrintedEvent:
    players = tuple(replace(player, **changes.get(player.id, {})) for player in event.players)
    return dataclasses.replace(event, players=players, boards={})


@pytest.mark.parametrize(
    ("rules", "players", "rounds"),
    [
        ("draft-sheet", 8, 3),
        ("pokemon-2017", 60, 4),
        ("allegiance-2005", 60, 3),
        ("dci-1999", 500, 5),
        ("fab-gem", 60, 4),
    ],
)
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_every_rank_and_every_tiebreak_is_there(rules: str, players: int, rounds: int, paper: Paper) -> None:
    event = printed_event(rules, players, rounds, hard=False)
    board = event.board(rounds)
    expected = []
    for row in board.rows:
        shown = [row["tiebreaks"][column.at]["shown"] for column in board.tiebreaks]
        cells = [row["rank"], row["name"], row["points"], format_record(row["record"]), *shown]
        expected.append(" ".join(str(cell) for cell in cells if cell != ""))
    pdf = print_sheet("standings", event, PrintOptions(paper=paper)).pdf
    rows = [row for page in body(pdf, "player") for row in page]
    cut = board.cut
    if cut is not None and cut.line is not None:
        at = next(i for i, row in enumerate(board.rows) if row["id"] == cut.line)
        expected.insert(at + 1, cut.says)
    assert rows == expected
    for column in board.tiebreaks:
        assert column.short in sheets(pdf)[0].text
    for page in sheets(pdf):
        assert page.faults() == []


def test_the_line_of_the_cut_stands_below_the_last_who_goes_on() -> None:
    event = printed_event("pokemon-2017", 24, 5, hard=False, options=Options(rounds=5, cut=8))
    cut = event.board(5).cut
    assert cut is not None
    rows = body(print_sheet("standings", event, PrintOptions()).pdf, "player")[0]
    assert rows.index("Would advance if the cut were now: the best 8 of 24") == 8
    first, *_, last = event.board(5).rows[:8]
    assert first["id"] in cut.inside
    assert last["id"] == cut.line


def test_who_has_left_is_marked() -> None:
    event = printed_event("mtr", 9, 2, hard=False)
    event = with_players(event, p3={"dropped": 2}, p4={"disqualified": 2})
    text = " ".join(pages(print_sheet("standings", event, PrintOptions()).pdf)[0])
    assert f"{event.names['p3']} (dropped)" in text
    assert event.names["p4"] not in text  # whoever is disqualified is not ranked


def test_divisions_that_play_apart_have_pages_of_their_own() -> None:
    event = printed_event("pokemon-2017", 24, 1, hard=False, options=Options(divisions="separate"))
    kinds = {f"p{i}": {"division": "senior" if i % 3 else "masters"} for i in range(24)}
    event = with_players(event, **kinds)
    found = pages(print_sheet("standings", event, PrintOptions()).pdf)
    assert len(found) == 2
    for page, name, count in zip(found, ("masters", "senior"), (8, 16), strict=True):
        assert name in page
        ranked = [line for line in page if line.split()[0].isdigit() and "%" in line]
        assert len(ranked) == count
    only = pages(print_sheet("standings", event, PrintOptions(division="senior")).pdf)
    assert len(only) == 1
    with pytest.raises(BadInput, match='there is no division "junior": expected masters or senior'):
        print_sheet("standings", event, PrintOptions(division="junior"))


def test_after_an_earlier_round_and_not_before_a_round_is_reported() -> None:
    event = printed_event("mtr", 12, 3, unfinished=True, hard=False)
    assert "Standings after round 2" in pages(print_sheet("standings", event, PrintOptions()).pdf)[0]
    assert "Standings after round 1" in pages(print_sheet("standings", event, PrintOptions(after=1)).pdf)[0]
    with pytest.raises(BadInput, match="round 3 still has open tables: expected 0 to 2"):
        print_sheet("standings", event, PrintOptions(after=3))
    with pytest.raises(BadInput, match="there is no round 4: expected 0 to 3"):
        print_sheet("standings", event, PrintOptions(after=4))
    with pytest.raises(BadInput, match="there are no standings before the first round"):
        print_sheet("standings", event, PrintOptions(after=0))


def test_names_from_everywhere_stand_whole_in_standings_and_lists() -> None:
    event = printed_event("fab-gem", 60, 2)
    for kind in ("standings", "sign-in"):
        printed = print_sheet(kind, event, PrintOptions())
        text = "".join(line for page in pages(printed.pdf) for line in page)
        for name in HARD:
            assert all(word in text for word in name.split()), name
        for page in sheets(printed.pdf):
            assert page.faults() == []


@pytest.mark.parametrize("players", [8, 60, 500])
def test_the_sign_in_list_has_everybody_who_is_expected(players: int) -> None:
    event = printed_event("mtr", players, 0, hard=False)
    event = with_players(event, p1={"dropped": 0}, p2={"born": 2014})
    rows = [row for page in body(print_sheet("sign-in", event, PrintOptions()).pdf, "here") for row in page]
    here = sorted((p for p in event.players if p.id != "p1"), key=lambda player: name_key(player.shown_name))
    assert rows == [f"☐ {player.name} {player.member}" for player in here]
    assert "2014" not in " ".join(rows).replace(str(event.by_id["p2"].member), "")


def test_where_everybody_sits() -> None:
    event = printed_event("mtr", 60, 0, hard=False)
    with pytest.raises(BadInput, match="no player has a seat yet"):
        print_sheet("seats", event, PrintOptions())
    seated = dataclasses.replace(event, seated={f"p{i}": 1 + i // 2 for i in range(60)})
    rows = [row for page in body(print_sheet("seats", seated, PrintOptions()).pdf, "table") for row in page]
    names = sorted(event.players, key=lambda player: name_key(player.shown_name))
    assert rows == [f"{1 + int(player.id[1:]) // 2} {player.name}" for player in names]


def test_pods_and_seats_of_a_draft() -> None:
    players = tuple(Player(id=f"p{i}", name=f"N{i}", pod=1 + i // 4, seat=1 + i % 4) for i in range(8))
    event = dataclasses.replace(printed_event("fab-gem", 8, 0), players=players)
    rows = body(print_sheet("seats", event, PrintOptions()).pdf, "pod")[0]
    assert rows == [f"{1 + i // 4} {1 + i % 4} N{i}" for i in range(8)]
