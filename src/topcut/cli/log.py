"""`topcut log`, `undo` and `redo`: print everything that happened, and take steps of it back."""

import click

from topcut.cli.output import format_time, print_json, print_line, print_table
from topcut.cli.round import print_round
from topcut.cli.running_event import Target, read_event, reason_option, run_command, takes_event
from topcut.event.commands import Redo, Undo
from topcut.event.decide.undo import find_redo_steps, find_undo_steps, try_redo, try_undo
from topcut.event.describe.log_sentences import describe_log
from topcut.event.differences import describe_differences
from topcut.event.event_log import EventLog
from topcut.event.state import State

step_option = click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
preview_option = click.option("--preview", is_flag=True, help="Say what would change, and change nothing.")


@click.command("log")
@click.option("--at", type=int, metavar="N", help="The event as it was after fact N.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N facts.")
@takes_event
def command(target: Target, at: int | None, last: int | None) -> None:
    """Who did what, when, and from where; what was taken back is marked."""
    log = read_event(target, at).log
    lines = list(describe_log(log))[-last if last else 0 :]
    if target.as_json:
        print_json({"version": log.version, "facts": lines})
        return
    rows = []
    for line in lines:
        mark = "taken back" if line.undone else ""
        number = str(line.position) if line.position == line.step else ""
        rows.append([number, format_time(line.at), line.by, line.via, mark, line.says])
    print_table(["step", "at (UTC)", "by", "from", "", "what"], rows, right=[0], wrap=True)
    state = log.state
    if at is not None and state.round is not None:
        print()
        print_line(f"{state.name} after fact {at}: round {state.round.number}")
        print()
        print_round(state, state.round)


@click.command("undo")
@click.argument("count", type=click.IntRange(1), default=1)
@step_option
@preview_option
@reason_option
@takes_event
def undo_command(target: Target, count: int, step: int | None, preview: bool, reason: str) -> None:
    """Take the last COUNT steps back; nothing is deleted, and `topcut redo` brings them back."""
    if preview:
        log = read_event(target).log
        steps = find_undo_steps(log, step, count)
        _print_changes(target, steps, log, try_undo(log, steps))
    else:
        run_command(target, lambda _: Undo(step=step, count=count, reason=reason))


@click.command("redo")
@step_option
@preview_option
@takes_event
def redo_command(target: Target, step: int | None, preview: bool) -> None:
    """Bring back what was taken back last."""
    if preview:
        log = read_event(target).log
        steps = find_redo_steps(log, step)
        _print_changes(target, steps, log, try_redo(log, steps))
    else:
        run_command(target, lambda _: Redo(step=step))


def _print_changes(target: Target, steps: list[int], log: EventLog, after: State) -> None:
    """Print what undo or redo would change."""
    changes = describe_differences(log.state, after)
    if target.as_json:
        print_json({"steps": steps, "changes": changes})
    else:
        for change in changes or ["nothing would change"]:
            print_line(change)
