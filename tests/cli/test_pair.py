"""`topcut pair`: the answer is the one of the contract."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.command_line import Answer, assert_refused, document, topcut, write
from topcut.formats.event_file import Event

FIVE = played("mtr", "A beats B, C beats D, E bye", name={"A": "Ada", "C": "Cleo"})
"""Ada, Cleo and E have 3 points."""
COST = ["second_byes", "rematches", "dead_end", "bye_points", "cross_division", "score_gap_squared", "apart"]


def run(event: Event | dict[str, Any], *arguments: str) -> Answer:
    plain = document(event) if isinstance(event, Event) else event
    return topcut("pair", "-", *arguments, stdin=json.dumps(plain).encode())


def answered(event: Event | dict[str, Any], *arguments: str) -> dict[str, Any]:
    """The JSON document for an event."""
    answer = run(event, "--json", *arguments)
    assert answer.code == 0, answer
    found: dict[str, Any] = json.loads(answer.out)
    return found


# The document


def test_the_document_has_the_keys_of_the_contract() -> None:
    found = answered(FIVE, "--seed", "lots")
    keys = ["round", "stage", "seed", "optimal", "uniform", "tables", "cost", "certificate", "warnings"]
    assert sorted(found) == sorted(keys)
    assert (found["round"], found["stage"], found["seed"]) == (2, "swiss", "lots")
    assert (found["optimal"], found["uniform"], found["warnings"]) == (True, "exact", [])
    assert list(found["cost"]) == COST
    assert all(type(number) is int for number in found["cost"].values())
    assert found["certificate"]["kind"] in ("parity", "exhaustive", "matching")
    *tables, last = found["tables"]
    assert [sorted(table) for table in tables] == [["players", "table", "why"]] * 2
    assert [table["table"] for table in tables] == [1, 2]
    assert sorted(last) == ["bye", "players", "why"]
    assert last["bye"] is True
    assert sorted(player_id for table in found["tables"] for player_id in table["players"]) == list("ABCDE")


def test_the_first_round() -> None:
    found = answered(played("dci-1999", players="A B C D"), "--seed", "")
    assert (found["round"], found["seed"], len(found["tables"])) == (1, "", 2)


@pytest.mark.parametrize(
    ("rules", "options", "number", "key"),
    [
        ("draft-sheet", {}, 8, "seats"),
        ("fab-gem", {"mode": "draft"}, 12, "pods"),
        ("pokemon-2017", {"flights": 2}, 64, "flights"),
    ],
)
def test_what_was_drawn_first_is_in_the_answer(
    rules: str, options: dict[str, Any], number: int, key: str
) -> None:
    ids = [f"p{i}" for i in range(number)]
    event = document(played(rules, players=" ".join(ids), options=options))
    found = answered(event, "--seed", "lots")
    assert sorted(found[key]) == sorted(ids)
    for player in event["players"]:
        player[key.removesuffix("s")] = found[key][player["id"]]
    again = answered(event, "--seed", "lots")
    assert key not in again
    assert again["tables"] == found["tables"]


def test_the_document_of_larger_tables() -> None:
    """The cost also has the distances from the standings, and repeated pairs by round."""
    found = answered(played("commander-4", "a beats b c d, e beats f g h, i ties j k"), "--seed", "lots")
    assert list(found["cost"]) == [*COST[:-1], "displacement", "apart", "rematches_by_round"]
    assert found["cost"]["rematches_by_round"] == {"1": found["cost"]["rematches"]}
    assert sorted(found["certificate"]) == ["bound", "kind", "optimal", "seatings"]
    assert [sorted(table) for table in found["tables"]] == [["players", "table", "why"]] * 3
    assert [len(table["players"]) for table in found["tables"]] == [4, 4, 3]
    again = document(played("commander-4", "a beats b c d, e beats f g h, i ties j k"))
    again["rounds"].append({"seed": "lots", "tables": found["tables"]})
    assert topcut("check", "-", stdin=json.dumps(again).encode()).code == 0


# For people


def test_the_table_for_people() -> None:
    event = played(
        "mtr", "Ada beats B, Cleo beats D", "Ada beats Cleo, B beats D", options={"rounds": 3}, players="Ada"
    )
    answer = run(event, "--seed", "lots")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "An event: round 3 (Magic Tournament Rules)",
        "",
        "table  players   why",
        "-----  --------  -----------------------------------------------------",
        "    1  Ada - D   paired down from 6 to 0 points: no other player had 6",
        "    2  B - Cleo  same points (3)",
        "",
        "seed lots; proved optimal; all optimal pairings were equally likely",
    ]


def test_tables_of_three_and_four_for_people() -> None:
    """AL-T4: 3 and 4 change places."""
    first = "8:13 5:21* 7:6, 2:24* 6:10 3:23, 1:15 4:18 9:0x"
    answer = run(played("allegiance-2005", first, name={"2": "Bo", "3": "Cy", "4": "Di"}), "--seed", "lots")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "An event: round 2 (Allegiance: War of Factions, game assignment)"
    assert lines[2].split() == ["table", "players", "why"]
    assert [line[:18].strip() for line in lines[4:7]] == ["1  Bo - 5 - Di", "2  Cy - 1 - 8", "3  6 - 7 - 9"]
    assert lines[4].endswith("so that Bo and Cy (round 1) do not meet again (AL-A3)")
    assert lines[-1] == "seed lots; proved optimal; all optimal pairings were equally likely"


def test_names_byes_and_pools_for_people() -> None:
    division = {
        f"{letter}{i}": name
        for letter, name in zip("sm", ("senior", "masters"), strict=True)
        for i in range(7)
    }
    event = played("pokemon-2017", players=" ".join(division), name={"s1": "Siri"}, division=division)
    lines = run(event, "--seed", "lots").out.splitlines()
    assert lines[2].split() == ["table", "pool", "players", "why"]
    assert {line.split()[1] for line in lines[4:12]} == {"senior", "masters"}
    assert [line.split()[0] for line in lines[4:12]] == ["1", "2", "3", "4", "5", "6", "bye", "bye"]
    assert any("Siri" in line for line in lines)


def test_drawn_seats_are_announced() -> None:
    answer = run(played("draft-sheet", players="a b c d e f g h"), "--seed", "lots")
    assert "drawn: seats of 8 players" in answer.out
    assert answer.out.endswith("seed lots; paired by the chart\n")


def test_names_cannot_play_tricks_on_a_terminal() -> None:
    answer = run(played("mtr", players="A B", name={"A": "\x1b[2Jx", "B": "y\nz"}), "--seed", "\x1b[31m")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert len(answer.out.splitlines()) == 7


def test_warnings_go_to_standard_error() -> None:
    rounds = ("A beats B, C beats D", "A beats C, B beats D", "A beats D, B beats C")
    event = played("mtr", *rounds, options={"rounds": 5})
    (warning,) = answered(event)["warnings"]
    assert warning.startswith("2 rematches cannot be avoided (")
    for arguments in ([], ["--json"]):
        answer = run(event, *arguments)
        assert (answer.code, answer.err) == (0, f"topcut: warning: {warning}\n")


# Seeds


def test_a_fresh_seed_is_printed_and_replays() -> None:
    first, second = answered(FIVE), answered(FIVE)
    assert first["seed"] != second["seed"]
    assert len(first["seed"]) >= 12
    for found in (first, second):
        assert answered(FIVE, "--seed", found["seed"]) == found
    text = run(FIVE).out
    seed = text.splitlines()[-1].removeprefix("seed ").partition(";")[0]
    assert run(FIVE, "--seed", seed).out == text


def test_another_seed_draws_another_pairing() -> None:
    drawn = {json.dumps(answered(FIVE, "--seed", str(i))["tables"]) for i in range(40)}
    assert len(drawn) == 4


@pytest.mark.parametrize(("seed", "tables"), [("autumn", "AE CB D"), ("winter", "AC ED B")])
def test_a_seed_draws_the_same_on_every_machine_and_in_every_version(seed: str, tables: str) -> None:
    """If this changes, recorded events no longer replay."""
    found = answered(FIVE, "--seed", seed)["tables"]
    assert ["".join(table["players"]) for table in found] == tables.split()


def test_the_order_of_the_file_does_not_matter() -> None:
    ids = ["p1", "p2", "p10", "p11", "q1", "q2", "Q1", "ä", "o", "ö", "z"]
    random = Random("file")
    plain = document(played("mtr", *_rounds(ids, 2, random), players=" ".join(ids)))
    wanted = answered(plain, "--seed", "lots")
    for _ in range(5):
        other = deepcopy(plain)
        random.shuffle(other["players"])
        for one in other["rounds"]:
            random.shuffle(one["tables"])
        assert answered(other, "--seed", "lots") == wanted


def _rounds(ids: list[str], number: int, random: Random) -> list[str]:
    """So many rounds paired by lot; the last of an odd number has a bye."""
    texts = []
    for _ in range(number):
        order = random.sample(ids, len(ids))
        tables = [f"{order[i]} beats {order[i + 1]}" for i in range(0, len(order) - 1, 2)]
        texts.append(", ".join(tables + [f"{player_id} bye" for player_id in order[-1:] * (len(order) % 2)]))
    return texts


# Many draws


def test_an_audit_counts_what_single_draws_give() -> None:
    found = answered(FIVE, "--seed", "lots", "--draws", "12")
    singles = Counter(tables_of(answered(FIVE, "--seed", f"lots/{i}")) for i in range(1, 13))
    counted = {frozenset(map(frozenset, entry["tables"])): entry["count"] for entry in found["pairings"]}
    assert counted == singles


def tables_of(answer: dict[str, Any]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(table["players"]) for table in answer["tables"])


def test_an_audit_adds_up() -> None:
    found = answered(FIVE, "--seed", "lots", "--draws", "400")
    assert {"draws", "distinct", "pairings"} <= set(found)
    assert (found["draws"], found["distinct"]) == (400, 4)
    assert len(found["pairings"]) == 4
    counts = [entry["count"] for entry in found["pairings"]]
    assert sum(counts) == 400
    assert counts == sorted(counts, reverse=True)
    assert min(counts) > 60
    for entry in found["pairings"]:
        assert sorted(entry) == ["count", "tables"]
        assert sorted(player_id for table in entry["tables"] for player_id in table) == list("ABCDE")
        assert [len(table) for table in entry["tables"]] == [2, 2, 1]


def test_an_audit_without_a_seed_names_the_one_it_used() -> None:
    found = answered(FIVE, "--draws", "20")
    assert answered(FIVE, "--draws", "20", "--seed", found["seed"]) == found


def test_an_audit_of_seats_counts_the_tables() -> None:
    found = answered(played("draft-sheet", players="a b c d e f g h"), "--draws", "50", "--seed", "x")
    assert sum(entry["count"] for entry in found["pairings"]) == 50
    assert found["distinct"] > 30


def test_an_audit_of_larger_tables() -> None:
    """Four players who have lost and two who have won: any of the four may sit with the two."""
    event = played("allegiance-2005", "a:20* b:0 c:0, d:20* e:0 f:0")
    found = answered(event, "--draws", "400", "--seed", "lots")
    counts = {"".join(entry["tables"][0]): entry["count"] for entry in found["pairings"]}
    assert sorted(counts) == ["abd", "acd", "ade", "adf"]
    assert sum(counts.values()) == 400
    assert min(counts.values()) > 70
    lines = run(event, "--draws", "400", "--seed", "lots").out.splitlines()
    assert lines[0] == "An event: 400 draws, 4 different pairings (seed lots)"
    assert sorted(line.split("  ")[-1] for line in lines[4:])[0] == "a - b - d, c - e - f"


def test_an_audit_for_people() -> None:
    lines = run(FIVE, "--seed", "lots", "--draws", "200").out.splitlines()
    assert lines[0] == "An event: 200 draws, 4 different pairings (seed lots)"
    assert lines[2].split() == ["times", "share", "pairing"]
    assert sum(int(line.split()[0]) for line in lines[4:]) == 200
    assert all(line.endswith(": bye") for line in lines[4:])
    assert {"Ada", "Cleo"} <= {word for line in lines[4:] for word in line.split()}
    many = run(played("mtr", players="A B C D E F"), "--seed", "lots", "--draws", "100").out
    assert len(many.splitlines()) == 4 + 15
    more = run(played("mtr", players="A B C D E F G H"), "--seed", "lots", "--draws", "300").out
    assert more.splitlines()[-1].startswith("and ")


# Refusals


def test_tables_that_are_not_reported_are_named(tmp_path: Path) -> None:
    file = write(played("mtr", "A beats B, C - D, E - F"), tmp_path / "cup.json")
    line = f"{file}: rounds: not reported yet: round 1 table 2 (C, D), round 1 table 3 (E, F)"
    assert_refused(topcut("pair", str(file)), line)
    assert_refused(topcut("pair", str(file), "--draws", "3"), line)
    assert "more" not in run(played("mtr", ", ".join(f"a{i} - b{i}" for i in range(5)))).err
    many = played("mtr", ", ".join(f"a{i} - b{i}" for i in range(9)))
    assert_refused(
        run(many), "standard input: rounds: not reported yet", "round 1 table 5 (a4, b4) and 4 more"
    )


@pytest.mark.parametrize(
    ("event", "rule"),
    [
        (
            played("mtr", "A beats B, C beats D", options={"rounds": 1}),
            "Appendix E: The only planned Swiss round is played",
        ),
        (
            played("pokemon-2017", *["A beats B, C beats D"] * 3),
            "PK-50: All 3 planned Swiss rounds are played",
        ),
        (played("mtr", "A beats B", dropped={"B": 1}), "Only A is left, but a table needs 2 players."),
        (played("draft-sheet", players="A B C D"), "DS-"),
        (
            played(
                "pokemon-2017",
                "A beats B, C bye",
                "A beats C, B bye",
                "B beats C, A bye",
                options={"rounds": 4},
            ),
            "PK-8: ",
        ),
        (played("pokemon-2017", players="A B C D", options={"flights": 2}), "PK-42: "),
        (
            played("allegiance-2005", players="A B C D E"),
            "AL-1: 5 players cannot be seated at tables of 3 and 4",
        ),
        (played("commander-4", players="A B"), "Only A and B are left, but a table needs 3 players."),
    ],
)
def test_what_the_rules_refuse(event: Event, rule: str) -> None:
    assert_refused(run(event), rule, code=3)
    assert_refused(run(event, "--json", "--draws", "2"), rule, code=3)


def test_no_swiss_round_follows_an_elimination_round() -> None:
    final = a_round("A beats C", stage="elimination")
    event = played("mtr", "A beats B, C beats D", final, options={"rounds": 3})
    assert_refused(run(event), "Every table of the bracket is played: A won", code=3)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--draws", "0"], "--draws"),
        (["--draws", "many"], "--draws"),
        (["--reading", "DC-A1"], "expected a reading and its letter"),
        (["--reading", "DC-A1=z"], "DC-A1"),
        (["--round", "3"], "--round"),
    ],
)
def test_bad_usage(arguments: list[str], expected: str) -> None:
    assert_refused(run(played("dci-1999", players="A B"), *arguments), expected)


def test_bad_input(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert_refused(topcut("pair", str(missing)), f"{missing}: cannot read this file")
    file = write(played("draft-sheet", players="a b c d e f g h", seat={"a": 1}), tmp_path / "pod.json")
    assert_refused(topcut("pair", str(file)), f"{file}: players[1].seat: expected a seat from 1 to 8")
    assert_refused(topcut("pair", "-", stdin=b"{}"), "standard input: ")


def test_a_reading_on_the_command_line() -> None:
    event = played("dci-1999", "A ties B, C ties D")
    assert answered(event, "--draws", "60")["distinct"] == 2
    assert answered(event, "--draws", "60", "--reading", "DC-A1=a")["distinct"] == 3
