"""Unclear rules of the standings: each reading gives another answer, and it is the one worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import ids_in_order, played, standings, value
from tests.one_player_events import as_an_opponent, own, record
from topcut.errors import BadInput
from topcut.rulebook.loader import list_ids, read_book
from topcut.standings.document import build_rows

IN_PLANS = ["PK-A8", "PK-A12", "PK-A13", "PK-A14", "PK-A15", "PK-A16", "PK-A26", "AL-A9", "DC-A6", "FB-A8"]
"""Readings that concern rounds, cuts, flights and tables rather than standings."""
IN_PAIRINGS = ["DS-A2", "DS-A6", "PK-A2", "PK-A17", "DC-A1", "DC-A2", "FB-A9", "FB-A11", "FB-A12"]
"""Readings that concern who plays whom; their tests stand beside the pairing."""
IN_STAGES = ["PK-A18", "PK-A19", "PK-A20", "PK-A22", "PK-A23", "PK-A31", "MTR-A2"]
"""Readings that concern cuts, brackets and places; their tests stand beside the stages."""
IN_TABLES = ["AL-A2", "AL-A4"]
"""Readings that concern tables of three and four; their tests stand beside those."""
IN_EVENTS = ["PK-A9", "PK-A27", "AL-A12"]
"""Readings that concern running an event; their tests stand beside that."""

COVERED: dict[str, Callable[..., None]] = {}
Test = Callable[..., None]


def reading(reading_id: str, **expected: object) -> Callable[[Test], Test]:
    """The test of a reading, run once for each of its letters with what is expected under that letter."""

    def register(test: Test) -> Test:
        COVERED[reading_id] = test
        cases = [pytest.param({reading_id: letter}, wanted, id=letter) for letter, wanted in expected.items()]
        marked: Test = pytest.mark.parametrize(("readings", "expected"), cases)(test)
        return marked

    return register


def printed(rules: str, *rounds: str, readings: dict[str, str]) -> dict[str, dict[str, str]]:
    """Id → key → the value as it is printed."""
    found = build_rows(standings(played(rules, *rounds, readings=readings)))
    return {row["id"]: {tiebreak["key"]: tiebreak["shown"] for tiebreak in row["tiebreaks"]} for row in found}


@reading("DS-A1", a=["4.000", "1.500", "1.500"], b=["44.444%", "50.000%", "50.000%"])
def test_the_unit_of_the_sheet(readings: dict[str, str], expected: list[str]) -> None:
    """A and B draw, then B wins: A's opponent has 4 points (of 9), 3 points in 2 games (of 6)."""
    shown = printed("draft-sheet", "A 1-1 B", "B beats C", readings=readings)["A"]
    assert [shown["omp"], shown["gp"], shown["ogp"]] == expected


@reading("DS-A4", a={"W": "3", "WWL": "6"}, b={"W": "1", "WWL": "2/3"})
def test_an_opponent_who_left_early(readings: dict[str, str], expected: dict[str, str]) -> None:
    """3 points of one round and 6 of three: the second is better in points, the first as a share."""
    for results, counts in expected.items():
        left = "dropped" if len(results) < 3 else ""
        event = record("draft-sheet", results, rounds=3, left=left, readings=readings)
        assert as_an_opponent(event, "omp") == counts


@reading("DS-A5", a=[1, 1, 3, 3], b=[1, 2, 3, 4])
def test_equal_in_all_four_keys(readings: dict[str, str], expected: list[int]) -> None:
    found = build_rows(standings(played("draft-sheet", "A 2-0 B, C 2-0 D", readings=readings)))
    assert [row["rank"] for row in found] == expected
    assert {row["id"] for row in found[:2]} == {"A", "C"}


@reading("DS-A7", a="1", b="99/100", c="33/100")
def test_the_floor_of_game_points(readings: dict[str, str], expected: str) -> None:
    """B has no game point at all, so that A's value is the floor."""
    assert value(standings(played("draft-sheet", "A 2-0 B", readings=readings)), "ogp", "A") == expected


@reading("DS-A8", a="6", b="3")
def test_the_bye_of_an_opponent_on_the_sheet(readings: dict[str, str], expected: str) -> None:
    assert as_an_opponent(record("draft-sheet", "BWL", readings=readings), "omp") == expected


@reading("DS-A9", a="2.143", b="2.142")
def test_rounded_or_cut_off(readings: dict[str, str], expected: str) -> None:
    """5-2 in games: 15/7 = 2.142857…"""
    shown = printed("draft-sheet", "A 2-1 B", "A 2-0 C", "A 1-1 D", readings=readings)
    assert shown["A"]["gp"] == expected


