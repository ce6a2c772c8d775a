"""Is the judge right, and does it find every fault? The engine has no part in this."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import exp, lgamma, log
from random import Random
from typing import Any

import pytest

from tests.pairing.certificate_checks import WEIGHED, chi_square_tail, enumerate_uniform, largest, verify
from tests.pairing.pairing_oracle import (
    KEYS,
    Field,
    Pairing,
    Verdict,
    a_field,
    an_event,
    any_field,
    cost,
    costs,
    field_of,
    judged,
    pairing_of,
    pairings,
)


def best(field: Field) -> Verdict:
    """The verdict where there is one."""
    verdict = judged(field)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize(("players", "number"), [*enumerate([1, 1, 1, 3, 3, 15, 15, 105, 105, 945, 945])])
def test_every_pairing_is_listed_once(players: int, number: int) -> None:
    listed = list(pairings("ABCDEFGHIJ"[:players]))
    assert len(listed) == len(set(listed)) == number
    for found in listed:
        assert sorted(player for table in found for player in table) == list("ABCDEFGHIJ"[:players])
        assert [len(table) for table in found].count(1) == players % 2


def test_an_odd_group_of_three_and_a_bye_at_the_bottom() -> None:
    """DC-T4."""
    found = best(field_of(an_event("dci-1999", "A>B C>D E")))
    assert found.cost == costs(score_gap_squared=9)
    assert found.pairings == {pairing_of(text) for text in ("AC DE B", "CE AD B", "AC BE D", "AE BC D")}


def test_one_player_is_paired_down_from_each_odd_tier() -> None:
    """FB-T4: A, B and C have 2 points, D, E and F have 1."""
    found = best(a_field("A2 B2 C2 D1 E1 F1", rematch="never"))
    assert found.cost == costs(score_gap_squared=1)
    assert len(found.pairings) == 9
    for drawn in found.pairings:
        assert sorted(len(table & set("ABC")) for table in drawn) == [0, 1, 2]
    assert best(a_field("A6 B3 C3 D0")).pairings == {pairing_of("AB CD"), pairing_of("AC BD")}


def test_a_rematch_is_forced_in_round_four_of_four_players() -> None:
    four = an_event("mtr", "A>B C>D", "A>C B>D", "A>D B>C", options={"rounds": 4})
    found = best(field_of(four))
    assert found.cost == costs(rematches=2, score_gap_squared=9 + 9)
    assert found.pairings == {pairing_of("AB CD")}
    assert judged(field_of({**four, "rules": "fab-gem"}, recommended=4)) is None
    assert judged(field_of({**four, "rules": "fab-gem"}, recommended=3)) is not None


def test_a_table_is_one_rematch_however_often_they_met() -> None:
    found = best(a_field("A0 B0 C0 D0", met="AB AB AB AC BD AD AD"))
    assert found.cost == costs(rematches=1)
    assert found.pairings == {pairing_of("AB CD"), pairing_of("AD BC")}


def test_the_bye_goes_up_past_those_who_had_one() -> None:
    found = best(a_field("A6 B3 C3 D0 E0", byes="DE"))
    assert found.cost == costs(bye_points=3, score_gap_squared=9)
    assert found.pairings == {pairing_of("AC DE B"), pairing_of("AB DE C")}


def test_a_second_bye_is_avoided_even_by_a_rematch() -> None:
    found = best(a_field("A0 B0 C0", met="AB", byes="AB"))
    assert found.cost == costs(rematches=1)
    assert found.pairings == {pairing_of("AB C")}


def test_where_all_had_a_bye_one_has_a_second_unless_the_book_forbids_it() -> None:
    found = best(a_field("A6 B3 C3", byes="AABC"))
    assert found.cost == costs(second_byes=1, bye_points=3, score_gap_squared=9)
    assert found.pairings == {pairing_of("AB C"), pairing_of("AC B")}
    assert judged(a_field("A6 B3 C3", byes="ABC", second_bye="never")) is None


def test_divisions_come_before_points_and_labels_last() -> None:
    """PK-T10 and PK-14; somebody of no division is a division of their own."""
    ages = {"A": "masters", "B": "masters", "C": "senior", "D": "senior"}
    found = best(a_field("A6 B3 C6 D3", division=ages))
    assert found.cost == costs(score_gap_squared=18)
    assert found.pairings == {pairing_of("AB CD")}
    assert best(a_field("A0 B0", division={"A": "masters"})).cost == costs(cross_division=1)
    labels = {"A": frozenset({"x", "y"}), "B": frozenset({"y"}), "C": frozenset({"x"}), "D": frozenset({"z"})}
    assert best(a_field("A3 B3 C3 D3", apart=labels)).pairings == {pairing_of("AD BC")}
    assert best(a_field("A3 B3 C0 D0", apart=labels)).cost == costs(apart=1)


def test_three_tables_of_equals_may_leave_two_triangles() -> None:
    """After AD BE CF all of A, B, C have met all of D, E, F, and threes cannot be paired."""
    last, *earlier = (
        field_of(an_event("mtr", "A>E D>C B>F", "E>C D>B A>F", options={"rounds": planned}))
        for planned in (3, 4, 5)
    )
    assert last.points == {"A": 6, "B": 3, "C": 0, "D": 6, "E": 3, "F": 0}
    assert best(last) == Verdict(costs(), frozenset({pairing_of("AD BE CF")}))
    for six in earlier:
        assert best(six).pairings == {pairing_of("AD BC EF"), pairing_of("CF AB DE")}
        assert best(six).cost == costs(score_gap_squared=9 + 9)
        assert cost(six, pairing_of("AD BE CF")) == costs(dead_end=1)


def test_the_cheapest_pairing_may_leave_none_two_rounds_later() -> None:
    """After AD BC EF both A and B can meet only E and F, in two rounds, and C and D would meet twice."""
    about = {"entered": {"E": 3, "F": 3}, "dropped": {"G": 2}, "cut": {"H": 2}}
    rounds = ("A>B C>G D>H", "A>C B>D G=H")
    *later, six = (
        field_of(an_event("dci-1999", *rounds, options={"rounds": planned}, **about)) for planned in (3, 4, 5)
    )
    assert six.points == {"A": 6, "B": 3, "C": 3, "D": 3, "E": 0, "F": 0}
    for short_sighted in (*later, replace(six, look_ahead=False)):
        assert best(short_sighted).pairings == {pairing_of("AD BC EF")}
        assert best(short_sighted).cost == costs(score_gap_squared=9)
    assert best(six).pairings == {pairing_of("AD BE CF"), pairing_of("AD BF CE")}
    assert best(six).cost == costs(score_gap_squared=27)
    assert cost(six, pairing_of("AD BC EF")) == costs(dead_end=1, score_gap_squared=9)


@pytest.mark.parametrize("left", [1, 2])
def test_one_round_is_kept_open_where_two_cannot_be(left: int) -> None:
    """A can meet only E and F. After AE BD CF A needs F, whom B needs too; nothing leaves two rounds."""
    six = a_field("A0 B0 C0 D0 E0 F0", met="AB AC AD BC BE", left=left)
    assert best(six).pairings == {pairing_of("AE BF CD"), pairing_of("AF BD CE")}
    assert cost(six, pairing_of("AE BD CF"))["dead_end"] == 1


def test_no_choice_is_a_dead_end_where_all_are() -> None:
    assert best(a_field("A0 B0 C0 D0", met="AB CD AC BD", left=2)).cost == costs()
    assert best(a_field("A0 B0 C0", byes="AB", met="AB", left=1)).cost == costs(rematches=1)


def test_a_bye_that_was_had_is_looked_at_and_a_third_round_is_not() -> None:
    """After BE CD and a bye for A only B can have the next one, and A needs E, so C and D meet twice."""
    five = a_field("A0 B0 C0 D0 E0", met="AC AD", byes="CDE", left=1)
    assert best(five).pairings == {pairing_of(text) for text in ("BC DE A", "BD CE A", "AE CD B")}
    assert len(best(a_field("A0 B0 C0 D0 E0 F0", met="AB CD", left=3)).pairings) == 10


@pytest.mark.parametrize("seed", range(40))
def test_the_verdict_is_the_least_of_all_costs(seed: int) -> None:
    some = any_field(Random(seed))
    allowed = {found: cost(some, found) for found in pairings(some.points) if all(map(some.allows, found))}
    verdict = judged(some)
    if verdict is None:
        assert not allowed
        return
    assert verdict.cost == min(allowed.values(), key=lambda found: [found[key] for key in KEYS])
    assert verdict.pairings == {found for found in allowed if allowed[found] == verdict.cost}


def test_more_players_than_can_be_judged_are_refused() -> None:
    with pytest.raises(ValueError, match="13 players"):
        judged(a_field(" ".join(f"{player}0" for player in "ABCDEFGHIJKLM")))


def test_an_event_file_becomes_a_field() -> None:
    left = {"dropped": {"B": 2, "I": 3}, "disqualified": {"F": 1}, "entered": {"G": 2, "H": 4}}
    about: dict[str, Any] = {**left, "division": {"C": "senior"}, "apart": {"C": ["family"]}}
    rounds = ("A2:1B C=D E#F I", "A>B C1:1D E G I-")
    found = field_of(an_event("pokemon-2017", *rounds, options={"rounds": 5}, **about))
    assert found.points == {"A": 6, "C": 2, "D": 2, "E": 3, "G": 3, "I": 3}
    assert found.met == {frozenset("AB"): 2, frozenset("CD"): 2, frozenset("EF"): 1}
    assert {player for player, had in found.byes.items() if had} == {"E", "G", "I"}
    assert (found.division["C"], found.apart["C"]) == ("senior", frozenset({"family"}))
    assert (found.rounds_left, found.second_bye, found.rematch) == (2, "never", "avoided")
    other = field_of(an_event("fab-gem", *rounds, **about), recommended=3)
    assert other.points == {"A": 2, "C": 0, "D": 0, "E": 1, "G": 1, "I": 1}
    assert (other.rounds_left, other.second_bye, other.rematch) == (0, "avoided", "never")
    assert not any(other.division.values())
    off = an_event("pokemon-tom", *rounds, options={"divisions": "off"}, **about)
    assert not any(field_of(off).division.values())


def test_an_event_of_several_pools_is_refused() -> None:
    ages = {player: "senior" if player < "G" else "masters" for player in "ABCDEFGHIJKL"}
    for many in (
        an_event("mtr", "A>B", flight={"A": 1}),
        an_event("mtr", "A>B", pod={"A": 1}),
        an_event("pokemon-tom", "A>B", division={"A": "senior"}, options={"divisions": "separate"}),
        an_event("pokemon-2017", division=ages),
    ):
        with pytest.raises(ValueError, match="pool"):
            field_of(many)


FIVE = a_field("A3 B3 C3 D0 E0", met="AE CD", byes="C", apart={"A": frozenset("x"), "D": frozenset("x")})
FOUR = a_field("A6 B3 C3 D0", met="AB AC AD BC BD CD")
# At most: one second bye; 2 rematches; 3 points; no divisions; 9 + 9; 1 table with a shared label.
WEIGHTS = dict(zip(WEIGHED, [456, 152, 38, 38, 2, 1], strict=True))


def seats(text: str) -> list[dict[str, Any]]:
    return [{"players": [*table], **({"bye": True} if len(table) == 1 else {})} for table in text.split()]


def answer(field: Field, text: str, kind: str, **rest: Any) -> dict[str, Any]:
    found, certificate = cost(field, pairing_of(text)), {"kind": kind, **rest}
    return {"tables": seats(text), "cost": found, "optimal": True, "certificate": certificate}


def matched() -> dict[str, Any]:
    """An answer for five: an odd number of leaders, so one of them meets somebody 3 points below."""
    odd_set = {"members": [0, 1, 2], "weight": 36}
    dual = {"potentials": [0] * 6, "odd_sets": [odd_set], "bound": 18}
    return answer(FIVE, "AB CE D", "matching", players=[*"ABCDE", ""], weights=dict(WEIGHTS), **dual)


def rejected(field: Field, given: dict[str, Any], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        verify(field, given)


def test_right_answers_pass() -> None:
    verify(FIVE, answer(FIVE, "AB CE D", "parity", bound=9))
    verify(FIVE, answer(FIVE, "AC BE D", "exhaustive", pairings=15))
    verify(FIVE, matched())
    for some, text in (("A3 B3 C0 D0", "AB CD"), ("A3 B3 C3 D0 E0", "AC DE B")):
        equals = a_field(some, byes="DE")
        verify(equals, answer(equals, text, "parity", bound=0))
    verify(FIVE, {**answer(FIVE, "AE CD B", "none"), "optimal": False, "certificate": None})
    many = a_field(" ".join(f"{player}{3 * (player < 'H')}" for player in "ABCDEFGHIJKLMN"), left=3)
    verify(many, answer(many, "AB CD EF GH IJ KL MN", "parity", bound=9))


def test_potentials_prove_a_forced_rematch() -> None:
    weights = dict(zip(WEIGHED, [111, 37, 37, 37, 1, 1], strict=True))
    about = {"players": [*"ABCD"], "weights": weights, "odd_sets": []}
    verify(FOUR, answer(FOUR, "AC BD", "matching", **about, potentials=[55, 37, 37, 55], bound=92))
    lower = answer(FOUR, "AC BD", "matching", **about, potentials=[55, 37, 37, 53], bound=91)
    rejected(FOUR, lower, "costs 92, above the bound 91")


@pytest.mark.parametrize("rematch", ["never", "avoided"])
def test_a_forbidden_table_needs_no_proof(rematch: str) -> None:
    some = a_field("A0 B0 C3 D3", met="AB", rematch=rematch)
    weights = dict(zip(WEIGHED, [999, 99, 40, 30, 1, 1], strict=True))
    dual = {"potentials": [118, 118, -100, -100], "odd_sets": [], "bound": 18}
    given = answer(some, "AC BD", "matching", players=[*"ABCD"], weights=weights, **dual)
    if rematch == "never":
        verify(some, given)
    else:
        rejected(some, given, "A and B could cost 198 halves, below 236")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"kind": "hearsay"}, "no certificate is called 'hearsay'"),
        ({"more": 1}, "matching has"),
        ({"players": [*"ABCDE"]}, "other players"),
        ({"players": [*"ABCDEE"]}, "other players"),
        ({"players": [*"DBCAE", ""]}, "could cost"),
        ({"potentials": [0] * 5}, "a potential for every player"),
        ({"potentials": [0.0] * 6}, "whole numbers"),
        ({"potentials": [0, 0, 0, 1, 0, 0]}, "could cost"),
        ({"potentials": [-1, 0, 0, 0, 0, 0]}, "come to 35 halves, the bound to 36"),
        ({"odd_sets": []}, "come to 0 halves"),
        ({"odd_sets": [{"members": [0, 1, 2], "weight": 38}]}, "B and D could cost 36 halves, below 38"),
        ({"odd_sets": [{"members": [0, 1, 2], "weight": 0}]}, "above nought"),
        ({"odd_sets": [{"members": [0, 1, 2], "weight": 36.0}]}, "whole numbers"),
        ({"odd_sets": [{"members": [0, 1, 2], "weight": 36, "more": 1}]}, "an odd set has"),
        ({"odd_sets": [{"members": [0, 1, 2, 5], "weight": 36}]}, "an odd set is even"),
        ({"odd_sets": [{"members": [0, 1, 2, 2, 2], "weight": 36}]}, "twice"),
        ({"odd_sets": [{"members": [0, 1, -4], "weight": 36}]}, "nobody has these numbers"),
        ({"odd_sets": [{"members": [0, 1, 3], "weight": 36}]}, "could cost"),
        ({"bound": 17}, "the bound to 34"),
        ({"bound": 17, "odd_sets": [{"members": [0, 1, 2], "weight": 34}]}, "costs 18, above the bound 17"),
        ({"weights": {**WEIGHTS, "dead_end": 1}}, "expected weights for"),
        *(({"weights": {**WEIGHTS, key: WEIGHTS[key] - 1}}, f"the weight of {key}") for key in WEIGHED),
    ],
)
def test_a_false_matching_is_rejected(wrong: dict[str, Any], why: str) -> None:
    given = matched()
    given["certificate"] |= wrong
    rejected(FIVE, given, why)
    rejected(FIVE, {**given, "certificate": None}, "no certificate")


def test_the_most_that_parts_can_differ_by() -> None:
    """For five players it is tried above: each weight is the least that is enough."""
    ages = {"A": "senior", "B": "senior", "C": "masters"}
    assert largest(a_field("A6 B3 C3 D0", division=ages))["cross_division"] == 2
    assert largest(a_field("A6 B3 C3 D0", met="AB", rematch="never"))["rematches"] == 0


@pytest.mark.parametrize(
    ("text", "bound", "why"),
    [
        ("AB CE D", 8, "the bound is 9, not 8"),
        ("BE AD C", 9, "second bye"),
        ("BC DE A", 0, "the bye's points"),
        ("AB CD E", 9, "rematches"),
        ("BC AD E", 9, "apart"),
    ],
)
def test_a_false_parity_is_rejected(text: str, bound: int, why: str) -> None:
    rejected(FIVE, answer(FIVE, text, "parity", bound=bound), why)


def test_a_gap_above_the_bound_and_divisions_are_not_proved_by_parity() -> None:
    wide = a_field("A6 B3 C3 D0")
    rejected(wide, answer(wide, "AD BC", "parity", bound=18), "the gap is 36, above 18")
    rejected(wide, answer(wide, "AD BC", "exhaustive", pairings=3), "the least cost is")
    rejected(wide, answer(wide, "AB CD", "exhaustive", pairings=2), "3 pairings, not 2")
    mixed = a_field("A0 B0", division={"A": "senior"})
    rejected(mixed, answer(mixed, "AB", "parity", bound=0), "cross_division")


@pytest.mark.parametrize("key", KEYS)
def test_a_false_cost_is_rejected(key: str) -> None:
    given = matched()
    given["cost"][key] += 1
    rejected(FIVE, given, "the cost is")
    del given["cost"][key]
    rejected(FIVE, given, "the cost is")


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ("AB CE", "not these: ..D"),
        ("AB CE DF", "not these: ..F"),
        ("AB CE D A", "seated twice: ..A"),
        ("AB C E D", "more than one bye"),
        ("ABC DE", "without a bye"),
    ],
)
def test_a_false_seating_is_rejected(tables: str, why: str) -> None:
    rejected(FIVE, {**matched(), "tables": seats(tables)}, why)


def test_a_bye_must_be_called_one_and_hard_rules_hold() -> None:
    given = matched()
    rejected(FIVE, {**given, "tables": [*given["tables"][:2], {"players": ["D"]}]}, "without a bye")
    never = a_field("A3 B3 C3", byes="C", met="AB", second_bye="never", rematch="never")
    rejected(never, {**answer(never, "AB C", "none"), "optimal": False}, "hard rules forbid")
    six = a_field("A6 B3 C0 D6 E3 F0", met="AE CD BF CE BD AF", left=1)
    rejected(six, answer(six, "AD BE CF", "parity", bound=0), "dead end")


def test_chi_square_is_that_of_the_tables() -> None:
    """With an even number of degrees of freedom it is a sum."""
    tables = {
        1: {0.95: 0.00393, 0.05: 3.841, 0.001: 10.828},
        5: {0.95: 1.145, 0.05: 11.070, 0.001: 20.515},
        10: {0.95: 3.940, 0.05: 18.307, 0.001: 29.588},
        100: {0.95: 77.929, 0.5: 99.334, 0.05: 124.342, 0.001: 149.449},
    }
    for freedom, tails in tables.items():
        found = [chi_square_tail(statistic, freedom) for statistic in tails.values()]
        assert found == pytest.approx([*tails], rel=2e-3)
    for half, x in ((1, 0.01), (1, 40), (20, 19), (20, 22), (472, 440), (472, 474), (472, 560)):
        exact = sum(exp(i * log(x) - x - lgamma(i + 1)) for i in range(half))
        assert chi_square_tail(2 * x, 2 * half) == pytest.approx(exact, rel=1e-9)


def test_fair_lots_pass_and_biased_ones_fail() -> None:
    """The biased sampler seats one player after another, each choice fair in itself."""
    three_and_three = best(a_field("A2 B2 C2 D1 E1 F1")).pairings
    listed, random = sorted(three_and_three, key=lambda p: sorted(map(sorted, p))), Random("lots")
    fair = Counter(random.choice(listed) for _ in range(9000))
    assert enumerate_uniform(fair, three_and_three, 9000) > 0.001
    biased: Counter[Pairing] = Counter()
    for _ in range(9000):
        left = listed
        for player in "ABCDEF":
            tables = sorted({next(t for t in p if player in t) for p in left}, key=sorted)
            chosen = random.choice(tables)
            left = [p for p in left if chosen in p]
        biased[left[0]] += 1
    assert enumerate_uniform(biased, three_and_three, 9000) < 1e-9


def test_lots_are_counted_against_what_is_expected() -> None:
    assert enumerate_uniform({"a": 5}, {"a"}, 5) == 1
    assert enumerate_uniform({"a": 10}, {"a", "b"}, 10) == pytest.approx(0.00157, abs=1e-5)
    assert enumerate_uniform({"a": 5, "c": 1}, {"a", "b"}, 6) == 0
    with pytest.raises(AssertionError, match="add up"):
        enumerate_uniform({"a": 5}, {"a"}, 6)
