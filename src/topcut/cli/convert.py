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
from topcut.text.messages import count, say

SITE: Literal["site"] = "site"
SUFFIXES: dict[str, FormatName] = {".json": "event", ".log": "log", ".ndjson": "log", ".tdf": "tdf"}
SHEETS: tuple[FormatName, ...] = ("players", "pairings", "standings", "results")

round_option = click.option(
    "--round", "number", type=click.IntRange(min=1), metavar="R", help="The round of pairings or standings."
)


@click.command("convert")
@click.argument("files", nargs=-1, metavar="[IN] OUT")
@database_option
@event_option
@click.option(
    "--as", "kind", type=click.Choice([*FORMATS, SITE]), help="The format (default: by the name of OUT)."
)
@click.option("--onto", metavar="FILE.tdf", help="Update this file, and keep everything else in it.")
@click.option("--check", is_flag=True, help="Only show what would be lost; write nothing.")
@click.option("--strict", is_flag=True, help="Refuse if anything would be lost.")
@click.option("--public", is_flag=True, help="Leave out membership numbers, birth years and labels.")
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
    """Read the event in IN (- for standard input), in any format, and write it to OUT.

    Without IN: the running event. What a format cannot hold is listed. The formats are:

    \b
    event      an event file
    log        everything that happened
    tdf        a .tdf, also --onto the file it came from
    site       web pages, in a folder
    players, pairings, standings, results: for spreadsheets (CSV)
    """
    if not 1 <= len(files) <= 2:
        problem = say("expected IN and OUT, or OUT alone for the running event, not {n} names", n=len(files))
        raise click.UsageError(problem)
    *inputs, target = files
    path = inputs[0] if inputs else None
    hints = ListHints(**said, folder=containing_folder(path or "-"))
    source = make_event_source(path, database, event, readings, hints)
    chosen = kind or _choose_kind(target)
    if chosen == SITE and target == "-":
        raise click.UsageError(say("a site is a folder: give its name instead of -"))
    if source.running:
        _refuse_mistakes(target, source.explicit)
    content = source.content
    if onto is not None:
        if chosen != "tdf":
            raise click.UsageError(say("--onto is for .tdf files"))
        with name_file_in_errors(onto):
            from topcut.formats.tdf.tom import put_onto

            content = put_onto(content, read_bytes(onto))
    wish = ExportOptions(make_context(get_login()), not public, number)
    with name_file_in_errors(source.name):
        exported = build_export(content, readings, source.folder)
        lost = list_web_losses(exported) if chosen == SITE else list_losses(chosen, exported, wish)
    for warning in exported.event.warnings if not strict else ():
        warn(warning)
    for loss in lost:
        warn(loss if loss in content.notes else say("lost: {loss}", loss=loss))
    if strict and lost:
        problem = count(
            "{n} thing would be lost; --strict refuses that",
            "{n} things would be lost; --strict refuses that",
            len(lost),
        )
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
            raise click.UsageError(
                say("{option} is for a list (CSV): expected IN and OUT", option=f"--{name}")
            )
    if not explicit and target != "-" and Path(target).is_file():
        problem = say("exists already: expected IN and OUT, or --event ID to replace it by the running event")
        raise BadInput(problem, file=target)


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
    choices = ", ".join([*FORMATS, SITE])
    raise click.UsageError(
        say("{file} names no format: choose one with --as ({choices})", file=target, choices=choices)
    )


@click.command("export")
@click.option("-o", "--output", default="-", metavar="FILE", help="The file (default: standard output).")
@click.option(
    "--as", "kind", type=click.Choice(list(FORMATS)), default="log", show_default=True, help="The format."
)
@click.option(
    "--public",
    is_flag=True,
    help="Leave out names, birth years and the secret of the draws; a log keeps the labels of players.",
)
@round_option
@takes_event
def export_command(target: Target, output: str, kind: FormatName, public: bool, number: int | None) -> None:
    """Export the whole log, which `topcut import` reads, or the event as it is now in another format."""
    running = read_event(target)
    event_log = running.log
    private = {} if public else event_log.private
    log = log_file.LogFile(running.event, event_log.lines, private)
    if public and kind == "log" and any(getattr(entry.fact, "apart", ()) for entry in event_log.entries):
        warn(say('The log contains the "Don\'t pair with" labels: its draws cannot be checked without them.'))
    if kind == "log" and target.as_json:
        write_file(log_file.encode_log_as_json(log.event, log.facts, log.private), output, not public)
        return
    state = EventLog(event_log.lines, {}).state if public else event_log.state
    if kind == "event" and (state.book.id not in list_ids() or load(state.book.id) != state.book):
        warn(
            say(
                "This event has its own copy of {rules}. Other programs may use other rules.",
                rules=state.book.id,
            )
        )
    event = build_export(snapshot_content(log, state))
    wish = ExportOptions(make_context(target.by), not public, number)
    for loss in list_losses(kind, event, wish):
        warn(say("lost: {loss}", loss=loss))
    write_file(write_event(kind, event, wish), output, not public)
