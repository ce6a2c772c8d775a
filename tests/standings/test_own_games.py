"""How many games a bye is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import played, standings, value
from tests.proves import proves
from topcut.errors import BadInput
from topcut.formats.event_file import build_event, decode_event_file
from topcut.rulebook import load


@proves("MTR-A1")
def test_the_minimum_of_the_own_game_win_percentage_is_a_reading() -> None:
    """B lost 0-2 and won no game: 1/3 with the minimum, 0 without; B's opponents always have it."""
    rounds = ("A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D")
    assert value(standings(played("mtr", *rounds)), "gw", "D") == "1/3"
    found = standings(played("mtr", *rounds, readings={"MTR-A1": "b"}))
    assert value(found, "gw", "D") == "0"
    assert value(found, "ogw", "C") == "2/3"  # A counts as 1, D as 1/3


@pytest.mark.parametrize(("best_of", "bye_alone"), [(1, "1/2"), (3, "2/3"), (5, "3/4")])
def test_a_bye_is_worth_as_many_games_as_a_match_takes_to_win(
    tmp_path: Path, best_of: int, bye_alone: str
) -> None:
    """A bye, and a match lost by one game: 1 of 2 in best of one, 2 of 3 in best of three, 3 of 4 in five."""
    path = tmp_path / "own.toml"
    path.write_text(f'id = "own"\nbase = "mtr"\n[match]\nbest_of = {best_of}\n')
    rounds = [
        {"tables": [{"players": ["A"], "bye": True}, {"players": ["B", "C"], "games": [1, 0, 0]}]},
        {"tables": [{"players": ["C"], "bye": True}, {"players": ["B", "A"], "games": [1, 0, 0]}]},
    ]
    players = [{"id": "A"}, {"id": "B"}, {"id": "C"}]
    document = {"topcut": 1, "name": "Cup", "rules": "own.toml", "players": players, "rounds": rounds}
    event = build_event(decode_event_file(json.dumps(document).encode()), folder=tmp_path)
    found = standings(event)
    assert value(found, "gw", "A") == bye_alone


def test_a_match_without_a_number_of_games_needs_the_games_of_a_bye(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    text = load_text("mtr").replace("best_of = 3\n", "").replace('id = "mtr"', 'id = "own"')
    path.write_text(text)
    with pytest.raises(
        BadInput, match="expected best_of under .match., or games: nothing says how many games"
    ):
        load("own.toml", folder=tmp_path)


def load_text(book: str) -> str:
    return (Path(__file__).parents[2] / "src/topcut/rulebook/books" / f"{book}.toml").read_text("utf-8")
