"""`topcut export`: one event as one file."""

from __future__ import annotations

from typing import Literal

import click

from topcut.cli.output import warn, write_file
from topcut.cli.running import Target, look, on_event
from topcut.event.journal import Journal
from topcut.exchange import log_file
from topcut.exchange.event_file import encode
from topcut.exchange.from_state import event_file
from topcut.rulebook import ids, load


@click.command("export")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to (default: standard output).")
@click.option("--as", "kind", type=click.Choice(["log", "event"]), default="log", show_default=True)
@click.option("--public", is_flag=True, help="Without names, birth years and the secret of the draws.")
@on_event
def command(target: Target, output: str, kind: Literal["log", "event"], public: bool) -> None:
    """The whole log, which `topcut import` takes in again; or the event file of this moment."""
    running = look(target)
    journal = running.journal
    if kind == "log":
        private = {} if public else journal.private
        written = log_file.document if target.as_json else log_file.written
        raw = written(running.event, journal.lines, private)
    else:
        state = Journal(journal.lines, {}).state if public else journal.state
        if state.book.id not in ids() or load(state.book.id) != state.book:
            warn(f"this event plays by its own copy of {state.book.id}; other programs may read other rules")
        raw = encode(event_file(state))
    write_file(raw, output)
