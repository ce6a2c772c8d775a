"""Where the rules can be read in two ways, does the plan follow the reading that was chosen?"""

from typing import Any

import pytest

from topcut.errors import Impossible
from topcut.rulebook import load
from topcut.rulebook.planning.divisions import DivisionsPlan, plan_divisions
from topcut.rulebook.planning.plan import EventPlan, Wishes, plan_event


def planned(rules: str, players: int, reading: str, **wishes: Any) -> EventPlan:
    reading_id, letter = reading.split("=")
    return plan_event(load(rules, {reading_id: letter}), players, Wishes(**wishes))


def divided(reading: str, *players: int, **wishes: Any) -> DivisionsPlan:
    reading_id, letter = reading.split("=")
    return plan_divisions(load("pokemon-2017", {reading_id: letter}), players, Wishes(**wishes))


def test_a1_the_threshold_of_the_second_day_is_in_points_or_in_wins() -> None:
    wishes = {"table": "tcg-two-day"}
    points = planned("pokemon-2017", 300, "PK-A1=a", **wishes).day_two
    wins = planned("pokemon-2017", 300, "PK-A1=c", **wishes).day_two
    assert points is not None
    assert wins is not None
    assert (points.points, wins.points) == (21, 7)


def test_a8_an_empty_division_is_short_or_ignored() -> None:
    assert divided("PK-A8=a", 0, 20, 40).mode == "modified"
    assert divided("PK-A8=b", 0, 20, 40).mode == "separate"


def test_a12_swiss_rounds_only_have_a_number_or_an_end() -> None:
    until = planned("pokemon-2017", 20, "PK-A12=a", format="swiss")
    fixed = planned("pokemon-2017", 20, "PK-A12=b", format="swiss")
    assert (until.rounds, fixed.rounds) == (None, 5)
    assert until.notes == ("rounds are played until only one player is unbeaten (PK-A12)",)


def test_a13_one_less_is_for_all_or_for_modified_divisions() -> None:
    assert planned("pokemon-2017", 20, "PK-A13=a", one_less=True).rounds == 4
    with pytest.raises(
        Impossible, match=r"^PK-51: only an event with modified divisions may play one Swiss round fewer"
    ):
        planned("pokemon-2017", 20, "PK-A13=b", one_less=True)
    assert [d.rounds for d in divided("PK-A13=b", 3, 20, one_less=True).divisions] == [4, 4]


def test_a14_fewer_than_eight_use_the_first_row_or_are_refused() -> None:
    assert planned("pokemon-2017", 7, "PK-A14=a").rounds == 3
    with pytest.raises(Impossible, match=r"^PK-A14: 7 players cannot play; at least 8 are needed"):
        planned("pokemon-2017", 7, "PK-A14=b")


@pytest.mark.parametrize(
    ("players", "flights", "largest", "doubling"), [(512, 16, 5, 6), (130, 4, 6, 6), (128, 4, 5, 5)]
)
def test_a15_flights_play_by_the_largest_or_one_less_per_doubling(
    players: int, flights: int, largest: int, doubling: int
) -> None:
    assert planned("pokemon-2017", players, "PK-A15=a", flights=flights).rounds == largest
    assert planned("pokemon-2017", players, "PK-A15=b", flights=flights).rounds == doubling


def test_a16_flights_are_as_close_as_possible_or_even() -> None:
    assert planned("pokemon-2017", 142, "PK-A16=a", flights=4).flights == (36, 36, 35, 35)
    assert planned("pokemon-2017", 142, "PK-A16=b", flights=4).flights == (36, 36, 36, 34)


@pytest.mark.parametrize(
    ("players", "pools", "rounds"),
    [
        ((3, 10, 40), [("junior", "senior"), ("masters",)], [4, 4, 6]),
        ((10, 3, 40), [("junior",), ("senior", "masters")], [4, 6, 6]),
        ((10, 40, 3), [("junior",), ("senior", "masters")], [4, 6, 6]),
        ((3, 4, 40), [("junior", "senior"), ("masters",)], [3, 3, 6]),
        ((3, 2, 40), [("junior", "senior", "masters")], [6, 6, 6]),
        ((3, 0, 40), [("junior", "masters")], [6, 0, 6]),
    ],
)
def test_a26_a_short_division_joins_all_or_its_neighbour(
    players: tuple[int, ...], pools: list[tuple[str, ...]], rounds: list[int]
) -> None:
    everybody = tuple(name for name, n in zip(("junior", "senior", "masters"), players, strict=True) if n)
    assert [pool.divisions for pool in divided("PK-A26=a", *players).pools] == [everybody]
    short = divided("PK-A26=b", *players)
    assert [pool.divisions for pool in short.pools] == pools
    assert [division.rounds for division in short.divisions] == rounds


def test_a26_the_notes_say_who_joins_whom() -> None:
    answer = divided("PK-A26=b", 3, 10, 40)
    assert answer.mode == "modified"
    assert answer.notes == (
        "junior has 3 players, fewer than 6: junior and senior play in one pool (PK-13, PK-A26)",
        "rounds and cut of this pool are those for senior, 10 players (PK-50)",
        "divisions that play apart have a bracket each (PK-A31)",
        "unequal shares in the cut: junior and senior 4 of 13 (31%), masters 8 of 40 (20%) (PK-38)",
    )


@pytest.mark.parametrize("players", [3, 4])
def test_al_a9_one_table_is_warned_of_or_refused(players: int) -> None:
    assert planned("allegiance-2005", players, "AL-A9=a").tables is not None
    with pytest.raises(Impossible, match=rf"^AL-1: expected at least 6 players, not {players}"):
        planned("allegiance-2005", players, "AL-A9=b")


def test_dc_a6_below_the_chart_there_is_a_note_or_a_refusal() -> None:
    assert planned("dci-1999", 16, "DC-A6=a").rounds == 4
    with pytest.raises(Impossible, match=r"^DC-A6: 16 players cannot play; at least 17 are needed"):
        planned("dci-1999", 16, "DC-A6=b")


@pytest.mark.parametrize(
    ("players", "chart", "doubling"), [(226, 8, 8), (227, 9, 8), (257, 9, 9), (600, 10, 10)]
)
def test_fb_a8_recommended_rounds_by_chart_or_by_doubling(players: int, chart: int, doubling: int) -> None:
    assert planned("fab-gem", players, "FB-A8=a").rounds == chart
    assert planned("fab-gem", players, "FB-A8=b").rounds == doubling
