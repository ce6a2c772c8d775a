"""What waits for its turn at an event? Requests, each with its commands, decided together and answered one by
one.

A durable change costs a wait for the database, however much is in it. While one is written the next requests
gather, so that a hall that reports at once waits hardly longer than a single table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from topcut.event.commands import AnyCommand, Redo, Undo
from topcut.event.decide import decide, settle_round
from topcut.event.deciding import Context, Decision
from topcut.event.drawing import settles_later
from topcut.event.journal import Journal
from topcut.event.log import lines
from topcut.event.refusals import NotNow
from topcut.store.model import Change, Moved, Receipt

Allowed = Callable[[AnyCommand, Journal], None]
"""Refuses a command that somebody may not give to an event as it stands."""
RECEIPTS = "receipt"
"""The space of the receipts of requests."""
DELETED = "This was done before. What was said of it is deleted, as names of players are."
Told = Callable[[Journal, Sequence[Decision]], None]
"""Hears what commands come to before it is written, with the event as it will be right after them."""


class Kept(Struct, frozen=True, omit_defaults=True):
    """What a receipt says: what was answered, to which request, about which event."""

    asked: str
    answer: Any
    event: str = ""
    """Empty in those of earlier versions."""


def without_names(event: str) -> Change:
    """From the receipt of a request to the same without the sentences of its answer, in which names can be;
    those of other events stay. That it was done, and its facts, are kept."""

    def change(value: bytes) -> bytes:
        kept = msgspec.json.decode(value, type=Kept)
        if kept.event not in ("", event) or not isinstance(kept.answer, dict):
            return value
        if not (kept.answer.get("warnings") or kept.answer.get("says") not in ([], None, [DELETED])):
            return value
        answer = kept.answer | {"says": [DELETED], "warnings": []}
        return msgspec.json.encode(Kept(kept.asked, answer, kept.event))

    return change


@dataclass(frozen=True)
class Once:
    """Something that is done once, however often it is asked for: where its receipt is, and what that says.

    Whoever asks again gets `Repeated` with what was said the first time.
    """

    space: str
    key: str
    until: datetime
    says: Callable[[Journal, Sequence[Decision]], bytes]
    """Called before anything is written, with the event as it will be right after it and what was decided."""

    def receipt(self, journal: Journal, decisions: Sequence[Decision]) -> Receipt:
        return Receipt(self.space, self.key, self.says(journal, decisions), self.until)


@dataclass
class Request:
    """Commands that are done as one step, or not at all."""

    event: str
    commands: Sequence[AnyCommand]
    context: Context
    seen: int
    """The version at which it was asked."""
    expected: int | None = None
    once: Once | None = None
    allowed: Allowed | None = None
    told: Told | None = None
    answer: asyncio.Future[list[Decision]] = field(default_factory=asyncio.Future)

    @property
    def waits(self) -> bool:
        """Whether somebody still wants to know."""
        return not self.answer.done()

    def decided(self, journal: Journal) -> tuple[Journal, Outcome]:
        """What it comes to, after all that the journal holds; the journal as it goes on."""
        try:
            self._refuse_if_moved(journal.version)
            longer = journal.copy()  # whatever goes wrong, nothing of it is in the other one
            return longer, self._decided(longer)
        except Exception as refusal:
            return journal, Outcome(self, refusal=refusal)

    def _refuse_if_moved(self, version: int) -> None:
        """Whoever names a version means that one; whoever takes back the last step, the one they saw."""
        if self.expected is not None:
            if version != self.expected:
                raise Moved(self.event, self.expected, version)
        elif version != self.seen and any(
            isinstance(c, Undo | Redo) and c.step is None for c in self.commands
        ):
            raise NotNow("somebody else was faster: look at the last step again")

    def _decided(self, journal: Journal) -> Outcome:
        step, later = journal.version + 1, False
        decisions: list[Decision] = []

        def context() -> Context:
            # A clock that was set back must not make a log run backwards.
            at = max(self.context.at, journal.entries[-1].at)
            return replace(self.context, at=at, entropy=f"{self.context.entropy}/{len(decisions)}")

        def write(decision: Decision, now: Context) -> None:
            journal.extend(written(decision, journal.version, journal.head, now, step), decision.private)
            decisions.append(decision)

        for number, command in enumerate(self.commands):
            if self.allowed is not None:
                self.allowed(command, journal)
            later = later or settles_later(command, self.commands[number + 1 :], journal.state)
            write(decide(journal, command, now := context(), settle_later=later), now)
        if any(decision.unsettled for decision in decisions):
            then = getattr(self.commands[-1], "then", None)
            write(settle_round(journal, then, now := context()), now)
        if self.told is not None:
            self.told(journal, decisions)
        return Outcome(self, decisions, self.once.receipt(journal, decisions) if self.once else None)


@dataclass(frozen=True)
class Outcome:
    """What a request came to: decisions, or why not."""

    request: Request
    decisions: Sequence[Decision] = ()
    receipt: Receipt | None = None
    refusal: Exception | None = None

    def tell(self) -> None:
        """Answer whoever asked, now that it is written."""
        if not self.request.waits:
            return
        if self.refusal is not None:
            self.request.answer.set_exception(self.refusal)
        else:
            self.request.answer.set_result(list(self.decisions))


def together(journal: Journal, requests: Sequence[Request]) -> tuple[Journal, list[Outcome]]:
    """Decide requests one after the other, each on what the ones before have changed; the journal after them.

    The one that is given stays as it is.
    """
    found = []
    for request in requests:
        journal, outcome = request.decided(journal)
        found.append(outcome)
    return journal, found


def written(decision: Decision, after: int, previous: str, context: Context, step: int = 1) -> list[bytes]:
    """The lines of a decision."""
    return lines(
        decision.facts,
        after=after,
        previous=previous,
        at=context.at,
        by=context.by,
        via=context.via,
        step=step,
    )
