"""What is changed in a .tdf file when an event went on, and nothing else."""

import difflib
from typing import Any

import pytest
from msgspec.structs import replace

from tests.builders import played
from tests.formats.tdf_files import AT, FILES, STAMP, a_file, a_pod, changed, fixture, with_table
from tools.verify_tdf import continued, meaning, reported
from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.rounds import AfterRound, choose_stage, list_slot_seeds
from topcut.formats.tdf.xml_tree import encode_xml, parse_xml
from topcut.history import Player, Round, Table
from topcut.rulebook.options import ForDivision


def read(raw: bytes) -> EventFile:
    return tdf.read_content(raw).file


def difference(raw: bytes, file: EventFile, finished: bool | None = None) -> list[str]:
    """The lines that writing took out and put in."""
    before, now = (
        text.decode().splitlines()
        for text in (encode_xml(parse_xml(raw)), tdf.write_file(file, raw, AT, finished))
    )
    lines = difflib.unified_diff(before, now, n=0, lineterm="")
    return [f"{line[0]} {line[1:].strip()}" for line in lines if not line.startswith(("---", "+++", "@@"))]


@pytest.mark.parametrize(
    "path", [path for path in FILES if "finished" not in path.name], ids=lambda path: path.stem
)
def test_an_event_goes_on_to_its_end_and_everything_before_stays(path: Any) -> None:
    rounds, wrong = continued(path.read_bytes())
    assert wrong == []
    assert rounds == {"challenge-round-1": 7, "cup-round-5": 3, "cup-final": 0}.get(path.stem, 3)


class TestAResult:
    RAW = fixture("rehearsal-round-3")

    def test_is_one_outcome_and_its_time(self) -> None:
        table = read(self.RAW).rounds[2].tables[1]
        file = with_table(read(self.RAW), 2, 1, winner=table.players[1])
        assert difference(self.RAW, file) == [
            '- <match outcome="0">',
            '+ <match outcome="2">',
            "- <timestamp>02/15/2025 15:31:53</timestamp>",
            f"+ <timestamp>{STAMP}</timestamp>",
        ]

    @pytest.mark.parametrize(
        ("result", "code"),
        [
            ({"winner": "draw"}, 3),
            ({"winner": "double_loss"}, 10),
            ({"games": (2, 1, 0)}, 1),
            ({"games": (0, 2, 0)}, 2),
            ({"games": (1, 1, 1)}, 3),
        ],
        ids=range(5),
    )
    def test_has_its_code(self, result: dict[str, Any], code: int) -> None:
        lines = difference(self.RAW, with_table(read(self.RAW), 2, 0, **result))
        assert f'+ <match outcome="{code}">' in lines

    def test_that_is_the_last_one_ends_the_round(self) -> None:
        lines = difference(self.RAW, reported(read(self.RAW)))
        assert [line for line in lines if "<round " in line] == [
            '- <round number="3" type="3" stage="2">',
            '+ <round number="3" type="3" stage="6">',
        ]
        assert len(lines) == 2 + 4 * 4

    def test_taken_back_opens_it_again(self) -> None:
        raw = fixture("rehearsal-round-3-reported")
        lines = difference(raw, with_table(read(raw), 2, 0, winner=None))
        assert '+ <match outcome="0">' in lines
        assert '+ <round number="3" type="3" stage="2">' in lines

    def test_corrected_in_a_finished_event_gives_new_places(self) -> None:
        raw = fixture("local-finished")
        table = read(raw).rounds[3].tables[0]
        again = tdf.write_file(with_table(read(raw), 3, 0, winner=table.players[0]), raw, AT)
        assert tdf.read_content(again).file.rounds[3].tables[0].winner == table.players[0]
        assert parse_xml(again).root.get("stage") == "5"
        lines = difference(raw, with_table(read(raw), 3, 0, winner=table.players[0]))
        assert any(" place=" in line for line in lines)

    def test_missing_in_a_finished_event_opens_it_again(self) -> None:
        raw = fixture("local-finished")
        root = parse_xml(tdf.write_file(with_table(read(raw), 3, 0, winner=None), raw, AT)).root
        assert root.get("stage") == "4"
        assert root.find("standings") is None


