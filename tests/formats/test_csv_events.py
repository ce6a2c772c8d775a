"""Events as CSV and events from CSV: what other programs write of rounds, and what ours look like."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.builders import a_round, played
from topcut.errors import BadInput
from topcut.formats.csv.columns import guess_columns
from topcut.formats.csv.reader import read_csv, read_rounds
from topcut.formats.csv.rows import read_sheet
from topcut.formats.csv.writer import (
    list_event_losses,
    write_pairings,
    write_players,
    write_results,
    write_standings,
)
from topcut.formats.event_file import EventFile, build_event
from topcut.history import Round, Table
from topcut.rulebook import load


def rounds(text: str, rules: str = "mtr") -> tuple[Round, ...]:
    return read_csv(text.encode(), rules, "Cup")[1].rounds


def tables(cell: str, rules: str = "mtr", heading: str = "Result") -> list[dict[str, Any]]:
    text = f"Round;Table;Player 1;Player 2;{heading}\n1;1;Ada Okafor;Bo Bell;{cell}\n"
    (one,) = rounds(text, rules)
    return [
        {key: value for key, value in msgspec.to_builtins(table).items() if key not in ("players", "table")}
        for table in one.tables
    ]


GAMES = [
    ("2-1", {"games": (2, 1, 0)}),
    ("2 : 1", {"games": (2, 1, 0)}),
    ("1–1–1", {"games": (1, 1, 1)}),
    ("0-2-0", {"games": (0, 2, 0)}),
    ("1-0", {"games": (1, 0, 0)}),
    ("0.5-0.5", {"winner": "draw"}),
    ("½-½", {"winner": "draw"}),
    ("1/2-1/2", {"winner": "draw"}),
    ("1,5-0,5", {"winner": "p1"}),
    ("win", {"winner": "p1"}),
    ("W", {"winner": "p1"}),
    ("Niederlage", {"winner": "p2"}),
    ("draw", {"winner": "draw"}),
    ("Unentschieden", {"winner": "draw"}),
    ("引き分け", {"winner": "draw"}),
    ("ID", {"winner": "draw", "intentional": True}),
    ("double loss", {"winner": "double_loss"}),
    ("Bo Bell", {"winner": "p2"}),
    ("bell", {"winner": "p2"}),
    ("", {}),
]


@pytest.mark.parametrize(("cell", "result"), GAMES, ids=[repr(cell) for cell, _ in GAMES])
def test_a_result_in_every_form(cell: str, result: dict[str, Any]) -> None:
    assert tables(cell) == [result]


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("1-0", {"winner": "p1"}),
        ("0-1", {"winner": "p2"}),
        ("½-½", {"winner": "draw"}),
        ("0-0", {"winner": "draw"}),
    ],
)
def test_rules_that_know_only_winners(cell: str, result: dict[str, Any]) -> None:
    book = load("mtr")
    book = replace(book, match=replace(book.match, results="winner", best_of=None))
    sheet = read_sheet(f"Player 1;Player 2;Result\nAda;Bo;{cell}\n".encode())
    _, (one,), _ = read_rounds(sheet, guess_columns(sheet), book)
    assert one.tables == (Table(players=("p1", "p2"), **result),)


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("Bo Bell", {"winner": "p2"}),
        ("1", {"winner": "p1"}),
        ("Player 2", {"winner": "p2"}),
        ("Teilnehmer 2", {"winner": "p2"}),
        ("p1", {"winner": "p1"}),
        ("Schwarz", {"winner": "p2"}),
        ("tie", {"winner": "draw"}),
    ],
)
def test_a_column_of_winners(cell: str, result: dict[str, Any]) -> None:
    assert tables(cell, heading="Winner") == [result]


def test_somebody_called_white_is_meant_before_a_side() -> None:
    (one,) = rounds("Player 1;Player 2;Winner\nAda;Bo White;white\n")
    assert one.tables[0].winner == "p2"


@pytest.mark.parametrize(
    "form", ["{}", "Round {}", "{}. Runde", "R{}", "{}回戦", "第{}回戦", "{}. ronda", "{} tour"]
)
def test_the_number_of_a_round_in_every_form(form: str) -> None:
    lines = [f"{form.format(n)};Ada;Bo;2-0" for n in (2, 1)]
    found = rounds("\n".join(["Round;Player 1;Player 2;Result", *lines, "Top 2;Ada;Bo;2-0"]))
    assert [one.stage for one in found] == ["swiss", "swiss", "elimination"]


def test_byes_and_assigned_losses() -> None:
    (one,) = rounds(
        "Table,Player 1,Player 2\n1,Ada,Bo\n,Cy,*** BYE ***\n,Di,Freilos\n,Eli,assigned loss\n"
        ",bye,Fay\n,Gus,\n"
    )
    assert [(table.players, table.bye, table.loss) for table in one.tables] == [
        (("p1", "p2"), False, False),
        (("p3",), True, False),
        (("p4",), True, False),
        (("p5",), False, True),
        (("p6",), True, False),
        (("p7",), True, False),
    ]


def test_games_in_columns_of_their_own() -> None:
    (one,) = rounds(
        "Player 1,Player 1 ID,Player 1 wins,Player 2,Player 2 ID,Player 2 wins,Draws\nAda,7,2,Bo,8,0,1\n"
    )
    assert one.tables == (Table(players=("7", "8"), games=(2, 0, 1)),)


def test_larger_tables() -> None:
    text = (
        "Table,Player 1,Score 1,Player 2,Score 2,Player 3,Score 3\n1,Ada,24,Bo,10,Cy,23\n2,Di,3,Eli,5,Fay,4\n"
    )
    (one,) = rounds(text, "allegiance-2005")
    assert one.tables[0].scores == (24, 10, 23)
    assert [table.winners for table in one.tables] == [("p1",), ()], (
        "nobody has reached the target at table 2"
    )
    text = "Pod,Player 1,Player 2,Player 3,Player 4,Winner\n1,Ada,Bo,Cy,Di,Cy\n2,Eli,Fay,Gus,Hal,draw\n"
    (one,) = rounds(text, "commander-4")
    assert [table.winner for table in one.tables] == ["p3", "draw"]


def test_a_list_from_a_to_z_names_each_table_twice() -> None:
    text = "Round,Table,Player,Opponent,Result\n1,1,Ada,Bo,2-1\n1,1,Bo,Ada,1-2\n1,2,Cy,Di,\n1,2,Di,Cy,\n"
    (one,) = rounds(text)
    assert [table.games for table in one.tables] == [(2, 1, 0), None]
    with pytest.raises(BadInput, match="line 3: the result differs from line 2"):
        rounds("Table,Player,Opponent,Result\n1,Ada,Bo,2-1\n1,Bo,Ada,2-1\n")


def test_rounds_with_names_are_a_bracket() -> None:
    text = (
        "Round;Player 1;Player 2;Result\nFinal;Ada;Cy;2-1\nRound 1;Ada;Bo;2-0\nRound 1;Cy;Di;2-0\n"
        "Runde 2;Ada;Cy;1-1\nTop 4;Ada;Bo;2-0\nTop 4;Cy;Di;0-2\n"
    )
    found = rounds(text)
    assert [(r.stage, len(r.tables)) for r in found] == [
        ("swiss", 2),
        ("swiss", 1),
        ("elimination", 2),
        ("elimination", 1),
    ]


REFUSED = [
    ("1;1;Ada;Bo;3-0", "line 2: 3-0 isn't possible in best of 3"),
    ("1;1;Ada;Bo;2. Jan", "line 2: a spreadsheet turned this result into the date “2. Jan”"),
    ("1;1;Ada;Bo;1-Feb", "line 2: a spreadsheet turned this result into the date “1-Feb”"),
    ("1;1;Ada;Bo;Cy", "line 2: “Cy” is neither a result nor a player at this table"),
    ("1;1;Ada;Ada;2-1", "line 2: a player is at this table twice"),
    ("1;1;Ada;Bo;2-1\n1;2;Ada;Cy;2-1", "line 3: a player is also at the table of line 2"),
    ("1;1;Ada;Bo;2-1\n3;1;Ada;Bo;2-1", "round 2 is missing between rounds 1 and 3"),
    ("0;1;Ada;Bo;2-1", "line 2: expected the number of a round, from 1 to 1000"),
    (";;;;", "there are no players on this list"),
]


@pytest.mark.parametrize(("lines", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_cannot_have_happened_is_refused_with_its_line(lines: str, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        rounds(f"Round;Table;Player 1;Player 2;Result\n{lines}\n")
    assert str(refused.value).startswith(says)


def test_scores_and_outcomes_must_agree() -> None:
    with pytest.raises(BadInput, match="line 2: 2-0 isn't a “loss” for the first player"):
        rounds("Player 1,Outcome 1,Games 1,Player 2,Outcome 2,Games 2\nAda,loss,2,Bo,win,0\n")
    with pytest.raises(BadInput, match="line 2: win and win can't be the outcomes of one table"):
        rounds("Player 1,Outcome 1,Player 2,Outcome 2\nAda,win,Bo,win\n")
    with pytest.raises(BadInput, match="line 2: expected a score for each player, or for none"):
        rounds("Player 1,Games 1,Player 2,Games 2\nAda,2,Bo,\n")


def test_notes_say_what_was_guessed() -> None:
    _, _, notes = read_csv(b"Table,Player 1,Player 2\n1,Ada,Bo\n", "mtr", "Cup")
    assert notes == [
        "No column has the round, so all tables count as round 1.",
        "There are no ids, so players with the same name become one player.",
    ]
    _, _, notes = read_csv(b"Round,Player 1,Player 2\n4,Ada,Bo\n", "mtr", "Cup")
    assert notes[0] == "The list begins with round 4, which becomes round 1."


def test_standings_become_rank_seeds() -> None:
    kind, file, notes = read_csv(b"Rank,Name,Points\n2,Bo,6\n1,Ada,9\n2,Cy,6\n", "mtr", "Cup")
    assert kind == "standings"
    assert [(player.name, player.seed) for player in file.players] == [("Ada", 1), ("Bo", 2), ("Cy", 3)]
    assert "Points and tiebreakers are not imported" in notes[-1]


def test_players_become_an_event() -> None:
    kind, file, notes = read_csv(b"Name,ID,Division\nAda,7,MA\nBo,8,x\n", "pokemon-2017", "Cup")
    assert kind == "players"
    assert [(p.id, p.name, p.division, p.member) for p in file.players] == [
        ("7", "Ada", "masters", None),
        ("8", "Bo", None, None),
    ]
    assert len(notes) == 1
    assert build_event(file).history.size == 2
    _, file, notes = read_csv(b"Name,ID\nAda,7\nBo,\n", "mtr", "Cup")
    assert [(p.id, p.member) for p in file.players] == [("p1", "7"), ("p2", None)]
    assert notes == ["Ids are missing or appear twice, so the players are numbered."]


EVENT = played(
    "pokemon-2017",
    a_round("A 2-1 B, C 1-1 D, E bye", seed="x"),
    "A beats C, B loss, D - E",
    dropped={"B": 2},
    member={"A": "77"},
    born={"A": 1990},
    division={"B": "senior"},
    apart={"A": ["=x", "y"], "B": ["z"]},
)


def text(raw: bytes) -> list[str]:
    assert raw.startswith(b"\xef\xbb\xbf")
    assert raw.endswith(b"\r\n")
    return raw.decode("utf-8-sig").split("\r\n")[:-1]


def test_players_as_csv() -> None:
    assert text(write_players(EVENT))[:3] == [
        "id,name,division,entered,dropped",
        "A,A,masters,1,",
        "B,B,senior,1,2",
    ]
    assert text(write_players(EVENT, private=True))[:3] == [
        "id,name,division,member,born,entered,dropped,apart,apart",
        "A,A,,77,1990,1,,'=x,y",
        "B,B,senior,,,1,2,z,",
    ]


def test_pairings_as_csv() -> None:
    assert text(write_pairings(EVENT)) == [
        "round,table,player 1,id 1,points 1,player 2,id 2,points 2",
        "2,,A,A,3,C,C,1",
        "2,,B,B,0,assigned loss,,",
        "2,,D,D,1,E,E,3",
    ]
    assert text(write_pairings(EVENT, 1))[0] == "round,table,player 1,id 1,player 2,id 2"
    for number, says in ((3, "there is no round 3: expected 1 to 2"), (0, "there is no round 0")):
        with pytest.raises(BadInput, match=says):
            write_pairings(EVENT, number)


def test_results_as_csv() -> None:
    assert text(write_results(EVENT))[1:5] == [
        "1,swiss,,A,A,win,2,B,B,loss,1,0",
        "1,swiss,,C,C,draw,1,D,D,draw,1,0",
        "1,swiss,,E,E,bye,,,,,,",
        "2,swiss,,A,A,win,,C,C,loss,,",
    ]


def test_standings_as_csv() -> None:
    lines = text(write_standings(EVENT, after=1))
    assert lines[0].startswith("rank,id,name,points,wins,losses,draws,byes,")
    assert lines[1] == "1,A,A,3,1,0,0,0,no,0,25.00%,0 1/4,100.00%,1,,,,,,,masters,1,,oowp"
    with pytest.raises(BadInput, match="not reported yet"):
        write_standings(EVENT)
    assert read_csv(write_standings(EVENT, after=1), "mtr", "Cup")[0] == "standings"


def test_standings_of_pools_of_one_division_are_those_of_divisions_apart() -> None:
    event = played(
        "pokemon-2017",
        "A beats B, C beats D",
        options={"rounds": 1, "pools": [["junior"], ["senior"], ["masters"]]},
        division={"A": "masters", "B": "masters", "C": "senior", "D": "senior"},
        flight=dict.fromkeys("ABCD", 1),
    )
    headings, *lines = (line.split(",") for line in text(write_standings(event)))
    inside = [line[headings.index("division") : headings.index("left")] for line in lines]
    assert sorted(inside) == [
        ["masters", "1", "1", "1"],
        ["masters", "2", "1", "2"],
        ["senior", "1", "1", "1"],
        ["senior", "2", "1", "2"],
    ]


def test_numbers_of_ours_stay_numbers() -> None:
    event = played("allegiance-2005", "1:-5 2:30* 3:-7")
    assert text(write_results(event))[1] == "1,swiss,,1,1,loss,-5,2,2,win,30,3,3,loss,-7"


def test_losses_are_told() -> None:
    assert list_event_losses(EVENT, "results") == [
        "The event's name and ruleset. You choose them again when you import the list.",
        "Player details other than names: numbers, divisions, when they entered and dropped.",
        "The seeds and formats of rounds.",
    ]
    personal = "Membership numbers, birth years and “don't pair with” labels of players."
    assert personal in list_event_losses(EVENT, "players")
    assert personal not in list_event_losses(EVENT, "players", private=True)
    assert "Results, and all rounds except one." in list_event_losses(EVENT, "pairings")
    assert (
        list_event_losses(played("mtr", players="A B"), "players") == list_event_losses(EVENT, "results")[:1]
    )


def test_the_name_and_rules_are_as_given() -> None:
    _, file, _ = read_csv(b"Ada\nBo\n", "mtr", "Autumn cup")
    assert file == EventFile(topcut=1, name="Autumn cup", rules="mtr", players=file.players)
    with pytest.raises(BadInput, match='no ruleset "mtx"'):
        read_csv(b"Ada\n", "mtx", "Cup")
