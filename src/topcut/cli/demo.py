"""`topcut demo`: a short tour of what there is, on examples that come with Topcut."""

from __future__ import annotations

import os
import shlex
import tomllib
from contextlib import chdir
from pathlib import Path

import click

import topcut
from topcut.errors import TopcutError

EXAMPLES = Path(topcut.__file__).parent / "examples"


@click.command("demo")
def command() -> None:
    """Show example events, explained."""
    from topcut.cli.main import invoke  # here, since the command line imports this module

    tour = tomllib.loads((EXAMPLES / "tour.toml").read_text("utf-8"))
    with chdir(EXAMPLES):
        for number, stop in enumerate(tour["stop"], start=1):
            click.secho(f"{number}. {stop['remark']}\n", bold=True)
            click.echo(f"$ {stop['command']}")
            try:
                invoke(shlex.split(stop["command"])[1:])
            except TopcutError as refused:
                click.echo(f"topcut: {refused}")
            click.echo()
    click.echo(f"The examples are in {os.path.relpath(EXAMPLES)}{os.sep}")
    click.echo("An event of your own: topcut new NAME --rules ID (docs/running.md)")
    click.echo("More: topcut --help, topcut rules, topcut rules show ID")
