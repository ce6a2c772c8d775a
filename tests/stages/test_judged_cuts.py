"""Cuts against a judge who knows only the rules: who goes on, from which part, and with which rank seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.command_line import assert_refused
from tests.stages.stage_oracle import (
    FEW,
    Desk,
    Document,
    File,
    Knockout,
    an_event,
    at_tables,
    best_first,
    by_lot,
    day_two,
    in_places,
    names,
    of,
    rank_order,
    remembered,
)


def swiss(
    players: Sequence[str],
    rounds: int = 3,
    seed: int = 0,
    rules: str = "pokemon-2017",
    about: dict[str, dict[str, Any]] | None = None,
    **options: Any,
) -> Desk:
    """An event whose Swiss part is played; lots are always drawn from the same text."""
    file = an_event(rules, players, format="swiss+elimination", rounds=rounds, **options)
    file["seed"] = "x"
    for player_id, fields in (about or {}).items():
        of(file, player_id).update(fields)
    desk = Desk(file)
    random = Random(seed)
    for _ in range(rounds):
        answer = desk.pair()
        assert answer is not None
        assert answer["stage"] == "swiss"
        desk.report(answer, by_lot(random))
    return desk


def going_on(document: Document) -> list[str]:
    """Who is in, of one cut of `cut`."""
    return [row["id"] for row in document["players"] if row["in"]]


def only_cut(desk: Desk) -> Document:
    (found,) = desk.ask("cut")["cuts"]
    assert isinstance(found, dict)
    return found


def seated(desk: Desk) -> set[str]:
    """Who sits at a table of the next round."""
    answer = desk.pair()
    assert answer is not None
    return {player_id for table in answer["tables"] for player_id in table["players"]}


# The best so many


@FEW
@given(st.integers(8, 24), st.sampled_from([2, 4, 8]), st.integers(0))
def test_pk_39_the_best_of_the_standings_are_seeded_in_their_order(size: int, cut: int, seed: int) -> None:
    desk = swiss(names(size), seed=seed, cut=cut)
    order = desk.swiss_order(3)
    assert going_on(only_cut(desk)) == order[:cut]
    assert [row["id"] for row in only_cut(desk)["players"]] == order
    assert rank_order(desk.ask("bracket")) == order[:cut]
    answer = desk.pair()
    assert answer is not None
    assert at_tables(answer["tables"]) == Knockout(order[:cut]).played()


@pytest.mark.parametrize("cut", [3, 6, 12])
def test_pk_37_a_cut_is_a_power_of_two(cut: int) -> None:
    desk = Desk(an_event("pokemon-2017", 16, format="swiss+elimination", rounds=1, cut=cut))
    for command in ("pair", "bracket", "cut"):
        assert_refused(desk.run(command), "options.cut", "power of two", "PK-37")


@pytest.mark.parametrize("rules", ["pokemon-2017", "mtr", "fab-gem"])
@pytest.mark.parametrize("seeds", [[], ["--seed", "a"], ["--seed", "b"]])
def test_pk_39_a_lot_at_the_line_falls_alike_for_every_command(rules: str, seeds: list[str]) -> None:
    """Without a seed it is the file's, not a fresh one: the ranking that was posted counts."""
    desk = swiss(names(16), rounds=1, rules=rules, cut=4)
    rows = desk.ask("standings", *seeds)["standings"]
    assert rows[3]["points"] == rows[4]["points"]
    (cut,) = desk.ask("cut", *seeds)["cuts"]
    shown = rank_order(desk.ask("bracket", *seeds))
    assert going_on(cut) == shown
    if rules != "mtr":  # whose standings share ranks
        assert [row["id"] for row in rows[:4]] == shown
    answer = desk.ask("pair", *seeds)
    assert at_tables(answer["tables"]) == Knockout(shown).played()


def test_pk_39_places_outside_the_cut_are_those_of_the_standings() -> None:
    """No seed in the file, one in each round: of one file there is one Swiss ranking."""
    desk = Desk(an_event("pokemon-2017", 16, format="swiss+elimination", rounds=1, cut=4))
    for seed in ("one", "two", "three"):
        answer = desk.pair(seed)
        assert answer is not None
        desk.report(answer, min)
    assert in_places(desk.ask("bracket"))[4:] == desk.swiss_order()[4:]


