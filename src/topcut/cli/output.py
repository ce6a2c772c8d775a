"""How answers are printed: aligned tables for people, one JSON document for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any
from unicodedata import category, east_asian_width

import click
import msgspec

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document for programs.")


def print_json(answer: Any) -> None:
    """One JSON document on standard output, and nothing else."""
    text = msgspec.json.format(msgspec.json.encode(answer), indent=2)
    sys.stdout.buffer.write(text + b"\n")


def warn(problem: str) -> None:
    """A warning for the person at the keyboard; answers are not disturbed by it."""
    print(f"topcut: warning: {one_line(problem)}", file=sys.stderr)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Columns side by side; those whose numbers are in `right` stand flush right.

    >>> print(table(["name", "points"], [["Ada", "9"], ["Grace", "12"]], right=[1]))
    name   points
    -----  ------
    Ada         9
    Grace      12
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(headings, *cells, strict=True)]
    flush = set(right)
    lines = [
        "  ".join(_pad(cell, widths[i], i in flush) for i, cell in enumerate(row)).rstrip()
        for row in (list(headings), ["-" * w for w in widths], *cells)
    ]
    return "\n".join(lines)


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
