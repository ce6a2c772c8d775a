"""A reading is named where it decides: for each, one situation and the sentence that ends with its number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.builders import played
from tests.cli.shop import Shop, started
from tests.command_line import document, topcut
from topcut.rulebook.rule_texts import list_rule_texts

Case = Callable[[], str]
ROUNDS = {"rounds": 6}
SEATS = {str(seat): seat for seat in range(1, 9)}
FIRST = "1 beats 5, 2 beats 6, 3 beats 7, 4 beats 8"


def plan(rules: str, players: str, *arguments: str) -> Case:
    return lambda: topcut("plan", "--rules", rules, "--players", players, *arguments).out


def asked(command: str, rules: str, *rounds: str, arguments: tuple[str, ...] = (), **about: object) -> Case:
    """What a command says of an event, results and refusals."""

    def ask() -> str:
        event = document(played(rules, *rounds, **about))  # type: ignore[arg-type]
        answer = topcut(command, "-", "--seed", "x", *arguments, stdin=json.dumps(event).encode())
        return answer.out + answer.err

    return ask


def pair(rules: str, *rounds: str, **about: Any) -> Case:
    return asked("pair", rules, *rounds, **about)


def explain(player: str, rules: str, *rounds: str, **about: Any) -> Case:
    return asked("standings", rules, *rounds, arguments=("--explain", player), **about)


TWO_OF_SIX = "A beats B, C beats D, E beats F, G bye"
WINNERS = "A beats B, C beats D, E beats F"
FORTY = [", ".join(f"p{i:02} beats p{i + 1:02}" for i in range(0, 64, 2))]
FOUR = {"rounds": 1, "cut": 4, "format": "swiss+elimination"}

LEVEL = ("A ties B, C bye", "B ties C, A bye", "A ties C, B bye")

CASES: dict[str, Case] = {
    # The draft sheet
    "DS-A2": pair("draft-sheet", FIRST.replace("1 beats", "1 ties").replace("2 beats", "2 ties"), seat=SEATS),
    "DS-A3": pair("draft-sheet", FIRST.replace("1 beats", "1 ties").replace("2 beats", "2 ties"), seat=SEATS),
    "DS-A4": explain(
        "5", "draft-sheet", FIRST, "3 bye, 2 beats 4, 5 beats 7, 6 beats 8", seat=SEATS, dropped={"1": 1}
    ),
    "DS-A5": explain("1", "draft-sheet", FIRST, seat=SEATS),
    "DS-A6": pair("draft-sheet", FIRST, seat=SEATS, dropped={"1": 1}),
    "DS-A7": explain("1", "draft-sheet", "1 2-0 5, 2 2-0 6, 3 2-0 7, 4 2-0 8", seat=SEATS),
    "DS-A8": explain(
        "7",
        "draft-sheet",
        FIRST,
        "3 bye, 2 beats 4, 5 beats 7, 6 beats 8",
        "3 beats 2, 4 beats 5, 7 beats 6, 8 bye",
        seat=SEATS,
        dropped={"1": 1},
    ),
    "DS-A10": pair(
        "draft-sheet",
        FIRST.replace("1 beats", "1 ties"),
        "1 bye, 5 beats 7, 2 beats 4, 6 beats 8",
        seat=SEATS,
        dropped={"3": 1},
    ),
    # Play! Pokémon
    "PK-A1": pair(
        "pokemon-2017",
        "A ties B, C beats D, E beats F",
        "A ties C, F beats D, E beats B",
        "A ties E, C beats F, B beats D",
        options=ROUNDS,
        dropped={"B": 3, "D": 3},
    ),
    "PK-A2": pair("pokemon-2017", "A beats B", options=ROUNDS),
    "PK-A3": explain("A", "pokemon-2017", "A beats B, C beats D", "A beats C, B ties D", options=ROUNDS),
    "PK-A4": explain("A", "pokemon-2017", "A beats B, C bye", "A beats C, B bye", options=ROUNDS),
    "PK-A5": explain("B", "pokemon-2017", *LEVEL, options=ROUNDS),
    "PK-A6": explain("A", "pokemon-2017", "A ties B", options=ROUNDS),
    "PK-A7": explain("A", "pokemon-2017", "A ties B, C ties D", options=ROUNDS),
    "PK-A8": plan("pokemon-2017", "12,0,30"),
    "PK-A10": pair("pokemon-2017", "A beats B, C bye", "A beats C, B bye", options={"rounds": 4}),
    "PK-A11": pair("pokemon-2017", WINNERS, options=ROUNDS),
    "PK-A12": plan("pokemon-2017", "20", "--format", "swiss"),
    "PK-A13": plan("pokemon-2017", "20", "--one-less"),
    "PK-A14": plan("pokemon-2017", "5"),
    "PK-A15": plan("pokemon-2017", "2000", "--flights", "16", "--table", "vg"),
    "PK-A16": plan("pokemon-2017", "300", "--flights", "4"),
    "PK-A18": plan("pokemon-2017", "300", "--table", "tcg-two-day"),
    "PK-A19": plan("pokemon-2017", "300", "--table", "tcg-two-day"),
    "PK-A20": plan("pokemon-2017", "300", "--table", "tcg-two-day"),
    "PK-A22": pair("pokemon-2017", WINNERS + ", G beats H", options=FOUR, dropped={"A": 1}, seed="x"),
    "PK-A24": pair("pokemon-2017", WINNERS + ", G beats H", options=FOUR, seed="x"),
    "PK-A25": pair(
        "pokemon-2017",
        "A beats B, C beats D",
        division={"A": "masters", "B": "masters", "C": "senior", "D": "senior"},
        options=ROUNDS,
    ),
    "PK-A26": plan("pokemon-2017", "5,10,30"),
    "PK-A28": explain("C", "pokemon-2017", "A beats B, C bye", options=ROUNDS),
    "PK-A29": plan("pokemon-2017", "500"),
    "PK-A31": plan("pokemon-2017", "12,12,30"),
    # Allegiance
    "AL-A2": pair("allegiance-2005", "a:20* b:7 c:9, d:20* e:7 f:19, g:5 h:25* i:24"),
    "AL-A3": pair("allegiance-2005", "p8:13 p5:21* p7:6, p2:24* p6:10 p3:23, p1:15 p4:18 p9:0x"),
    "AL-A4": pair("allegiance-2005", players="a b c d e f g"),
    "AL-A5": explain("a", "allegiance-2005", "a:20* b:7 c:9", "a:20* b:7 c:9"),
    "AL-A8": plan("allegiance-2005", "9"),
    "AL-A9": plan("allegiance-2005", "4"),
    "AL-A7": explain("a", "allegiance-2005", "a:20* b:7 c:9, d:20* e:7 f:9"),
    # DCI
    "DC-A1": pair("dci-1999", "A beats B", options=ROUNDS),
    "DC-A2": pair("dci-1999", "A beats B, C bye", "A beats C, B bye", "B beats C, A bye", options=ROUNDS),
    "DC-A3": pair("dci-1999", WINNERS, options=ROUNDS),
    "DC-A4": pair("dci-1999", WINNERS, options=ROUNDS),
    "DC-A5": pair("dci-1999", players="A B C D E"),
    "DC-A6": plan("dci-1999", "10"),
    "DC-A7": explain("A", "dci-1999", "A beats B, C beats D"),
    "DC-A8": explain("C", "dci-1999", "A beats B, C bye"),
    "DC-A9": pair("dci-1999", WINNERS + ", G beats H", options=FOUR, seed="x"),
    "DC-A11": explain("A", "dci-1999", "A 2-0-1 B, C beats D"),
    # Flesh and Blood
    "FB-A1": explain("A", "fab-gem", "A beats B, C beats D"),
    "FB-A2": explain("B", "fab-gem", "A beats B, C bye", "B beats C, A bye", options=ROUNDS),
    "FB-A3": explain("C", "fab-gem", "A beats B, C bye", options=ROUNDS),
    "FB-A4": explain("A", "fab-gem", "A ties B, C beats D", options=ROUNDS),
    "FB-A5": explain(
        "A", "fab-gem", "A beats B, C beats D", "A beats C, D bye", dropped={"B": 1}, options=ROUNDS
    ),
    "FB-A6": explain("C", "fab-gem", "A beats B, C bye", options=ROUNDS),
    "FB-A7": pair("fab-gem", WINNERS, options=ROUNDS),
    "FB-A8": plan("fab-gem", "10"),
    "FB-A9": plan("fab-gem", "19"),
    "FB-A10": plan("fab-gem", "19"),
    "FB-A11": pair("fab-gem", players="A B C D E", options=ROUNDS),
    "FB-A13": pair("fab-gem", WINNERS + ", G beats H", options=FOUR, seed="x"),
    # Every book
    "TC-A1": pair("pokemon-2017", "A bye, B beats C", "B beats A, C bye", byes={"A": 1}, options=ROUNDS),
    # Magic
    "MTR-A1": explain("B", "mtr", "A 2-0 B, C 2-1 D"),
    "MTR-A3": explain("B", "mtr", "A 2-0 B, C 2-1 D", "A 2-0 C, D bye", cut={"B": 1}),
    "MTR-A2": pair("mtr", WINNERS + ", G beats H", options=FOUR, dropped={"A": 1}, seed="x"),
}


@pytest.mark.parametrize("reading", CASES)
def test_a_reading_is_named_where_it_decides(reading: str) -> None:
    said = CASES[reading]()
    assert re.search(rf"\([^()]*\b{reading}\b[^()]*\)", said), said


# Readings that decide while an event runs

NOT_SAID = {
    "DS-A1": "the unit of a shown number; the heading of each tiebreaker names its place in the sheet",
    "DS-A9": "how a shown number is rounded; the exact value decides and stands beside it",
    "AL-A1": "an error in the printed example; it decides nothing in an event",
    "AL-A6": "there are no bonuses, so no value and no sentence",
    "AL-A10": "both players are named as winners, and the result is the sentence",
    "DC-A10": "the layout of a printed card",
}
"""Readings that no sentence can name, and why."""


def test_pk_a9_late_in_round_2(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop, "Ada Bo Cy Di", "pokemon-2017", "--option", "level=championship", "--option", "rounds=3")
    shop("event", "announce", "--prizes", "one")
    shop("report", "1", "2-0")
    shop("report", "2", "2-0")
    shop("round", "end")
    for act in ("pair", "publish", "start"):
        shop("round", act)
    assert "(PK-A9)" in shop("add", "Eve", code=3).err


def test_pk_a30_dropping_in_the_middle_of_a_round(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop, "Ada Bo Cy Di", "pokemon-2017")
    answer = shop("drop", "Ada")
    assert re.search(r"Ada loses table \d of round 1\. \(PK-A30\)", answer.out + answer.err)


def test_pk_a27_when_a_record_closes(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop, "Ada Bo Cy Di Eve Fay Gil Hal", "pokemon-2017", "--option", "rounds=3")
    for number in (1, 2):
        for table in "1234":
            shop("report", table, "2-0")
        shop("round", "end")
        shop("round", "pair")
        shop("round", "publish")
        if number == 1:
            shop("round", "start")
    answer = shop("correct", "1", "0-2", "--round", "1", code=3)
    assert "round 3 was published (PK-A27)" in answer.err


def test_pk_a17_a_late_player_and_flights() -> None:
    flights = {f"p{i:03}": 1 + (i >= 34) + (i >= 67) + (i >= 100) for i in range(134)}
    entered = {"late": 2}
    first = ", ".join(f"p{i:03} beats p{i + 1:03}" for i in (*range(0, 33, 2), *range(34, 66, 2)))
    event = document(
        played("pokemon-2017", first, flight=flights, entered=entered, players=" ".join([*flights, "late"]))
    )
    event["options"] = {"flights": 4, "rounds": 5}
    answer = topcut("pair", "-", "--seed", "x", stdin=json.dumps(event).encode())
    assert re.search(
        r"late joins flight [23], drawn at random from the flights that started smallest\. \(PK-A17\)",
        answer.err,
    ), answer


def test_pk_a21_a_player_who_missed_day_two() -> None:
    event = document(
        played(
            "pokemon-2017", "A beats B, C beats D", "A beats C", options={"rounds": 2}, cut={"B": 1, "D": 1}
        )
    )
    answer = topcut("standings", "-", "--explain", "A", stdin=json.dumps(event).encode())
    assert re.search(r"round 1 B: .*\(PK-A21\)", answer.out), answer


def test_pk_a23_the_places_of_an_elimination_event() -> None:
    event = document(
        played(
            "pokemon-2017",
            options={"format": "elimination"},
            rank_seed=dict(zip("ABCD", range(1, 5), strict=False)),
            players="A B C D",
        )
    )
    event["rounds"] = [
        {"stage": "elimination", "tables": [{"players": list(pair), "winner": pair[0]} for pair in tables]}
        for tables in (("AD", "BC"), ("AB",))
    ]
    answer = topcut("bracket", "-", stdin=json.dumps(event).encode())
    assert "places 3 to 4 by the place of the player who beat them (PK-34, PK-A23)" in answer.out


def test_al_a11_a_tie_below_the_target(tmp_path: Path) -> None:
    event = document(played("allegiance-2005", "a:19 b:19 c:9"))
    event["rounds"][0]["tables"][0]["winners"] = ["a"]
    answer = topcut("check", "-", stdin=json.dumps(event).encode())
    assert "(AL-A11)" in answer.err


def test_al_a12_five_at_tables_of_three_and_four(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop("new", "Cup", "--rules", "allegiance-2005")
    shop("add", "Ada", "Bo", "Cy", "Di", "Eve")
    refusal = shop("round", "pair", code=3).err
    assert "This player gets a win and the target score (AL-A12)." in refusal


def test_fb_a12_a_rematch_in_a_pod() -> None:
    """Everybody of the pod has met in standard rounds; only a second match inside the pod is ruled out."""
    rounds = ["A beats B, C beats D", "A beats C, B beats D"]
    event = document(played("fab-gem", *rounds, options={"rounds": 3}, dropped={"C": 2, "D": 2}))
    event["options"]["mode"] = "draft"
    answer = topcut("pair", "-", "--seed", "x", stdin=json.dumps(event).encode())
    assert "(FB-A12)" in answer.out, answer


def test_every_reading_is_named_somewhere_or_says_why_not() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    tested = {name.upper().replace("_", "-") for name in re.findall(r"def test_([a-z]+_a\d+)_", here)}
    readings = {number for number in list_rule_texts() if "-A" in number}
    assert readings == {*CASES, *tested, *NOT_SAID}
