"""Brackets against a judge who knows only the rules: who sits where, who goes on, what a correction does."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command_line import assert_refused
from tests.stages.stage_oracle import (
    FEW,
    NOBODY,
    Decide,
    Desk,
    Document,
    Knockout,
    an_event,
    at_tables,
    by_lot,
    fold,
    in_places,
    names,
    next_power,
    remembered,
    seats_of,
)

RULES = ("pokemon-2017", "dci-1999", "mtr", "fab-gem")


def begun(file: dict[str, Any], third: bool = False) -> tuple[Desk, Knockout, Document]:
    """An elimination event with its rank seeds, and the judge's bracket of it."""
    desk = Desk(file)
    first = desk.pair()
    assert first is not None
    given = first.get("seeds") or {player["id"]: player["seed"] for player in file["players"]}
    assert sorted(given.values()) == [*range(1, len(file["players"]) + 1)]
    return desk, Knockout(sorted(given, key=given.__getitem__), third), first


def assert_same_round(desk: Desk, judge: Knockout, answer: Document) -> None:
    """`pair` and `bracket` both give the round that the judge expects."""
    assert answer["stage"] == "elimination"
    assert at_tables(answer["tables"]) == judge.played()
    shown = desk.ask("bracket")["rounds"][judge.number - 1]
    assert seats_of(shown)[: len(judge.lines) // 2] == judge.seats()[: len(judge.lines) // 2]
    assert seats_of(shown)[len(judge.lines) // 2 :] == judge.seats()[len(judge.lines) // 2 :]
    for table in answer["tables"]:
        assert (len(table["players"]) == 1) == bool(table.get("bye"))


def played_out(desk: Desk, judge: Knockout, decide: Decide) -> Document:
    """Play to the end, each round judged; the bracket at the end."""
    decide = remembered(decide)
    while not judge.over:
        answer = desk.pair(f"round {judge.number}")
        assert answer is not None
        assert_same_round(desk, judge, answer)
        desk.report(answer, decide)
        judge.play(decide)
    assert desk.pair() is None
    return desk.ask("bracket")


def assert_whole(size: int, seed: int, third: bool, seeded: bool, rules: str) -> None:
    """A single elimination event of so many players from the draw to the places."""
    random = Random(seed)
    file = an_event(
        rules, size, format="elimination", seeded=seeded, **({"third_place": True} if third else {})
    )
    random.shuffle(file["players"])
    desk, judge, first = begun(file, third)
    desk.keep(first)
    order = [player_id for player_id in judge.order if player_id is not None]
    byes = {player_id for group in judge.played() if len(group) == 1 for player_id in group}
    assert byes == set(order[: next_power(size) - size])
    final = played_out(desk, judge, by_lot(random))
    assert final["size"] == next_power(size)
    assert judge.decisive == size - 1 + (third and size > 3)
    recorded = [table for entry in desk.file["rounds"] for table in entry["tables"] if "winner" in table]
    assert len(recorded) == judge.decisive
    assert not any(table.get("bye") for entry in desk.file["rounds"][1:] for table in entry["tables"])
    assert in_places(final) == judge.places(by_rank=False)
    assert desk.ask("check")["ok"]


@pytest.mark.parametrize("size", range(2, 65))
def test_pk_30_to_34_every_size_from_the_draw_to_the_places(size: int) -> None:
    assert_whole(size, size, third=size % 3 == 1, seeded=size % 2 == 0, rules=RULES[size % 4])


@FEW
@given(st.integers(4, 40), st.integers(0), st.booleans(), st.booleans(), st.sampled_from(RULES))
def test_pk_30_to_34_any_results(size: int, seed: int, third: bool, seeded: bool, rules: str) -> None:
    assert_whole(size, seed, third, seeded, rules)


def test_pk_35_three_players_have_no_table_for_third_place() -> None:
    """Only one of three loses a semi-final; byes are for round 1."""
    assert_whole(3, 1, third=True, seeded=True, rules="pokemon-2017")


# Where they sit


def first_round(size: int) -> list[tuple[int | None, ...]]:
    """The rank seeds at the tables of the first round, from the top of the bracket."""
    desk = Desk(an_event("pokemon-2017", size, format="elimination", seeded=True))
    seeds = {player_id: at for at, player_id in enumerate(names(size), start=1)}
    shown = seats_of(desk.ask("bracket")["rounds"][0])
    return [tuple(None if player_id is None else seeds[player_id] for player_id in seats) for seats in shown]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (4, [1, 4, 2, 3]),
        (8, [1, 8, 4, 5, 2, 7, 3, 6]),
        (16, [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]),
    ],
)
def test_pk_t5_bracket_order(size: int, expected: list[int]) -> None:
    assert [seed for seats in first_round(size) for seed in seats] == expected
    assert fold(size) == expected, "the judge is mistaken"


