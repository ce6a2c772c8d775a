"""`topcut demo`: serve the desk with example events in which players play."""

import asyncio
import tempfile
from pathlib import Path

import click

from topcut.cli.running_event import Target, get_login
from topcut.cli.serve import port_option, serve
from topcut.store import open_store


@click.command("demo")
@port_option
@click.option("--open/--no-open", "opens", default=True, help="Open a browser on it.")
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one JSON document.")
def command(port: int | None, opens: bool, as_json: bool) -> None:
    """The desk and the hall with example events, in a database that is gone afterwards."""
    from topcut.app.demo import fill, go_on

    async def make_events(database: str) -> None:
        store = await open_store(database)
        try:
            await fill(store)
        finally:
            await store.close()

    with tempfile.TemporaryDirectory(prefix="topcut-demo-", ignore_cleanup_errors=True) as folder:
        target = Target(str(Path(folder) / "demo.db"), None, get_login(), as_json)
        click.echo("making example events…", err=True)
        asyncio.run(make_events(target.database))
        serve(target, "127.0.0.1", port, "", opens, beside=go_on)
