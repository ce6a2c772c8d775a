"""Awarded byes: rounds that a player won before the event began."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import played, standings, value
from tests.command_line import assert_refused, topcut, write
from tests.proves import proves
from topcut.errors import BadInput
from topcut.history import Outcome
from topcut.pairing.round_draw import RoundDraw


def file(*players: dict[str, Any] | str, rules: str = "mtr", **more: Any) -> dict[str, Any]:
    listed = [{"id": player} if isinstance(player, str) else player for player in players]
    return {"topcut": 1, "name": "Cup", "rules": rules, "players": listed, **more}


def with_byes(player_id: str, byes: int, **more: Any) -> dict[str, Any]:
    return {"id": player_id, "byes": byes, **more}


def ask(plain: dict[str, Any], tmp_path: Path, command: str, *options: str) -> Any:
    answer = topcut(command, str(write(plain, tmp_path / "cup.json")), *options, "--json")
    assert answer.code == 0, answer
    return json.loads(answer.out)


def test_players_with_awarded_byes_are_not_paired_in_these_rounds(tmp_path: Path) -> None:
    """Three of six have byes; of the three others, one has the usual bye."""
    plain = file(with_byes("A", 2), with_byes("B", 1), with_byes("C", 1), "D", "E", "F")
    answer = ask(plain, tmp_path, "pair", "--seed", "x")
    sizes = [len(table["players"]) for table in answer["tables"]]
    assert sizes == [2, 1, 1, 1, 1]
    awarded = {
        table["players"][0]
        for table in answer["tables"]
        if table["why"] == ["awarded bye: a round won before the event began"]
    }
    assert awarded == {"A", "B", "C"}
    assert answer["optimal"]
    assert answer["cost"]["second_byes"] == 0


def test_the_next_round_pairs_whose_byes_are_over(tmp_path: Path) -> None:
    plain = file(with_byes("A", 2), with_byes("B", 1), "C", "D", "E")
    answer = ask(plain, tmp_path, "pair", "--seed", "x")
    tables = [
        {**table, "games": [2, 0, 0]} if len(table["players"]) == 2 else table for table in answer["tables"]
    ]
    plain["rounds"] = [{"tables": tables, "seed": "x"}]
    second = ask(plain, tmp_path, "pair", "--seed", "y")
    alone = [table["players"] for table in second["tables"] if table.get("bye")]
    assert alone == [["A"]]
    checked = ask(plain, tmp_path, "check")
    assert [checked["ok"], checked["rounds"][0]["replayed"]] == [True, True]


def test_they_count_as_byes_in_the_standings_with_or_without_a_table() -> None:
    tables = "B 2-0 C, A bye", "C 2-0 B, A bye"
    for rounds in (tables, tuple(text.removesuffix(", A bye") for text in tables)):
        found = standings(played("mtr", *rounds, players="A B C", byes={"A": 2}))
        assert [value(found, "points", player_id) for player_id in "ABC"] == ["6", "3", "3"]
        assert value(found, "gw", "A") == "1"


def test_a_player_with_awarded_byes_may_come_when_they_are_over() -> None:
    """Not late, and nothing missed; one round later a round is missed."""
    rounds = ("B 2-0 C", "C 2-0 B", "A 2-0 B, C bye")
    event = played("pokemon-2017", *rounds, byes={"A": 2}, entered={"A": 3})
    assert value(standings(event), "late", "A") == "0"
    assert event.history.played[:, event.history.index["A"]].tolist() == [
        Outcome.BYE,
        Outcome.BYE,
        Outcome.WIN,
    ]
    event = played("pokemon-2017", "B 2-0 C", *rounds[1:], byes={"A": 1}, entered={"A": 3})
    assert value(standings(event), "late", "A") == "1"
    assert event.history.played[1, event.history.index["A"]] == Outcome.MISSED


@proves("TC-A1")
def test_awarded_byes_never_forbid_a_bye_and_come_last_for_it() -> None:
    """TC-A1: nobody has two byes in this book; of five, only A (awarded) has not had the usual one."""
    rounds: tuple[str, ...] = (
        "A bye, B 2-0 C, D 2-0 E",
        "A 0-2 B, C 0-2 D, E bye",
        "E 2-0 A, B bye, C 2-0 D",
    )
    event = played("pokemon-2017", *rounds, byes={"A": 1}, options={"rounds": 6})
    candidates = {
        frozenset(table)
        for seed in "abcdefgh"
        for table in RoundDraw(event.history, event.book, event.file.options).draw_tables(seed)
        if len(table) == 1
    }
    index = event.history.index
    assert candidates <= {frozenset({index["C"]}), frozenset({index["D"]})}  # A comes last
    rounds += ("A 2-0 C, B 2-0 E, D bye", "C bye, A 2-0 D")
    event = played("pokemon-2017", *rounds, byes={"A": 1}, dropped={"B": 4, "E": 5}, options={"rounds": 7})
    drawn = RoundDraw(event.history, event.book, event.file.options).draw_tables("x")
    index = event.history.index
    assert frozenset({index["A"]}) in drawn  # D and C have had theirs


def test_published_byes_in_the_first_rounds_are_taken_for_awarded_ones(tmp_path: Path) -> None:
    """108 of 111 have a bye in round 1, one of them in round 2 too."""
    ids = [f"P{n:03}" for n in range(111)]
    tables = [{"players": [player_id], "bye": True} for player_id in ids[:109]]
    first = [*tables, {"players": ids[109:], "games": [2, 0, 0]}]
    plain = file(*ids, rounds=[{"tables": first}], options={"rounds": 9})
    path = str(write(plain, tmp_path / "cup.json"))
    answer = topcut("check", path)
    assert answer.code == 0, answer
    assert answer.err == (
        "topcut: warning: rounds[0]: 109 players have a bye. Topcut counts each as an awarded bye\n"
    )


def test_two_byes_in_a_later_round_stay_wrong(tmp_path: Path) -> None:
    rounds = [
        {
            "tables": [
                {"players": ["A", "B"], "games": [2, 0, 0]},
                {"players": ["C", "D"], "games": [2, 0, 0]},
            ]
        },
        {
            "tables": [
                {"players": ["A"], "bye": True},
                {"players": ["C"], "bye": True},
                {"players": ["B", "D"], "games": [2, 0, 0]},
            ]
        },
    ]
    answer = topcut("check", str(write(file(*"ABCD", rounds=rounds), tmp_path / "cup.json")))
    assert answer.code == 1
    assert "more than one bye" in answer.out


@pytest.mark.parametrize("byes", [-1, 10])
def test_a_number_that_nobody_can_be_awarded_is_refused(tmp_path: Path, byes: int) -> None:
    path = write(file(with_byes("A", byes), "B"), tmp_path / "cup.json")
    assert_refused(topcut("pair", str(path)), "players[0].byes", "from 0 to 9")


def test_rules_without_byes_and_charts_have_no_room_for_them() -> None:
    for rules, said in (
        ("allegiance-2005", "there are no byes here"),
        ("draft-sheet", "the chart has no room"),
    ):
        with pytest.raises(BadInput, match=said):
            played(rules, players="A B C D E F G H", byes={"A": 1})


def test_a_bracket_ignores_them_and_says_so(tmp_path: Path) -> None:
    plain = file(with_byes("A", 2), "B", "C", "D", options={"format": "elimination"})
    answer = topcut("bracket", str(write(plain, tmp_path / "cup.json")), "--seed", "x")
    assert answer.code == 0, answer
    assert (
        "players[0].byes: awarded byes are for Swiss rounds, and the format elimination has none"
        in answer.err
    )


def test_a_player_cannot_play_in_a_round_with_an_awarded_bye(tmp_path: Path) -> None:
    tables = [{"players": ["A", "B"], "games": [2, 0, 0]}, {"players": ["C", "D"], "games": [2, 0, 0]}]
    plain = file(with_byes("A", 1), "B", "C", "D", rounds=[{"tables": tables}])
    answer = topcut("check", str(write(plain, tmp_path / "cup.json")))
    assert answer.code == 1
    assert "at a table, despite an awarded bye in this round: A" in answer.out
