"""What becomes of commands about results: reporting, what players say themselves, confirming."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.deciding import Desk, handle
from topcut.event.refusals import AlreadyReported, BadResult, NotAtTable, NotNow
from topcut.event.state import RoundOf, State
from topcut.event.words import result_words, said_words
from topcut.history.model import Table
from topcut.history.played import Played
from topcut.history.results import seat_results
from topcut.history.winners import quoted
from topcut.rulebook.planning.words import both


@handle.register
def on_report(command: c.Report, desk: Desk) -> None:
    a_round, table = _playing(desk, command.round, command.table, command.players)
    _unreported(desk, a_round, command.table, table, command.result)
    fact = f.Reported(round=a_round.number, table=command.table, players=table.players, result=command.result)
    desk.fact(fact)


@handle.register
def on_claim(command: c.Claim, desk: Desk) -> None:
    a_round, table = _playing(desk, command.round, command.table, command.players)
    entrant = desk.entrant(command.player)
    if command.player not in table.players:
        own = a_round.table_of(command.player) if a_round.phase != "draft" else None  # nobody knows it yet
        name, sits = entrant.player.shown_name, own.table if own else None
        raise NotAtTable(a_round.number, command.table, name, sits)
    new = _unreported(desk, a_round, command.table, table, command.result)
    number, players, name_of = a_round.number, table.players, desk.state.name_of
    claimed = f.Claimed(
        round=number, table=command.table, players=players, player=command.player, result=command.result
    )
    desk.fact(claimed)
    said = desk.state.numbered(number).claims[command.table]
    others = {player_id: result for player_id, result in said.items() if result.plain != command.result.plain}
    missing = [player_id for player_id in players if player_id not in said]
    for player_id, result in others.items():
        desk.say(f"{name_of(player_id)} says {said_words(table, result, name_of)}: the desk will look at it.")
    if others:
        return
    if missing:
        desk.say(f"Waiting for {both(map(name_of, missing))} to agree.")
        return
    desk.fact(f.Reported(round=number, table=command.table, players=players, result=command.result))
    desk.say(f"{'Both' if len(players) == 2 else 'All'} agree: {result_words(new, name_of)}.")


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


def _playing(
    desk: Desk, number: int | None, table: int, seen: tuple[str, ...] | None
) -> tuple[RoundOf, Table]:
    """A table whose result may come: of a round that is published, or one that began before that."""
    desk.running()
    a_round = desk.state.numbered(number)
    if a_round.phase == "draft" and table not in a_round.begun:
        raise NotNow(f"round {a_round.number} is not published yet")
    return a_round, desk.table(a_round, table, seen)


def _unreported(desk: Desk, a_round: RoundOf, number: int, table: Table, result: f.Result) -> Table:
    """The table with a result that it can have; refused where it has one already."""
    new = checked(table, result, a_round, desk.state)
    if table.reported:
        old, other = (result_words(t, desk.state.name_of) for t in (table, new))
        raise AlreadyReported(a_round.number, number, old, other)
    return new


def checked(table: Table, result: f.Result, a_round: RoundOf, state: State) -> Table:
    """The table with a result that it can have."""
    new = replace(table, **asdict(result))
    where = f"table {table.table}" if table.table is not None else state.name_of(table.players[0])
    try:
        outcomes = seat_results(new, state.book, where, lambda player_id: _called(state, player_id))
    except BadInput as error:
        raise BadResult(f"{where}: {error.problem}") from None
    if not outcomes:
        raise BadResult(f"{where}: expected a result")
    if a_round.stage == "elimination" and any(o.played == Played.DRAW for o in outcomes):
        raise BadResult(f"{where}: an elimination round knows no draw: expected a winner")
    return new


def _called(state: State, player: str) -> str:
    """The name of a player, or what was said in the place of one."""
    return state.name_of(player) if player in state.players else quoted(player)
