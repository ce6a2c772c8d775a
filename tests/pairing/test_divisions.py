"""Divisions: apart where each is large enough, else in one pool where they come before the points."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.pairing.pairing_oracle import an_event, field_of, judged, pairing_of
from tests.pairing.test_vectors import assert_drawn, drawn, paired, seated
from topcut.errors import Impossible
from topcut.formats.event_file import Event, decode_event_file
from topcut.history import build_history
from topcut.rulebook import load

ROUNDS = {"rounds": 6}


def ages(**divisions: str) -> dict[str, str]:
    """`ages(masters="AB", senior="CD")`: each player's division."""
    return {player_id: division for division, ids in divisions.items() for player_id in ids}


def many(**sizes: int) -> dict[str, str]:
    """`many(masters=7)`: players m1 to m7."""
    return {f"{name[0]}{i}": name for name, size in sizes.items() for i in range(1, size + 1)}


def first_round(division: dict[str, str], **about: Any) -> Event:
    players = " ".join([*division, *about.pop("more", [])])
    return played("pokemon-2017", players=players, division=division, **about)


def crossing(answer: dict[str, Any], division: dict[str, str]) -> int:
    """Tables of two divisions."""
    return sum(
        len({division.get(player_id) for player_id in table["players"]}) > 1 for table in answer["tables"]
    )


# One pool


TWO_AND_TWO = ("A beats W, B beats X, C beats Y, D beats Z", "A beats X, C beats Z")
"""A and C have 6 points, B and D 3; the others leave."""
LEFT = dict.fromkeys("WXYZ", 2)


def test_pk_t10_the_division_comes_before_the_record() -> None:
    division = ages(masters="AB", senior="CD")
    event = played("pokemon-2017", *TWO_AND_TWO, division=division, dropped=LEFT, options=ROUNDS)
    assert_drawn(event, "AB CD", times=10)
    cost = paired(event)["cost"]
    assert (cost["cross_division"], cost["score_gap_squared"]) == (0, 18)


def test_pk_14_same_division_and_same_record_come_first() -> None:
    """Of four masters and two seniors with equal points, divisions keep to themselves."""
    event = first_round(ages(masters="ABCD", senior="EF"))
    assert_drawn(event, "AB CD EF", "AC BD EF", "AD BC EF")


def test_pk_a25_however_far_apart_they_are() -> None:
    """A has 15 points and B none, C and D have 15 and none as well."""
    rounds = [f"A beats {x}, C beats {y}" for x, y in ("VW", "WX", "XY", "YZ", "ZV")]
    division = ages(masters="AB", senior="CD")
    gone = dict.fromkeys("VWXYZ", 5)
    event = played(
        "pokemon-2017", *rounds, players="A B C D", division=division, dropped=gone, options=ROUNDS
    )
    answer = paired(event)
    assert seated(answer) == pairing_of("AB CD")
    assert answer["cost"]["score_gap_squared"] == 450


def test_a_rematch_is_worse_than_two_divisions() -> None:
    event = played(
        "pokemon-2017",
        "A beats B, C beats D",
        division=ages(masters="AB", senior="CD"),
        options={"rounds": 2},
    )
    answer = paired(event)
    assert_drawn(event, "AC BD", times=10)
    assert (answer["cost"]["rematches"], answer["cost"]["cross_division"]) == (0, 2)


def test_an_odd_division_meets_another_once() -> None:
    """Three masters and three seniors: one table of both."""
    division = ages(masters="ABC", senior="DEF")
    event = first_round(division)
    counts = drawn(event, 100)
    assert len(counts) == 9
    assert paired(event)["cost"]["cross_division"] == 1
    for table in paired(event)["tables"]:
        told = any("different divisions" in why for why in table["why"])
        assert told == (len({division[player_id] for player_id in table["players"]}) == 2)


def test_there_is_one_bye_in_one_pool() -> None:
    division = ages(masters="ABC", senior="DE", junior="FGHI")
    answer = paired(first_round(division))
    assert len([table for table in answer["tables"] if table.get("bye")]) == 1
    assert answer["cost"]["cross_division"] == 0  # the masters have the bye


