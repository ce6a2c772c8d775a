"""Pairings: everybody on a row of their own from A to Z (PK-57), and by table for the staff."""

from __future__ import annotations

from topcut.history.alphabet import in_order
from topcut.history.model import Table
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
    points = occasion.points_word
    rows: list[Row]
    table_column = Column("table", 11, "right", "bold")
    if choice.by == "table":
        one = [Column("player", 0.5), Column(points, 11, "right"), Column("", 5)]
        columns = [table_column, *([*one, *one] if two else [Column("players", 1)]), Column("result", 20)]
        rows = [_table_row(occasion, number, table, two) for table in tables]
        looks = [WALL, PLAIN]
    else:
        names = [0.53, 0.47] if two else [0.3, 0.7]
        columns = [
            table_column,
            Column("player", names[0], weight="semibold"),
            Column("opponent" if two else "opponents", names[1]),
            Column(points, 10, "right"),
            Column("record", 14),
        ]
        seats = [seat for table in tables for seat in _seats(occasion, number, table)]
        rows = [row for _, row in sorted(seats, key=lambda seat: in_order(seat[0]))]
        looks = [WALL, TWO, SMALL, PLAIN] if two else [WALL, PLAIN]
    data = listing(columns, [Section("", rows)], choice.paper, looks)
    what = "by table" if choice.by == "table" else "A–Z"
    title = f"{round_words(number, a_round)}: pairings {what}"
    return Page("rows", about(occasion, choice, title, choice.only) | data, named(occasion))


def _seats(occasion: Occasion, number: int, table: Table) -> list[tuple[str, list[Cell]]]:
    """The rows of the players at a table, each with the name by which it is found."""
    scores, names = occasion.board(number - 1).scores, occasion.names
    where = "loss" if table.loss else "bye" if len(table.players) == 1 else str(table.table or "–")
    new = ["new"] if occasion.is_new(number, table) else []
    found = []
    for id in table.players:
        points, record = scores.get(id, (0, "0-0"))
        against = [*new, *(names[other] for other in table.players if other != id)]
        shown: Cell = against[0] if len(against) == 1 else against
        row: list[Cell] = [where, names[id], shown, str(points), record]
        found.append((names[id], row))
    return found


def _table_row(occasion: Occasion, number: int, table: Table, two: bool) -> list[Cell]:
    scores, names = occasion.board(number - 1).scores, occasion.names
    where = "–" if table.table is None else str(table.table)
    said = "loss" if table.loss else "bye" if len(table.players) == 1 else ""
    said = "new" if not said and occasion.is_new(number, table) else said
    if not two:
        return [where, [names[id] for id in table.players], said]
    cells: list[Cell] = []
    for id in table.players:
        cells += [names[id], str(scores.get(id, (0, ""))[0]), ""]
    return [where, *[*cells, "", "", ""][:6], said]
