"""The sheet for eight players: its chart, draws on it, and places that are left empty."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from tests.builders import played
from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.pairing_oracle import Pairing, an_event, field_of, judged, pairing_of
from tests.pairing.test_vectors import assert_drawn, drawn, paired, seated
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.history import Table

SEATS = {str(seat): seat for seat in range(1, 9)}
FIRST = "1 beats 5, 2 beats 6, 3 beats 7, 4 beats 8"
SECOND = "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8"
A_DRAWN = "1 ties 5, 2 beats 6, 3 beats 7, 4 beats 8"


def pod(*rounds: str, **about: Any) -> Event:
    """Players 1 to 8 in the seats of these numbers."""
    return played("draft-sheet", *rounds, players=" ".join(SEATS), seat=SEATS, **about)


def follows_the_chart(event: Event) -> bool:
    kind: str = paired(event)["certificate"]["kind"]
    return kind == "chart"


# Without draws


def test_ds_3_the_first_round_is_by_seats() -> None:
    answer = paired(pod())
    assert [table["players"] for table in answer["tables"]] == [
        ["1", "5"],
        ["2", "6"],
        ["3", "7"],
        ["4", "8"],
    ]
    assert [table["why"] for table in answer["tables"]] == [[f"table {x} of the chart"] for x in "ABCD"]


def test_ds_4_and_ds_5_then_by_who_won_and_lost() -> None:
    """DS-7: and nobody ever meets twice. All results of two rounds."""
    for first in product(*map(permutations, ("15", "26", "37", "48"))):
        (a, x), (b, y), (c, z), (d, w) = first
        one = ", ".join(map(" beats ".join, first))
        assert seated(paired(pod(one))) == pairing_of(f"{a}{c} {b}{d} {x}{z} {y}{w}")
        for second in product(*map(permutations, (a + c, b + d, x + z, y + w))):
            (e, i), (f, j), (g, k), (h, m) = second
            two = ", ".join(map(" beats ".join, second))
            assert seated(paired(pod(one, two))) == pairing_of(f"{e}{f} {i}{j} {g}{h} {k}{m}")


def test_tables_stand_in_the_order_of_the_chart() -> None:
    answer = paired(pod(FIRST, SECOND))
    assert ["".join(table["players"]) for table in answer["tables"]] == ["12", "34", "56", "78"]
    assert [table["why"][0][6] for table in answer["tables"]] == ["I", "J", "K", "L"]


# Draws


def test_ds_t6_two_who_drew_and_have_the_same_record_change_places() -> None:
    event = pod(A_DRAWN, SECOND)
    assert_drawn(event, "52 34 16 78", times=20)
    why = {player_id: table["why"] for table in paired(event)["tables"] for player_id in table["players"]}
    reason = "changed places with {}: they drew in round 1 and have the same record"
    assert f"5 {reason.format(1)}" in why["5"]
    assert f"1 {reason.format(5)}" in why["1"]


def test_ds_t7_with_other_records_they_keep_their_places() -> None:
    assert_drawn(pod(A_DRAWN, "1 beats 3, 2 beats 4, 7 beats 5, 6 beats 8"), "12 34 76 58", times=20)


def test_ds_t8_two_draws_in_the_first_round_and_all_are_paired_by_records() -> None:
    event = pod("1 ties 5, 2 ties 6, 3 beats 7, 4 beats 8")
    assert_drawn(event, "34 78 12 56", "34 78 16 25")
    assert paired(event)["cost"]["score_gap_squared"] == 0


@pytest.mark.parametrize(
    ("drawn_table", "expected"),
    [
        ("15", ["13 24 57 68", "53 24 17 68"]),
        ("26", ["13 24 57 68", "13 64 57 28"]),
        ("37", ["13 24 57 68", "17 24 53 68"]),
        ("48", ["13 24 57 68", "13 28 57 64"]),
    ],
)
def test_ds_12_after_one_draw_a_fair_lot_gives_the_places(drawn_table: str, expected: list[str]) -> None:
    event = pod(FIRST.replace(" beats ".join(drawn_table), " ties ".join(drawn_table)))
    assert_drawn(event, *expected, times=400)
    told = [why for table in paired(event)["tables"] for why in table["why"] if "random" in why]
    assert len(told) == 2
    assert all(why.endswith("'s place at random") for why in told)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("3 beats 1, 2 beats 4, 7 beats 5, 6 beats 8", "32 54 76 18"),  # both lost
        ("1 beats 3, 4 beats 2, 5 beats 7, 8 beats 6", "54 32 18 76"),  # both won
        ("3 beats 1, 2 beats 4, 5 beats 7, 6 beats 8", "32 14 56 78"),  # 5 alone won
    ],
)
def test_ds_13_the_exchange_is_for_equal_records_only(second: str, expected: str) -> None:
    assert_drawn(pod(A_DRAWN, second), expected, times=10)


def test_ds_13_whoever_got_the_winners_place() -> None:
    """As DS-T6, but the lot gave the winner's place to 5."""
    assert_drawn(pod(A_DRAWN, "5 beats 3, 2 beats 4, 1 beats 7, 6 beats 8"), "12 34 56 78", times=10)


