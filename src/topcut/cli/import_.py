"""`topcut import`: an event comes back from a file."""

from __future__ import annotations

import click

from topcut.cli.output import print_json, visible
from topcut.cli.running import Target, database_options, with_store
from topcut.exchange import log_file
from topcut.exchange.files import file_bytes, naming
from topcut.store import Store
from topcut.store.running import Running


@click.command("import")
@click.argument("file")
@click.option("--id", "given", metavar="ID", help="What to call it here (default: as in the file).")
@database_options
def command(target: Target, file: str, given: str | None) -> None:
    """Take in the log in FILE (- for standard input), once its chain is checked."""
    with naming(file):
        found = log_file.checked(file_bytes(file))

    async def work(store: Store) -> Running:
        return await Running.put(store, given or found.event, found.facts, found.private)

    running = with_store(target, work, create=True)
    if target.as_json:
        print_json({"event": running.event, "version": running.journal.version})
    else:
        facts = running.journal.version
        print(visible(f"{running.state.name} is here: event {running.event}, {facts} facts"))