@pytest.mark.parametrize("number", range(40))
def test_as_few_tables_across_divisions_as_all_pairings_allow(number: int) -> None:
    """Every pairing of up to eight players is compared by somebody else."""
    random = Random(f"divisions {number}")
    plain = an_odd_event(random)
    event = built(plain)
    verdict = judged(field_of(plain))
    assert verdict is not None
    assert paired(event)["cost"] == verdict.cost
    counts = drawn(event, 40)
    assert set(counts) <= verdict.pairings
    assert len(counts) > 1 or len(verdict.pairings) == 1


def test_those_events_have_a_bit_of_everything() -> None:
    verdicts = [judged(field_of(an_odd_event(Random(f"divisions {number}")))) for number in range(40)]
    for key in ("rematches", "bye_points", "cross_division", "score_gap_squared"):
        assert any(verdict.cost[key] for verdict in verdicts if verdict)
        assert any(not verdict.cost[key] for verdict in verdicts if verdict)


def an_odd_event(random: Random) -> dict[str, Any]:
    """Up to eight players of any divisions, at most five of each, after rounds that were paired by lot."""
    players = "ABCDEFGH"[: random.choice([4, 4, 5, 6, 7, 8])]
    rounds = []
    for _ in range(random.randint(0, 5)):
        order = random.sample(players, len(players))
        tables = [order[i] + random.choice(">>=") + order[i + 1] for i in range(0, len(order) - 1, 2)]
        rounds.append(" ".join(tables + order[-1:] * (len(order) % 2)))
    while True:
        division = {player: random.choice(["masters", "senior", "junior"]) for player in players}
        if all([*division.values()].count(name) <= 5 for name in division.values()):
            break
    return an_event("pokemon-2017", *rounds, division=division, options={"rounds": random.randint(6, 8)})


def built(plain: dict[str, Any]) -> Event:
    file = decode_event_file(json.dumps(plain).encode())
    book = load(file.rules)
    return Event(file, book, build_history(file.players, file.rounds, book))


# Apart


def test_pk_12_large_divisions_are_events_of_their_own() -> None:
    """Each has its own bye, and nobody meets anybody of another."""
    division = many(junior=7, senior=6, masters=9)
    event = first_round(division)
    for seed in range(10):
        answer = paired(event, str(seed))
        assert crossing(answer, division) == 0
        alone = sorted(division[t["players"][0]] for t in answer["tables"] if t.get("bye"))
        assert alone == ["junior", "masters"]
    pools = paired(event)["certificate"]["pools"]
    assert [part["pool"] for part in pools] == ["junior", "senior", "masters"]


def test_pk_13_five_in_one_division_and_all_play_together() -> None:
    answer = paired(first_round(many(junior=7, senior=5, masters=9)))
    assert [len(table["players"]) for table in answer["tables"]].count(1) == 1
    assert answer["certificate"]["kind"] != "pools"


def test_a_division_without_players_is_ignored() -> None:
    """PK-A8."""
    answer = paired(first_round(many(senior=7, masters=7)))
    assert [len(table["players"]) for table in answer["tables"]].count(1) == 2


def test_divisions_keep_their_own_byes() -> None:
    """In each of two divisions of seven nobody has a second bye in three rounds."""
    division = many(senior=7, masters=7)
    rounds: list[Any] = []
    byes: list[str] = []
    random = Random("byes")
    for turn in range(3):
        answer = paired(
            played("pokemon-2017", *rounds, players=" ".join(division), division=division), str(turn)
        )
        assert crossing(answer, division) == 0
        alone = [table["players"][0] for table in answer["tables"] if table.get("bye")]
        assert sorted(division[player_id] for player_id in alone) == ["masters", "senior"]
        byes += alone
        texts = [" beats ".join(random.sample(t["players"], len(t["players"]))) for t in answer["tables"]]
        rounds.append(a_round(", ".join(text if " " in text else f"{text} bye" for text in texts)))
    assert len(set(byes)) == 6


