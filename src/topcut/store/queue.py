"""Decide the requests that wait for an event together, and answer each of them.

A durable change costs a wait for the database, however much is in it. While one is written the next requests
gather, so that a hall that reports at once waits hardly longer than a single table.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from topcut.event.commands import AnyCommand, Redo, Undo
from topcut.event.decide.context import Context, Decision
from topcut.event.decide.dispatch import decide, settle_round, settles_later
from topcut.event.describe.plan_sentences import describe_player_notes, describe_player_warnings
from topcut.event.event_log import EventLog
from topcut.event.log_chain import write_lines
from topcut.event.refusals import NeedsAnswer, NotNow
from topcut.store.interface import Change, Moved, Receipt
from topcut.text.message_json import encode_in_english
from topcut.text.messages import say

CheckRight = Callable[[AnyCommand, EventLog], None]
"""Raises an error if a command is not allowed on an event as it is."""
RECEIPTS = "receipt"
"""The space of values for receipts of requests."""
DELETED = say(
    "This command was carried out before. Its messages were deleted together with names of players."
)
Told = Callable[[EventLog, Sequence[Decision]], None]
"""Called with the decisions before they are written, and with the log as it will be right after them."""


class StoredAnswer(Struct, frozen=True, omit_defaults=True):
    """The value of a receipt: the answer to a request, the request, and the event."""

    asked: str
    answer: Any
    event: str = ""
    """Empty in receipts of earlier versions."""


def make_name_eraser(event: str) -> Change:
    """Return a change that deletes the sentences from receipts of an event, since they may hold names.

    Receipts of other events stay, and so does the fact that a request was done.
    """

    def change(value: bytes) -> bytes:
        kept = msgspec.json.decode(value, type=StoredAnswer)
        if kept.event not in ("", event) or not isinstance(kept.answer, dict):
            return value
        if not (kept.answer.get("warnings") or kept.answer.get("says") not in ([], None, [DELETED])):
            return value
        answer = kept.answer | {"says": [DELETED], "warnings": []}
        return msgspec.json.encode(StoredAnswer(kept.asked, answer, kept.event), enc_hook=encode_in_english)

    return change


@dataclass(frozen=True)
class Once:
    """Makes a request idempotent: where its receipt is, and what the receipt says.

    A second request raises `Repeated` with the value of the receipt.
    """

    space: str
    key: str
    until: datetime
    says: Callable[[EventLog, Sequence[Decision]], bytes]
    """Called before anything is written, with the log as it will be right after it and the decisions."""

    def receipt(self, log: EventLog, decisions: Sequence[Decision]) -> Receipt:
        return Receipt(self.space, self.key, self.says(log, decisions), self.until)


@dataclass(frozen=True)
class Request:
    """Commands that are done as one step, or not at all: built once, and passed down to here."""

    commands: Sequence[AnyCommand]
    context: Context
    expected: int | None = None
    """The version they are meant for; None: any."""
    once: Once | None = None
    check_right: CheckRight | None = None
    """Is asked about each command and the very event on which it is decided: a right can depend on what
    others did a moment ago, or on the command before."""
    told: Told | None = None


@dataclass
class Waiting:
    """A request that waits for its turn."""

    request: Request
    event: str
    seen: int
    """The version of the event when the request came."""
    answer: asyncio.Future[list[Decision]] = field(default_factory=asyncio.Future)

    @property
    def waits(self) -> bool:
        """Whether the caller still waits for the answer."""
        return not self.answer.done()

    def refuse_if_moved(self, version: int) -> None:
        """Raise an error unless the version is the expected one, or the last step the one that was seen."""
        expected = self.request.expected
        if expected not in (None, version):
            raise Moved(self.event, expected, version)
        last = any(isinstance(c, Undo | Redo) and c.step is None for c in self.request.commands)
        if expected is None and last and version != self.seen:
            raise NotNow(say("Another user was faster. Check the last step and try again."))

    def decide(self, log: EventLog) -> "RequestOutcome":
        """Decide the commands after all that the log holds, and extend it."""
        request, step, later, before = self.request, log.version + 1, False, log.state
        decisions: list[Decision] = []

        def write(decide_in: Callable[[Context], Decision]) -> None:
            given = request.context
            # A clock that was set back must not make a log run backwards.
            at = max(given.at, log.entries[-1].at)
            context = replace(given, at=at, entropy=f"{given.entropy}/{len(decisions)}")
            decision = decide_in(context)
            if decision.choice is not None:
                raise NeedsAnswer(decision.choice)
            log.extend(write_decision(decision, log.version, log.head, context, step), decision.private)
            decisions.append(decision)

        for number, command in enumerate(request.commands):
            if request.check_right is not None:
                request.check_right(command, log)
            later = later or settles_later(command, request.commands[number + 1 :], log.state)
            write(partial(decide, log, command, settle_later=later))
        if any(decision.unsettled for decision in decisions):
            write(partial(settle_round, log, getattr(request.commands[-1], "then", None)))
        if decisions:  # once for a whole list of players
            decisions[-1].says.extend(describe_player_notes(before, log.state))
            decisions[-1].warnings.extend(describe_player_warnings(before, log.state))
        if request.told is not None:
            request.told(log, decisions)
        return RequestOutcome(self, decisions, request.once.receipt(log, decisions) if request.once else None)


@dataclass(frozen=True)
class RequestOutcome:
    """The decisions of a request, or why it was refused."""

    waiting: Waiting
    decisions: Sequence[Decision] = ()
    receipt: Receipt | None = None
    refusal: Exception | None = None

    def tell(self) -> None:
        """Answer the request, now that its facts are written."""
        if not self.waiting.waits:
            return
        if self.refusal is not None:
            self.waiting.answer.set_exception(self.refusal)
        else:
            self.waiting.answer.set_result(list(self.decisions))


def decide_together(log: EventLog, requests: Sequence[Waiting]) -> tuple[EventLog, list[RequestOutcome]]:
    """Decide requests one after the other, each on what the ones before changed; `log` stays as it is."""
    found = []
    for waiting in requests:
        longer = log.copy()  # whatever goes wrong, nothing of it is in the other one
        try:
            waiting.refuse_if_moved(log.version)
            found.append(waiting.decide(longer))
            log = longer
        except Exception as refusal:
            found.append(RequestOutcome(waiting, refusal=refusal))
    return log, found


def write_decision(
    decision: Decision, after: int, previous: str, context: Context, step: int = 1
) -> list[bytes]:
    """Return the lines of a decision in the log."""
    at, by, via = context.at, context.by, context.via
    return write_lines(decision.facts, after=after, previous=previous, at=at, by=by, via=via, step=step)
