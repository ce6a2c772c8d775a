"""Reasons: every table and every bye has one, in words that are true."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from tests.builders import played
from tests.pairing.pairing_oracle import an_event, field_of
from tests.pairing.test_divisions import built
from tests.pairing.test_vectors import assert_drawn, paired
from topcut.formats.event_file import Event


def reasons(event: Event, seed: str = "lots") -> dict[str, list[str]]:
    """`{"AB": [...], "C": [...]}`: why each table, by the players in their order."""
    return {"".join(table["players"]): table["why"] for table in paired(event, seed)["tables"]}


def with_reason(event: Event, words: str, seed: str = "lots") -> list[tuple[str, str]]:
    """(table, reason) for each reason with these words."""
    return [(table, why) for table, all_of in reasons(event, seed).items() for why in all_of if words in why]


# Tables


def test_same_points() -> None:
    event = played("mtr", "A beats C, B beats D")
    assert reasons(event) == {"AB": ["same points (3)"], "CD": ["same points (0)"]}
    assert set(map(tuple, reasons(played("mtr", players="A B C D")).values())) == {("same points (0)",)}


@pytest.mark.parametrize(
    ("rules", "result", "points"), [("mtr", "ties", "1"), ("mtr", "beats", "3"), ("fab-gem", "beats", "1")]
)
def test_points_are_those_of_the_ruleset(rules: str, result: str, points: str) -> None:
    event = played(rules, f"A {result} C, B {result} D")
    assert [f"same points ({points})"] in reasons(event).values()


def test_a_pair_down_by_lot_names_the_two_and_their_numbers() -> None:
    event = played("mtr", "A beats D, B beats E, C beats F", options={"rounds": 2})
    for seed in range(10):
        ((table, why),) = with_reason(event, "paired down", str(seed))
        down, to = table[0], table[1]
        assert down in "ABC"
        assert to in "DEF"
        said = f"3 players had 3, {down} and {to} were drawn at random"
        assert why == f"paired down from 3 to 0 points: {said}"


def test_a_lone_leader_is_paired_down_without_a_lot() -> None:
    event = played("mtr", "A beats B, C beats D", "A beats C, B beats D", options={"rounds": 3})
    assert reasons(event) == {
        "AD": ["paired down from 6 to 0 points: no other player had 6"],
        "BC": ["same points (3)"],
    }


def test_a_group_whose_players_have_met() -> None:
    """A and D lead with 7 points, and have met."""
    event = played(
        "mtr",
        *(
            "A beats B, D beats E, C beats F",
            "A beats C, D beats F, B beats E",
            "B beats C, A ties D, E ties F",
        ),
        options={"rounds": 4},
    )
    why = "the 2 players with 7 could not all be paired with each other"
    assert sorted(table[0] for table, _ in with_reason(event, why)) == ["A", "D"]


@pytest.mark.parametrize("number", range(60))
def test_numbers_in_a_pair_down_are_the_players(number: int) -> None:
    """From, to, and how many stood there; the higher player is named first."""
    plain = after_random_rounds(Random(f"numbers {number}"))
    field = field_of(plain)
    for table, all_of in reasons(built(plain)).items():
        if len(table) == 1:
            continue
        high, low = (field.points[player_id] for player_id in table)
        assert high >= low
        if high == low:
            assert all_of[0] == f"same points ({high})"
            continue
        found = re.match(r"paired down from (\d+) to (\d+) points: (.*)", all_of[0])
        assert found
        assert (int(found[1]), int(found[2])) == (high, low)
        group = [*field.points.values()].count(high)
        counted = re.search(r"(\d+) players", found[3])
        assert (int(counted[1]) if counted else 1) == group


def after_random_rounds(random: Random) -> dict[str, Any]:
    """Four to nine players after up to three rounds that were paired by lot."""
    players = "ABCDEFGHI"[: random.randint(4, 9)]
    rounds = []
    for _ in range(random.randint(1, 3)):
        order = random.sample(players, len(players))
        tables = [order[i] + random.choice(">>=") + order[i + 1] for i in range(0, len(order) - 1, 2)]
        rounds.append(" ".join(tables + order[-1:] * (len(order) % 2)))
    return an_event("mtr", *rounds, options={"rounds": 4})


def test_a_lot_is_named_only_where_there_was_one() -> None:
    """A, alone with 9 points, can meet only D; F is then left over from D's group, and no lot fell on F."""
    event = played(
        "mtr",
        *(
            "A beats B, C beats D, E ties F",
            "A beats C, E beats B, D ties F",
            "A beats E, C beats F, B ties D",
        ),
        options={"rounds": 4},
    )
    assert_drawn(event, "AD CE FB", times=20)
    assert with_reason(event, "at random") == []


def test_every_table_and_every_bye_has_a_reason() -> None:
    for number in range(20):
        for table in paired(built(after_random_rounds(Random(f"any {number}"))))["tables"]:
            assert table["why"]
            assert all(why and why == why.strip() for why in table["why"])


def test_a_rematch_says_when_they_met() -> None:
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "A beats D, B beats C")
    event = played("mtr", *rounds, options={"rounds": 5})
    told = with_reason(event, "rematch")
    assert [table for table, _ in told] == ["AB", "CD"]
    assert all("met in round 1" in why for _, why in told)
    twice = played("mtr", "A beats B", "B beats A", options={"rounds": 3})
    assert "rematch (met in rounds 1 and 2)" in with_reason(twice, "rematch")[0][1]


