"""`topcut site`: the event as a small site for any host or file share, with JSON beside it."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

import click
import msgspec

from topcut.cli.asked import Asked, about_event
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, one_line, print_json
from topcut.errors import BadInput
from topcut.exchange.event_file import Event
from topcut.exchange.files import naming
from topcut.site.pages import MARK, written

LONGEST = 80
"""Letters of a moment."""
PATIENCE = 2.0
"""Seconds without a word."""


@click.command("site")
@about_event
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="The folder: a new one, or a site made before."
)
@click.option("--at", default="", metavar="TEXT", help="The moment that the pages name, such as Sat 14:05.")
@readings_option
@json_option
def command(asked: Asked, output: str, at: str, readings: dict[str, str], as_json: bool) -> None:
    """Write the event in FILE (- for standard input), or without FILE the running event, as a small site.

    Pages for the standings, each round, each player and the bracket, for any web host or file share, and
    the same as JSON. Nothing that only staff may know is in it.
    """
    if len(at) > LONGEST:
        raise BadInput(f"expected at most {LONGEST} letters", place="--at")
    folder = Path(output)
    opened = asked.open()
    loaded = opened.built(readings)
    with naming(opened.name):
        files = write_site(loaded, folder, at)
    if as_json:
        print_json({"files": sorted(files)})


def write_site(event: Event, folder: Path, at: str = "") -> dict[str, bytes]:
    """Write the site of an event, and say so; the files that are in it."""
    _check_free(folder)
    files = _patiently(written(event, one_line(at)))
    try:
        put(files, folder)
    except OSError as error:
        problem = f"cannot write this site: {error.strerror}"
        raise BadInput(problem, file=str(error.filename or folder)) from None
    others = f"and {len(files) - 1} other files are written"
    print(f"topcut: {one_line(str(folder / 'index.html'))} {others}", file=sys.stderr)
    return files


def _patiently(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """All of them; a person who waits at a terminal for long is told how far it is."""
    found: dict[str, bytes] = {}
    watched, last = sys.stderr.isatty(), monotonic()
    for path, content in files:
        found[path] = content
        if watched and monotonic() - last > PATIENCE:
            last = monotonic()
            print(f"topcut: {len(found)} files so far", file=sys.stderr)
    return found


def put(files: dict[str, bytes], folder: Path) -> None:
    """Write a site. Until all of it is on the disk, whatever was there stays as it is."""
    folder = Path(os.path.realpath(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
        new, old = Path(beside) / "new", Path(beside) / "old"
        for path, content in files.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).write_bytes(content)
        _check_free(folder)
        if not folder.exists():
            new.rename(folder)
        elif not _exchanged(new, folder):
            folder.rename(old)
            new.rename(folder)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places, so that neither is missing at any moment; False where that cannot be."""
    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):  # another system: they change places one after the other
        return False
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def _check_free(folder: Path) -> None:
    """Refuse a folder in which something lies that no site of ours has put there."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    ours = _files_of(folder)
    if ours is None:
        raise BadInput("is there already and is no site of ours: expected a new folder", file=str(folder))
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if inside not in ours and (path.is_symlink() or not path.is_dir()):
            raise BadInput(
                f"{one_line(inside)} is no part of this site: expected nothing else there", file=str(folder)
            )


def _files_of(folder: Path) -> set[str] | None:
    """The files of a site that we made; None where none is."""
    try:
        index = msgspec.json.decode((folder / "index.json").read_bytes())
        return set(index["files"]) if index[MARK] == 1 else None
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return None
