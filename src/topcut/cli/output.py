"""Print aligned tables for people and JSON documents for programs, and write files."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any
from unicodedata import category, east_asian_width

import click
import msgspec

from topcut.errors import BadInput
from topcut.text.message_json import write_json
from topcut.text.messages import render, say
from topcut.text.os_errors import describe_os_error

SCREEN = 120
"""Columns outside a terminal."""
NARROWEST = 40
"""Columns of the last column of a table, at least, before it wraps."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document for programs.")


def print_json(document: Any) -> None:
    """Print one JSON document, and nothing else, on standard output."""
    text = msgspec.json.format(write_json(document), indent=2)
    sys.stdout.buffer.write(text + b"\n")


def warn(problem: str) -> None:
    """Print a warning on standard error."""
    tell(say("warning: {problem}", problem=problem))


def tell(text: str) -> None:
    """Print a line on standard error, such as progress."""
    print("topcut:", join_lines(text), file=sys.stderr)


def print_line(text: str) -> None:
    """Print a text without control characters."""
    print(make_printable(text))


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = (), wrap: bool = False
) -> None:
    """Print the table that `format_table` returns."""
    print(format_table(headings, rows, right, wrap))


def write_file(raw: bytes, path: str, private: bool = False) -> None:
    """Write a file (`-`: standard output) and say so; `private`: only its owner may read it."""
    if path == "-":
        sys.stdout.buffer.write(raw)
        return
    try:
        _replace_file(raw, Path(os.path.realpath(path)), private)
    except OSError as error:
        problem = say("cannot write this file: {reason}", reason=describe_os_error(error))
        raise BadInput(problem, file=path) from None
    tell(say("wrote {path}", path=path))


def _replace_file(raw: bytes, path: Path, private: bool) -> None:
    """Write a file; what was there stays until all of it is on the disk."""
    if path.exists() and not path.is_file():  # a pipe or a device
        path.write_bytes(raw)
        return
    beside = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    try:
        beside.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(beside, flags, 0o600 if private else 0o666), "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and not private:
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def format_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = (), wrap: bool = False
) -> str:
    """Return columns side by side; those whose numbers are in `right` are flush right.

    `wrap`: the last column continues in further lines where the screen ends.

    >>> print(format_table(["name", "points"], [["Ada", "9"], ["Grace", "12"]], right=[1]))
    name   points
    -----  ------
    Ada         9
    Grace      12
    """
    headings = [make_printable(heading) for heading in headings]
    cells = [[make_printable(cell) for cell in row] for row in rows]
    if wrap:
        cells = _wrap_last_column(headings, cells)
    widths = [max(map(measure_width, column)) for column in zip(headings, *cells, strict=True)]
    flush = set(right)
    lines = [
        "  ".join(_pad(cell, widths[i], i in flush) for i, cell in enumerate(row)).rstrip()
        for row in (list(headings), ["-" * w for w in widths], *cells)
    ]
    return "\n".join(lines)


def _wrap_last_column(headings: Sequence[str], cells: list[list[str]]) -> list[list[str]]:
    """Return the rows, with lines added where the last cell would go beyond the screen."""
    others = [max(map(measure_width, column)) + 2 for column in zip(headings, *cells, strict=True)][:-1]
    screen = get_terminal_size().columns if sys.stdout.isatty() else SCREEN
    room = max(screen - sum(others), NARROWEST)
    lines = []
    for row in cells:
        first, *more = textwrap.wrap(row[-1], room) or [""]
        lines.append([*row[:-1], first])
        lines += [[*[""] * len(others), line] for line in more]
    return lines


def format_time(at: str) -> str:
    """Return a moment of the log as people read it.

    >>> format_time("2024-06-01T09:30:00.123Z")
    '2024-06-01 09:30:00'
    """
    return at[:19].replace("T", " ")


def make_printable(text: str) -> str:
    """Return the text in the language in use, without control characters that could overwrite the screen."""
    return "".join(map(_make_printable, render(text)))


def _make_printable(letter: str) -> str:
    if letter.isprintable():
        return letter
    return " " if category(letter) == "Zs" else "\N{REPLACEMENT CHARACTER}"  # such as a no-break space


def join_lines(text: str) -> str:
    """Return the text in the language in use, in one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in render(text)).split())


def measure_width(text: str) -> int:
    """Return the terminal columns that a text fills: combining marks none, wide letters two."""
    return sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, to: int, flush_right: bool) -> str:
    space = " " * (to - measure_width(text))
    return space + text if flush_right else text + space
