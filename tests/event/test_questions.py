"""Players tell the desk that something is wrong, and the desk says when it has dealt with it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.context import FactContext, UnfitFact, apply_all
from topcut.event.decide.undo import try_undo
from topcut.event.describe.log_sentences import describe_log
from topcut.event.differences import describe_differences
from topcut.event.refusals import AlreadyAsked, AlreadyLeft, CannotUndo, NotNow, RecordClosed

PK = "pokemon-2017"


def numbers(event: Running) -> list[int]:
    return [question.number for question in event.state.questions]


def test_a_question_is_open_until_the_desk_answers_it() -> None:
    event = Running(PK, 8)
    event.play("")
    asked = event.do(c.Ask(player="p3", about="result", round=1))
    assert asked.says == ["The desk will look at it (question 1)."]
    (question,) = event.state.questions
    assert (question.player, question.about, question.round, question.at) == ("p3", "result", 1, event.now)
    event.do(c.Ask(player="p3", about="points"), c.Ask(player="p4", about="drop"))
    event.do(c.AnswerQuestion(question=2))
    assert numbers(event) == [1, 3]


def test_what_is_not_open_cannot_be_answered() -> None:
    event = Running(PK, 8)
    with pytest.raises(NotNow, match="Question 1 is not open. All questions are answered"):
        event.do(c.AnswerQuestion(question=1))
    event.do(c.Ask(player="p1", about="points"), c.Ask(player="p2", about="points"))
    event.do(c.Ask(player="p3", about="points"), c.AnswerQuestion(question=2))
    with pytest.raises(NotNow, match="Question 2 is not open. Enter 1 or 3"):
        event.do(c.AnswerQuestion(question=2))


def test_one_question_is_enough_and_may_come_again_once_it_is_answered() -> None:
    event = Running(PK, ["Ada", "Bo"])
    event.do(c.Ask(player="p1", about="points"))
    with pytest.raises(
        AlreadyAsked, match=r"^Ada has already asked this \(question 1\)\. The desk will look"
    ):
        event.do(c.Ask(player="p1", about="points"))
    event.do(c.Ask(player="p2", about="points"), c.AnswerQuestion(question=1))
    event.do(c.Ask(player="p1", about="points"))
    assert numbers(event) == [2, 3]


def test_a_question_about_a_result_is_of_a_round_in_which_the_player_was() -> None:
    event = Running(PK, 8)
    with pytest.raises(NotNow, match="No round is paired yet"):
        event.do(c.Ask(player="p1", about="result", round=1))
    event.play("")
    event.do(c.Register(name="Late"), c.Pair())
    for number, problem in ((7, "There is no round 7"), (2, "Round 2 is not published yet")):
        with pytest.raises(NotNow, match=problem):
            event.do(c.Ask(player="p1", about="result", round=number))
    with pytest.raises(NotNow, match="Late was not in round 1"):
        event.do(c.Ask(player="p9", about="result", round=1))
    with pytest.raises(BadInput, match="expected the round of the result"):
        event.do(c.Ask(player="p1", about="result"))
    with pytest.raises(BadInput, match="only a question about a result has one"):
        event.do(c.Ask(player="p1", about="points", round=1))


def test_nobody_asks_for_somebody_who_is_not_there_or_has_left() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p2"))
    with pytest.raises(BadInput, match="no player has the id 'p99'"):
        event.do(c.Ask(player="p99", about="points"))
    with pytest.raises(AlreadyLeft, match="Player 2 has already dropped"):
        event.do(c.Ask(player="p2", about="drop"))
    event.do(c.Ask(player="p2", about="points"))  # a record is theirs for good


def test_a_result_is_asked_about_as_long_as_it_can_be_corrected() -> None:
    """PK-60."""
    event = Running(PK, 16, rounds=5, format="swiss")
    event.play("", "")
    event.do(c.Ask(player="p1", about="result", round=1))
    event.up(started=False)
    with pytest.raises(RecordClosed, match=r"^PK-60: Round 1 can no longer be corrected: round 3"):
        event.do(c.Ask(player="p2", about="result", round=1))
    event.do(c.Ask(player="p2", about="result", round=2))


def test_points_are_asked_about_as_long_as_one_of_the_rounds_can_be_corrected() -> None:
    """PK-60, PK-A27: of whoever left early no round is open any more; a bracket closes all of them."""
    event = Running(PK, 9)
    event.play("")
    event.do(c.Drop(player="p2"))
    event.play("", "")
    with pytest.raises(RecordClosed, match="Round 1 can no longer be corrected"):
        event.do(c.Ask(player="p2", about="points"))
    event.do(c.Ask(player="p1", about="points"))
    event.play("")
    event.up()
    player = next(player_id for player_id in event.round.tables[0].players if player_id != "p1")
    for _ in ("before the bracket gave a result", "and after"):
        with pytest.raises(RecordClosed, match="ound 4 can no longer be corrected: the first elimination"):
            event.do(c.Ask(player=player, about="points"))
        event.report()


def test_without_a_window_records_can_always_be_asked_about() -> None:
    event = Running("dci-1999", 8)
    event.play("", "", "")
    event.do(c.Ask(player="p1", about="result", round=1), c.Ask(player="p1", about="points"))
    assert numbers(event) == [1, 2]


def test_an_event_that_is_finished_has_no_more_questions() -> None:
    event = Running("mtr", 2, kept_months=0)
    event.play("")
    event.do(c.Ask(player="p1", about="points"))
    finished = event.do(c.Finish(reason="a test"))
    assert finished.warnings == ["1 question of a player is not answered."]
    for command in (c.Ask(player="p2", about="points"), c.AnswerQuestion(question=1)):
        with pytest.raises(NotNow, match="The event is finished"):
            event.do(command)
    event.do(c.Purge())
    with pytest.raises(NotNow, match="The names of this event are deleted"):
        event.do(c.Ask(player="p2", about="points"))


def test_the_questions_of_a_player_go_with_them() -> None:
    event = Running(PK, 4)
    event.do(c.Ask(player="p1", about="points"), c.Ask(player="p2", about="points"), c.Remove(player="p1"))
    assert numbers(event) == [2]
    event.do(c.Undo())
    assert numbers(event) == [1, 2]


# Taking back


def test_the_number_of_a_question_is_never_given_twice() -> None:
    event = Running(PK, 4)
    event.do(c.Ask(player="p1", about="points"), c.Undo(), c.Ask(player="p2", about="points"))
    assert numbers(event) == [2]
    event.do(c.Redo(step=6))
    assert [(q.number, q.player) for q in event.state.questions] == [(1, "p1"), (2, "p2")]
    event.do(c.Undo(count=2), c.Ask(player="p3", about="drop"))
    assert numbers(event) == [3]


def test_a_question_that_is_answered_is_not_taken_back_alone() -> None:
    event = Running(PK, 4)
    event.do(c.Ask(player="p1", about="points"))
    step = event.log.version
    event.do(c.AnswerQuestion(question=1))
    with pytest.raises(CannotUndo, match="Player 1 has no open question 1"):
        event.do(c.Undo(step=step))
    answered = event.log.version
    assert describe_differences(event.state, try_undo(event.log, [answered])) == [
        "Question 1 of Player 1 is open again."
    ]
    event.do(c.Undo())
    assert describe_differences(event.state, try_undo(event.log, [step])) == [
        "Question 1 of Player 1 is no longer open."
    ]


def test_an_answer_is_not_taken_back_once_the_player_has_asked_again() -> None:
    event = Running(PK, 4)
    event.do(c.Ask(player="p1", about="points"), c.AnswerQuestion(question=1))
    answered = event.log.version
    event.do(c.Ask(player="p1", about="points"))
    with pytest.raises(CannotUndo, match="Player 1 has already asked that"):
        event.do(c.Undo(step=answered))


def test_the_log_says_who_asked_what() -> None:
    event = Running(PK, ["Ada", "Bo"])
    event.play("")
    event.do(c.Ask(player="p1", about="points"), c.Ask(player="p2", about="result", round=1))
    event.do(c.Ask(player="p2", about="drop"), c.AnswerQuestion(question=2))
    assert [line.says for line in describe_log(event.log)][-4:] == [
        "Question 1: Ada asks about points.",
        "Question 2: Bo asks about the result of round 1.",
        "Question 3: Bo asks to drop.",
        "Question 2 from Bo is answered.",
    ]


# Facts that cannot be


def test_a_log_with_questions_of_nobody_does_not_fit() -> None:
    event = Running(PK, 9)
    event.play("")
    event.do(c.Register(name="Late"))
    now = FactContext(event.now, "Eve", {})
    fits = f.Asked(question=1, player="p1", about="result", round=1)
    cases: list[tuple[list[f.AnyFact], str]] = [
        ([replace(fits, player="p99")], "there is no player p99"),
        ([replace(fits, player="p10")], "p10 was not in round 1"),
        ([replace(fits, round=2)], "there is no round 2"),
        ([replace(fits, round=None)], "a question about a result has a round"),
        ([replace(fits, about="points")], "a question about a result has a round"),
        ([fits, replace(fits, about="drop", round=None)], "question 1 is not new"),
        ([fits, replace(fits, question=2)], "p1 has already asked that"),
        ([f.Answered(question=1, player="p1")], "p1 has no open question 1"),
        ([fits, f.Answered(question=1, player="p2")], "p2 has no open question 1"),
    ]
    for facts, problem in cases:
        with pytest.raises(UnfitFact, match=problem):
            apply_all(event.state, facts, now)
