"""`topcut redo`: what was taken back counts again."""

from __future__ import annotations

import click

from topcut.cli.running import Target, act, finish, on_event
from topcut.event.commands import Redo


@click.command("redo")
@click.option("--step", type=int, metavar="N", help="One step of the log, wherever it stands.")
@on_event
def command(target: Target, step: int | None) -> None:
    """Bring back what was taken back last."""
    finish(target, act(target, lambda _: Redo(step=step)))
