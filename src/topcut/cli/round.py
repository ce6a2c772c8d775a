"""`topcut round`: pair, look, publish, start, end."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import click

from topcut.cli.output import print_json, print_line, print_table
from topcut.cli.running_event import (
    Target,
    build_command,
    execute,
    print_executed,
    read_event,
    reason_option,
    takes_event,
)
from topcut.event import commands as c
from topcut.event.describe.name_marks import put_names_at_table
from topcut.event.describe.results import describe_result
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.lookup import find_player
from topcut.event.state import RoundClock, RoundState, State


@click.group("round")
def command() -> None:
    """The round: pair it, look at it, publish it, start it, end it."""


@command.command("pair")
@click.option("--again", is_flag=True, help="Draw a round anew that has not begun.")
@takes_event
def pair(target: Target, again: bool) -> None:
    """Draw the next round; nobody sees it before it is published."""
    state = _change_tables(target, lambda _: c.Pair(again=again))
    if not target.as_json:
        assert state.round is not None
        print()
        print_round(state, state.round)


@command.command("show")
@click.option("--round", "number", type=int, metavar="R", help="Another round than the last.")
@click.option("--missing", is_flag=True, help="Only the tables that are not reported.")
@takes_event
def show(target: Target, number: int | None, missing: bool) -> None:
    """The round as it stands."""
    state = read_event(target).state
    a_round = state.get_round(number)
    if target.as_json:
        print_json(_build_document(state, a_round))
        return
    print_line(f"{state.name}: round {a_round.number}, {a_round.phase}")
    print()
    print_round(state, a_round, missing)
    if a_round.phase == "started":
        tables = sum(len(table.players) > 1 for table in a_round.tables)
        print(f"\n{len(a_round.missing)} of {tables} tables are not reported yet")
        if a_round.clock is not None:
            print(_describe_time_left(a_round.clock))


def _describe_time_left(clock: RoundClock) -> str:
    """Return how long it takes until the last table is out of time."""
    extended = [table for table in clock.extensions if table is not None]
    seconds = clock.seconds_to_last_end(datetime.now(UTC), extended)
    if seconds is None:
        return "no time limit"
    minutes, rest = divmod(int(abs(seconds)), 60)
    stands = " (the clock stands still)" if clock.paused else ""
    return f"{minutes}:{rest:02d} {'left' if seconds >= 0 else 'over time'}{stands}"


@command.command("swap")
@click.argument("first")
@click.argument("second")
@reason_option
@takes_event
def swap(target: Target, first: str, second: str, reason: str) -> None:
    """Two players change places by hand, before the round starts."""

    def make_command(state: State) -> c.Swap:
        return c.Swap(first=find_player(state, first), second=find_player(state, second), reason=reason)

    _change_tables(target, make_command)


@command.command("edit")
@click.argument("tables", nargs=-1, required=True)
@reason_option
@takes_event
def edit(target: Target, tables: tuple[str, ...], reason: str) -> None:
    """All TABLES of the round as you want them, each as names or ids with commas: Ada,Bo Cy,Di."""

    def make_command(state: State) -> c.EditTables:
        seated = tuple(tuple(find_player(state, p) for p in table.split(",")) for table in tables)
        return c.EditTables(tables=seated, reason=reason)

    _change_tables(target, make_command)


tables_argument = click.argument("tables", nargs=-1, type=int, required=True)
minutes_option = click.option(
    "--minutes", type=int, metavar="N", help="How long it lasts (default: what the rules say)."
)
for built in (
    build_command("publish", c.Publish, "Show the round to everybody."),
    build_command("start", c.Start, "The round begins; its tables cannot change any more.", minutes_option),
    build_command("end", c.End, "The round is over, every table reported."),
    build_command(
        "confirm", c.Confirm, "The results of these TABLES were looked at a second time.", tables_argument
    ),
    build_command(
        "begin",
        c.BeginTables,
        "These TABLES play already, before the round starts: nothing changes them.",
        tables_argument,
    ),
    build_command("pause", c.Pause, "Stop the clock."),
    build_command("resume", c.Resume, "Let the clock go on."),
    build_command(
        "extend",
        c.Extend,
        "Give MINUTES more.",
        click.argument("minutes", type=int),
        click.option("--table", type=int, metavar="N", help="One table (default: everybody)."),
        reason_option,
    ),
):
    command.add_command(built)


def _change_tables(target: Target, make_command: Callable[[State], c.AnyCommand]) -> State:
    """Execute a command that changes the tables of the round, and print it; return the event after it."""
    done = execute(target, make_command)
    assert done.state.round is not None
    print_executed(target, done, round=_build_document(done.state, done.state.round))
    return done.state


def _build_document(state: State, a_round: RoundState) -> dict[str, Any]:
    """Return a round for programs."""
    return {
        "round": a_round.number,
        "stage": a_round.stage,
        "phase": a_round.phase,
        "seed": a_round.seed,
        "attempt": a_round.attempt,
        "tables": [put_names_at_table(state, table) for table in a_round.tables],
        "missing": [table.table for table in a_round.missing],
        "changed": sorted(a_round.changed, key=str),
        "confirmed": sorted(a_round.confirmed),
        "preview": find_draft_warnings(state) if a_round is state.upcoming else [],
    }


def print_round(state: State, a_round: RoundState, missing: bool = False) -> None:
    """Print the warnings of a draft and the tables of a round; `missing`: only those not reported."""
    if a_round is state.upcoming:
        for warning in find_draft_warnings(state):
            where = f"table {warning.table}: " if warning.table is not None else ""
            print_line(f"! {warning.kind}: {where}{warning.says}")
    rows = []
    for seated in a_round.missing if missing else a_round.tables:
        who = " - ".join(map(state.name_of, seated.players))
        alone = len(seated.players) == 1
        result = describe_result(seated, state.name_of) if seated.reported and not alone else ""
        mark = "new" if (seated.table or seated.players[0]) in a_round.changed else ""
        if seated.table in a_round.confirmed:
            result += " (confirmed)"
        rows.append([str(seated.table or ("loss" if seated.loss else "bye")), who, result or mark])
    print_table(["table", "players", "result"], rows, right=[0])