def test_pk_30_an_elimination_event_with_a_seed_of_its_own_can_be_played_on() -> None:
    """Rounds copied from `pair` make the next event file; its own tables are never refused."""
    file = {**an_event("pokemon-2017", 6, format="elimination"), "seed": "f"}
    desk = Desk(file)
    for seed in ("a", "b"):
        answer = desk.pair(seed)
        assert answer is not None
        answer.pop("seeds", None)
        desk.report(answer, lambda players: players[0])
    assert desk.run("bracket").code == 0
    assert desk.run("check").code == 0


# Day two


def one_day(records: Sequence[tuple[int, int, int]], size: int = 227) -> tuple[File, dict[str, Any]]:
    """A first day on which the first players have these records; the others win about half their tables.

    Each of the first has one opponent all day, who has the opposite record.
    """
    ids = names(size)
    file = an_event("pokemon-2017", size, format="swiss+elimination", table="tcg-two-day")
    file["seed"] = "x"
    found: dict[str, tuple[int, int, int]] = {}
    rounds: list[list[dict[str, Any]]] = [[] for _ in range(9)]
    for at in range(0, size - 1, 2):
        first, second = ids[at], ids[at + 1]
        won, lost, tied = records[at // 2] if at // 2 < len(records) else (5, 4, 0)
        found[first], found[second] = (won, lost, tied), (lost, won, tied)
        results = [first] * won + ["draw"] * tied + [second] * lost
        for tables, result in zip(rounds, results, strict=True):
            tables.append({"players": [first, second], "winner": result})
    if size % 2:
        found[ids[-1]] = (0, 9, 0)
        for tables in rounds:
            tables.append({"players": [ids[-1]], "loss": True})
    file["rounds"] = [{"tables": tables} for tables in rounds]
    return file, found


@pytest.mark.parametrize(("good", "expected"), [(40, 40), (25, 32), (32, 32), (33, 33), (0, 32)])
def test_pk_t8_day_two(good: int, expected: int) -> None:
    """7-2-0 is in; 6-1-2 only by rank."""
    file, records = one_day([(7, 2, 0)] * good + [(6, 1, 2)] * (45 - good))
    desk = Desk(file)
    found = going_on(only_cut(desk))
    assert len(found) == expected
    assert set(found) == day_two(records, desk.swiss_order(9))
    assert seated(desk) == set(found)


MIXED = [
    (9, 0, 0),
    (8, 1, 0),
    (7, 2, 0),
    (7, 1, 1),
    (6, 0, 3),
    (6, 1, 2),
    (5, 0, 4),
    (5, 2, 2),
    (6, 3, 0),
    (7, 0, 2),
]


@FEW
@given(
    st.lists(st.sampled_from(MIXED), min_size=20, max_size=80), st.sampled_from("abc"), st.sampled_from("ab")
)
def test_pk_a18_and_a19_day_two_however_it_is_read(
    drawn: list[tuple[int, int, int]], counted: str, either: str
) -> None:
    file, records = one_day(drawn)
    desk = Desk(file, (f"PK-A18={counted}", f"PK-A19={either}"))
    assert set(going_on(only_cut(desk))) == day_two(records, desk.swiss_order(9), counted, either)


@pytest.mark.parametrize(("counted", "either"), [(c, e) for c in "abc" for e in "ab"])
def test_pk_a18_and_a19_where_they_differ(counted: str, either: str) -> None:
    """Forty with ties and few losses, who are not all among the best."""
    file, records = one_day([(7, 2, 0)] * 34 + [(8, 0, 1)] * 5 + [(4, 2, 3)] * 6)
    desk = Desk(file, (f"PK-A18={counted}", f"PK-A19={either}"))
    found = set(going_on(only_cut(desk)))
    assert found == day_two(records, desk.swiss_order(9), counted, either)
    assert len(found) == {"aa": 39, "ab": 39, "ba": 34, "bb": 39, "ca": 45, "cb": 45}[counted + either]
    assert seated(desk) == found


def test_pk_55_day_two_is_played_by_those_who_go_on_and_then_cut_to_eight() -> None:
    """Five more Swiss rounds with day one's points, then the eight best; the others keep their places."""
    file, records = one_day([(7, 2, 0)] * 36 + [(6, 1, 2)] * 9)
    desk = Desk(file)
    first_day = desk.swiss_order(9)
    chosen = day_two(records, first_day)
    for number in range(10, 15):
        answer = desk.pair()
        assert answer is not None
        assert (answer["round"], answer["stage"]) == (number, "swiss")
        assert {player_id for table in answer["tables"] for player_id in table["players"]} == chosen
        desk.report(answer, best_first(first_day))
    left_out = {player["id"] for player in desk.file["players"] if player.get("cut") == 9}
    assert left_out == {*records} - chosen
    order = desk.swiss_order(14)
    assert set(going_on(only_cut(desk))) == set(order[:8])
    assert set(order[: len(chosen)]) == chosen
    decide = best_first(order)
    while answer := desk.pair():
        desk.report(answer, decide)
    assert len(desk.file["rounds"]) == 17
    final = desk.ask("bracket")
    assert in_places(final)[:8] == order[:8]
    assert in_places(final)[8:36] == [player_id for player_id in order if player_id in chosen][8:]
    assert {row["id"] for row in final["places"]} == set(records)


# Flights


@FEW
@given(st.sampled_from([(64, 2, 8), (66, 2, 4), (129, 4, 16), (128, 4, 8)]), st.integers(0))
def test_pk_48_the_same_number_from_each_flight(shape: tuple[int, int, int], seed: int) -> None:
    size, flights, cut = shape
    about = {player_id: {"division": "masters"} for player_id in names(size)}
    desk = swiss(names(size), rounds=2, seed=seed, about=about, cut=cut, flights=flights)
    order = desk.swiss_order(2)
    flight = {player["id"]: player["flight"] for player in desk.file["players"]}
    best = [
        [player_id for player_id in order if flight[player_id] == part][: cut // flights]
        for part in range(1, flights + 1)
    ]
    merged = [player_id for player_id in order if any(player_id in part for part in best)]
    assert len(merged) == cut
    assert rank_order(desk.ask("bracket")) == merged
    judge = Knockout(merged)
    decide = remembered(by_lot(Random(seed)))
    while answer := desk.pair():
        assert at_tables(answer["tables"]) == judge.played()
        desk.report(answer, decide)
        judge.play(decide)
    places = in_places(desk.ask("bracket"))
    assert places[:cut] == judge.places(by_rank=True)
    assert places[cut:] == [player_id for player_id in order if player_id not in merged]


# Divisions


def divided(sizes: dict[str, int], seed: int, **options: Any) -> Desk:
    about = {
        player_id: {"division": name} for name, size in sizes.items() for player_id in names(size, name[0])
    }
    return swiss(list(about), rounds=2, seed=seed, about=about, **options)


@FEW
@given(st.sampled_from([2, 4]), st.sampled_from([2, 4, 8]), st.integers(0))
def test_pk_a31_separate_divisions_have_a_bracket_each(seniors: int, masters: int, seed: int) -> None:
    """Each with a cut of its own, so that one may be over before the other."""
    cuts = {"senior": seniors, "masters": masters}
    by_division = {name: {"cut": cut} for name, cut in cuts.items()}
    desk = divided({"senior": 7, "masters": 12}, seed, by_division=by_division)
    rows = desk.ask("standings")["standings"]
    orders = {
        name: sorted(
            (row["id"] for row in rows if row["division"] == name),
            key={row["id"]: row["division_rank"] for row in rows}.__getitem__,
        )
        for name in ("senior", "masters")
    }
    for found in desk.ask("cut")["cuts"]:
        assert going_on(found) == orders[found["division"]][: cuts[found["division"]]]
    judges = {name: Knockout(order[: cuts[name]]) for name, order in orders.items()}
    decide = remembered(by_lot(Random(seed)))
    while answer := desk.pair():
        open_ones = [judge for judge in judges.values() if not judge.over]
        assert at_tables(answer["tables"]) == set().union(*(judge.played() for judge in open_ones))
        desk.report(answer, decide)
        for judge in open_ones:
            judge.play(decide)
    assert all(judge.over for judge in judges.values())
    brackets = desk.ask("bracket")["divisions"]
    assert {bracket["division"] for bracket in brackets} == set(orders)
    for bracket in brackets:
        name = bracket["division"]
        assert in_places(bracket) == judges[name].places(by_rank=True) + orders[name][cuts[name] :]


def test_pk_a31_read_as_a_there_is_one_bracket_for_all() -> None:
    desk = divided({"senior": 8, "masters": 12}, 5, cut=4)
    desk.readings = ("PK-A31=a",)
    order = desk.swiss_order(2)
    assert rank_order(desk.ask("bracket")) == order[:4]
    judge = Knockout(order[:4])
    decide = best_first(order)
    while answer := desk.pair():
        assert at_tables(answer["tables"]) == judge.played()
        desk.report(answer, decide)
        judge.play(decide)
    assert in_places(desk.ask("bracket")) == order


@pytest.mark.parametrize("name", ["senior", "masters"])
def test_the_bracket_of_one_division(name: str) -> None:
    desk = divided({"senior": 8, "masters": 12}, 5, cut=4)
    whole = {bracket["division"]: bracket for bracket in desk.ask("bracket")["divisions"]}
    assert desk.ask("bracket", "--division", name) == whole[name]


def test_pk_13_modified_divisions_share_a_bracket_and_have_places_of_their_own() -> None:
    """Four seniors are too few for an event of their own; PK-15: the best placed of each has won it."""
    desk = divided({"senior": 4, "masters": 12}, 3, cut=4)
    order = desk.swiss_order(2)
    assert rank_order(desk.ask("bracket")) == order[:4]
    while answer := desk.pair():
        desk.report(answer, best_first(order))
    rows = desk.ask("bracket")["places"]
    assert [row["id"] for row in rows] == order
    for name in ("s", "m"):
        mine = [row["division_place"] for row in rows if row["id"].startswith(name)]
        assert mine == [*range(1, len(mine) + 1)]


# Those who leave before the bracket


@FEW
@given(st.integers(12, 20), st.sampled_from([4, 8]), st.integers(0), st.sampled_from("ab"))
def test_pk_a22_whoever_leaves_before_the_bracket(size: int, cut: int, seed: int, reading: str) -> None:
    """(a) their seat stays empty and the opponent has a bye; (b) the next in the standings moves up."""
    random = Random(seed)
    desk = swiss(names(size), seed=seed, cut=cut)
    desk.readings = (f"PK-A22={reading}",)
    before = desk.swiss_order(3)
    inside = before[:cut]
    pairs = [sorted(group, key=inside.index) for group in Knockout(inside).played()]
    leavers = {random.choice(pair) for pair in sorted(pairs) if random.random() < 0.3}
    for player_id in sorted(leavers):
        of(desk.file, player_id)["dropped"] = 3
    order = desk.swiss_order(3)
    here = [player_id for player_id in order if player_id not in leavers]
    if reading == "a":
        assume(set(order[:cut]) == set(inside))  # the percentages of those who dropped may move the line
        judge = Knockout([None if player_id in leavers else player_id for player_id in order[:cut]])
    else:
        judge = Knockout(here[:cut])
    decide = remembered(by_lot(random))
    while judge.goes_on():
        answer = desk.pair()
        assert answer is not None
        assert at_tables(answer["tables"]) == judge.played()
        desk.report(answer, decide)
        judge.play(decide)
    assert desk.pair() is None
    played = judge.places(by_rank=True)
    places = in_places(desk.ask("bracket"))
    assert sorted(places) == names(size)
    assert [player_id for player_id in places if player_id in played] == played
    assert places[:1] == played[:1]
