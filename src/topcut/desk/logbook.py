"""The log as it grows: a sentence for each fact, told once."""

from __future__ import annotations

from dataclasses import dataclass

from topcut.event.called import NAMING, display_names
from topcut.event.journal import Journal
from topcut.event.log import Logged
from topcut.event.tell import Teller

SHOWN = 4
"""Facts of a step that are told; a pasted list is one step of many."""


@dataclass(frozen=True)
class Line:
    """A fact in words."""

    entry: Logged
    says: str
    undone: bool


class _Reticent(Teller):
    """Tells nobody whom it was that never got in."""

    def refused(self, person: str) -> str:
        return "Somebody"


class Logbook:
    """The sentences of one event; it goes on from where it was. `people`: for those who may know names that
    are shown nowhere else."""

    def __init__(self, journal: Journal, people: bool = True) -> None:
        self._kind = Teller if people else _Reticent
        self._teller = self._kind(journal.private, display_names(journal))
        self._said: list[str] = []

    def read(self, journal: Journal) -> None:
        """Take in what is new; where somebody has another display name by now, tell it all again."""
        if any(isinstance(entry.fact, NAMING) for entry in journal.entries[len(self._said) :]):
            called = display_names(journal)
            if called != self._teller.called:
                self._teller, self._said = self._kind(journal.private, called), []
        self._teller.private = journal.private
        for entry in journal.entries[len(self._said) :]:
            self._said.append(self._teller.tell(entry))

    def last(self, journal: Journal, count: int, before: int | None = None) -> list[Line]:
        """The last lines, or the last before a position, newest first."""
        self.read(journal)
        end = len(self._said) if before is None else max(0, min(before - 1, len(self._said)))
        at = range(end - 1, max(-1, end - 1 - count), -1)
        entries = journal.entries
        return [Line(entries[i], self._said[i], entries[i].step in journal.undone) for i in at]

    def after(self, journal: Journal, position: int, count: int) -> list[Line]:
        """So many lines after a position, the oldest first."""
        self.read(journal)
        entries = journal.entries[position : position + count]
        return [Line(e, self._said[e.position - 1], e.step in journal.undone) for e in entries]

    def step(self, journal: Journal, step: int) -> str:
        """What a step was, in words."""
        self.read(journal)
        found = [i for i in range(step - 1, len(self._said)) if journal.entries[i].step == step]
        more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        return "; ".join(self._said[i] for i in found[:SHOWN]) + more
