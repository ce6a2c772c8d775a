"""`topcut undo`: take steps back."""

import click

from topcut.cli.output import print_json, print_line
from topcut.cli.running_event import (
    Target,
    read_event,
    reason_option,
    run_command,
    takes_event,
)
from topcut.event.commands import Undo
from topcut.event.decide.undo import find_undo_steps, try_undo
from topcut.event.differences import describe_differences


@click.command("undo")
@click.argument("count", type=click.IntRange(1), default=1)
@click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
@click.option("--preview", is_flag=True, help="Say what would change, and change nothing.")
@reason_option
@takes_event
def command(target: Target, count: int, step: int | None, preview: bool, reason: str) -> None:
    """Take the last COUNT steps back; nothing is deleted, and `topcut redo` brings them back."""
    if preview:
        log = read_event(target).log
        steps = find_undo_steps(log, step, count)
        print_changes(target, steps, describe_differences(log.state, try_undo(log, steps)))
        return
    run_command(target, lambda _: Undo(step=step, count=count, reason=reason))


def print_changes(target: Target, steps: list[int], changes: list[str]) -> None:
    """Print what undo or redo would change."""
    if target.as_json:
        print_json({"steps": steps, "changes": changes})
    else:
        for change in changes or ["nothing would change"]:
            print_line(change)
