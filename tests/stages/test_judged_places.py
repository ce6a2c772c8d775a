"""Final places against a judge who knows only the rules; double elimination and round robins to the end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

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
    File,
    Knockout,
    an_event,
    at_tables,
    best_first,
    by_lot,
    in_places,
    names,
    rank_order,
    remembered,
)

RULES = ("pokemon-2017", "dci-1999", "mtr", "fab-gem")
WITH_LOTS = ("pokemon-2017", "fab-gem")


def to_the_end(desk: Desk, decide: Decide, seed: str = "x") -> Document:
    """Play until there is nothing to pair; the bracket then."""
    while answer := desk.pair(seed):
        desk.report(answer, decide)
    return desk.ask("bracket")


# PK-T6: the same results, two orders

T6 = {(1, 8): 1, (4, 5): 5, (2, 7): 2, (3, 6): 6, (1, 5): 5, (2, 6): 6, (5, 6): 6}


def t6(order: list[str]) -> Decide:
    """The results of PK-T6 for players by rank seed."""

    def decide(players: list[str]) -> str:
        seeds = sorted(order.index(player_id) + 1 for player_id in players)
        return order[T6[seeds[0], seeds[1]] - 1]

    return decide


def after_swiss(rules: str, players: int, cut: int, third: bool = False) -> tuple[Desk, list[str]]:
    """An event whose Swiss part is played, and its standings; lots are always drawn from the same text."""
    options = {"format": "swiss+elimination", "rounds": 3, "cut": cut}
    file: File = {**an_event(rules, players, **options), "seed": "x"}
    if third:
        file["options"]["third_place"] = True
    desk = Desk(file)
    for _ in range(3):
        answer = desk.pair()
        assert answer is not None
        assert answer["stage"] == "swiss"
        desk.report(answer, by_lot(Random(f"{rules}{players}{answer['round']}")))
    return desk, desk.swiss_order(3)


def test_pk_t6_stand_alone() -> None:
    ids = names(8)
    desk = Desk(an_event("pokemon-2017", 8, format="elimination", seeded=True))
    assert in_places(to_the_end(desk, t6(ids))) == [ids[seed - 1] for seed in (6, 5, 2, 1, 3, 4, 7, 8)]


@pytest.mark.parametrize("rules", WITH_LOTS)
def test_pk_t6_after_swiss(rules: str) -> None:
    desk, order = after_swiss(rules, 12, 8)
    final = to_the_end(desk, t6(order[:8]))
    expected = [order[seed - 1] for seed in (6, 5, 1, 2, 3, 4, 7, 8)]
    assert in_places(final) == expected + order[8:]


def test_pk_t6_read_as_pk_a23_b_shares_places() -> None:
    """Conquerors who went equally far leave the losers they beat level."""
    ids = names(8)
    desk = Desk(an_event("pokemon-2017", 8, format="elimination", seeded=True), ("PK-A23=b",))
    rows = to_the_end(desk, t6(ids))["places"]
    found = {row["id"]: row["place"] for row in rows}
    assert [found[ids[seed - 1]] for seed in (6, 5, 2, 1, 3, 4, 7, 8)] == [1, 2, 3, 4, 5, 6, 7, 7]


@pytest.mark.parametrize("third", [False, True])
def test_pk_40_the_first_rank_seed_beaten_at_once_is_fifth(third: bool) -> None:
    desk, order = after_swiss("pokemon-2017", 12, 8, third)
    final = to_the_end(desk, lambda players: max(players, key=order.index))
    assert final["rank_seeds"] == {player_id: at for at, player_id in enumerate(order[:8], start=1)}
    assert in_places(final)[4] == order[0]


# Any results


@FEW
@given(st.sampled_from(RULES), st.integers(8, 20), st.sampled_from([2, 4, 8]), st.booleans(), st.integers(0))
def test_pk_39_and_40_after_swiss_any_results(
    rules: str, players: int, cut: int, third: bool, seed: int
) -> None:
    """Inside by round and rank seed, outside by Swiss standing, which nothing in the bracket changes."""
    desk, order = after_swiss(rules, players, cut, third)
    rank = {row["id"]: row["rank"] for row in desk.ask("standings", "--after", "3")["standings"]}
    begun = desk.ask("bracket")
    inside = rank_order(begun)
    assert len(inside) == cut
    assert [rank[player_id] for player_id in inside] == sorted(rank.values())[:cut]
    outside = [(row["place"], row["id"]) for row in begun["places"]]
    assert [player_id for _, player_id in outside] == [
        player_id for player_id in order if player_id not in inside
    ]
    for place, player_id in outside:
        assert place == max(rank[player_id], cut + 1)
    decide = remembered(by_lot(Random(seed)))
    judge = Knockout(inside, third)
    while not judge.over:
        answer = desk.pair()
        assert answer is not None
        assert at_tables(answer["tables"]) == judge.played()
        assert not any(table.get("bye") for table in answer["tables"])
        desk.report(answer, decide)
        judge.play(decide)
    assert judge.decisive == cut - 1 + (third and cut > 2)
    final = desk.ask("bracket")
    assert [row["id"] for row in final["places"][:cut]] == judge.places(by_rank=True)
    assert [row["place"] for row in final["places"][:cut]] == [*range(1, cut + 1)]
    assert [(row["place"], row["id"]) for row in final["places"][cut:]] == outside
    assert rank == {row["id"]: row["rank"] for row in desk.ask("standings", "--after", "3")["standings"]}
    assert desk.ask("check")["ok"]


@FEW
@given(st.integers(4, 16), st.integers(0), st.booleans(), st.booleans())
def test_places_that_are_decided_stay(size: int, seed: int, third: bool, double: bool) -> None:
    """What `bracket` lists while the event goes on is what it lists at the end."""
    kind = "double-elimination" if double else "elimination"
    options = {"third_place": True} if third and not double else {}
    desk = Desk(an_event("pokemon-2017", size, format=kind, **options))
    decide = by_lot(Random(seed))
    seen: dict[str, int] = {}
    while answer := desk.pair():
        desk.report(answer, decide)
        now = {row["id"]: row["place"] for row in desk.ask("bracket")["places"]}
        assert now.items() >= seen.items()
        seen = now
    assert sorted(seen.values()) == [*range(1, size + 1)]


# Double elimination


def losses_of(file: File) -> Counter[str]:
    """How often each player has lost a recorded table."""
    return Counter(
        player_id
        for entry in file["rounds"]
        for table in entry["tables"]
        if "winner" in table
        for player_id in table["players"]
        if player_id != table["winner"]
    )


def out_in(file: File) -> dict[str, int]:
    """The round in which each player lost for the second time."""
    found: dict[str, int] = {}
    for number in range(1, len(file["rounds"]) + 1):
        upto = losses_of({**file, "rounds": file["rounds"][:number]})
        found |= {
            player_id: number for player_id, times in upto.items() if times == 2 and player_id not in found
        }
    return found


def assert_double(size: int, decide: Decide, rules: str) -> Desk:
    """A double elimination event from the draw to the places."""
    desk = Desk(an_event(rules, size, format="double-elimination"))
    while answer := desk.pair():
        desk.keep(answer)
        lost = losses_of(desk.file)
        waiting = {player_id for player_id in names(size) if lost[player_id] < 2}
        seated = [player_id for table in answer["tables"] for player_id in table["players"]]
        assert len(seated) == len({*seated})
        assert {*seated} <= waiting
        rounds = desk.ask("bracket")["rounds"]
        current = next(
            tables
            for tables in rounds
            if any(table["winner"] is None and None not in table["players"] for table in tables)
        )
        assert at_tables(current) == at_tables(answer["tables"])
        for table in answer["tables"]:
            if len(table["players"]) == 2 and len(waiting) > 2:
                assert len({lost[player_id] for player_id in table["players"]}) == 1, (
                    "upper and lower side meet too early"
                )
        desk.report(answer, decide)
        assert len(desk.file["rounds"]) < 20
    lost = losses_of(desk.file)
    assert max(lost.values()) == 2
    last = [player_id for player_id in names(size) if lost[player_id] < 2]
    assert len(last) == 1
    decisive = sum("winner" in table for entry in desk.file["rounds"] for table in entry["tables"])
    assert decisive == 2 * size - 2 + lost[last[0]]
    final = desk.ask("bracket")
    places = in_places(final)
    assert sorted(places) == names(size)
    assert places[0] == last[0]
    left = out_in(desk.file)
    assert [left[player_id] for player_id in places[1:]] == sorted(left.values(), reverse=True)
    assert desk.ask("check")["ok"]
    return desk


@pytest.mark.parametrize("size", range(2, 34))
def test_double_elimination_every_size(size: int) -> None:
    assert_double(size, by_lot(Random(size)), RULES[size % 4])


@FEW
@given(st.integers(2, 20), st.integers(0), st.sampled_from(RULES))
def test_double_elimination_any_results(size: int, seed: int, rules: str) -> None:
    assert_double(size, by_lot(Random(seed)), rules)


@pytest.mark.parametrize("last_wins", [False, True])
def test_double_elimination_is_over_when_the_unbeaten_win_and_goes_on_when_they_lose(last_wins: bool) -> None:
    ids = names(8)
    desk = Desk(an_event("mtr", 8, format="double-elimination", seeded=True))
    order = best_first(ids)
    while answer := desk.pair():
        lost = losses_of(desk.file)
        alone = sum(lost[player_id] < 2 for player_id in ids) == 2
        again = last_wins and alone and lost[ids[0]] == 0
        desk.report(answer, lambda players, again=again: ids[1] if again else order(players))  # type: ignore[misc]
    decisive = sum("winner" in table for entry in desk.file["rounds"] for table in entry["tables"])
    assert decisive == 14 + last_wins
    assert in_places(desk.ask("bracket"))[:2] == ids[:2]


@given(st.sampled_from([8, 16, 32]), st.integers(0))
def test_nobody_meets_again_at_once_who_comes_down_from_upper_round_2(size: int, seed: int) -> None:
    """Round 3 seats losers of upper round 2 opposite winners of the first lower round."""
    desk = Desk(an_event("mtr", size, format="double-elimination"))
    decide = by_lot(Random(seed))
    met: set[frozenset[str]] = set()
    for number in (1, 2, 3):
        answer = desk.pair()
        assert answer is not None
        tables = at_tables(answer["tables"])
        lost = losses_of(desk.file)
        lower = {
            group for group in tables if len(group) == 2 and all(lost[player_id] == 1 for player_id in group)
        }
        assert len(lower) == (0, size // 4, size // 4)[number - 1]
        assert not met & tables
        met |= tables
        desk.report(answer, decide)


@FEW
@given(st.sampled_from([4, 8, 16]), st.integers(0))
def test_double_elimination_somebody_leaves(size: int, seed: int) -> None:
    """They play no more and are placed like everybody; whoever is opposite goes on."""
    random = Random(seed)
    desk = Desk(an_event("pokemon-2017", size, format="double-elimination"))
    when = random.randint(1, size.bit_length())
    gone: set[str] = set()
    while answer := desk.pair():
        seated = {player_id for table in answer["tables"] for player_id in table["players"]}
        assert not seated & gone
        if len(desk.file["rounds"]) + 1 == when:
            gone = {random.choice(sorted(seated))}
            desk.report(answer, by_lot(random), dict.fromkeys(gone, "disqualified"))
        else:
            desk.report(answer, by_lot(random))
    lost = losses_of(desk.file)
    last = [player_id for player_id in names(size) if lost[player_id] < 2 and player_id not in gone]
    places = in_places(desk.ask("bracket"))
    assert sorted(places) == names(size)
    assert places[:1] == last
    assert desk.ask("check")["ok"]


def test_double_elimination_whoever_left_has_no_bye_on_the_lower_side() -> None:
    """Five players: 4 drops after losing in round 2; on the lower side nobody would be opposite."""
    desk = Desk(an_event("pokemon-2017", 5, format="double-elimination", seeded=True))
    for leaving in ({}, {"p004": "dropped"}):
        answer = desk.pair()
        assert answer is not None
        desk.report(answer, min, leaving)
    answer = desk.pair()
    assert answer is not None
    assert at_tables(answer["tables"]) == {frozenset({"p003", "p005"})}


def test_double_elimination_a_table_of_the_upper_side_that_both_lose_is_refused_where_it_stands() -> None:
    desk = Desk(an_event("mtr", 4, format="double-elimination", seeded=True))
    answer = desk.pair()
    assert answer is not None
    desk.report(answer, lambda players: NOBODY if "p001" in players else min(players))
    for command in ("pair", "bracket", "check"):
        assert_refused(desk.run(command), "rounds[0].tables[0]")


# Round robin


@pytest.mark.parametrize("size", range(2, 13))
@pytest.mark.parametrize("rules", ["pokemon-2017", "mtr"])
def test_round_robin_everybody_meets_everybody_once(size: int, rules: str) -> None:
    desk = Desk(an_event(rules, size, format="round-robin"))
    schedule = desk.ask("bracket", "--seed", "x")["rounds"]
    final = to_the_end(desk, by_lot(Random(size)))
    groups = [group for entry in desk.file["rounds"] for group in at_tables(entry["tables"])]
    pairs = Counter(group for group in groups if len(group) == 2)
    assert pairs == {frozenset(pair): 1 for pair in combinations(names(size), 2)}
    byes = Counter(player_id for group in groups if len(group) == 1 for player_id in group)
    assert byes == (dict.fromkeys(names(size), 1) if size % 2 else {})
    assert len(desk.file["rounds"]) == size - 1 + size % 2
    assert [at_tables(tables) for tables in schedule] == [
        at_tables(entry["tables"]) for entry in desk.file["rounds"]
    ]
    assert [row["id"] for row in final["places"]] == [row["id"] for row in desk.ask("standings")["standings"]]
    assert desk.ask("check")["ok"]


@FEW
@given(st.integers(3, 10), st.integers(0))
def test_round_robin_whoever_left_gives_a_bye(size: int, seed: int) -> None:
    """The schedule stands; a seat opposite somebody who left, or nobody, is a bye."""
    random = Random(seed)
    desk = Desk(an_event("mtr", size, format="round-robin", seeded=True))
    schedule = [at_tables(tables) for tables in desk.ask("bracket")["rounds"]]
    gone: set[str] = set()
    for tables in schedule:
        if len(gone) >= size - 1:
            break
        answer = desk.pair()
        assert answer is not None
        expected = {group - gone for group in tables if group - gone}
        assert at_tables(answer["tables"]) == expected
        leavers = {player_id for player_id in sorted({*names(size)} - gone) if random.random() < 0.1}
        desk.report(answer, by_lot(random), dict.fromkeys(sorted(leavers), "dropped"))
        gone |= leavers
