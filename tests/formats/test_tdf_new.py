"""Events written as new .tdf files: what becomes of them, what they lose, what is refused."""

from typing import Any

import pytest

from tests.builders import played
from tests.formats.tdf_files import AT, FILES
from tools.verify_tdf import meaning
from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.xml_tree import parse_xml
from topcut.history import Player, Round, Table
from topcut.rulebook.options import Options
from topcut.text.messages import Message


def read(raw: bytes) -> EventFile:
    return tdf.read_content(raw).file


class TestANewFile:
    def test_of_another_ruleset(self) -> None:
        event = played("mtr", "A 2-1 B, C 1-1 D, E bye", "A 2-0 C, B beats D, E loss", dropped={"E": 2})
        again = read(tdf.write_file(event.file, None, AT))
        assert meaning(again)["rounds"] == meaning(event.file)["rounds"]
        assert {player.division for player in again.players} == {"masters"}
        assert again.options.format == "swiss"
        assert tdf.list_file_losses(event.file) == [
            "The ruleset mtr. A .tdf always has pokemon-tom, and its standings follow that.",
            "Ids that are not numbers, used as membership numbers: 5 players.",
            "5 players have no birth year. One is made up from their division.",
            "5 players have no division of pokemon-tom and are written as masters.",
            "Games inside a result: 3 tables.",
        ]

    def test_has_userids_for_membership_numbers(self) -> None:
        event = played("pokemon-tom", "A beats B", member={"A": "12", "B": "13"}, born={"A": 1990, "B": 2012})
        again = read(tdf.write_file(event.file, None, AT))
        assert [(player.id, player.member, player.born) for player in again.players] == [
            ("12", "12", 1990),
            ("13", "13", 2012),
        ]
        assert again.rounds[0].tables[0].winner == "12"

    def test_makes_up_a_year_that_gives_the_division(self) -> None:
        event = played(
            "pokemon-tom", "A beats B, C bye", division={"A": "junior", "B": "senior", "C": "masters"}
        )
        again = read(tdf.write_file(event.file, None, AT))
        assert [(player.born, player.division) for player in again.players] == [
            (2014, "junior"),
            (2013, "senior"),
            (2009, "masters"),
        ]

    def test_of_an_event_with_nothing(self) -> None:
        event = played("pokemon-tom")
        assert read(tdf.write_file(event.file, None, AT)) == event.file

    def test_of_games_on_a_screen(self) -> None:
        event = played("pokemon-tom", "A beats B", options={"table": "vg"})
        raw = tdf.write_file(event.file, None, AT)
        assert parse_xml(raw).root.get("gametype") == "VIDEO_GAME"
        assert read(raw).options.table == "vg"


def test_whatever_a_file_cannot_hold_is_said() -> None:
    table = Table(players=("1", "2"), table="Feature", games=(1, 1, 1), intentional=True, why=(Message("x"),))
    event = played(
        "pokemon-tom",
        Round(tables=(table,), seed="s", format="draft"),
        options={"level": "premier", "rounds": 6, "format": "swiss"},
        born={"1": 1990, "2": 1991},
        apart={"1": ("family",)},
        disqualified={"2": 1},
    )
    assert tdf.list_file_losses(event.file) == [
        "Seeds. Random draws can't be verified any more.",
        "The formats of rounds.",
        "The option level.",
        "The planned number of rounds, 6. A .tdf has it only once they are played.",
        "“Don't pair with” labels: 1 player.",
        "Disqualifications, written as drops: 1 player.",
        "Games inside a result: 1 table.",
        "Which draws were agreed on: 1 table.",
        "Names of tables: 1 table.",
        "Reasons of pairings: 1 table.",
    ]


def test_nothing_is_lost_of_what_came_from_such_a_file() -> None:
    for path in FILES:
        assert tdf.list_file_losses(read(path.read_bytes())) == []


def test_an_id_of_our_own_is_no_loss_where_there_is_a_membership_number() -> None:
    born = {"p1": 1990, "p2": 1991}
    event = played("pokemon-tom", "p1 beats p2", member={"p1": "12", "p2": "13"}, born=born)
    assert tdf.list_file_losses(event.file) == []


def test_a_cut_between_swiss_rounds_is_said() -> None:
    event = played("pokemon-tom", "1 beats 2", "3 beats 4", "1 beats 3", cut={"2": 1, "4": 2})
    assert "Who was left out by a cut between Swiss rounds." in tdf.list_file_losses(event.file)


def test_one_bracket_for_several_divisions_is_said() -> None:
    born = {str(i): 2012 if i % 2 else 1990 for i in range(12)}
    event = played(
        "pokemon-tom", players=" ".join(born), born=born, options={"cut": 4, "divisions": "modified"}
    )
    assert any(
        said.startswith("One bracket for several divisions") for said in tdf.list_file_losses(event.file)
    )


REFUSED = [
    ({"format": "double-elimination"}, '"double-elimination" can\'t be written to a .tdf'),
    ({"pools": (("junior", "masters"), ("senior",))}, "these pools can't be written to a .tdf"),
]


@pytest.mark.parametrize(("options", "problem"), REFUSED, ids=["format", "pools"])
def test_what_cannot_be_written_is_refused(options: dict[str, Any], problem: str) -> None:
    born = {"1": 1990, "2": 2012, "3": 2016, "4": 1990, "5": 2012}
    players = tuple(Player(id=player_id, member=player_id, born=year) for player_id, year in born.items())
    tables = (Table(players=("1", "3"), winner="1"), Table(players=("2", "5"), winner="2"))
    rounds = () if "format" in options else (Round(tables=tables),)
    file = EventFile(
        topcut=1, name="Cup", rules=tdf.RULES, players=players, options=Options(**options), rounds=rounds
    )
    with pytest.raises(BadInput, match=problem):
        tdf.write_file(file, None, AT)


def test_tables_of_three_are_refused() -> None:
    event = played("allegiance-2005", "A:24* B:10 C:23")
    for use in (tdf.list_file_losses, lambda file: tdf.write_file(file, None, AT)):
        with pytest.raises(BadInput, match="tables of three or four can't be written"):
            use(event.file)
