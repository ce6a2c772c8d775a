"""Results that are refused in a terminal say which line, which option and which table is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def in_top_four(shop: Shop) -> None:
    """Four players after a round, with the semifinals started."""
    options = ("--option", "format=swiss+elimination", "--option", "rounds=1", "--option", "cut=4")
    started(shop, "Ada Bo Cy Di", "mtr", *options)
    shop("report", "1", "2-0")
    shop("report", "2", "2-0")
    shop("round", "end")
    next_round(shop)


def next_round(shop: Shop) -> None:
    for act in ("pair", "publish", "start"):
        shop("round", act)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("2 2-0\n1 1-2\n", "line 2: Table 1 of round 1 is already reported"),
        ("2 2-0\n9 2-0\n", "line 2: Round 1 has no table 9"),
        ("2 2-0\n\n2 2-0\n", "line 3: table 2 is listed twice."),
        ("2 2-0\n2\n", "line 2: expected a table and its result"),
        ("2 2-0\nnobody 2-0\n", "line 2: expected "),
    ],
)
def test_a_refused_line_is_named_and_nothing_is_saved(shop: Shop, lines: str, said: str) -> None:
    started(shop)
    shop("report", "1", "2-0")
    refused = shop("report", "--from", "-", stdin=lines.encode(), code=2)
    assert refused.err.startswith(f"topcut: standard input: {said}")
    assert refused.err.endswith(" Nothing was saved.\n")
    assert refused.err.count("\n") == 1
    assert shop.json("round", "show")["missing"] == [2]


def test_a_result_that_is_there_names_the_command_that_corrects_it(shop: Shop) -> None:
    started(shop)
    shop("report", "2", "2-0")
    refused = shop("report", "2", "0-2", code=2)
    assert "To correct it: `topcut correct 2 RESULT`." in refused.err
    shop("correct", "2", "0-2")


def test_after_the_deadline_the_options_that_override_are_named(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di", "pokemon-2017", "--option", "format=swiss", "--option", "rounds=3")
    for last in (False, False, True):
        for table in shop.json("round", "show")["missing"]:
            shop("report", str(table), "2-0")
        shop("round", "end")
        if not last:
            next_round(shop)
    refused = shop("correct", "1", "0-2", "--round", "1", code=3)
    assert refused.err.endswith('repeat the command with `--override --reason "…"`.\n')
    shop("correct", "1", "0-2", "--round", "1", "--override", "--reason", "wrong slip", "--then", "leave")


def test_a_player_who_comes_back_too_late_names_the_options(shop: Shop) -> None:
    started(shop, "Ada Bo Cy Di")
    shop("drop", "Di")
    for table in shop.json("round", "show")["missing"]:
        shop("report", str(table), "2-0")
    shop("round", "end")
    next_round(shop)
    refused = shop("player", "restore", "Di", code=2)
    assert '`--override --reason "…"`' in refused.err


def test_a_table_of_a_bracket_has_its_name(shop: Shop) -> None:
    in_top_four(shop)
    refused = shop("report", "F", "2-0", code=2)
    assert "Round 2 has no table F, only these: SF1 is table 1 and SF2 is table 2." in refused.err
    shop("report", "SF2", "2-1")
    assert shop.json("round", "show")["missing"] == [1]
    shop("report", "sf1", "2-1")
    shop("correct", "SF1", "0-2")
    shop("report", "--from", "-", stdin=b"SF1 2-0\n", code=2)
    shop("round", "end")
    next_round(shop)
    shop("report", "F", "2-1")
    assert shop.json("round", "show")["missing"] == []
    shop("correct", "SF2", "2-0", "--round", "2")


def test_a_name_outside_a_bracket_is_no_table(shop: Shop) -> None:
    started(shop)
    refused = shop("report", "F", "2-0", code=2)
    assert 'expected a table and its result, such as 14 2-1, not "F 2-0"' in refused.err


def test_a_check_of_a_rehearsal_says_why_it_is_not_in_order(shop: Shop) -> None:
    started(shop, "Ada Bo", "mtr", "--rehearsal", "cup")
    checked = topcut("check", "--database", shop.database)
    assert checked.code == 1
    assert checked.out.splitlines()[-1] == (
        "everything is in order, except that this is a rehearsal: its secret was chosen, not drawn at random"
    )
    assert "problems were found" not in checked.out
    for_programs = topcut("check", "--database", shop.database, "--json")
    assert (for_programs.code, for_programs.out.count("This is a rehearsal")) == (1, 1)
