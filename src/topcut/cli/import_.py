"""`topcut import`: take in an event from a file, whole or half played."""

import click

from topcut.cli.options import takes_list
from topcut.cli.output import print_json, print_line, warn
from topcut.cli.running_event import Target, choose_event_id, make_context, run_in_store, takes_database
from topcut.event.commands import TakeOver
from topcut.event.state import State
from topcut.formats import log_file
from topcut.formats.paths import containing_folder, name_file_in_errors, read_bytes
from topcut.formats.registry import ListHints, read_content
from topcut.formats.takeover import make_takeover
from topcut.store import Store
from topcut.store.session import EventSession
from topcut.text.phrases import plural


@click.command("import")
@click.argument("file")
@click.option("--id", "given", metavar="ID", help="What to call it here (default: as in the file).")
@takes_list
@takes_database
def command(
    target: Target, file: str, given: str | None, rules: str | None, name: str | None, columns: str | None
) -> None:
    """Take in the event in FILE (- for standard input): a log, once its chain is checked, or an event file,
    a .tdf or a list (CSV), which is the beginning of a new log: it goes on from the round it is in.
    """
    with name_file_in_errors(file):
        raw = read_bytes(file)
        found = log_file.read_checked_log(raw)[0] if log_file.is_log(raw) else None
        said = ListHints(rules, name, columns, containing_folder(file))
        opened = read_content(raw, said) if found is None else None
        taken = make_takeover(opened, folder=containing_folder(file)) if opened else None

    async def work(store: Store) -> tuple[EventSession, list[str]]:
        if found is not None:
            return await EventSession.put(store, given or found.event, found.facts, found.private), []
        assert taken is not None
        event = await choose_event_id(store, given, taken.name)
        with name_file_in_errors(file):
            running, decision = await EventSession.create(store, event, taken, make_context(target))
        return running, [*decision.says, *decision.warnings]

    running, says = run_in_store(target, work, create=True)
    notes = [*(opened.notes if opened else ()), *says]
    if target.as_json:
        print_json({"event": running.event, "version": running.log.version, "notes": notes})
    else:
        print_line(f"{running.state.name} is here: event {running.event}, {_describe_extent(running, taken)}")
    for note in notes:
        warn(note)


def _describe_extent(running: EventSession, taken: TakeOver | None) -> str:
    """Return how much came in."""
    state = running.state
    if taken is None:
        return f"{running.log.version} facts"
    return f"{plural(len(state.players), 'player')}, {_describe_rounds(state)}"


def _describe_rounds(state: State) -> str:
    a_round = state.round
    if a_round is None:
        return "no round yet"
    if a_round.phase == "ended":
        return f"{plural(a_round.number, 'round')} played"
    waiting = f"{plural(len(a_round.missing), 'table')} open"
    return f"round {a_round.number} {'posted' if a_round.phase == 'published' else 'being played'}, {waiting}"