@pytest.mark.parametrize(
    ("players", "size", "byes", "tables"),
    [(53, 64, 11, 21), (8, 8, 0, 4), (9, 16, 7, 1), (33, 64, 31, 1), (64, 64, 0, 32), (5, 8, 3, 1)],
)
def test_pk_t4_byes(players: int, size: int, byes: int, tables: int) -> None:
    seats = first_round(players)
    assert len(seats) == size // 2
    assert sorted(first for first, second in seats if second is None and first is not None) == [
        *range(1, byes + 1)
    ]
    full = sorted((first, second) for first, second in seats if first is not None and second is not None)
    assert full == [(seed, size + 1 - seed) for seed in range(byes + 1, byes + 1 + tables)]


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 21, 32, 53, 64])
def test_pk_a24_rank_seeds_1_and_2_meet_in_the_final_only(size: int) -> None:
    ids = names(size)
    desk, judge, _ = begun(an_event("dci-1999", size, format="elimination", seeded=True))
    final = played_out(desk, judge, min)
    assert [seats_of(tables)[0] for tables in final["rounds"]][-1] == (ids[0], ids[1])
    assert sum(at_tables(tables) >= {frozenset(ids[:2])} for tables in final["rounds"]) == 1


def test_pk_16_an_elimination_event_never_uses_age() -> None:
    """One bracket for all, whatever their divisions."""
    file = an_event("pokemon-2017", 16, format="elimination", seeded=True)
    for at, player in enumerate(file["players"]):
        player["division"] = "senior" if at % 3 else "masters"
    desk, judge, first = begun(file)
    assert at_tables(first["tables"]) == judge.played()
    assert in_places(played_out(desk, judge, by_lot(Random(16)))) == judge.places(by_rank=False)


@pytest.mark.parametrize("result", [{"winner": "draw"}, {"games": [1, 1, 0]}, {"games": [0, 0, 1]}])
@pytest.mark.parametrize("rules", RULES)
def test_fb_a13_nobody_draws_in_a_bracket(rules: str, result: dict[str, Any]) -> None:
    file = an_event(rules, 2, format="elimination", seeded=True)
    file["rounds"] = [{"stage": "elimination", "tables": [{"players": names(2), **result}]}]
    assert_refused(Desk(file).run("pair"), "rounds[0].tables[0]", "draw")


@pytest.mark.parametrize("kind", ["elimination", "double-elimination"])
def test_pk_30_a_bracket_round_recorded_without_its_stage_is_refused_or_counts(kind: str) -> None:
    """Swiss is the default of `stage`, and these formats have no Swiss rounds: the loser leaves."""
    desk = Desk(an_event("pokemon-2017", 4, format=kind, seeded=True))
    answer = desk.pair()
    assert answer is not None
    desk.report(answer, min)
    del desk.file["rounds"][0]["stage"]
    again = desk.run("pair", "--seed", "x", "--json")
    assert again.code == 2 or at_tables(json.loads(again.out)["tables"]) != at_tables(answer["tables"])


# Who goes on when somebody leaves, or both lose


def with_trouble(size: int, seed: int, rules: str) -> None:
    """Players drop or are disqualified after a round, some tables are lost by both."""
    random = Random(seed)
    desk, judge, first = begun(an_event(rules, size, format="elimination"))
    desk.keep(first)
    decide = remembered(lambda players: NOBODY if random.random() < 0.1 else random.choice(players))
    unopposed: set[str] = set()
    while judge.goes_on():
        unopposed |= {
            player_id for seats in judge.seats() if judge.gone & {*seats} for player_id in seats if player_id
        }
        answer = desk.pair()
        assert answer is not None
        assert_same_round(desk, judge, answer)
        judge.play(decide)
        opposite = [] if judge.over else [seats for seats in judge.seats() if None not in seats]
        stay = unopposed | judge.gone  # see the test below
        leavers = {
            player_id
            for seats in opposite
            for player_id in seats
            if player_id and player_id not in stay and random.random() < 0.1
        }
        desk.report(
            answer,
            decide,
            {player_id: random.choice(["dropped", "disqualified"]) for player_id in sorted(leavers)},
        )
        judge.gone |= leavers
    assert desk.pair() is None
    assert in_places(desk.ask("bracket")) == judge.places(by_rank=False)
    assert desk.ask("check")["ok"]


