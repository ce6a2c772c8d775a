"""`topcut export`: one event as one file."""

from __future__ import annotations

import click

from topcut.cli.output import warn, write_file
from topcut.cli.running import Target, context, look, on_event
from topcut.event.journal import Journal
from topcut.exchange import formats, log_file
from topcut.exchange.formats import FORMATS, Wish
from topcut.exchange.from_state import content
from topcut.rulebook import ids, load


@click.command("export")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to (default: standard output).")
@click.option("--as", "kind", type=click.Choice(list(FORMATS)), default="log", show_default=True)
@click.option(
    "--public",
    is_flag=True,
    help="Without names, birth years and the secret of the draws; a log keeps the labels of players apart.",
)
@click.option("--round", "number", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings.")
@on_event
def command(target: Target, output: str, kind: formats.Target, public: bool, number: int | None) -> None:
    """The whole log, which `topcut import` takes in again; or the event of this moment in another format."""
    running = look(target)
    journal = running.journal
    private = {} if public else journal.private
    log = log_file.LogFile(running.event, journal.lines, private)
    if public and kind == "log" and any(getattr(entry.fact, "apart", ()) for entry in journal.entries):
        warn(
            "the log holds the labels that keep players apart, since its draws cannot be checked without them"
        )
    if kind == "log" and target.as_json:
        write_file(log_file.document(log.event, log.facts, log.private), output, not public)
        return
    state = Journal(journal.lines, {}).state if public else journal.state
    if kind == "event" and (state.book.id not in ids() or load(state.book.id) != state.book):
        warn(f"this event plays by its own copy of {state.book.id}; other programs may read other rules")
    event = formats.found(content(log, state))
    wish = Wish(context(target), not public, number)
    for loss in formats.losses(kind, event, wish):
        warn(f"lost: {loss}")
    write_file(formats.written(kind, event, wish), output, not public)
