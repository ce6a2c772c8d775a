"""`topcut new` and `topcut import`: create an event, or import one from a file."""

from pathlib import Path
from typing import Any

import click
import msgspec

from topcut.cli.options import readings_option, rules_option, takes_list
from topcut.cli.output import print_json, print_line, warn
from topcut.cli.running_event import Target, choose_event_id, make_context, run_in_store, takes_database
from topcut.errors import BadInput, explain_decode_error
from topcut.event.commands import Create
from topcut.event.decide.context import Decision
from topcut.event.state import State
from topcut.formats import log_file
from topcut.formats.paths import containing_folder, name_file_in_errors, read_bytes
from topcut.formats.registry import ListHints, read_content
from topcut.formats.takeover import make_takeover
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.store import Store
from topcut.store.session import EventSession
from topcut.text.messages import count, join_messages, say


@click.command("new")
@click.argument("name")
@rules_option
@readings_option
@click.option("--id", "given", metavar="ID", help="The id of the event in commands (default: from its name).")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the event, such as rounds=5 or level=premier (repeatable).",
)
@click.option(
    "--keep",
    "kept_months",
    type=click.IntRange(0, 1200),
    metavar="MONTHS",
    help="How long to keep names after the event.",
)
@click.option(
    "--first-table", type=click.IntRange(1), default=1, metavar="N", help="The number of the first table."
)
@click.option(
    "--rehearsal",
    metavar="TEXT",
    help="Only for a rehearsal: the same TEXT gives the same draws. Omit it for a real event.",
)
@takes_database
def command(
    target: Target,
    name: str,
    rules: str,
    readings: dict[str, str],
    given: str | None,
    options: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Create an event called NAME, and the database if there is none."""
    book = load(rules, readings, Path.cwd())
    create = Create(name=name, book=freeze_book(book), options=parse_options(options), **chosen)

    async def make(store: Store) -> tuple[EventSession, Decision]:
        event = await choose_event_id(store, given, create.name)
        return await EventSession.create(store, event, create, make_context(target.by))

    running, decision = run_in_store(target, make, create=True)
    event, commitment = running.event, running.state.commitment
    if target.as_json:
        print_json({"event": event, "version": 1, "commitment": commitment, "warnings": decision.warnings})
    else:
        name = running.state.name
        print_line(say("Created {name}: event {event} ({rules})", name=name, event=event, rules=book.title))
        print_line(say("all draws come from a secret with the SHA-256 {commitment}", commitment=commitment))
    for warning in decision.warnings:
        warn(warning)


@click.command("import")
@click.argument("file")
@click.option("--id", "given", metavar="ID", help="The id of the event here (default: as in the file).")
@takes_list
@takes_database
def import_command(target: Target, file: str, given: str | None, **said: Any) -> None:
    """Import the event in FILE (- for standard input).

    FILE is a log, whose chain is checked first, or an event file, a .tdf or a list (CSV), with which a new
    log begins. The event continues from the round it is in.
    """
    with name_file_in_errors(file):
        raw = read_bytes(file)
        found = log_file.read_checked_log(raw)[0] if log_file.is_log(raw) else None
        folder = containing_folder(file)
        content = read_content(raw, ListHints(**said, folder=folder)) if found is None else None
        taken = make_takeover(content, folder=folder) if content else None

    async def work(store: Store) -> tuple[EventSession, list[str]]:
        if found is not None:
            return await EventSession.put(store, given or found.event, found.facts, found.private), []
        assert taken is not None
        event = await choose_event_id(store, given, taken.name)
        with name_file_in_errors(file):
            running, decision = await EventSession.create(store, event, taken, make_context(target.by))
        return running, [*decision.says, *decision.warnings]

    running, says = run_in_store(target, work, create=True)
    notes = [*(content.notes if content else ()), *says]
    if target.as_json:
        print_json({"event": running.event, "version": running.log.version, "notes": notes})
    else:
        facts = running.log.version
        extent = _describe_extent(running.state) if taken else count("{n} fact", "{n} facts", facts)
        name = running.state.name
        print_line(
            say("Imported {name}: event {event}, {extent}", name=name, event=running.event, extent=extent)
        )
    for note in notes:
        warn(note)


def _describe_extent(state: State) -> str:
    """Return how much was imported."""
    a_round, players = state.round, count("{n} player", "{n} players", len(state.players))
    if a_round is None:
        return join_messages(", ", [players, say("no round yet")])
    number = a_round.number
    if a_round.phase == "ended":
        return join_messages(", ", [players, count("{n} round played", "{n} rounds played", number)])
    if a_round.phase == "published":
        phase = say("round {number} published", number=number)
    else:
        phase = say("round {number} started", number=number)
    return join_messages(
        ", ", [players, phase, count("{n} table open", "{n} tables open", len(a_round.missing))]
    )


def parse_options(texts: tuple[str, ...], base: Options | None = None) -> Options:
    """Return options from texts such as `rounds=5`; nothing after the sign removes one."""
    tree: dict[str, Any] = msgspec.to_builtins(base or Options())
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or key not in Options.__struct_fields__:
            known = ", ".join(Options.__struct_fields__)
            problem = say('expected KEY=VALUE with one of {known}, not "{text}"', known=known, text=text)
            raise BadInput(problem, place="--option")
        tree.pop(key, None)
        if value:
            try:  # a number, true or false, a JSON object
                tree[key] = msgspec.json.decode(value)
            except msgspec.DecodeError:  # de,en
                tree[key] = [one.strip() for one in value.split(",")] if key == "languages" else value
    try:
        return msgspec.convert(tree, Options)
    except msgspec.ValidationError as error:
        wrong = explain_decode_error(str(error).replace(" - at `$.", " for `"))
        raise BadInput(wrong, place="--option") from None
