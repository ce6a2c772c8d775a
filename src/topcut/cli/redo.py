"""`topcut redo`: what was taken back counts again."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, look, on_event
from topcut.cli.undo import print_changes
from topcut.event.commands import Redo
from topcut.event.compare import differences
from topcut.event.undoing import again, redoable


@click.command("redo")
@click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
@click.option("--preview", is_flag=True, help="Say what would change, and change nothing.")
@on_event
def command(target: Target, step: int | None, preview: bool) -> None:
    """Bring back what was taken back last."""
    if preview:
        journal = look(target).journal
        steps = redoable(journal, step)
        print_changes(target, steps, differences(journal.state, again(journal, steps)))
        return
    finish(target, act(target, lambda _: Redo(step=step)))
