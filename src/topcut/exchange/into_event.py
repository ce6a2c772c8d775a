"""From a file to an event that runs here: the command that takes it over, and what does not come along."""

from __future__ import annotations

from pathlib import Path

from topcut.event.commands import TakeOver
from topcut.exchange.opened import Content
from topcut.rulebook.frozen import frozen

SOURCES = {"event": "event file", "log": "log"}
"""What kinds of files are called in a log."""


def taking_over(
    content: Content, readings: dict[str, str] | None = None, folder: Path | None = None
) -> TakeOver:
    """The command that takes an event over; `folder` as in `Content.built`."""
    event = content.built(readings, folder)
    file = event.file
    return TakeOver(
        name=file.name,
        book=frozen(event.book),
        options=file.options,
        players=file.players,
        rounds=file.rounds,
        seed=file.seed,
        source=SOURCES[content.kind],
        original=content.original,
    )
