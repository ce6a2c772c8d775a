"""TOM's .tdf files: the events of one program, read at any moment and written back with everything it knows.

    event = read(raw).file
    again = write(event, original=raw, at=datetime.now())

Only this module knows whose files they are; `tdf_sheet` says what stands in one, `tdf_read` what that means.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from topcut.exchange import tdf_losses, tdf_new, tdf_read, tdf_rounds, tdf_sheet, tdf_write
from topcut.exchange.event_file import EventFile
from topcut.exchange.xml_edit import Pen
from topcut.exchange.xml_tree import parsed, root_name, written
from topcut.rulebook import load

RULES = "pokemon-tom"
GAMES = {"TRADING_CARD_GAME": None, "VIDEO_GAME": "vg"}
"""Kind of game to the round table it is played by; None: the usual one."""


@dataclass(frozen=True)
class Read:
    """The event in a file."""

    file: EventFile
    notes: tuple[str, ...]
    """What was decided, and what an event file cannot hold, a sentence each."""
    original: str
    """The file itself, to be written back."""


def is_tdf(raw: bytes) -> bool:
    """Whether these are the bytes of such a file."""
    return root_name(raw) == "tournament"


def read(raw: bytes) -> Read:
    """The event in such a file."""
    document = parsed(raw)
    file, notes = tdf_read.event_of(tdf_sheet.sheet(document, GAMES), load(RULES), GAMES)
    return Read(file, tuple(notes), written(document).decode())


def losses(event: EventFile) -> list[str]:
    """What such a file cannot hold of an event, a sentence each; what cannot be written is an error."""
    return tdf_losses.losses(event, load(RULES))


def write(file: EventFile, original: bytes | None, at: datetime, finished: bool | None = None) -> bytes:
    """The event as such a file: onto the one it came from, where all else stays as it is, or onto a new one.

    `at`: the moment that changes are given. `finished`: with the final places; None: as the original was.
    """
    book = load(RULES)
    tdf_losses.check(file, book)
    if original is None:
        game, type, mode = _kind(file)
        document = tdf_new.empty_file(file.name, game, type, mode, at)
    else:
        document = parsed(original)
    sheet = tdf_sheet.sheet(document, GAMES)
    before, _ = tdf_read.event_of(sheet, book, GAMES)
    known = {player.id for player in before.players}
    event = tdf_write.with_userids(tdf_losses.kept(file, book), known)
    if event == before and finished in (None, sheet.stage == tdf_sheet.FINISHED):
        return written(document)
    writing = tdf_write.Writing(sheet, before, event, book, at, Pen(document.root))
    tdf_write.write_name(writing)
    tdf_write.write_players(writing)
    tdf_rounds.write_rounds(writing, finished)
    tdf_write.write_drops(writing)
    tdf_write.write_cuts(writing)
    tdf_write.write_end(writing, finished)
    return written(document)


def _kind(file: EventFile) -> tuple[str, int, str]:
    """Kind of game, type and mode of a new file: an event of nobody's series."""
    game = next((game for game, table in GAMES.items() if table == file.options.table), "TRADING_CARD_GAME")
    return game, tdf_sheet.TYPES[0], "CUSTOM"
