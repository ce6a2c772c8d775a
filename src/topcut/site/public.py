"""The event as the web may know it: as everybody may, and without a word about somebody's disk."""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from topcut.exchange.event_file import Event, built
from topcut.exchange.public import public


def for_the_web(event: Event) -> Event:
    """The event for everybody; a book of one's own is called by its file, not by its path."""
    shown = public(event)
    rules = PurePath(shown.file.rules.replace("\\", "/")).name
    return built(replace(shown.file, rules=rules), book=event.book)
