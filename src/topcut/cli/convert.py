"""`topcut convert`: write an event in another format, and say what is lost."""

from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

from topcut.cli.event_source import make_event_source
from topcut.cli.options import database_option, event_option, readings_option, takes_list
from topcut.cli.output import json_option, print_json, warn, write_file
from topcut.cli.running_event import get_login, make_context
from topcut.errors import BadInput
from topcut.formats.paths import containing_folder, name_file_in_errors, read_bytes
from topcut.formats.registry import (
    FORMATS,
    ExportedEvent,
    ExportOptions,
    FormatName,
    ListHints,
    build_export,
    list_losses,
    list_web_losses,
    write_event,
)
from topcut.text.phrases import plural

Site = Literal["site"]
SITE: Site = "site"
SUFFIXES: dict[str, FormatName] = {".json": "event", ".log": "log", ".ndjson": "log", ".tdf": "tdf"}
SHEETS: tuple[FormatName, ...] = ("players", "pairings", "standings", "results")


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
@click.option("--round", "number", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings.")
@takes_list
@readings_option
@json_option
def command(
    files: tuple[str, ...],
    database: str,
    event: str | None,
    kind: FormatName | Site | None,
    onto: str | None,
    check: bool,
    strict: bool,
    public: bool,
    number: int | None,
    rules: str | None,
    name: str | None,
    columns: str | None,
    readings: dict[str, str],
    as_json: bool,
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
    hints = ListHints(rules, name, columns, containing_folder(path or "-"))
    source = make_event_source(path, database, event, readings, hints)
    chosen = kind or _choose_kind(target)
    if chosen == SITE and target == "-":
        raise click.UsageError("a site is a folder: say which")
    if source.running:
        _refuse_mistakes(target, source.explicit)
    read = source.content
    if onto is not None:
        if chosen != "tdf":
            raise click.UsageError("--onto is for .tdf files")
        with name_file_in_errors(onto):
            from topcut.formats.tdf.tom import put_onto

            read = put_onto(read, read_bytes(onto))
    wish = ExportOptions(make_context(get_login()), not public, number)
    with name_file_in_errors(source.name):
        read_event = build_export(read, readings, source.folder)
        lost = list_web_losses(read_event) if chosen == SITE else list_losses(chosen, read_event, wish)
    for loss in lost:
        warn(f"lost: {loss}")
    if strict and lost:
        raise BadInput(
            f"{plural(len(lost), 'thing')} would be lost: expected none with --strict", file=target
        )
    if not check:
        with name_file_in_errors(source.name):
            _write(chosen, read_event, wish, target)
    if as_json and target != "-":
        answer = {"from": read.kind, "to": chosen, "losses": lost, "written": None if check else target}
        print_json(answer)


def _write(kind: FormatName | Site, event: ExportedEvent, wish: ExportOptions, target: str) -> None:
    if kind == SITE:
        from topcut.cli.site import write_site

        write_site(event.event, Path(target))
    else:
        write_file(write_event(kind, event, wish), target, wish.private)


def _refuse_mistakes(target: str, explicit: bool) -> None:
    """Refuse likely mistakes: one file that exists is rather IN than OUT, and options of lists need IN."""
    context = click.get_current_context()
    for name in ("rules", "name", "columns"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for a list (CSV): expected IN and OUT")
    if not explicit and target != "-" and Path(target).is_file():
        running = "--event ID beside OUT writes the running event over it"
        raise BadInput(f"is there already: expected IN and OUT, or {running}", file=target)


def _choose_kind(target: str) -> FormatName | Site:
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
