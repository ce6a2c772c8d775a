"""`topcut export`: write an event as one file."""

import click

from topcut.cli.output import warn, write_file
from topcut.cli.running_event import Target, make_context, read_event, takes_event
from topcut.event.event_log import EventLog
from topcut.formats import log_file, registry
from topcut.formats.registry import FORMATS, ExportOptions
from topcut.formats.state_snapshot import snapshot_content
from topcut.rulebook import list_ids, load


@click.command("export")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to (default: standard output).")
@click.option("--as", "kind", type=click.Choice(list(FORMATS)), default="log", show_default=True)
@click.option(
    "--public",
    is_flag=True,
    help="Without names, birth years and the secret of the draws; a log keeps the labels of players apart.",
)
@click.option("--round", "number", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings.")
@takes_event
def command(target: Target, output: str, kind: registry.FormatName, public: bool, number: int | None) -> None:
    """The whole log, which `topcut import` takes in again; or the event of this moment in another format."""
    running = read_event(target)
    event_log = running.log
    private = {} if public else event_log.private
    log = log_file.LogFile(running.event, event_log.lines, private)
    if public and kind == "log" and any(getattr(entry.fact, "apart", ()) for entry in event_log.entries):
        warn(
            "the log holds the labels that keep players apart, since its draws cannot be checked without them"
        )
    if kind == "log" and target.as_json:
        write_file(log_file.encode_log_as_json(log.event, log.facts, log.private), output, not public)
        return
    state = EventLog(event_log.lines, {}).state if public else event_log.state
    if kind == "event" and (state.book.id not in list_ids() or load(state.book.id) != state.book):
        warn(f"this event plays by its own copy of {state.book.id}; other programs may read other rules")
    event = registry.build_export(snapshot_content(log, state))
    wish = ExportOptions(make_context(target.by), not public, number)
    for loss in registry.list_losses(kind, event, wish):
        warn(f"lost: {loss}")
    write_file(registry.write_event(kind, event, wish), output, not public)
