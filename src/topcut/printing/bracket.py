"""Build brackets: drawings, large ones in parts, and the places so far; round robins as lists."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from topcut.errors import BadInput
from topcut.printing.options import PrintOptions
from topcut.printing.page import SheetPage, build_head, list_names
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, WALL, Row, RowSection, SheetColumn, lay_out_rows
from topcut.printing.text_width import PAPERS, Cell
from topcut.printing.typesetting import MARGIN
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.layout import Join, Slot, Tree, lay_out_trees
from topcut.stages.document import Document, build_schedules
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress

LEAVES = 32
"""Names below each other on a page, at most."""
HEADS = 40.0
"""Millimetres that the head and the foot take of a page."""


def build_bracket(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the brackets of an event as far as they are known, or the schedule of a round robin."""
    eliminating = any(a_round.in_bracket for a_round in event.rounds)
    progress = event.board(len(event.rounds) if eliminating else event.reported).progress
    circles = build_schedules(progress)
    if circles:
        return _build_schedules(event, choice, circles)
    chosen = [one for one in progress.brackets if choice.division in (None, one.part.name)]
    if not chosen:
        raise BadInput("there is no bracket to print: no elimination rounds are planned or played here")
    parts = [piece for one in chosen for piece in _build_pieces(event, one)]
    width, height = PAPERS[choice.paper]
    data = {
        "room": [height - 2 * MARGIN, width - HEADS],
        "parts": parts,
        "lists": [found for one in chosen if (found := _build_places(progress, one))],
    }
    lines = [] if eliminating or not progress.running else ["as it would be now: Swiss rounds go on"]
    return SheetPage("bracket", build_head(event, choice, "Bracket", lines) | data, list_names(event))


def _build_places(progress: Progress, one: Bracket) -> dict[str, Any] | None:
    finals = find_final_places(progress, one)
    rows = [[str(final.place), final.name, final.why] for final in finals]
    where = f", {one.part.name}" if one.part.name else ""
    return {"title": f"Places{where}", "widths": [12, 80, 0], "rows": rows} if rows else None


@dataclass
class TreePiece:
    """A part of a tree that fits on a page."""

    title: str
    slots: list[tuple[Slot, int]] = field(default_factory=list)
    """Seats with their rows on this page."""
    joins: list[tuple[Join, tuple[int, int, int]]] = field(default_factory=list)
    """Tables with the rows of their seats and of their winner."""
    leaves: int = 0


def _build_pieces(event: PrintedEvent, one: Bracket) -> Iterator[dict[str, Any]]:
    seeds = {player_id: str(at) for at, player_id in enumerate(one.play.players, start=1)}
    name = one.part.name or one.stage.name
    for tree in lay_out_trees(one.play):
        title = ", ".join(part for part in (name, tree.title) if part)
        for piece, floor in split_tree(tree, title):
            yield {
                "title": piece.title,
                "columns": 1 + max(slot.column for slot, _ in piece.slots) - floor,
                "rows": 2 * piece.leaves + 1,
                "slots": [_build_slot(event, seeds, slot, row, floor) for slot, row in piece.slots],
                "last": len(piece.slots) - 1,
                "joins": [_build_join(join, rows, floor) for join, rows in piece.joins],
            }


def split_tree(tree: Tree, title: str, most: int = LEAVES) -> Iterator[tuple[TreePiece, int]]:
    """Split a tree into parts with at most `most` names below each other, each with its first column."""
    by_place = {(slot.column, slot.row): slot for slot in tree.slots}
    feeding = {(join.column, join.to): join for join in tree.joins}
    last = max(tree.slots, key=lambda slot: slot.column)

    def ending_in(slot: Slot, title: str) -> TreePiece:
        return _lay_out(TreePiece(title), by_place, feeding, slot, 0)

    floor, parts = last.column, [last]
    while max(ending_in(slot, "").leaves for slot in parts) > most:
        floor -= 1
        inner = sorted(place for place in feeding if place[0] == floor)
        parts = [by_place[place] for place in inner]
    if floor == last.column:
        yield ending_in(last, title), 0
        return
    pages = len(parts) + 1
    for number, slot in enumerate(parts, start=1):
        yield ending_in(slot, f"{title}, part {number} of {pages}"), 0
    yield _lay_out(TreePiece(f"{title}, part {pages} of {pages}"), by_place, feeding, last, floor), floor


def _lay_out(
    piece: TreePiece,
    by_place: dict[tuple[int, int], Slot],
    feeding: dict[tuple[int, int], Join],
    root: Slot,
    floor: int,
) -> TreePiece:
    """Lay out the tree that ends in a seat, from a column on, with rows of its own."""

    def below(slot: Slot) -> int:
        join = feeding.get((slot.column, slot.row)) if slot.column > floor else None
        if join is None:
            row = 2 * piece.leaves
            piece.leaves += 1
        else:
            top, bottom = (below(by_place[slot.column - 1, seat]) for seat in (join.top, join.bottom))
            row = (top + bottom) // 2
            piece.joins.append((join, (top, bottom, row)))
        piece.slots.append((slot, row))
        return row

    below(root)
    return piece


def _build_slot(
    event: PrintedEvent, seeds: dict[str, str], slot: Slot, row: int, floor: int
) -> dict[str, Any]:
    who = slot.who if isinstance(slot.who, str) else None
    return {
        "seed": seeds[who] if who else "",
        "name": event.names[who] if who else slot.text_without_player,
        "kind": slot.kind,
        "row": row,
        "begin": max(0, slot.begin - floor),
        "span": 1 + slot.column - max(floor, slot.begin),
    }


def _build_join(join: Join, rows: tuple[int, int, int], floor: int) -> dict[str, Any]:
    top, bottom, to = rows
    begins = [max(0, begin - floor) for begin in join.begins]
    return {
        "table": join.table,
        "column": join.column - floor,
        "to": to,
        "seats": [[top, begins[0], join.upper_won], [bottom, begins[1], join.lower_won]],
    }


def _build_schedules(event: PrintedEvent, choice: PrintOptions, circles: list[Document]) -> SheetPage:
    """Build round robins: all tables of all rounds, with the winners."""
    names = event.names
    columns = [
        SheetColumn("round", 12, "right", "bold"),
        SheetColumn("player", 0.5),
        SheetColumn("player", 0.5),
        SheetColumn("won by", 45),
    ]
    sections = []
    for circle in circles:
        rows: list[Row] = []
        for number, tables in enumerate(circle["rounds"], start=1):
            for table in tables:
                both: list[Cell] = [
                    names[player_id] if player_id else "bye" for player_id in table["players"]
                ]
                rows.append([str(number), *both, _name_winner(table, names)])
        sections.append(RowSection(circle.get("division", ""), rows))
    data = lay_out_rows(columns, sections, choice.paper, [WALL, PLAIN])
    return SheetPage("rows", build_head(event, choice, "Round robin") | data, list_names(event))


def _name_winner(table: Document, names: dict[str, str]) -> str:
    if table.get("bye"):
        return "bye"
    said = "draw" if table.get("draw") else "nobody" if table.get("double_loss") else ""
    return names[table["winner"]] if table["winner"] else said
