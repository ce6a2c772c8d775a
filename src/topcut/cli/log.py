"""`topcut log`, `undo` and `redo`: print everything that happened, and undo steps of it."""

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
from topcut.text.messages import say

VIAS = {
    "api": say("API"),
    "command line": say("command line"),
    "desk": say("desk"),
    "hall": say("public page"),
    "phone": say("phone"),
}
"""What is said of where a step comes from."""
step_option = click.option("--step", type=int, metavar="N", help="Only this step of the log.")
preview_option = click.option("--preview", is_flag=True, help="Show what would change; change nothing.")


@click.command("log")
@click.option("--at", type=int, metavar="N", help="The event as it was after fact N.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N facts.")
@takes_event
def command(target: Target, at: int | None, last: int | None) -> None:
    """Show who did what, when and from where; undone steps are marked."""
    log = read_event(target, at).log
    lines = list(describe_log(log))[-last if last else 0 :]
    if target.as_json:
        print_json({"version": log.version, "facts": lines})
        return
    rows = []
    for line in lines:
        mark = say("undone") if line.undone else ""
        number = str(line.position) if line.position == line.step else ""
        rows.append([number, format_time(line.at), line.by, VIAS.get(line.via, line.via), mark, line.says])
    headings = [say("step"), say("at (UTC)"), say("by"), say("from"), "", say("what")]
    print_table(headings, rows, right=[0], wrap=True)
    state = log.state
    if at is not None and state.round is not None:
        print()
        shown = state.round.number
        print_line(say("{event} after fact {fact}: round {round}", event=state.name, fact=at, round=shown))
        print()
        print_round(state, state.round)


@click.command("undo")
@click.argument("count", type=click.IntRange(1), default=1)
@step_option
@preview_option
@reason_option
@takes_event
def undo_command(target: Target, count: int, step: int | None, preview: bool, reason: str) -> None:
    """Undo the last COUNT steps. Nothing is deleted: `topcut redo` redoes them."""
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
    """Redo the step that was undone last."""
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
        for change in changes or [say("nothing would change")]:
            print_line(change)
