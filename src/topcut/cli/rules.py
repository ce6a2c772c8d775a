"""`topcut rules`: list the rulesets, and print what one of them says."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from topcut.cli.options import readings_option
from topcut.cli.output import format_table, json_option, make_printable, print_json, print_table
from topcut.rulebook import list_ids, load
from topcut.rulebook.loader import Parameter, ReadingChoice, list_parameters, read_book
from topcut.rulebook.model import Book
from topcut.text.messages import render, say

HEADING = ("id", "title", "edition", "status")
STATUSES = {
    "official": say("official"),
    "reconstructed": say("reconstructed"),
    "house": say("house"),
}
WIDEST = 40
"""Values wider than this push their source to the right, and not the whole column."""


@click.group("rules", invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the rulesets: id, title, edition, and whether official, reconstructed or house rules."""
    if context.invoked_subcommand is not None:
        return
    books = [load(book_id) for book_id in list_ids()]
    if as_json:
        print_json({"rules": [_heading(book, "document") for book in books]})
    else:
        rows = [[book.id, book.title, book.edition, STATUSES[book.status]] for book in books]
        print_table([say("id"), say("title"), say("edition"), say("status")], rows)


@command.command("show")
@click.argument("ruleset", metavar="ID")
@readings_option
@json_option
@click.pass_context
def show(context: click.Context, ruleset: str, readings: dict[str, str], as_json: bool) -> None:
    """Show one ruleset: every parameter with its source.

    ID is the id of a ruleset, or the path of a book (.toml).
    """
    book, found = list_parameters(read_book(ruleset, Path.cwd()), readings)
    if as_json or (context.parent and context.parent.params["as_json"]):
        print_json({**_heading(book, "document", "options"), "parameters": found})
    else:
        print("\n".join(_format_book(book, found)))


def _heading(book: Book, *more: str) -> dict[str, object]:
    return {name: getattr(book, name) for name in (*HEADING, *more)}


def _format_book(book: Book, found: list[Parameter]) -> Iterator[str]:
    fields = {"title": book.title, "edition": book.edition, "status": STATUSES[book.status]}
    yield make_printable(say("{id}: {title}, {edition} ({status})", id=book.id, **fields))
    yield make_printable(say("sources are sections of: {document}", document=book.document))
    yield make_printable(say("options of an event: {options}", options=", ".join(book.options)))
    for section, of_section in groupby(found, key=lambda parameter: parameter.section):
        yield f"\n{make_printable(section)}"
        yield from _indent(_format_section(list(of_section)))
    if any(parameter.reading for parameter in found):
        yield ""
        yield make_printable(
            say("readings: unclear rules, how they are read here, and other ways to read them")
        )
        yield from _indent(_format_readings(found))


def _format_section(found: list[Parameter]) -> Iterator[str]:
    shown = [make_printable(_format_value(parameter.value)) for parameter in found]
    names = max(len(parameter.name) for parameter in found)
    values = max((len(value) for value in shown if len(value) <= WIDEST), default=0)
    for parameter, value in zip(found, shown, strict=True):
        name, source = make_printable(parameter.name), parameter.source
        if choice := parameter.reading:
            source = say("{source}, reading {reading}", source=source, reading=f"{choice.id}={choice.chosen}")
        yield f"{name:{names}}  {value:{values}}  {make_printable(source)}"
        if _is_table(parameter.value):
            yield from _indent(_format_entries(parameter.value))


def _format_readings(found: list[Parameter]) -> Iterator[str]:
    sets: dict[str, list[str]] = {}
    choices: dict[str, ReadingChoice] = {}
    for parameter in found:
        if choice := parameter.reading:
            choices[choice.id] = choice
            sets.setdefault(choice.id, []).append(f"{parameter.section}.{parameter.name}")
    for reading, choice in sorted(choices.items(), key=lambda item: _sort_key(item[0])):
        yield f"{reading}: {make_printable(choice.asks)}"
        for letter, says in sorted({**choice.others, choice.chosen: choice.says}.items()):
            mark = "*" if letter == choice.chosen else " "
            usual = say("{text} (usual: {reason})", text=says, reason=choice.because)
            yield f"  {mark} {letter}  {make_printable(usual if letter == choice.usual else says)}"
        changed = make_printable(say("sets {parameters}", parameters=", ".join(sets[reading])))
        yield f"    {changed}"


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _format_entries(entries: list[dict[str, Any]]) -> Iterator[str]:
    """Yield like entries below each other, such as the rows of a round table."""
    columns = list(dict.fromkeys(name for entry in entries for name in entry))
    rows = [[_format_value(entry[name]) if name in entry else "-" for name in columns] for entry in entries]
    yield from format_table(columns, rows).splitlines()


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return render(say("yes") if value else say("no"))
    if _is_table(value):
        return render(say("below"))
    if isinstance(value, list):
        return ", ".join(map(_format_value, value)) or render(say("none"))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_format_value(inner)}" for name, inner in value.items())
    return str(value)


def _indent(lines: Iterator[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines)


def _sort_key(reading: str) -> tuple[str, int, str]:
    """Return a key that sorts PK-A3 before PK-A12."""
    letters = reading.rstrip("0123456789")
    return letters, int(reading[len(letters) :] or 0), reading
