"""`topcut demo`: a short tour of what there is, on examples that come with Topcut."""

from __future__ import annotations

import os
import shlex
from importlib import resources
from itertools import count

import click

from topcut.errors import TopcutError

TOUR = [
    (
        "Eleven players, four rounds; one came late, one left early. Who is ahead, and by which key?",
        "topcut standings league-night.json",
    ),
    (
        "Bruno and Goro are level on points and on opponents. Bruno asks why he is fourth:",
        'topcut standings league-night.json --explain "Bruno Keller"',
    ),
    (
        "Tables of three and four: wins first, then points, then the opponents' points.",
        "topcut standings three-at-a-table.json",
    ),
    (
        "How long is an event, and who goes on? Every published table is there.",
        "topcut plan --rules pokemon-2017 --players 143 --flights 4 --cut 16",
    ),
    ("And where rules refuse, they say so:", "topcut plan --rules pokemon-2017 --players 143 --flights 8"),
]


@click.command("demo")
def command() -> None:
    """Show example events, explained."""
    from topcut.cli.main import app  # noqa: PLC0415  the command line imports this module

    folder = os.fspath(resources.files("topcut") / "examples")  # type: ignore[call-overload]
    here = os.getcwd()
    os.chdir(folder)
    try:
        for number, (remark, line) in zip(count(1), TOUR, strict=False):
            click.echo(f"{number}. {remark}\n\n$ {line}")
            try:
                app.main(args=shlex.split(line)[1:], standalone_mode=False)
            except TopcutError as refused:
                click.echo(f"topcut: {refused}")
            click.echo()
    finally:
        os.chdir(here)
    click.echo(f"The examples are in {folder}\nMore: topcut --help, topcut rules, topcut rules show ID")
