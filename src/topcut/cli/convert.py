"""`topcut convert`: an event from one format into another; what would be lost is said first."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

from topcut.cli.asked import asked, running_options
from topcut.cli.options import list_options, readings_option
from topcut.cli.output import json_option, print_json, warn, write_file
from topcut.cli.running import login
from topcut.errors import BadInput
from topcut.event.deciding import Context
from topcut.exchange.files import file_bytes, naming
from topcut.exchange.formats import FORMATS, Found, Target, Wish, found, losses, web_losses, written
from topcut.exchange.opened import Said
from topcut.exchange.opened import onto as written_onto
from topcut.rulebook.planning.words import counted

Site = Literal["site"]
SITE: Site = "site"
SUFFIXES: dict[str, Target] = {".json": "event", ".log": "log", ".ndjson": "log", ".tdf": "tdf"}
SHEETS: tuple[Target, ...] = ("players", "pairings", "standings", "results")


@click.command("convert")
@click.argument("files", nargs=-1, metavar="[IN] OUT")
@running_options
@click.option(
    "--as", "kind", type=click.Choice([*FORMATS, SITE]), help="What to write (default: as OUT is called)."
)
@click.option("--onto", metavar="FILE.tdf", help="Write back onto this file: what is not touched stays.")
@click.option("--check", is_flag=True, help="Only say what would be lost; nothing is written.")
@click.option("--strict", is_flag=True, help="Refuse where anything would be lost.")
@click.option("--public", is_flag=True, help="Without membership numbers, birth years and labels.")
@click.option("--round", "number", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings.")
@list_options
@readings_option
@json_option
def command(
    files: tuple[str, ...],
    database: str,
    event: str | None,
    kind: Target | Site | None,
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
    source = asked(inputs[0] if inputs else None, database, event)
    chosen = kind or _called(target)
    if chosen == SITE and target == "-":
        raise click.UsageError("a site is a folder: say which")
    if source.running:
        _check_meant(target, source.chosen)
    opened = source.open(Said(rules, name, columns, source.folder))
    read = opened.content
    if onto is not None:
        if chosen != "tdf":
            raise click.UsageError("--onto is for .tdf files")
        with naming(onto):
            read = written_onto(read, file_bytes(onto))
    context = Context(datetime.now(UTC), login(), secrets.token_hex(32), "command line")
    wish = Wish(context, not public, number)
    with naming(opened.name):
        read_event = found(read, readings, opened.folder)
        lost = web_losses(read_event) if chosen == SITE else losses(chosen, read_event, wish)
    for loss in lost:
        warn(f"lost: {loss}")
    if strict and lost:
        raise BadInput(
            f"{counted(len(lost), 'thing')} would be lost: expected none with --strict", file=target
        )
    if not check:
        with naming(opened.name):
            _write(chosen, read_event, wish, target)
    if as_json and target != "-":
        answer = {"from": read.kind, "to": chosen, "losses": lost, "written": None if check else target}
        print_json(answer)


def _write(kind: Target | Site, event: Found, wish: Wish, target: str) -> None:
    if kind == SITE:
        from topcut.cli.site import write_site

        write_site(event.event, Path(target))
    else:
        write_file(written(kind, event, wish), target, wish.private)


def _check_meant(target: str, chosen: bool) -> None:
    """Refuse what is likely a mistake: one file that is there is rather IN than OUT, and lists are files."""
    context = click.get_current_context()
    for name in ("rules", "name", "columns"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for a list (CSV): expected IN and OUT")
    if not chosen and target != "-" and Path(target).is_file():
        running = "--event ID beside OUT writes the running event over it"
        raise BadInput(f"is there already: expected IN and OUT, or {running}", file=target)


def _called(target: str) -> Target | Site:
    """What is to be written, as the name of the file has it."""
    path = Path(target)
    if target.endswith("/") or path.is_dir():
        return SITE
    suffix = path.suffix.casefold()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if suffix == ".csv":
        return next((kind for kind in SHEETS if kind in path.stem.casefold()), "results")
    raise click.UsageError(f"what is {target} to be? Say --as {', '.join([*FORMATS, SITE])}")
