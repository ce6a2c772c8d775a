r"""Split the bytes of a list into rows, whatever program wrote them.

    >>> sheet = read_sheet(b'\xef\xbb\xbfName;Club\r\n"Okafor; Ada";Go\r\n')
    >>> [row.cells for row in sheet.rows], sheet.delimiter
    ([('Name', 'Club'), ('Okafor; Ada', 'Go')], ';')

The delimiter is guessed from the first lines. Everything is bounded: nobody keeps a desk busy with a
million rows.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from topcut.errors import BadInput
from topcut.formats.csv.encodings import open_text
from topcut.formats.csv.headings import find_meaning
from topcut.formats.csv.workbook import read_rows
from topcut.formats.paths import is_workbook, name_line
from topcut.text.messages import number, say

MOST_ROWS = 200_000
MOST_COLUMNS = 100
MOST_LETTERS = 2_000
"""In a cell."""
LONGEST = 262_144
"""Letters of a row, more than enough for all its cells."""
HEAD_LINES = 200
HEAD_LETTERS = 65_536
DELIMITERS = "\t;|,"
"""Characters that may separate cells; where several do equally well, the first."""
_SEP = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_END = "\0"
"""A line after the last one, which a quote that is still open swallows; no other line has it."""
# Text that looks defused already gets one more apostrophe: two different cells are never written alike.
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])")  # noqa: RUF001 - the wide forms are meant
_LAST_FIRST = re.compile(r"(?:\d{1,6}[.):]\s+)?[^,;\d@]+,\s+[^\s,;\d@][^,;\d@]*")


class ListRow(NamedTuple):
    """A row that is not empty."""

    line: int
    """The line of the file on which it begins, from 1."""
    cells: tuple[str, ...]
    """Without spaces around them, and without empty ones at the end."""


class ListSheet(Struct, frozen=True):
    """The rows of a list, and how they were written."""

    rows: tuple[ListRow, ...]
    delimiter: str
    """Empty where each line is one cell, and in workbooks."""
    notes: tuple[str, ...] = ()
    """What was guessed and may be wrong, a sentence each."""

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


class _Lines:
    """The lines of a text, each of bearable length; a row of several lines is bounded too."""

    def __init__(self, text: TextIOWrapper) -> None:
        self.text = text
        self.number = 0
        self.row = 0
        """Letters since the last whole row."""

    def __iter__(self) -> Iterator[str]:
        while line := self.text.readline(LONGEST + 1):
            self.number += 1
            self.row += len(line)
            if self.row > LONGEST:
                problem = say("expected rows of at most {most} characters", most=number(LONGEST))
                raise BadInput(problem, place=name_line(self.number))
            if "\0" in line:
                problem = say("there is a NUL byte here: expected a list as text, such as CSV")
                raise BadInput(problem, place=name_line(self.number))
            yield line


def read_sheet(raw: bytes) -> ListSheet:
    """Return the rows of a list; refused with one line where it is none."""
    if is_workbook(raw):
        cells = read_rows(raw, MOST_ROWS + 1)
        if len(cells) > MOST_ROWS:
            raise _too_many()
        return ListSheet(tuple(_clean_rows(enumerate(cells, start=1))), "")
    text, letters = open_text(raw)
    if letters.name != "UTF-16" and b'"' not in raw and raw.count(b"\n") > MOST_ROWS:
        raise _too_many()  # without quotes each line is a row
    lines = _Lines(text)
    feed = iter(lines)
    head: list[str] = []
    for line in islice(feed, HEAD_LINES):
        head.append(line)
        if sum(map(len, head)) > HEAD_LETTERS:
            break
    skipped = 0
    if head and (told := _SEP.fullmatch(head[0])):
        delimiter, skipped = told[1], 1
        if delimiter == '"' or (delimiter.isspace() and delimiter != "\t"):
            problem = say("“sep=” has a character that can't separate cells: expected one such as “sep=;”")
            raise BadInput(problem, place=name_line(1))
    else:
        delimiter = guess_delimiter(head)
    lines.number = lines.row = 0

    def again() -> Iterator[str]:
        for at, line in enumerate(head, start=1):
            lines.number = at
            lines.row += len(line)
            if at > skipped:
                yield line
        yield from feed
        yield _END

    rows = tuple(_clean_rows(_split_rows(again(), lines, delimiter, skipped + 1)))
    guessed = say(
        "The encoding seems to be {encoding}. Check the special characters in names.", encoding=letters.name
    )
    return ListSheet(rows, delimiter, () if letters.sure else (guessed,))


def guess_delimiter(head: list[str]) -> str:
    r"""Return what parts the cells, over all of these lines; empty where nothing does.

    >>> guess_delimiter(["Okafor, Ada;1990\n"]), guess_delimiter(["Okafor, Ada\n", "Bell, Bo\n"])
    (';', '')
    """
    best: tuple[tuple[int, float, int], str] = ((0, 0.0, 0), "")
    for delimiter in DELIMITERS:
        try:
            rows = [row for row in _split(iter(head), delimiter) if any(row)]
        except csv.Error:
            continue
        several = [len(row) for row in rows if len(row) > 1]
        few = len(several) * 2 < len(rows)
        if not several or (few and delimiter in ",|"):  # these stand in names and titles too
            continue
        if delimiter == "," and _are_names_only(head):
            continue
        columns, count = Counter(several).most_common(1)[0]
        headings = max(sum(map(_is_heading, row)) for row in rows[:10])
        key = (headings if headings > 1 else 0, round(count / len(rows), 1), columns)
        if key > best[0]:
            best = (key, delimiter)
    return best[1]


def _are_names_only(head: list[str]) -> bool:
    """Return whether each line is a name such as "Okafor, Ada"."""
    written = [line.strip() for line in head if line.strip()]
    headed = any(map(_is_heading, written[0].split(",")))
    return not headed and all(map(_LAST_FIRST.fullmatch, written))


def _is_heading(cell: str) -> bool:
    return find_meaning(cell) is not None


def _split(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def _clean_rows(rows: Iterable[tuple[int, list[str]]]) -> Iterator[ListRow]:
    """Yield the rows that are not empty, without spaces around cells."""
    for line, cells in rows:
        found = [undo_defuse(cell).strip() for cell in cells]
        while found and not found[-1]:
            found.pop()
        if len(found) > MOST_COLUMNS:
            problem = say(
                "{found} columns: expected at most {most}", found=number(len(found)), most=MOST_COLUMNS
            )
            raise BadInput(problem, place=name_line(line))
        if too_long := next((len(cell) for cell in found if len(cell) > MOST_LETTERS), 0):
            problem = say(
                "a cell of {found} characters: expected at most {most} (is a quote left open?)",
                found=number(too_long),
                most=number(MOST_LETTERS),
            )
            raise BadInput(problem, place=name_line(line))
        if found:
            yield ListRow(line, tuple(found))


def _split_rows(
    feed: Iterator[str], lines: _Lines, delimiter: str, start: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row and the line on which it begins."""
    reader = _split(feed, delimiter) if delimiter else ([_read_single_cell(line)] for line in feed)
    other = {";": "\t", "\t": ";"}.get(delimiter, "")
    count = 0
    while True:
        try:
            cells = next(reader)
        except csv.Error:  # longer than the module takes: mostly a quote that never ends
            most = number(MOST_LETTERS)
            problem = say("a quote opens and doesn't close within {most} characters", most=most)
            raise BadInput(problem, place=name_line(start)) from None
        if cells == [_END]:
            return
        if cells and cells[-1].endswith(_END):
            raise BadInput(say("a quote opens and never closes"), place=name_line(start))
        count += 1
        if count > MOST_ROWS:
            raise _too_many()
        if len(cells) == 1 and other and other in cells[0]:
            cells = cells[0].split(other)  # pasted from two places
        yield start, cells
        lines.row, start = 0, lines.number + 1


def _too_many() -> BadInput:
    most = number(MOST_ROWS)
    return BadInput(say("more than {most} rows: expected a list of players or tables", most=most))


def _read_single_cell(line: str) -> str:
    """Return a line that is one cell; quotes belong to it unless they stand around the whole."""
    cell = line.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', ""):
        return cell[1:-1].replace('""', '"')
    return cell


def defuse(text: str) -> str:
    """Return the text as a cell that no spreadsheet computes: an apostrophe in front makes it text.

    Excel, LibreOffice and Google Sheets compute what begins with one of `= + - @`, so that a player could be
    called `=HYPERLINK(…)`. What was written so comes back as it was, and nothing else does:

    >>> defuse("=1+1"), undo_defuse("'=1+1"), undo_defuse("'t Hooft"), undo_defuse(defuse("'=1+1"))
    ("'=1+1", '=1+1', "'t Hooft", "'=1+1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def undo_defuse(cell: str) -> str:
    """Return the text of a cell, whether or not it was defused."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell
