"""`topcut check` and one damage: a valid event in which one thing is changed has exactly one problem."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

import pytest

from tests.builders import played
from tests.cli.test_check import FIRST, SEATS, people, run, whole_event
from tests.command_line import assert_refused, document
from topcut.rulebook.rule_texts import find_rule_text

Plain = dict[str, Any]
Problem = dict[str, Any]

SECTION = re.compile(r"(\d+(\.\d+)+|Appendix [A-Z]|§[\d.]+)(, .*)?")


def judged(event: Plain) -> list[Plain]:
    answer = run("check", event, "--json")
    assert answer.err == "", answer
    rounds: list[Plain] = json.loads(answer.out)["rounds"]
    return rounds


def the_problem(event: Plain, severity: str, rule: str) -> Problem:
    """The one problem of the last round; what people read says its severity and its rule."""
    *before, last = judged(event)
    assert not [problem for verdict in before for problem in verdict["problems"]]
    (problem,) = last["problems"]
    assert (problem["severity"], problem["rule"]) == (severity, rule), problem
    assert find_rule_text(rule) or SECTION.fullmatch(rule) or not rule
    text = run("check", event)
    assert text.code == 1
    (line,) = [line for line in text.out.splitlines() if line.startswith("round ") and ", " in line]
    assert line.startswith(f"round {last['round']}, {severity}: ")
    assert line.endswith(f"({rule})") or not rule
    for player in event["players"]:
        if player["id"] in problem["players"][:8]:
            assert re.search(rf"\b{player['name']}\b", line), line
        assert not re.search(rf"\b{player['id']}\b", line), line
    found: dict[str, Any] = problem
    return found


def an_event(rules: str, number: int, rounds: int, options: Plain | None = None, **about: Any) -> Plain:
    """A valid event without seeds, so that only what its rules say is judged; with names unlike ids."""
    event = whole_event(rules, people(number, **about), rounds, options or {}, drops=False)
    for a_round in event["rounds"]:
        del a_round["seed"]
    for player in event["players"]:
        player["name"] = f"Player{player['id'].upper()}"
    assert all(verdict["legal"] and verdict["optimal"] for verdict in judged(event))
    return event


def last_tables(event: Plain) -> list[list[str]]:
    return [table["players"] for table in event["rounds"][-1]["tables"]]


def swapped(event: Plain, one: str, other: str) -> Plain:
    """The event with two players in each other's place in its last round, where no result counts yet."""
    event = deepcopy(event)
    names = {one: other, other: one}
    for table in event["rounds"][-1]["tables"]:
        table["players"] = [names.get(player_id, player_id) for player_id in table["players"]]
        if table.get("winner") in names:
            table["winner"] = names[table["winner"]]
    return event


def met(event: Plain) -> set[frozenset[str]]:
    earlier = event["rounds"][:-1]
    return {frozenset(t["players"]) for a_round in earlier for t in a_round["tables"] if not t.get("bye")}


def had_bye(event: Plain) -> list[str]:
    earlier = event["rounds"][:-1]
    return [t["players"][0] for a_round in earlier for t in a_round["tables"] if t.get("bye")]


SECOND_BYES = [
    ("pokemon-2017", "illegal", "PK-8"),
    ("pokemon-tom", "illegal", "PK-8"),
    ("dci-1999", "not optimal", "DC-A2"),
    ("mtr", "not optimal", "10.4"),
    ("fab-gem", "illegal", "FB-A11"),
]


@pytest.mark.parametrize(("rules", "severity", "rule"), SECOND_BYES)
def test_a_second_bye(rules: str, severity: str, rule: str) -> None:
    event = an_event(rules, 11, 2, {"rounds": 4})
    (alone,) = [table[0] for table in last_tables(event) if len(table) == 1]
    damaged = swapped(event, alone, had_bye(event)[0])
    assert the_problem(damaged, severity, rule)["players"] == had_bye(event)


REMATCHES = [
    ("pokemon-2017", "not optimal", "PK-10"),
    ("dci-1999", "not optimal", "DC-A1"),
    ("mtr", "not optimal", "10.4"),
    ("fab-gem", "illegal", "FB-9"),
]


@pytest.mark.parametrize(("rules", "severity", "rule"), REMATCHES)
def test_a_rematch(rules: str, severity: str, rule: str) -> None:
    event = an_event(rules, 16, 2, {"rounds": 4})
    for table in last_tables(event):
        for opponent in (set(pair) - {table[0]} for pair in met(event) if table[0] in pair):
            damaged = swapped(event, table[1], *opponent)
            again = [set(pair) for pair in last_tables(damaged) if frozenset(pair) in met(event)]
            if len(again) == 1:
                problem = the_problem(damaged, severity, rule)
                assert set(problem["players"]) == again[0]
                return
    raise AssertionError("no swap makes exactly one rematch")


