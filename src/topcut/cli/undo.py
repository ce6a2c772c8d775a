"""`topcut undo`: take steps back."""

from __future__ import annotations

import click

from topcut.cli.output import print_json, visible
from topcut.cli.running import Target, act, finish, look, on_event, reason_option
from topcut.event.commands import Undo
from topcut.event.compare import differences
from topcut.event.undoing import undoable, without


@click.command("undo")
@click.argument("count", type=click.IntRange(1), default=1)
@click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
@click.option("--preview", is_flag=True, help="Say what would change, and change nothing.")
@reason_option
@on_event
def command(target: Target, count: int, step: int | None, preview: bool, reason: str) -> None:
    """Take the last COUNT steps back; nothing is deleted, and `topcut redo` brings them back."""
    if preview:
        journal = look(target).journal
        steps = undoable(journal, step, count)
        print_changes(target, steps, differences(journal.state, without(journal, steps)))
        return
    finish(target, act(target, lambda _: Undo(step=step, count=count, reason=reason)))


def print_changes(target: Target, steps: list[int], changes: list[str]) -> None:
    """What would change."""
    if target.as_json:
        print_json({"steps": steps, "changes": changes})
    else:
        for change in changes or ["nothing would change"]:
            print(visible(change))