@reading("PK-A1", a=["D", "W"], c=["W", "D"])
def test_match_record_as_points_or_wins(readings: dict[str, str], expected: list[str]) -> None:
    """Four ties are 4 points and no win, a win and three losses are 3 points and one win."""
    event = played(
        "pokemon-2017",
        *("D ties a, W beats b", "D ties c, d beats W", "D ties e, f beats W", "D ties g, h beats W"),
        readings=readings,
    )
    assert [player_id for player_id in ids_in_order(standings(event)) if player_id in "DW"] == expected


@reading("PK-A3", a="1/3", b="1/2", c="4/9")
def test_a_tie_in_a_win_percentage(readings: dict[str, str], expected: str) -> None:
    assert as_an_opponent(record("pokemon-2017", "WLD", readings=readings), "owp") == expected


@reading("PK-A4", a="1/2", b="1/3", c="2/3")
def test_a_bye_in_a_win_percentage(readings: dict[str, str], expected: str) -> None:
    assert as_an_opponent(record("pokemon-2017", "WBL", readings=readings), "owp") == expected


@reading("PK-A5", a=("B", None, "last_opponent"), b=("D", "1", "head_to_head"))
def test_head_to_head_among_three(readings: dict[str, str], expected: tuple[str, str | None, str]) -> None:
    """Nobody won a match, so all percentages are the floor; B, D and E have 2 points each.

    Among the three, D took 2 points and B and E 1 each. B's last opponent is C, who leads.
    """
    event = played(
        "pokemon-2017", "B ties D, A ties E, C bye", "B ties C, D ties E, A bye", readings=readings
    )
    found = standings(event)
    first = ids_in_order(found)[2]
    assert (first, value(found, "head_to_head", "D"), found.decided_by(2)) == expected


@reading("PK-A7", a=(["C", "A"], "last_opponent"), b=(["A", "C"], "lot"))
def test_last_opponents_who_stand_level(readings: dict[str, str], expected: tuple[list[str], str]) -> None:
    """A and C tied with each other and are level: 4 points, (1/4 + 2/3) / 2.

    Their last opponents E and B are level too: 6 points, (2/3 + 1/2 + 1/4) / 3. E's last opponent is
    A with 4 points, B's is D with 6, so that C is ahead; else a lot decides, with this seed for A.
    """
    event = played(
        "pokemon-2017",
        "A ties C, E beats B, D bye",
        "D beats E, B beats C, A bye",
        "B beats D, E beats A, C bye",
        readings=readings,
    )
    found = standings(event)
    assert [value(found, "owp", player_id) for player_id in "ACEB"] == ["11/24", "11/24", "17/36", "17/36"]
    assert (ids_in_order(found)[3:], found.decided_by(3)) == expected


@reading("PK-A21", a="1", b="3/4")
def test_left_out_by_a_cut(readings: dict[str, str], expected: str) -> None:
    event = record("pokemon-2017", "WWW", rounds=5, left="cut", readings=readings)
    assert as_an_opponent(event, "owp") == expected


@reading("PK-A28", a=["1/4", "1/4"], b=["0", "0"])
def test_percentages_of_a_player_who_met_nobody(readings: dict[str, str], expected: list[str]) -> None:
    event = record("pokemon-2017", "B", rounds=2, left="dropped", readings=readings)
    assert [own(event, "owp"), own(event, "oowp")] == expected


@reading("AL-A5", a=("152", "152"), b=("67", "67"), c=("38", "38.00"))
def test_scores_of_the_opponents(readings: dict[str, str], expected: tuple[str, str]) -> None:
    """Player 2 met 6 and 3 (29 and 50 in all, 10 and 23 there), then 5 and 4 (40 and 33; 19 and 15)."""
    games = (
        "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x",
        "2:20* 5:19 4:15, 3:27* 1:21 8:8, 6:19 7:3 9:19",
    )
    exact = value(standings(played("allegiance-2005", *games, readings=readings)), "opponents_score", "2")
    shown = printed("allegiance-2005", *games, readings=readings)["2"]["opponents_score"]
    assert (exact, shown) == expected


@reading("AL-A7", a=[1, 2, 2], b=[1, 2, 3])
def test_equal_in_wins_and_both_scores(readings: dict[str, str], expected: list[int]) -> None:
    found = build_rows(standings(played("allegiance-2005", "1:20* 2:7 3:7", readings=readings)))
    assert [row["rank"] for row in found] == expected


@reading("AL-A11", a=None, b=["1", "1", "0"])
def test_a_tie_below_the_target(readings: dict[str, str], expected: list[str] | None) -> None:
    """19-19 with a target of 20: nobody can have won, or both can."""
    if expected is None:
        with pytest.raises(BadInput, match=r"expected at least the target of 20 \(AL-A11\)$"):
            played("allegiance-2005", "1:19* 2:19* 3:7", readings=readings)
        return
    found = standings(played("allegiance-2005", "1:19* 2:19* 3:7", readings=readings))
    assert [value(found, "points", player_id) for player_id in "123"] == expected


