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
from topcut.rulebook.model import Book, MatchRules
from topcut.rulebook.tiebreak_keys import Scores, ValueKey
from topcut.text.messages import Message, join_messages, language_in_use, render, say, say_as

WON = say_as("box to tick", "won")
LONG = 12.0
"""Names wider than this, in multiples of the font size, are measured by Typst."""
BOX = 5.6
"""The width of a box, in millimetres."""
_DARK = re.compile(b"\x01+")
ACROSS = {8: 2, 6: 2, 4: 1, 2: 1}
"""Slips beside each other, by how many are on a page."""
LEAST_NAME = 24.0
"""Millimetres for a name beside the boxes, at least."""
GAP = 3.5
"""Millimetres behind each box, with the room for its heading."""
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
    boxes = _build_boxes(event.book, largest, draws=a_round.allows_draws)
    # Fewer on a page than asked for where not all players of a table, or the boxes beside a name, have room.
    headings = HEADINGS["+" in language_in_use()]
    tried = (choice.per_page, 6, 4, 2)
    shapes = [_find_shape(choice.paper, per_page, largest, headings) for per_page in tried]
    beside = sum(width + GAP for box in boxes["groups"] for _, width in box["boxes"])
    roomy = [shape for shape in shapes if shape.width - 2 * EDGE - beside >= LEAST_NAME] or shapes
    shape = next((shape for shape in roomy if shape.line >= LEAST), roomy[-1])
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
        "sizes": sorted({len(table.players) for table in tables}),
        "name": 12 if shape.line > 11 else 10.5,
        "line": shape.line,
        "long": measure_text(event.name) > LONG,
        "pages": cut_stack(made, shape.across * shape.down),
        **boxes,
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


def _build_boxes(book: Book, players: int, draws: bool) -> dict[str, Any]:
    """Return the boxes beside each player, the boxes of the whole table, and what they need explained."""
    match = book.match
    drop = _box(say_as("box to tick", "drop"), [""])
    note: str = ""
    if match.results == "scores":
        counts = [_box(_name_count(step), [""], 13) for step in range(1, len(match.tie_counts) + 1)]
        eliminated = _box(say_as("box to tick", "eliminated"), [""], 9.5)
        beside = [_box(_name_score(book), [""], 18), eliminated, *counts, _box(WON, [""]), drop]
        below = [_box(say("nobody won"), [""])]  # whatever the scores are (AL-9)
        note = _explain_counts(match)
    elif match.results == "winner" or players > 2:
        beside, below = [_box(WON, [""]), drop], [_box(say("draw"), [""])]
    else:
        wins = range(match.best_of // 2 + 2) if match.best_of else []
        won = _box(say("games won"), [str(n) for n in wins]) if wins else _box(say("games won"), [""], 11)
        beside = [won, drop]
        below = [_box(say("drawn games"), [""], 9)]
    if draws and match.intentional_draws and match.results != "scores":
        below.append(_box(say("intentional draw"), [""]))
    return {"groups": beside, "below": below if draws else [], "note": note}


def _name_score(book: Book) -> str:
    """Return what the book calls a score, as a key of its own."""
    for key in book.chain:
        if (
            isinstance(key, ValueKey)
            and key.of == "self"
            and isinstance(book.measures.get(key.measure), Scores)
        ):
            return key.label
    return say("score")


def _name_count(step: int) -> Message:
    if step == 1:
        return say("first count")
    return say("second count") if step == 2 else say("count {number}", number=step)


def _explain_counts(match: MatchRules) -> Message:
    """Return what is counted if players are tied for the highest score (AL-10); empty if nothing is."""
    steps = enumerate(match.tie_counts, start=1)
    said = [join_messages(": ", [_name_count(step), what]) for step, what in steps]
    return (
        say("Tied for the highest score: {counts}", counts=join_messages("; ", said)) if said else Message("")
    )


def _box(says: str, labels: list[str], width: float = BOX) -> dict[str, Any]:
    return {"says": says, "boxes": [[label, width] for label in labels]}
