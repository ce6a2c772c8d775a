"""Describe what a growing log tells: each fact in a sentence, the news, the draws and their promises."""

from dataclasses import dataclass
from datetime import datetime

from topcut.app.live_events import LiveEvent
from topcut.event import facts as f
from topcut.event.describe.log_sentences import NAMING_FACTS, LogNarrator, display_names
from topcut.event.describe.news import News, NewsItem
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged, digest
from topcut.event.state import State

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
        self._said.extend(map(self._teller.tell, log.entries[len(self._said) :]))

    def last(self, log: EventLog, count: int, before: int | None = None) -> list[LogLine]:
        """Return the last lines, or the last before a position, newest first."""
        end = log.version if before is None else max(0, min(before - 1, log.version))
        return self.after(log, max(0, end - count), min(count, end))[::-1]

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


def find_latest_news(live: LiveEvent, count: int) -> list[NewsItem]:
    """Return what changed last in an event, the newest first."""
    return _get_news(live).last(live.session.log, count)


def find_news_after(live: LiveEvent, position: int) -> list[NewsItem]:
    """Return what changed in an event after a position, the oldest first."""
    return _get_news(live).after(live.session.log, position)


def _get_news(live: LiveEvent) -> News:
    return live.keep("news", None, lambda: News(live.session.log))


@dataclass(frozen=True)
class DrawRecord:
    """Describe one draw."""

    what: str
    seed: str
    attempt: int
    note: str


def list_draws(state: State, log: EventLog) -> list[DrawRecord]:
    """Return the lots before the first round, then the draws of published rounds."""
    lots = [entry.fact for entry in log.entries if entry.step not in log.undone] if state.rounds else []
    found = [
        DrawRecord(fact.kind.capitalize(), fact.seed, fact.attempt, "")
        for fact in lots
        if isinstance(fact, f.LotsDrawn)
    ]
    for a_round in state.rounds:
        note = "as the seed draws it"
        if a_round.taken:
            note = "played elsewhere and taken over from a file"
        elif a_round.edited:
            note = f"changed by hand: {'; '.join(a_round.edited)}"
        elif not a_round.as_drawn:
            note = "repaired, or records before it were corrected since"
        found.append(DrawRecord(f"Round {a_round.number}", a_round.seed, a_round.attempt, note))
    return found


@dataclass(frozen=True)
class DrawPromise:
    """Hold a commitment, and the secret behind it once it is known."""

    commitment: str
    at: datetime
    secrets: tuple[str, ...]
    rehearsal: bool


def list_promises(log: EventLog) -> list[DrawPromise]:
    """Return all commitments of an event in order. A secret that was revealed once stays revealed."""
    made: list[tuple[str, datetime, bool]] = []
    known: list[str] = []
    for entry in log.entries:
        match entry.fact:
            case f.Created(commitment=commitment, rehearsal=rehearsal):
                made.append((commitment, entry.at, rehearsal))
            case f.Committed(commitment=commitment):
                made.append((commitment, entry.at, False))
            case f.Finished(secret=secret, earlier=earlier):
                known += [secret, *earlier]
    by_digest = {digest(secret.encode()): secret for secret in known}
    return [DrawPromise(c, at, (by_digest[c],) if c in by_digest else (), r) for c, at, r in made]
