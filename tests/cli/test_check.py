"""`topcut check`: it finds what is wrong with a round, and whole events from `topcut pair` are in order."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.command_line import Answer, assert_refused, changed, document, topcut, write
from tests.pairing.pairing_oracle import pairings
from topcut.formats.event_file import Event

COST = ["second_byes", "rematches", "dead_end", "bye_points", "cross_division", "score_gap_squared", "apart"]
ROUNDS = {"rounds": 6}


def run(command: str, event: Event | dict[str, Any], *arguments: str) -> Answer:
    plain = document(event) if isinstance(event, Event) else event
    return topcut(command, "-", *arguments, stdin=json.dumps(plain).encode())


def checked(event: Event | dict[str, Any], code: int) -> list[dict[str, Any]]:
    """The verdicts on all rounds."""
    answer = run("check", event, "--json")
    assert (answer.code, answer.err) == (code, ""), answer
    found = json.loads(answer.out)
    assert sorted(found) == ["ok", "overrides", "rounds"]
    assert found["ok"] is (code == 0)
    rounds: list[dict[str, Any]] = found["rounds"]
    return rounds


def wrong(event: Event | dict[str, Any]) -> dict[str, Any]:
    """The verdict on the last round; those before it are in order."""
    *before, last = checked(event, code=1)
    assert all(verdict["legal"] and verdict["optimal"] and not verdict["problems"] for verdict in before)
    return last


def cost(**parts: int) -> dict[str, int]:
    return {**dict.fromkeys(COST, 0), **parts}


# The document


def test_the_document_has_the_keys_of_the_contract() -> None:
    rounds = checked(played("dci-1999", "A beats B, C beats D", "A beats C, B beats D"), code=0)
    keys = ["round", "legal", "optimal", "replayed", "cost", "best", "problems", "pair_downs", "remarks"]
    assert [sorted(verdict) for verdict in rounds] == [sorted(keys)] * 2
    assert rounds[1] == {
        "round": 2,
        "legal": True,
        "optimal": True,
        "replayed": None,
        "cost": cost(),
        "best": cost(),
        "problems": [],
        "pair_downs": 0,
        "remarks": [],
    }


def test_the_table_for_people() -> None:
    event = played("dci-1999", "A beats B, C beats D", "A beats D, C beats B", options={"rounds": 2})
    answer = run("check", event)
    assert (answer.code, answer.err) == (1, "")
    lines = [line.split() for line in answer.out.splitlines()]
    assert lines[0] == ["An", "event:", "2", "rounds"]
    assert lines[2] == ["round", "legal", "optimal", "replayed", "pairings"]
    assert lines[4] == ["1", "yes", "yes", "-", "-"]
    assert lines[5] == ["2", "yes", "NO", "-", "2", "pair-downs"]
    assert answer.out.splitlines()[-3:] == [
        "round 2, not optimal: pair-downs: 2 by 3 points (possible: none): A and D; C and B (DC-5)",
        "A round that is not optimal breaks no rule, but a better pairing was possible.",
        "problems were found",
    ]
    good = run("check", played("dci-1999", "A beats B, C beats D"))
    assert (good.code, good.out.splitlines()[-1]) == (0, "everything is in order")


def test_an_event_without_rounds_is_in_order() -> None:
    assert checked(played("mtr", players="A B C"), code=0) == []


def test_the_last_round_may_still_be_played() -> None:
    assert len(checked(played("mtr", "A beats B, C beats D", "A - C, B - D"), code=0)) == 2


# What it finds


def test_an_avoidable_rematch() -> None:
    event = played("dci-1999", "A beats B, C beats D", "A beats B, C beats D", options=ROUNDS)
    found = wrong(event)
    assert (found["legal"], found["optimal"]) == (True, False)
    assert (found["cost"], found["best"]) == (cost(rematches=2, score_gap_squared=18), cost())
    (problem,) = found["problems"]
    assert problem["rule"] == "DC-A1"
    assert sorted(problem["players"]) == list("ABCD")
    assert "rematches" in problem["text"]
    assert re.findall(r"\d+", problem["text"]) == ["2", "0"]


def test_a_rematch_that_could_not_be_avoided_is_in_order() -> None:
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "A beats D, B beats C", "A beats B, C beats D")
    last = checked(played("dci-1999", *rounds, options=ROUNDS), code=0)[-1]
    assert last["cost"] == last["best"] == cost(rematches=2, score_gap_squared=18)
    last = checked(played("dci-1999", "A beats B", "B beats A", options=ROUNDS), code=0)[-1]
    assert last["cost"] == last["best"] == cost(rematches=1, score_gap_squared=9)


def test_a_forbidden_rematch_is_not_even_legal() -> None:
    """FB-9."""
    found = wrong(played("fab-gem", "A beats B, C beats D", "A beats B, C beats D", options=ROUNDS))
    assert not found["legal"]
    assert [problem["players"] for problem in found["problems"]] == [["A", "B"], ["C", "D"]]
    assert {problem["rule"] for problem in found["problems"]} == {"FB-9"}


def test_pk_8_a_second_bye() -> None:
    event = played("pokemon-2017", "A beats B, C bye", "A beats B, C bye", options=ROUNDS)
    found = wrong(event)
    assert (found["legal"], found["optimal"]) == (False, False)
    (problem,) = found["problems"]
    told = {"rule": "PK-8", "players": ["C"], "text": "second bye", "severity": "illegal", "tables": [["C"]]}
    assert problem == told


def test_a_second_bye_is_counted_as_one() -> None:
    event = played("pokemon-2017", "A beats B, C bye", "A beats B, C bye", options=ROUNDS)
    found = wrong(event)
    assert found["cost"]["second_byes"] == 1
    assert not any("1073741824" in problem["text"] for problem in found["problems"])


def test_a_second_bye_where_it_is_only_avoided() -> None:
    found = wrong(played("dci-1999", "A beats B, C bye", "A beats B, C bye", options=ROUNDS))
    assert (found["legal"], found["optimal"]) == (True, False)
    (problem,) = found["problems"]
    assert (problem["rule"], problem["players"]) == ("DC-A2", ["C"])


def test_a_bye_for_a_leader() -> None:
    found = wrong(played("mtr", "A beats B, C beats D, E bye", "A bye, C beats B, D beats E", options=ROUNDS))
    (problem,) = found["problems"]
    assert problem["players"] == ["A"]
    assert "bye" in problem["text"]
    assert (found["cost"]["bye_points"], found["best"]["bye_points"]) == (3, 0)


def test_a_pair_down_that_is_worse_than_it_need_be() -> None:
    """A and B have 3 points, C and D one each, E and F none: winners should meet."""
    first = "A beats E, B beats F, C ties D"
    found = wrong(played("mtr", first, "A beats C, B beats D, E beats F", options={"rounds": 2}))
    assert found["cost"] == cost(score_gap_squared=8)
    assert found["best"] == cost(score_gap_squared=2)
    (problem,) = found["problems"]
    assert problem["tables"] == [["A", "C"], ["B", "D"]]
    assert problem["text"] == "pair-downs: 2 by 2 points (possible: 2 by 1 point)"


def test_a_round_that_leaves_no_other() -> None:
    """The cheapest third round leaves two groups of three who have all met."""
    rounds = ("A beats E, D beats C, B beats F", "E beats C, D beats B, A beats F")
    event = played("mtr", *rounds, "A beats D, B beats E, C beats F", options={"rounds": 4})
    found = wrong(event)
    assert (found["cost"]["dead_end"], found["best"]["dead_end"]) == (1, 0)
    assert "later round" in found["problems"][0]["text"]


def test_tables_across_divisions() -> None:
    ages = {"A": "masters", "B": "masters", "C": "senior", "D": "senior"}
    found = wrong(played("pokemon-2017", "A beats C, B beats D", division=ages, options=ROUNDS))
    assert (found["cost"]["cross_division"], found["best"]["cross_division"]) == (2, 0)


def six_against_six() -> Event:
    """PK-12: masters and seniors should play apart."""
    ages = {f"m{i}": "masters" for i in range(6)} | {f"s{i}": "senior" for i in range(6)}
    tables = ", ".join(f"m{i} beats s{i}" for i in range(6))
    return played("pokemon-2017", tables, division=ages, options=ROUNDS)


def test_tables_across_divisions_that_play_apart_are_not_legal() -> None:
    found = wrong(six_against_six())
    assert not found["legal"]
    (problem,) = found["problems"]
    assert ["m3", "s3"] in problem["tables"]


def test_they_are_named_once_with_the_rule_that_keeps_divisions_apart() -> None:
    (problem,) = wrong(six_against_six())["problems"]
    assert (problem["rule"], len(problem["tables"])) == ("PK-12", 6)


def test_a_table_across_flights() -> None:
    flights = {f"p{i:02}": 1 + i % 2 for i in range(64)}
    tables = ", ".join(f"p{i:02} beats p{i + 1:02}" for i in range(0, 64, 2))
    found = wrong(played("pokemon-2017", tables, flight=flights, options={"flights": 2}))
    assert not found["legal"]
    (problem,) = found["problems"]
    assert problem["rule"] == "PK-45"
    assert problem["text"] == (
        "32 tables with players of different pools, who are paired apart (Flight 1 and Flight 2)"
    )


def test_a_family_that_could_have_been_kept_apart() -> None:
    found = wrong(played("mtr", "A beats B, C beats D", apart={"A": ["x"], "B": ["x"]}))
    assert (found["cost"]["apart"], found["best"]["apart"]) == (1, 0)


def test_a_player_at_no_table() -> None:
    found = wrong(played("mtr", "A beats B", players="A B C D"))
    assert not found["legal"]
    (problem,) = found["problems"]
    assert (problem["players"], problem["text"]) == (["C", "D"], "takes part, but has no table")
    many = run("check", played("mtr", "A beats B", players="A B C D E F G H I J K L")).out
    assert "takes part, but has no table: C, D, E, F, G, H, I, J and 2 more (2.1)" in many


def test_a_player_at_two_tables() -> None:
    plain = document(played("mtr", "A beats B, C beats D"))
    twice = changed(plain, {"rounds[0].tables[1].players[1]": "A"})
    assert_refused(run("check", twice), "rounds[0].tables[1].players[1]", '"A" sits at tables[0] too')


def test_more_than_one_bye() -> None:
    second = "A beats C, B bye, D bye"
    found = wrong(played("mtr", "A beats B, C beats D", second, options=ROUNDS))
    assert not found["legal"]
    (problem,) = found["problems"]
    assert (problem["players"], problem["text"]) == (["B", "D"], "more than one bye")


def test_byes_of_a_published_event_count_as_awarded_with_a_warning_and_a_remark() -> None:
    """Several in round 1, and in round 2 one of the same players again, beside the usual bye."""
    first = "A bye, B bye, C beats D, E beats F, G beats H"
    second = "A bye, B beats C, E beats G, D beats F, H bye"
    answer = run("check", played("mtr", first, second, options={"rounds": 4}), "--json")
    assert answer.err.splitlines() == [
        "topcut: warning: rounds[0]: 2 players have a bye. Topcut counts each as an awarded bye",
        "topcut: warning: rounds[1]: 1 player has a bye. Topcut counts it as an awarded bye",
    ]
    rounds = json.loads(answer.out)["rounds"]
    assert [verdict["problems"] for verdict in rounds] == [[], []]
    assert [[remark["players"] for remark in verdict["remarks"]] for verdict in rounds] == [
        [["A", "B"]],
        [["A"]],
    ]
    assert {remark["severity"] for verdict in rounds for remark in verdict["remarks"]} == {"remark"}


def test_a_second_bye_is_not_an_awarded_one_if_round_1_had_only_the_usual_bye() -> None:
    found = wrong(played("mtr", "A beats B, C bye", "C bye, A beats B", options=ROUNDS))
    assert [problem["players"] for problem in found["problems"]] == [["C"]]
    assert found["remarks"] == []


def test_another_seed_than_the_one_recorded() -> None:
    event = played("mtr", players="A B C D E F")
    answer = json.loads(run("pair", event, "--seed", "right", "--json").out)
    text = ", ".join(" beats ".join(table["players"]) for table in answer["tables"])
    (right,) = checked(played("mtr", a_round(text, seed="right")), code=0)
    (other,) = checked(played("mtr", a_round(text, seed="wrong")), code=1)
    assert [right["replayed"], other["replayed"]] == [True, False]
    assert (other["legal"], other["optimal"]) == (True, True)
    (problem,) = other["problems"]
    assert (problem["rule"], problem["players"], problem["severity"]) == ("", [], "not replayed")
    assert problem["text"] == "the seed draws different tables from the recorded ones"


def test_what_the_rules_refuse_replays_from_no_seed() -> None:
    """PK-8: all three have had a bye."""
    rounds = ("A beats B, C bye", "A beats C, B bye", "B beats C, A bye")
    event = played("pokemon-2017", *rounds, a_round("A beats B, C bye", seed="any"), options=ROUNDS)
    assert (wrong(event)["legal"], wrong(event)["replayed"]) == (False, False)


# The chart


SEATS = {str(seat): seat for seat in range(1, 9)}
FIRST = "1 beats 5, 2 beats 6, 3 beats 7, 4 beats 8"


def test_a_round_beside_the_chart() -> None:
    good, bad = "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8", "1 beats 2, 3 beats 4, 5 beats 6, 7 beats 8"
    assert len(checked(played("draft-sheet", FIRST, good, seat=SEATS), code=0)) == 2
    found = wrong(played("draft-sheet", FIRST, bad, seat=SEATS))
    assert found["problems"][0]["rule"].startswith("DS-")
    assert "chart" in found["problems"][0]["text"]


@pytest.mark.parametrize("places", ["1 beats 3, 5 beats 7", "5 beats 3, 1 beats 7"])
def test_either_lot_after_a_draw_is_in_order(places: str) -> None:
    checked(
        played(
            "draft-sheet", FIRST.replace("1 beats", "1 ties"), f"{places}, 2 beats 4, 6 beats 8", seat=SEATS
        ),
        0,
    )


def test_every_pairing_by_records_is_in_order() -> None:
    """All four tables of round 1 were drawn: everybody may meet anybody else."""
    met = [frozenset(table) for table in ("15", "26", "37", "48")]
    every = sorted(sorted(map(sorted, p)) for p in pairings("12345678", lambda table: table not in met))
    assert len(every) == 60
    for tables in every[::5]:
        second = ", ".join(" beats ".join(table) for table in tables)
        checked(played("draft-sheet", FIRST.replace("beats", "ties"), second, seat=SEATS), code=0)


def test_two_empty_places_on_the_chart_are_two_byes() -> None:
    """DS-18."""
    second = "3 bye, 4 bye, 5 beats 7, 6 beats 8"
    checked(played("draft-sheet", FIRST, second, seat=SEATS, dropped={"1": 1, "2": 1}), code=0)


def test_a_fourth_round_is_not_on_the_chart() -> None:
    rounds = ("1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8", "1 beats 2, 3 beats 4, 5 beats 6, 7 beats 8")
    found = wrong(
        played("draft-sheet", FIRST, *rounds, "1 beats 6, 2 beats 5, 3 beats 8, 4 beats 7", seat=SEATS)
    )
    assert found["round"] == 4


def test_the_first_round_of_a_sheet_without_seats_is_in_order() -> None:
    checked(played("draft-sheet", FIRST), code=0)


# Exit codes


def test_bad_input(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert_refused(topcut("check", str(missing)), f"{missing}: cannot read this file")
    file = write(played("mtr", "A - B, C beats D", "A beats C, B beats D"), tmp_path / "cup.json")
    assert_refused(topcut("check", str(file)), f"{file}: rounds: not reported yet: round 1 table 1 (A, B)")
    assert_refused(run("check", played("mtr", players="A B"), "--rounds", "2"), "--rounds")


def test_larger_tables_are_judged_too() -> None:
    """One table is all there is for three; the pair of a and b need not meet again among six."""
    (found,) = checked(played("allegiance-2005", "a:20* b:7 c:9"), code=0)
    assert (found["legal"], found["optimal"], found["problems"]) == (True, True, [])
    first = "a:20* b:7 c:9, d:20* e:7 f:8"
    found = wrong(played("allegiance-2005", first, first))
    assert (found["legal"], found["optimal"]) == (True, False)
    assert (found["cost"]["rematches"], found["best"]["rematches"]) == (6, 2)
    (problem,) = found["problems"]
    assert (problem["rule"], sorted(problem["players"])) == ("AL-14", list("abcdef"))
    assert re.findall(r"\d+", problem["text"]) == ["6", "1", "2"]


def whole_event(
    rules: str, players: list[dict[str, Any]], rounds: int, options: dict[str, Any], drops: bool = True
) -> dict[str, Any]:
    """An event from its first round on."""
    event = {"topcut": 1, "name": "Cup", "rules": rules, "options": options, "rounds": []}
    return go_on({**event, "players": deepcopy(players)}, rounds, drops)


def go_on(event: dict[str, Any], rounds: int, drops: bool = True) -> dict[str, Any]:
    """Pair, report, pair again, as somebody at a desk would: answers are copied as they are."""
    random = Random(f"{event['rules']} {len(event['players'])}")
    for number in range(len(event["rounds"]) + 1, len(event["rounds"]) + rounds + 1):
        answer = run("pair", event, "--json", "--seed", f"round {number}")
        assert answer.code == 0, answer
        found = json.loads(answer.out)
        for kind in ("seat", "pod", "flight"):
            for player in event["players"]:
                if player["id"] in found.get(f"{kind}s", {}):
                    player[kind] = found[f"{kind}s"][player["id"]]
        for table in found["tables"]:
            if not table.get("bye"):
                table["winner"] = random.choice([*table["players"], *table["players"], "draw"])
        event["rounds"].append({"seed": found["seed"], "tables": found["tables"]})
        here = [p for p in event["players"] if "dropped" not in p and p.get("entered", 1) <= number]
        for player in random.sample(here, random.choice([0, 0, 1]) if drops else 0):
            player["dropped"] = number
    return event


def people(number: int, **about: Any) -> list[dict[str, Any]]:
    return [{"id": f"p{i:02}", **{key: value(i) for key, value in about.items()}} for i in range(number)]


@pytest.mark.parametrize(
    ("rules", "players", "rounds", "options"),
    [
        ("mtr", people(7), 4, {"rounds": 4}),
        ("mtr", people(30, entered=lambda i: 1 + (i > 26) + (i > 28)), 6, {"rounds": 6}),
        ("dci-1999", people(11, apart=lambda i: [f"club {i % 2}"]), 4, {}),
        ("pokemon-2017", people(9, division=lambda i: ["masters", "senior"][i % 2]), 3, {"rounds": 3}),
        ("pokemon-2017", people(21, born=lambda i: [1999, 2005, 2009][i % 3]), 3, {}),
        ("pokemon-2017", people(70), 4, {"flights": 2}),
        ("pokemon-tom", people(13), 4, {}),
        ("fab-gem", people(10), 5, {"rounds": 5}),
        ("fab-gem", people(21), 3, {"mode": "draft"}),
        ("allegiance-2005", people(10), 4, {}),
        ("commander-4", people(19, apart=lambda i: [f"club {i % 5}"]), 3, {"rounds": 3}),
    ],
)
def test_a_whole_event_is_in_order_and_replays(
    rules: str, players: list[dict[str, Any]], rounds: int, options: dict[str, Any]
) -> None:
    verdicts = checked(whole_event(rules, players, rounds, options), code=0)
    assert [verdict["round"] for verdict in verdicts] == [*range(1, rounds + 1)]
    for verdict in verdicts:
        assert (verdict["legal"], verdict["optimal"], verdict["replayed"]) == (True, True, True)
        assert verdict["cost"] == verdict["best"]


def test_rounds_before_a_draft_are_judged_without_its_pods() -> None:
    event = whole_event("fab-gem", people(20), 2, {"rounds": 5})
    event["options"] = {"rounds": 5, "mode": "draft"}
    verdicts = checked(go_on(event, 3), code=0)
    assert [verdict["replayed"] for verdict in verdicts] == [True] * 5
    assert {player.get("pod") for player in event["players"]} >= {1, 2}


@pytest.mark.parametrize("players", [6, 7, 8])
def test_a_whole_draft_is_in_order_and_replays(players: int) -> None:  # byes of empty seats too (DS-18)
    verdicts = checked(whole_event("draft-sheet", people(players), 3, {}, drops=False), code=0)
    assert [verdict["replayed"] for verdict in verdicts] == [True] * 3
