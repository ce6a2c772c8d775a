"""What becomes of commands about results: reporting and confirming."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.deciding import Desk, handle
from topcut.event.refusals import AlreadyReported, BadResult, NotNow
from topcut.event.state import RoundOf, State
from topcut.event.words import result_words
from topcut.history.model import Table
from topcut.history.played import Played
from topcut.history.results import seat_results


@handle.register
def on_report(command: c.Report, desk: Desk) -> None:
    desk.running()
    a_round = desk.state.numbered(command.round)
    if a_round.phase == "draft" and command.table not in a_round.begun:
        raise NotNow(f"round {a_round.number} is not published yet")
    table = desk.table(a_round, command.table, command.players)
    new = checked(table, command.result, a_round, desk.state)
    if table.reported:
        old, other = (result_words(t, desk.state.name_of) for t in (table, new))
        raise AlreadyReported(a_round.number, command.table, old, other)
    fact = f.Reported(round=a_round.number, table=command.table, players=table.players, result=command.result)
    desk.fact(fact)


@handle.register
def on_confirm(command: c.Confirm, desk: Desk) -> None:
    desk.running()
    a_round = desk.state.numbered(command.round)
    if not command.tables:
        raise BadInput("expected the number of a table", place="tables")
    seated = [a_round.table_at(table) for table in command.tables]
    for table in seated:
        if not table.reported:
            raise NotNow(f"table {table.table} of round {a_round.number} is not reported yet")
    players = tuple(table.players for table in seated)
    desk.fact(f.Confirmed(round=a_round.number, tables=command.tables, players=players))


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
