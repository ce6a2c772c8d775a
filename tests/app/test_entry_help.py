"""What the desk lists under the entry line and behind `?`: every example works in its ruleset."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.app.entry_help import list_entry_examples
from topcut.app.entry_line import read_line
from topcut.event import commands as c

BOOKS = [("allegiance-2005", 7), ("allegiance-2005", 8), ("commander-4", 7), ("mtr", 5), ("pokemon-2017", 4)]


def started(rules: str, players: int) -> Running:
    event = Running(rules, players, rounds=2)
    event.do(c.Pair(), c.Publish(), c.Start())
    return event


@pytest.mark.parametrize(("rules", "players"), BOOKS)
def test_every_example_of_a_result_counts_as_it_is_typed(rules: str, players: int) -> None:
    event = started(rules, players)
    results = [one for one in list_entry_examples(event.state) if one.right == "enter" and one.line != "u"]
    assert len(results) > 3
    for example in results:
        found = read_line(example.line, event.log)
        if found.kind == "look":
            assert example.line.startswith("r1 ")
            continue
        assert found.commands, example
        started(rules, players).do(*found.commands)


@pytest.mark.parametrize(("rules", "players"), BOOKS)
def test_the_examples_of_drops_and_time_work_too(rules: str, players: int) -> None:
    event = started(rules, players)
    others = [one for one in list_entry_examples(event.state) if one.right in ("drop", "time")]
    assert len(others) >= 2
    for example in others:
        assert read_line(example.line, event.log).commands, example


def test_scores_list_nobody_eliminated_several_counts_and_a_win_that_is_left() -> None:
    event = started("allegiance-2005", 7)
    said = read_line("?", event.log).says
    for part in (
        "24 18 10 – ",
        "18x",
        " none – nobody won",
        " w1 w2 – ",
        " count 3 2 – ",
        " g2 – ",
        " d2 – ",
    ):
        assert part in said
    assert "the highest score wins if it is at least 20" in said
    assert "2-1" not in said
    assert "draw" not in said


def test_only_the_winner_counts_lists_no_scores() -> None:
    said = read_line("?", started("commander-4", 7).log).says
    assert "1 w2 – second player won" in said
    assert "1 id – draw by agreement" in said
    assert "none" not in said


def test_before_the_first_round_there_is_help_too() -> None:
    event = Running("allegiance-2005", 6)
    assert "1 24 18 10" in read_line("?", event.log).says
