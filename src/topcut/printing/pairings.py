"""Build pairings: a row for each player from A to Z (PK-57), or for each table for the staff."""

from collections.abc import Iterator, Sequence

from topcut.history.model import Round, Table
from topcut.printing.options import PrintOptions
from topcut.printing.page import SheetPage, build_head, list_names, name_round
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, SMALL, TWO, WALL, Row, RowSection, SheetColumn, lay_out_rows
from topcut.printing.text_width import Cell
from topcut.text.alphabet import name_key


def build_pairings(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the pairings of a round, from A to Z or by table."""
    number, a_round = event.round(choice.round)
    tables = choice.select_tables(event, number, a_round)
    two = all(len(table.players) <= 2 for table in tables)
    sheet = _ByTable if choice.by == "table" else _ByName
    columns, rows = sheet(event, number, a_round, two).build(tables)
    looks = [WALL, TWO, SMALL, PLAIN] if two and choice.by == "name" else [WALL, PLAIN]
    data = lay_out_rows(columns, [RowSection("", rows)], choice.paper, looks)
    what = "by table" if choice.by == "table" else "A–Z"
    title = f"{name_round(number, a_round)}: pairings {what}"
    return SheetPage("rows", build_head(event, choice, title, choice.only, number) | data, list_names(event))


class _Pairings:
    """What both orders share: records, and which tables are new."""

    def __init__(self, event: PrintedEvent, number: int, a_round: Round, two: bool) -> None:
        self.event, self.number, self.two = event, number, two
        self.names = event.names
        self.scores = event.scores(number, a_round)
        self.new = any(event.is_new(number, table) for table in a_round.tables)
        first = SheetColumn("table", 11, "right", "bold")
        self.columns = [first, *([SheetColumn("", 9)] if self.new else [])]

    def _locate(self, table: Table, alone: str) -> list[Cell]:
        """Return the cells for the number of a table, and whether it is new."""
        where = alone if table.table is None else str(table.table)
        return [where, *(["new" if self.event.is_new(self.number, table) else ""] if self.new else [])]


class _ByName(_Pairings):
    def build(self, tables: Sequence[Table]) -> tuple[list[SheetColumn], list[Row]]:
        names = [0.53, 0.47] if self.two else [0.3, 0.7]
        columns = [*self.columns, SheetColumn("player", names[0], weight="semibold")]
        columns.append(SheetColumn("opponent" if self.two else "opponents", names[1]))
        if self.scores:
            columns += [SheetColumn(self.event.points_word, 10, "right"), SheetColumn("record", 14)]
        rows = [row for table in tables for row in self._rows(table)]
        return columns, [row for _, row in sorted(rows, key=lambda row: name_key(row[0]))]

    def _rows(self, table: Table) -> Iterator[tuple[str, list[Cell]]]:
        """Yield the rows of the players at a table, each with the name by which it is found."""
        where = self._locate(table, "loss" if table.loss else "bye" if len(table.players) == 1 else "–")
        for player_id in table.players:
            against = [self.names[other] for other in table.players if other != player_id]
            shown: Cell = against[0] if len(against) == 1 else against
            record = [str(part) for part in self.scores[player_id]] if self.scores else []
            yield self.names[player_id], [*where, self.names[player_id], shown, *record]


class _ByTable(_Pairings):
    def build(self, tables: Sequence[Table]) -> tuple[list[SheetColumn], list[Row]]:
        points = [SheetColumn(self.event.points_word, 11, "right")] if self.scores else []
        one = [SheetColumn("player", 0.5), *points, SheetColumn("", 5)]
        columns = [*self.columns, *([*one, *one] if self.two else [SheetColumn("players", 1)])]
        return [*columns, SheetColumn("result", 20)], [self._row(table) for table in tables]

    def _row(self, table: Table) -> list[Cell]:
        said = "loss" if table.loss else "bye" if len(table.players) == 1 else ""
        if not self.two:
            return [*self._locate(table, "–"), [self.names[player_id] for player_id in table.players], said]
        cells: list[Cell] = []
        for player_id in table.players:
            cells += [self.names[player_id], *([str(self.scores[player_id][0])] if self.scores else []), ""]
        empty = [""] * (2 + bool(self.scores)) if len(table.players) == 1 else []
        return [*self._locate(table, "–"), *cells, *empty, said]
