"""Open an event in a store, decide commands on it, and write their facts down.

    session = await EventSession.open(store, "autumn-cup")
    decision = await session.do(Report(table=14, result=Result(games=(2, 1, 0))), context)

Of two commands at once one is first. The other is decided anew on what the first has changed, and refused if
it makes no sense any more. A caller may name the version that it means, and makes a request `Once` if it may
send it twice, since an answer can be lost.

One `EventSession` serves a whole event loop: commands and refreshing take turns, commands that wait are
written down together (`queue`), and what takes long is done in a thread. Readers wait for nobody, and a log
once read never changes.
"""

import asyncio
import re
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from time import monotonic

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand, Create, TakeOver
from topcut.event.decide.context import Context, Decision
from topcut.event.decide.create import check_log_limits, create_event, take_over
from topcut.event.event_log import EventLog
from topcut.event.log_chain import NOTHING
from topcut.event.state import State
from topcut.store.interface import Overtaken, Repeated, ServerUnreachable, Store, StoreError
from topcut.store.queue import (
    RECEIPTS,
    Once,
    Request,
    RequestOutcome,
    Waiting,
    decide_together,
    make_name_eraser,
    write_decision,
)
from topcut.text.messages import say

AT_ONCE = 200
"""Requests that are decided and written together, at most."""
CONTENDED_SECONDS, YIELD_SECONDS = 1.0, 0.01
"""After another process wrote first, this one waits a little before each decision: for how many seconds, and
how long each time. Of two processes that decide on the same version at once, one works in vain."""
_OUTSIDE = (b'"person":', b'"commitment":', b'"original":')
"""Marks of facts that refer to private entries."""


class EventSummary(Struct, frozen=True, omit_defaults=True):
    """The entry of an event in a list of events."""

    name: str
    rules: str
    players: int = 0
    round: int = 0
    phase: str = ""
    created: datetime | None = None
    finished: bool = False
    due: datetime | None = None
    """From when on its names may be deleted."""
    purged: bool = False


