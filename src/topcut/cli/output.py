"""How answers are printed: aligned tables for people, one JSON document for programs."""

from __future__ import annotations

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

SCREEN = 120
"""Columns where nobody looks at a screen."""
NARROWEST = 40

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document for programs.")


def print_json(answer: Any) -> None:
    """One JSON document on standard output, and nothing else."""
    text = msgspec.json.format(msgspec.json.encode(answer), indent=2)
    sys.stdout.buffer.write(text + b"\n")


def warn(problem: str) -> None:
    """A warning for the person at the keyboard; answers are not disturbed by it."""
    print(f"topcut: warning: {one_line(problem)}", file=sys.stderr)


def write_file(raw: bytes, path: str, private: bool = False) -> None:
    """Write an answer into a file, and say so; `-` is standard output.

    `private`: only its owner may read it, also where it takes the place of a file that others could read.
    """
    if path == "-":
        sys.stdout.buffer.write(raw)
        return
    try:
        _put(raw, Path(os.path.realpath(path)), private)
    except OSError as error:
        raise BadInput(f"cannot write this file: {error.strerror}", file=path) from None
    print(f"topcut: {one_line(path)} is written", file=sys.stderr)


def _put(raw: bytes, path: Path, private: bool) -> None:
    """Write a file whole: what was there stays until all of it is on the disk."""
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


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = (), wrap: bool = False
) -> str:
    """Columns side by side; those whose numbers are in `right` stand flush right.

    `wrap`: the last column goes on in further lines where a screen ends.

    >>> print(table(["name", "points"], [["Ada", "9"], ["Grace", "12"]], right=[1]))
    name   points
    -----  ------
    Ada         9
    Grace      12
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    if wrap:
        cells = _wrapped(headings, cells)
    widths = [max(map(width, column)) for column in zip(headings, *cells, strict=True)]
    flush = set(right)
    lines = [
        "  ".join(_pad(cell, widths[i], i in flush) for i, cell in enumerate(row)).rstrip()
        for row in (list(headings), ["-" * w for w in widths], *cells)
    ]
    return "\n".join(lines)


def _wrapped(headings: Sequence[str], cells: list[list[str]]) -> list[list[str]]:
    """The rows with lines added where the last cell would go beyond the screen."""
    others = [max(map(width, column)) + 2 for column in zip(headings, *cells, strict=True)][:-1]
    screen = get_terminal_size().columns if sys.stdout.isatty() else SCREEN
    room = max(screen - sum(others), NARROWEST)
    lines = []
    for row in cells:
        first, *more = textwrap.wrap(row[-1], room) or [""]
        lines.append([*row[:-1], first])
        lines += [[*[""] * len(others), line] for line in more]
    return lines


def visible(text: str) -> str:
    """The text without control characters, which could overwrite what stands on the screen."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def one_line(text: str) -> str:
    """The text in one line, whatever was in it."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def width(text: str) -> int:
    """How many columns of a terminal a text fills: marks on other letters none, wide letters two."""
    return sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, to: int, flush_right: bool) -> str:
    space = " " * (to - width(text))
    return space + text if flush_right else text + space
