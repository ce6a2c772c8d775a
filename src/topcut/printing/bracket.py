"""Build brackets: drawings, large ones in parts, and the places so far; round robins as lists."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from topcut.errors import BadInput
from topcut.printing.page import PrintOptions, SheetPage, build_page
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, WALL, Row, RowSection, SheetColumn, build_rows_page
from topcut.printing.typesetting import MARGIN, PAPERS
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.layout import Join, Slot, Tree, lay_out_trees
from topcut.stages.document import Document, build_schedules
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress
from topcut.text.messages import Message, join_messages, say

LEAVES = 32
"""Names below each other on a page, at most."""
HEADS = 40.0
"""Millimetres that the head and the foot take of a page."""


def build_bracket(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the brackets of an event as far as they are known, or the schedule of a round robin."""
    eliminating = any(a_round.in_bracket for a_round in event.rounds)
    progress = event.board(len(event.rounds) if eliminating else event.reported).progress
    if circles := build_schedules(progress):
        return _build_schedules(event, choice, circles)
    chosen = [one for one in progress.brackets if choice.division in (None, one.part.name)]
    if not chosen:
        raise BadInput(say("there is no bracket to print: the event has no elimination rounds"))
    width, height = PAPERS[choice.paper]
    data = {
        "room": [height - 2 * MARGIN, width - HEADS],
        "parts": [piece for one in chosen for piece in _build_pieces(event, one)],
        "lists": [found for one in chosen if (found := _build_places(progress, one))],
    }
    lines = (
        []
        if eliminating or not progress.running
        else [say("As it would be now; the Swiss rounds are not over.")]
    )
    return build_page("bracket", event, choice, say("Bracket"), data, lines)


def _build_places(progress: Progress, one: Bracket) -> dict[str, Any] | None:
    finals = find_final_places(progress, one)
    rows = [[str(final.place), final.name, final.why] for final in finals]
    name = one.part.name
    title = say("Places, {division}", division=name) if name else say("Places")
    return {"title": title, "widths": [12, 80, 0], "rows": rows} if rows else None


@dataclass
class TreePiece:
    """A part of a tree that fits on a page."""

    title: str
    floor: int
    """Its first column in the tree."""
    slots: list[tuple[Slot, int]] = field(default_factory=list)
    """Seats with their rows on this page."""
    joins: list[tuple[Join, tuple[int, int, int]]] = field(default_factory=list)
    """Tables with the rows of their seats and of their winner."""
    leaves: int = 0


def _build_pieces(event: PrintedEvent, one: Bracket) -> Iterator[dict[str, Any]]:
    seeds = {player_id: str(at) for player_id, at in one.play.rank_seeds.items()}
    name = one.part.name or one.stage.name
    for tree in lay_out_trees(one.play):
        for piece in _split_tree(tree, join_messages(", ", (name, tree.title))):
            yield {
                "title": piece.title,
                "columns": 1 + max(slot.column for slot, _ in piece.slots) - piece.floor,
                "rows": 2 * piece.leaves + 1,
                "slots": [_build_slot(event, seeds, slot, row, piece.floor) for slot, row in piece.slots],
                "last": len(piece.slots) - 1,
                "joins": [_build_join(join, rows, piece.floor) for join, rows in piece.joins],
            }


def _split_tree(tree: Tree, title: str) -> Iterator[TreePiece]:
    """Split a tree into parts with a bounded number of names below each other."""
    by_place = {(slot.column, slot.row): slot for slot in tree.slots}
    feeding = {(join.column, join.to): join for join in tree.joins}
    last = max(tree.slots, key=lambda slot: slot.column)
    sharing = [slot for slot in tree.slots if slot.column == last.column and slot is not last]

    def lay_out(root: Slot, title: str, floor: int = 0) -> TreePiece:
        """Lay out the tree that ends in a seat, from a column on, with rows of its own."""
        piece = TreePiece(title, floor)

        def add(slot: Slot) -> int:
            join = feeding.get((slot.column, slot.row)) if slot.column > floor else None
            if join is None:
                row = 2 * piece.leaves
                piece.leaves += 1
            else:
                top, bottom = (add(by_place[slot.column - 1, seat]) for seat in (join.top, join.bottom))
                row = (top + bottom) // 2
                piece.joins.append((join, (top, bottom, row)))
            piece.slots.append((slot, row))
            return row

        row = add(root)
        if root is last:
            piece.slots[:0] = [(slot, row + slot.row - last.row) for slot in sharing]
        return piece

    floor, roots = last.column, [last]
    while max(lay_out(root, "").leaves for root in roots) > LEAVES:
        floor -= 1
        roots = [by_place[place] for place in sorted(feeding) if place[0] == floor]
    if floor == last.column:
        yield lay_out(last, title)
        return
    pages = len(roots) + 1

    def name_part(number: int) -> Message:
        return say("{title}, part {number} of {pages}", title=title, number=number, pages=pages)

    for number, root in enumerate(roots, start=1):
        yield lay_out(root, name_part(number))
    yield lay_out(last, name_part(pages), floor)


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
    columns = [
        SheetColumn(say("round"), 12, "right", "bold"),
        SheetColumn(say("player"), 0.5),
        SheetColumn(say("player"), 0.5),
        SheetColumn(say("winner"), 45),
    ]
    names = event.names
    sections = []
    for circle in circles:
        rows: list[Row] = [
            [
                str(number),
                *(names.get(one, say("bye")) for one in table["players"]),
                _name_winner(table, names),
            ]
            for number, tables in enumerate(circle["rounds"], start=1)
            for table in tables
        ]
        sections.append(RowSection(circle.get("division", ""), rows))
    return build_rows_page(event, choice, say("Round robin"), columns, sections, [WALL, PLAIN])


def _name_winner(table: Document, names: dict[str, str]) -> str:
    if table.get("bye"):
        return say("bye")
    said = say("draw") if table.get("draw") else say("no winner") if table.get("double_loss") else ""
    return names[table["winner"]] if table["winner"] else said
