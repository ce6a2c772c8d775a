"""Rows under headings, in one column or two: the shape of pairings, standings and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from topcut.paper.choice import Paper
from topcut.paper.measures import PAPERS, Cell, how
from topcut.paper.press import MARGIN

GUTTER = 7.0
"""Between two columns of rows."""
HEAD = 46.0
"""What the head and the foot of a page take of its height."""
FITS, SHRUNK = 0.9, 0.8
"""A look is taken if so many of the rows fit, made smaller by so much at most."""


@dataclass(frozen=True)
class Look:
    """How large rows are, in points and millimetres, and in how many columns they stand."""

    across: int
    size: float
    height: float


WALL = Look(1, 13, 6.7)
"""For few rows, which are read from afar."""
PLAIN = Look(1, 10.5, 5.2)
TWO = Look(2, 9.5, 4.7)
SMALL = Look(2, 8.5, 4.4)


@dataclass(frozen=True)
class Column:
    """A cell of every row. `part`: millimetres at 9.5 points, or up to 1 a share of what the others leave."""

    head: str
    part: float
    side: Literal["left", "right"] = "left"
    weight: Literal["regular", "semibold", "bold"] = "regular"


@dataclass(frozen=True)
class Line:
    """A line across the rows, and what it means."""

    says: str


Row = list[Cell] | Line


@dataclass(frozen=True)
class Section:
    """Rows that begin on a page of their own."""

    title: str
    rows: Sequence[Row]


def listing(
    columns: Sequence[Column],
    sections: Sequence[Section],
    paper: Paper,
    looks: Sequence[Look],
    ruled: bool = False,
) -> dict[str, Any]:
    """What the press needs; `looks` from the best to the one that always does. `ruled`: lines to write on."""
    rows = [row for section in sections for row in section.rows if isinstance(row, list)]
    look, widths = _look(columns, rows, paper, looks)
    return {
        "across": look.across,
        "size": look.size,
        "height": look.height,
        "gutter": GUTTER,
        "widths": widths,
        "headings": [column.head for column in columns],
        "heads": how([column.head for column in columns], widths, 8),
        "sides": [column.side for column in columns],
        "weights": [column.weight for column in columns],
        "ruled": ruled,
        "sections": [
            {"title": section.title, "rows": [_set(row, widths, look.size) for row in section.rows]}
            for section in sections
        ],
    }


def _set(row: Row, widths: Sequence[float], size: float) -> dict[str, str] | list[Any]:
    return {"line": row.says} if isinstance(row, Line) else [how(row, widths, size), *row]


def _look(
    columns: Sequence[Column], rows: Sequence[list[Cell]], paper: Paper, looks: Sequence[Look]
) -> tuple[Look, list[float]]:
    """The first look that suits the rows, and the widths of its cells."""
    *better, last = looks
    for look in better:
        widths = _widths(columns, look, paper)
        page = (PAPERS[paper][1] - HEAD) / look.height
        if look is WALL and len(rows) > page:
            continue
        narrow = sum(how(row, widths, SHRUNK * look.size) is not False for row in rows)
        if narrow <= (1 - FITS) * len(rows):
            return look, widths
    return last, _widths(columns, last, paper)


def _widths(columns: Sequence[Column], look: Look, paper: Paper) -> list[float]:
    scale = look.size / 9.5
    room = (PAPERS[paper][0] - 2 * MARGIN - GUTTER * (look.across - 1)) / look.across
    rest = room - scale * sum(column.part for column in columns if column.part > 1) - 0.1
    return [round(column.part * scale if column.part > 1 else column.part * rest, 2) for column in columns]