@given(st.integers(2, 32), st.integers(0), st.sampled_from(RULES))
def test_pk_33_whoever_leaves_loses_the_next_table(size: int, seed: int, rules: str) -> None:
    with_trouble(size, seed, rules)


def test_pk_33_whoever_leaves_loses_the_current_table_not_those_before() -> None:
    """1 leaves after round 1, so 4 is in the final; 4 leaves after round 2 and loses the final to 2."""
    desk = Desk(an_event("pokemon-2017", 8, format="elimination", seeded=True))
    for leaver in ("p001", "p004"):
        answer = desk.pair()
        assert answer is not None
        desk.report(answer, min, {leaver: "dropped"})
    assert in_places(desk.ask("bracket")) == [f"p00{n}" for n in (2, 4, 3, 1, 7, 5, 6, 8)]


def test_pk_33_whoever_leaves_has_no_bye_either() -> None:
    """1 and 8 both lose, so 4 has nobody opposite, and leaves."""
    desk = Desk(an_event("pokemon-2017", 8, format="elimination", seeded=True))
    first = desk.pair()
    assert first is not None
    desk.report(first, lambda p: NOBODY if "p001" in p else min(p), {"p004": "dropped"})
    second = desk.pair()
    assert second is not None
    assert at_tables(second["tables"]) == {frozenset({"p002", "p003"})}


def test_pk_35_a_semi_final_that_both_lose_leaves_no_place_open() -> None:
    desk = Desk(an_event("pokemon-2017", 8, format="elimination", seeded=True, third_place=True))
    while answer := desk.pair():
        desk.report(answer, lambda p: NOBODY if p == ["p001", "p004"] else min(p))
    assert sorted(in_places(desk.ask("bracket"))) == names(8)


def test_nobody_wins_a_final_that_both_lose() -> None:
    desk = Desk(an_event("pokemon-2017", 2, format="elimination", seeded=True))
    answer = desk.pair()
    assert answer is not None
    desk.report(answer, lambda _: NOBODY)
    assert "P001 won" not in desk.run("pair").err


# Corrections


def flipped(desk: Desk, number: int, table: int) -> str:
    """Turn the result of a recorded table round; its new winner."""
    row = desk.file["rounds"][number - 1]["tables"][table]
    row["winner"] = next(player_id for player_id in row["players"] if player_id != row["winner"])
    winner: str = row["winner"]
    return winner


@given(st.integers(4, 32), st.integers(0))
def test_a_correction_before_the_next_round_is_paired_changes_that_round(size: int, seed: int) -> None:
    random = Random(seed)
    desk, judge, first = begun(an_event("pokemon-2017", size, format="elimination"))
    stop = random.randint(1, next_power(size).bit_length() - 2)
    decide = remembered(by_lot(random))
    answer: Document | None = first
    for _ in range(stop - 1):
        assert answer is not None
        desk.report(answer, decide)
        judge.play(decide)
        answer = desk.pair()
    assert answer is not None
    desk.report(answer, decide)
    before = desk.pair()
    tables = desk.file["rounds"][-1]["tables"]
    at = random.choice([at for at, table in enumerate(tables) if "winner" in table])
    winner = flipped(desk, stop, at)
    judge.play(lambda players: winner if winner in players else decide(players))
    after = desk.pair()
    assert before is not None
    assert after is not None
    assert at_tables(after["tables"]) == judge.played() != at_tables(before["tables"])


@FEW
@given(st.integers(4, 32), st.integers(0))
def test_a_correction_after_the_next_round_was_played_is_refused(size: int, seed: int) -> None:
    """The line names the place in the file, and who should have met."""
    random = Random(seed)
    desk, judge, first = begun(an_event("pokemon-2017", size, format="elimination"))
    desk.keep(first)
    played_out(desk, judge, by_lot(random))
    number = random.randint(1, len(desk.file["rounds"]) - 1)
    tables = desk.file["rounds"][number - 1]["tables"]
    at = random.choice([at for at, table in enumerate(tables) if "winner" in table])
    loser = tables[at]["winner"]
    winner = flipped(desk, number, at)
    later = desk.file["rounds"][number]["tables"]
    wrong = next(at for at, table in enumerate(later) if loser in table["players"])
    other = next(player_id for player_id in later[wrong]["players"] if player_id != loser)
    for command in ("pair", "bracket"):
        assert_refused(
            desk.run(command),
            f"rounds[{number}].tables[{wrong}]",
            f"{loser.upper()}",
            f"{winner.upper()}",
            f"{other.upper()}",
        )
