"""`topcut redo`: bring back steps that were taken back."""

import click

from topcut.cli.running_event import Target, read_event, run_command, takes_event
from topcut.cli.undo import print_changes
from topcut.event.commands import Redo
from topcut.event.decide.undo import find_redo_steps, try_redo
from topcut.event.differences import describe_differences


@click.command("redo")
@click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
@click.option("--preview", is_flag=True, help="Say what would change, and change nothing.")
@takes_event
def command(target: Target, step: int | None, preview: bool) -> None:
    """Bring back what was taken back last."""
    if preview:
        log = read_event(target).log
        steps = find_redo_steps(log, step)
        print_changes(target, steps, describe_differences(log.state, try_redo(log, steps)))
        return
    run_command(target, lambda _: Redo(step=step))
