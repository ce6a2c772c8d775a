"""Define options that several commands share, and parse their texts."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import click

from topcut.text.messages import say

Function = Callable[..., Any]
USUAL_DATABASE = "topcut.db"
"""A file in the current folder."""


def parse_readings(_context: click.Context, _option: click.Parameter, texts: Iterable[str]) -> dict[str, str]:
    """Return `["PK-A3=b"]` as `{"PK-A3": "b"}`; the last one wins."""
    chosen = {}
    for text in texts:
        reading, equals, letter = (part.strip() for part in text.partition("="))
        if not (reading and equals and letter):
            problem = say('expected a reading and its letter, such as PK-A3=b, not "{text}"', text=text)
            raise click.BadParameter(problem)
        chosen[reading] = letter
    return chosen


def parse_numbers(_context: click.Context, _option: click.Parameter, text: str | None) -> list[int] | None:
    """Return `"20,143"` as `[20, 143]`."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch("[0-9]{1,15}", part) for part in parts):
        problem = say('expected a number, or several with commas between them, not "{text}"', text=text)
        raise click.BadParameter(problem)
    return [int(part) for part in parts]


rules_option = click.option(
    "--rules",
    required=True,
    metavar="ID",
    help="The ruleset: an id that `topcut rules` lists, or the path of a book (.toml).",
)

readings_option = click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="RULE=LETTER",
    callback=parse_readings,
    help="Interpret an unclear rule another way, such as PK-A3=b; see `topcut rules show ID` (repeatable).",
)


database_option = click.option(
    "--database",
    envvar="TOPCUT_DATABASE",
    default=USUAL_DATABASE,
    show_default=True,
    metavar="URL",
    help="A file, or postgresql://… (also in the variable TOPCUT_DATABASE).",
)

event_option = click.option("--event", metavar="ID", help="The event, if the database has several.")


def takes_list(command: Function) -> Function:
    """Add the options for what a list (CSV) does not say itself: rules, name, and what its columns mean."""
    for option in (
        click.option(
            "--columns", metavar="LIST", help="For a list: what its columns mean, if the guess is wrong."
        ),
        click.option("--name", metavar="NAME", help="For a list: the name of the event."),
        click.option("--rules", metavar="RULES", help="For a list (CSV): the ruleset."),
    ):
        command = option(command)
    return command
