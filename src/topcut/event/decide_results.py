"""What becomes of commands about results: reporting, confirming, correcting."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.answers import settle
from topcut.event.deciding import Desk, handle
from topcut.event.draw import course_of
from topcut.event.refusals import AlreadyReported, BadResult, NotNow
from topcut.event.state import RoundOf, State
from topcut.event.window import closed
from topcut.event.words import result_words
from topcut.history import Played
from topcut.history.model import Table
from topcut.history.results import seat_results


@handle.register
def on_report(command: c.Report, desk: Desk) -> None:
    desk.running()
    a_round = desk.round(command.round)
    if a_round.phase == "draft" and command.table not in a_round.begun:
        raise NotNow(f"round {a_round.number} is not published yet")
    table = a_round.tables[desk.index(a_round, command.table)]
    new = checked(table, command.result, a_round, desk.state)
    if table.reported:
        old, other = (result_words(t, desk.state.name_of) for t in (table, new))
        raise AlreadyReported(a_round.number, command.table, old, other)
    fact = f.Reported(round=a_round.number, table=command.table, players=table.players, result=command.result)
    desk.fact(fact)


@handle.register
def on_confirm(command: c.Confirm, desk: Desk) -> None:
    desk.running()
    a_round = desk.round(command.round)
    seated = [a_round.tables[desk.index(a_round, table)] for table in command.tables]
    for table in seated:
        if not table.reported:
            raise NotNow(f"table {table.table} of round {a_round.number} is not reported yet")
    players = tuple(table.players for table in seated)
    desk.fact(f.Confirmed(round=a_round.number, tables=command.tables, players=players))


@handle.register
def on_correct(command: c.Correct, desk: Desk) -> None:
    state = desk.state
    desk.running()
    a_round = desk.round(command.round)
    table = a_round.tables[desk.index(a_round, command.table)]
    where = f"table {command.table} of round {a_round.number}"
    if not table.reported:
        raise NotNow(f"{where} is not reported yet: report it")
    if command.result is None:
        if table.table is None:
            raise NotNow(f"{where} has no opponent: expected a bye or a loss")
        if a_round.phase == "ended":
            raise NotNow(
                f"round {a_round.number} has ended: expected the right result of table {command.table}"
            )
    elif checked(table, command.result, a_round, state) == table:
        raise NotNow(f"{where} is reported like that already: {result_words(table, state.name_of)}")
    shut = closed(state, a_round.number)
    reason = command.reason
    if shut is not None:
        if not command.override:
            raise shut
        reason = desk.reason(reason, f"the record of round {a_round.number} is closed")
    fact = f.Corrected(
        round=a_round.number,
        table=command.table,
        players=table.players,
        result=command.result,
        reason=reason,
        override=shut is not None,
    )
    if state.upcoming is None or state.upcoming.number == a_round.number:
        desk.fact(fact)
    else:
        settle(desk, lambda _: [fact], command.then)
    _bracket_holds(desk.state)


def checked(table: Table, result: f.Result, a_round: RoundOf, state: State) -> Table:
    """The table with a result that it can have."""
    new = replace(table, **asdict(result))
    try:
        outcomes = seat_results(new, state.book, f"table {table.table or table.players[0]}")
    except BadInput as error:
        raise BadResult(str(error)) from None
    if not outcomes:
        raise BadResult(f"table {table.table}: expected a result")
    if a_round.stage == "elimination" and any(o.played == Played.DRAW for o in outcomes):
        raise BadResult(f"table {table.table}: an elimination round knows no draw: expected a winner")
    return new


def _bracket_holds(state: State) -> None:
    """Refuse a correction on which a later bracket round does not build any more."""
    if any(a_round.stage == "elimination" for a_round in state.rounds[: state.begun]):
        try:
            _ = course_of(state).brackets
        except (BadInput, Impossible) as error:
            raise NotNow(f"the bracket went on with that result ({error.problem}): undo back to it") from None