def test_the_rounds_of_a_division_are_its_own() -> None:
    """Six juniors play three rounds, nine masters four: after three there is none for both."""
    division = many(junior=6, masters=9)
    masters = "m1 beats m2, m3 beats m4, m5 beats m6, m7 beats m8, m9 bye"
    rounds = [a_round(f"{masters}, {text}") for text in ("j1 beats j2, j3 beats j4, j5 beats j6",) * 3]
    event = played("pokemon-2017", *rounds, division=division)
    with pytest.raises(Impossible, match=r"^PK-50: All 3 planned Swiss rounds of junior are played"):
        paired(event)
    longer = {"by_division": {"junior": {"rounds": 4}}}
    assert paired(played("pokemon-2017", *rounds, division=division, options=longer))["round"] == 4


def test_pk_50_in_one_pool_the_largest_division_gives_the_rounds() -> None:
    """Two of five play three rounds, though ten players of one division would play four."""
    rounds = ["s1 beats s2, s3 beats s4, s5 beats m5, m1 beats m2, m3 beats m4"] * 3
    assert paired(played("pokemon-2017", *rounds))["round"] == 4
    with pytest.raises(Impossible, match=r"^PK-50: All 3 planned Swiss rounds are played"):
        paired(played("pokemon-2017", *rounds, division=many(senior=5, masters=5)))


def test_pk_a26_only_the_short_division_joins_its_neighbour() -> None:
    division = many(junior=3, senior=7, masters=8)
    together = paired(first_round(division, readings={"PK-A26": "a"}))
    assert "pools" not in together["certificate"]
    pools = paired(first_round(division, readings={"PK-A26": "b"}))["certificate"]["pools"]
    assert [part["pool"] for part in pools] == ["junior and senior", "masters"]


# Which division


@pytest.mark.parametrize(
    ("years", "together"),
    [
        ((2002, 2003), False),
        ((2003, 2006), True),
        ((2006, 2007), False),
        ((2007, 2015), True),
        ((1950, 2002), True),
    ],
)
def test_pk_11_the_year_of_birth_gives_the_division(years: tuple[int, int], together: bool) -> None:
    """A and B, with C born like A and D born like B."""
    a, b = years
    event = played("pokemon-2017", players="A B C D", born={"A": a, "B": b, "C": a, "D": b})
    assert (len(drawn(event, 60)) == 3) == together
    assert paired(event)["cost"]["cross_division"] == 0


def test_a_division_that_is_written_down_counts_more_than_the_year() -> None:
    event = played(
        "pokemon-2017",
        players="A B C D",
        born=dict.fromkeys("ABCD", 1990),
        division=ages(senior="AB"),
    )
    assert_drawn(event, "AB CD", times=10)


def test_players_without_a_division_are_one_of_their_own() -> None:
    """In one pool beside the others; where divisions play apart, alone."""
    assert_drawn(first_round(ages(masters="AB"), more="CD"), "AB CD", times=10)
    assert [len(t["players"]) for t in paired(first_round(ages(masters="ABC"), more="D"))["tables"]] == [2, 2]
    division = many(senior=6, masters=6)
    answer = paired(first_round(division, more=["x", "y", "z"]))
    assert crossing(answer, division) == 0
    assert [part["pool"] for part in answer["certificate"]["pools"]] == ["senior", "masters", "no division"]


def test_what_the_options_say_goes() -> None:
    together = first_round(many(senior=7, masters=7), options={"divisions": "modified"})
    assert [len(table["players"]) for table in paired(together)["tables"]].count(1) == 0
    apart = first_round(ages(masters="ABC", senior="DEF"), options={"divisions": "separate"})
    assert [len(table["players"]) for table in paired(apart)["tables"]].count(1) == 2


def test_divisions_that_are_off_do_not_count() -> None:
    division = ages(masters="AB", senior="CD")
    options = {**ROUNDS, "divisions": "off"}
    event = played("pokemon-2017", *TWO_AND_TWO, division=division, dropped=LEFT, options=options)
    assert_drawn(event, "AC BD", times=10)


@pytest.mark.parametrize("rules", ["mtr", "dci-1999", "fab-gem"])
def test_divisions_do_not_count_where_the_rules_have_none(rules: str) -> None:
    event = played(rules, *TWO_AND_TWO, division=ages(x="AB", y="CD"), dropped=LEFT, options=ROUNDS)
    assert_drawn(event, "AC BD", times=10)