@reading("DC-A8", a="4/5", b="2/3")
def test_the_games_of_a_bye(readings: dict[str, str], expected: str) -> None:
    """2-1 is 6 of 9 game points; with a bye of 2-0, 12 of 15."""
    event = played("dci-1999", "A bye", "A 2-1 B", readings=readings)
    assert value(standings(event), "gw", "A") == expected


@reading("DC-A11", a="4/9", b="2/3")
def test_an_unfinished_game(readings: dict[str, str], expected: str) -> None:
    """1-1 and one unfinished: 3 + 1 game points of three games, or of two."""
    assert value(standings(played("dci-1999", "A 1-1-1 B", readings=readings)), "gw", "A") == expected


@reading("FB-A1", a="5/4", b="5/9")
def test_raw_or_in_proportion(readings: dict[str, str], expected: str) -> None:
    """Totals 1 and 1: 1/4 + 1; a perfect score is 1/4 + 2."""
    assert own(record("fab-gem", "WL", readings=readings), "ctb") == expected


@reading("FB-A2", a="5/9", b="0")
def test_a_bye_in_the_cumulative_tiebreaker(readings: dict[str, str], expected: str) -> None:
    event = record("fab-gem", "BL", readings=readings)
    assert own(event, "ctb") == expected
    assert own(event, "points") == "1"


@reading("FB-A3", a="1", b="1/2")
def test_a_bye_in_the_loss_percentage(readings: dict[str, str], expected: str) -> None:
    assert own(record("fab-gem", "BL", readings=readings), "pml") == expected


def test_a_draw_in_the_loss_percentage() -> None:  # FB-A4
    assert own(record("fab-gem", "DL"), "pml") == "1/2"


@reading("FB-A5", a="5/9", b="1")
def test_the_cumulative_tiebreaker_of_a_player_who_left(readings: dict[str, str], expected: str) -> None:
    """A win and then gone: totals 1 and 1 of a perfect 1 and 2, or 1 of 1."""
    event = record("fab-gem", "W", rounds=2, left="dropped", readings=readings)
    assert own(event, "ctb") == expected
    assert as_an_opponent(event, "octb") == expected


@reading("FB-A6", a=["1", "0"], b=["0", "0"])
def test_loss_percentages_of_a_player_who_met_nobody(readings: dict[str, str], expected: list[str]) -> None:
    event = record("fab-gem", "BB", readings=readings)
    assert [own(event, "oml"), own(event, "octb")] == expected


@reading("MTR-A1", a="1/3", b="0")
def test_the_minimum_of_the_own_game_win_percentage(readings: dict[str, str], expected: str) -> None:
    """B won no game; as an opponent B counts as 1/3 in any case."""
    found = standings(played("mtr", "A 2-0 B", readings=readings))
    assert [value(found, "gw", "B"), value(found, "ogw", "A")] == [expected, "1/3"]


@reading("MTR-A3", a="5/12", b="1/2")
def test_percentages_of_a_player_who_missed_the_second_day(readings: dict[str, str], expected: str) -> None:
    """D met C (1 of 2 on day one, 1 of 3 in the end) and B (1 of 2)."""
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "A beats C, E bye")
    event = played("mtr", *rounds, cut={"D": 2, "B": 2}, readings=readings)
    assert value(standings(event), "omw", "D") == expected


def all_readings() -> dict[str, set[str]]:
    """Reading → its letters, in all books that come with Topcut."""
    found: dict[str, set[str]] = {}
    for book in list_ids():
        for reading_id, about in read_book(book).tree.get("readings", {}).items():
            found.setdefault(reading_id, set()).update(about["options"])
    return found


def test_every_reading_of_every_book_has_a_test() -> None:
    elsewhere = [*IN_PLANS, *IN_PAIRINGS, *IN_TABLES, *IN_STAGES, *IN_EVENTS]
    assert set(all_readings()) == {*COVERED, *elsewhere}


def test_every_letter_of_a_reading_is_tested() -> None:
    for reading_id, test in COVERED.items():
        (mark,) = test.pytestmark  # type: ignore[attr-defined]
        tested = {letter for case in mark.args[1] for letter in case.values[0].values()}
        assert tested == all_readings()[reading_id], reading_id


def test_readings_of_plans_are_tested_beside_the_plans() -> None:
    tests = (Path(__file__).parent.parent / "rulebook" / "test_readings_plan.py").read_text("utf-8")
    assert [reading_id for reading_id in IN_PLANS if reading_id not in tests] == []
