"""A bracket while it is played: walk-overs, tables without a winner, leavers, corrections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import a_round, played
from tests.command_line import assert_refused, topcut, write
from tests.stages.played_events import places, progress
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.history import Round
from topcut.pairing.model import build_pairing_document
from topcut.stages.brackets.graph import build_double, build_single
from topcut.stages.brackets.play import EMPTY, OPEN, BracketPlay
from topcut.stages.final_places import find_places as places_of
from topcut.stages.stage_types import pair_next_round

EIGHT = {str(i): i for i in range(1, 9)}
QUARTERS = "1 beats 8, 5 beats 4, 2 beats 7, 6 beats 3"


def out(text: str) -> Round:
    return a_round(text, stage="elimination")


def knock_out(*rounds: str, **about: Any) -> Event:
    """Eight players who have their rank seeds for ids."""
    options = {"format": "elimination"}
    made = [out(text) for text in rounds]
    return played("pokemon-2017", *made, players=" ".join(EIGHT), rank_seed=EIGHT, options=options, **about)


def tables(event: Event) -> list[list[str]]:
    """The tables of the next round; a single player has a bye."""
    now = progress(event)
    return [
        table["players"]
        for table in build_pairing_document(pair_next_round(now, "next"), now.history)["tables"]
    ]


def test_pk_a24_the_first_round_is_folded() -> None:
    assert tables(knock_out()) == [["1", "8"], ["4", "5"], ["2", "7"], ["3", "6"]]


def test_winners_meet_as_the_bracket_has_it() -> None:
    assert tables(knock_out(QUARTERS)) == [["1", "5"], ["2", "6"]]
    assert tables(knock_out(QUARTERS, "5 beats 1, 6 beats 2")) == [["5", "6"]]


@pytest.mark.parametrize("why", ["dropped", "disqualified"])
def test_pk_33_who_leaves_loses_the_table_they_come_to(why: str) -> None:
    event = knock_out(QUARTERS, **{why: {"5": 1}})
    assert tables(event) == [["2", "6"], ["1"]]
    now = progress(knock_out(QUARTERS, "1 bye, 6 beats 2", "1 beats 6", **{why: {"5": 1}}))
    assert places(now) == {"1": 1, "6": 2, "5": 3, "2": 4, "8": 5, "3": 6, "4": 7, "7": 8}


def test_pk_33_a_player_who_leaves_during_a_table_that_is_not_reported_loses_it() -> None:
    event = knock_out(QUARTERS.replace("1 beats 8", "1 - 8"), disqualified={"1": 1})
    found = progress(event).brackets[0].play.ended("QF1")
    assert found is not None
    assert (found.winner, found.loser, found.how) == ("8", "1", "walk-over")


def test_an_assigned_loss_sends_the_opponent_on() -> None:
    event = knock_out("1 loss, 5 beats 4, 2 beats 7, 6 beats 3")
    assert tables(event) == [["8", "5"], ["2", "6"]]


def test_a_table_without_a_winner_gives_the_next_opponent_a_bye() -> None:
    event = knock_out(QUARTERS.replace("1 beats 8", "1 both-lose 8"))
    assert tables(event) == [["2", "6"], ["5"]]
    now = progress(
        knock_out("1 both-lose 8, 5 beats 4, 2 beats 7, 6 beats 3", "5 bye, 6 beats 2", "6 beats 5")
    )
    found = places(now)
    assert (found["6"], found["5"], found["2"]) == (1, 2, 3)
    assert sorted(found.values()) == list(range(1, 9))


def test_a_half_without_winners_gives_the_other_half_the_event() -> None:
    event = knock_out("1 both-lose 8, 5 both-lose 4, 2 beats 7, 6 beats 3", "6 beats 2")
    now = progress(event)
    assert now.brackets[0].play.over
    assert places(now)["6"] == 1
    with pytest.raises(Impossible, match="Every table of the bracket is played: 6 won"):
        tables(event)


def test_a_final_that_both_lose_has_no_winner() -> None:
    now = progress(knock_out(QUARTERS, "5 beats 1, 6 beats 2", "5 both-lose 6"))
    ended = now.brackets[0].play.ended("F")
    assert ended is not None
    assert (ended.winner, ended.how) == (EMPTY, "no winner")


def test_both_cannot_lose_where_the_loser_plays_on() -> None:
    play = BracketPlay(build_double(8), list(EIGHT))
    with pytest.raises(Impossible, match="W1-1 needs a winner: its loser plays on"):
        play.report("W1-1", None)
    for table, winner in (("W1-1", "1"), ("W1-2", "4"), ("W1-3", "2"), ("W1-4", "3")):
        play.report(table, winner)
    play.report("L1-1", None)  # both are out
    assert play.seats("L2-1")[1] is EMPTY
    assert play.seats("L2-2")[1] is OPEN


def test_the_third_place_table_is_played_beside_the_final() -> None:
    play = BracketPlay(build_single(8, third_place=True), list(EIGHT))
    for table, winner in (("QF1", "1"), ("QF2", "5"), ("QF3", "2"), ("QF4", "6"), ("SF1", "5"), ("SF2", "6")):
        play.report(table, winner)
    assert play.ready() == ["F", "P3"]
    play.report("F", "6")
    play.report("P3", "1")
    assert [place.player for place in places_of(play, "rank seed")][:4] == ["6", "5", "1", "2"]


# Corrections


def test_a_result_is_corrected_while_the_next_round_is_only_paired() -> None:
    """8 was the winner after all; the next tables follow."""
    assert tables(knock_out(QUARTERS.replace("1 beats 8", "8 beats 1"))) == [["8", "5"], ["2", "6"]]


def test_a_correction_that_leaves_the_winner_is_always_possible() -> None:
    event = knock_out(QUARTERS.replace("1 beats 8", "1 2-1 8"), "5 beats 1, 6 beats 2")
    assert tables(event) == [["5", "6"]]


def test_a_correction_in_one_half_does_not_wait_for_the_other() -> None:
    """SF2 was played, SF1 was not: QF1 can still be corrected."""
    event = knock_out(QUARTERS.replace("1 beats 8", "8 beats 1"), "6 beats 2")
    assert tables(event) == [["8", "5"]]


def test_a_correction_after_the_next_table_was_played_is_refused_with_the_reason() -> None:
    event = knock_out(QUARTERS.replace("1 beats 8", "8 beats 1"), "5 beats 1, 6 beats 2")
    expected = (
        r"^rounds\[1\]\.tables\[0\]: 5 and 1 do not meet in round 2 of this bracket: "
        r"SF1 is 8 against 5, SF2 is 2 against 6$"
    )
    with pytest.raises(BadInput, match=expected):
        tables(event)


def test_a_bye_that_nobody_has_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^rounds\[1\]\.tables\[0\]: 1 has no bye in this bracket: SF1 is 1"):
        tables(knock_out(QUARTERS, "1 bye, 6 beats 2"))


def test_a_draw_is_refused_where_somebody_must_go_on() -> None:
    for text in ("1 ties 8", "1 1-1 8"):
        with pytest.raises(
            BadInput, match=r"rounds\[0\]\.tables\[0\]: an elimination round can.t end in a draw"
        ):
            knock_out(QUARTERS.replace("1 beats 8", text))


# Where the record and the rules differ


def test_a_first_round_that_the_rules_do_not_give_is_followed_and_said() -> None:
    """1 met 4 by mistake: the bracket goes on as it was recorded."""
    now = progress(knock_out("1 beats 4, 5 beats 8, 2 beats 7, 6 beats 3"))
    assert [bracket.play.players for bracket in now.brackets] == [["1", "2", "6", "5", "8", "3", "7", "4"]]
    assert "is not the one that the rules give" in now.brackets[0].warnings[0]
    assert tables(knock_out("1 beats 4, 5 beats 8, 2 beats 7, 6 beats 3")) == [["1", "5"], ["2", "6"]]


def test_a_round_that_is_no_first_round_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^rounds\[0\]\.tables\[0\]: 1 and 4 do not meet in round 1"):
        tables(knock_out("1 beats 4, 5 beats 8"))


def test_a_player_outside_every_bracket_is_named() -> None:
    swiss = "A beats B, C beats D, E beats F"
    event = played("dci-1999", swiss, out("A beats C"), out("A beats F"), options={"cut": 2, "rounds": 1})
    with pytest.raises(BadInput, match=r"^rounds\[2\]\.tables\[0\]: A and F do not meet"):
        tables(event)


def test_a_cut_that_was_played_but_not_planned_is_read_from_the_first_round() -> None:
    event = played("mtr", "A beats B, C beats D", out("A beats C"))
    found = places(progress(event))
    assert (found["A"], found["C"], found["B"], found["D"]) == (1, 2, 3, 3)


def test_nobody_enters_a_bracket_late() -> None:
    event = knock_out(entered={"8": 2})
    with pytest.raises(Impossible, match=r"^PK-22: 8 cannot enter late: all tables are fixed"):
        tables(event)


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ({"1": 1, "2": 2, "3": 3}, "4 has no seed: expected one for every player or for none"),
        (dict.fromkeys("1234", 1), "1 and 2 have the same seed, 1"),
    ],
)
def test_rank_seeds_are_for_all_and_different(seeds: dict[str, int], expected: str, tmp_path: Path) -> None:
    event = played("mtr", players="1 2 3 4", rank_seed=seeds, options={"format": "elimination"})
    answer = topcut("pair", str(write(event, tmp_path / "event.json")))
    assert_refused(answer, expected)
