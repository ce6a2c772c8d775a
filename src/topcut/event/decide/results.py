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
from topcut.event.refusals import AlreadyAsked, AlreadyReported, BadResult, NotAtTable, NotNow, RecordClosed
from topcut.event.state import RoundState, State
from topcut.event.upcoming_round import settle_upcoming
from topcut.history.model import Outcome, Table
from topcut.history.results import quote_id, read_seat_results
from topcut.text.messages import list_and, list_or


@handle.register
def decide_report(command: c.Report, decider: Decider) -> None:
    a_round, table = _require_playing(decider, command.round, command.table, command.players)
    _require_unreported(decider, a_round, command.table, table, command.result)
    fact = f.Reported(round=a_round.number, table=command.table, players=table.players, result=command.result)
    decider.record(fact)


@handle.register
def decide_claim(command: c.Claim, decider: Decider) -> None:
    a_round, table = _require_playing(decider, command.round, command.table, command.players)
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
        decider.tell(f"{name_of(player_id)} says {claim}: the desk will look at it.")
    if others:
        return
    if missing := [player_id for player_id in players if player_id not in said]:
        decider.tell(f"Waiting for {list_and(map(name_of, missing))} to agree.")
        return
    decider.record(reported)
    decider.tell(f"{'Both' if len(players) == 2 else 'All'} agree: {describe_result(new, name_of)}.")


@handle.register
def decide_confirm(command: c.Confirm, decider: Decider) -> None:
    a_round = decider.state.get_round(command.round)
    if not command.tables:
        raise BadInput("expected the number of a table", place="tables")
    seated = [a_round.get_table(table) for table in command.tables]
    for table in seated:
        if not table.reported:
            raise NotNow(f"table {table.table} of round {a_round.number} is not reported yet")
    players = tuple(table.players for table in seated)
    decider.record(f.Confirmed(round=a_round.number, tables=command.tables, players=players))


@handle.register
def decide_correct(command: c.Correct, decider: Decider) -> None:
    state = decider.state
    a_round = state.get_round(command.round)
    table = decider.require_table(a_round, command.table, command.players)
    number, alone = table.table, table.table is None
    where = f"table {number} of round {a_round.number}"
    if a_round.phase == "draft" and not isinstance(command.table, int):
        raise NotNow(f"round {a_round.number} is not published yet")
    if not table.reported:
        raise NotNow(f"{where} is not reported yet: report it")
    if command.result is None:
        if alone:
            who = state.name_of(table.players[0])
            raise NotNow(f"{who} sits alone in round {a_round.number}: expected a bye or a loss")
        if a_round.phase == "ended":
            raise NotNow(f"round {a_round.number} has ended: expected the right result of table {number}")
    elif put_checked_result(table, command.result, a_round, state) == table:
        has = describe_result(table, state.name_of)
        if alone:
            raise NotNow(f"{has} in round {a_round.number} already")
        raise NotNow(f"{where} is reported like that already: {has}")
    shut = find_closure(state, a_round.number)
    reason = command.reason
    if shut is not None:
        if not command.override:
            raise shut
        reason = decider.require_reason(reason, f"the record of round {a_round.number} is closed")
    fact = f.Corrected(
        round=a_round.number,
        table=command.table,
        players=table.players,
        result=command.result,
        reason=reason,
        override=shut is not None,
    )
    if state.upcoming is None or state.upcoming.number == a_round.number:
        decider.record(fact)
    elif not settle_upcoming(decider, lambda _: [fact], command.then):
        return
    state = decider.state
    if any(r.in_bracket for r in state.rounds[: state.begun]):
        try:
            _ = find_progress(state).brackets
        except (BadInput, Impossible) as error:
            raise NotNow(f"the bracket went on with that result ({error.problem}): undo back to it") from None


@handle.register
def decide_ask(command: c.Ask, decider: Decider) -> None:
    state, player = decider.state, command.player
    if state.purged:
        raise NotNow("the names of this event are deleted")
    decider.require_running()
    name = decider.state.get_listed(player).player.shown_name
    if command.round is not None and command.about != "result":
        raise BadInput("only a question about a result has a round: expected none", place="round")
    for question in state.questions:
        if (question.player, question.about, question.round) == (player, command.about, command.round):
            raise AlreadyAsked(name, question.number)
    if command.about == "drop":
        require_present(decider, player)
    elif shut := _find_why_closed(state, player, command):
        raise shut
    number = state.asked + 1
    decider.record(f.Asked(question=number, player=player, about=command.about, round=command.round))
    decider.tell(f"The desk will look at it (question {number}).")


def _find_why_closed(state: State, player: str, command: c.Ask) -> RecordClosed | None:
    """Return why a record that a player asks about is closed; refuse where they have none.

    Points are closed with the record of every round that gave the player points, or could have.
    """
    if command.about == "points":
        rounds = [r for r in state.rounds if r.is_scored and (t := r.table_of(player)) and t.reported]
        shut = [find_closure(state, a_round.number) for a_round in rounds]
        return shut[-1] if shut and all(shut) else None
    if command.round is None:
        raise BadInput("expected the round of the result", place="round")
    a_round = state.get_round(command.round)
    if a_round.phase == "draft":
        raise NotNow(f"round {a_round.number} is not published yet")
    if a_round.table_of(player) is None:
        raise NotNow(f"{state.name_of(player)} was not in round {a_round.number}")
    return find_closure(state, a_round.number)


@handle.register
def decide_answer_question(command: c.AnswerQuestion, decider: Decider) -> None:
    questions = {question.number: question for question in decider.state.questions}
    asked = questions.get(command.question)
    if asked is None:
        there = f"expected {list_or(questions)}" if questions else "all are answered"
        raise NotNow(f"no question {command.question} is open: {there}")
    decider.record(f.Answered(question=asked.number, player=asked.player))


def _require_playing(
    decider: Decider, number: int | None, table: int, seen: tuple[str, ...] | None
) -> tuple[RoundState, Table]:
    """Return a table whose result may come: of a published round, or one that began before that."""
    a_round = decider.state.get_round(number)
    if a_round.phase == "draft" and table not in a_round.begun:
        raise NotNow(f"round {a_round.number} is not published yet")
    return a_round, decider.require_table(a_round, table, seen)


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
    where = f"table {table.table}" if table.table is not None else state.name_of(table.players[0])

    def name(player_id: str) -> str:  # or in quotes what was typed in the place of one
        return state.name_of(player_id) if player_id in state.players else quote_id(player_id)

    try:
        outcomes = read_seat_results(new, state.book, where, name)
    except BadInput as error:
        raise BadResult(f"{where}: {error.problem}") from None
    if not outcomes:
        raise BadResult(f"{where}: expected a result")
    if not a_round.allows_draws and any(o.outcome == Outcome.DRAW for o in outcomes):
        raise BadResult(f"{where}: an elimination round knows no draw: expected a winner")
    return new