def test_ds_a10_a_bye_is_a_win_in_the_record() -> None:
    """3 left: 1 has a bye in round 2, 5 wins, and both are 1-0-1."""
    event = pod(A_DRAWN, "1 bye, 2 beats 4, 5 beats 7, 6 beats 8", dropped={"3": 1})
    assert_drawn(event, "52 4 16 78", times=10)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("1 ties 3, 2 beats 4, 5 beats 7, 6 beats 8", ["12 34 56 78", "32 14 56 78"]),
        ("1 beats 3, 2 beats 4, 5 ties 7, 6 beats 8", ["12 34 56 78", "12 34 76 58"]),
        ("1 beats 3, 2 ties 4, 5 beats 7, 6 beats 8", ["12 34 56 78", "14 32 56 78"]),
        ("1 beats 3, 2 beats 4, 5 beats 7, 6 ties 8", ["12 34 56 78", "12 34 58 76"]),
    ],
)
def test_a_single_draw_in_the_second_round_is_settled_by_lot(second: str, expected: list[str]) -> None:
    event = pod(FIRST, second)
    assert_drawn(event, *expected, times=400)
    assert follows_the_chart(event)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (A_DRAWN, "1 ties 3, 2 beats 4, 5 beats 7, 6 beats 8"),
        (A_DRAWN, "1 beats 3, 2 ties 4, 5 beats 7, 6 beats 8"),
        (FIRST, "1 ties 3, 2 ties 4, 5 beats 7, 6 beats 8"),
        (FIRST, "1 ties 3, 2 ties 4, 5 ties 7, 6 ties 8"),
        ("1 ties 5, 2 ties 6, 3 beats 7, 4 beats 8", "3 beats 4, 7 beats 8, 1 beats 2, 5 beats 6"),
        ("1 ties 5, 2 ties 6, 3 ties 7, 4 ties 8", "1 ties 2, 5 beats 6, 3 ties 4, 7 beats 8"),
    ],
)
def test_ds_14_with_two_draws_the_third_round_is_paired_by_records(first: str, second: str) -> None:
    event = pod(first, second)
    best = by_records(event)
    assert not follows_the_chart(event)
    assert set(drawn(event, 100)) <= best
    assert len(best) == 1 or len(set(drawn(event, 100))) > 1


def by_records(event: Event) -> frozenset[Pairing]:
    """DS-15: every pairing of the whole pod without rematches and with the least difference in points."""
    to_letters, to_seats = str.maketrans("12345678", "ABCDEFGH"), str.maketrans("ABCDEFGH", "12345678")
    rounds = [" ".join(map(in_short, r.tables)).translate(to_letters) for r in event.file.rounds]
    left = {p.id.translate(to_letters): p.dropped for p in event.file.players if p.dropped is not None}
    verdict = judged(field_of(an_event("mtr", *rounds, dropped=left)))
    assert verdict is not None
    return frozenset(
        frozenset(frozenset(player_id.translate(to_seats) for player_id in table) for table in found)
        for found in verdict.pairings
    )


def in_short(table: Table) -> str:
    """A table as the oracle writes it: `1>5`, `1=5`, `3`."""
    if table.bye or table.winner == "draw":
        return "=".join(table.players)
    return ">".join(sorted(table.players, key=lambda player_id: player_id != table.winner))


# Empty places


def test_ds_18_who_would_have_met_a_player_who_left_has_a_bye() -> None:
    answer = paired(pod(FIRST, dropped={"1": 1, "6": 1}))
    assert seated(answer) == pairing_of("3 24 57 8")
    alone = {table["players"][0]: table["why"] for table in answer["tables"] if table.get("bye")}
    assert alone == {
        "3": ["table E of the chart", "no opponent: the other place on the chart is empty (DS-A6)"],
        "8": ["table H of the chart", "no opponent: the other place on the chart is empty (DS-A6)"],
    }
    assert [len(table["players"]) for table in answer["tables"]] == [2, 2, 1, 1]


@pytest.mark.parametrize("why", ["dropped", "disqualified", "cut"])
def test_ds_18_after_the_second_round_too(why: str) -> None:
    left: dict[str, Any] = {why: {"2": 2, "7": 2}}
    assert seated(paired(pod(FIRST, SECOND, **left))) == pairing_of("1 34 56 8")


def test_ds_a6_where_both_places_are_empty_nobody_plays() -> None:
    assert seated(paired(pod(FIRST, dropped={"1": 1, "3": 1}))) == pairing_of("24 57 68")
    assert seated(paired(pod(FIRST, SECOND, dropped={"1": 2, "2": 2}))) == pairing_of("34 56 78")


