"""The examples of the rules for tables of three and four, through the command line where that can be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.builders import played
from tests.command_line import Answer, assert_refused, document, topcut
from tests.pairing.multiplayer.random_table_events import before
from tests.pairing.multiplayer.seating_oracle import (
    BOOKS,
    PREFERRED,
    cost_in,
    every_seating,
    field_of,
    judged,
    seating_of,
    sizes_for,
)
from tests.pairing.random_swiss_events import answered
from tests.proves import proves
from topcut.pairing.multiplayer.seating_field import deal_tables

PRINTED = {
    **{6: (2, 0), 7: (1, 1), 8: (0, 2), 9: (3, 0), 10: (2, 1), 11: (1, 2), 12: (4, 0), 13: (3, 1)},
    **{14: (2, 2), 15: (5, 0), 16: (4, 1), 17: (3, 2), 18: (6, 0), 19: (5, 1), 20: (4, 2), 21: (7, 0)},
    **{22: (6, 1), 23: (5, 2), 24: (8, 0), 25: (7, 1), 26: (6, 2), 27: (9, 0), 28: (8, 1), 29: (7, 2)},
    **{30: (10, 0), 31: (9, 1), 32: (8, 2), 33: (11, 0), 34: (10, 1), 35: (9, 2), 36: (12, 0)},
    # By the pattern: the printed table ends here.
    **{37: (11, 1), 38: (10, 2), 39: (13, 0), 40: (12, 1), 100: (32, 1), 101: (31, 2)},
}
"""Players to tables of three and of four (AL-T1)."""

FIRST = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x"
"""AL-T3."""


def run(command: str, file: dict[str, Any], *arguments: str) -> Answer:
    return topcut(command, "-", *arguments, stdin=json.dumps(file).encode())


# AL-T1


@pytest.mark.parametrize("players", PRINTED)
def test_al_t1_the_tables_of_a_first_round(players: int) -> None:
    threes, fours = PRINTED[players]
    answer = answered(before("allegiance-2005", players), "lots")
    assert [len(table["players"]) for table in answer["tables"]] == [3] * threes + [4] * fours
    assert len({player_id for table in answer["tables"] for player_id in table["players"]}) == players
    assert (answer["warnings"], answer["certificate"]["kind"]) == ([], "lots")


@pytest.mark.parametrize("players", [6, 7, 8, 9, 10, 11, 12, 13, 20, 33, 101])
def test_as_many_tables_of_four_as_possible_from_the_top(players: int) -> None:
    answer = answered(before("commander-4", players), "lots")
    assert tuple(len(table["players"]) for table in answer["tables"]) == sizes_for(4, players)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (0, "No player is left, but a table needs 3."),
        (1, "Only p000 is left, but a table needs 3 players."),
        (2, "Only p000 and p001 are left, but a table needs 3 players."),
        (5, "5 players cannot be seated at tables of 3 and 4"),
    ],
)
def test_al_t1_numbers_that_make_no_tables_are_refused(players: int, said: str) -> None:
    refusal = f"topcut: AL-1: {said}\n"
    answer = run("pair", before("allegiance-2005", players))
    assert_refused(answer, code=3)
    assert answer.err == refusal
    assert run("pair", before("allegiance-2005", players), "--json", "--draws", "3").err == refusal
    house = run("pair", before("commander-4", players))
    assert_refused(house, code=3)
    assert house.err == f"topcut: {said.replace('3 and 4', '4 and 3')}\n", "a house book has no rule numbers"


def test_five_who_are_left_after_drops_are_refused_too() -> None:
    file = document(played("allegiance-2005", "a:20* b:7 c:9, d:3 e:4 f:5", dropped={"f": 1}))
    assert_refused(run("pair", file), "AL-1: 5 players", code=3)


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_are_one_table_with_a_warning(rules: str, players: int) -> None:
    answer = run("pair", before(rules, players), "--json")
    assert answer.code == 0
    found = json.loads(answer.out)
    assert [len(table["players"]) for table in found["tables"]] == [players]
    (warning,) = found["warnings"]
    assert warning.startswith("fewer than 6 players are not recommended")
    assert warning.endswith(" (AL-1, AL-A9)" if rules == "allegiance-2005" else "recommended")
    assert answer.err == f"topcut: warning: {warning}\n"


def test_six_need_no_warning_and_the_smallest_table_may_say_that_all_meet_again() -> None:
    assert answered(before("allegiance-2005", 6), "lots")["warnings"] == []
    again = document(played("allegiance-2005", "a:20* b:7 c:9"))
    few, repeats = answered(again, "lots")["warnings"]
    assert few.startswith("fewer than 6")
    assert repeats.startswith("3 rematches cannot be avoided: ")


# AL-T2


@proves("AL-5", "AL-T2")
def test_al_t2_the_first_round_by_rolls_of_a_die() -> None:
    """A roll that came before does not count; the last game takes the rest."""
    rolls = [8, 5, 7, 2, 6, 2, 3]
    found = deal_tables([roll - 1 for roll in rolls], (3, 3, 3))
    assert [[player + 1 for player in table] for table in found] == [[8, 5, 7], [2, 6, 3], [1, 4, 9]]


def test_rolls_that_are_nobodys_number_do_not_count() -> None:
    assert deal_tables([9, -1, 4, 12, 0, 4, 0, 2, 7], (3, 4)) == [[4, 0, 2], [1, 3, 5, 6]]


# AL-T3 and AL-T4


def after_the_first_round() -> dict[str, Any]:
    return document(played("allegiance-2005", FIRST))


def test_al_t3_the_judge_has_the_standings_of_the_source() -> None:
    field = field_of(after_the_first_round())
    assert "".join(field.order) == "253418679"
    assert [field.places[player_id] for player_id in field.order] == [(place, place) for place in range(9)]


@pytest.mark.parametrize("seed", ["", "autumn", "winter"])
def test_al_t4_the_second_round_is_the_published_one(seed: str) -> None:
    answer = run("pair", after_the_first_round(), "--seed", seed, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = json.loads(answer.out)
    assert [sorted(table["players"]) for table in found["tables"]] == [list("245"), list("138"), list("679")]
    assert [table["table"] for table in found["tables"]] == [1, 2, 3]
    assert (found["optimal"], found["uniform"], found["warnings"]) == (True, "exact", [])
    assert (found["cost"]["rematches"], found["cost"]["displacement"]) == (0, 2)
    assert found["cost"]["rematches_by_round"] == {"1": 0}
    certificate = found["certificate"]
    assert (certificate["kind"], certificate["seatings"], certificate["optimal"]) == ("exhaustive", 1680, 1)
    assert certificate["bound"] == {"rematches": 0, "displacement": 2, "apart": 0}


def test_al_t4_nothing_else_is_as_good_and_the_next_best_costs_6() -> None:
    field = field_of(after_the_first_round())
    costs = sorted(field.cost(seating) for seating in every_seating(field))
    assert len(costs) == 1680
    assert sum(cost[0] == 0 for cost in costs) == 216
    assert costs[:2] == [(0, 2, 0), (0, 6, 0)]
    (best,) = judged(field).seatings
    assert best == tuple(map(frozenset, ("254", "318", "679")))


def test_al_t4_the_audit_draws_nothing_else() -> None:
    found = json.loads(run("pair", after_the_first_round(), "--draws", "50", "--json").out)
    assert found["distinct"] == 1
    assert found["pairings"] == [{"count": 50, "tables": [list("138"), list("245"), list("679")]}]


def test_al_15_what_cannot_be_avoided_comes_from_the_oldest_round() -> None:
    """Everybody has met everybody, in four rounds; the tables of the first can be had again as they were."""
    rounds = ("123 456 789", "147 258 369", "159 267 348", "168 249 357")
    texts = [
        ", ".join(" ".join(f"{player_id}:0" for player_id in table) for table in one.split())
        for one in rounds
    ]
    file = document(played("allegiance-2005", *texts))
    found = answered(file, "lots")
    assert set(seating_of(found)) == {frozenset("123"), frozenset("456"), frozenset("789")}
    assert found["cost"]["rematches_by_round"] == {"4": 0, "3": 0, "2": 0, "1": 9}
    assert cost_in(found) == judged(field_of(file)).cost


def test_the_preferred_sizes_are_those_of_the_books() -> None:
    assert {rules: len(answered(before(rules, 12), "x")["tables"]) for rules in PREFERRED} == {
        "allegiance-2005": 4,
        "commander-4": 3,
    }