def test_two_of_a_family_who_could_not_be_kept_apart() -> None:
    event = played("mtr", "A beats C, B beats D", apart={"A": ["x", "y"], "B": ["y", "x"], "C": ["x"]})
    assert with_reason(event, "apart") == [("AB", "could not be kept apart (x, y)")]


def test_names_are_shown_and_ids_where_there_are_none() -> None:
    event = played("mtr", "A beats D, B beats E, C beats F", name={"A": "Ada", "B": "", "C": "Cleo"})
    ((table, why),) = with_reason(event, "paired down")
    shown = {"A": "Ada", "B": "B", "C": "Cleo"}[table[0]]
    assert f"{shown} and {table[1]} were drawn at random" in why


# Byes


def test_a_bye_in_the_lowest_group_says_how_many_lots_there_were() -> None:
    event = played("mtr", players="A B C D E")
    ((_, why),) = [(t, w) for t, w in reasons(event).items() if len(t) == 1]
    assert why == ["lowest points (0)", "no earlier bye", "drawn at random from 5 eligible players"]


def test_a_bye_without_a_lot() -> None:
    """C stands alone at the bottom."""
    event = played("mtr", "A beats X, B beats Y, Z beats C", dropped=dict.fromkeys("XYZ", 1))
    assert reasons(event)["C"] == ["lowest points (0)", "no earlier bye"]


def test_a_bye_that_went_up_says_so() -> None:
    event = played("pokemon-2017", "A beats B, C bye", "A beats C, B bye", options={"rounds": 4})
    assert reasons(event)["A"] == [
        "points: 6",
        "lowest points among the players without an earlier bye (PK-A10)",
    ]


def test_a_second_bye_says_which_it_is() -> None:
    rounds = ("A beats B, C bye", "A beats C, B bye", "B beats C, A bye")
    why = reasons(played("mtr", *rounds, options={"rounds": 4}))["C"]
    assert why[0] == "lowest points (3)"
    assert why[1].startswith("bye number 2")


def met_above_the_lowest() -> Event:
    """C has fewest points, but A and B have met: if C had the bye they would meet again."""
    left = {"Z": 1, "Y": 2}
    return played("mtr", "A beats B, Z beats C", "B beats Y", dropped=left, options={"rounds": 3})


def test_a_bye_that_would_have_cost_a_rematch_lower_down() -> None:
    answer = reasons(met_above_the_lowest())
    (alone,) = [table for table in answer if len(table) == 1]
    assert alone in "AB"
    assert answer[alone][-1] == (
        "a bye for a player with fewer points would have led to a rematch or a second bye, now or later"
    )


def test_a_bye_higher_up_is_not_called_the_lowest() -> None:
    answer = reasons(met_above_the_lowest())
    assert not [why for table in "AB" for why in answer.get(table, []) if "lowest points" in why]


# Warnings


def test_an_unavoidable_rematch_is_announced_with_the_names() -> None:
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "A beats D, B beats C")
    (warning,) = paired(played("mtr", *rounds, options={"rounds": 4}))["warnings"]
    assert warning.startswith("2 rematches cannot be avoided (A and B; C and D): ")
    assert warning.endswith(" (10.4).")


def test_a_player_who_has_met_all_others_is_named_as_the_cause() -> None:
    """A has met B, C and D; these have not met each other."""
    event = played("mtr", "A beats B", "A beats C", "A beats D", players="A B C D", options={"rounds": 4})
    (warning,) = paired(event)["warnings"]
    assert warning.startswith("A rematch cannot be avoided (A and ")
    assert re.search(r": A has met every other player", warning)


def test_players_with_one_opponent_left_between_them_are_named_as_the_cause() -> None:
    """A, B and C have met each other and all but D, whom all three would need."""
    event = played(
        "mtr",
        *("A beats B, C beats E, D beats F", "A beats C, B beats E", "B beats C, A beats E"),
        *("A beats F, B beats X", "B beats F, C beats X", "C beats F, A beats X"),
        dropped={"X": 6},
        options={"rounds": 7},
    )
    (warning,) = paired(event)["warnings"]
    assert "cannot be avoided" in warning
    assert "have met every player except D" in warning


def test_without_trouble_there_are_no_warnings() -> None:
    assert paired(played("mtr", "A beats B, C beats D"))["warnings"] == []


# Order


def test_leaders_stand_first_and_the_bye_last() -> None:
    event = played("mtr", "A beats B, C beats D, E beats F, G ties H, I bye", options={"rounds": 4})
    points = {"A": 3, "C": 3, "E": 3, "I": 3, "G": 1, "H": 1} | dict.fromkeys("BDF", 0)
    for seed in range(10):
        tables = paired(event, str(seed))["tables"]
        assert [table.get("bye", False) for table in tables] == [False] * 4 + [True]
        assert [table.get("table") for table in tables] == [1, 2, 3, 4, None]
        scores = [tuple(points[player_id] for player_id in table["players"]) for table in tables[:-1]]
        assert scores == sorted(scores, reverse=True)
        assert all(high >= low for high, low in scores)
