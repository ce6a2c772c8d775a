"""What holds for every round, whatever happened before: the invariants of section 7 of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.pairing.pairing_oracle import Field, Pairing, Table, an_event, judged, table_cost
from tests.pairing.random_swiss_events import (
    DIVISIONS,
    LIVELY,
    PLAIN,
    SWISS,
    WILD,
    WITH_DIVISIONS,
    Answer,
    File,
    Habits,
    Stage,
    active,
    answered,
    happens,
    judged_field,
    pairable,
    seated,
    unfolding,
)
from tests.pairing.window_certificate_checks import assert_unavoidable, fresh
from topcut.errors import Impossible
from topcut.pairing.engine.matching import Matching, match_cheapest

HEAD_TO_HEAD = (*SWISS, "draft-sheet")
MOST_JUDGED = 7

SEEDS = st.integers(0, 2**32)
HABITS = st.sampled_from([PLAIN, LIVELY, WILD])


@st.composite
def stages(
    draw: st.DrawFn, rules: str, most: int = 24, habits: Habits | None = None, pools: bool = False
) -> Stage:
    """An event before a round that can be paired, after at least as many rounds as were asked for."""
    random = Random(draw(SEEDS))
    sheet = rules == "draft-sheet"
    size = 8 if sheet else draw(st.integers(2, most))
    planned = 3 if sheet else draw(st.integers(1, 7))
    wanted = draw(st.integers(0, planned - 1))
    how = habits or draw(HABITS)
    found: Stage | None = None
    for number, stage in enumerate(
        unfolding(random, rules, size, planned, how if not sheet else replace(how, by_hand=0.0))
    ):
        found = stage
        if number == wanted:
            break
    assume(found is not None and found.answer is not None)
    assert found is not None
    return split(found, random) if pools else found


def split(stage: Stage, random: Random) -> Stage:
    """The same event in two flights, three divisions or both, whatever was played before."""
    kind = random.choice(["flights", "divisions", "both"])
    players = []
    for player in stage.file["players"]:
        more: dict[str, Any] = {}
        if kind != "divisions":
            more["flight"] = random.randint(1, 2)
        if kind != "flights":
            more["division"] = random.choice(DIVISIONS)
        players.append({**player, **more})
    options = {**stage.file["options"], **({} if kind == "flights" else {"divisions": "separate"})}
    return Stage({**stage.file, "players": players, "options": options}, None)


def in_pools(file: File, answer: Answer) -> list[tuple[list[str], list[list[str]]]]:
    """(players, tables) of each flight of each division."""
    apart = file["options"].get("divisions") == "separate"
    of = {p["id"]: (p.get("division") if apart else None, p.get("flight")) for p in file["players"]}
    tables = [table["players"] for table in answer["tables"]]
    names = dict.fromkeys(of[player_id] for player_id in active(file))
    return [
        (
            [player_id for player_id in active(file) if of[player_id] == name],
            [table for table in tables if of[table[0]] == name],
        )
        for name in names
    ]


def answer_or_rule(file: File, seed: str) -> Answer | str:
    """The answer, or the rule that forbids one."""
    try:
        return answered(file, seed)
    except Impossible as refused:
        return refused.rule


# 1 and 2


@pytest.mark.parametrize("rules", HEAD_TO_HEAD)
@given(data=st.data())
def test_everybody_who_is_there_sits_at_one_table_and_at_most_one_has_a_bye(
    rules: str, data: st.DataObject
) -> None:
    stage = data.draw(stages(rules))
    assert stage.answer is not None
    tables = [table["players"] for table in stage.answer["tables"]]
    assert sorted(player_id for table in tables for player_id in table) == sorted(active(stage.file))
    assert {len(table) for table in tables} <= {1, 2}
    assert all(len(row["players"]) == 1 or not row.get("bye") for row in stage.answer["tables"])
    byes = sum(len(table) == 1 for table in tables)
    if rules != "draft-sheet":  # there every empty place of the chart is a bye
        assert byes == len(active(stage.file)) % 2
    numbers = [row["table"] for row in stage.answer["tables"] if "table" in row]
    assert numbers == sorted(set(numbers))
    assert [len(table) for table in tables] == [2] * (len(tables) - byes) + [1] * byes


@pytest.mark.parametrize("rules", WITH_DIVISIONS)
@given(data=st.data())
def test_nobody_leaves_a_flight_or_division_that_plays_apart(rules: str, data: st.DataObject) -> None:
    """Invariants 2 and 6; the other rules hold in each of them as if it were alone."""
    stage = data.draw(stages(rules, pools=True))
    answer = answer_or_rule(stage.file, "pools")
    if isinstance(answer, str):
        assert "PK-8" in answer
        return
    for members, tables in in_pools(stage.file, answer):
        assert sorted(player_id for table in tables for player_id in table) == sorted(members)
        assert sum(len(table) == 1 for table in tables) == len(members) % 2


# 3 and 4


def unmet_pairing(field: Field, byes: set[str]) -> bool:
    """Whether all can be paired without a rematch, the bye going to one of these."""
    seats = [*field.points, *([""] if len(field.points) % 2 else [])]
    costs = np.full((len(seats), len(seats)), -1, np.int64)
    for (a, one), (b, other) in combinations(enumerate(seats), 2):
        if fresh(field, frozenset((one, other)) - {""}) and (other or one in byes):
            costs[a, b] = costs[b, a] = 0
    return isinstance(match_cheapest(costs), Matching)


@pytest.mark.parametrize("rules", SWISS)
@given(data=st.data())
def test_no_rematch_and_no_second_bye_that_could_be_avoided(rules: str, data: st.DataObject) -> None:
    stage = data.draw(stages(rules))
    assert stage.answer is not None
    field, cost = stage.field, stage.answer["cost"]
    met_again = [table for table in seated(stage.answer) if table_cost(field, table)["rematches"]]
    assert len(met_again) == cost["rematches"]
    forced = bool(cost["rematches"] or cost["second_byes"])
    assert forced == (not unmet_pairing(field, {*field.points}))
    if forced:
        assert_unavoidable(field, stage.answer["certificate"]["unavoidable"])
        if len(field.points) <= MOST_JUDGED:
            verdict = judged(field)
            assert verdict is not None
            assert verdict.cost["rematches"] == cost["rematches"]


@pytest.mark.parametrize("rules", SWISS)
@given(data=st.data())
def test_the_bye_goes_to_the_lowest_points_that_the_rest_allows(rules: str, data: st.DataObject) -> None:
    stage = data.draw(stages(rules))
    assert stage.answer is not None
    field = stage.field
    assume(len(field.points) % 2 == 1)
    (alone,) = (table["players"][0] for table in stage.answer["tables"] if table.get("bye"))
    had = field.byes.get(alone, 0)
    if rules in WITH_DIVISIONS:
        assert had == 0, "PK-8"
    if len(field.points) <= MOST_JUDGED:
        verdict = judged(field)
        assert verdict is not None
        assert stage.answer["cost"]["bye_points"] == verdict.cost["bye_points"] == field.points[alone]
    elif len(field.points) > 12 and had == 0:
        lower = {player_id for player_id in field.points if field.points[player_id] < field.points[alone]}
        assert stage.answer["cost"]["rematches"] or not unmet_pairing(field, lower)


# 5


@given(seed=SEEDS, rules=st.sampled_from(SWISS), size=st.integers(2, 40), rounds=st.integers(1, 5))
def test_with_nobody_met_only_parity_makes_tables_across_score_groups(
    seed: int, rules: str, size: int, rounds: int
) -> None:
    """Everybody's opponents have left: each odd number of players from the top costs one step down."""
    file = strangers(Random(seed), rules, size, rounds)
    answer, points = answered(file, f"{seed}"), judged_field(file).points
    tables = [
        sorted((points[player_id] for player_id in table), reverse=True)
        for table in seated(answer)
        if len(table) == 2
    ]
    alone = [points[player_id] for table in seated(answer) if len(table) == 1 for player_id in table]
    assert alone == [min(points.values())] * (size % 2)
    scores = Counter(points.values()) - Counter(alone)
    levels = sorted(scores, reverse=True)
    steps = dict(pairwise(levels))
    odd = {level for level in steps if sum(scores[higher] for higher in levels if higher >= level) % 2}
    across = Counter(higher for higher, lower in tables if higher != lower)
    assert across == Counter(odd)
    assert all(steps[higher] == lower for higher, lower in tables if higher != lower)


