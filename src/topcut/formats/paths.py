"""Read files within bounds, and name them in every mistake."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from topcut.errors import BadInput
from topcut.formats.foreign_files import is_database

LARGEST = 64 * 2**20
"""Bytes. A hundred thousand players with ten rounds fit into half of it."""


def display_path(path: str) -> str:
    """Return what people call a file."""
    return "standard input" if path == "-" else path


def containing_folder(path: str) -> Path:
    """Return the folder in which files are looked for that this one names."""
    return Path.cwd() if path == "-" else Path(path).parent


@contextmanager
def name_file_in_errors(path: str) -> Iterator[None]:
    """Give mistakes that come up inside the name of the event's file, unless they have one."""
    try:
        yield
    except BadInput as error:
        raise (error if error.file else error.in_file(display_path(path))) from None


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, or of standard input."""
    name = display_path(path)
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(path, "rb", opener=_without_waiting) as file:
                raw = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"cannot read this file: {error.strerror}", file=name) from None
    if len(raw) > LARGEST and not is_database(raw):  # of which it is said what to do with it
        raise BadInput(f"too large for an event file: expected at most {LARGEST // 2**20} MiB", file=name)
    return raw


def _without_waiting(path: str, flags: int) -> int:
    """Open a file, and a pipe even if nobody writes into it, which would keep us waiting for ever."""
    if not hasattr(os, "O_NONBLOCK"):
        return os.open(path, flags)
    found = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(found, True)  # who does write into it may take their time
    return found
