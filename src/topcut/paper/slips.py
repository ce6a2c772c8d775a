"""Slips for results (PK-57): what stands on them, and in which order they are cut and stacked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import segno

from topcut.errors import BadInput
from topcut.history.model import Table
from topcut.paper.choice import PER_PAGE, Choice, Paper
from topcut.paper.measures import EDGE, PAPERS, ems
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named, round_words
from topcut.paper.stack import cut_stack
from topcut.paper.words import time_words
from topcut.rulebook.model import Match

LONG = 12.0
"""Names wider than this many letters' heights are measured."""
BOX = 5.6
"""The width of a box, in millimetres."""
_DARK = re.compile(b"\x01+")
ACROSS = {8: 2, 6: 2, 4: 1, 2: 1}
"""Slips beside each other, by how many are on a page."""
LEAST, MOST = 8.2, 19.0
"""The height of a player's line in millimetres."""
HEADINGS, BELOW = 4.0, 6.4


def slips(occasion: Occasion, choice: Choice) -> Page:
    """A slip for each table of a round at which at least two sit."""
    if choice.per_page not in PER_PAGE:
        raise BadInput(f"expected 4, 6 or 8 slips on a page, not {choice.per_page}")
    number, a_round = occasion.round(choice.round)
    tables = [table for table in choice.tables_of(occasion, number, a_round) if len(table.players) > 1]
    if not tables:
        raise BadInput(f"nobody has an opponent in round {number}: there are no slips")
    largest = max(len(table.players) for table in tables)
    shape = _shape(choice, largest)
    scores = occasion.scores(number, a_round)
    made = [_slip(occasion, number, table, scores) for table in tables]
    title = f"{round_words(number, a_round)}: slips"
    data = {
        "round": round_words(number, a_round),
        "time": time_words(occasion.book.match, occasion.minutes.get(number)),
        "across": shape.across,
        "down": shape.down,
        "slip": [shape.width, shape.height],
        "edge": EDGE,
        "below_height": BELOW,
        "dense": shape.across > 1,
        "code": None if occasion.link is None else shape.code,
        "players": largest,
        "name": 12 if shape.line > 11 else 10.5,
        "line": shape.line,
        "long": ems(occasion.name) > LONG,
        "pages": [
            [None if at is None else made[at] for at in page]
            for page in cut_stack(len(tables), shape.across * shape.down)
        ],
        **_form(occasion.book.match, largest, draws=a_round.stage != "elimination"),
    }
    return Page("slips", about(occasion, choice, title, number=number) | data, named(occasion))


@dataclass(frozen=True)
class Shape:
    """How slips lie on a page, in millimetres."""

    across: int
    down: int
    width: float
    height: float
    code: float
    """The side of the QR code, which is as high as the head."""
    line: float
    """The height of a player's line."""


def _shape(choice: Choice, players: int) -> Shape:
    """As many on a page as were asked for; fewer where that leaves no room for all players of a table."""
    shapes = [_laid(choice.paper, per_page, players) for per_page in (choice.per_page, 6, 2)]
    return next((shape for shape in shapes if shape.line >= LEAST), shapes[-1])


def _laid(paper: Paper, per_page: int, players: int) -> Shape:
    width, height = PAPERS[paper]
    across = ACROSS[per_page]
    down = per_page // across
    code = (19.0 if across > 1 else 23.0) if players <= 2 else 14.0
    room = height / down - 2 * EDGE - code - HEADINGS - BELOW
    return Shape(across, down, width / across, height / down, code, min(MOST, room / players))


def _slip(
    occasion: Occasion, number: int, table: Table, scores: Mapping[str, tuple[Any, str]]
) -> dict[str, Any]:
    players = []
    for player_id in table.players:
        says = []
        if scores:
            points, record = scores[player_id]
            word = occasion.points_word.removesuffix("s") if points == 1 else occasion.points_word
            says = [f"{record}, {points} {word}"]
        if member := occasion.by_id[player_id].member:
            says.append(member)
        name = occasion.names[player_id]
        players.append({"name": name, "says": " · ".join(says), "long": ems(name) > LONG})
    at = "–" if table.table is None else table.table
    code = None if occasion.link is None else _code(occasion.link(number, at))
    return {"table": str(at), "players": players, "new": occasion.is_new(number, table), "code": code}


def _code(address: str) -> str:
    """A QR code as a drawing; a smudge on it does no harm."""
    try:
        code = segno.make(address, error="m", micro=False, mask=0)  # looking for the best mask takes longest
    except segno.DataOverflowError:
        raise BadInput("this address is too long for a QR code", place="link") from None
    side = code.symbol_size(border=2)[0]
    strokes = [
        f"M{run.start() + 2} {y}.5h{run.end() - run.start()}"
        for y, line in enumerate(code.matrix, start=2)
        for run in _DARK.finditer(line)
    ]
    box = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"'
    return f'<svg {box}><path stroke="#000" d="{"".join(strokes)}"/></svg>'


def _form(match: Match, players: int, draws: bool) -> dict[str, Any]:
    """The boxes: those beside each player, and those of the whole table."""
    drop = _group("drop", [""])
    if match.results == "scores":
        beside = [_group("score", [""], 13), _group("won", [""]), _group("out", [""]), drop]
        below = [_group("nobody won", [""])]  # whatever the scores are (AL-9)
    elif match.results == "winner" or players > 2:
        beside, below = [_group("won", [""]), drop], [_group("draw", [""])]
    else:
        wins = range(match.best_of // 2 + 1 + 1) if match.best_of else []
        beside = [
            _group("games won", [str(n) for n in wins]) if wins else _group("games won", [""], 11),
            drop,
        ]
        below = [_group("drawn games", [""], 9)]
    if draws and match.intentional_draws:
        below = [*below, _group("draw agreed on", [""])]
    return {"groups": beside, "below": below if draws else []}


def _group(says: str, labels: list[str], width: float = BOX) -> dict[str, Any]:
    return {"says": says, "boxes": [[label, width] for label in labels]}
