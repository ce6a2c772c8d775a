"""Lay out rows under headings, in one column or two: pairings, standings and lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from topcut.printing.options import Paper
from topcut.printing.text_width import PAPERS, Cell, fit_row
from topcut.printing.typesetting import MARGIN

GUTTER = 7.0
"""Millimetres between two columns of rows."""
HEAD = 46.0
"""Millimetres that the head and the foot take of a page."""
FITS, SHRUNK = 0.9, 0.8
"""A style is taken if this share of the rows fits, with text shrunk to this at most."""


@dataclass(frozen=True)
class RowStyle:
    """Columns on a page, the size of text in points and the height of a row in millimetres."""

    across: int
    size: float
    height: float


WALL = RowStyle(1, 13, 6.7)
"""For a page that is read from afar."""
PLAIN = RowStyle(1, 10.5, 5.2)
TWO = RowStyle(2, 9.5, 4.7)
SMALL = RowStyle(2, 8.5, 4.4)


@dataclass(frozen=True)
class SheetColumn:
    """A cell of every row. `part`: millimetres at 9.5 points, or up to 1 a share of what the others leave."""

    head: str
    part: float
    side: Literal["left", "right"] = "left"
    weight: Literal["regular", "semibold", "bold"] = "regular"


@dataclass(frozen=True)
class RuleLine:
    """A line across the rows, with what it means."""

    says: str


Row = list[Cell] | RuleLine


@dataclass(frozen=True)
class RowSection:
    """Rows that begin on a page of their own."""

    title: str
    rows: Sequence[Row]


def lay_out_rows(
    columns: Sequence[SheetColumn],
    sections: Sequence[RowSection],
    paper: Paper,
    looks: Sequence[RowStyle],
    ruled: bool = False,
) -> dict[str, Any]:
    """Return the data of `rows.typ`; `looks` from the best to one that fits, `ruled`: to write on."""
    rows = [row for section in sections for row in section.rows if isinstance(row, list)]
    look, widths = _choose_style(columns, rows, paper, looks)
    return {
        "across": look.across,
        "size": look.size,
        "height": look.height,
        "gutter": GUTTER,
        "widths": widths,
        "headings": [column.head for column in columns],
        "heads": fit_row([column.head for column in columns], widths, 8),
        "sides": [column.side for column in columns],
        "weights": [column.weight for column in columns],
        "ruled": ruled,
        "sections": [
            {"title": section.title, "rows": [_lay_out_row(row, widths, look.size) for row in section.rows]}
            for section in sections
        ],
    }


def _lay_out_row(row: Row, widths: Sequence[float], size: float) -> dict[str, str] | list[Any]:
    return {"line": row.says} if isinstance(row, RuleLine) else [fit_row(row, widths, size), *row]


def _choose_style(
    columns: Sequence[SheetColumn], rows: Sequence[list[Cell]], paper: Paper, looks: Sequence[RowStyle]
) -> tuple[RowStyle, list[float]]:
    """Return the first style that suits the rows, and the widths of its cells."""
    *better, last = looks
    for look in better:
        widths = _column_widths(columns, look, paper)
        page = (PAPERS[paper][1] - HEAD) / look.height
        if look is WALL and len(rows) > page:
            continue
        narrow = sum(fit_row(row, widths, SHRUNK * look.size) is not False for row in rows)
        if narrow <= (1 - FITS) * len(rows):
            return look, widths
    return last, _column_widths(columns, last, paper)


def _column_widths(columns: Sequence[SheetColumn], look: RowStyle, paper: Paper) -> list[float]:
    scale = look.size / 9.5
    room = (PAPERS[paper][0] - 2 * MARGIN - GUTTER * (look.across - 1)) / look.across
    rest = room - scale * sum(column.part for column in columns if column.part > 1) - 0.1
    return [round(column.part * scale if column.part > 1 else column.part * rest, 2) for column in columns]
