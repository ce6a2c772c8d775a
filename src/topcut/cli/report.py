"""`topcut report`: what happened at a table."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, on_event
from topcut.event.commands import Report
from topcut.event.find import read_result
from topcut.event.refusals import NotNow, UnknownTable
from topcut.event.state import State
from topcut.history.model import Table


@click.command("report")
@click.argument("table", type=int)
@click.argument("result", nargs=-1, required=True)
@on_event
def command(target: Target, table: int, result: tuple[str, ...]) -> None:
    """Report TABLE: 2-1, 1-1-1, draw, id (agreed), double-loss, a winner, or scores such as 30* 12 8x."""
    done = act(
        target,
        lambda state: Report(table=table, result=read_result(result, seated(state, table, None), state)),
    )
    a_round = done.state.round
    missing = len(a_round.missing) if a_round else 0
    finish(target, done, missing=missing)
    if not target.as_json:
        print(f"{missing} to go" if missing else "that was the last one: `topcut round end`")


def seated(state: State, table: int | str, number: int | None) -> Table:
    """Who sits at a table of a round, by default the last one."""
    if not state.rounds or (number is not None and not 1 <= number <= len(state.rounds)):
        raise NotNow(f"there is no round {number or 1} yet")
    a_round = state.rounds[-1 if number is None else number - 1]
    at = a_round.at(table)
    if at is None:
        numbers = [t.table for t in a_round.tables if t.table is not None]
        there = f"{numbers[0]} to {numbers[-1]}" if numbers else "nothing but byes"
        raise UnknownTable(a_round.number, table, there)
    return a_round.tables[at]
