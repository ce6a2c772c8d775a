"""Lay out rows under headings, in one column or two: pairings, standings and lists."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from topcut.printing.page import Paper, PrintOptions, SheetPage, build_page
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.typesetting import COVERED, LEAST, MARGIN, PAPERS, POINT, measure_text
from topcut.text.messages import render

GUTTER = 7.0
"""Millimetres between two columns of rows."""
HEAD = 46.0
"""Millimetres that the head and the foot take of a page."""
GAP = 2.0
"""Millimetres that stay free in a cell beside its text."""
FITS, SHRUNK = 0.9, 0.8
"""A style is taken if this share of the rows fits, with text shrunk to this at most."""

Cell = str | list[str]
"""A text, or several names."""
RowFit = list[float] | bool
"""False: as it is; numbers: the scale of each text; True: Typst must measure the row."""


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


def build_rows_page(
    event: PrintedEvent,
    choice: PrintOptions,
    title: str,
    columns: Sequence[SheetColumn],
    sections: Sequence[RowSection],
    styles: Sequence[RowStyle],
    lines: Iterable[str] = (),
    number: int | None = None,
    ruled: bool = False,
) -> SheetPage:
    """Return a page of rows; `styles` from the best to one that fits, `ruled`: to write on."""
    rows = [row for section in sections for row in section.rows if isinstance(row, list)]
    style, widths = _choose_style(columns, rows, choice.paper, styles)

    def set_row(row: Row) -> dict[str, str] | list[Any]:
        return {"line": row.says} if isinstance(row, RuleLine) else [_fit_row(row, widths, style.size), *row]

    data = {
        "across": style.across,
        "size": style.size,
        "height": style.height,
        "gutter": GUTTER,
        "widths": widths,
        "headings": [column.head for column in columns],
        "heads": _fit_row([column.head for column in columns], widths, 8),
        "sides": [column.side for column in columns],
        "weights": [column.weight for column in columns],
        "ruled": ruled,
        "sections": [{"title": s.title, "rows": list(map(set_row, s.rows))} for s in sections],
    }
    return build_page("rows", event, choice, title, data, lines, number)


def _choose_style(
    columns: Sequence[SheetColumn], rows: Sequence[list[Cell]], paper: Paper, styles: Sequence[RowStyle]
) -> tuple[RowStyle, list[float]]:
    """Return the first style that suits the rows, and the widths of its cells."""
    *better, last = styles
    for style in better:
        widths = _column_widths(columns, style, paper)
        page = (PAPERS[paper][1] - HEAD) / style.height
        if style is WALL and len(rows) > page:
            continue
        narrow = sum(_fit_row(row, widths, SHRUNK * style.size) is not False for row in rows)
        if narrow <= (1 - FITS) * len(rows):
            return style, widths
    return last, _column_widths(columns, last, paper)


def _column_widths(columns: Sequence[SheetColumn], style: RowStyle, paper: Paper) -> list[float]:
    scale = style.size / 9.5
    room = (PAPERS[paper][0] - 2 * MARGIN - GUTTER * (style.across - 1)) / style.across
    rest = room - scale * sum(column.part for column in columns if column.part > 1) - 0.1
    return [round(column.part * scale if column.part > 1 else column.part * rest, 2) for column in columns]


def _fit_row(row: Sequence[Cell], widths: Sequence[float], size: float) -> RowFit:
    """Return how a row is set so that nothing of it is cut off."""
    scales = []
    for cell, width in zip(row, widths, strict=True):
        scale = _fit_text(cell, width, size)
        if scale is None:
            return True
        scales.append(scale)
    return False if min(scales, default=1) == 1 else scales


def _fit_text(cell: Cell, width: float, size: float) -> float | None:
    """Return the scale at which a text fits `width` mm at `size` points; None: Typst must measure."""
    text = render(cell) if isinstance(cell, str) else " · ".join(map(render, cell))
    needs = measure_text(text) * size * POINT
    if needs <= width - GAP:
        return 1.0
    shrunk = (width - GAP) / needs
    exact = isinstance(cell, str) and COVERED.issuperset(text)
    return round(shrunk, 3) if exact and shrunk >= LEAST else None
