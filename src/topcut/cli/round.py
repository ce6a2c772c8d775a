"""`topcut round`: pair, show, publish, start, end."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, get_args

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
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.describe.drafts import describe_draft_round
from topcut.event.describe.name_marks import put_names_at_table
from topcut.event.describe.results import describe_result
from topcut.event.draft_warnings import DraftWarning, find_draft_warnings
from topcut.event.lookup import find_player
from topcut.event.next_steps import Step, name_step
from topcut.event.refusals import CannotPair
from topcut.event.state import RoundClock, RoundState, State
from topcut.history.model import Override
from topcut.text.messages import count, join_messages, say

PHASES = {
    "draft": say("paired, not published"),
    "published": say("published"),
    "started": say("started"),
    "ended": say("ended"),
}
"""What the phase of a round is called."""
KINDS = {
    "missing": say("missing result"),
    "announcement": say("announcement"),
    "record": say("results to check"),
    "warning": say("warning"),
    "rematch": say("rematch"),
    "pair-down": say("pair-down"),
    "cross-division": say("cross-division match"),
    "bye": say("bye"),
    "fixed table": say("fixed table"),
    "by hand": say("by hand"),
    "attempt": say("attempt"),
    "override": say("exception"),
}
"""What a warning about a draft is called, by its kind."""

STEP_COMMANDS: dict[Step, str] = {
    "pair": "topcut round pair",
    "publish": "topcut round publish",
    "start": "topcut round start",
    "report": "topcut round show --missing",
    "end": "topcut round end",
    "finish": "topcut event finish",
    "add": "topcut add NAME",
    "drop": "topcut drop PLAYER",
    "check in": "topcut player check-in",
    "draw:seats": "topcut event draw seats",
    "begin draft": "topcut event draft",
    "end draft": "topcut event draft --end",
    "allow:second-bye": 'topcut round pair --allow second-bye --reason "each player has had a bye"',
    "allow:rematch": 'topcut round pair --allow rematch --reason "only rematches are left"',
    "allow:second-bye+rematch": (
        'topcut round pair --allow second-bye --allow rematch --reason "no other pairing is left"'
    ),
    "allow:sits-out": 'topcut round pair --allow sits-out --reason "the tables do not fit"',
}
"""The command for each next step; it succeeds as it is written."""


@click.group("round")
def command() -> None:
    """Pair, show, change, publish, start and end a round."""


@command.command("pair")
@click.option("--again", is_flag=True, help="Pair a round again that has not started.")
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(get_args(Override)),
    help="What the organiser allows if the rules make a pairing impossible: a second bye, rematches,"
    " a player who sits out (repeatable); needs --reason.",
)
@click.option("--sits-out", metavar="PLAYER", help="Who sits out (default: the player who would get a bye).")
@reason_option
@takes_event
def pair(target: Target, again: bool, allow: tuple[Override, ...], sits_out: str | None, reason: str) -> None:
    """Pair the next round. Players see it when it is published."""

    def make_command(state: State) -> c.Pair:
        out = None if sits_out is None else find_player(state, sits_out)
        what = (*allow, *(("sits-out",) if out and "sits-out" not in allow else ()))
        return c.Pair(again=again, allow=what, sits_out=out, reason=reason)

    try:
        state = _change_tables(target, make_command)
    except CannotPair as refusal:
        raise _name_commands(refusal, again) from None
    if not target.as_json:
        assert state.round is not None
        print()
        print_round(state, state.round, told=("attempt", "override", "warning"))


def _name_commands(refusal: CannotPair, again: bool) -> Impossible:
    """Return the refusal of a pairing with the command of each way out."""
    says = [refusal.reason]
    for way in refusal.ways:
        step = name_step(way)
        if way.kind == "options":
            says.append(say("Type `{command}`: {consequence}", command=way.command, consequence=way.says))
        elif step is None:
            says.append(way.says)
        else:
            typed = STEP_COMMANDS[step]
            typed = typed.replace(" pair ", " pair --again ") if again else typed
            says.append(say("Type `{command}`: {consequence}", command=typed, consequence=way.says))
    return Impossible(join_messages(" ", says), rule=refusal.rule)


@command.command("show")
@click.option("--round", "number", type=int, metavar="R", help="The round (default: the last).")
@click.option("--missing", is_flag=True, help="Only tables that are not reported yet.")
@takes_event
def show(target: Target, number: int | None, missing: bool) -> None:
    """Show the tables of a round and their results."""
    state = read_event(target).state
    a_round = state.get_round(number)
    if target.as_json:
        print_json(_build_document(state, a_round))
        return
    phase = PHASES[a_round.phase]
    print_line(say("{event}: round {number}, {phase}", event=state.name, number=a_round.number, phase=phase))
    if draft := describe_draft_round(state, a_round.number):
        print_line(draft)
    print()
    print_round(state, a_round, missing)
    if a_round.phase == "started":
        tables = sum(len(table.players) > 1 for table in a_round.tables)
        print()
        print_line(
            count(
                "not reported yet: {missing} of {n} table",
                "not reported yet: {missing} of {n} tables",
                tables,
                missing=len(a_round.missing),
            )
        )
        if a_round.clock is not None:
            print_line(_describe_time_left(a_round.clock))


def _describe_time_left(clock: RoundClock) -> str:
    """Return how long it takes until the last table is out of time."""
    extended = [table for table in clock.extensions if table is not None]
    seconds = clock.seconds_to_last_end(datetime.now(UTC), extended)
    if seconds is None:
        return say("no time limit")
    minutes, rest = divmod(int(abs(seconds)), 60)
    time = f"{minutes}:{rest:02d}"
    left = say("{time} left", time=time) if seconds >= 0 else say("{time} over time", time=time)
    return say("{time_left} (the clock is paused)", time_left=left) if clock.paused else left


@command.command("swap")
@click.argument("first")
@click.argument("second")
@reason_option
@takes_event
def swap(target: Target, first: str, second: str, reason: str) -> None:
    """Swap two players by hand, before the round starts."""

    def make_command(state: State) -> c.Swap:
        return c.Swap(first=find_player(state, first), second=find_player(state, second), reason=reason)

    _change_tables(target, make_command)


@command.command("edit")
@click.argument("tables", nargs=-1, required=True)
@reason_option
@takes_event
def edit(target: Target, tables: tuple[str, ...], reason: str) -> None:
    """Set all TABLES of the round by hand. Give each as names or ids with commas: Ada,Bo Cy,Di."""

    def make_command(state: State) -> c.EditTables:
        seated = tuple(tuple(find_player(state, p) for p in table.split(",")) for table in tables)
        return c.EditTables(tables=seated, reason=reason)

    _change_tables(target, make_command)


tables_argument = click.argument("tables", nargs=-1, type=int, required=True)
minutes_option = click.option(
    "--minutes",
    type=int,
    metavar="N",
    help="The length of the round, 0 for no clock (default: what the rules say, else as the round before).",
)
for built in (
    build_command("publish", c.Publish, help="Publish the round: players can see it."),
    build_command(
        "start", c.Start, minutes_option, help="Start the round. After that its pairings cannot change."
    ),
    build_command("end", c.End, help="End the round, once all tables are reported."),
    build_command(
        "confirm", c.Confirm, tables_argument, help="Confirm the results of TABLES after a second look."
    ),
    build_command(
        "begin",
        c.BeginTables,
        tables_argument,
        help="Let TABLES begin before the round starts. Later changes to the round leave them alone.",
    ),
    build_command(
        "clock",
        c.SetClock,
        click.argument("minutes", type=int),
        help="Set the clock to MINUTES from now. This also works for a round that began without a clock.",
    ),
    build_command("pause", c.Pause, help="Pause the clock."),
    build_command("resume", c.Resume, help="Resume the clock."),
    build_command(
        "extend",
        c.Extend,
        click.argument("minutes", type=int),
        click.option("--table", type=int, metavar="N", help="Only this table (default: all tables)."),
        reason_option,
        help="Give MINUTES more.",
    ),
):
    command.add_command(built)


def _change_tables(target: Target, make_command: Callable[[State], c.AnyCommand]) -> State:
    """Execute a command that changes the tables of the round, and print it; return the event after it."""
    done = execute(target, make_command)
    state, a_round = done.state, done.state.round
    assert a_round is not None
    print_executed(target, done, round=_build_document(state, a_round))
    return state


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


def print_round(state: State, a_round: RoundState, missing: bool = False, told: Sequence[str] = ()) -> None:
    """Print the warnings of a draft and the tables of a round.

    `missing`: only the tables that are not reported; `told`: kinds of warnings that are printed already.
    """
    if a_round is state.upcoming:
        for warning in find_draft_warnings(state):
            if warning.kind in told:
                continue
            print_line(join_messages(" ", ["!", _describe_warning(warning)]))
    rows = []
    for seated in a_round.missing if missing else a_round.tables:
        who = " - ".join(map(state.name_of, seated.players))
        alone = len(seated.players) == 1
        result = describe_result(seated, state.name_of) if seated.reported and not alone else ""
        mark = say("new") if (seated.table or seated.players[0]) in a_round.changed else ""
        if seated.table in a_round.confirmed:
            result = say("{result} (confirmed)", result=result)
        number = str(seated.table) if seated.table else say("loss") if seated.loss else say("bye")
        rows.append([number, who, result or mark])
    print_table([say("table"), say("players"), say("result")], rows, right=[0])


def _describe_warning(warning: DraftWarning) -> str:
    """Return a warning with its kind, and the table it is about."""
    kind = KINDS.get(warning.kind, warning.kind)
    if warning.table is None:
        return join_messages(": ", [kind, warning.says])
    return join_messages(": ", [kind, say("table {table}", table=warning.table), warning.says])
