"""Build pairings: a row for each player from A to Z (PK-57), or for each table for the staff."""

from topcut.history.model import Round, Table
from topcut.printing.page import PrintOptions, SheetPage, name_round
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, SMALL, TWO, WALL, Cell, RowSection, SheetColumn, build_rows_page
from topcut.text.alphabet import name_key


def build_pairings(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the pairings of a round, from A to Z or by table."""
    number, a_round = event.round(choice.round)
    tables = choice.select_tables(event, number, a_round)
    pairings = _Pairings(event, number, a_round, two=all(len(table.players) <= 2 for table in tables))
    if choice.by == "table":
        columns, rows = pairings.table_columns(), [pairings.table_row(table) for table in tables]
        looks, what = [WALL, PLAIN], "by table"
    else:
        named = [pair for table in tables for pair in pairings.player_rows(table)]
        columns, rows = pairings.player_columns(), [row for _, row in sorted(named, key=lambda n: n[0])]
        looks, what = [WALL, TWO, SMALL, PLAIN] if pairings.two else [WALL, PLAIN], "A–Z"
    title = f"{name_round(number, a_round)}: pairings {what}"
    return build_rows_page(event, choice, title, columns, [RowSection("", rows)], looks, choice.only, number)


class _Pairings:
    """The rows of a round, with records where there are any; `two`: no table has more than two players."""

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

    def player_columns(self) -> list[SheetColumn]:
        own, other = (0.53, 0.47) if self.two else (0.3, 0.7)
        against = SheetColumn("opponent" if self.two else "opponents", other)
        record = [SheetColumn(self.event.points_word, 10, "right"), SheetColumn("record", 14)]
        player = SheetColumn("player", own, weight="semibold")
        return [*self.columns, player, against, *(record if self.scores else [])]

    def player_rows(self, table: Table) -> list[tuple[tuple[str, str], list[Cell]]]:
        """Return the rows of the players at a table, each with the key by which it is sorted."""
        where = self._locate(table, "loss" if table.loss else "bye" if len(table.players) == 1 else "–")
        found = []
        for player_id in table.players:
            name = self.names[player_id]
            against = [self.names[other] for other in table.players if other != player_id]
            shown: Cell = against[0] if len(against) == 1 else against
            record = map(str, self.scores.get(player_id, ()))
            found.append((name_key(name), [*where, name, shown, *record]))
        return found

    def table_columns(self) -> list[SheetColumn]:
        points = [SheetColumn(self.event.points_word, 11, "right")] if self.scores else []
        one = [SheetColumn("player", 0.5), *points, SheetColumn("", 5)]
        players = [*one, *one] if self.two else [SheetColumn("players", 1)]
        return [*self.columns, *players, SheetColumn("result", 20)]

    def table_row(self, table: Table) -> list[Cell]:
        said = "loss" if table.loss else "bye" if len(table.players) == 1 else ""
        cells = self._locate(table, "–")
        if not self.two:
            return [*cells, [self.names[player_id] for player_id in table.players], said]
        for player_id in table.players:
            cells += [self.names[player_id], *([str(self.scores[player_id][0])] if self.scores else []), ""]
        empty = [""] * (2 + bool(self.scores)) if len(table.players) == 1 else []
        return [*cells, *empty, said]
