"""Decide commands about results: reports, claims, confirmations, corrections, and questions of players."""

from msgspec.structs import asdict, replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.correction_window import find_closure
from topcut.event.decide.context import Decider, handle
from topcut.event.decide.leaving import require_present
from topcut.event.describe.results import describe_claim, describe_result
from topcut.event.draw import find_progress
from topcut.event.refusals import (
    AlreadyAsked,
    AlreadyReported,
    BadResult,
    NotAtTable,
    NotNow,
    RecordClosed,
    describe_same_result,
)
from topcut.event.state import RoundState, State
from topcut.event.upcoming_round import settle_upcoming
from topcut.history.model import Outcome, Table
from topcut.history.results import explain_no_byes, quote_id, read_seat_results
from topcut.text.messages import list_and, list_or, say


@handle.register
def decide_report(command: c.Report, decider: Decider) -> None:
    a_round, table = _require_playing(decider, command)
    _require_unreported(decider, a_round, command.table, table, command.result)
    fact = f.Reported(round=a_round.number, table=command.table, players=table.players, result=command.result)
    decider.record(fact)


@handle.register
def decide_claim(command: c.Claim, decider: Decider) -> None:
    a_round, table = _require_playing(decider, command)
    listed = decider.state.get_listed(command.player)
    if command.player not in table.players:
        own = a_round.table_of(command.player) if a_round.phase != "draft" else None  # nobody knows it yet
        name, sits = listed.player.shown_name, own.table if own else None
        raise NotAtTable(a_round.number, command.table, name, sits)
    new = _require_unreported(decider, a_round, command.table, table, command.result)
    players, name_of = table.players, decider.state.name_of
    reported = f.Reported(round=a_round.number, table=command.table, players=players, result=command.result)
    decider.record(f.Claimed(**asdict(reported), player=command.player))
    said = decider.state.get_round(a_round.number).claims[command.table]
    others = {player_id: result for player_id, result in said.items() if result.plain != command.result.plain}
    for player_id, result in others.items():
        claim = describe_claim(table, result, name_of)
        decider.tell(
            say(
                "{name} reported something else: {result}. The desk sees this.",
                name=name_of(player_id),
                result=claim,
            )
        )
    if others:
        return
    if missing := [player_id for player_id in players if player_id not in said]:
        decider.tell(say("Waiting for {names} to confirm.", names=list_and(map(name_of, missing))))
        return
    decider.record(reported)
    agreed = describe_result(new, name_of)
    decider.tell(
        say("Both agree: {result}.", result=agreed)
        if len(players) == 2
        else say("All agree: {result}.", result=agreed)
    )


@handle.register
def decide_confirm(command: c.Confirm, decider: Decider) -> None:
    a_round = decider.state.get_round(command.round)
    if not command.tables:
        raise BadInput(say("expected the number of a table"), place="tables")
    seated = [a_round.get_table(table) for table in command.tables]
    for table in seated:
        if not table.reported:
            number = table.table or ""
            raise NotNow(
                say("Table {table} of round {round} is not reported yet.", table=number, round=a_round.number)
            )
    players = tuple(table.players for table in seated)
    decider.record(f.Confirmed(round=a_round.number, tables=command.tables, players=players))


@handle.register
def decide_correct(command: c.Correct, decider: Decider) -> None:
    state = decider.state
    a_round = state.get_round(command.round)
    table = decider.require_table(a_round, command.table, command.players)
    if a_round.phase == "draft" and not isinstance(command.table, int):
        raise _explain_unpublished(a_round, staff=True)
    _require_correctable(a_round, table, command.result, state)
    shut = find_closure(state, a_round.number)
    reason = command.reason
    if shut is not None:
        if not command.override:
            raise shut
        problem = say(
            "The record of round {round} is closed. Changing it needs a reason.", round=a_round.number
        )
        reason = decider.require_reason(reason, problem)
    fact = f.Corrected(
        round=a_round.number,
        table=command.table,
        players=table.players,
        result=command.result,
        reason=reason,
        override=shut is not None,
    )
    leave = not any(r.in_bracket for r in state.rounds[: state.begun])  # the tables of a bracket follow
    if state.upcoming is None or state.upcoming.number == a_round.number:
        decider.record(fact)
    elif not settle_upcoming(decider, lambda _: [fact], command.then, leave=leave):
        return
    state = decider.state
    if any(r.in_bracket for r in state.rounds[: state.begun]):
        try:
            _ = find_progress(state).brackets
        except (BadInput, Impossible) as error:
            problem = say(
                "The bracket went on with that result. Undo the steps after it first ({problem}).",
                problem=error.problem,
            )
            raise NotNow(problem) from None