def strangers(random: Random, rules: str, size: int, rounds: int) -> File:
    """So many players with all sorts of points who have met none of each other."""
    ids = [f"p{number}" for number in range(size)]
    played = []
    for _ in range(rounds):
        results = [random.choice([player_id, "draw", f"x{player_id}"]) for player_id in ids]
        tables = [
            {"players": [player_id, f"x{player_id}"], "winner": winner}
            for player_id, winner in zip(ids, results, strict=True)
        ]
        played.append({"tables": tables})
    gone = [{"id": f"x{player_id}", "dropped": rounds} for player_id in ids]
    return {
        "topcut": 1,
        "name": "Strangers",
        "rules": rules,
        "options": {"rounds": rounds + 1},
        "players": [*({"id": player_id} for player_id in ids), *gone],
        "rounds": played,
    }


# 7


@pytest.mark.parametrize("rules", HEAD_TO_HEAD)
@given(data=st.data(), seed=st.text(max_size=8))
def test_the_same_seed_gives_the_same_answer_whatever_the_order_of_the_file(
    rules: str, data: st.DataObject, seed: str
) -> None:
    stage = data.draw(stages(rules, habits=WILD, pools=rules in WITH_DIVISIONS and data.draw(st.booleans())))
    answer = answer_or_rule(stage.file, seed)
    assert answer_or_rule(stage.file, seed) == answer
    assert answer_or_rule(turned(stage.file, Random(data.draw(SEEDS))), seed) == answer


