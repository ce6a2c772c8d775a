"""An event in a store, as it stands: commands go in, and what they come to is written down.

    running = await Running.open(store, "autumn-cup")
    decision = await running.do(Report(table=14, result=Result(games=(2, 1, 0))), context)

Of two commands at once one is first. The other is decided anew on what the first has changed, and refused if
it makes no sense any more. Whoever means one version and no other says which; and whoever may ask twice for
the same, since an answer can be lost, asks for it `Once`.

One `Running` may serve everybody in an event loop: commands and refreshing take turns, commands that wait for
theirs are written down together (`turn`), and what takes long is done in a thread. Whoever only looks waits
for nobody, and a journal once looked at never changes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from time import monotonic

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand, Create, TakeOver
from topcut.event.create import create
from topcut.event.deciding import Context, Decision
from topcut.event.journal import Journal
from topcut.event.kept import kept_until
from topcut.event.log import NOTHING
from topcut.event.sensible import check_sensible
from topcut.event.state import State
from topcut.store.model import Overtaken, Repeated, Store, StoreError, Unreachable
from topcut.store.turn import (
    RECEIPTS,
    Allowed,
    Once,
    Outcome,
    Request,
    Told,
    together,
    without_names,
    written,
)

AT_ONCE = 200
"""Requests that are done together, at most."""
CONTENDED, POLITE = 1.0, 0.01
"""Seconds for which others are thought to go on writing, and for which they are let by meanwhile: of two who
decide at once on the same version one does so in vain."""
_OUTSIDE = (b'"person":', b'"commitment":', b'"original":')
"""How facts point to what is kept outside the log."""


class About(Struct, frozen=True, omit_defaults=True):
    """What a list of events says of one of them."""

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


class Running:
    """One event, opened."""

    def __init__(self, store: Store, event: str, journal: Journal) -> None:
        self.store = store
        self.event = event
        self.journal = journal
        # Between deciding on a version and writing after it nobody else may change what is known here.
        self._turn = asyncio.Lock()
        self._waiting: deque[Request] = deque()
        self._serving: asyncio.Task[None] | None = None
        self._overtaken = -CONTENDED
        """When another process was faster last."""
        self._owed: set[str] = set()
        """What is forgotten here, and may still be in the store."""

    @classmethod
    async def create(
        cls,
        store: Store,
        event: str,
        command: Create | TakeOver,
        context: Context,
        *,
        once: Once | None = None,
    ) -> tuple[Running, Decision]:
        """A new event, or one that was begun elsewhere."""
        decision, journal = await asyncio.to_thread(begun, command, context)
        receipts = [once.receipt(journal, [decision])] if once else []
        await store.create(event, journal.lines, decision.private, about(journal.state), receipts)
        return cls(store, event, journal), decision

    @classmethod
    async def open(cls, store: Store, event: str) -> Running:
        """An event that is there."""
        facts = await store.read(event)
        private = await store.private(event)
        running = cls(store, event, await asyncio.to_thread(Journal, facts, private))
        with suppress(StoreError):  # nobody sees them any more, and the next who comes tries again
            await running._forget_what_was_purged()
        return running

    @classmethod
    async def put(
        cls,
        store: Store,
        event: str,
        facts: list[bytes],
        private: dict[str, bytes],
        *,
        once: Once | None = None,
    ) -> Running:
        """An event that was taken out somewhere else; its receipt hears of no decisions."""
        journal = await asyncio.to_thread(Journal, facts, private)
        journal.forget(journal.gone())  # whoever was deleted does not come back by a file
        receipts = [once.receipt(journal, [])] if once else []
        await store.create(event, facts, journal.private, about(journal.state), receipts)
        return cls(store, event, journal)

    @property
    def state(self) -> State:
        return self.journal.state

    async def do(self, command: AnyCommand, context: Context) -> Decision:
        """Decide a command and write its facts down; they are safe when this returns."""
        (decision,) = await self.do_all([command], context)
        return decision

    async def do_all(
        self,
        commands: Sequence[AnyCommand],
        context: Context,
        *,
        expected: int | None = None,
        once: Once | None = None,
        allowed: Allowed | None = None,
        told: Told | None = None,
    ) -> list[Decision]:
        """Decide commands one after the other and write all of them down as one step, or none.

        `expected`: they are meant for this version; if the event is at another, or gets there first, `Moved`.
        `allowed` is asked about each command and the very event on which it is decided: what somebody may do
        can depend on what others did a moment ago, or on the command before. `told` hears what they came to.
        """
        request = Request(self.event, commands, context, self.journal.version, expected, once, allowed, told)
        self._waiting.append(request)
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())  # whoever asked may go away meanwhile
        try:
            return await request.answer
        except TopcutError as refusal:
            if once is None or isinstance(refusal, StoreError):
                raise
            # Others may have done the very same, and that it is done is why it is refused.
            there = await self.store.kept(once.space, once.key, context.at)
            if there is None:
                raise
            raise Repeated(there) from None

    async def _serve(self) -> None:
        """Do what waits, all that has gathered at once, until nothing does."""
        while self._waiting:
            if monotonic() - self._overtaken < CONTENDED:
                await asyncio.sleep(POLITE)
            async with self._turn:
                await self._answered(self._next())

    def _next(self) -> list[Request]:
        """Those whose turn it is: all who wait, but the same is not asked for twice."""
        found: list[Request] = []
        later: list[Request] = []
        places: set[tuple[str, str]] = set()
        while self._waiting and len(found) < AT_ONCE:
            request = self._waiting.popleft()
            if not request.waits:
                continue
            place = (request.once.space, request.once.key) if request.once else None
            (later if place in places else found).append(request)
            places |= {place} if place else set()
        self._waiting.extendleft(reversed(later))
        return found

    async def _answered(self, requests: list[Request]) -> None:
        """Do requests whose turn it is; each gets its answer, whatever becomes of the others."""
        try:
            try:
                await self._done(requests)
                return
            except Repeated as repeated:
                await self._refresh()  # whoever is told that it is done sees it done
                if len(requests) == 1:
                    requests[0].answer.set_exception(repeated)
                    return
            for request in requests:  # one of them was done before: each by itself
                await self._answered([request])
        except BaseException as error:
            known = error if isinstance(error, Exception) else _ending()
            if isinstance(error, Unreachable):  # nobody else finds out the same after as long a wait
                requests = [*requests, *self._waiting]
                self._waiting.clear()
            for request in requests:
                if request.waits:
                    request.answer.set_exception(known)
            if known is not error:
                raise

    async def _done(self, requests: list[Request]) -> None:
        wanted = [request.expected for request in requests if request.expected is not None]
        if any(version != self.journal.version for version in wanted):
            await self._refresh()  # they may have seen what others wrote before it was seen here
        while True:
            # To pair thousands takes seconds, in which the loop must go on.
            journal, outcomes = await asyncio.to_thread(together, self.journal, requests)
            if any(outcome.refusal for outcome in outcomes) and await self._refresh():
                continue  # it may be right by now
            if await self._written(journal, outcomes):
                break
        for outcome in outcomes:
            outcome.tell()

    async def _written(self, journal: Journal, outcomes: list[Outcome]) -> bool:
        """Write down what requests came to, unless somebody was faster."""
        version = self.journal.version
        decisions = [decision for outcome in outcomes for decision in outcome.decisions]
        private = {key: body for decision in decisions for key, body in decision.private.items()}
        receipts = [outcome.receipt for outcome in outcomes if outcome.receipt is not None]
        if not decisions:
            return True
        try:
            new = journal.lines[version:]
            await self.store.append(self.event, version, new, private, about(journal.state), receipts)
        except Overtaken:
            self._overtaken = monotonic()
            await self._refresh()
            return False
        self.journal = journal
        await self._forget_what_was_purged()
        return True

    async def refresh(self) -> int:
        """Take in what others have written; how many facts."""
        async with self._turn:
            return await self._refresh()

    async def _refresh(self) -> int:
        """The same, for one whose turn it is."""
        new = await self.store.read(self.event, self.journal.version)
        if new:
            outside = any(mark in line for line in new for mark in _OUTSIDE)
            private = await self.store.private(self.event) if outside else {}
            self.journal = await asyncio.to_thread(_extended, self.journal, new, private)
        with suppress(StoreError):  # as above: whoever gave the command is told
            await self._forget_what_was_purged()
        return len(new)

    async def _forget_what_was_purged(self) -> None:
        """Delete whom the log says is deleted; also after a crash between the fact and the deed.

        They are gone here before anybody else has a turn, and then in the store.
        """
        if gone := self.journal.gone():
            journal = self.journal.copy()
            journal.forget(gone)
            self.journal = journal
            self._owed |= gone
        if self._owed:
            # Receipts first: while a name is left to forget, the next process to open the event does both.
            await self.store.rewrite(RECEIPTS, without_names(self.event))
            await self.store.forget(self.event, self._owed)
            self._owed = set()


def begun(command: Create | TakeOver, context: Context) -> tuple[Decision, Journal]:
    """How an event begins, new or taken over, and the log that it begins with."""
    if isinstance(command, TakeOver):
        from topcut.event.taking import take_over

        decision = take_over(command, context)
    else:
        decision = create(command, context)
    journal = Journal(written(decision, 0, NOTHING, context), decision.private)
    if isinstance(command, TakeOver):  # a stranger's file
        check_sensible(journal.lines, journal.private)
    return decision, journal


def about(state: State) -> bytes:
    """What a list says of an event."""
    a_round = state.round
    return msgspec.json.encode(
        About(
            name=state.name,
            rules=state.book.id,
            players=len(state.players),
            round=a_round.number if a_round else 0,
            phase=a_round.phase if a_round else "",
            created=state.created,
            finished=state.finished is not None,
            due=kept_until(state),
            purged=state.purged,
        )
    )


def _extended(journal: Journal, lines: Sequence[bytes], private: Mapping[str, bytes]) -> Journal:
    """The journal as it goes on; the one that was given stays as it is."""
    longer = journal.copy()
    longer.extend(lines, private)
    return longer


def _ending() -> StoreError:
    """For whoever waits when the program comes to its end."""
    return StoreError("the event", "the server ends", "ask again in a moment")
