"""What a .tdf file says, what that means for an event, and what is refused."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.formats.tdf_files import AT, FILES, a_cut, a_file, a_pod, changed, fixture
from tools.verify_tdf import places, untouched, written_anew
from topcut.formats.event_file import EventFile
from topcut.formats.registry import read_content
from topcut.formats.tdf import tom as tdf
from topcut.history import Player, Table
from topcut.rulebook.options import ForDivision

FOUR = {"A": 1990, "B": 1991, "C": 1992, "D": 1993}


def read(*args: Any, **fields: Any) -> EventFile:
    return tdf.read_content(a_file(*args, **fields)).file


def people(file: EventFile) -> dict[str, Player]:
    return {player.id: player for player in file.players}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
class TestEveryFile:
    def test_is_known_by_its_content(self, path: Any) -> None:
        found = read_content(path.read_bytes())
        assert found.kind == "tdf"
        assert found.file.rules == "pokemon-tom"
        assert found.original is not None
        assert found.build_event().history.size == len(found.file.players)

    def test_is_written_untouched(self, path: Any) -> None:
        assert untouched(path.read_bytes()) == []

    def test_is_the_same_event_in_a_new_file(self, path: Any) -> None:
        assert written_anew(path.read_bytes()) == []

    def test_has_our_places(self, path: Any) -> None:
        number, wrong = places(path.read_bytes())
        assert wrong == []
        assert (number > 0) == ("finished" in path.name)

    def test_is_read_in_any_encoding(self, path: Any) -> None:
        text = path.read_text().partition("?>")[2]
        for encoding in ("utf-8-sig", "utf-16", "utf-16-be"):
            raw = f"<!-- kept -->{text}".encode(encoding)
            assert read_content(raw).file == tdf.read_content(path.read_bytes()).file


class TestDivisions:
    def test_of_a_single_category_are_the_pods(self) -> None:
        file = read(a_pod(1, "A B", "A-B 1"), {"A": 1950, "B": 2020})
        assert {player.division for player in file.players} == {"senior"}

    def test_of_a_mixed_pod_go_by_birth_and_season(self) -> None:
        born: dict[str, int | str] = {"A": 2009, "B": 2013, "C": 2014}
        pod = a_pod(10, "A B C", "A-B 1, C 5")
        autumn, spring = read(pod, born), read(pod, born, start="03/08/2025")
        assert [player.division for player in autumn.players] == ["masters", "senior", "junior"]
        assert [player.division for player in spring.players] == ["senior", "junior", "junior"]

    def test_stay_inside_the_pod(self) -> None:
        found = tdf.read_content(a_file(a_pod(8, "A B", "A-B 1"), {"A": 1980, "B": 2016}))
        assert [player.division for player in found.file.players] == ["senior", "junior"]
        assert any("A X (masters) as senior" in note for note in found.notes)

    def test_are_what_the_final_places_say(self) -> None:
        standings = '<pod category="1" type="finished"><player id="A" place="1"/></pod>'
        file = read(a_pod(10, "A B", "A-B 1"), {"A": 1990, "B": 1990}, standings=standings, stage=5)
        assert [player.division for player in file.players] == ["senior", "masters"]

    def test_of_pods_are_pools(self) -> None:
        file = read(a_pod(8, "A B", "A-B 1") + a_pod(2, "C D", "C-D 1"), FOUR)
        assert file.options.pools == (("junior", "senior"), ("masters",))

    def test_of_the_only_pod_are_left_to_the_rules_where_they_say_the_same(self) -> None:
        assert read(a_pod(2, "A B", "A-B 1"), {"A": 1990, "B": 1991}).options.pools is None


class TestPlayers:
    def test_have_their_userid_and_year(self) -> None:
        (player,) = read(players={"123": 1988}, stage=1).players
        assert player == Player(id="123", name="123 X", member="123", born=1988, division="masters")

    def test_who_came_late_have_losses_in_front(self) -> None:
        pod = a_pod(2, "A B C", "A-B 1, C 8", "A 8, C-B 1")
        found = people(read(pod, {"A": 1990, "B": 1990, "C": 1990}))
        assert (found["C"].entered, found["A"].entered) == (2, 1)

    def test_who_sat_nowhere_yet_come_next(self) -> None:
        assert people(read(a_pod(2, "A B C", "A-B 1"), FOUR))["C"].entered == 2
        # There from the second round on, although they sat nowhere in it.
        idle = a_pod(2, "A B C", "A-B 1, C 8", "A-B 1", "A-B 1, C 5")
        assert people(read(idle, FOUR))["C"].entered == 2

    def test_who_dropped_did_so_after_a_round_of_their_pod(self) -> None:
        drop = "<dropped><status>1</status><round>2</round></dropped>"
        short = a_pod(8, "A B", "A-B 1", "!A-B 1")
        long = a_pod(2, "C D", "C-D 1", "C-D 2", "C-D 1")
        found = people(read(short + long, {"A": 2012, "B": drop, "C": 1990, "D": 1990}))
        assert found["B"].dropped == 4  # the first elimination round comes after three Swiss rounds

    @pytest.mark.parametrize("number", [0, 1])
    @pytest.mark.parametrize("pod", ["A B C", "A B"])
    def test_who_dropped_before_the_first_round_was_paired_did_so_after_round_0(
        self, pod: str, number: int
    ) -> None:
        """Whichever number stands there, in a pod or not; and it stays in the file."""
        drop = f"<dropped><status>1</status><round>{number}</round></dropped>"
        raw = a_file(a_pod(2, pod, "A-B 1", "B-A 1"), {"A": 1990, "B": 1990, "C": drop})
        found = tdf.read_content(raw).file
        assert (people(found)["C"].entered, people(found)["C"].dropped) == (1, 0)
        again = tdf.write_file(replace(found, name="Cup 2"), raw, AT).decode()
        assert f"<round>{number}</round>" in again

    def test_left_out_by_the_cut(self) -> None:
        pod = a_pod(2, "A B C D", "A-B 1, C-D 1", "A-C 1, B-D 1", "!A-C 1")
        found = people(read(pod, FOUR, finals=a_cut(2, 2)))
        assert {player_id: player.cut for player_id, player in found.items()} == {
            "A": None,
            "B": 2,
            "C": None,
            "D": 2,
        }

    def test_in_no_pod_play_no_round(self) -> None:
        found = tdf.read_content(a_file(a_pod(2, "A B", "A-B 1"), {"A": 1990, "B": 1990, "C": 1990}))
        assert people(found.file)["C"].dropped == 0
        assert "C X: in no pod, and so in no round." in found.notes


class TestRounds:
    def test_results(self) -> None:
        pod = a_pod(2, "A B C D", "A-B 1, C-D 2", "A-C 3, B-D 10", "A-D 0, B 5, C 8")
        one, two, three = read(pod, FOUR).rounds
        assert [table.winner for table in one.tables] == ["A", "D"]
        assert [table.winner for table in two.tables] == ["draw", "double_loss"]
        assert three.tables == (
            Table(players=("A", "D"), table=1),
            Table(players=("B",), bye=True),
            Table(players=("C",), loss=True),
        )

    def test_elimination_rounds_stand_after_the_longest_swiss_part(self) -> None:
        file = tdf.read_content(fixture("cup-divisions-finished")).file
        assert [a_round.stage for a_round in file.rounds] == ["swiss"] * 5 + ["elimination"] * 2
        assert [len(a_round.tables) for a_round in file.rounds] == [15, 15, 14, 14, 7, 4, 2]

    def test_a_bracket_begins_at_the_top(self) -> None:
        seeds = {
            player_id: f"<seed>{seed}</seed>" for player_id, seed in zip("ABCD", (1, 4, 3, 2), strict=True)
        }
        pod = a_pod(2, "A B C D", "A-B 1, C-D 1", "!A-B 1, C-D 1")
        file = read(pod, dict(seeds), finals=a_cut(2, 4))
        assert [table.players for table in file.rounds[1].tables] == [("A", "B"), ("D", "C")]

    def test_are_planned_by_the_rules_until_they_are_over(self) -> None:
        assert tdf.read_content(fixture("cup-round-5")).file.options.rounds is None
        assert tdf.read_content(fixture("cup-final")).file.options.rounds == 5
        less = changed(fixture("cup-round-5"), "<lessswiss>false", "<lessswiss>true")
        assert tdf.read_content(less).file.options.rounds is None  # five are there already
        less = changed(fixture("rehearsal-round-3"), "<lessswiss>false", "<lessswiss>true")
        assert tdf.read_content(less).file.options.rounds == 3

    def test_of_a_pod_that_cannot_go_on_are_named(self) -> None:
        ids = [f"p{i}" for i in range(20)]
        tables = ", ".join(f"{a}-{b} 1" for a, b in zip(ids[::2], ids[1::2], strict=True))
        pods = a_pod(8, "A B", "A-B 1", "!A-B 1") + a_pod(2, " ".join(ids), tables)
        finals = a_cut(1, 2) + a_cut(2, 4)
        notes = tdf.read_content(
            a_file(pods, {"A": 2012, "B": 2012} | dict.fromkeys(ids, 1990), finals=finals)
        ).notes
        assert notes[-1].startswith("Pod 2 has 1 of 5 Swiss rounds while another pod plays its bracket")


class TestCuts:
    def test_of_one_division(self) -> None:
        options = tdf.read_content(fixture("rehearsal-round-3")).file.options
        assert (options.format, options.cut, options.by_division) == ("swiss+elimination", 4, None)
        assert options.table == "vg"

    def test_of_several(self) -> None:
        options = tdf.read_content(fixture("cup-divisions-finished")).file.options
        assert options.by_division == {
            "junior": ForDivision(rounds=4, cut=0),
            "senior": ForDivision(rounds=4, cut=4),
            "masters": ForDivision(rounds=5, cut=4),
        }

    def test_of_nobody(self) -> None:
        assert tdf.read_content(fixture("local-finished")).file.options.format == "swiss"
        assert tdf.read_content(fixture("set-up")).file.options.format is None

    def test_a_bracket_that_mixes_divisions_is_one_cut(self) -> None:
        pod = a_pod(10, "A B C D", "A-B 1, C-D 1", "!A-D 1, C-B 1")
        options = read(pod, FOUR | {"A": 2012}, finals=a_cut(2, 4)).options
        assert (options.cut, options.by_division) == (4, None)

    def test_third_place(self) -> None:
        data = "<playoff3rd4th>true</playoff3rd4th>"
        assert read(a_pod(2, "A B", "A-B 1", data=data), FOUR).options.third_place


def test_subgroups_are_flights() -> None:
    ids = [f"p{i}" for i in range(8)]
    pod = a_pod(
        2, " ".join(ids), "p0-p1 1, p2-p3 1, p4-p5 1, p6-p7 1", data="<subgroupcount>2</subgroupcount>"
    )
    pod = pod.replace('<player userid="p4"/><player', '</players></subgroup><subgroup number="2"><players>'
                      '<player userid="p4"/><player', 1)  # fmt: skip
    raw = a_file(pod, dict.fromkeys(ids, 1990))
    file = tdf.read_content(raw).file
    assert file.options.flights == 2
    assert [player.flight for player in file.players] == [1] * 4 + [2] * 4
    assert untouched(raw) == []


def test_an_unknown_mode_or_version_is_a_note() -> None:
    raw = changed(changed(fixture("set-up"), "TCG1DAY", "TCG9DAY"), 'version="1.80"', 'version="2.0"')
    notes = tdf.read_content(raw).notes
    assert any('The mode "TCG9DAY" is unknown' in note for note in notes)
    assert any('Version "2.0" is unknown' in note for note in notes)