PAIR_DOWNS = [
    ("pokemon-2017", "PK-7"),
    ("pokemon-tom", "PK-7"),
    ("dci-1999", "DC-5"),
    ("mtr", "10.4"),
    ("fab-gem", "FB-9"),
]


@pytest.mark.parametrize(("rules", "rule"), PAIR_DOWNS)
def test_two_players_swapped_between_score_groups(rules: str, rule: str) -> None:
    event = an_event(rules, 16, 2, {"rounds": 5})
    top, bottom = last_tables(event)[0], last_tables(event)[-1]
    tried = [swapped(event, one, bottom[0]) for one in top]
    damaged = next(d for d in tried if not {frozenset(pair) for pair in last_tables(d)} & met(event))
    problem = the_problem(damaged, "not optimal", rule)
    assert set(problem["players"]) == {*top, *bottom}
    assert "squared" not in problem["text"]


@pytest.mark.parametrize("rules", ["pokemon-2017", "dci-1999", "mtr", "fab-gem", "allegiance-2005"])
def test_a_changed_seed(rules: str) -> None:
    event = whole_event(rules, people(16, name=lambda i: f"Player {i:02}."), 2, {}, drops=False)
    event["rounds"][-1]["seed"] = "another"
    assert the_problem(event, "not replayed", "")["players"] == []


@pytest.mark.parametrize("rules", ["pokemon-2017", "dci-1999", "mtr", "fab-gem"])
def test_a_swap_is_not_told_again_as_another_draw(rules: str) -> None:
    event = whole_event(rules, people(16), 2, {"rounds": 5}, drops=False)
    tables = last_tables(event)
    last = judged(swapped(event, tables[0][0], tables[-1][0]))[-1]
    assert last["replayed"] is False
    assert [problem["severity"] for problem in last["problems"]] == ["not optimal"]


@pytest.mark.parametrize("rules", ["pokemon-2017", "dci-1999", "mtr", "fab-gem", "allegiance-2005"])
def test_a_player_who_has_left_has_no_seat(rules: str) -> None:
    event = an_event(rules, 16, 2)
    left = event["players"][3]
    left["dropped"] = 1
    refused = run("check", event)
    assert_refused(refused, "rounds[1].tables[", "dropped after round 1")


@pytest.mark.parametrize(
    ("rules", "rule"), [("pokemon-2017", "PK-4"), ("dci-1999", "DC-1"), ("mtr", "2.1"), ("fab-gem", "FB-1")]
)
def test_a_table_that_is_missing(rules: str, rule: str) -> None:
    event = an_event(rules, 16, 2)
    gone = event["rounds"][-1]["tables"].pop()["players"]
    assert sorted(the_problem(event, "illegal", rule)["players"]) == sorted(gone)


# Pools


def test_tables_across_divisions_of_one_pool() -> None:
    divisions = ["masters", "senior"]
    event = an_event("pokemon-2017", 10, 1, {"rounds": 4}, division=lambda i: divisions[i < 4])
    senior = {player["id"] for player in event["players"] if player["division"] == "senior"}
    inside = next(table for table in last_tables(event) if set(table) <= senior)
    others = next(table for table in last_tables(event) if not set(table) & senior)
    problem = the_problem(swapped(event, inside[0], others[0]), "not optimal", "PK-14")
    assert set(problem["players"]) == {*inside, *others}


def test_tables_across_divisions_that_play_apart() -> None:
    event = an_event("pokemon-2017", 16, 2, {"rounds": 4}, division=lambda i: ["masters", "senior"][i % 2])
    masters, seniors = (
        next(table for table in last_tables(event) if int(table[0][1:]) % 2 == number) for number in (0, 1)
    )
    problem = the_problem(swapped(event, masters[0], seniors[0]), "illegal", "PK-12")
    assert set(problem["players"]) == {*masters, *seniors}


def test_tables_across_flights() -> None:
    event = an_event("pokemon-2017", 66, 2, {"flights": 2})
    flight = {player["id"]: player["flight"] for player in event["players"]}
    one, other = (next(t for t in last_tables(event) if flight[t[0]] == number) for number in (1, 2))
    problem = the_problem(swapped(event, one[0], other[0]), "illegal", "PK-45")
    assert set(problem["players"]) == {*one, *other}


def test_tables_across_pods() -> None:
    event = an_event("fab-gem", 24, 2, {"mode": "draft"})
    pod = {player["id"]: player["pod"] for player in event["players"]}
    one, other = (next(t for t in last_tables(event) if pod[t[0]] == number) for number in (1, 3))
    problem = the_problem(swapped(event, one[0], other[0]), "illegal", "FB-11")
    assert set(problem["players"]) == {*one, *other}


# Larger tables


