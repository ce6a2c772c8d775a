"""Draw a bracket in a terminal: lines of text, heavy where a winner goes on."""

from collections.abc import Callable

from topcut.stages.brackets.layout import Join, Slot, Tree

LIGHT, HEAVY = "─", "━"
NUMBER, NARROW, WIDE = 4, 9, 28
"""Columns of a terminal for little more than a rank seed, for a short name, and for a long one."""


Measure = Callable[[str], int]
"""The columns of a terminal that a text fills."""


def draw_lines(tree: Tree, label: Callable[[str], str], width: int, measure: Measure = len) -> list[str]:
    """Draw one tree of a bracket, at most `width` columns wide; `label` names a player."""
    first = [len(_cells(_text(slot, label), width, measure)) for slot in tree.slots if not slot.begin]
    rooms = _column_widths(max(first), tree.columns, width)
    starts = [sum(rooms[:column]) + 3 * column for column in range(tree.columns)]
    page = [[" "] * (starts[-1] + rooms[-1] + 1) for _ in range(tree.rows)]
    for slot in tree.slots:
        start, end = starts[slot.begin], starts[slot.column] + rooms[slot.column]
        cells = _cells(_text(slot, label), end - start, measure)
        after = start + len(cells)
        page[slot.row][start:after] = cells
        if slot.feeds:
            page[slot.row][after + 1 : end + 1] = (HEAVY if slot.won else LIGHT) * (end - after)
    for join in tree.joins:
        _join(page, join, starts[join.column] - 2)
    return ["".join(line).rstrip() for line in page]


def _column_widths(longest: int, columns: int, width: int) -> list[int]:
    """Return how wide each column is: the first one, with names in full, before the others."""
    free = width - 3 * (columns - 1)
    even = max(NUMBER, free // columns)
    first = max(even, min(longest, free - NARROW * (columns - 1), WIDE))
    return [first, *[max(NUMBER, (free - first) // max(1, columns - 1))] * (columns - 1)]


def _text(slot: Slot, label: Callable[[str], str]) -> str:
    return label(slot.who) if isinstance(slot.who, str) else slot.text_without_player


def _cells(text: str, room: int, measure: Measure) -> list[str]:
    """Return the text in columns, cut where it is too long; an empty column follows a wide letter."""
    cells: list[str] = []
    for letter in text:
        size = measure(letter)
        if size == 0 and cells:
            cells[-1] += letter
        else:
            cells += [letter, ""][: max(size, 1)]
    if len(cells) <= room:
        return cells
    cells = cells[: room - 1]
    if measure("".join(cells)) > len(cells):  # half a wide letter
        cells[-1] = " "
    return [*cells, "…"]


def _join(page: list[list[str]], join: Join, at: int) -> None:
    """Draw the corner pieces to the right of a table's two seats."""
    page[join.top][at] = "┓" if join.upper_won else "┐"
    page[join.bottom][at] = "┛" if join.lower_won else "┘"
    for row in range(join.top + 1, join.bottom):
        heavy = (join.upper_won and row < join.to) or (join.lower_won and row > join.to)
        page[row][at] = "┃" if heavy else "│"
    heavy = join.upper_won or join.lower_won
    page[join.to][at] = "┣" if heavy else "├"
    page[join.to][at + 1] = HEAVY if heavy else LIGHT
