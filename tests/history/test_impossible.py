"""What cannot have happened is refused, in one line that names the file, the place and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import played, standings, value
from tests.commands import GONE, assert_refused, changed, document, topcut, write

GAMES = document(played("mtr", "A 2-1 B, C 1-1-1 D, E bye", "A 2-0 C, B 2-0 E, D bye"))
SCORES = document(played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:4 f:5", "a:1 d:2 e:3, b:1 c:2 f:3"))
SHEET = document(played("draft-sheet", "A 1-1 B, C 2-0 D", "A 2-0 C, B 2-0 D"))
CUP = document(played("pokemon-2017", "A beats B, C beats D", "A beats C, B beats D"))

FIRST, SECOND, LAST = "rounds[0].tables[0]", "rounds[0].tables[1]", "rounds[0].tables[2]"

PLAYERS: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("an id twice", GAMES, {"players.3.id": "A"}, "players[3].id", "players[0]"),
    ("an empty id", GAMES, {"players.0.id": ""}, "players[0].id", "not empty"),
    ("entered in round 0", GAMES, {"players.0.entered": 0}, "players[0].entered", "from 1"),
    ("entered in a huge round", GAMES, {"players.0.entered": 10**30}, "players[0].entered", "round"),
    ("dropped before round 0", GAMES, {"players.0.dropped": -1}, "players[0].dropped", "round"),
    ("dropped in a huge round", GAMES, {"players.0.dropped": 2**31}, "players[0].dropped", "round"),
    ("two reasons to leave", GAMES, {"players.0.dropped": 2, "players.0.cut": 2}, "players[0]", "cut"),
    ("flight 0", GAMES, {"players.0.flight": 0}, "players[0].flight", "from 1"),
    ("seed 0", GAMES, {"players.0.seed": 0}, "players[0].seed", "from 1"),
    ("an unknown division", CUP, {"players.0.division": "adult"}, "players[0].division", "adult"),
]  # fmt: skip

SEATS: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("at two tables", GAMES, {"rounds.0.tables.1.players.0": "A"}, f"{SECOND}.players[0]", "tables[0]"),
    ("twice at one table", GAMES, {"rounds.0.tables.0.players.1": "A"}, f"{FIRST}.players[1]", "at this table"),
    ("at a table and with a bye", GAMES, {"rounds.0.tables.2.players.0": "A"}, f"{LAST}.players[0]", "tables[0]"),
    ("unknown", GAMES, {"rounds.0.tables.0.players.0": "Z"}, f"{FIRST}.players[0]", '"Z"'),
    ("dropped and plays on", GAMES, {"players.2.dropped": 1}, "rounds[1].tables[0].players[1]", "dropped after round 1"),
    ("cut and plays on", GAMES, {"players.2.cut": 1}, "rounds[1].tables[0].players[1]", "was cut after round 1"),
    ("disqualified and plays on", GAMES, {"players.2.disqualified": 1}, "rounds[1].tables[0].players[1]", "disqualified"),
    ("dropped and has a bye", GAMES, {"players.3.dropped": 1}, "rounds[1].tables[2].players[0]", "dropped"),
    ("dropped before round 1", GAMES, {"players.0.dropped": 0}, f"{FIRST}.players[0]", "dropped after round 0"),
    ("too late to play", GAMES, {"players.0.entered": 2}, f"{FIRST}.players[0]", "entered in round 2"),
    ("too late for a bye", GAMES, {"players.4.entered": 2}, f"{LAST}.players[0]", "entered in round 2"),
    ("a bye for two", GAMES, {"rounds.0.tables.1": {"players": ["C", "D"], "bye": True}},
     f"{SECOND}.players", "one player, not 2"),
    ("a loss for two", GAMES, {"rounds.0.tables.1": {"players": ["C", "D"], "loss": True}},
     f"{SECOND}.players", "one player, not 2"),
    ("one player alone", GAMES, {"rounds.0.tables.2.bye": GONE}, f"{LAST}.players", "2 players"),
    ("three at a table for two", GAMES, {"rounds.0.tables.0.players": ["A", "B", "E"], "rounds.0.tables.2": GONE},
     f"{FIRST}.players", "not 3"),
    ("nobody at a table", GAMES, {"rounds.0.tables.0.players": []}, f"{FIRST}.players", "not 0"),
    ("two at a table for three", SCORES, {"rounds.0.tables.1": {"players": ["d", "e"], "scores": [1, 2]}},
     f"{SECOND}.players", "3 or 4"),
    ("a bye where there are none", SCORES, {"rounds.0.tables.1": {"players": ["d"], "bye": True}},
     f"{SECOND}.bye", "no byes"),
]  # fmt: skip

RESULTS: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("3-0 in a best of three", GAMES, {"rounds.0.tables.0.games": [3, 0, 0]}, f"{FIRST}.games", "best of 3"),
    ("2-2 in a best of three", GAMES, {"rounds.0.tables.0.games": [2, 2, 0]}, f"{FIRST}.games", "best of 3"),
    ("negative games", GAMES, {"rounds.0.tables.0.games": [-1, 0, 0]}, f"{FIRST}.games", "from 0"),
    ("negative drawn games", GAMES, {"rounds.0.tables.0.games": [0, 0, -1]}, f"{FIRST}.games", "from 0"),
    ("300 drawn games", GAMES, {"rounds.0.tables.0.games": [0, 0, 300]}, f"{FIRST}.games", "99"),
    ("two numbers of games", GAMES, {"rounds.0.tables.0.games": [2, 1]}, f"{FIRST}.games", "3"),
    ("four numbers of games", GAMES, {"rounds.0.tables.0.games": [2, 1, 0, 0]}, f"{FIRST}.games", "3"),
    ("a winner from elsewhere", CUP, {"rounds.0.tables.0.winner": "C"}, f"{FIRST}.winner", '"C"'),
    ("a misspelt draw", CUP, {"rounds.0.tables.0.winner": "Draw"}, f"{FIRST}.winner", '"draw"'),
    ("games and a winner", GAMES, {"rounds.0.tables.0.winner": "A"}, FIRST, "games and winner"),
    ("a bye and a loss", GAMES, {"rounds.0.tables.2.loss": True}, LAST, "bye and loss"),
    ("games and a bye", GAMES, {"rounds.0.tables.0.bye": True}, FIRST, "games and bye"),
    ("scores where games are played", GAMES, {"rounds.0.tables.0": {"players": ["A", "B"], "scores": [2, 1]}},
     f"{FIRST}.scores", "expected games"),
    ("games where scores are kept", SCORES, {"rounds.0.tables.0": {"players": ["a", "b", "c"], "games": [2, 1, 0]}},
     f"{FIRST}.games", "expected scores"),
    ("too few scores", SCORES, {"rounds.0.tables.0.scores": [20, 7]}, f"{FIRST}.scores", "expected 3 scores"),
    ("too many scores", SCORES, {"rounds.0.tables.0.scores": [20, 7, 1, 1]}, f"{FIRST}.scores", "expected 3 scores"),
    ("no scores", SCORES, {"rounds.0.tables.0.scores": []}, f"{FIRST}.scores", "expected 3 scores"),
    ("an enormous score", SCORES, {"rounds.0.tables.0.scores": [10**18, 7, 1]}, f"{FIRST}.scores", "expected scores up"),
    ("winners from elsewhere", SCORES, {"rounds.0.tables.0.winners": ["d"]}, f"{FIRST}.winners[0]", '"d"'),
    ("a winner twice", SCORES, {"rounds.0.tables.0.winners": ["a", "a"]}, f"{FIRST}.winners[1]", "once"),
    ("eliminated elsewhere", SCORES, {"rounds.0.tables.0.eliminated": ["d"]}, f"{FIRST}.eliminated[0]", '"d"'),
    ("eliminated twice", SCORES, {"rounds.0.tables.0.eliminated": ["c", "c"]}, f"{FIRST}.eliminated[1]", "once"),
    ("eliminated and won", SCORES, {"rounds.0.tables.0.eliminated": ["a"]}, f"{FIRST}.winners", "eliminated"),
    ("winners without scores", SCORES, {"rounds.0.tables.0.scores": GONE}, f"{FIRST}.winners", "expected scores"),
    ("eliminated without scores", SCORES, {"rounds.0.tables.0": {"players": ["a", "b", "c"], "eliminated": ["a"]}},
     f"{FIRST}.eliminated", "expected scores"),
    ("an intentional draw on the sheet", SHEET, {"rounds.0.tables.0.intentional": True},
     f"{FIRST}.intentional", "not allowed"),
    ("an intentional win", GAMES, {"rounds.0.tables.0.intentional": True}, f"{FIRST}.intentional", "only a draw"),
    ("an intentional nothing", GAMES, {"rounds.0.tables.1": {"players": ["C", "D"], "intentional": True}},
     f"{SECOND}.intentional", "only a draw"),
    ("Swiss after elimination", GAMES, {"rounds.0.stage": "elimination"}, "rounds[1].stage", "after an elimination"),
]  # fmt: skip

CASES = PLAYERS + SEATS + RESULTS


@pytest.mark.parametrize(
    ("plain", "changes", "place", "word"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_it_is_refused(
    plain: dict[str, Any], changes: dict[str, Any], place: str, word: str, tmp_path: Path
) -> None:
    file = write(changed(plain, changes), tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: {place}: ", word)


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
    plain = changed(GAMES, {"rounds.0.tables.1.intentional": True})
    assert topcut("standings", str(write(plain, tmp_path / "cup.json"))).code == 0


def test_whoever_is_called_draw_can_win_only_by_games(tmp_path: Path) -> None:
    """Else nobody could tell who won."""
    plain = document(played("mtr", "draw 2-0 B"))
    assert topcut("standings", str(write(plain, tmp_path / "games.json"))).code == 0
    file = write(
        changed(plain, {"rounds.0.tables.0": {"players": ["draw", "B"], "winner": "draw"}}), tmp_path / "cup.json"
    )
    assert_refused(topcut("standings", str(file)), f"{file}: {FIRST}.winner: ", '"draw"', "games")


def test_elimination_rounds_are_read_as_strictly(tmp_path: Path) -> None:
    plain = changed(GAMES, {"rounds.2": {"stage": "elimination", "tables": [{"players": ["A", "Z"]}]}})
    file = write(plain, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file), "--after", "2"), f"{file}: rounds[2].tables[0].players[1]: ", "Z")
