"""TOM's .tdf files: the events of one program, read at any moment and written back with everything it knows.

    event = read(raw).file
    again = write(event, original=raw, at=datetime.now())

Only this module knows whose files they are; `sheet` says what stands in one, `read` what that means.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from topcut.exchange.event_file import EventFile
from topcut.exchange.tdf import losses as lost
from topcut.exchange.tdf import write as onto
from topcut.exchange.tdf.edit import Pen
from topcut.exchange.tdf.new import empty_file
from topcut.exchange.tdf.read import OVER, UNSAID, event_of
from topcut.exchange.tdf.rounds import write_rounds
from topcut.exchange.tdf.sheet import FINISHED, TYPES, sheet_of
from topcut.exchange.tdf.tree import parsed, written
from topcut.rulebook import load

RULES = "pokemon-tom"
GAMES = {"TRADING_CARD_GAME": None, "VIDEO_GAME": "vg"}
"""Kind of game to the round table it is played by; None: the usual one."""


@dataclass(frozen=True)
class Read:
    """The event in a file."""

    file: EventFile
    notes: tuple[str, ...]
    """What was decided, a sentence each."""
    unsaid: tuple[str, ...]
    """What an event file cannot hold; it stays in the file."""
    original: str
    """The file itself, to be written back."""


def read(raw: bytes) -> Read:
    """The event in such a file."""
    document = parsed(raw)
    sheet = sheet_of(document, GAMES)
    file, notes = event_of(sheet, load(RULES), GAMES)
    unsaid = (UNSAID, OVER) if sheet.stage == FINISHED else (UNSAID,)
    return Read(file, tuple(notes), unsaid, written(document).decode())


def losses(event: EventFile) -> list[str]:
    """What such a file cannot hold of an event, a sentence each; what cannot be written is an error."""
    return lost.losses(event, load(RULES))


def write(file: EventFile, original: bytes | None, at: datetime, finished: bool | None = None) -> bytes:
    """The event as such a file: onto the one it came from, where all else stays as it is, or onto a new one.

    `at`: the moment that changes are given. `finished`: with the final places; None: as the original was.
    """
    book = load(RULES)
    lost.check(file, book)
    if original is None:
        game, event_type, mode = _kind(file)
        document = empty_file(file.name, game, event_type, mode, at)
    else:
        document = parsed(original)
    sheet = sheet_of(document, GAMES)
    before, _ = event_of(sheet, book, GAMES)
    known = {player.id for player in before.players}
    here = lost.kept(file, book)
    ids = onto.userids(here, known)
    event = onto.with_userids(here, ids)
    if event == before and finished in (None, sheet.stage == FINISHED):
        return written(document)
    writing = onto.Writing(sheet, before, event, here, ids, book, at, Pen(document.root))
    onto.write_name(writing)
    onto.write_players(writing)
    write_rounds(writing, finished)
    onto.write_drops(writing)
    onto.write_cuts(writing)
    onto.write_end(writing, finished)
    return written(document)


def _kind(file: EventFile) -> tuple[str, int, str]:
    """Kind of game, type and mode of a new file: an event of nobody's series."""
    game = next((game for game, table in GAMES.items() if table == file.options.table), "TRADING_CARD_GAME")
    return game, TYPES[0], "CUSTOM"
