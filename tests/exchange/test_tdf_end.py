"""The end of an event in a .tdf file: its stage, and the places of every division."""

import pytest
from msgspec.structs import replace

from tests.exchange.tdf_files import AT, a_file, a_pod, fixture, with_table
from tools.verify_tdf import reported
from topcut.errors import BadInput
from topcut.exchange.event_file import EventFile
from topcut.exchange.tdf import tom as tdf
from topcut.exchange.tdf.tree import parsed


def read(raw: bytes) -> EventFile:
    return tdf.read(raw).file


class TestAnEnd:
    def test_is_a_stage_and_places(self) -> None:
        raw = fixture("cup-final")
        file = reported(read(raw))
        again = tdf.write(file, raw, AT, finished=True)
        root = parsed(again).root
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
        root = parsed(tdf.write(file, self.RAW, AT)).root
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

    def test_can_be_taken_back(self) -> None:
        raw = fixture("local-finished")
        root = parsed(tdf.write(read(raw), raw, AT, finished=False)).root
        assert (root.get("stage"), root.find("standings")) == ("4", None)

    def test_is_refused_while_tables_are_open(self) -> None:
        raw = fixture("cup-final")
        with pytest.raises(BadInput, match="not reported yet: round 8 table 1"):
            tdf.write(read(raw), raw, AT, finished=True)

    def test_is_refused_before_the_bracket_is_over(self) -> None:
        raw = fixture("cup-final")
        file = read(raw)
        with pytest.raises(BadInput, match="the bracket is not over"):
            tdf.write(replace(file, rounds=file.rounds[:7]), raw, AT, finished=True)