class TestAPlayer:
    RAW = fixture("rehearsal-round-3-reported")

    def changed(self, at: int, **fields: Any) -> list[str]:
        file = read(self.RAW)
        players = list(file.players)
        players[at] = replace(players[at], **fields)
        return difference(self.RAW, replace(file, players=tuple(players)))

    def test_who_drops(self) -> None:
        assert self.changed(0, dropped=3) == [
            "+ <dropped>",
            "+ <status>1</status>",
            "+ <round>3</round>",
            f"+ <timestamp>{STAMP}</timestamp>",
            "+ </dropped>",
        ]

    def test_who_is_disqualified_is_written_as_dropped(self) -> None:
        assert "+ <round>3</round>" in self.changed(0, disqualified=3)

    def test_who_comes_back(self) -> None:
        raw = fixture("local-finished")
        file = read(raw)
        players = tuple(replace(player, dropped=None) for player in file.players)
        lines = difference(raw, replace(file, players=players))
        assert lines[:5] == [
            "- <dropped>",
            "- <status>1</status>",
            "- <round>3</round>",
            "- <timestamp>11/04/2025 23:29:42</timestamp>",
            "- </dropped>",
        ]

    def test_with_another_name(self) -> None:
        lines = self.changed(0, name="Mary Ann O'Neil <3", born=1971)
        assert "+ <firstname>Mary Ann O'Neil</firstname>" in lines
        assert "+ <lastname>&lt;3</lastname>" in lines
        assert "+ <birthdate>02/27/1971</birthdate>" in lines
        assert f"+ <lastmodifieddate>{STAMP}</lastmodifieddate>" in lines

    def test_who_is_late_has_lost_what_was_missed(self) -> None:
        file = read(self.RAW)
        late = Player(id="new", name="Zoé Late", member="999", born=2001, division="masters", entered=4)
        lines = difference(self.RAW, replace(file, players=(*file.players, late)))
        assert lines.count('+ <match outcome="8">') == 3
        assert '+ <player userid="999"/>' in lines
        assert '+ <player userid="999">' in lines
        assert "+ <playercount>10</playercount>" in lines
        assert not [line for line in lines if line.startswith("- ") and "playercount" not in line]
        again = read(tdf.write_file(replace(file, players=(*file.players, late)), self.RAW, AT))
        assert again.players[-1].entered == 4
        assert again.players[-1].name == "Zoé Late"

    def test_who_is_late_is_written_once(self) -> None:
        file = read(self.RAW)
        late = Player(id="999", name="Zoé Late", member="999", born=2001, division="masters", entered=4)
        file = replace(file, players=(*file.players, late))
        assert difference(tdf.write_file(file, self.RAW, AT), file) == []

    def test_who_was_never_there_is_gone(self) -> None:
        raw = fixture("set-up")
        file = read(raw)
        lines = difference(raw, replace(file, players=file.players[1:]))
        assert lines[0] == f'- <player userid="{file.players[0].id}">'
        assert len(lines) == 8

    def test_of_another_division_widens_the_pod(self) -> None:
        file = read(self.RAW)
        late = Player(id="7", name="Kid Seven", member="7", born=2015, division="junior", entered=4)
        lines = difference(self.RAW, replace(file, players=(*file.players, late)))
        assert '+ <pod category="10" stage="0">' in lines
        assert '+ <categorycut key="0">' in lines

    def test_with_the_userid_of_somebody_else_is_refused(self) -> None:
        file = read(self.RAW)
        late = Player(id="new", name="Zoé", member=file.players[0].id, entered=4)
        with pytest.raises(BadInput, match="would have the userid"):
            tdf.write_file(replace(file, players=(*file.players, late)), self.RAW, AT)


