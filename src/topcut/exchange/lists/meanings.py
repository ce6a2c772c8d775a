"""What columns can mean, and a list whose columns are known: the guess as a value that can be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from topcut.exchange.lists.headings import LEFT_OUT
from topcut.exchange.lists.sheets import Row, Sheet

Kind = Literal["players", "pairings", "standings", "results"]
Why = Literal["heading", "content", "asked", "unknown", "mixed"]
"""`mixed`: there are no headings, and each cell of the column is taken for what it looks like."""
SEATS = 4
PLAYER_MEANINGS = {
    "name": "name",
    "first": "first name",
    "last": "last name",
    "last-first": "name as “Last, First”",
    "display": "shown as",
    "id": "id",
    "member": "membership number",
    "division": "division",
    "born": "birth year",
    "apart": "kept apart",
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


class Column(Struct, frozen=True):
    """A column, and what it is taken for."""

    number: int
    heading: str
    meaning: str
    why: Why

    @property
    def words(self) -> str:
        """What it is taken for, for people."""
        if self.why == "mixed":
            return MIXED_WORDS
        if self.meaning == LEFT_OUT:
            return "left out: nobody knows what it is" if self.why == "unknown" else "left out: not needed"
        return PLAYER_MEANINGS.get(self.meaning, self.meaning)


class Guess(Struct, frozen=True):
    """What a list is taken for."""

    kind: Kind
    columns: tuple[Column, ...]
    head: int = 0
    """Rows at the top that are not part of the list: headings, and titles above them."""
    own: bool = False
    """Whether Topcut wrote it: every cell means exactly what it says."""

    @property
    def headed(self) -> bool:
        return self.head > 0

    def has(self, meaning: str) -> bool:
        return any(column.meaning == meaning for column in self.columns)

    def preview(self, rows: Sequence[Row]) -> Iterator[tuple[Column, tuple[str, ...]]]:
        """Each column with what stands in it in the first three rows."""
        first = rows[self.head : self.head + 3]
        for column in self.columns:
            yield column, tuple(at(row, column.number - 1) for row in first)


class Record(NamedTuple):
    """A row by meanings; `apart` may stand in several columns."""

    line: int
    values: dict[str, str]
    apart: tuple[str, ...]


def records(sheet: Sheet, guess: Guess) -> Iterator[Record]:
    """The rows below the headings, by what their cells mean."""
    taken = [(column.number - 1, column.meaning) for column in guess.columns if column.meaning != LEFT_OUT]
    for row in sheet.rows[guess.head :]:
        values: dict[str, str] = {}
        apart = []
        for i, meaning in taken:
            if cell := at(row, i):
                if meaning == "apart":
                    apart.append(cell)
                else:
                    values[meaning] = cell
        yield Record(row.line, values, tuple(apart))


def at(row: Row, i: int) -> str:
    """A cell, empty where the row is too short."""
    return row.cells[i] if i < len(row.cells) else ""
