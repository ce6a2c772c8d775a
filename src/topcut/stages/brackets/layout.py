"""Lay out the picture of a bracket, once for terminals, drawings and paper.

A tree of tables is laid out from its last table back. Each seat is a slot with a row and a column; leaves
are two rows apart, and a winner is between the two slots of the table it comes from. Where the last table of
a published event was drawn, both its players won: the second is in the row below the first.
"""

from dataclasses import dataclass
from typing import Literal

from topcut.stages.brackets.graph import LoserOf, RankSeed, Source, WinnerOf
from topcut.stages.brackets.play import EMPTY, OPEN, BracketPlay, Occupant, TableEnd
from topcut.text.messages import Message, say


@dataclass(frozen=True)
class Slot:
    """A seat in the picture, or the winner at the end of a tree."""

    column: int
    begin: int
    """The column of the name: further left where a bye came before."""
    row: int
    who: Occupant
    source: Source | None
    """Where the seat is filled from; None for the winner at the end."""
    won: bool
    """Whether the player won the table (or the whole tree)."""
    lost: bool
    feeds: str
    """The table the seat belongs to; empty for the winner at the end."""

    @property
    def kind(self) -> Literal["won", "out", "in", "open"]:
        """How the slot is set: bold, soft, plain, or without a player."""
        if not isinstance(self.who, str):
            return "open"
        return "won" if self.won else "out" if self.lost else "in"

    @property
    def text_without_player(self) -> Message:
        """What a slot shows that no player fills, such as "bye" or "winner of SF1"."""
        if self.who is EMPTY:
            return say("bye") if isinstance(self.source, RankSeed) else say("no player")
        match self.source:
            case WinnerOf(table):
                return say("winner of {table}", table=table)
            case LoserOf(table):
                return say("loser of {table}", table=table)
        return say("winner")


@dataclass(frozen=True)
class Join:
    """The line that joins the two seats of a table and leads on to its winner."""

    table: str
    column: int
    top: int
    bottom: int
    to: int
    begins: tuple[int, int]
    """The columns of the names in the two seats."""
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


def lay_out_trees(play: BracketPlay) -> list[Tree]:
    """Return the trees of a bracket, the main one first."""
    roots = {node.tree: name for name, node in play.graph.nodes.items()}  # the last table of each tree
    return [_lay_out_tree(play, title, root) for title, root in roots.items() if play.needed(root)]


def _lay_out_tree(play: BracketPlay, title: str, root: str) -> Tree:
    slots: list[Slot] = []
    joins: list[Join] = []
    leaves = 0

    def below(table: str, column: int) -> int:
        """Lay out a table after all that leads to it; return the row of its winner, who is in `column`."""
        nonlocal leaves
        ended = play.ended(table)
        rows, begins, wins = [], [], []
        for source, who in zip(play.graph.nodes[table].seats, play.seats(table), strict=True):
            inner = _table_before(play, table, source)
            if inner is not None:
                rows.append(below(inner, column - 1))
            else:
                rows.append(2 * leaves)
                leaves += 1
            won = isinstance(who, str) and (who in sharing if table == root else _won(ended, who))
            lost = ended is not None and not won
            free = inner is None and _same_tree(play, table, source)
            begins.append(max(0, column - 1 - free))
            wins.append(won)
            slots.append(Slot(column - 1, begins[-1], rows[-1], who, source, won, lost, table))
        (top, bottom), middle = rows, sum(rows) // 2
        joins.append(Join(table, column, top, bottom, middle, (begins[0], begins[1]), wins[0], wins[1]))
        return middle

    ended = play.ended(root)
    winner = OPEN if ended is None else ended.winner
    sharing = _list_sharing(play, root) or [winner]
    columns = _depth(play, root)
    row = below(root, columns)
    for below_first, who in enumerate(sharing):
        slots.append(Slot(columns, columns, row + below_first, who, None, ended is not None, False, ""))
    return Tree(title, slots, joins)


def _won(ended: TableEnd | None, who: Occupant) -> bool:
    return ended is not None and ended.winner == who


def _list_sharing(play: BracketPlay, table: str) -> list[Occupant]:
    """Return the players who share the place that a drawn table after which none comes decides."""
    ended = play.ended(table)
    drawn = ended is not None and ended.how == "drawn" and not play.graph.after[table]
    return list(play.seats(table)) if drawn else []


def _depth(play: BracketPlay, table: str) -> int:
    """Return how many tables one after the other lead to the end of a tree."""
    inner = [_table_before(play, table, source) for source in play.graph.nodes[table].seats]
    return 1 + max((_depth(play, name) for name in inner if name is not None), default=0)


def _same_tree(play: BracketPlay, table: str, source: Source) -> bool:
    nodes = play.graph.nodes
    return isinstance(source, WinnerOf) and nodes[source.table].tree == nodes[table].tree


def _table_before(play: BracketPlay, table: str, source: Source) -> str | None:
    """Return the table of the same tree that fills a seat; None if nothing is drawn before the seat.

    A table at the edge that nobody plays, because one or both of its seats are empty, is not drawn.
    """
    if not isinstance(source, WinnerOf) or not _same_tree(play, table, source):
        return None
    seats = play.graph.nodes[source.table].seats
    edge = all(_table_before(play, source.table, seat) is None for seat in seats)
    return None if edge and EMPTY in play.seats(source.table) else source.table
