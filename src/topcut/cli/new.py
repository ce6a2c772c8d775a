"""`topcut new`: make an event."""

from pathlib import Path
from typing import Any

import click
import msgspec

from topcut.cli.options import readings_option, rules_option
from topcut.cli.output import print_json, print_line, warn
from topcut.cli.running_event import Target, choose_event_id, make_context, run_in_store, takes_database
from topcut.errors import BadInput, explain_decode_error
from topcut.event.commands import Create
from topcut.event.decide.context import Decision
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.store import Store
from topcut.store.session import EventSession


@click.command("new")
@click.argument("name")
@rules_option
@readings_option
@click.option("--id", "given", metavar="ID", help="What to call it in commands (default: from its name).")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the event file, such as rounds=5 or level=premier.",
)
@click.option(
    "--keep", type=click.IntRange(0, 1200), metavar="MONTHS", help="How long names are kept after the event."
)
@click.option(
    "--first-table", type=click.IntRange(1), default=1, metavar="N", help="The number of the first table."
)
@click.option(
    "--rehearsal", metavar="TEXT", help="Only to rehearse: the same TEXT gives the same draws every time."
)
@takes_database
def command(
    target: Target,
    name: str,
    rules: str,
    readings: dict[str, str],
    given: str | None,
    options: tuple[str, ...],
    keep: int | None,
    first_table: int,
    rehearsal: str | None,
) -> None:
    """Make an event called NAME; the database is made too, if there is none."""
    book = load(rules, readings, Path.cwd())
    create = Create(
        name=name,
        book=freeze_book(book),
        options=parse_options(options),
        kept_months=keep,
        first_table=first_table,
        rehearsal=rehearsal,
    )

    async def make(store: Store) -> tuple[EventSession, Decision]:
        event = await choose_event_id(store, given, create.name)
        return await EventSession.create(store, event, create, make_context(target))

    running, decision = run_in_store(target, make, create=True)
    event, commitment = running.event, running.state.commitment
    if target.as_json:
        print_json({"event": event, "version": 1, "commitment": commitment, "warnings": decision.warnings})
    else:
        print_line(f"{running.state.name} is made: event {event} ({book.title})")
        print(f"every draw comes from a secret with the SHA-256 {commitment}")
    for warning in decision.warnings:
        warn(warning)


def parse_options(texts: tuple[str, ...], base: Options | None = None) -> Options:
    """Return options from texts such as `rounds=5`; nothing after the sign removes one."""
    tree: dict[str, Any] = msgspec.to_builtins(base or Options())
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or key not in Options.__struct_fields__:
            known = ", ".join(Options.__struct_fields__)
            raise BadInput(f'"{text}": expected KEY=VALUE with one of {known}', place="--option")
        tree.pop(key, None)
        if value:
            tree[key] = _parse_value(value)
    try:
        return msgspec.convert(tree, Options)
    except msgspec.ValidationError as error:
        raise BadInput(
            explain_decode_error(str(error).replace(" - at `$.", " for `")), place="--option"
        ) from None


def _parse_value(text: str) -> Any:
    """Return a number, true or false, a JSON object, or else the text."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