def test_wrong_table_sizes() -> None:
    """AL-3: eight players sit at two tables of four, seven at one of three and one of four."""
    event = an_event("allegiance-2005", 12, 1)
    tables = event["rounds"][-1]["tables"]
    moved = [table["players"] for table in tables]
    sizes = [moved[0] + moved[3][:1], moved[1] + moved[3][1:2], moved[2] + moved[3][2:]]
    event["rounds"][-1]["tables"] = [{"players": players, "winner": players[0]} for players in sizes]
    problem = the_problem(event, "illegal", "AL-2")
    assert problem["text"] == "wrong table sizes: 3 tables of 4 (expected: 4 tables of 3)"


def test_a_rematch_at_larger_tables() -> None:
    event = an_event("allegiance-2005", 12, 2)
    first = event["rounds"][0]["tables"][0]["players"]
    here = next(table for table in last_tables(event) if first[0] in table)
    stranger = next(player for player in here if player not in first)
    again = next(player for player in first[1:] if player not in here)
    problem = the_problem(swapped(event, stranger, again), "not optimal", "AL-14")
    assert {first[0], again} <= set(problem["players"])


def test_larger_tables_against_the_standings() -> None:
    event = an_event("allegiance-2005", 27, 2)
    rounds = run("standings", event, "--after", "1", "--json")
    order = [row["id"] for row in json.loads(rounds.out)["standings"]]
    problem = the_problem(swapped(event, order[0], order[-1]), "not optimal", "AL-16")
    assert order[0] in problem["players"]
    assert re.fullmatch(
        r"players sit \d+ seats away from their places .*, all together \(possible: 0\)", problem["text"]
    )


# The chart


def test_another_order_of_the_chart() -> None:
    event = document(played("draft-sheet", FIRST, "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8", seat=SEATS))
    for player in event["players"]:
        player["name"] = f"Player{'ABCDEFGH'[int(player['id']) - 1]}"
    problem = the_problem_without_ids(swapped(event, "3", "4"))
    assert (problem["rule"], problem["severity"]) == ("DS-6", "illegal")
    assert sorted(problem["players"]) == list("1234")
    assert problem["text"].startswith("not the tables of the chart (expected: PlayerA and PlayerC; ")


def test_another_order_of_the_chart_after_one_draw() -> None:
    first = FIRST.replace("1 beats", "1 ties")
    event = document(played("draft-sheet", first, "1 beats 4, 5 beats 7, 2 beats 3, 6 beats 8", seat=SEATS))
    problem = the_problem_without_ids(event)
    assert (problem["rule"], problem["severity"]) == ("DS-6", "illegal")
    assert sorted(problem["players"]) == list("1234")


def test_the_chart_where_records_decide() -> None:
    """DS-14: after two draws, players with equal records meet, which the chart does not do."""
    first = FIRST.replace("1 beats", "1 ties").replace("2 beats", "2 ties")
    event = document(played("draft-sheet", first, "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8", seat=SEATS))
    problem = the_problem_without_ids(event)
    assert (problem["rule"], problem["severity"]) == ("DS-15", "not optimal")


def the_problem_without_ids(event: Plain) -> Problem:
    """The one problem of the last round; its players have numbers for ids."""
    *before, last = judged(event)
    assert not [problem for verdict in before for problem in verdict["problems"]]
    (problem,) = last["problems"]
    return dict(problem)


# Brackets, cuts, round robins


def decided(number: int, rules: str, options: Plain, rounds: int) -> Plain:
    """A valid event with decisive tables in which players have no seeds and rounds have none either."""
    event: Plain = {"topcut": 1, "name": "Cup", "rules": rules, "options": options, "rounds": []}
    event["players"] = [{"id": f"p{i:02}", "name": f"PlayerP{i:02}"} for i in range(number)]
    for at in range(1, rounds + 1):
        answer = run("pair", event, "--json", "--seed", f"round {at}")
        assert answer.code == 0, answer
        found = json.loads(answer.out)
        for player in event["players"]:
            for kind in ("cut", "seed"):
                if player["id"] in found.get(f"{kind}s", found.get(kind, {})):
                    player[kind] = found.get(f"{kind}s", found.get(kind))[player["id"]]
        tables = [
            table if table.get("bye") else {**table, "winner": table["players"][0]}
            for table in found["tables"]
        ]
        event["rounds"].append({"stage": found["stage"], "seed": found["seed"], "tables": tables})
    assert all(verdict["legal"] and verdict["optimal"] for verdict in judged(event))
    return event