class EventSession:
    """One event, opened."""

    def __init__(self, store: Store, event: str, log: EventLog) -> None:
        self.store = store
        self.event = event
        self.log = log
        # Between deciding on a version and writing after it nobody else may change what is known here.
        self._turn = asyncio.Lock()
        self._waiting: deque[Waiting] = deque()
        self._serving: asyncio.Task[None] | None = None
        self._overtaken = -CONTENDED_SECONDS
        """When another process was faster last, on the monotonic clock."""
        self._owed: set[str] = set()
        """Private entries that are deleted here, and may still be in the store."""

    @classmethod
    async def create(
        cls, store: Store, event: str, command: Create | TakeOver, context: Context, once: Once | None = None
    ) -> "tuple[EventSession, Decision]":
        """Create an event, or take over one that was begun elsewhere."""
        decision, log = await asyncio.to_thread(begin_event, command, context)
        receipts = [once.receipt(log, [decision])] if once else []
        await store.create(event, log.lines, decision.private, summarize(log.state), receipts)
        return cls(store, event, log), decision

    @classmethod
    async def open(cls, store: Store, event: str) -> "EventSession":
        facts = await store.read(event)
        private = await store.read_private(event)
        running = cls(store, event, await asyncio.to_thread(EventLog, facts, private))
        with suppress(StoreError):  # nobody sees them any more, and the next who comes tries again
            await running._forget_what_was_purged()
        return running

    @classmethod
    async def put(
        cls, store: Store, event: str, facts: list[bytes], private: dict[str, bytes], once: Once | None = None
    ) -> "EventSession":
        """Put an event that was exported elsewhere into the store; its receipt is made without decisions."""
        log = await asyncio.to_thread(EventLog, facts, private)
        log.delete_private(log.deleted_keys())  # a deleted player does not come back by a file
        receipts = [once.receipt(log, [])] if once else []
        await store.create(event, facts, log.private, summarize(log.state), receipts)
        return cls(store, event, log)

    @property
    def state(self) -> State:
        return self.log.state

    async def do(self, command: AnyCommand, context: Context) -> Decision:
        """Decide a command and write its facts down; they are safe when this returns."""
        (decision,) = await self.do_all([command], context)
        return decision

    async def do_all(self, commands: Sequence[AnyCommand], context: Context) -> list[Decision]:
        """Decide commands one after the other and write all of them down as one step, or none."""
        return await self.execute(Request(commands, context))

    async def execute(self, request: Request) -> list[Decision]:
        """Decide a request and write it down as one step, or nothing of it.

        Raise `Moved` where it is meant for another version than the event is at when its turn comes.
        """
        waiting = Waiting(request, self.event, self.log.version)
        self._waiting.append(waiting)
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())  # goes on if the one who asked goes away
        try:
            return await waiting.answer
        except TopcutError as refusal:
            once = request.once
            if once is None or isinstance(refusal, StoreError):
                raise
            # Others may have done the very same, and that it is done is why it is refused.
            if (there := await self.store.get_value(once.space, once.key, request.context.at)) is None:
                raise
            raise Repeated(there) from None

    async def _serve(self) -> None:
        """Answer the requests that wait, all that have gathered at once, until there are none."""
        while self._waiting:
            if monotonic() - self._overtaken < CONTENDED_SECONDS:
                await asyncio.sleep(YIELD_SECONDS)
            async with self._turn:
                await self._answer_all(self._take_next())

    def _take_next(self) -> list[Waiting]:
        """Return the requests whose turn it is: all that wait, but no two with the same receipt."""
        found: list[Waiting] = []
        later: list[Waiting] = []
        places: set[tuple[str, str]] = set()
        while self._waiting and len(found) < AT_ONCE:
            request = self._waiting.popleft()
            if request.waits:
                once = request.request.once
                place = {(once.space, once.key)} if once else set()
                (later if place & places else found).append(request)
                places |= place
        self._waiting.extendleft(reversed(later))
        return found

    async def _answer_all(self, requests: list[Waiting]) -> None:
        """Answer requests whose turn it is, each also if others fail."""
        try:
            try:
                await self._decide_and_write(requests)
                return
            except Repeated as repeated:
                await self._refresh()  # a caller who is told that it is done sees it done
                if len(requests) == 1:
                    requests[0].answer.set_exception(repeated)
                    return
            for request in requests:  # one of them was done before: each by itself
                await self._answer_all([request])
        except BaseException as error:
            ending = StoreError(say("the event"), say("the server is stopping"), say("try again in a moment"))
            known = error if isinstance(error, Exception) else ending
            if isinstance(error, ServerUnreachable):  # nobody else finds out the same after as long a wait
                requests = [*requests, *self._waiting]
                self._waiting.clear()
            for request in requests:
                if request.waits:
                    request.answer.set_exception(known)
            if known is not error:
                raise

    async def _decide_and_write(self, requests: list[Waiting]) -> None:
        if any(one.request.expected not in (None, self.log.version) for one in requests):
            await self._refresh()  # they may have seen what others wrote before it was seen here
        while True:
            # To pair thousands takes seconds, in which the loop must go on.
            log, outcomes = await asyncio.to_thread(decide_together, self.log, requests)
            if any(outcome.refusal for outcome in outcomes) and await self._refresh():
                continue  # it may be right by now
            if await self._write(log, outcomes):
                break
        for outcome in outcomes:
            outcome.tell()

    async def _write(self, log: EventLog, outcomes: list[RequestOutcome]) -> bool:
        """Write the decisions of requests; return False if another process was faster."""
        decisions = [decision for outcome in outcomes for decision in outcome.decisions]
        private = {key: body for decision in decisions for key, body in decision.private.items()}
        receipts = [outcome.receipt for outcome in outcomes if outcome.receipt is not None]
        if not decisions:
            return True
        version, about = self.log.version, summarize(log.state)
        try:
            await self.store.append(self.event, version, log.lines[version:], private, about, receipts)
        except Overtaken:
            self._overtaken = monotonic()
            await self._refresh()
            return False
        self.log = log
        await self._forget_what_was_purged()
        return True

    async def refresh(self) -> int:
        """Read what others have written; return how many facts."""
        async with self._turn:
            return await self._refresh()

    async def _refresh(self) -> int:
        """Read what others have written, with the lock held."""
        new = await self.store.read(self.event, self.log.version)
        if new:
            outside = any(mark in line for line in new for mark in _OUTSIDE)
            private = await self.store.read_private(self.event) if outside else {}
            log = self.log

            def extend_copy() -> EventLog:
                longer = log.copy()
                longer.extend(new, private)
                return longer

            self.log = await asyncio.to_thread(extend_copy)
        with suppress(StoreError):  # as above: the command that purged reports it
            await self._forget_what_was_purged()
        return len(new)

    async def _forget_what_was_purged(self) -> None:
        """Delete the private entries that the log says are deleted, also after a crash between the two.

        They are deleted in memory before any other request has its turn, and then in the store.
        """
        if gone := self.log.deleted_keys():
            log = self.log.copy()
            log.delete_private(gone)
            self.log = log
            self._owed |= gone
        if self._owed:
            # Receipts first: while a name is left to forget, the next process to open the event does both.
            await self.store.rewrite_values(RECEIPTS, make_name_eraser(self.event))
            await self.store.delete_private(self.event, self._owed)
            self._owed = set()


def make_event_id(name: str) -> str:
    """Return an id made of an event's name.

    >>> make_event_id("Kraków Cup №3!")
    'kraków-cup-3'
    """
    return re.sub(r"\W+", "-", name.casefold()).strip("-_")[:60] or "event"


async def find_free_id(store: Store, name: str) -> str:
    """Return an id made of an event's name that no other event of the store has."""
    taken = {stored.event for stored in await store.list_events()}
    base = make_event_id(name)
    numbered = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(free for free in numbered if free not in taken)


def begin_event(command: Create | TakeOver, context: Context) -> tuple[Decision, EventLog]:
    """Return the decision with which an event begins, new or taken over, and its log."""
    decision = (
        take_over(command, context) if isinstance(command, TakeOver) else create_event(command, context)
    )
    log = EventLog(write_decision(decision, 0, NOTHING, context), decision.private)
    if isinstance(command, TakeOver):  # a stranger's file
        check_log_limits(log.lines, log.private)
    return decision, log


def summarize(state: State) -> bytes:
    """Return the entry of an event in a list of events, as stored."""
    a_round = state.round
    return msgspec.json.encode(
        EventSummary(
            name=state.name,
            rules=state.book.id,
            players=len(state.players),
            round=a_round.number if a_round else 0,
            phase=a_round.phase if a_round else "",
            created=state.created,
            finished=state.finished is not None,
            due=state.kept_until,
            purged=state.purged,
        )
    )
