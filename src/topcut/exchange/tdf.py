"""TOM's .tdf files: the events of one program, read at any moment and written back with everything it knows.

    event = read(raw).file
    again = write(event, original=raw, at=datetime.now())

Only this module knows whose files they are; `tdf_sheet` says what stands in one, `tdf_read` what that means.
"""

from __future__ import annotations

from dataclasses import dataclass

from topcut.exchange import tdf_read, tdf_sheet
from topcut.exchange.event_file import EventFile
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
