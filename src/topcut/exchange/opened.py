"""The event in a file, whatever it is written in: what it is shows in its bytes, not in its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from topcut.exchange import event_file, log_file
from topcut.exchange.event_file import Event, EventFile
from topcut.exchange.files import file_bytes, folder_of, naming
from topcut.exchange.foreign import refuse_foreign
from topcut.history.divisions import for_everybody
from topcut.rulebook import Book

Kind = Literal["event", "log"]


@dataclass(frozen=True)
class Content:
    """What a file says of an event."""

    kind: Kind
    file: EventFile
    book: Book | None = None
    """The ruleset, where the file brings it along."""
    notes: tuple[str, ...] = ()
    """What the file says and an event file cannot, a sentence each."""
    original: str | None = None
    """Its text, where it says more than that and can be written back."""
    log: log_file.LogFile | None = None
    """What happened, fact by fact, where the file knows it."""

    def built(self, readings: dict[str, str] | None = None, folder: Path | None = None) -> Event:
        """What follows from it, once it is found possible."""
        return event_file.built(self.file, readings, folder, None if readings else self.book)


def open_event(path: str, readings: dict[str, str] | None = None) -> Event:
    """Read, check and build the event in a file; `-` is standard input."""
    with naming(path):
        return content(file_bytes(path)).built(readings, folder_of(path))


def content(raw: bytes, rules: str | None = None, name: str | None = None) -> Content:
    """What stands in a file. `rules` and `name`: for lists, which do not say it."""
    refuse_foreign(raw)
    if log_file.is_log(raw):
        from topcut.exchange import from_state

        return from_state.content(log_file.checked(raw))
    return Content("event", event_file.decode(raw))


def public(event: Event) -> Event:
    """The event without what only staff may know: membership numbers, birth years, labels."""
    players = tuple(for_everybody(player, event.book) for player in event.file.players)
    return event_file.built(replace(event.file, players=players), book=event.book)
