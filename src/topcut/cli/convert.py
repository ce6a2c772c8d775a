"""`topcut convert`: an event from one format into another; what would be lost is said first."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import click

from topcut.cli.options import list_options, readings_option
from topcut.cli.output import json_option, print_json, warn, write_file
from topcut.cli.running import login
from topcut.errors import BadInput
from topcut.event.deciding import Context
from topcut.exchange.files import file_bytes, folder_of, naming
from topcut.exchange.formats import FORMATS, Found, Target, Wish, found, losses, web_losses, written
from topcut.exchange.opened import Said, content
from topcut.exchange.opened import onto as written_onto
from topcut.rulebook.planning.words import counted

Site = Literal["site"]
SITE: Site = "site"
SUFFIXES: dict[str, Target] = {".json": "event", ".log": "log", ".ndjson": "log", ".tdf": "tdf"}
SHEETS: tuple[Target, ...] = ("players", "pairings", "standings", "results")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--as", "kind", type=click.Choice([*FORMATS, SITE]), help="What to write (default: as OUT is called)."
)
@click.option("--onto", metavar="FILE.tdf", help="Write back onto this file: what is not touched stays.")
@click.option("--check", is_flag=True, help="Only say what would be lost; nothing is written.")
@click.option("--strict", is_flag=True, help="Refuse where anything would be lost.")
@click.option("--public", is_flag=True, help="Without membership numbers, birth years and labels.")
@click.option("--round", type=click.IntRange(min=1), metavar="R", help="Of pairings and standings.")
@list_options
@readings_option
@json_option
def command(
    source: str,
    target: str,
    kind: Target | Site | None,
    onto: str | None,
    check: bool,
    strict: bool,
    public: bool,
    round: int | None,
    rules: str | None,
    name: str | None,
    columns: str | None,
    readings: dict[str, str],
    as_json: bool,
) -> None:
    """Read the event in IN (- for standard input), whatever it is written in, and write it to OUT.

    \b
    log        everything that happened       tdf        a .tdf, also --onto the file it came from
    event      an event file                  site       pages for the web, into a folder
    players, pairings, standings, results     for spreadsheets (CSV)
    """
    chosen = kind or _called(target)
    if chosen == SITE and target == "-":
        raise click.UsageError("a site is a folder: say which")
    with naming(source):
        read = content(file_bytes(source), Said(rules, name, columns, folder_of(source)))
    if onto is not None:
        if chosen != "tdf":
            raise click.UsageError("--onto is for .tdf files")
        with naming(onto):
            read = written_onto(read, file_bytes(onto))
    context = Context(datetime.now(UTC), login(), secrets.token_hex(32), "command line")
    wish = Wish(context, not public, round)
    with naming(source):
        event = found(read, readings, folder_of(source))
        lost = web_losses(event) if chosen == SITE else losses(chosen, event, wish)
    for loss in lost:
        warn(f"lost: {loss}")
    if strict and lost:
        raise BadInput(
            f"{counted(len(lost), 'thing')} would be lost: expected none with --strict", file=target
        )
    if not check:
        with naming(source):
            _write(chosen, event, wish, target)
    if as_json and target != "-":
        answer = {"from": read.kind, "to": chosen, "losses": lost, "written": None if check else target}
        print_json(answer)


def _write(kind: Target | Site, event: Found, wish: Wish, target: str) -> None:
    if kind == SITE:
        from topcut.cli.site import write_site

        write_site(event.event, Path(target))
    else:
        write_file(written(kind, event, wish), target)


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
