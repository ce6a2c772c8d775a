"""Pairings: everybody on a row of their own from A to Z (PK-57), and by table for the staff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topcut.history.alphabet import in_order
from topcut.history.model import Round, Table
from topcut.paper.choice import Choice
from topcut.paper.measures import Cell
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named, round_words
from topcut.paper.rows import PLAIN, SMALL, TWO, WALL, Column, Row, Section, listing


def pairings(occasion: Occasion, choice: Choice) -> Page:
    """A round of an event, from A to Z or by table."""
    number, a_round = occasion.round(choice.round)
    tables = choice.tables_of(occasion, number, a_round)
    two = all(len(table.players) <= 2 for table in tables)
    sheet = _ByTable if choice.by == "table" else _ByName
    columns, rows = sheet(occasion, number, a_round, two).listed(tables)
    looks = [WALL, TWO, SMALL, PLAIN] if two and choice.by == "name" else [WALL, PLAIN]
    data = listing(columns, [Section("", rows)], choice.paper, looks)
    what = "by table" if choice.by == "table" else "A–Z"
    title = f"{round_words(number, a_round)}: pairings {what}"
    return Page("rows", about(occasion, choice, title, choice.only, number) | data, named(occasion))


class _Pairings:
    """What both orders share: who has which record, and which tables are new."""

    def __init__(self, occasion: Occasion, number: int, a_round: Round, two: bool) -> None:
        self.occasion, self.number, self.two = occasion, number, two
        self.names = occasion.names
        self.scores = occasion.scores(number, a_round)
        self.new = any(occasion.is_new(number, table) for table in a_round.tables)
        first = Column("table", 11, "right", "bold")
        self.columns = [first, *([Column("", 9)] if self.new else [])]

    def found_at(self, table: Table, alone: str) -> list[Cell]:
        """The number of a table, and whether it is new."""
        where = alone if table.table is None else str(table.table)
        return [where, *(["new" if self.occasion.is_new(self.number, table) else ""] if self.new else [])]


class _ByName(_Pairings):
    def listed(self, tables: Sequence[Table]) -> tuple[list[Column], list[Row]]:
        names = [0.53, 0.47] if self.two else [0.3, 0.7]
        columns = [*self.columns, Column("player", names[0], weight="semibold")]
        columns.append(Column("opponent" if self.two else "opponents", names[1]))
        if self.scores:
            columns += [Column(self.occasion.points_word, 10, "right"), Column("record", 14)]
        rows = [row for table in tables for row in self._rows(table)]
        return columns, [row for _, row in sorted(rows, key=lambda row: in_order(row[0]))]

    def _rows(self, table: Table) -> Iterator[tuple[str, list[Cell]]]:
        """The rows of the players at a table, each with the name by which it is found."""
        where = self.found_at(table, "loss" if table.loss else "bye" if len(table.players) == 1 else "–")
        for player_id in table.players:
            against = [self.names[other] for other in table.players if other != player_id]
            shown: Cell = against[0] if len(against) == 1 else against
            record = [str(part) for part in self.scores[player_id]] if self.scores else []
            yield self.names[player_id], [*where, self.names[player_id], shown, *record]


class _ByTable(_Pairings):
    def listed(self, tables: Sequence[Table]) -> tuple[list[Column], list[Row]]:
        points = [Column(self.occasion.points_word, 11, "right")] if self.scores else []
        one = [Column("player", 0.5), *points, Column("", 5)]
        columns = [*self.columns, *([*one, *one] if self.two else [Column("players", 1)])]
        return [*columns, Column("result", 20)], [self._row(table) for table in tables]

    def _row(self, table: Table) -> list[Cell]:
        said = "loss" if table.loss else "bye" if len(table.players) == 1 else ""
        if not self.two:
            return [*self.found_at(table, "–"), [self.names[player_id] for player_id in table.players], said]
        cells: list[Cell] = []
        for player_id in table.players:
            cells += [self.names[player_id], *([str(self.scores[player_id][0])] if self.scores else []), ""]
        empty = [""] * (2 + bool(self.scores)) if len(table.players) == 1 else []
        return [*self.found_at(table, "–"), *cells, *empty, said]
