"""Choose what to print: which round, which tables, how many on a page."""

import re
from typing import Literal

from msgspec import Struct

from topcut.errors import BadInput
from topcut.history.model import Round, Table
from topcut.printing.printed_event import Number, PrintedEvent

Paper = Literal["a4", "us-letter"]
PER_PAGE = (4, 6, 8)
SHOWN = 40
"""Letters that a page repeats of a list of tables."""
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9})?)?")


class PrintOptions(Struct, frozen=True, kw_only=True):
    """What to print of an event; each sheet uses what concerns it (`SHEET_OPTIONS`)."""

    round: int | None = None
    """None: the last."""
    after: int | None = None
    """Up to this round; None: standings to the last that is wholly reported, charts and cards to the end."""
    by: Literal["name", "table"] = "name"
    tables: str = ""
    """Only these, such as 5-20,31; empty: all."""
    changed: bool = False
    """Only tables that are not the ones first posted."""
    per_page: int = 4
    paper: Paper = "a4"
    division: str | None = None
    player: str | None = None

    def select_tables(self, event: PrintedEvent, number: int, a_round: Round) -> list[Table]:
        """Return the tables to print, in their order."""
        ranges = _parse_ranges(self.tables)
        found = [
            table
            for table in a_round.tables
            if (not self.changed or event.is_new(number, table))
            and (not ranges or _is_within(table.table, ranges))
        ]
        if not found:
            only = f" such table ({', '.join(self.only)})" if self.only else " table"
            raise BadInput(f"round {number} has no{only}")
        return found

    @property
    def only(self) -> list[str]:
        """What is printed, in words, if it is not everything."""
        new = ["only new tables"] if self.changed else []
        some = self.tables if len(self.tables) <= SHOWN else f"{self.tables[:SHOWN]}…"
        return [*new, f"only tables {some}"] if self.tables else new


def _parse_ranges(text: str) -> list[tuple[int, int]]:
    """Return the first and last table of each range.

    >>> _parse_ranges("5-20, 31, 40-")
    [(5, 20), (31, 31), (40, 1000000000)]
    """
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        match = _RANGE.fullmatch(part)
        first, last = (match[1], match[2]) if match else ("", "")
        if match is None:
            raise BadInput(f'expected tables such as 14 or 5-20,31 or 40-, not "{part}"', place="tables")
        begin = int(first)
        end = int(last) if last else begin if part == first else 10**9
        if end < begin:
            raise BadInput(f'expected the lower number first, not "{part}"', place="tables")
        found.append((begin, end))
    return found


def _is_within(table: Number | None, ranges: list[tuple[int, int]]) -> bool:
    return isinstance(table, int) and any(first <= table <= last for first, last in ranges)
