"""What becomes of questions that players put to the desk, and of the desk's answers."""

from __future__ import annotations

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.decide_leaving import present
from topcut.event.deciding import Desk, handle
from topcut.event.refusals import AlreadyAsked, NotNow
from topcut.event.state import State
from topcut.event.window import closed
from topcut.rulebook.planning.words import either


@handle.register
def on_ask(command: c.Ask, desk: Desk) -> None:
    state, player = desk.state, command.player
    if state.purged:
        raise NotNow("the names of this event are deleted")
    desk.running()
    name = desk.entrant(player).player.shown_name
    if command.round is not None and command.about != "result":
        raise BadInput("only a question about a result has a round: expected none", place="round")
    for question in state.questions:
        if (question.player, question.about, question.round) == (player, command.about, command.round):
            raise AlreadyAsked(name, question.number)
    match command.about:
        case "points":
            _points_can_change(state, player)
        case "result":
            _result_can_change(state, player, command.round)
        case "drop":
            present(desk, player)
    number = state.asked + 1
    desk.fact(f.Asked(question=number, player=player, about=command.about, round=command.round))
    desk.say(f"The desk will look at it (question {number}).")


def _points_can_change(state: State, player: str) -> None:
    """Refuse where the record of every round that gave the player points, or could have, is closed."""
    counting = [
        a_round.number
        for a_round in state.rounds
        if a_round.stage == "swiss" and (table := a_round.table_of(player)) is not None and table.reported
    ]
    shut = [closed(state, number) for number in counting]
    if shut and all(shut) and (last := shut[-1]) is not None:
        raise last


def _result_can_change(state: State, player: str, number: int | None) -> None:
    """Refuse where the player has no record of the round, or it is closed."""
    if number is None:
        raise BadInput("expected the round of the result", place="round")
    a_round = state.numbered(number)
    if a_round.phase == "draft":
        raise NotNow(f"round {number} is not published yet")
    if a_round.table_of(player) is None:
        raise NotNow(f"{state.name_of(player)} was not in round {number}")
    if (shut := closed(state, number)) is not None:
        raise shut


@handle.register
def on_answer_question(command: c.AnswerQuestion, desk: Desk) -> None:
    desk.running()
    questions = {question.number: question for question in desk.state.questions}
    asked = questions.get(command.question)
    if asked is None:
        there = f"expected {either(questions)}" if questions else "all are answered"
        raise NotNow(f"no question {command.question} is open: {there}")
    desk.fact(f.Answered(question=asked.number, player=asked.player))
