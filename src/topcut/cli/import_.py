"""`topcut import`: an event comes in out of a file, whole or half played."""

from __future__ import annotations

import click

from topcut.cli.options import list_options
from topcut.cli.output import print_json, visible, warn
from topcut.cli.running import Target, context, database_options, free_or_given, with_store
from topcut.event.commands import TakeOver
from topcut.event.state import State
from topcut.exchange import log_file
from topcut.exchange.files import file_bytes, folder_of, naming
from topcut.exchange.into_event import taking_over
from topcut.exchange.opened import Said, content
from topcut.rulebook.planning.words import counted
from topcut.store import Store
from topcut.store.running import Running


@click.command("import")
@click.argument("file")
@click.option("--id", "given", metavar="ID", help="What to call it here (default: as in the file).")
@list_options
@database_options
def command(
    target: Target, file: str, given: str | None, rules: str | None, name: str | None, columns: str | None
) -> None:
    """Take in the event in FILE (- for standard input): a log, once its chain is checked, or an event file,
    a .tdf or a list (CSV), which is the beginning of a new log: it goes on from the round it is in.
    """
    with naming(file):
        raw = file_bytes(file)
        found = log_file.checked(raw)[0] if log_file.is_log(raw) else None
        said = Said(rules, name, columns, folder_of(file))
        opened = content(raw, said) if found is None else None
        taken = taking_over(opened, folder=folder_of(file)) if opened else None

    async def work(store: Store) -> tuple[Running, list[str]]:
        if found is not None:
            return await Running.put(store, given or found.event, found.facts, found.private), []
        assert taken is not None
        event = await free_or_given(store, given, taken.name)
        with naming(file):
            running, decision = await Running.create(store, event, taken, context(target))
        return running, [*decision.says, *decision.warnings]

    running, says = with_store(target, work, create=True)
    notes = [*(opened.notes if opened else ()), *says]
    if target.as_json:
        print_json({"event": running.event, "version": running.journal.version, "notes": notes})
    else:
        print(visible(f"{running.state.name} is here: event {running.event}, {_extent(running, taken)}"))
    for note in notes:
        warn(note)


def _extent(running: Running, taken: TakeOver | None) -> str:
    """How much came in."""
    state = running.state
    if taken is None:
        return f"{running.journal.version} facts"
    return f"{counted(len(state.players), 'player')}, {_rounds(state)}"


def _rounds(state: State) -> str:
    a_round = state.round
    if a_round is None:
        return "no round yet"
    if a_round.phase == "ended":
        return f"{counted(a_round.number, 'round')} played"
    waiting = f"{counted(len(a_round.missing), 'table')} open"
    return f"round {a_round.number} {'posted' if a_round.phase == 'published' else 'being played'}, {waiting}"
