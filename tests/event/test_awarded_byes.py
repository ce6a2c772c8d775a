"""Awarded byes at the desk: given at registration, kept by every round, closed once a round is paired."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.describe.log_sentences import describe_log
from topcut.event.refusals import NotNow


def alone(event: Running) -> set[str]:
    """The players without an opponent in the last round."""
    a_round = event.state.round
    assert a_round is not None
    return {table.players[0] for table in a_round.tables if len(table.players) == 1}


def an_event() -> Running:
    event = Running("mtr", ["Ada", "Bo", "Cy", "Di"])
    event.do(c.Register(name="Eve", byes=2))
    return event


def test_the_player_has_a_bye_in_the_first_rounds_and_need_not_be_there() -> None:
    event = an_event()
    event.do(c.CheckIn(players=("p1", "p2", "p3", "p4")), c.Pair())
    assert alone(event) == {"p5"}


def test_they_can_be_changed_until_their_round_is_paired() -> None:
    event = an_event()
    event.do(c.EditPlayer(player="p5", byes=1), c.Pair())
    with pytest.raises(
        NotNow, match="Round 1 is already paired. Undo the pairing, change the awarded byes of Eve"
    ):
        event.do(c.EditPlayer(player="p5", byes=0))
    event.do(c.Publish(), c.Start())
    with pytest.raises(NotNow, match="Round 1 has started. The awarded byes of Eve"):
        event.do(c.EditPlayer(player="p5", byes=0))
    event.do(c.EditPlayer(player="p5", byes=3))
    assert event.state.players["p5"].player.byes == 3


def test_a_player_who_comes_late_with_awarded_byes_misses_nothing() -> None:
    event = Running("mtr", ["Ada", "Bo"])
    event.do(c.Pair(), c.Publish(), c.Start())
    assert event.do(c.Register(name="Late", byes=2)).says == []
    told = event.do(c.Register(name="Later")).says
    assert any("entering late means a loss" in line for line in told)


@pytest.mark.parametrize("byes", [-1, 4, 10])
def test_not_more_than_the_planned_rounds(byes: int) -> None:
    event = Running("mtr", ["Ada", "Bo"], rounds=3)
    with pytest.raises(BadInput, match="expected 0 to 3 awarded byes"):
        event.do(c.Register(name="Cy", byes=byes))


def test_a_bracket_refuses_them() -> None:
    event = Running("mtr", ["Ada", "Bo"], format="elimination")
    with pytest.raises(
        BadInput, match="awarded byes are for Swiss rounds, and the format elimination has none"
    ):
        event.do(c.Register(name="Cy", byes=1))


def test_a_late_entry_leaves_the_awarded_byes_of_a_published_round() -> None:
    event = an_event()
    event.do(c.Pair(), c.Publish())
    event.do(c.Register(name="Flo", then="fewest"))
    assert alone(event) == {"p5", "p6"}
    event.do(c.Register(name="Gus", byes=1, then="fewest"))
    assert alone(event) == {"p5", "p6", "p7"}


def test_the_log_says_so() -> None:
    event = an_event()
    lines = [str(line.says) for line in describe_log(event.log)]
    assert lines[-1] == "Eve (p5) enters. The player has 2 awarded byes."
