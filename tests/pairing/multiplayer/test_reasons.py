"""Reasons are true: places, who moved how far and what for, who meets again, and how many sit at a table."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.builders import played
from tests.command_line import document
from tests.pairing.multiplayer.random_table_events import an_event
from tests.pairing.multiplayer.seating_oracle import BOOKS, field_of
from tests.pairing.random_swiss_events import answered

FIRST = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x"
"""AL-T3: the standings are 2 5 3 4 1 8 6 7 9."""
NAMES = {"2": "Bo", "3": "Cy", "4": "Di", "1": "Al"}


def test_the_exchange_of_the_source_in_words() -> None:
    answer = answered(document(played("allegiance-2005", FIRST, name=NAMES)), "x")
    assert [table["why"] for table in answer["tables"]] == [
        ["places 1, 2 and 4", "moved Di 1 seat up, so that Bo and Cy (round 1) do not meet again (AL-A3)"],
        ["places 3, 5 and 6", "moved Cy 1 seat down, so that Di and Al (round 1) do not meet again (AL-A3)"],
        ["places 7, 8 and 9", "in the order of the standings"],
    ]


def test_the_first_round_is_drawn_by_lot() -> None:
    answer = answered(document(played("allegiance-2005", players="a b c d e f g")), "x")
    assert [table["why"] for table in answer["tables"]] == [
        ["drawn at random"],
        ["drawn at random", "4 at this table: 7 players make 1 table of 3 and 1 table of 4 (AL-A4)"],
    ]


def test_shared_places_are_said_to_be_shared() -> None:
    """a and d share the first place, all others the third."""
    answer = answered(document(played("allegiance-2005", "a:20* b:0 c:0, d:20* e:0 f:0")), "x")
    assert [table["why"][0] for table in answer["tables"]] == [
        "places 1 (shared by 2 here) and 3",
        "place 3 (shared by 3 here)",
    ]


@pytest.mark.parametrize("rules", BOOKS)
def test_every_reason_is_true(rules: str) -> None:
    moved = met = 0
    for number in range(60):
        random = Random(f"why/{rules}/{number}")
        file = an_event(random, rules, random.choice([7, 8, 9, 10, 18]), random.randint(1, 3))
        field, answer = field_of(file), answered(file, "x")
        everybody_met = frozenset[frozenset[str]]().union(*field.met)
        costs = 0
        for at, table in enumerate(answer["tables"]):
            here = frozenset(table["players"])
            assert sorted(here, key=field.position.__getitem__) == table["players"]
            away = {}
            for seat, player_id in enumerate(table["players"], start=field.starts[at]):
                first, last = field.places[player_id]
                if not first <= seat <= last:
                    away[player_id] = (first - seat, "up") if seat < first else (seat - last, "down")
            reasons = "; ".join(table["why"])
            said = re.findall(r"(p\d+) (\d+) seats? (up|down)", reasons)
            assert {player_id: (int(far), way) for player_id, far, way in said} == away
            assert ("in the order of the standings" in reasons) is (not away)
            costs += sum(int(far) ** 2 for _, far, _ in said)
            for a, b in re.findall(r"(p\d+) and (p\d+) \(rounds? [^)]*\) do not meet again", reasons):
                assert frozenset((a, b)) in everybody_met
                assert not {a, b} <= here
                met += 1
            moved += bool(away)
        assert costs == answer["cost"]["displacement"]
    assert min(moved, met) > 20


@pytest.mark.parametrize("rules", BOOKS)
def test_no_table_says_that_nobody_meets_again_where_somebody_does(rules: str) -> None:
    """A reason for moving somebody is what it is good for, and not more."""
    for number in range(150):
        random = Random(f"nobody/{rules}/{number}")
        answer = answered(an_event(random, rules, random.choice([9, 10, 11]), 3), "x")
        if answer["cost"]["rematches"]:
            for table in answer["tables"]:
                assert not any("no table has a rematch" in reason for reason in table["why"])


def test_rounds_in_which_a_pair_met_are_counted_from_the_first_of_the_file() -> None:
    """The first round was not played at all: those who met, met in the second."""
    file = document(played("allegiance-2005", "a:0 b:0 c:0, d:0 e:0 f:0"))
    file["rounds"].insert(0, {"tables": []})
    answer = answered(file, "x")
    assert "(round 2)" in answer["warnings"][0]
    assert answer["cost"]["rematches"] == 2
    assert {key: pairs for key, pairs in answer["cost"]["rematches_by_round"].items() if pairs} == {"2": 2}
