"""Anything can be taken back and brought back; nothing is deleted; the log says so."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.decide.undo import find_undo_steps, try_undo
from topcut.event.describe.log_sentences import describe_log
from topcut.event.differences import describe_differences
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.refusals import CannotUndo
from topcut.event.state import State

PK = "pokemon-2017"


def apart_from_time(state: State) -> State:
    counts = {"registered": 0, "asked": 0, "commitment": ""}
    return replace(state, last=state.created, attempts={}, revealed=frozenset(), **counts)


def whole() -> Running:
    """An event with something of everything."""
    event = Running(PK, 9)
    event.do(c.Announce(prizes="the top 4"), c.FixTable(player="p2", table=7), c.BlockTables(tables=(3,)))
    event.play("")
    event.do(c.Drop(player="p3"), c.Register(name="Late"))
    event.up(started=False)
    event.do(c.Correct(round=1, table=1, result=Result(games=(0, 2, 0)), then="fewest"), c.Start())
    event.do(c.SetClock(minutes=50), c.Pause(), c.Resume(), c.Extend(minutes=3))
    for player in event.round.tables[0].players:
        event.do(c.Claim(player=player, table=1, result=Result(games=(2, 0, 0))))
    event.do(
        c.Ask(player="p1", about="points"), c.Ask(player="p2", about="drop"), c.AnswerQuestion(question=1)
    )
    event.report()
    event.do(c.Confirm(tables=(1,)), c.End())
    event.play("", "", "")
    event.do(c.Finish(reason="enough"), c.Reopen())
    return event


def test_every_step_can_be_taken_back_to_the_very_beginning_and_brought_back() -> None:
    event = whole()
    steps = event.log.steps()
    states = {step: apart_from_time(event.log.up_to(step - 1).state) for step in steps[1:]}
    end = apart_from_time(event.state)
    for step in reversed(steps[1:]):
        event.do(c.Undo())
        assert apart_from_time(event.state) == states[step]
    with pytest.raises(CannotUndo, match="There is nothing to undo"):
        event.do(c.Undo())
    for _ in steps[1:]:
        event.do(c.Redo())
    assert apart_from_time(event.state) == end
    with pytest.raises(CannotUndo, match="There is nothing to redo"):
        event.do(c.Redo())


def test_many_steps_are_taken_back_at_once() -> None:
    event = whole()
    end = apart_from_time(event.state)
    depth = len(event.log.steps()) - 1
    event.do(c.Undo(count=depth))
    assert (len(event.state.players), len(event.state.rounds)) == (0, 0)
    event.do(c.Redo())
    assert apart_from_time(event.state) == end


def test_nothing_is_deleted() -> None:
    event = whole()
    lines = list(event.log.lines)
    event.do(c.Undo(count=20), c.Redo(), c.Undo(count=3))
    assert event.log.lines[: len(lines)] == lines
    assert EventLog(event.log.lines, event.log.private).state == event.state


def test_one_step_in_the_middle_is_taken_back_where_nothing_builds_on_it() -> None:
    event = Running(PK, 8)
    event.do(c.FixTable(player="p2", table=7))
    step = event.log.version
    event.play("")
    event.do(c.Undo(step=step))
    assert event.state.players["p2"].fixed is None
    assert len(event.state.rounds) == 1
    event.do(c.Redo(step=step))
    assert event.state.players["p2"].fixed == 7


def test_what_others_build_on_is_not_taken_back_alone() -> None:
    event = Running(PK, 8)
    event.play("")
    reported = next(e.position for e in event.log.entries if "Reported" in type(e.fact).__name__)
    with pytest.raises(
        CannotUndo, match=rf"Step {reported} can't be undone alone \(then step \d+ would no longer fit"
    ):
        event.do(c.Undo(step=reported))
    with pytest.raises(CannotUndo, match="Step 2 can't be undone alone"):
        event.do(c.Undo(step=2))
    with pytest.raises(CannotUndo, match="The creation"):
        event.do(c.Undo(step=1))
    with pytest.raises(CannotUndo, match="There is no step"):
        event.do(c.Undo(step=999))


def test_a_result_stays_with_its_players_whatever_is_taken_back_below_it() -> None:
    event = Running(PK, 8)
    event.do(c.Pair(), c.Pair(again=True))
    again = event.log.steps()[-1]
    event.do(c.Publish(), c.Start())
    event.report("2-0 2-1 1-2 0-2")
    with pytest.raises(CannotUndo, match="other players sit at table 1 of round 1"):
        event.do(c.Undo(step=again))


def test_an_event_cannot_be_finished_without_the_end_of_its_last_round() -> None:
    event = Running(PK, 8)
    event.play("", "", "")
    end = event.log.steps()[-1]
    event.do(c.Finish())
    with pytest.raises(CannotUndo, match="round 3 has not ended"):
        event.do(c.Undo(step=end))


def test_nothing_happens_in_an_event_that_is_finished_after_all() -> None:
    event = Running(PK, 4)
    event.play("")
    event.do(c.Finish(reason="x"), c.Reopen())
    reopened = event.log.steps()[-1]
    event.do(c.Pair())
    with pytest.raises(CannotUndo, match="the event is finished"):
        event.do(c.Undo(step=reopened))


def test_a_bracket_that_is_brought_back_must_still_be_the_one_due() -> None:
    event = Running(PK, 4, format="elimination")
    event.do(c.Remove(player="p3"), c.Pair(), c.Undo(count=2), c.Remove(player="p1"))
    with pytest.raises(CannotUndo, match="Steps 6 to 7 can't be redone"):
        event.do(c.Redo())


def test_a_result_that_a_repair_kept_is_not_taken_back_below_it() -> None:
    event = Running(PK, 8)
    event.up(started=False)
    event.do(c.Report(table=1, result=Result(games=(2, 0, 0))))
    reported = event.log.steps()[-1]
    event.do(c.Register(name="Late", then="fewest"))
    with pytest.raises(CannotUndo, match="the result of table 1 is not known"):
        event.do(c.Undo(step=reported))


def test_to_bring_back_what_was_just_taken_back_always_works() -> None:
    event = Running(PK, 4, format="round-robin")
    event.up(started=False)
    one, other = (table.players[0] for table in event.round.tables)
    event.do(c.Swap(first=one, second=other, reason="x"))
    before = apart_from_time(event.state)
    event.do(c.Undo(count=2), c.Redo())
    assert apart_from_time(event.state) == before


def test_nobody_comes_back_into_a_round_robin_that_has_started() -> None:
    event = Running(PK, 5, format="round-robin")
    fifth = event.log.version
    event.do(c.Undo(step=fifth))
    event.up()
    with pytest.raises(CannotUndo, match="Player 5 would have no table in round 1"):
        event.do(c.Redo(step=fifth))


def test_ids_are_never_given_out_twice() -> None:
    event = Running(PK)
    event.do(c.Register(name="Ada"), c.Undo(), c.Register(name="Bo"), c.Redo())
    assert {player_id: e.player.name for player_id, e in event.state.players.items()} == {
        "p1": "Ada",
        "p2": "Bo",
    }


def test_a_name_that_was_taken_back_is_not_told() -> None:
    event = Running(PK, ["Ada"])
    event.do(c.EditPlayer(player="p1", name="Eve"), c.Undo(), c.CheckIn())
    assert list(describe_log(event.log))[-1].says == "Ada is checked in."


def test_a_drop_taken_back_later_would_leave_somebody_without_a_table() -> None:
    event = Running(PK, 9)
    event.play("")
    event.do(c.Drop(player="p3"))
    drop = event.log.version
    event.play("")
    with pytest.raises(CannotUndo, match="Player 3 would have no table in round 2"):
        event.do(c.Undo(step=drop))


def test_before_anything_is_taken_back_it_is_said_what_would_change() -> None:
    event = Running(PK, 8)
    event.up()
    event.do(c.Report(table=1, result=Result(games=(2, 1, 0))), c.Drop(player="p1"))
    steps = find_undo_steps(event.log, None, 2)
    a, b = (event.state.name_of(player_id) for player_id in event.round.tables[0].players)
    changes = describe_differences(event.state, try_undo(event.log, steps))
    assert "Player 1 is back in the event." in changes
    assert f"Round 1, table 1: {a} and {b}: not reported (was: {a} beats {b} 2-1)." in changes


def test_a_preview_tells_the_loss_of_a_missed_round_from_a_bye() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p1"))
    event.up()
    event.do(c.Restore(player="p1", override=True, reason="they came back"))
    changes = describe_differences(event.state, try_undo(event.log, [event.log.version]))
    assert changes == ["Player 1 drops after round 1.", "Round 2: the loss of Player 1 is removed."]


def test_time_travel_shows_the_event_as_it_was() -> None:
    event = whole()
    for position in range(1, event.log.version + 1):
        then = event.log.up_to(position)
        assert then.version == position
    assert len(event.log.up_to(5).state.players) == 4
    with pytest.raises(BadInput, match="expected a fact from 1 to .*, not 999"):
        event.log.up_to(999)


def test_the_log_reads_as_sentences_with_who_when_and_from_where() -> None:
    event = Running("dci-1999", ["Ada", "Bo"])
    event.up()
    event.do(c.Report(table=1, result=Result(games=(2, 1, 0))))
    event.do(c.Correct(table=1, result=Result(games=(1, 2, 0)), reason="the slip says so"), c.Undo())
    lines = list(describe_log(event.log))
    assert [line.says for line in lines[1:6]] == [
        "Ada (p1) enters.",
        "Bo (p2) enters.",
        f"Round 1 is paired: 1 table. The seed is {event.round.seed}.",
        "Round 1 is published.",
        "Round 1 starts.",
    ]
    first, second = (event.state.name_of(player_id) for player_id in event.round.tables[0].players)
    corrected = f"{first} beats {second} 2-1 → {second} beats {first} 2-1. Reason: the slip says so."
    assert f"The result of round 1, table 1 is corrected: {corrected}" in [line.says for line in lines]
    assert [line.undone for line in lines[-2:]] == [True, False]
    assert (lines[-1].by, lines[-1].via, lines[-1].at) == ("Ada", "test", "2026-11-14T09:08:00Z")
    assert all(line.says for line in describe_log(whole().log))