def turned(file: File, random: Random) -> File:
    """The same event, its players and tables in another order, its tables from the other side."""
    players = random.sample(file["players"], len(file["players"]))
    rounds = [
        {
            "tables": [
                other_side(table) if happens(random, 0.5) else table for table in shuffled(played, random)
            ]
        }
        for played in file["rounds"]
    ]
    return {**file, "players": players, "rounds": rounds}


def shuffled(played: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    return random.sample(played["tables"], len(played["tables"]))


def other_side(table: dict[str, Any]) -> dict[str, Any]:
    assert "games" not in table
    return {**table, "players": table["players"][::-1]}


@pytest.mark.parametrize("rules", HEAD_TO_HEAD)
@given(data=st.data())
def test_an_event_that_was_drawn_often_draws_the_same_as_a_fresh_one(rules: str, data: st.DataObject) -> None:
    """So an audit of many draws tells about each of them."""
    file = data.draw(stages(rules, most=16, habits=WILD)).file
    used = pairable(file)
    ids = [player.id for player in used.history.players]
    for turn in (0, 1, 2, 0):
        tables = frozenset(frozenset(ids[p] for p in table) for table in used.draw_tables(f"x/{turn}"))
        assert tables == seated(answered(file, f"x/{turn}"))


# DC-12


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("first", ["A>B C>D E>F", "A=B C=D E=F", "A>B C>D E", "A>B C>D E=F G"])
def test_dc_12_whatever_shuffled_cards_can_give_comes_up(first: str, rounds: int) -> None:
    """Steps 3 and 4 by hand; shuffles that seat two who have met are thrown away (DC-A1), and second byes."""
    compared = 0
    for number in range(8 if rounds == 2 else 1):
        file = an_event("dci-1999", first, options={"rounds": rounds + 1})
        if rounds == 2:
            file = another_round(file, Random(f"{first}/{number}"))
        field = judged_field(file)
        by_hand = {dealt for dealt in deals(field.points) if all(fresh(field, table) for table in dealt)}
        if not by_hand:
            continue  # every shuffle seats two who have met; then the document says nothing
        event = pairable(file)
        ids = [player.id for player in event.history.players]
        drawn = {
            frozenset(frozenset(ids[p] for p in table) for table in event.draw_tables(f"{number}/{i}"))
            for i in range(40 * len(by_hand))
        }
        assert drawn == by_hand
        compared += 1
    assert compared


def another_round(file: File, random: Random) -> File:
    """One round more, drawn by the engine; the letters in front win, or there is a draw."""
    tables = [table["players"] for table in answered(file, f"{random.random()}")["tables"]]
    results = [
        {"players": players, "winner": random.choice([min(players), "draw"])}
        if len(players) == 2
        else {"players": players, "bye": True}
        for players in tables
    ]
    return {**file, "rounds": [*file["rounds"], {"tables": results}]}


def deals(points: dict[str, int]) -> set[Pairing]:
    """Every way in which cards, shuffled by points from the top, can be dealt in twos."""
    groups: dict[int, list[str]] = {}
    for player_id in sorted(points, key=lambda player_id: -points[player_id]):
        groups.setdefault(points[player_id], []).append(player_id)
    found: set[Pairing] = set()
    for order in orders([*groups.values()]):
        tables: list[Table] = [frozenset(order[at : at + 2]) for at in range(0, len(order), 2)]
        found.add(frozenset(tables))
    return found


def orders(groups: list[list[str]]) -> Iterator[list[str]]:
    """The cards in a row: each group shuffled, the odd one left over on top of the next group."""
    if not groups:
        yield []
        return
    for shuffled_group in permutations(groups[0]):
        for rest in orders(groups[1:]):
            yield [*shuffled_group, *rest]
