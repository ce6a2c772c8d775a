"""`topcut correct`: correct a result."""

import click

from topcut.cli.running_event import (
    Target,
    override_option,
    reason_option,
    run_command,
    takes_event,
    then_option,
)
from topcut.event.commands import Correct, Then
from topcut.event.lookup import read_result
from topcut.event.state import State


@click.command("correct")
@click.argument("table")
@click.argument("result", nargs=-1, required=True)
@click.option("--round", "number", type=int, metavar="R", help="Another round than the last.")
@reason_option
@override_option
@then_option
@takes_event
def command(
    target: Target,
    table: str,
    result: tuple[str, ...],
    number: int | None,
    reason: str,
    override: bool,
    then: Then | None,
) -> None:
    """Correct TABLE; `none` alone takes its result away, behind scores it says that nobody won.

    With the id of a player who sits alone: bye or loss.
    """
    key = int(table) if table.isdecimal() and len(table) < 10 else table

    def make_command(state: State) -> Correct:
        there = state.get_round(number).get_table(key)
        new = None if result == ("none",) else read_result(result, there, state)
        return Correct(
            table=key,
            result=new,
            round=number or len(state.rounds),
            players=there.players,
            reason=reason,
            override=override,
            then=then,
        )

    run_command(target, make_command)
