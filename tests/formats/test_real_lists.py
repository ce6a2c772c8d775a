"""Lists in the shapes that other programs write, with invented players."""

from __future__ import annotations

import pytest

from topcut.formats.csv.headings import find_meaning
from topcut.formats.csv.player_list import read_list
from topcut.formats.csv.reader import read_csv
from topcut.formats.event_file import EventFile
from topcut.history import Player, Round


def read(*lines: str) -> tuple[str, EventFile]:
    kind, file, _ = read_csv("\n".join(lines).encode(), rules="mtr", name="Cup")
    return kind, file


def test_rounds_with_ids_nicknames_and_winners_are_results() -> None:
    kind, file = read(
        "Round,ID Player 1,Nick Player 1,Winner,ID Player 2,Nick Player 2,Deck Player 1",
        "1,501,Ada,Ada,502,Bo,Mill",
        "1,503,Cy,Draw,504,Di,Burn",
        "2,501,Ada,503,503,Cy,Mill",
        "2,502,Bo,,504,Di,Burn",
    )
    assert kind == "results"
    assert [(p.id, p.name) for p in file.players] == [
        ("501", "Ada"),
        ("502", "Bo"),
        ("503", "Cy"),
        ("504", "Di"),
    ]
    assert [[t.winner for t in a_round.tables] for a_round in file.rounds] == [["501", "draw"], ["503", None]]


def test_headings_with_the_number_of_a_player_behind_them() -> None:
    kind, file = read(
        "Round,Table,Player Name - 1,Membership Number - 1,Player Name - 2,Membership Number - 2,Result",
        "1,1,Ada Okafor,501,Bo Bell,502,2-1",
    )
    assert kind == "results"
    assert [(p.id, p.name) for p in file.players] == [("501", "Ada Okafor"), ("502", "Bo Bell")]
    assert file.rounds[0].tables[0].games == (2, 1, 0)


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("Ada Okafor: 2-0-0", (2, 0, 0)),
        ("Bo Bell: 2-1-0", (1, 2, 0)),
        ("Bo Bell: 2-1", (1, 2, 0)),
        ("Draw: 1-1-1", (1, 1, 1)),
        ("Ada Okafor: 0-0-3", (0, 0, 3)),
    ],
)
def test_a_name_and_games_are_a_result(text: str, games: tuple[int, int, int]) -> None:
    _, file = read("Round,Player 1,Player 2,Result", f"1,Ada Okafor,Bo Bell,{text}")
    assert file.rounds[0].tables[0].games == games


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        ("ID Player 1", "id 1"),
        ("Nick Player 2", "player 2"),
        ("Player Name - 1", "player 1"),
        ("Membership Number - 2", "id 2"),
        ("Freilose", "byes"),
        ("Awarded Byes", "byes"),
        ("Nombre de byes", "byes"),
        ("Número de byes", "byes"),
        ("獲得バイ", "byes"),
    ],
)
def test_what_headings_mean(heading: str, meaning: str) -> None:
    assert find_meaning(heading) == meaning


def test_a_column_of_awarded_byes() -> None:
    found = read_list(b"Name,Byes\nAda,2\nBo,\nCy,many\n")
    assert [(player.name, player.byes) for player in found.players] == [("Ada", 2), ("Bo", 0), ("Cy", 0)]
    assert any("“many” isn't a number of awarded byes (0 to 9)" in problem for problem in found.problems)


def test_awarded_byes_come_back_from_our_own_list() -> None:
    from topcut.formats.csv.writer import write_players
    from topcut.formats.event_file import build_event

    players = (Player(id="p1", name="Ada", byes=2), Player(id="p2", name="Bo"))
    rounds: tuple[Round, ...] = ()
    event = build_event(EventFile(topcut=1, name="Cup", rules="mtr", players=players, rounds=rounds))
    _, again, _ = read_csv(write_players(event), rules="mtr", name="Cup")
    assert [player.byes for player in again.players] == [2, 0]


def test_byes_in_standings_are_what_a_player_had() -> None:
    _, file = read("Rank,Name,Points,Byes", "1,Ada,9,1", "2,Bo,6,0")
    assert [player.byes for player in file.players] == [0, 0]
