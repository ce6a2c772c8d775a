"""Where everything in the picture of a bracket goes: one layout for terminals and for drawings.

A tree of tables is laid out from its last table back. Each seat is a slot with a row and a column; leaves
are two rows apart, and a winner stands between the two slots of the table it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

from topcut.stages.graph import LoserOf, Source, WinnerOf
from topcut.stages.play import OPEN, Ended, Occupant, Play


@dataclass(frozen=True)
class Slot:
    """A seat in the picture, or the winner at the end of a tree."""

    column: int
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
    side = _side(root, play)
    leaves = 0

    def below(table: str) -> tuple[int, int]:
        """Lay out a table after everything that leads to it; the column and row of its winner."""
        nonlocal leaves
        places = []
        for source in play.graph.nodes[table].seats:
            if isinstance(source, WinnerOf) and _side(source.table, play) == side:
                places.append(below(source.table))
            else:
                places.append((0, 2 * leaves))
                leaves += 1
        column = 1 + max(column for column, _ in places)
        ended, seats = play.ended(table), play.seats(table)
        for source, who, (_, row) in zip(play.graph.nodes[table].seats, seats, places, strict=True):
            won = _won(ended, who)
            slots.append(Slot(column - 1, row, who, source, won, ended is not None and not won, table))
        (_, top), (_, bottom) = places
        middle = (top + bottom) // 2
        joins.append(Join(table, column, top, bottom, middle, *(_won(ended, who) for who in seats)))
        return column, middle

    column, row = below(root)
    ended = play.ended(root)
    slots.append(
        Slot(column, row, OPEN if ended is None else ended.winner, None, ended is not None, False, "")
    )
    return Tree(title, slots, joins)


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
    return ""
