"""`topcut new` and `topcut import`: make an event, or take one in from a file."""

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
from topcut.text.phrases import plural


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
    "--keep",
    "kept_months",
    type=click.IntRange(0, 1200),
    metavar="MONTHS",
    help="How long names are kept after the event.",
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
    **chosen: Any,
) -> None:
    """Make an event called NAME; the database is made too, if there is none."""
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
        print_line(f"{running.state.name} is made: event {event} ({book.title})")
        print(f"every draw comes from a secret with the SHA-256 {commitment}")
    for warning in decision.warnings:
        warn(warning)


@click.command("import")
@click.argument("file")
@click.option("--id", "given", metavar="ID", help="What to call it here (default: as in the file).")
@takes_list
@takes_database
def import_command(target: Target, file: str, given: str | None, **said: Any) -> None:
    """Take in the event in FILE (- for standard input): a log, once its chain is checked, or an event file,
    a .tdf or a list (CSV), which is the beginning of a new log: it goes on from the round it is in.
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
        extent = _describe_extent(running.state) if taken else f"{running.log.version} facts"
        print_line(f"{running.state.name} is here: event {running.event}, {extent}")
    for note in notes:
        warn(note)


def _describe_extent(state: State) -> str:
    """Return how much came in."""
    a_round, players = state.round, plural(len(state.players), "player")
    if a_round is None:
        return f"{players}, no round yet"
    if a_round.phase == "ended":
        return f"{players}, {plural(a_round.number, 'round')} played"
    stands = "posted" if a_round.phase == "published" else "being played"
    return f"{players}, round {a_round.number} {stands}, {plural(len(a_round.missing), 'table')} open"


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
            try:  # a number, true or false, a JSON object
                tree[key] = msgspec.json.decode(value)
            except msgspec.DecodeError:
                tree[key] = value
    try:
        return msgspec.convert(tree, Options)
    except msgspec.ValidationError as error:
        problem = explain_decode_error(str(error).replace(" - at `$.", " for `"))
        raise BadInput(problem, place="--option") from None
