"""A sheet for eight that six or seven begin: who has a bye, who meets whom, and what byes are worth."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import ids_in_order, played, standings, value
from tests.command_line import topcut
from tests.pairing.certificate_checks import enumerate_uniform
from tests.pairing.pairing_oracle import pairing_of
from tests.pairing.test_vectors import assert_drawn, paired, seated
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.rulebook import load
from topcut.rulebook.planning.plan import plan_event
from topcut.rulebook.planning.tables import count_chart_byes
from topcut.stages.audit import audit_rounds
from topcut.stages.progress import Progress

BOOK = load("draft-sheet")
assert BOOK.pairing is not None
assert BOOK.pairing.chart is not None
CHART = BOOK.pairing.chart
SIX, SEVEN = ({str(seat): seat for seat in range(1, last + 1)} for last in (6, 7))
BYES = {6: [2, 2, 0], 7: [1, 1, 1], 8: [0, 0, 0]}


def pod(seats: dict[str, int], *rounds: str, **about: Any) -> Event:
    return played("draft-sheet", *rounds, players=" ".join(seats), seat=seats, **about)


# Seats


@pytest.mark.parametrize("players", [6, 7])
def test_ds_2_the_first_seats_are_drawn_and_the_last_stay_empty(players: int) -> None:
    event = played("draft-sheet", players=" ".join("abcdefg"[:players]))
    answer = paired(event)
    assert sorted(answer["seats"].values()) == [*range(1, players + 1)]
    again = paired(played("draft-sheet", players=" ".join("abcdefg"[:players]), seat=answer["seats"]))
    assert (again["tables"], "seats" in again) == (answer["tables"], False)
    counts = Counter(paired(event, str(seed))["seats"]["a"] for seed in range(400))
    assert enumerate_uniform(counts, {*range(1, players + 1)}, 400) > 0.001


def test_ds_18_who_meets_an_empty_seat_has_a_bye() -> None:
    answer = paired(pod(SIX))
    assert [table["players"] for table in answer["tables"]] == [["1", "5"], ["2", "6"], ["3"], ["4"]]
    why = ["table C of the chart", "no opponent: the other place on the chart is empty (DS-A6)"]
    assert answer["tables"][2] == {"players": ["3"], "bye": True, "why": why}
    assert seated(paired(pod(SEVEN))) == pairing_of("15 26 37 4")


def test_seats_that_are_given_are_kept_whichever_are_empty() -> None:
    assert seated(paired(pod({"a": 8, "b": 2, "c": 6, "d": 3, "e": 7, "f": 4}))) == pairing_of("bc de fa")
    assert seated(paired(pod({"a": 8, "b": 2, "c": 1, "d": 3, "e": 7, "f": 6}))) == pairing_of("c bf de a")
    with pytest.raises(BadInput, match=r"^players\[5\]\.seat: expected a seat from 1 to 8 that no other"):
        paired(played("draft-sheet", players="1 2 3 4 5 6", seat={n: int(n) for n in "12345"}))


def test_without_seats_the_tables_of_round_1_stand_for_them() -> None:
    event = played("draft-sheet", "a beats b, c beats d, e bye, f bye")
    assert_drawn(event, "ae cf b d", times=5)
    assert_drawn(played("draft-sheet", "a beats b, c beats d, e beats f"), "ae c bf d", times=5)


def test_who_left_before_the_first_round_needs_no_seat() -> None:
    nine = played("draft-sheet", players="a b c d e f g h i", dropped={"c": 0})
    assert sorted(paired(nine)["seats"]) == list("abdefghi")
    seven = played("draft-sheet", players="a b c d e f g", dropped={"c": 0})
    assert sorted(paired(seven)["seats"].values()) == [*range(1, 7)]


@pytest.mark.parametrize("players", [1, 5, 9, 10])
def test_ds_1_other_numbers_are_refused_and_told_where_to_go(players: int) -> None:
    expected = rf"^DS-\d: the chart is for 6 to 8 players, not {players}; for other numbers choose a ruleset"
    with pytest.raises(Impossible, match=expected):
        plan_event(BOOK, players)
    if players > 1:
        with pytest.raises(Impossible, match=expected):
            paired(played("draft-sheet", players=" ".join("abcdefghij"[:players])))


# Rounds


@pytest.mark.parametrize("players", [6, 7, 8])
def test_all_results_lead_to_three_rounds_without_a_rematch_or_a_second_bye(players: int) -> None:
    """DS-7, and byes for players without points only."""
    seats = {str(seat): seat for seat in range(1, players + 1)}
    assert count_chart_byes(CHART, players) == (BYES[players], 0 if players == 8 else 1)
    for first in _all_results(paired(pod(seats))):
        for second in _all_results(paired(pod(seats, first))):
            third = next(_all_results(paired(pod(seats, first, second))))
            tables = [
                frozenset(t.split()) - {"beats", "bye"} for r in (first, second, third) for t in r.split(",")
            ]
            assert len(tables) == len(set(tables)), "nobody meets twice, nobody has two byes"
            for turn, text in enumerate((first, second, third)):
                assert text.count("bye") == BYES[players][turn]
            won = {player_id for text in (first, second) for player_id in _winners(text)}
            for table in second.split(","):
                assert "bye" not in table or table.split()[0] not in _winners(first)
            for table in third.split(","):
                assert "bye" not in table or table.split()[0] not in won


def _winners(text: str) -> set[str]:
    return {table.split()[0] for table in text.split(",")}


def _all_results(answer: dict[str, Any]) -> Any:
    """Every way in which a round can end without draws."""
    tables = [table["players"] for table in answer["tables"]]
    for ended in product(*map(permutations, tables)):
        yield ",".join(" beats ".join(table) if len(table) == 2 else f"{table[0]} bye" for table in ended)


RESULTS = st.sampled_from(["beats", "loses to", "beats", "loses to", "ties", "both-lose"])


@given(st.data())
def test_whatever_happens_every_round_can_be_paired_and_is_legal(data: st.DataObject) -> None:
    """Six, seven or eight, any seats, draws, drops after any round."""
    players = data.draw(st.integers(6, 8), label="players")
    ids = "abcdefgh"[:players]
    numbers = data.draw(st.permutations(range(1, 9)), label="seats")
    seats = dict(zip(ids, numbers, strict=False)) if data.draw(st.booleans(), label="given") else {}
    rounds: list[str] = []
    gone: dict[str, int] = {}
    met: set[frozenset[str]] = set()
    had_bye: set[str] = set()
    for turn in range(3):
        event = played("draft-sheet", *rounds, players=" ".join(ids), seat=seats, dropped=gone)
        here = set(ids) - set(gone)
        answer = paired(event, f"seed {turn}")
        seats = seats or answer["seats"]
        tables = [table["players"] for table in answer["tables"]]
        assert sorted(player_id for table in tables for player_id in table) == sorted(here)
        alone = {table[0] for table in tables if len(table) == 1}
        if answer["certificate"]["kind"] == "chart" or not gone:
            assert not met & seated(answer)
        if not gone:
            assert not had_bye & alone
        met |= {frozenset(table) for table in tables if len(table) == 2}
        had_bye |= alone
        ended = [
            f"{t[0]} bye"
            if len(t) == 1
            else f"{t[1]} beats {t[0]}"
            if (word := data.draw(RESULTS)) == "loses to"
            else f"{t[0]} {word} {t[1]}"
            for t in tables
        ]
        rounds.append(", ".join(ended))
        leaving = data.draw(st.lists(st.sampled_from(sorted(here)), max_size=2, unique=True))
        gone |= dict.fromkeys(leaving[: len(here) - 2], turn + 1)
    event = played("draft-sheet", *rounds, players=" ".join(ids), seat=seats, dropped=gone)
    progress = Progress(event.history, event.book, event.file.options, event.file.rounds, [None])
    for verdict in audit_rounds(progress):
        assert verdict.legal, verdict
    assert sorted(ids_in_order(standings(event))) == sorted(ids)


def test_two_who_drew_and_both_have_a_bye_then_have_one_place_each() -> None:
    """Table A was drawn and both of table C left, so that E and G leave 1 and 5 alone."""
    first = "1 ties 5, 2 beats 6, 3 beats 7, 4 bye"
    event = pod(SEVEN, first, "1 bye, 5 bye, 2 beats 4, 6 bye", dropped={"3": 1, "7": 1})
    answer = paired(event)
    assert sorted(player_id for table in answer["tables"] for player_id in table["players"]) == list("12456")
    assert answer["certificate"]["kind"] == "chart"
    eight = {**SEVEN, "8": 8}
    event = pod(
        eight,
        first.replace("4 bye", "4 beats 8"),
        "1 bye, 5 bye, 2 beats 4, 6 beats 8",
        dropped={"3": 1, "7": 1},
    )
    assert sorted(player_id for table in paired(event)["tables"] for player_id in table["players"]) == list(
        "124568"
    )


def test_a_draw_and_a_double_loss_side_by_side_leave_each_player_one_place() -> None:
    """E and G are both filled from tables A and C, which nobody won."""
    eight = {**SEVEN, "8": 8}
    first = "1 ties 5, 2 beats 6, 3 both-lose 7, 4 beats 8"
    event = pod(eight, first, "1 beats 3, 2 beats 4, 5 beats 7, 6 beats 8")
    assert_drawn(event, "52 34 16 78", times=5)  # 1 and 5 change places (DS-13)


# What byes are worth

ROUNDS = (
    "1 2-0 5, 2 2-1 6, 3 2-0 7, 4 bye",
    "1 2-1 3, 4 2-0 2, 5 2-1 7, 6 bye",
    "1 2-1 4, 3 2-0 2, 6 2-0 5, 7 bye",
)


def test_ds_17_a_whole_draft_of_seven_worked_out_by_hand() -> None:
    table = standings(pod(SEVEN, *ROUNDS))
    assert ids_in_order(table) == ["1", "4", "3", "6", "2", "5", "7"]
    expected = {
        "1": "9 5 9/4",
        "4": "6 6 9/5",  # (3 + 9) ÷ 2 opponents
        "3": "6 5 15/7",
        "6": "6 3 9/5",
        "2": "3 6 6/7",
        "5": "3 6 6/7",
        "7": "3 9/2 3/5",  # (6 + 3) ÷ 2 opponents
    }
    assert {
        player_id: " ".join(str(value(table, key, player_id)) for key in ("points", "omp", "gp"))
        for player_id in expected
    } == expected
    assert (value(table, "ogp", "2"), value(table, "ogp", "5")) == ("67/35", "101/60")


def test_who_met_nobody_has_the_floors() -> None:
    table = standings(pod(SEVEN, ROUNDS[0], dropped={"4": 1}))
    assert [value(table, key, "4") for key in ("points", "omp", "gp", "ogp")] == ["3", "3", "0", "1"]


# By command


@pytest.mark.parametrize(
    ("players", "says"),
    [
        (6, "seats 7 and 8 stay empty: 2 byes in round 1, 2 byes in round 2 and none in round 3"),
        (7, "seat 8 stays empty: 1 bye in round 1, 1 bye in round 2 and 1 bye in round 3"),
    ],
)
def test_the_plan_says_what_empty_seats_mean(players: int, says: str) -> None:
    answer = json.loads(topcut("plan", "--rules", "draft-sheet", "--players", str(players), "--json").out)
    means = "a bye is a win, and counts neither as an opponent nor as games (DS-17)"
    assert answer["notes"] == [f"{says}; no player has more than one (DS-18, DS-A6)", means]
    assert (answer["rounds"], answer["players"]) == (3, players)
