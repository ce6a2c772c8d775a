"""Build slips for results (PK-57), in the order in which they are cut and stacked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import segno

from topcut.errors import BadInput
from topcut.history.model import Table
from topcut.printing.page import (
    PER_PAGE,
    Paper,
    PrintOptions,
    SheetPage,
    build_page,
    cut_stack,
    describe_time,
    name_round,
)
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.typesetting import EDGE, PAPERS, measure_text
from topcut.rulebook.model import MatchRules
from topcut.text.messages import join_messages, language_in_use, render, say, say_as

WON = say_as("box to tick", "won")
LONG = 12.0
"""Names wider than this, in multiples of the font size, are measured by Typst."""
BOX = 5.6
"""The width of a box, in millimetres."""
_DARK = re.compile(b"\x01+")
ACROSS = {8: 2, 6: 2, 4: 1, 2: 1}
"""Slips beside each other, by how many are on a page."""
LEAST, MOST = 8.2, 19.0
"""The height of a player's line in millimetres."""
HEADINGS, BELOW = (4.0, 6.8), 6.4
"""Millimetres above and below the lines of players; headings in one language, and in two."""


def build_slips(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build a slip for each table of a round with at least two players."""
    if choice.per_page not in PER_PAGE:
        problem = say("expected 4, 6 or 8 slips on a page, not {given}", given=choice.per_page)
        raise BadInput(problem)
    number, a_round = event.round(choice.round)
    tables = [table for table in choice.select_tables(event, number, a_round) if len(table.players) > 1]
    if not tables:
        raise BadInput(say("round {number} has no slips: no player has an opponent", number=number))
    largest = max(len(table.players) for table in tables)
    # Fewer on a page than asked for where not all players of a table have room.
    headings = HEADINGS["+" in language_in_use()]
    shapes = [_find_shape(choice.paper, per_page, largest, headings) for per_page in (choice.per_page, 6, 2)]
    shape = next((shape for shape in shapes if shape.line >= LEAST), shapes[-1])
    scores = event.scores(number, a_round)
    made = [_build_slip(event, number, table, scores) for table in tables]
    name = name_round(number, a_round)
    data = {
        "round": name,
        "time": describe_time(event.book, event.options, event.minutes.get(number)),
        "across": shape.across,
        "down": shape.down,
        "slip": [shape.width, shape.height],
        "edge": EDGE,
        "below_height": BELOW,
        "headings": headings,
        "dense": shape.across > 1,
        "code": None if event.link is None else shape.code,
        "players": largest,
        "name": 12 if shape.line > 11 else 10.5,
        "line": shape.line,
        "long": measure_text(event.name) > LONG,
        "pages": cut_stack(made, shape.across * shape.down),
        **_build_boxes(event.book.match, largest, draws=a_round.allows_draws),
    }
    return build_page("slips", event, choice, say("{round}: result slips", round=name), data, number=number)


@dataclass(frozen=True)
class SlipShape:
    """The number and size of slips on a page, in millimetres."""

    across: int
    down: int
    width: float
    height: float
    code: float
    """The side of the QR code, which is as high as the head."""
    line: float
    """The height of a player's line."""


def _find_shape(paper: Paper, per_page: int, players: int, headings: float) -> SlipShape:
    width, height = PAPERS[paper]
    across = ACROSS[per_page]
    down = per_page // across
    code = (19.0 if across > 1 else 23.0) if players <= 2 else 14.0
    room = height / down - 2 * EDGE - code - headings - BELOW
    return SlipShape(across, down, width / across, height / down, code, min(MOST, room / players))


def _build_slip(
    event: PrintedEvent, number: int, table: Table, scores: Mapping[str, tuple[Any, str]]
) -> dict[str, Any]:
    players = []
    for player_id in table.players:
        says: list[str] = []
        if scores:
            points, record = scores[player_id]
            record, label = render(record), render(event.points_word)  # each in all languages
            says = [say("{record} · {label}: {points}", record=record, label=label, points=points)]
        if member := event.by_id[player_id].member:
            says.append(member)
        name = event.names[player_id]
        players.append({"name": name, "says": join_messages(" · ", says), "long": measure_text(name) > LONG})
    at = "–" if table.table is None else table.table
    code = None if event.link is None else _draw_code(event.link(number, at))
    return {"table": str(at), "players": players, "new": event.is_new(number, table), "code": code}


def _draw_code(address: str) -> str:
    """Return a QR code as SVG; a smudge on it does no harm."""
    try:
        code = segno.make(address, error="m", micro=False, mask=0)  # looking for the best mask takes longest
    except segno.DataOverflowError:
        raise BadInput(say("this address is too long for a QR code"), place="link") from None
    side = code.symbol_size(border=2)[0]
    strokes = [
        f"M{run.start() + 2} {y}.5h{run.end() - run.start()}"
        for y, line in enumerate(code.matrix, start=2)
        for run in _DARK.finditer(line)
    ]
    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"'
    return f'<svg {box}><path stroke="#000" d="{"".join(strokes)}"/></svg>'


def _build_boxes(match: MatchRules, players: int, draws: bool) -> dict[str, Any]:
    """Return the boxes beside each player, and the boxes of the whole table."""
    drop = _box(say_as("box to tick", "drop"), [""])
    if match.results == "scores":
        beside = [
            _box(say("score"), [""], 13),
            _box(WON, [""]),
            _box(say_as("box to tick", "out"), [""]),
            drop,
        ]
        below = [_box(say("no winner"), [""])]  # whatever the scores are (AL-9)
    elif match.results == "winner" or players > 2:
        beside, below = [_box(WON, [""]), drop], [_box(say("draw"), [""])]
    else:
        wins = range(match.best_of // 2 + 2) if match.best_of else []
        won = _box(say("games won"), [str(n) for n in wins]) if wins else _box(say("games won"), [""], 11)
        beside = [won, drop]
        below = [_box(say("drawn games"), [""], 9)]
    if draws and match.intentional_draws:
        below.append(_box(say("intentional draw"), [""]))
    return {"groups": beside, "below": below if draws else []}


def _box(says: str, labels: list[str], width: float = BOX) -> dict[str, Any]:
    return {"says": says, "boxes": [[label, width] for label in labels]}
