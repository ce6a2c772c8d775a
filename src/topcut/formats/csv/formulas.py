"""Defuse cells that a spreadsheet would take for formulas: an apostrophe in front makes them text.

Excel, LibreOffice and Google Sheets compute what begins with one of `= + - @`, so that a player could be
called `=HYPERLINK(…)`. What was written so comes back as it was, and nothing else does:

    >>> defuse("=1+1"), undo_defuse("'=1+1"), undo_defuse("'t Hooft"), undo_defuse(defuse("'=1+1"))
    ("'=1+1", '=1+1', "'t Hooft", "'=1+1")
"""

import re

# Apostrophes in front count as well: of two different cells one must not look like the other defused.
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])")  # noqa: RUF001 - the wide forms are meant


def defuse(text: str) -> str:
    """Return the text as a cell that no spreadsheet computes."""
    return f"'{text}" if _FORMULA.match(text) else text


def undo_defuse(cell: str) -> str:
    """Return the text of a cell, whether or not it was defused."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell
