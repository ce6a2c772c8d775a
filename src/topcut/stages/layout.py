"""Where everything in the picture of a bracket goes: one layout for terminals and for drawings.

A tree of tables is laid out from its last table back. Each seat is a slot with a row and a column; leaves
are two rows apart, and a winner stands between the two slots of the table it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

from topcut.stages.graph import LoserOf, Source, WinnerOf
from topcut.stages.play import EMPTY, OPEN, Ended, Occupant, Play


@dataclass(frozen=True)
class Slot:
    """A seat in the picture, or the winner at the end of a tree."""

    column: int
    begin: int
    """The column in which the name stands: further left where a bye came before."""
    row: int
    who: Occupant
    source: Source | None
    """Where the seat is filled from; None for the winner at the end."""
    won: bool
    """Whether whoever sits here won the table (or the whole tree); likewise below."""
    lost: bool
    feeds: str
    """The table the seat belongs to; empty for the winner at the end."""


@dataclass(frozen=True)
class Join:
    """The line that joins the two seats of a table and leads on to its winner."""

    table: str
    column: int
    top: int
    bottom: int
    to: int
    begins: tuple[int, int]
    """The columns in which the names of the two seats stand."""
    upper_won: bool
    lower_won: bool


@dataclass(frozen=True)
class Tree:
    """One part of a bracket."""

    title: str
    slots: list[Slot]
    joins: list[Join]

    @property
    def columns(self) -> int:
        return 1 + max(slot.column for slot in self.slots)

    @property
    def rows(self) -> int:
        return 1 + max(slot.row for slot in self.slots)


def trees(play: Play) -> list[Tree]:
    """The parts of a bracket, the main one first."""
    names = play.graph.nodes
    if play.graph.kind == "elimination":
        parts = [("", "F")] + ([("third place", "P3")] if "P3" in names else [])
    else:
        upper = [name for name in names if name.startswith("W")]
        lower = [name for name in names if name.startswith("L")]
        parts = [("upper side", upper[-1])] + ([("lower side", lower[-1])] if lower else [])
        parts += [("final", "F")] + ([("final, once more", "F2")] if play.needed("F2") else [])
    return [_tree(play, title, root) for title, root in parts]


def _tree(play: Play, title: str, root: str) -> Tree:
    slots: list[Slot] = []
    joins: list[Join] = []
    leaves = 0

    def below(table: str, column: int) -> int:
        """Lay out a table after all that leads to it; the row of its winner, who stands in `column`."""
        nonlocal leaves
        ended, seats = play.ended(table), play.seats(table)
        rows, begins = [], []
        for source, who in zip(play.graph.nodes[table].seats, seats, strict=True):
            inner = _table_before(play, table, source)
            if inner is not None:
                rows.append(below(inner, column - 1))
            else:
                rows.append(2 * leaves)
                leaves += 1
            won = _won(ended, who)
            lost = ended is not None and not won
            free = inner is None and _same_tree(play, table, source)
            begins.append(max(0, column - 1 - free))
            slots.append(Slot(column - 1, begins[-1], rows[-1], who, source, won, lost, table))
        top, bottom = rows
        middle = (top + bottom) // 2
        upper_won, lower_won = (_won(ended, who) for who in seats)
        begin = (begins[0], begins[1])
        joins.append(Join(table, column, top, bottom, middle, begin, upper_won, lower_won))
        return middle

    columns = _depth(play, root)
    row = below(root, columns)
    ended = play.ended(root)
    winner = OPEN if ended is None else ended.winner
    slots.append(Slot(columns, columns, row, winner, None, ended is not None, False, ""))
    return Tree(title, slots, joins)


def _depth(play: Play, table: str) -> int:
    """Tables one after the other that lead to the end of a tree."""
    inner = [_table_before(play, table, source) for source in play.graph.nodes[table].seats]
    return 1 + max((_depth(play, name) for name in inner if name is not None), default=0)


def _same_tree(play: Play, table: str, source: Source) -> bool:
    return isinstance(source, WinnerOf) and _side(source.table, play) == _side(table, play)


def _table_before(play: Play, table: str, source: Source) -> str | None:
    """The table of the same tree from which a seat is filled; None if nothing is drawn before the seat.

    A table at the edge that nobody plays, because one or both of its seats are empty, is not drawn.
    """
    if not isinstance(source, WinnerOf) or _side(source.table, play) != _side(table, play):
        return None
    edge = all(
        _table_before(play, source.table, seat) is None for seat in play.graph.nodes[source.table].seats
    )
    return None if edge and EMPTY in play.seats(source.table) else source.table


def _side(table: str, play: Play) -> str:
    """Which part of a bracket a table belongs to."""
    if play.graph.kind == "elimination":
        return "third place" if table == "P3" else ""
    return table[0] if table[0] in "WL" else table


def _won(ended: Ended | None, who: Occupant) -> bool:
    return ended is not None and isinstance(who, str) and ended.winner == who


def comes_from(source: Source | None) -> str:
    """What stands in a seat that is not filled yet."""
    match source:
        case WinnerOf(table):
            return f"winner of {table}"
        case LoserOf(table):
            return f"loser of {table}"
    return "winner"
