"""Draw a bracket as SVG that reads in black and white.

Winners are bold on heavy lines, losers grey on light ones; nothing depends on colour. Alone it brings its own
style; as a part of a page it takes the page's, and says which table and player each piece is.
"""

from collections.abc import Callable, Iterator
from html import escape

from topcut.stages.brackets.layout import Join, Slot, Tree
from topcut.text.messages import render

ROW, GAP, PAD = 17, 30, 16
"""Half the distance between two leaves, the room for lines between columns, the margin."""
WIDEST = 26
"""Letters of a name before it is cut."""
LETTER, SMALL_LETTER = 7.4, 5.6
TITLE = 30
SCALE = 1.25
"""How much larger it is in a page, whose text is larger too."""

Label = Callable[[str], tuple[str, str]]
"""From a player's id to their rank seed and name."""
TableNumber = Callable[[str], int | None]
"""From a table of the bracket to the number of the table at which it is played."""


def draw_svg(
    trees: list[Tree],
    label: Label,
    title: str,
    measure: Callable[[str], int] = len,
    inside: TableNumber | None = None,
) -> str:
    """Draw the whole bracket; `measure` gives the width of a text in letters, `inside` is for a page."""
    room = _seat_width(trees, label, measure)
    parts: list[str] = []
    top, width = PAD + TITLE, 0.0
    for tree in trees:
        if tree.title:
            parts.append(f'<text class="part" x="{PAD}" y="{top + 4}">{escape(render(tree.title))}</text>')
            top += TITLE
        parts += _draw_tree(tree, label, room, top, inside)
        width = max(width, 2 * PAD + tree.columns * (room + GAP) - GAP)
        top += tree.rows * ROW + TITLE
    drawing = "\n".join(parts)
    named = f'role="img" aria-label="{escape(render(title))}"'
    if inside is not None:
        high = top - 2 * TITLE
        large = f'width="{SCALE * width:.0f}" height="{SCALE * high:.0f}"'
        box = f'viewBox="0 {TITLE} {width:.0f} {high}" {large}'
        return f'<svg class="bracket" {box} {named}>\n{drawing}\n</svg>\n'
    size = f'viewBox="0 0 {width:.0f} {top}" width="{width:.0f}" height="{top}"'
    heading = f'<text class="title" x="{PAD}" y="{PAD + 12}">{escape(render(title))}</text>'
    inner = f"<style>{_STYLE}</style>\n{heading}\n{drawing}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>\n{inner}\n</svg>\n'


_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}"
    ".title{font-weight:700;font-size:16px}.part{font-weight:600;fill:#555}"
    ".seed{fill:#666;font-size:11px;text-anchor:end}.won{font-weight:700;fill:#000}"
    ".out{fill:#666}.open{fill:#737373;font-style:italic}.table{fill:#737373;font-size:9.5px;text-anchor:end}"
    "path{fill:none;stroke:#bbb;stroke-width:1}.on{stroke:#000;stroke-width:2.4}"
    "@media (prefers-color-scheme:dark){text,.seed,.out,.open,.part,.table{fill:#bbb}"
    ".won{fill:#fff}.on{stroke:#fff}path{stroke:#666}}"
)


def _seat_width(trees: list[Tree], label: Label, measure: Callable[[str], int]) -> float:
    names = [_text(slot, label)[1] for tree in trees for slot in tree.slots]
    tables = [len(join.table) for tree in trees for join in tree.joins]
    return 26 + LETTER * max(8, *(measure(name) for name in names)) + SMALL_LETTER * max(tables)


def _draw_tree(tree: Tree, label: Label, room: float, top: int, inside: TableNumber | None) -> Iterator[str]:
    """Draw lines and seats; in a page each in a group that says which table and player it is."""
    for join in sorted(tree.joins, key=lambda join: join.upper_won or join.lower_won):
        lines = _draw_lines(join, room, top)
        if inside is None:
            yield from lines
        else:
            yield f'<g class="join"{_attributes(join.table, inside)}>{"".join(lines)}</g>'
    for slot in tree.slots:
        x, y = PAD + slot.begin * (room + GAP), top + slot.row * ROW
        seed, name = _text(slot, label)
        texts = [f'<text class="seed" x="{x + 18:.1f}" y="{y + 4}">{escape(seed)}</text>'] if seed else []
        texts.append(f'<text class="{slot.kind}" x="{x + 24:.1f}" y="{y + 4}">{escape(name)}</text>')
        if inside is None:
            yield from texts
        else:
            player = f' data-player="{escape(slot.who)}"' if isinstance(slot.who, str) else ""
            box = f'<rect x="{x:.1f}" y="{y - ROW / 2 - 2:.1f}" width="{room:.1f}" height="{ROW + 3}"/>'
            yield f'<g class="slot"{_attributes(slot.feeds, inside)}{player}>{box}{"".join(texts)}</g>'


def _attributes(name: str, number: TableNumber) -> str:
    """Name the table of the bracket, and the table of the hall."""
    if not name:
        return ""
    at = number(name)
    return f' data-join="{escape(name)}"' + (f' data-table="{at}"' if at is not None else "")


def _draw_lines(join: Join, room: float, top: int) -> Iterator[str]:
    right = PAD + join.column * (room + GAP)
    bend = right - GAP / 2
    middle = top + join.to * ROW
    light: list[str] = []
    heavy: list[str] = []
    seats = ((join.top, join.upper_won), (join.bottom, join.lower_won))
    for (row, won), begin in zip(seats, join.begins, strict=True):
        left, y = PAD + begin * (room + GAP) + 20, top + row * ROW
        (heavy if won else light).append(f"M{left:.1f} {y + 9}H{bend:.1f}V{middle + 9}")
    on = f"M{bend:.1f} {middle + 9}H{right + 20:.1f}"
    (heavy if heavy else light).append(on)
    for strokes, kind in ((light, ""), (heavy, ' class="on"')):
        if strokes:
            yield f'<path{kind} d="{"".join(strokes)}"/>'
    yield f'<text class="table" x="{bend - 5:.1f}" y="{middle + 12.5}">{escape(join.table)}</text>'


def _text(slot: Slot, label: Label) -> tuple[str, str]:
    """Return the rank seed and the name in a seat."""
    if not isinstance(slot.who, str):
        return "", slot.text_without_player.render()
    seed, name = label(slot.who)
    return seed, name if len(name) <= WIDEST else name[: WIDEST - 1] + "…"
