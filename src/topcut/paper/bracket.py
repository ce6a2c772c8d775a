"""Brackets on paper: drawings, large ones in parts, and the places so far; round robins as lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from topcut.errors import BadInput
from topcut.paper.choice import Choice
from topcut.paper.measures import PAPERS, Cell
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named
from topcut.paper.press import MARGIN
from topcut.paper.rows import PLAIN, WALL, Column, Row, Section, listing
from topcut.stages.answer import Document, schedule_document
from topcut.stages.bracket import Bracket
from topcut.stages.course import Course
from topcut.stages.final import final_places
from topcut.stages.graph import RankSeed
from topcut.stages.layout import Join, Slot, Tree, comes_from, trees
from topcut.stages.play import EMPTY

LEAVES = 32
"""Names below each other on a page, at most."""
HEADS = 40.0
"""What the head and the foot take of a page's height."""


def bracket(occasion: Occasion, choice: Choice) -> Page:
    """The brackets of an event as far as they are known; the schedule of a round robin."""
    eliminating = any(a_round.stage == "elimination" for a_round in occasion.rounds)
    course = occasion.board(len(occasion.rounds) if eliminating else occasion.reported).course
    circles = [schedule_document(course, part) for part in course.parts if part.round_robin]
    if circles:
        return _circles(occasion, choice, circles)
    chosen = [one for one in course.brackets if choice.division in (None, one.part.name)]
    if not chosen:
        raise BadInput("there is no bracket to print: no elimination rounds are planned or played here")
    parts = [piece for one in chosen for piece in _pieces(occasion, one)]
    width, height = PAPERS[choice.paper]
    data = {
        "room": [height - 2 * MARGIN, width - HEADS],
        "parts": parts,
        "lists": [found for one in chosen if (found := _places(course, one))],
    }
    lines = [] if eliminating or not course.running else ["as it would be now: Swiss rounds go on"]
    return Page("bracket", about(occasion, choice, "Bracket", lines) | data, named(occasion))


def _places(course: Course, one: Bracket) -> dict[str, Any] | None:
    finals = final_places(course, one)
    rows = [[str(final.place), final.name, final.why] for final in finals]
    where = f", {one.part.name}" if one.part.name else ""
    return {"title": f"Places{where}", "widths": [12, 80, 0], "rows": rows} if rows else None


@dataclass
class Piece:
    """A part of a tree that fits on a page."""

    title: str
    slots: list[tuple[Slot, int]] = field(default_factory=list)
    """Seats with their rows on this page."""
    joins: list[tuple[Join, tuple[int, int, int]]] = field(default_factory=list)
    """Tables with the rows of their seats and of their winner."""
    leaves: int = 0


def _pieces(occasion: Occasion, one: Bracket) -> Iterator[dict[str, Any]]:
    seeds = {player_id: str(at) for at, player_id in enumerate(one.play.players, start=1)}
    name = one.part.name or one.stage.name
    for tree in trees(one.play):
        title = ", ".join(part for part in (name, tree.title) if part)
        for piece, floor in split(tree, title):
            yield {
                "title": piece.title,
                "columns": 1 + max(slot.column for slot, _ in piece.slots) - floor,
                "rows": 2 * piece.leaves + 1,
                "slots": [_slot(occasion, seeds, slot, row, floor) for slot, row in piece.slots],
                "last": len(piece.slots) - 1,
                "joins": [_join(join, rows, floor) for join, rows in piece.joins],
            }


def split(tree: Tree, title: str, most: int = LEAVES) -> Iterator[tuple[Piece, int]]:
    """The tree in parts of at most so many names below each other, each with its first column."""
    by_place = {(slot.column, slot.row): slot for slot in tree.slots}
    feeding = {(join.column, join.to): join for join in tree.joins}
    last = max(tree.slots, key=lambda slot: slot.column)

    def ending_in(slot: Slot, title: str) -> Piece:
        return _laid(Piece(title), by_place, feeding, slot, 0)

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
    yield _laid(Piece(f"{title}, part {pages} of {pages}"), by_place, feeding, last, floor), floor


def _laid(
    piece: Piece,
    by_place: dict[tuple[int, int], Slot],
    feeding: dict[tuple[int, int], Join],
    root: Slot,
    floor: int,
) -> Piece:
    """The tree that ends in a seat, from a column on, with rows of its own."""

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


def _slot(occasion: Occasion, seeds: dict[str, str], slot: Slot, row: int, floor: int) -> dict[str, Any]:
    who = slot.who
    if isinstance(who, str):
        seed, name = seeds[who], occasion.names[who]
        kind = "won" if slot.won else "out" if slot.lost else "in"
    elif who is EMPTY:
        seed, name, kind = "", "bye" if isinstance(slot.source, RankSeed) else "nobody", "open"
    else:
        seed, name, kind = "", comes_from(slot.source), "open"
    return {
        "seed": seed,
        "name": name,
        "kind": kind,
        "row": row,
        "begin": max(0, slot.begin - floor),
        "span": 1 + slot.column - max(floor, slot.begin),
    }


def _join(join: Join, rows: tuple[int, int, int], floor: int) -> dict[str, Any]:
    top, bottom, to = rows
    begins = [max(0, begin - floor) for begin in join.begins]
    return {
        "table": join.table,
        "column": join.column - floor,
        "to": to,
        "seats": [[top, begins[0], join.upper_won], [bottom, begins[1], join.lower_won]],
    }


def _circles(occasion: Occasion, choice: Choice, circles: list[Document]) -> Page:
    """Round robins: all tables of all rounds, with who won."""
    names = occasion.names
    columns = [
        Column("round", 12, "right", "bold"),
        Column("player", 0.5),
        Column("player", 0.5),
        Column("won by", 45),
    ]
    sections = []
    for circle in circles:
        rows: list[Row] = []
        for number, tables in enumerate(circle["rounds"], start=1):
            for table in tables:
                both: list[Cell] = [
                    names[player_id] if player_id else "bye" for player_id in table["players"]
                ]
                rows.append([str(number), *both, _won(table, names)])
        sections.append(Section(circle.get("division", ""), rows))
    data = listing(columns, sections, choice.paper, [WALL, PLAIN])
    return Page("rows", about(occasion, choice, "Round robin") | data, named(occasion))


def _won(table: Document, names: dict[str, str]) -> str:
    if table.get("bye"):
        return "bye"
    said = "draw" if table.get("draw") else "nobody" if table.get("double_loss") else ""
    return names[table["winner"]] if table["winner"] else said
