"""Measure texts: exactly for letters of the program's own font, by a guess for others."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from topcut.printing.typesetting import COVERED, LEAST, measure_letters

PAPERS = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
"""Width and height in millimetres."""
EDGE = 6.0
"""Millimetres at the edge that printers do not reach; the margin of each piece that is cut."""
POINT = 25.4 / 72
GAP = 2.0
"""Millimetres that stay free in a cell beside its text."""

Cell = str | list[str]
"""A text, or several names."""
RowFit = list[float] | bool
"""False: as it is; numbers: the scale of each text; True: Typst must measure the row."""


def measure_text(text: str) -> float:
    """Return the width of a text in parts of its size; for other fonts rather too much than too little."""
    widths = measure_letters()
    return sum(widths.get(letter) or _guess(letter) for letter in text)


def _guess(letter: str) -> float:
    return 0.0 if combining(letter) else 1.05 if east_asian_width(letter) in "WF" else 0.75


def fit_text(cell: Cell, width: float, size: float) -> float | None:
    """Return the scale at which a text fits `width` mm at `size` points; None: Typst must measure."""
    text = cell if isinstance(cell, str) else " · ".join(cell)
    needs = measure_text(text) * size * POINT
    if needs <= width - GAP:
        return 1.0
    shrunk = (width - GAP) / needs
    exact = isinstance(cell, str) and COVERED.issuperset(text)
    return round(shrunk, 3) if exact and shrunk >= LEAST else None


def fit_row(row: Sequence[Cell], widths: Sequence[float], size: float) -> RowFit:
    """Return how a row is set so that nothing of it is cut off."""
    found = [fit_text(cell, width, size) for cell, width in zip(row, widths, strict=True)]
    if None in found:
        return True
    scales = [one for one in found if one is not None]
    return False if min(scales, default=1) == 1 else scales
