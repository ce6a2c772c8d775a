"""Is this a numbered list, or one with bullets? Then the marks are no part of the names."""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec.structs import replace

from topcut.exchange.lists import content
from topcut.exchange.lists.meanings import Guess
from topcut.exchange.lists.sheets import Row, Sheet

_MARK = re.compile(r"\s*(?:(\d{1,6})\s*([.):]?)|[-–—•*·▪◦‣●○]|\[[ xX]?\]|[☐☑])\s+(?=\S)")


def without_marks(sheet: Sheet, guess: Guess) -> tuple[Sheet, Guess]:
    """The sheet without "1." and bullets in front of names, where most lines have them below no heading."""
    if guess.headed:
        return sheet, guess
    named = bool(guess.columns) and guess.columns[0].meaning in ("name", "last-first", "first", "last")
    firsts = [row.cells[0] for row in sheet.rows]
    marks = [found for cell in firsts if (found := _MARK.match(cell))]
    if not named or len(marks) * 2 < len(firsts) or not _counts(marks):
        return sheet, guess
    rows = tuple(Row(row.line, (_MARK.sub("", row.cells[0], count=1), *row.cells[1:])) for row in sheet.rows)
    cells = [row.cells[0] for row in rows]
    back = guess.columns[0].meaning == "name" and content.mostly(cells, content.turned)
    columns = [replace(c, meaning="last-first") if back and c.number == 1 else c for c in guess.columns]
    return replace(sheet, rows=rows), replace(guess, columns=tuple(columns))


def _counts(marks: list[re.Match[str]]) -> bool:
    """Whether the numbers among these marks count lines: people may be called "7 Seas"."""
    numbers = [int(found[1]) for found in marks if found[1]]
    if all(found[2] for found in marks if found[1]):
        return all(after > before for before, after in pairwise(numbers))
    return numbers == list(range(1, len(numbers) + 1))
