"""Describe what a growing log tells: each fact in a sentence, the news, the draws and their promises."""

from dataclasses import dataclass

from msgspec.structs import replace

from topcut.app.live_events import LiveEvent
from topcut.client.schemas import Draw, Promise
from topcut.event import facts as f
from topcut.event.describe.log_sentences import (
    NAMING_FACTS,
    LogNarrator,
    describe_step,
    display_names,
)
from topcut.event.describe.news import News, NewsItem
from topcut.event.event_log import EventLog
from topcut.event.log_chain import Logged, digest
from topcut.event.state import State
from topcut.text.messages import Message, say

KINDS = {"flights": say("Flights"), "pods": say("Pods"), "seats": say("Seats")}
"""What lots before the first round are called."""


@dataclass(frozen=True)
class LogLine:
    """Hold a fact and its sentence."""

    entry: Logged
    says: Message
    undone: bool


class _Reticent(LogNarrator):
    """Describe facts without the names of people who were refused."""

    def refused(self, person: str) -> str:
        return ""


class LogView:
    """Keep the sentences of one event's log, and add those of new facts.

    `people`: whether the reader may know names that are shown nowhere else.
    """

    def __init__(self, log: EventLog, people: bool = True) -> None:
        self._kind = LogNarrator if people else _Reticent
        self._teller = self._kind(log.private, display_names(log))
        self._said: list[Message] = []

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

    def step(self, log: EventLog, step: int) -> Message:
        """Return a step in words."""
        self.read(log)
        facts = zip(log.entries[step - 1 :], self._said[step - 1 :], strict=True)
        return describe_step([says for entry, says in facts if entry.step == step])


def find_latest_news(live: LiveEvent, count: int) -> list[NewsItem]:
    """Return what changed last in an event, the newest first."""
    return _get_news(live).last(live.session.log, count)


def find_news_after(live: LiveEvent, position: int) -> list[NewsItem]:
    """Return what changed in an event after a position, the oldest first."""
    return _get_news(live).after(live.session.log, position)


def _get_news(live: LiveEvent) -> News:
    return live.keep("news", None, lambda: News(live.session.log))


def list_draws(state: State, log: EventLog) -> list[Draw]:
    """Return the lots before the first round, then the draws of published rounds."""
    found = [
        Draw(
            what=say("Pods of draft {draft}", draft=entry.fact.draft),
            seed=entry.fact.seed,
            attempt=entry.fact.attempt,
            note="",
        )
        for entry in log.entries
        if isinstance(entry.fact, f.DraftBegan) and entry.step not in log.undone
    ]
    found += [
        Draw(what=KINDS[entry.fact.kind], seed=entry.fact.seed, attempt=entry.fact.attempt, note="")
        for entry in log.entries
        if state.rounds and isinstance(entry.fact, f.LotsDrawn) and entry.step not in log.undone
    ]
    for a_round in state.rounds:
        note = say("as paired from the seed")
        if a_round.taken:
            note = say("played elsewhere and imported from a file")
        elif a_round.edited:
            note = say("changed by hand: {reasons}", reasons="; ".join(a_round.edited))
        elif not a_round.as_drawn:
            note = say("updated after it was paired, or earlier results were corrected")
        what = say("Round {number}", number=a_round.number)
        found.append(Draw(what=what, seed=a_round.seed, attempt=a_round.attempt, note=note))
    return found


def list_promises(log: EventLog) -> list[Promise]:
    """Return all commitments of an event in order. A secret that was revealed once stays revealed."""
    made: list[Promise] = []
    known: dict[str, str] = {}
    for entry in log.entries:
        match entry.fact:
            case f.Created(commitment=commitment, rehearsal=rehearsal):
                made.append(Promise(commitment=commitment, at=entry.at, secrets=[], rehearsal=rehearsal))
            case f.Committed(commitment=commitment):
                made.append(Promise(commitment=commitment, at=entry.at, secrets=[], rehearsal=False))
            case f.Finished(secret=secret, earlier=earlier):
                known |= {digest(one.encode()): one for one in (secret, *earlier)}
    return [replace(one, secrets=[known[c]]) if (c := one.commitment) in known else one for one in made]