BRACKETS = [("pokemon-2017", "PK-39"), ("dci-1999", "DC-11"), ("mtr", "10.4"), ("fab-gem", "FB-12")]
CUT = {"format": "swiss+elimination", "rounds": 3, "cut": 4}


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("rules", "rule"), BRACKETS)
def test_a_wrong_pair_in_the_first_round_of_a_bracket(rules: str, rule: str, told: bool) -> None:
    """It is one without `options.format` too."""
    event = decided(12, rules, CUT, 4)
    if not told:
        event["options"] = {"rounds": 3}
        assert not any(verdict["problems"] for verdict in judged(event))
    (one, two), (three, four) = last_tables(event)
    problem = the_problem(swapped(event, two, three), "illegal", rule)
    assert sorted(problem["players"]) == sorted([one, two, three, four])
    name = {player["id"]: player["name"] for player in event["players"]}
    assert f"{name[one]} against {name[three]}" in problem["text"]
    assert "expected: " in problem["text"]


@pytest.mark.parametrize(("rules", "rule"), BRACKETS)
def test_a_player_in_a_bracket_who_missed_the_cut(rules: str, rule: str) -> None:
    event = decided(12, rules, CUT, 4)
    seated = {player_id for table in last_tables(event) for player_id in table}
    outside = next(player["id"] for player in event["players"] if player["id"] not in seated)
    inside = last_tables(event)[0][0]
    for player in event["players"]:
        player.pop("cut", None)
    problem = the_problem(swapped(event, inside, outside), "illegal", rule)
    assert {inside, outside} <= set(problem["players"])


@pytest.mark.parametrize(("rules", "rule"), BRACKETS)
def test_a_wrong_pair_later_in_a_bracket(rules: str, rule: str) -> None:
    """Two winners of the quarter-finals in each other's semi-final."""
    event = decided(20, rules, {**CUT, "cut": 8}, 5)
    (_, two), (three, _) = last_tables(event)
    assert len(the_problem(swapped(event, two, three), "illegal", rule)["players"]) == 4


def test_a_bracket_before_all_swiss_rounds_are_played() -> None:
    event = decided(12, "mtr", CUT, 4)
    event["options"] = {**CUT, "rounds": 5}
    problem = the_problem(event, "illegal", "Appendix E")
    assert problem["text"] == "the elimination rounds begin after 3 of 5 planned rounds"


def test_a_wrong_pair_in_a_round_robin() -> None:
    event = decided(8, "mtr", {"format": "round-robin"}, 3)
    tables = last_tables(event)
    damaged = swapped(event, tables[0][1], tables[1][1])
    answer = run("check", damaged)
    assert answer.code == 1, answer
    assert answer.out.count("round 3, illegal: ") == 1


def test_a_wrong_pair_in_an_elimination_event() -> None:
    event = decided(8, "pokemon-2017", {"format": "elimination"}, 2)
    (_, two), (three, _) = last_tables(event)
    assert len(the_problem(swapped(event, two, three), "illegal", "PK-30")["players"]) == 4


def test_an_elimination_event_without_seeds_is_in_order() -> None:
    """Any order of rank seeds can have been drawn; no option says that it is an elimination event."""
    event = decided(8, "mtr", {"format": "elimination"}, 3)
    event["options"] = {}
    for player in event["players"]:
        player.pop("seed")
    for a_round in event["rounds"]:
        del a_round["seed"]
    assert not any(verdict["problems"] for verdict in judged(event))


# Nothing wrong

IN_ORDER = [
    ("pokemon-2017", 12, CUT, 5),
    ("pokemon-2017", 9, {"format": "elimination"}, 4),
    ("pokemon-2017", 8, {"format": "double-elimination"}, 5),
    ("pokemon-2017", 7, {"format": "round-robin"}, 7),
    ("pokemon-tom", 12, CUT, 5),
    ("dci-1999", 13, CUT, 5),
    ("dci-1999", 8, {"format": "elimination", "third_place": True}, 3),
    ("mtr", 14, {**CUT, "third_place": True}, 5),
    ("mtr", 6, {"format": "double-elimination"}, 4),
    ("mtr", 5, {"format": "round-robin"}, 5),
    ("fab-gem", 12, CUT, 5),
    ("fab-gem", 11, {"format": "elimination"}, 4),
    ("draft-sheet", 8, {}, 3),
    ("draft-sheet", 6, {}, 3),
    ("allegiance-2005", 11, {"rounds": 4}, 4),
]


@pytest.mark.parametrize(("rules", "players", "options", "rounds"), IN_ORDER)
@pytest.mark.parametrize("seeded", [True, False])
def test_a_valid_event_has_no_problem(
    rules: str, players: int, options: Plain, rounds: int, seeded: bool
) -> None:
    event = decided(players, rules, options, rounds)
    for a_round in event["rounds"] if not seeded else ():
        del a_round["seed"]
    for verdict in judged(event):
        assert (verdict["legal"], verdict["optimal"]) == (True, True), verdict
        assert (verdict["problems"], verdict["remarks"]) == ([], [])
        assert verdict["replayed"] is (True if seeded else None)
