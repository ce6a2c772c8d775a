"""How much room do texts need? Known exactly for letters of the program's own font, guessed for others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from unicodedata import combining, east_asian_width

from topcut.paper.press import COVERED, LEAST, letter_widths

PAPERS = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
"""Width and height in millimetres."""
EDGE = 6.0
"""Printers reach no further; where sheets are cut, it is the margin of each piece."""
POINT = 25.4 / 72
GAP = 2.0
"""What stays free in a cell beside its text."""

Cell = str | list[str]
"""What stands in a cell: a text, or several names."""
How = list[float] | bool
"""How a row is set: False as it is, or each text smaller by so much, or True if the press must measure it."""


@cache
def _widths() -> dict[str, float]:
    return letter_widths()


def ems(text: str) -> float:
    """How wide a text is, in parts of its size; letters of other fonts rather too much than too little."""
    widths = _widths()
    return sum(widths.get(letter) or _guess(letter) for letter in text)


def _guess(letter: str) -> float:
    return 0.0 if combining(letter) else 1.05 if east_asian_width(letter) in "WF" else 0.75


def scale(cell: Cell, width: float, size: float) -> float | None:
    """How much smaller a text must be for so many millimetres at so many points; None: the press must see."""
    text = cell if isinstance(cell, str) else " · ".join(cell)
    needs = ems(text) * size * POINT
    if needs <= width - GAP:
        return 1.0
    shrunk = (width - GAP) / needs
    exact = isinstance(cell, str) and COVERED.issuperset(text)
    return round(shrunk, 3) if exact and shrunk >= LEAST else None


def how(row: Sequence[Cell], widths: Sequence[float], size: float) -> How:
    """How a row is set so that nothing of it is cut off."""
    found = [scale(cell, width, size) for cell, width in zip(row, widths, strict=True)]
    if None in found:
        return True
    scales = [one for one in found if one is not None]
    return False if min(scales, default=1) == 1 else scales
