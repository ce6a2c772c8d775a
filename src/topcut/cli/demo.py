"""`topcut demo`: the desk with lively example events."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import click

from topcut.cli.running import login


@click.command("demo")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="P", help="Default: 8080, or the next free one."
)
@click.option("--open/--no-open", "opens", default=True, help="Open a browser on it.")
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one JSON document.")
def command(port: int | None, opens: bool, as_json: bool) -> None:
    """The desk and the hall with example events, in a database that is gone afterwards."""
    from topcut.cli.serve import serve
    from topcut.desk.example import fill, go_on
    from topcut.store import open_store

    async def filled(database: str) -> None:
        store = await open_store(database)
        try:
            await fill(store)
        finally:
            await store.close()

    with tempfile.TemporaryDirectory(prefix="topcut-demo-", ignore_cleanup_errors=True) as folder:
        database = str(Path(folder) / "demo.db")
        click.echo("making example events…", err=True)
        asyncio.run(filled(database))
        serve(database, "127.0.0.1", port, "", login(), opens, as_json, lively=go_on)
