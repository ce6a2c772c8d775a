"""Unclear rules of pairing: each reading gives other rounds, and they are the ones worked out by hand."""

from __future__ import annotations

import pytest

from tests.builders import played
from tests.pairing.pairing_oracle import Pairing, pairing_of
from tests.pairing.test_chart import A_DRAWN, pod
from tests.pairing.test_flights import late
from tests.pairing.test_pods import AB, AC, AD, DRAFT, names, one_pod, pods_of
from tests.pairing.test_vectors import bye, drawn, paired, seated
from tests.standings.test_readings import COVERED, IN_PAIRINGS, all_readings, reading
from topcut.errors import Impossible


def all_of(*texts: str) -> set[Pairing]:
    return {pairing_of(text) for text in texts}


AGAIN = all_of("AB CD", "AC BD", "AD BC")
FRESH = all_of("AC BD", "AD BC")


@reading("DC-A1", a=AGAIN, b=FRESH)
def test_meeting_twice(readings: dict[str, str], expected: set[Pairing]) -> None:
    """All have one point."""
    event = played("dci-1999", "A ties B, C ties D", readings=readings)
    assert set(drawn(event, 60)) == expected


@reading("PK-A2", a=AGAIN, b=FRESH)
def test_meeting_twice_without_being_paired_down(readings: dict[str, str], expected: set[Pairing]) -> None:
    event = played("pokemon-2017", "A ties B, C ties D", readings=readings)
    assert set(drawn(event, 60)) == expected


@pytest.mark.parametrize("rules", ["dci-1999", "pokemon-2017"])
def test_what_is_allowed_costs_nothing_and_needs_no_warning(rules: str) -> None:
    allowed = {"DC-A1": "a", "DC-A2": "a"} if rules == "dci-1999" else {"PK-A2": "a"}
    event = played(rules, "A ties B, C ties D", readings=allowed)
    for seed in range(10):
        answer = paired(event, str(seed))
        assert answer["cost"]["rematches"] == 0
        assert answer["warnings"] == []


def test_a_second_bye_that_is_allowed_needs_no_warning() -> None:
    left = {"X": 1, "Y": 1}
    event = played("dci-1999", "A beats X, B beats Y, C bye", dropped=left, readings={"DC-A2": "a"})
    for seed in range(10):
        answer = paired(event, str(seed))
        assert answer["cost"]["second_byes"] == 0
        assert answer["warnings"] == []


@reading("DC-A2", a={"A", "B", "C"}, b={"A", "B"})
def test_a_second_bye(readings: dict[str, str], expected: set[str]) -> None:
    """A, B and C have 3 points, C from a bye."""
    event = played("dci-1999", "A beats X, B beats Y, C bye", dropped={"X": 1, "Y": 1}, readings=readings)
    assert {bye(paired(event, str(seed))) for seed in range(60)} == expected


@reading("DS-A2", a="chart", b="exhaustive")
def test_one_draw_in_each_of_two_rounds(readings: dict[str, str], expected: str) -> None:
    """By the chart 2 meets 5 and 1 meets 3; by records 2, with 6 points, meets one of those with 4."""
    event = pod(A_DRAWN, "1 beats 3, 2 beats 4, 5 beats 7, 6 ties 8", readings=readings)
    assert paired(event)["certificate"]["kind"] == expected
    twice = pod("1 ties 5, 2 ties 6, 3 beats 7, 4 beats 8", readings=readings)
    assert paired(twice)["certificate"]["kind"] == "exhaustive"


@reading("DS-A6", a="15 26 37 4", b=None)
def test_seven_begin_a_draft(readings: dict[str, str], expected: str | None) -> None:
    seats = {str(seat): seat for seat in range(1, 8)}
    event = played("draft-sheet", players=" ".join(seats), seat=seats, readings=readings)
    if expected is None:
        with pytest.raises(Impossible, match="the chart is for 8 players, not 7; for other numbers"):
            paired(event)
    else:
        assert seated(paired(event)) == pairing_of(expected)


@reading("AL-A2", a=["abc", "def"], b=["cde", "abf"])
def test_what_tables_are_cut_from(readings: dict[str, str], expected: list[str]) -> None:
    """a, b and c have won with 20, 25 and 30; d, e and f have 28, 27 and 10 and no win. Nobody has met."""
    first = (
        "a:20* 1:0 2:0",
        "b:25* 3:0 4:0",
        "c:30* 5:0 6:0",
        "d:28 7:0 8:0",
        "e:27 9:0 A:0",
        "f:10 B:0 C:0",
    )
    left = dict.fromkeys("123456789ABC", 1)
    answer = paired(played("allegiance-2005", ", ".join(first), dropped=left, readings=readings))
    assert ["".join(sorted(table["players"])) for table in answer["tables"]] == expected
    assert answer["cost"]["displacement"] == 0


@reading("AL-A4", a={(3, 3, 4)}, b={(4, 3, 3)}, c={(3, 3, 4), (3, 4, 3), (4, 3, 3)})
def test_which_tables_have_four(readings: dict[str, str], expected: set[tuple[int, ...]]) -> None:
    event = played("allegiance-2005", players="a b c d e f g h i j", readings=readings)
    answers = [paired(event, str(seed))["tables"] for seed in range(60)]
    assert {tuple(len(table["players"]) for table in tables) for tables in answers} == expected


@reading("PK-A17", a={"2", "3", "4"}, b={"1", "2", "3", "4"})
def test_the_flight_of_a_late_player(readings: dict[str, str], expected: set[str]) -> None:
    """Three flights began smaller; where only one did, both readings send late players there."""
    assert set(late([34, 32, 32, 32], 1, 60, readings)) == expected
    assert set(late([34, 34, 34, 32], 1, 10, readings)) == {"4"}


@reading("FB-A9", a=[8, 8, 4], b=[7, 7, 6])
def test_pods_of_twenty(readings: dict[str, str], expected: list[int]) -> None:
    answer = paired(played("fab-gem", players=names(20), options=DRAFT, readings=readings))
    assert [len(pod) for pod in pods_of(answer)] == expected


@reading("FB-A11", a={"B"}, b={"C"})
def test_the_bye_twice_running(readings: dict[str, str], expected: set[str]) -> None:
    """Each has had one; C, with one point, had the last, and B has two points."""
    rounds = ("B beats C, A bye", "A beats C, B bye", "A beats B, C bye")
    event = played(
        "fab-gem", *rounds, players="A B C D", dropped={"D": 0}, options={"rounds": 9}, readings=readings
    )
    assert {bye(paired(event, str(seed))) for seed in range(10)} == expected


@reading("FB-A12", a=all_of("AB CD", "AC BD"), b=None)
def test_meetings_from_before_the_pod(readings: dict[str, str], expected: set[Pairing] | None) -> None:
    """AB and AC met before the pod was made, AD in it."""
    event = one_pod(AD, before=(AB, AC), readings=readings)
    if expected is None:
        with pytest.raises(
            Impossible, match=r"^FB-9: No pairing without a rematch is left for A, B, C, D\.$"
        ):
            paired(event)
    else:
        assert set(drawn(event, 60)) == expected


def test_every_letter_of_every_reading_about_pairing_is_tested() -> None:
    for reading_id in IN_PAIRINGS:
        (mark,) = COVERED[reading_id].pytestmark  # type: ignore[attr-defined]
        tested = {letter for case in mark.args[1] for letter in case.values[0].values()}
        assert tested == all_readings()[reading_id], reading_id
