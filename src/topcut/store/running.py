"""An event in a store, as it stands: commands go in, and what they come to is written down.

    running = await Running.open(store, "autumn-cup")
    decision = await running.do(Report(table=14, result=Result(games=(2, 1, 0))), context)

Of two commands at once one is first. The other is decided anew on what the first has changed, and refused if
it makes no sense any more. Whoever means one version and no other says which; and whoever may ask twice for
the same, since an answer can be lost, asks for it `Once`.

One `Running` may serve everybody in an event loop: commands and refreshing take turns, and what takes long is
done in a thread. Whoever only looks waits for nobody, and a journal once looked at never changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand, Create, Redo, Undo
from topcut.event.create import create
from topcut.event.decide import decide
from topcut.event.deciding import Context, Decision
from topcut.event.journal import Journal
from topcut.event.kept import kept_until
from topcut.event.log import NOTHING, lines
from topcut.event.refusals import NotNow
from topcut.event.state import State
from topcut.store.model import Moved, Overtaken, Receipt, Repeated, Store, StoreError


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


@dataclass(frozen=True)
class Once:
    """Something that is done once, however often it is asked for: where its receipt is, and what that says.

    Whoever asks again gets `Repeated` with what was said the first time.
    """

    space: str
    key: str
    until: datetime
    says: Callable[[Journal, Sequence[Decision]], bytes]
    """Called right before anything is written, with the event as it will be and what was decided."""

    def receipt(self, journal: Journal, decisions: Sequence[Decision]) -> Receipt:
        return Receipt(self.space, self.key, self.says(journal, decisions), self.until)


Allowed = Callable[[AnyCommand, Journal], None]
"""Refuses a command that somebody may not give to an event as it stands."""


class Running:
    """One event, opened."""

    def __init__(self, store: Store, event: str, journal: Journal) -> None:
        self.store = store
        self.event = event
        self.journal = journal
        # Between deciding on a version and writing after it nobody else may change what is known here.
        self._turn = asyncio.Lock()
        self._owed: set[str] = set()
        """What is forgotten here, and may still be in the store."""

    @classmethod
    async def create(
        cls, store: Store, event: str, command: Create, context: Context, *, once: Once | None = None
    ) -> tuple[Running, Decision]:
        """A new event."""
        decision = create(command, context)
        written = _lines(decision, 0, NOTHING, context)
        journal = Journal(written, decision.private)
        receipt = once.receipt(journal, [decision]) if once else None
        await store.create(event, written, decision.private, about(journal.state), receipt)
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
        receipt = once.receipt(journal, []) if once else None
        await store.create(event, facts, journal.private, about(journal.state), receipt)
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
    ) -> list[Decision]:
        """Decide commands one after the other and write all of them down as one step, or none.

        `expected`: they are meant for this version; if the event is at another, or gets there first, `Moved`.
        `allowed` is asked about each command and the very event on which it is decided: what somebody may do
        can depend on what others did a moment ago, or on the command before.
        """
        try:
            return await self._done(commands, context, expected, once, allowed)
        except TopcutError as refusal:
            if once is None or isinstance(refusal, StoreError):
                raise
            # Others may have done the very same, and that it is done is why it is refused.
            there = await self.store.kept(once.space, once.key, context.at)
            if there is None:
                raise
            raise Repeated(there) from None

    async def _done(
        self,
        commands: Sequence[AnyCommand],
        context: Context,
        expected: int | None,
        once: Once | None,
        allowed: Allowed | None,
    ) -> list[Decision]:
        """The same, when it is their turn."""
        seen = self.journal.version
        async with self._turn:
            if expected not in (None, self.journal.version):
                await self._refresh()  # they may have seen what others wrote before it was seen here
            while True:
                self._refuse_if_moved(commands, seen, expected)
                try:
                    # To pair thousands takes seconds, in which the loop must go on.
                    journal, decisions = await asyncio.to_thread(self._decided, commands, context, allowed)
                except TopcutError:
                    if not await self._refresh():
                        raise
                    continue  # it may be right by now
                private = {key: body for decision in decisions for key, body in decision.private.items()}
                version = self.journal.version
                new = journal.lines[version:]
                receipt = once.receipt(journal, decisions) if once else None
                try:
                    await self.store.append(self.event, version, new, private, about(journal.state), receipt)
                except Overtaken:
                    await self._refresh()
                    continue
                except Repeated:
                    await self._refresh()  # whoever is told that it is done sees it done
                    raise
                self.journal = journal
                await self._forget_what_was_purged()
                return decisions

    def _refuse_if_moved(self, commands: Sequence[AnyCommand], seen: int, expected: int | None) -> None:
        """Whoever names a version means that one; whoever takes back the last step, the one they saw."""
        version = self.journal.version
        if expected is not None:
            if version != expected:
                raise Moved(self.event, expected, version)
        elif version != seen and any(isinstance(c, Undo | Redo) and c.step is None for c in commands):
            raise NotNow("somebody else was faster: look at the last step again")

    def _decided(
        self, commands: Sequence[AnyCommand], context: Context, allowed: Allowed | None
    ) -> tuple[Journal, list[Decision]]:
        """What commands come to, as far as is known here."""
        journal = self.journal.copy()
        step = journal.version + 1
        decisions = []
        for number, command in enumerate(commands):
            if allowed is not None:
                allowed(command, journal)
            # A clock that was set back must not make a log run backwards.
            at = max(context.at, journal.entries[-1].at)
            now = replace(context, at=at, entropy=f"{context.entropy}/{number}")
            decision = decide(journal, command, now)
            new = _lines(decision, journal.version, journal.head, now, step)
            journal.extend(new, decision.private)
            decisions.append(decision)
        return journal, decisions

    async def refresh(self) -> int:
        """Take in what others have written; how many facts."""
        async with self._turn:
            return await self._refresh()

    async def _refresh(self) -> int:
        """The same, for one whose turn it is."""
        new = await self.store.read(self.event, self.journal.version)
        if new:
            private = await self.store.private(self.event)
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
            await self.store.forget(self.event, self._owed)
            self._owed = set()


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


def _lines(decision: Decision, after: int, previous: str, context: Context, step: int = 1) -> list[bytes]:
    return lines(
        decision.facts,
        after=after,
        previous=previous,
        at=context.at,
        by=context.by,
        via=context.via,
        step=step,
    )


def _extended(journal: Journal, lines: Sequence[bytes], private: Mapping[str, bytes]) -> Journal:
    """The journal as it goes on; the one that was given stays as it is."""
    longer = journal.copy()
    longer.extend(lines, private)
    return longer