def _require_correctable(a_round: RoundState, table: Table, result: f.Result | None, state: State) -> None:
    """Refuse a correction that would change nothing, or leave open what must have a result."""
    number, alone = a_round.number, table.table is None
    seat = table.table or ""
    if not table.reported:
        problem = say(
            "Table {table} of round {round} is not reported yet. Report it.", table=seat, round=number
        )
        raise NotNow(problem)
    if result is None and alone:
        name = state.name_of(table.players[0])
        raise NotNow(
            say("{name} has no opponent in round {round}. Enter a bye or a loss.", name=name, round=number)
        )
    if result is None and a_round.phase == "ended":
        raise NotNow(
            say("Round {round} has ended. Enter the right result of table {table}.", round=number, table=seat)
        )
    if result is None or put_checked_result(table, result, a_round, state) != table:
        return
    has = describe_result(table, state.name_of)
    if alone:
        raise NotNow(say("Round {round} already has this result: {result}.", round=number, result=has))
    raise NotNow(describe_same_result(number, seat, has))


def _explain_unpublished(a_round: RoundState, *, staff: bool = False) -> NotNow:
    if staff:
        return NotNow(say("Round {round} is not published yet. Publish it first.", round=a_round.number))
    return NotNow(say("Round {round} is not published yet.", round=a_round.number))


@handle.register
def decide_ask(command: c.Ask, decider: Decider) -> None:
    state, player = decider.state, command.player
    if state.purged:
        raise NotNow(say("The names of this event are deleted."))
    decider.require_running()
    name = decider.state.get_listed(player).player.shown_name
    if command.round is not None and command.about != "result":
        raise BadInput(say("expected no round: only a question about a result has one"), place="round")
    for question in state.questions:
        if (question.player, question.about, question.round) == (player, command.about, command.round):
            raise AlreadyAsked(name, question.number)
    if command.about == "drop":
        require_present(decider, player)
    elif shut := _find_why_closed(state, player, command):
        raise shut
    number = state.asked + 1
    decider.record(f.Asked(question=number, player=player, about=command.about, round=command.round))
    decider.tell(say("The desk will look at it (question {number}).", number=number))


def _find_why_closed(state: State, player: str, command: c.Ask) -> RecordClosed | None:
    """Return why a record that a player asks about is closed; refuse where they have none.

    Points are closed with the record of every round that gave the player points, or could have.
    """
    if command.about == "points":
        rounds = [r for r in state.rounds if r.is_scored and (t := r.table_of(player)) and t.reported]
        shut = [find_closure(state, a_round.number) for a_round in rounds]
        return shut[-1] if shut and all(shut) else None
    if command.round is None:
        raise BadInput(say("expected the round of the result"), place="round")
    a_round = state.get_round(command.round)
    if a_round.phase == "draft":
        raise _explain_unpublished(a_round)
    if a_round.table_of(player) is None:
        name = state.name_of(player)
        raise NotNow(say("{name} was not in round {round}.", name=name, round=a_round.number))
    return find_closure(state, a_round.number)


@handle.register
def decide_answer_question(command: c.AnswerQuestion, decider: Decider) -> None:
    questions = {question.number: question for question in decider.state.questions}
    asked = questions.get(command.question)
    if asked is None:
        asked_for = command.question
        raise NotNow(
            say("Question {question} is not open. Enter {open}.", question=asked_for, open=list_or(questions))
            if questions
            else say("Question {question} is not open. All questions are answered.", question=asked_for)
        )
    decider.record(f.Answered(question=asked.number, player=asked.player))


def _require_playing(decider: Decider, command: c.Report | c.Claim) -> tuple[RoundState, Table]:
    """Return a table whose result may come: of a published round, or one that began before that."""
    a_round = decider.state.get_round(command.round)
    if a_round.phase == "draft" and command.table not in a_round.begun:
        raise _explain_unpublished(a_round, staff=isinstance(command, c.Report))
    return a_round, decider.require_table(a_round, command.table, command.players)


def _require_unreported(
    decider: Decider, a_round: RoundState, number: int, table: Table, result: f.Result
) -> Table:
    """Return the table with a result that it can have; refuse where it has one already."""
    new = put_checked_result(table, result, a_round, decider.state)
    if table.reported:
        old, other = (describe_result(t, decider.state.name_of) for t in (table, new))
        raise AlreadyReported(a_round.number, number, old, other)
    return new


def put_checked_result(table: Table, result: f.Result, a_round: RoundState, state: State) -> Table:
    """Return the table with a result; refuse one that it cannot have."""
    new = replace(table, **asdict(result))
    if table.table is not None:
        where: str = say("table {table}", table=table.table)
    else:
        where = state.name_of(table.players[0])

    def refuse(problem: str) -> BadResult:
        if table.table is None:
            return BadResult(say("{name}: {problem}", name=where, problem=problem))
        return BadResult(say("Table {table}: {problem}", table=table.table, problem=problem))

    def name(player_id: str) -> str:  # or in quotes what was typed in the place of one
        return state.name_of(player_id) if player_id in state.players else quote_id(player_id)

    try:
        outcomes = read_seat_results(new, state.book, where, name)
    except BadInput as error:
        raise refuse(error.problem) from None
    if not outcomes:
        raise refuse(say("expected a result"))
    sits_out = a_round.allowed is not None and "sits-out" in a_round.allowed.what
    if new.bye and not sits_out and (problem := explain_no_byes(state.book)):
        raise refuse(problem)
    if not a_round.allows_draws and any(o.outcome == Outcome.DRAW for o in outcomes):
        raise refuse(say("expected a winner, since elimination rounds have no draws"))
    return new
