"""Is every answer the best there is, and does its proof hold? An oracle and exact matchings judge."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.builders import played
from tests.pairing.pairing_oracle import LARGEST, Field, Pairing, a_field, an_event, cost, judged
from tests.pairing.random_swiss_events import (
    LIVELY,
    PLAIN,
    SWISS,
    WILD,
    WITH_DIVISIONS,
    Answer,
    Stage,
    active,
    answered,
    as_engine,
    crowded,
    pairable,
    recommended,
    seated,
    unfolding,
)
from tests.pairing.window_certificate_checks import assert_proved, assert_unavoidable
from tests.tiers import SOAK, effort
from topcut.errors import Impossible
from topcut.lots import Stream
from topcut.pairing.engine.exhaustive import find_best_pairings
from topcut.pairing.engine.field import FieldPairing
from topcut.pairing.engine.swiss import LargeFieldDraw, MatchedPairings, match_field
from topcut.pairing.model import build_pairing_document
from topcut.pairing.round_draw import RoundDraw

FIRST_SEED = os.urandom(8).hex() if SOAK else "always alike"
SMALL_EVENTS = {
    **dict.fromkeys(range(2, 7), effort(12, 12, 300)),
    **dict.fromkeys(range(7, 9), 300 if SOAK else 3),
    **dict.fromkeys(range(9, 11), 60 if SOAK else 1),
}
"""How many events of each size."""
LARGE_EVENTS = 200 if SOAK else 3
HABITS = [PLAIN, LIVELY, WILD, replace(WILD, divisions=0.0)]


# Up to ten players: every pairing there is


@pytest.mark.parametrize("rules", SWISS)
def test_the_engine_finds_all_that_the_oracle_finds(rules: str) -> None:
    happened: Counter[str] = Counter()
    for size, events in SMALL_EVENTS.items():
        for number in range(events):
            seed = f"{FIRST_SEED}/{rules}/{size}/{number}"
            random = Random(seed)
            planned = size + 2 if number % 3 == 2 else max(1, size - 1)
            for stage in unfolding(random, rules, size, planned, HABITS[(number + size) % len(HABITS)]):
                happened += judged_alike(stage, seed)
    assert not [what for what in must_happen(rules) if not happened[what]], happened


def judged_alike(stage: Stage, seed: str) -> Counter[str]:
    """The engine and the oracle agree on the least cost, the pairings that have it, and the proof."""
    field, file = stage.field, stage.file
    verdict = judged(field)
    where = (seed, file)
    if verdict is None:
        assert stage.answer is None, where
        return Counter(["fields", "nothing is legal"])
    assert stage.answer is not None, (stage.refusal, where)
    assert stage.answer["cost"] == verdict.cost, where
    assert seated(stage.answer) in verdict.pairings, where
    assert all_compared(stage) == verdict.pairings, where
    assert_proved(field, stage.answer)
    happened = Counter(["fields", *(key for key, part in verdict.cost.items() if part)])
    if len(field.points) <= 8:
        without = judged(replace(field, look_ahead=False))
        happened["look-ahead"] += without is not None and without.pairings != verdict.pairings
    happened["odd"] += len(field.points) % 2
    happened["late"] += any(player.get("entered", 1) > 1 for player in file["players"])
    happened["left"] += len(active(file)) < len(file["players"])
    return happened


def all_compared(stage: Stage) -> frozenset[Pairing]:
    """Every pairing that the engine could have drawn."""
    event = pairable(stage.file)
    (pool,) = event.lay_out_pools("").pools
    found = find_best_pairings(event.build_field(pool))
    assert found is not None
    ids = [event.history.players[player].id for player in found.field.players]
    return frozenset(
        frozenset(frozenset(ids[seat] for seat in table if seat < len(ids)) for table in pairing)
        for pairing in found.pairings.tolist()
    )


def must_happen(rules: str) -> list[str]:
    """What a search that is worth its time has met."""
    everywhere = [
        "rematches",
        "bye_points",
        "score_gap_squared",
        "apart",
        "look-ahead",
        "odd",
        "late",
        "left",
    ]
    divided = ["cross_division"] if rules in WITH_DIVISIONS else []
    once_only = rules in WITH_DIVISIONS or rules == "fab-gem"
    return [*everywhere, *divided, "nothing is legal" if once_only else "second_byes"]


# Larger fields: a proof, and the same cost as one matching of everybody


@pytest.mark.parametrize("rules", SWISS)
def test_every_larger_round_is_proved_the_best(rules: str) -> None:
    happened: Counter[str] = Counter()
    for number in range(LARGE_EVENTS):
        seed = f"{FIRST_SEED}/{rules}/{number}/large"
        random = Random(seed)
        size, planned = random.randint(*[(13, 24), (25, 40), (41, 60)][number % 3]), random.choice([6, 8])
        for stage in unfolding(random, rules, size, planned, HABITS[number % len(HABITS)]):
            if len(active(stage.file)) > LARGEST:
                happened += proved_as_solved(stage, seed)
    assert happened["parity"], happened
    assert happened["matching"] + happened["windows"], happened


def proved_as_solved(stage: Stage, seed: str) -> Counter[str]:
    """The proof holds, and one matching of everybody costs the same."""
    where = (seed, len(stage.file["rounds"]))
    exact = exact_cost(stage)
    assert (stage.answer is None) == (exact is None), (stage.refusal, where)
    if stage.answer is None:
        return Counter(["nothing is legal"])
    assert stage.answer["cost"] == exact, where
    assert_proved(stage.field, stage.answer)
    return Counter([stage.answer["certificate"]["kind"], stage.answer["uniform"]])


def exact_cost(stage: Stage) -> Mapping[Any, int] | None:
    """The cost that a matching of everybody finds, whatever way the answer was found."""
    event = pairable(stage.file)
    (pool,) = event.lay_out_pools("").pools
    found = match_field(event.build_field(pool))
    return found.cost if isinstance(found, MatchedPairings) else None


def test_windows_are_as_good_as_one_matching_of_everybody() -> None:
    """Fields made to need windows, which the engine prefers to solve as a whole where they are small."""
    happened: Counter[str] = Counter()
    for number in range(effort(100, 100, 5000)):
        seed = f"{FIRST_SEED}/{number}/windows"
        field = crowded(Random(seed), Random(seed).randint(13, 40))
        engine = as_engine(field)
        drawn = LargeFieldDraw(engine).draw(Stream(seed, "windows"))
        if drawn is None:
            happened["none"] += 1
            continue
        exact = match_field(engine)
        assert isinstance(exact, MatchedPairings)
        assert drawn.cost == exact.cost, seed
        assert_proved(field, answer_to(field, drawn))
        happened[str(drawn.certificate["kind"])] += 1
    assert happened["windows"] > 10, happened


def answer_to(field: Field, drawn: FieldPairing) -> Answer:
    """A draw of the engine as an answer."""
    order = sorted(field.points, key=lambda player_id: (-field.points[player_id], player_id))
    tables = [[order[seat] for seat in table if seat < len(order)] for table in drawn.tables.tolist()]
    players = {"players": order + [""] * (len(order) % 2)} if "windows" in drawn.certificate else {}
    return {
        "tables": [{"players": ids, **({"bye": True} if len(ids) == 1 else {})} for ids in tables],
        "cost": drawn.cost,
        "optimal": True,
        "certificate": {**drawn.certificate, **players},
        "warnings": [],
    }


def four_who_have_all_met(others: int) -> dict[str, Any]:
    """Four have 3 points from draws with each other; so many have 9 points above them, so many 0 below."""
    draws = ["ab cd", "ac bd", "ad bc"]
    rounds = []
    for r, tables in enumerate(draws):
        wins = [[f"x{i}", f"z{(i + r) % others}"] for i in range(others)]
        rounds.append(
            {
                "tables": [
                    *({"players": players, "winner": players[0]} for players in wins),
                    *({"players": [*table], "winner": "draw"} for table in tables.split()),
                ]
            }
        )
    ids = [*"abcd", *(f"{letter}{i}" for letter in "xz" for i in range(others))]
    players = [{"id": player_id} for player_id in ids]
    return {
        "topcut": 1,
        "name": "Four",
        "rules": "mtr",
        "options": {"rounds": 4},
        "players": players,
        "rounds": rounds,
    }


@pytest.mark.parametrize("others", [6, 10, 20, 34, 100])
def test_four_who_have_all_met_go_down_together(others: int) -> None:
    """Down costs 9 each and up 36 each, and there is room below for all four."""
    file = four_who_have_all_met(others)
    answer = answered(file, "four")
    assert answer["cost"]["score_gap_squared"] == 4 * 9
    assert_proved(Stage(file, answer).field, answer)


# What cannot be avoided


def answer_of(rules: str, *rounds: str, **about: Any) -> Answer:
    event = played(rules, *rounds, **about)
    found = RoundDraw(event.history, event.book, event.file.options, event.file.rounds).pair("lots")
    return build_pairing_document(found, event.history)


EVERYBODY = ("A beats B, C beats D", "A beats C, B beats D", "A beats D, B beats C")


@pytest.mark.parametrize("rules", ["dci-1999", "mtr", "pokemon-2017", "pokemon-tom", "fab-gem"])
def test_a_rematch_that_cannot_be_avoided_is_named_and_proved(rules: str) -> None:
    answer = answer_of(rules, *EVERYBODY, options={"rounds": 4})
    assert answer["cost"]["rematches"] == 2
    (warning,) = answer["warnings"]
    assert "2 rematches cannot be avoided (A and B; C and D)" in warning
    assert_unavoidable(a_field("A0 B0 C0 D0", met="AB CD AC BD AD BC"), answer["certificate"]["unavoidable"])


def test_a_rematch_behind_others_is_proved() -> None:
    """A, B and C have met everybody but D, E and F, and D, E and F everybody but A, B and C, and F met C."""
    two_triangles = (
        "A beats B, D beats E, C bye",
        "A beats C, D beats F, B bye",
        "B beats C, E beats F, A bye",
    )
    answer = answer_of("mtr", *two_triangles, "D beats A", players="A B C D E F", options={"rounds": 9})
    assert answer["cost"]["rematches"] == 0
    star = ("A beats B", "A beats C", "A beats D, B beats C", "B beats D", "C beats D")
    apart = answer_of("mtr", *star, players="A B C D E F", options={"rounds": 9}, entered={"E": 6, "F": 6})
    field = a_field("A0 B0 C0 D0 E0 F0", met="AB AC AD BC BD CD")
    assert apart["cost"]["rematches"] == 1
    assert_unavoidable(field, apart["certificate"]["unavoidable"])
    with pytest.raises(AssertionError, match="could meet"):
        assert_unavoidable(field, {"removed": ["E"], "components": [["A"], ["F"]]})
    with pytest.raises(AssertionError, match="as can be served"):
        assert_unavoidable(field, {"removed": ["E", "F"], "components": [["A"], ["B"]]})


def test_a_second_bye_that_cannot_be_avoided_is_named_and_proved() -> None:
    rounds = ("A beats B, C bye", "A beats C, B bye", "B beats C, A bye")
    answer = answer_of("mtr", *rounds, options={"rounds": 4})
    assert (answer["cost"]["second_byes"], answer["cost"]["rematches"]) == (1, 1)
    rematch, bye = answer["warnings"]
    (alone,) = (table["players"][0] for table in answer["tables"] if table.get("bye"))
    assert "A rematch cannot be avoided" in rematch
    assert f"A second bye cannot be avoided ({alone})" in bye
    field = a_field("A0 B0 C0", met="AB AC BC", byes="ABC")
    assert_unavoidable(field, answer["certificate"]["unavoidable"])


def test_where_all_had_a_bye_and_no_second_is_allowed_nothing_is_legal() -> None:
    rounds = ("A beats B, C bye", "A beats C, B bye", "B beats C, A bye")
    for rules in WITH_DIVISIONS:
        with pytest.raises(Impossible) as refused:
            answer_of(rules, *rounds, options={"rounds": 4})
        assert "PK-8" in refused.value.rule
        assert all(player in refused.value.problem for player in "ABC")


def test_within_the_recommended_rounds_a_rematch_is_refused_and_beyond_them_the_fewest_are_made() -> None:
    """FB-9: four players have three recommended rounds, and after two of them A and B must meet again."""
    stuck = ("A beats B, C beats D", "A beats C, B beats D")
    early = answer_of("fab-gem", *stuck, options={"rounds": 3})
    assert early["cost"]["rematches"] == 0
    gone = {"dropped": {"C": 2, "D": 2}}
    with pytest.raises(Impossible) as refused:
        answer_of("fab-gem", *stuck, options={"rounds": 3}, **gone)
    assert "FB-9" in refused.value.rule
    beyond = answer_of("fab-gem", *EVERYBODY, options={"rounds": 9})
    assert beyond["cost"]["rematches"] == 2
    assert "FB-9" in beyond["warnings"][0]


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_beyond_the_recommended_rounds_there_is_always_a_next_one(size: int) -> None:
    happened: Counter[str] = Counter()
    for number in range(effort(2, 10, 100)):
        for stage in unfolding(Random(f"{FIRST_SEED}/beyond/{size}/{number}"), "fab-gem", size, 2 * size + 3):
            beyond = len(stage.file["rounds"]) >= recommended(stage.file)
            if beyond:
                assert stage.answer is not None, stage.refusal
                happened["rematches"] += bool(stage.answer["cost"]["rematches"])
                assert bool(stage.answer["cost"]["rematches"]) <= bool(stage.answer["warnings"])
    assert happened["rematches"]


def test_a_dearer_pairing_is_never_called_the_best() -> None:
    """The judges of this file are themselves tried: each wrong answer is found out."""
    file = an_event("mtr", "A>B C>D E>F", options={"rounds": 5})
    right = answered(file, "right")
    field: Field = Stage(file, right).field
    dearer = [{"players": [*table]} for table in ("AC", "EB", "DF")]
    assert_proved(field, right)
    assert cost(field, seated({**right, "tables": dearer}))["score_gap_squared"] == 9
    for wrong in (
        {"tables": [{"players": [*table]} for table in ("AD", "CB", "EF")]},
        {"tables": right["tables"][1:]},
    ):
        with pytest.raises(AssertionError):
            assert_proved(field, {**right, **wrong})
