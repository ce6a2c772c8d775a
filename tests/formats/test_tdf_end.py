"""The end of an event in a .tdf file: its stage, and the places of every division."""

import pytest
from msgspec.structs import replace

from tests.formats.tdf_files import AT, a_file, a_pod, fixture, with_table
from tools.verify_tdf import reported
from topcut.errors import BadInput
from topcut.formats.event_file import EventFile
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.xml_tree import parse_xml


def read(raw: bytes) -> EventFile:
    return tdf.read_content(raw).file


class TestAnEnd:
    def test_is_a_stage_and_places(self) -> None:
        raw = fixture("cup-final")
        file = reported(read(raw))
        again = tdf.write_file(file, raw, AT, finished=True)
        root = parse_xml(again).root
        assert root.get("stage") == "5"
        kinds = [(pod.get("category"), pod.get("type"), len(pod)) for pod in root.findall("standings/pod")]
        assert kinds == [
            ("2", "finished", 18),
            ("2", "dnf", 0),
            ("1", "finished", 1),
            ("1", "dnf", 0),
            ("0", "finished", 0),
            ("0", "dnf", 0),
        ]
        tags = [child.tag for child in root]
        assert tags.index("standings") == tags.index("pods") + 1

    RAW = a_file(
        a_pod(2, "1 2 3 4", "1-2 1, 3-4 1", "1-3 1, 2-4 1"),
        dict.fromkeys("1234", 1990),
        standings='<pod category="2" type="finished"><player id="1" place="1"/><player id="2" place="2"/>'
        '<player id="3" place="3"/></pod><pod category="2" type="dnf"><player id="4" place="0"/></pod>',
        stage=5,
    )

    def standings(self, file: EventFile) -> list[tuple[str | None, list[tuple[str | None, ...]]]]:
        root = parse_xml(tdf.write_file(file, self.RAW, AT)).root
        return [
            (pod.get("type"), [(player.get("id"), player.get("place")) for player in pod])
            for pod in root.iterfind("standings/pod")
        ]

    def test_stays_as_it_is_where_no_place_changed(self) -> None:
        file = read(self.RAW)
        players = (replace(file.players[0], name="Ada Y"), *file.players[1:])
        assert self.standings(replace(file, players=players)) == [
            ("finished", [("1", "1"), ("2", "2"), ("3", "3")]),
            ("dnf", [("4", "0")]),
        ]

    def test_keeps_those_who_did_not_finish_apart_in_a_new_order(self) -> None:
        file = with_table(read(self.RAW), 1, 0, winner="3")
        assert self.standings(file) == [
            ("finished", [("3", "1"), ("1", "2"), ("2", "3")]),
            ("dnf", [("4", "0")]),
            *[(kind, []) for _ in range(2) for kind in ("finished", "dnf")],
        ]

    def test_has_no_place_for_who_is_in_no_pod(self) -> None:
        raw = a_file(a_pod(2, "1 2", "1-2 1"), dict.fromkeys("123", 1990))
        root = parse_xml(tdf.write_file(read(raw), raw, AT, finished=True)).root
        assert [player.get("id") for player in root.iterfind("standings/pod/player")] == ["1", "2"]

    @pytest.mark.parametrize("absent", ["3 4 5 6", "6 4 5 3", "5 3 6 4"])
    def test_keeps_who_sat_at_no_table_in_the_order_of_the_file(self, absent: str) -> None:
        """Nothing but a lot would tell them apart."""
        drop = "<dropped><status>1</status><round>0</round></dropped>"
        people = {"1": "", "2": "", **dict.fromkeys(absent.split(), drop)}
        raw = a_file(a_pod(2, "1 2 3 4 5 6", "1-2 1"), people)
        root = parse_xml(tdf.write_file(read(raw), raw, AT, finished=True)).root
        placed = [player.get("id") for player in root.iterfind("standings/pod/player")]
        assert placed == ["1", "2", *absent.split()]

    def test_keeps_the_percentages_of_who_dropped(self) -> None:
        """2 and 3 have 3 points. After round 2, when 2 dropped, 2's opponents had (1 + 1/4) / 2.

        Since then 1 lost twice and 4 won twice: counted anew, 2 would have 1/2 and stand below 3 with 13/24.
        """
        drop = "<dropped><status>1</status><round>2</round></dropped>"
        first = ("1-2 1, 3-4 1, 5-6 2", "1-3 1, 2-4 1, 5-6 1")
        then = ("4-1 1, 3-5 2, 6 5", "4-3 1, 6-1 1, 5 5")
        people = {"1": "", "2": drop, "3": "", "4": "", "5": "", "6": ""}
        raw = a_file(a_pod(2, "1 2 3 4 5 6", *first, *then), people)
        root = parse_xml(tdf.write_file(read(raw), raw, AT, finished=True)).root
        placed = [player.get("id") for player in root.iterfind("standings/pod/player")]
        assert [player_id for player_id in placed if player_id in ("2", "3")] == ["2", "3"]

    def test_can_be_taken_back(self) -> None:
        raw = fixture("local-finished")
        root = parse_xml(tdf.write_file(read(raw), raw, AT, finished=False)).root
        assert (root.get("stage"), root.find("standings")) == ("4", None)

    def test_is_refused_while_tables_are_open(self) -> None:
        raw = fixture("cup-final")
        with pytest.raises(BadInput, match="not reported yet: round 8 table 1"):
            tdf.write_file(read(raw), raw, AT, finished=True)

    def test_is_refused_before_the_bracket_is_over(self) -> None:
        raw = fixture("cup-final")
        file = read(raw)
        with pytest.raises(BadInput, match="the bracket is not over"):
            tdf.write_file(replace(file, rounds=file.rounds[:7]), raw, AT, finished=True)
