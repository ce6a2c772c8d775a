"""`topcut convert` and `topcut export`: write an event in a format, and say what is lost."""

from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from topcut.cli.event_source import make_event_source
from topcut.cli.options import database_option, event_option, readings_option, takes_list
from topcut.cli.output import json_option, print_json, warn, write_file
from topcut.cli.running_event import Target, get_login, make_context, read_event, takes_event
from topcut.errors import BadInput
from topcut.event.event_log import EventLog
from topcut.formats import log_file
from topcut.formats.paths import containing_folder, name_file_in_errors, read_bytes
from topcut.formats.registry import (
    FORMATS,
    ExportOptions,
    FormatName,
    ListHints,
    TargetName,
    build_export,
    list_losses,
    list_web_losses,
    write_event,
)
from topcut.formats.state_snapshot import snapshot_content
from topcut.rulebook import list_ids, load
from topcut.text.phrases import plural

SITE: Literal["site"] = "site"
SUFFIXES: dict[str, FormatName] = {".json": "event", ".log": "log", ".ndjson": "log", ".tdf": "tdf"}
SHEETS: tuple[FormatName, ...] = ("players", "pairings", "standings", "results")

round_option = click.option(
    "--round", "number", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings."
)


@click.command("convert")
@click.argument("files", nargs=-1, metavar="[IN] OUT")
@database_option
@event_option
@click.option(
    "--as", "kind", type=click.Choice([*FORMATS, SITE]), help="What to write (default: as OUT is called)."
)
@click.option("--onto", metavar="FILE.tdf", help="Write back onto this file: what is not touched stays.")
@click.option("--check", is_flag=True, help="Only say what would be lost; nothing is written.")
@click.option("--strict", is_flag=True, help="Refuse where anything would be lost.")
@click.option("--public", is_flag=True, help="Without membership numbers, birth years and labels.")
@round_option
@takes_list
@readings_option
@json_option
def command(
    files: tuple[str, ...],
    database: str,
    event: str | None,
    kind: TargetName | None,
    onto: str | None,
    check: bool,
    strict: bool,
    public: bool,
    number: int | None,
    readings: dict[str, str],
    as_json: bool,
    **said: Any,
) -> None:
    """Read the event in IN (- for standard input), whatever it is written in, and write it to OUT.

    Without IN: the running event.

    \b
    log        everything that happened       tdf        a .tdf, also --onto the file it came from
    event      an event file                  site       pages for the web, into a folder
    players, pairings, standings, results     for spreadsheets (CSV)
    """
    if not 1 <= len(files) <= 2:
        raise click.UsageError(f"expected IN and OUT, or OUT alone for the running event, not {len(files)}")
    *inputs, target = files
    path = inputs[0] if inputs else None
    hints = ListHints(**said, folder=containing_folder(path or "-"))
    source = make_event_source(path, database, event, readings, hints)
    chosen = kind or _choose_kind(target)
    if chosen == SITE and target == "-":
        raise click.UsageError("a site is a folder: say which")
    if source.running:
        _refuse_mistakes(target, source.explicit)
    content = source.content
    if onto is not None:
        if chosen != "tdf":
            raise click.UsageError("--onto is for .tdf files")
        with name_file_in_errors(onto):
            from topcut.formats.tdf.tom import put_onto

            content = put_onto(content, read_bytes(onto))
    wish = ExportOptions(make_context(get_login()), not public, number)
    with name_file_in_errors(source.name):
        exported = build_export(content, readings, source.folder)
        lost = list_web_losses(exported) if chosen == SITE else list_losses(chosen, exported, wish)
    for loss in lost:
        warn(f"lost: {loss}")
    if strict and lost:
        problem = f"{plural(len(lost), 'thing')} would be lost: expected none with --strict"
        raise BadInput(problem, file=target)
    if not check:
        with name_file_in_errors(source.name):
            if chosen == SITE:
                from topcut.cli.site import write_site

                write_site(exported.event, Path(target))
            else:
                write_file(write_event(chosen, exported, wish), target, wish.private)
    if as_json and target != "-":
        written = None if check else target
        print_json({"from": content.kind, "to": chosen, "losses": lost, "written": written})


def _refuse_mistakes(target: str, explicit: bool) -> None:
    """Refuse likely mistakes: one file that exists is rather IN than OUT, and options of lists need IN."""
    context = click.get_current_context()
    for name in ("rules", "name", "columns"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for a list (CSV): expected IN and OUT")
    if not explicit and target != "-" and Path(target).is_file():
        running = "--event ID beside OUT writes the running event over it"
        raise BadInput(f"is there already: expected IN and OUT, or {running}", file=target)


def _choose_kind(target: str) -> TargetName:
    """Return what to write, as the name of the file says."""
    path = Path(target)
    if target.endswith("/") or path.is_dir():
        return SITE
    suffix = path.suffix.casefold()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if suffix == ".csv":
        return next((kind for kind in SHEETS if kind in path.stem.casefold()), "results")
    raise click.UsageError(f"what is {target} to be? Say --as {', '.join([*FORMATS, SITE])}")


@click.command("export")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to (default: standard output).")
@click.option("--as", "kind", type=click.Choice(list(FORMATS)), default="log", show_default=True)
@click.option(
    "--public",
    is_flag=True,
    help="Without names, birth years and the secret of the draws; a log keeps the labels of players apart.",
)
@round_option
@takes_event
def export_command(target: Target, output: str, kind: FormatName, public: bool, number: int | None) -> None:
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
    event = build_export(snapshot_content(log, state))
    wish = ExportOptions(make_context(target.by), not public, number)
    for loss in list_losses(kind, event, wish):
        warn(f"lost: {loss}")
    write_file(write_event(kind, event, wish), output, not public)