def test_an_empty_place_stays_empty_as_the_losers() -> None:
    """1 left after round 1, so that 3 had a bye at table E: 3 has the winner's place, nobody the loser's."""
    event = pod(FIRST, "3 bye, 2 beats 4, 5 beats 7, 6 beats 8", dropped={"1": 1})
    assert_drawn(event, "32 4 56 78", times=5)
    nobody = pod(FIRST, "2 beats 4, 5 beats 7, 6 beats 8", dropped={"1": 1, "3": 1})
    assert_drawn(nobody, "2 4 56 78", times=5)


def test_a_lot_may_place_a_player_who_has_left() -> None:
    """A was drawn and 1 left: with the winner's place they leave 3 alone, with the loser's 7."""
    assert_drawn(pod(A_DRAWN, dropped={"1": 1}), "3 57 24 68", "53 7 24 68", times=100)


def test_two_byes_beside_one_drawn_table_do_not_end_the_chart() -> None:
    """The lot gave 5 the loser's place: E left 3 alone, G left 5 alone."""
    event = pod(A_DRAWN, "3 bye, 5 bye, 2 beats 4, 6 beats 8", dropped={"1": 1, "7": 1})
    assert follows_the_chart(event)
    assert_drawn(event, "32 4 56 8", times=5)


def test_the_seat_of_a_late_player_is_empty_until_they_come() -> None:
    assert seated(paired(pod(entered={"1": 2}))) == pairing_of("5 26 37 48")


# Seats


def test_ds_2_missing_seats_are_drawn() -> None:
    answer = paired(played("draft-sheet", players="a b c d e f g h"))
    seats = answer["seats"]
    assert sorted(seats) == list("abcdefgh")
    assert sorted(seats.values()) == [*range(1, 9)]
    by_seat = {seat: player_id for player_id, seat in seats.items()}
    assert seated(answer) == {frozenset((by_seat[n], by_seat[n + 4])) for n in range(1, 5)}


def test_drawn_seats_are_fair_and_do_not_depend_on_the_order_of_the_file() -> None:
    one, other = (played("draft-sheet", players=ids) for ids in ("a b c d e f g h", "h c a g b f d e"))
    assert paired(one)["seats"] == paired(other)["seats"]
    counts = Counter(paired(one, str(seed))["seats"]["a"] for seed in range(400))
    assert enumerate_uniform(counts, {*range(1, 9)}, 400) > 0.001


def test_seats_copied_to_the_players_are_kept() -> None:
    answer = paired(played("draft-sheet", players="a b c d e f g h"))
    again = paired(played("draft-sheet", players="a b c d e f g h", seat=answer["seats"]))
    assert "seats" not in again
    assert again["tables"] == answer["tables"]


@pytest.mark.parametrize(
    ("seats", "at"),
    [
        ({**SEATS, "8": 9}, 7),
        ({**SEATS, "8": 7}, 6),
        ({player_id: seat for player_id, seat in SEATS.items() if player_id != "4"}, 3),
    ],
)
def test_wrong_seats_are_one_clear_error(seats: dict[str, int], at: int) -> None:
    event = played("draft-sheet", players=" ".join(SEATS), seat=seats)
    expected = rf"^players\[{at}\]\.seat: expected a seat from 1 to 8 that no other player has"
    with pytest.raises(BadInput, match=expected):
        paired(event)


def test_ds_1_there_are_three_rounds() -> None:
    with pytest.raises(Impossible, match=r"^DS-1: All 3 planned Swiss rounds are played"):
        paired(pod(FIRST, SECOND, "1 beats 2, 3 beats 4, 5 beats 6, 7 beats 8"))


# Whole events


@pytest.mark.parametrize("number", range(60))
def test_nobody_meets_twice_on_the_chart(number: int) -> None:
    """DS-7: with draws and drops by lot; who is there sits at one table, and off the chart all is optimal."""
    random = Random(f"pod {number}")
    rounds: list[str] = []
    gone: dict[str, int] = {}
    met: set[frozenset[str]] = set()
    for turn in range(3):
        event = pod(*rounds, dropped=gone)
        here = set(SEATS) - set(gone)
        answer = paired(event, f"{number}/{turn}")
        assert sorted(player_id for table in answer["tables"] for player_id in table["players"]) == sorted(
            here
        )
        if answer["certificate"]["kind"] == "chart":
            assert not met & seated(answer)
        else:
            assert seated(answer) in by_records(event)
        met |= {table for table in seated(answer) if len(table) == 2}
        rounds.append(", ".join(result(random, table["players"]) for table in answer["tables"]))
        leaving = random.sample(sorted(here), random.choice([0, 0, 0, 1, 2]))
        gone |= dict.fromkeys(leaving, turn + 1)


def result(random: Random, players: list[str]) -> str:
    """A table with a result by lot; a draw in one of six."""
    if len(players) == 1:
        return f"{players[0]} bye"
    first, second = random.sample(players, 2)
    return f"{first} {random.choice(['beats'] * 5 + ['ties'])} {second}"
