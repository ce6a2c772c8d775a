"""The event in a file, whatever it is written in: what it is shows in its bytes, not in its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from topcut.errors import BadInput
from topcut.exchange import event_file, log_file
from topcut.exchange.event_file import Event, EventFile
from topcut.exchange.foreign import is_xml, refuse_foreign
from topcut.rulebook import Book

if TYPE_CHECKING:
    from topcut.event.state import State

Sheet = Literal["players", "pairings", "standings", "results"]
Kind = Literal["event", "log", "tdf"] | Sheet


@dataclass(frozen=True)
class Content:
    """What a file says of an event."""

    kind: Kind
    file: EventFile
    book: Book | None = None
    """The ruleset, where the file brings it along."""
    notes: tuple[str, ...] = ()
    """What was decided when it was read, a sentence each."""
    unsaid: tuple[str, ...] = ()
    """What the file says and an event file cannot, likewise."""
    original: str | None = None
    """Its text, where it says more than that and can be written back."""
    forgotten: bool = False
    """Whether there was one, and it is deleted with somebody whom it named."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """Names that players sign in with, where others are shown: id to name."""
    finished: bool | None = None
    """Whether the event is over, where the file knows it."""
    log: log_file.LogFile | None = None
    """What happened, fact by fact, where the file knows it."""
    state: State | None = None
    """What all of that comes to, likewise."""

    def built(self, readings: dict[str, str] | None = None, folder: Path | None = None) -> Event:
        """What follows from it, once it is found possible."""
        return event_file.built(self.file, readings, folder, None if readings else self.book)


@dataclass(frozen=True)
class Said:
    """What somebody says of a list, which does not say it itself."""

    rules: str | None = None
    name: str | None = None
    columns: str | None = None
    """What its columns mean, where the guess is wrong."""
    folder: Path | None = None
    """Where books of one's own are looked for."""


class NeedsRules(BadInput):
    """A list does not say by which rules it is played."""

    def __init__(self, kind: Sheet) -> None:
        self.kind = kind
        problem = f"this is a list of {kind}: expected the rules beside it, which it does not say"
        super().__init__(problem, place="rules")


def content(raw: bytes, said: Said | None = None) -> Content:
    """What stands in a file."""
    refuse_foreign(raw)
    if log_file.is_log(raw):
        from topcut.exchange import from_state

        log, journal = log_file.checked(raw)
        return from_state.content(log, journal.state)
    if is_xml(raw):
        from topcut.exchange.tdf import tom

        read = tom.read(raw)
        return Content("tdf", read.file, notes=read.notes, unsaid=read.unsaid, original=read.original)
    said = said or Said()
    if said.rules is not None or _has_lines(raw):
        from topcut.exchange.lists import events

        if (kind := events.kind_of(raw)) is not None:
            return _list(raw, kind, said)
    return Content("event", event_file.decode(raw))


def _has_lines(raw: bytes) -> bool:
    """Whether this may be a list, in whatever letters: several lines, and no JSON object."""
    start = raw[:1024].translate(None, b"\0\xff\xfe\xef\xbb\xbf").lstrip()
    return start[:1] not in (b"", b"{") and (b"\n" in start.rstrip() or b"\r" in start.rstrip())


def _list(raw: bytes, kind: Sheet, said: Said) -> Content:
    from topcut.exchange.lists import events

    if said.rules is None:
        raise NeedsRules(kind)
    kind, file, notes = events.read_csv(raw, said.rules, said.name or "An event", said.columns, said.folder)
    return Content(kind, file, notes=tuple(notes))


def onto(content: Content, raw: bytes) -> Content:
    """The same, to be written back onto the .tdf with these bytes."""
    from topcut.exchange.tdf import tom

    read = tom.read(raw)
    theirs = {player.member for player in read.file.players}
    if theirs and not any(player.member in theirs or player.id in theirs for player in content.file.players):
        raise BadInput("this is another event, in which nobody of this one plays: expected its own file")
    return replace(content, original=read.original)