class TestARound:
    RAW = fixture("rehearsal-round-3-reported")

    def test_is_one_new_element(self) -> None:
        file = read(self.RAW)
        ids = [player.id for player in file.players]
        pairs = zip(ids[:8:2], ids[1:8:2], strict=True)
        tables = [Table(players=pair, table=n) for n, pair in enumerate(pairs, start=1)]
        tables.append(Table(players=(ids[8],), bye=True))
        lines = difference(self.RAW, replace(file, rounds=(*file.rounds, Round(tables=tuple(tables)))))
        assert all(line.startswith("+ ") for line in lines)
        assert lines[:8] == [
            '+ <round number="4" type="3" stage="2">',
            "+ <timeleft>3000</timeleft>",
            "+ <matches>",
            '+ <match outcome="5">',
            f'+ <player userid="{ids[8]}"/>',
            f"+ <timestamp>{STAMP}</timestamp>",
            "+ <tablenumber>0</tablenumber>",
            "+ </match>",
        ]

    def test_has_tabs_like_all_others(self) -> None:
        file = read(self.RAW)
        a_round = Round(tables=(Table(players=tuple(player.id for player in file.players[:2])),))
        text = tdf.write_file(replace(file, rounds=(*file.rounds, a_round)), self.RAW, AT).decode()
        assert '\n\t\t\t\t<round number="4" type="3" stage="2">\n\t\t\t\t\t<timeleft>' in text
        assert "</round>\n\t\t\t</rounds>" in text

    def test_that_is_undone_is_gone(self) -> None:
        file = read(self.RAW)
        lines = difference(self.RAW, replace(file, rounds=file.rounds[:2]))
        assert lines[0] == '- <round number="3" type="3" stage="6">'
        assert all(line.startswith("- ") for line in lines)

    def test_with_tables_that_changed(self) -> None:
        raw = fixture("rehearsal-round-3")
        file = read(raw)
        one, two = (table.players for table in file.rounds[2].tables[:2])
        swapped = with_table(file, 2, 0, players=(one[0], two[0]), table=1)
        swapped = with_table(swapped, 2, 1, players=(one[1], two[1]), table=None)
        again = read(tdf.write_file(swapped, raw, AT))
        found = {frozenset(table.players): table.table for table in again.rounds[2].tables}
        assert found[frozenset((one[0], two[0]))] == 1
        assert found[frozenset((one[1], two[1]))] == 2  # the first number that is free

    @pytest.mark.parametrize(
        ("was", "touched", "is_open", "then", "stage"),
        [
            (2, False, True, "nothing", 2),  # being played
            (2, True, True, "nothing", 2),
            (2, True, False, "nothing", 6),  # the last result
            (6, True, True, "nothing", 2),  # a result taken back
            (6, True, False, "nothing", 6),  # a result corrected
            (2, False, False, "nothing", 2),  # looked at before anybody ended it
            (2, False, False, "round", 6),  # the next one is there
            (2, False, True, "round", 2),
            (6, False, False, "bracket", 8),  # the last Swiss round
            (6, False, False, "end", 8),
            (8, False, False, "round", 8),
            (8, True, False, "round", 8),
            (4, False, True, "nothing", 4),  # stages of which nothing is known stay
            (5, False, False, "round", 5),
            (7, True, False, "nothing", 7),
        ],
    )
    def test_has_a_stage(self, was: int, touched: bool, is_open: bool, then: AfterRound, stage: int) -> None:
        assert choose_stage(was, touched, is_open, then) == stage

    def test_across_pods_is_refused(self) -> None:
        raw = fixture("cup-divisions-finished")
        file = read(raw)
        young, old = (next(p.id for p in file.players if p.division == d) for d in ("senior", "masters"))
        tables = (Table(players=(young, old)),)
        rounds = (*file.rounds, Round(tables=tables, stage="elimination"))
        with pytest.raises(BadInput):
            tdf.write_file(replace(file, rounds=rounds), raw, AT)


