"""Describe each fact of a growing log once, in a sentence."""

from dataclasses import dataclass

from topcut.event.describe.log_sentences import NAMING_FACTS, LogNarrator, display_names
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged

SHOWN = 4
"""Facts of a step that are described, at most: a pasted list is one step of many facts."""


@dataclass(frozen=True)
class LogLine:
    """Hold a fact and its sentence."""

    entry: Logged
    says: str
    undone: bool


class _Reticent(LogNarrator):
    """Describe facts without the names of people who were refused."""

    def refused(self, person: str) -> str:
        return "Somebody"


class LogView:
    """Keep the sentences of one event's log, and add those of new facts.

    `people`: whether the reader may know names that are shown nowhere else.
    """

    def __init__(self, log: EventLog, people: bool = True) -> None:
        self._kind = LogNarrator if people else _Reticent
        self._teller = self._kind(log.private, display_names(log))
        self._said: list[str] = []

    def read(self, log: EventLog) -> None:
        """Describe new facts; where a display name has changed, describe all facts again."""
        if any(isinstance(entry.fact, NAMING_FACTS) for entry in log.entries[len(self._said) :]):
            called = display_names(log)
            if called != self._teller.called:
                self._teller, self._said = self._kind(log.private, called), []
        self._teller.private = log.private
        for entry in log.entries[len(self._said) :]:
            self._said.append(self._teller.tell(entry))

    def last(self, log: EventLog, count: int, before: int | None = None) -> list[LogLine]:
        """Return the last lines, or the last before a position, newest first."""
        self.read(log)
        end = len(self._said) if before is None else max(0, min(before - 1, len(self._said)))
        at = range(end - 1, max(-1, end - 1 - count), -1)
        entries = log.entries
        return [LogLine(entries[i], self._said[i], entries[i].step in log.undone) for i in at]

    def after(self, log: EventLog, position: int, count: int) -> list[LogLine]:
        """Return at most `count` lines after a position, oldest first."""
        self.read(log)
        entries = log.entries[position : position + count]
        return [LogLine(e, self._said[e.position - 1], e.step in log.undone) for e in entries]

    def step(self, log: EventLog, step: int) -> str:
        """Return a step in words."""
        self.read(log)
        found = [i for i in range(step - 1, len(self._said)) if log.entries[i].step == step]
        more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        return "; ".join(self._said[i] for i in found[:SHOWN]) + more
