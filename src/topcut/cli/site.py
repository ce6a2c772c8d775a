"""`topcut site`: write an event as a small site for any host or file share, with JSON beside it."""

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

import click
import msgspec

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import join_lines, json_option, print_json, tell
from topcut.errors import BadInput
from topcut.formats.event_file import Event
from topcut.formats.paths import name_file_in_errors
from topcut.site.pages import MARK, write_site_files
from topcut.text.messages import count, say
from topcut.text.os_errors import describe_os_error

LONGEST = 80
"""Letters of --at, at most."""
PATIENCE = 2.0
"""Seconds between two lines of progress."""


@click.command("site")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="The folder: a new one, or one that has a site of Topcut.",
)
@click.option("--at", default="", metavar="TEXT", help="The time shown on the pages, such as Sat 14:05.")
@takes_event_or_file
@json_option
def command(source: EventSource, output: str, at: str, as_json: bool) -> None:
    """Make web pages of the event in FILE (- for standard input), or without FILE of the running event.

    There are pages for the standings, each round, each player and the bracket, and the same as JSON. Any web
    host or file share can serve them. They contain nothing that only staff may know.
    """
    if len(at) > LONGEST:
        raise BadInput(say("expected at most {number} characters", number=LONGEST), place="--at")
    event = source.event
    with name_file_in_errors(source.name):
        files = write_site(event, Path(output), at)
    if as_json:
        print_json({"files": sorted(files)})


def write_site(event: Event, folder: Path, at: str = "") -> dict[str, bytes]:
    """Write the site of an event, print that, and return its files."""
    _check_free(folder)
    files = _collect(write_site_files(event, join_lines(at)))
    try:
        replace_folder(files, folder)
    except OSError as error:
        problem = say("cannot write this site: {reason}", reason=describe_os_error(error))
        raise BadInput(problem, file=str(error.filename or folder)) from None
    path, others = str(folder / "index.html"), len(files) - 1
    tell(count("wrote {path} and {n} other file", "wrote {path} and {n} other files", others, path=path))
    return files


def _collect(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Return all files; print now and then how many there are, if a person waits at a terminal."""
    found: dict[str, bytes] = {}
    watched, last = sys.stderr.isatty(), monotonic()
    for path, content in files:
        found[path] = content
        if watched and monotonic() - last > PATIENCE:
            last = monotonic()
            tell(count("{n} file so far", "{n} files so far", len(found)))
    return found


def replace_folder(files: dict[str, bytes], folder: Path) -> None:
    """Write a site; what was in the folder stays until all files are on the disk."""
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
        elif not _swap_folders(new, folder):
            folder.rename(old)
            new.rename(folder)


def _swap_folders(one: Path, other: Path) -> bool:
    """Swap two folders, so that neither is missing at any moment; return False where that is impossible."""
    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):  # another system: they change places one after the other
        return False
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def _check_free(folder: Path) -> None:
    """Refuse a folder with files that no site of ours has put there."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    ours = _list_site_files(folder)
    if ours is None:
        raise BadInput(
            say("already exists and was not made by `topcut site`: choose a new folder"), file=str(folder)
        )
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if inside not in ours and (path.is_symlink() or not path.is_dir()):
            problem = say(
                "{path} is not part of this site: move it elsewhere, or choose a new folder", path=inside
            )
            raise BadInput(problem, file=str(folder))


def _list_site_files(folder: Path) -> set[str] | None:
    """Return the files of a site that we made; None where the folder is none."""
    try:
        index = msgspec.json.decode((folder / "index.json").read_bytes())
        return set(index["files"]) if index[MARK] == 1 else None
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return None
