"""What cannot have happened is refused, in one line that names the file, the place and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import played, standings, value
from tests.command_line import GONE, Case, assert_refused, changed, document, topcut, write

GAMES = document(played("mtr", "A 2-1 B, C 1-1-1 D, E bye", "A 2-0 C, B 2-0 E, D bye"))
SCORES = document(played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:4 f:5", "a:1 d:2 e:3, b:1 c:2 f:3"))
SHEET = document(played("draft-sheet", "A 1-1 B, C 2-0 D", "A 2-0 C, B 2-0 D"))
CUP = document(played("pokemon-2017", "A beats B, C beats D", "A beats C, B beats D"))

FIRST, SECOND, LAST = "rounds[0].tables[0]", "rounds[0].tables[1]", "rounds[0].tables[2]"

PLAYERS = [
    Case("an id twice", GAMES, {"players[3].id": "A"}, "players[0]"),
    Case("an empty id", GAMES, {"players[0].id": ""}, "not empty"),
    Case("entered in round 0", GAMES, {"players[0].entered": 0}, "from 1"),
    Case("entered in a huge round", GAMES, {"players[0].entered": 10**30}, "round"),
    Case("dropped before round 0", GAMES, {"players[0].dropped": -1}, "round"),
    Case("dropped in a huge round", GAMES, {"players[0].dropped": 2**31}, "round"),
    Case("two reasons to leave", GAMES, {"players[0].dropped": 2, "players[0].cut": 2}, "cut", "players[0]"),
    Case(
        "gone before they came",
        GAMES,
        {"players[0].dropped": 0, "players[0].entered": 3},
        "entered in round 3",
    ),
    Case("flight 0", GAMES, {"players[0].flight": 0}, "from 1"),
    Case("seed 0", GAMES, {"players[0].seed": 0}, "from 1"),
    Case("an unknown division", CUP, {"players[0].division": "adult"}, "adult"),
]
SEATS = [
    Case("at two tables", GAMES, {f"{SECOND}.players[0]": "A"}, "tables[0]"),
    Case("twice at one table", GAMES, {f"{FIRST}.players[1]": "A"}, "at this table"),
    Case("at a table and with a bye", GAMES, {f"{LAST}.players[0]": "A"}, "tables[0]"),
    Case("unknown", GAMES, {f"{FIRST}.players[0]": "Z"}, '"Z"'),
    Case(
        "dropped and plays on",
        GAMES,
        {"players[2].dropped": 1},
        "dropped after round 1",
        "rounds[1].tables[0].players[1]",
    ),
    Case(
        "cut and plays on",
        GAMES,
        {"players[2].cut": 1},
        "was cut after round 1",
        "rounds[1].tables[0].players[1]",
    ),
    Case(
        "disqualified and plays on",
        GAMES,
        {"players[2].disqualified": 1},
        "disqualified",
        "rounds[1].tables[0].players[1]",
    ),
    Case(
        "dropped and has a bye", GAMES, {"players[3].dropped": 1}, "dropped", "rounds[1].tables[2].players[0]"
    ),
    Case(
        "dropped before round 1",
        GAMES,
        {"players[0].dropped": 0},
        "dropped after round 0",
        f"{FIRST}.players[0]",
    ),
    Case("too late to play", GAMES, {"players[0].entered": 2}, "entered in round 2", f"{FIRST}.players[0]"),
    Case("too late for a bye", GAMES, {"players[4].entered": 2}, "entered in round 2", f"{LAST}.players[0]"),
    Case(
        "a bye for two",
        GAMES,
        {SECOND: {"players": ["C", "D"], "bye": True}},
        "one player, not 2",
        f"{SECOND}.players",
    ),
    Case(
        "a loss for two",
        GAMES,
        {SECOND: {"players": ["C", "D"], "loss": True}},
        "one player, not 2",
        f"{SECOND}.players",
    ),
    Case("one player alone", GAMES, {f"{LAST}.bye": GONE}, "2 players", f"{LAST}.players"),
    Case("three at a table for two", GAMES, {f"{FIRST}.players": ["A", "B", "E"], LAST: GONE}, "not 3"),
    Case("nobody at a table", GAMES, {f"{FIRST}.players": []}, "not 0"),
    Case(
        "nobody at the only table",
        GAMES,
        {"rounds": [{"tables": [{"players": []}]}]},
        "not 0",
        f"{FIRST}.players",
    ),
    Case(
        "nobody with a bye",
        GAMES,
        {"rounds": [{"tables": [{"players": [], "bye": True}]}]},
        "not 0",
        f"{FIRST}.players",
    ),
    Case(
        "two at a table for three",
        SCORES,
        {SECOND: {"players": ["d", "e"], "scores": [1, 2]}},
        "3 or 4",
        f"{SECOND}.players",
    ),
    Case(
        "a bye where there are none",
        SCORES,
        {SECOND: {"players": ["d"], "bye": True}},
        "no byes",
        f"{SECOND}.bye",
    ),
]
RESULTS = [
    Case("negative games", GAMES, {f"{FIRST}.games": [-1, 0, 0]}, "from 0"),
    Case("negative drawn games", GAMES, {f"{FIRST}.games": [0, 0, -1]}, "from 0"),
    Case("300 drawn games", GAMES, {f"{FIRST}.games": [0, 0, 300]}, "99"),
    Case("two numbers of games", GAMES, {f"{FIRST}.games": [2, 1]}, "3"),
    Case("four numbers of games", GAMES, {f"{FIRST}.games": [2, 1, 0, 0]}, "3"),
    Case("a winner from elsewhere", CUP, {f"{FIRST}.winner": "C"}, '"C"'),
    Case("a misspelt draw", CUP, {f"{FIRST}.winner": "Draw"}, '"draw"'),
    Case("games and a winner", GAMES, {f"{FIRST}.winner": "A"}, "games and winner", FIRST),
    Case("a bye and a loss", GAMES, {f"{LAST}.loss": True}, "bye and loss", LAST),
    Case("games and a bye", GAMES, {f"{FIRST}.bye": True}, "games and bye", FIRST),
    Case(
        "scores where games are played",
        GAMES,
        {FIRST: {"players": ["A", "B"], "scores": [2, 1]}},
        "expected games",
        f"{FIRST}.scores",
    ),
    Case(
        "games where scores are kept",
        SCORES,
        {FIRST: {"players": ["a", "b", "c"], "games": [2, 1, 0]}},
        "expected scores",
        f"{FIRST}.games",
    ),
    Case("too few scores", SCORES, {f"{FIRST}.scores": [20, 7]}, "expected 3 scores"),
    Case("too many scores", SCORES, {f"{FIRST}.scores": [20, 7, 1, 1]}, "expected 3 scores"),
    Case("no scores", SCORES, {f"{FIRST}.scores": []}, "expected 3 scores"),
    Case("an enormous score", SCORES, {f"{FIRST}.scores": [10**18, 7, 1]}, "expected scores up"),
    Case("winners from elsewhere", SCORES, {f"{FIRST}.winners": ["d"]}, '"d"', f"{FIRST}.winners[0]"),
    Case("a winner twice", SCORES, {f"{FIRST}.winners": ["a", "a"]}, "once", f"{FIRST}.winners[1]"),
    Case("eliminated elsewhere", SCORES, {f"{FIRST}.eliminated": ["d"]}, '"d"', f"{FIRST}.eliminated[0]"),
    Case("eliminated twice", SCORES, {f"{FIRST}.eliminated": ["c", "c"]}, "once", f"{FIRST}.eliminated[1]"),
    Case("eliminated and won", SCORES, {f"{FIRST}.eliminated": ["a"]}, "eliminated", f"{FIRST}.winners"),
    Case("winners without scores", SCORES, {f"{FIRST}.scores": GONE}, "expected scores", f"{FIRST}.winners"),
    Case(
        "eliminated without scores",
        SCORES,
        {FIRST: {"players": ["a", "b", "c"], "eliminated": ["a"]}},
        "expected scores",
        f"{FIRST}.eliminated",
    ),
    Case("an intentional draw on the sheet", SHEET, {f"{FIRST}.intentional": True}, "not allowed"),
    Case("an intentional win", GAMES, {f"{FIRST}.intentional": True}, "only a draw"),
    Case(
        "an intentional nothing",
        GAMES,
        {SECOND: {"players": ["C", "D"], "intentional": True}},
        "only a draw",
        f"{SECOND}.intentional",
    ),
    Case(
        "Swiss after elimination",
        GAMES,
        {"rounds[0].stage": "elimination"},
        "after an elimination",
        "rounds[1].stage",
    ),
]


@pytest.mark.parametrize("case", PLAYERS + SEATS + RESULTS, ids=lambda case: case.name)
def test_it_is_refused(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)


@pytest.mark.parametrize("plain", [GAMES, SCORES, SHEET, CUP])
def test_before_the_change_it_is_accepted(plain: dict[str, Any], tmp_path: Path) -> None:
    assert topcut("standings", str(write(plain, tmp_path / "cup.json"))).code == 0


def test_a_thousand_rounds_are_enough(tmp_path: Path) -> None:
    file = write(GAMES | {"rounds": [{"tables": []}] * 1001}, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: rounds: ", "1000")


def test_a_loss_may_be_written_down_for_a_round_that_was_missed() -> None:
    event = played("pokemon-2017", "A beats B, C loss", "A beats C", entered={"C": 2})
    assert value(standings(event), "late", "C") == "1"


def test_an_intentional_draw_is_fine_where_the_rules_do_not_forbid_it(tmp_path: Path) -> None:
    plain = changed(GAMES, {"rounds[0].tables[1].intentional": True})
    assert topcut("standings", str(write(plain, tmp_path / "cup.json"))).code == 0


def test_whoever_is_called_draw_can_win_only_by_games(tmp_path: Path) -> None:
    """Else nobody could tell who won."""
    plain = document(played("mtr", "draw 2-0 B"))
    assert topcut("standings", str(write(plain, tmp_path / "games.json"))).code == 0
    file = write(
        changed(plain, {"rounds[0].tables[0]": {"players": ["draw", "B"], "winner": "draw"}}),
        tmp_path / "cup.json",
    )
    assert_refused(topcut("standings", str(file)), f"{file}: {FIRST}.winner: ", '"draw"', "games")


def test_elimination_rounds_are_read_as_strictly(tmp_path: Path) -> None:
    plain = changed(GAMES, {"rounds[2]": {"stage": "elimination", "tables": [{"players": ["A", "Z"]}]}})
    file = write(plain, tmp_path / "cup.json")
    assert_refused(
        topcut("standings", str(file), "--after", "2"), f"{file}: rounds[2].tables[0].players[1]: ", "Z"
    )
