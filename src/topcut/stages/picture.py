"""A bracket as a drawing: SVG that is crisp at any size and reads in black and white.

Winners stand in bold on heavy lines, losers in grey on light ones; nothing depends on colour. Alone it brings
its own style; as a part of a page it takes the page's, and says which table and player each piece is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from topcut.stages.graph import RankSeed
from topcut.stages.layout import Join, Slot, Tree, comes_from
from topcut.stages.play import EMPTY

ROW, GAP, PAD = 17, 30, 16
"""Half the distance between two leaves, the room for lines between columns, the margin."""
WIDEST = 26
"""Letters of a name before it is cut."""
LETTER, SMALL_LETTER = 7.4, 5.6
TITLE = 30
SCALE = 1.25
"""How much larger it is in a page, whose text is."""


def svg(
    trees: list[Tree],
    label: Callable[[str], tuple[str, str]],
    title: str,
    measure: Callable[[str], int] = len,
    inside: Callable[[str], int | None] | None = None,
) -> str:
    """The whole bracket; `label` gives a player's rank seed and name, `measure` the letters' widths.

    `inside` a page: it gives the number of the table at which a table of the bracket is played.
    """
    room = _room(trees, label, measure)
    parts: list[str] = []
    top, width = PAD + TITLE, 0.0
    for tree in trees:
        if tree.title:
            parts.append(f'<text class="part" x="{PAD}" y="{top + 4}">{escape(tree.title)}</text>')
            top += TITLE
        parts += _tree(tree, label, room, top) if inside is None else _pieces(tree, label, room, top, inside)
        width = max(width, 2 * PAD + tree.columns * (room + GAP) - GAP)
        top += tree.rows * ROW + TITLE
    heading = f'<text class="title" x="{PAD}" y="{PAD + 12}">{escape(title)}</text>'
    if inside is not None:
        top -= TITLE
        box = f'viewBox="0 {TITLE} {width:.0f} {top - TITLE}"'
        size = f'{box} width="{SCALE * width:.0f}" height="{SCALE * (top - TITLE):.0f}"'
        lines = "\n".join(parts)
        return f'<svg class="bracket" {size} role="img" aria-label="{escape(title)}">\n{lines}\n</svg>\n'
    size = f'viewBox="0 0 {width:.0f} {top}" width="{width:.0f}" height="{top}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">\n'
        f"<style>{_STYLE}</style>\n{heading}\n" + "\n".join(parts) + "\n</svg>\n"
    )


_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}"
    ".title{font-weight:700;font-size:16px}.part{font-weight:600;fill:#555}"
    ".seed{fill:#666;font-size:11px;text-anchor:end}.won{font-weight:700;fill:#000}"
    ".out{fill:#666}.open{fill:#737373;font-style:italic}.table{fill:#737373;font-size:9.5px;text-anchor:end}"
    "path{fill:none;stroke:#bbb;stroke-width:1}.on{stroke:#000;stroke-width:2.4}"
    "@media (prefers-color-scheme:dark){text,.seed,.out,.open,.part,.table{fill:#bbb}"
    ".won{fill:#fff}.on{stroke:#fff}path{stroke:#666}}"
)


def _room(trees: list[Tree], label: Callable[[str], tuple[str, str]], measure: Callable[[str], int]) -> float:
    """How wide a seat is."""
    names = [_text(slot, label)[1] for tree in trees for slot in tree.slots]
    tables = [len(join.table) for tree in trees for join in tree.joins]
    return 26 + LETTER * max(8, *(measure(name) for name in names)) + SMALL_LETTER * max(tables)


def _tree(tree: Tree, label: Callable[[str], tuple[str, str]], room: float, top: int) -> Iterator[str]:
    for join in sorted(tree.joins, key=lambda join: join.upper_won or join.lower_won):
        yield from _lines(join, room, top)
    for slot in tree.slots:
        x, y = PAD + slot.begin * (room + GAP), top + slot.row * ROW
        seed, name, kind = _text(slot, label)
        if seed:
            yield f'<text class="seed" x="{x + 18:.1f}" y="{y + 4}">{escape(seed)}</text>'
        yield f'<text class="{kind}" x="{x + 24:.1f}" y="{y + 4}">{escape(name)}</text>'


def _pieces(
    tree: Tree,
    label: Callable[[str], tuple[str, str]],
    room: float,
    top: int,
    number: Callable[[str], int | None],
) -> Iterator[str]:
    """The same in a page: a group for each table's lines and for each seat, with what they stand for."""
    for join in sorted(tree.joins, key=lambda join: join.upper_won or join.lower_won):
        yield f'<g class="join"{_of(join.table, number)}>{"".join(_lines(join, room, top))}</g>'
    for slot in tree.slots:
        x, y = PAD + slot.begin * (room + GAP), top + slot.row * ROW
        seed, name, kind = _text(slot, label)
        player = f' data-player="{escape(slot.who)}"' if isinstance(slot.who, str) else ""
        yield (
            f'<g class="slot"{_of(slot.feeds, number)}{player}>'
            f'<rect x="{x:.1f}" y="{y - ROW / 2 - 2:.1f}" width="{room:.1f}" height="{ROW + 3}"/>'
            + (f'<text class="seed" x="{x + 18:.1f}" y="{y + 4}">{escape(seed)}</text>' if seed else "")
            + f'<text class="{kind}" x="{x + 24:.1f}" y="{y + 4}">{escape(name)}</text></g>'
        )


def _of(name: str, number: Callable[[str], int | None]) -> str:
    """Which table of the bracket, and at which table of the hall."""
    if not name:
        return ""
    at = number(name)
    return f' data-join="{escape(name)}"' + (f' data-table="{at}"' if at is not None else "")


def _lines(join: Join, room: float, top: int) -> Iterator[str]:
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


def _text(slot: Slot, label: Callable[[str], tuple[str, str]]) -> tuple[str, str, str]:
    """The rank seed, the name and the kind of what stands in a seat."""
    if isinstance(slot.who, str):
        seed, name = label(slot.who)
        kind = "won" if slot.won else "out" if slot.lost else "in"
        return seed, name if len(name) <= WIDEST else name[: WIDEST - 1] + "…", kind
    if slot.who is EMPTY:
        return "", "bye" if isinstance(slot.source, RankSeed) else "nobody", "open"
    return "", comes_from(slot.source), "open"
