"""Describe the columns of a list: what they can mean, and what they are taken for."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from topcut.formats.csv.headings import LEFT_OUT
from topcut.formats.csv.rows import ListRow, ListSheet
from topcut.formats.registry import ListName
from topcut.history.player_fields import PLAYER_FIELDS

Why = Literal["heading", "content", "asked", "unknown", "mixed"]
"""`mixed`: there are no headings, and each cell of the column is taken for what it looks like."""
SEATS = 4
PLAYER_MEANINGS = {
    "name": "name",
    "first": "first name",
    "last": "last name",
    "last-first": "name as “Last, First”",
    "id": "id",
    **{field.name: field.label for field in PLAYER_FIELDS},
}
"""What a column of a list of players may be, and what people call it."""
NAMES = ("name", "first", "last", "last-first", "display")
"""The meanings that say what somebody is called."""
MIXED = "?"
"""Stands for a column whose cells are each taken for what they look like."""
MIXED_WORDS = "each cell as it looks"
FIELDS = ("entered", "dropped", "cut", "disqualified", "flight", "pod", "seat", "seed")
"""The others that a list which Topcut wrote may hold."""
TABLE_MEANINGS = ("round", "stage", "table", "result", "winner", "drawn", "rank", "points")
SEAT_MEANINGS = ("player", "first", "last", "id", "outcome", "score")
MEANINGS = (
    *PLAYER_MEANINGS,
    *FIELDS,
    *TABLE_MEANINGS,
    *(f"{meaning} {seat}" for seat in range(1, SEATS + 1) for meaning in SEAT_MEANINGS),
    LEFT_OUT,
)


class ListColumn(Struct, frozen=True):
    """A column, and what it is taken for."""

    number: int
    heading: str
    meaning: str
    why: Why

    @property
    def words(self) -> str:
        """Return what the column is taken for, in words."""
        if self.why == "mixed":
            return MIXED_WORDS
        if self.meaning == LEFT_OUT:
            return "left out: nobody knows what it is" if self.why == "unknown" else "left out: not needed"
        return PLAYER_MEANINGS.get(self.meaning, self.meaning)


class ColumnGuess(Struct, frozen=True):
    """What a list is taken for."""

    kind: ListName
    columns: tuple[ListColumn, ...]
    head: int = 0
    """Rows at the top that are not part of the list: headings, and titles above them."""
    own: bool = False
    """Whether Topcut wrote it: every cell means exactly what it says."""

    @property
    def headed(self) -> bool:
        return self.head > 0

    def has(self, meaning: str) -> bool:
        return any(column.meaning == meaning for column in self.columns)

    def preview(self, rows: Sequence[ListRow]) -> Iterator[tuple[ListColumn, tuple[str, ...]]]:
        """Yield each column with its cells in the first three rows."""
        first = rows[self.head : self.head + 3]
        for column in self.columns:
            yield column, tuple(cell_at(row, column.number - 1) for row in first)


class ListRecord(NamedTuple):
    """A row by meanings; `apart` may stand in several columns."""

    line: int
    values: dict[str, str]
    apart: tuple[str, ...]


def read_records(sheet: ListSheet, guess: ColumnGuess) -> Iterator[ListRecord]:
    """Yield the rows below the headings, by what their cells mean."""
    taken = [(column.number - 1, column.meaning) for column in guess.columns if column.meaning != LEFT_OUT]
    for row in sheet.rows[guess.head :]:
        values: dict[str, str] = {}
        apart = []
        for i, meaning in taken:
            if cell := cell_at(row, i):
                if meaning == "apart":
                    apart.append(cell)
                else:
                    values[meaning] = cell
        yield ListRecord(row.line, values, tuple(apart))


def cell_at(row: ListRow, i: int) -> str:
    """Return a cell, empty where the row is too short."""
    return row.cells[i] if i < len(row.cells) else ""