class TestABracket:
    def test_has_slots_and_seeds_as_these_files_count_them(self) -> None:
        assert list_slot_seeds(2) == [1, 2]
        assert list_slot_seeds(4) == [1, 4, 3, 2]
        assert list_slot_seeds(8) == [1, 8, 5, 4, 3, 6, 7, 2]

    def test_that_is_paired_again_is_the_one_that_was_there(self) -> None:
        raw = fixture("cup-final")
        file = read(raw)
        swiss = replace(
            file,
            rounds=file.rounds[:5],
            players=tuple(replace(player, cut=None) for player in file.players),
        )
        before = tdf.write_file(swiss, raw, AT)
        root = parse_xml(before).root
        assert root.find("players/player/seed") is None
        assert root.find("pods/pod[@stage='0']") is not None
        again = tdf.write_file(file, before, AT)
        seats = ("players/player/seed", "players/player/order", "pods/pod/rounds/round[@type='1']//player1")
        for path in seats:
            found = [
                [(e.text, e.get("userid")) for e in parse_xml(r).root.findall(path)] for r in (raw, again)
            ]
            assert found[0] == found[1]
        assert [r.get("stage") for r in parse_xml(again).root.findall("pods/pod/rounds/round")][4] == "8"


def test_tables_that_two_pods_number_alike_keep_their_numbers() -> None:
    raw = fixture("cup-divisions-finished")
    file = read(raw)
    numbers = [table.table for table in file.rounds[5].tables]
    assert sorted(map(int, map(str, numbers))) == [1, 2, 2, 3]
    for at in range(4):
        file = with_table(file, 5, at, table=at + 1)  # as an event must number them
    assert difference(raw, file) == []
    moved = with_table(file, 4, 0, table=44)
    assert [line for line in difference(raw, moved) if "44" in line] == ["+ <tablenumber>44</tablenumber>"]


def test_a_cut_that_changes_is_written() -> None:
    raw = fixture("rehearsal-round-3")
    file = read(raw)
    lines = difference(raw, replace(file, options=replace(file.options, cut=2, third_place=True)))
    assert "+ <cut>2</cut>" in lines
    assert "+ <paired3rd4th>true</paired3rd4th>" in lines
    assert "+ <playoff3rd4th>true</playoff3rd4th>" in lines
    assert len(lines) == 6


def test_a_cut_of_one_division_is_written_for_it() -> None:
    raw = fixture("cup-round-5")
    file = read(raw)
    own = {"masters": ForDivision(cut=4), "senior": ForDivision(cut=0)}
    lines = difference(raw, replace(file, options=replace(file.options, by_division=own)))
    assert lines == ["- <cut>8</cut>", "+ <cut>4</cut>"]


def test_the_name_of_an_event() -> None:
    raw = fixture("set-up")
    assert difference(raw, replace(read(raw), name="Cup & Co")) == [
        "- <name>Winter Cup</name>",
        "+ <name>Cup &amp; Co</name>",
    ]


def test_parts_of_a_file_that_are_missing_are_made() -> None:
    raw = b'<tournament type="2" stage="1" gametype="TRADING_CARD_GAME" mode="CUSTOM" version="1.8"/>'
    division = {"1": "masters", "2": "masters"}
    event = played("pokemon-tom", "1 beats 2", born={"1": 1990, "2": 1990}, division=division)
    again = tdf.write_file(event.file, raw, AT)
    assert [child.tag for child in parse_xml(again).root] == ["data", "players", "pods", "finalsoptions"]
    assert meaning(read(again)) == meaning(event.file)


def test_a_pod_that_says_nothing_of_rounds() -> None:
    raw = changed(a_file(a_pod(2, "1 2"), {"1": 1990, "2": 1990}), "<rounds></rounds>", "")
    file = replace(read(raw), rounds=(Round(tables=(Table(players=("1", "2"), winner="1"),)),))
    assert meaning(read(tdf.write_file(file, raw, AT))) == meaning(file)
