"""Keep events open, and tell every page that follows them what has changed.

A process follows an event once, however many pages are open on it. A page names the aspects it shows
(`ASPECTS`); a message says for each at which version it last changed, so that a page is fetched again only
when something on it is different. A slow follower gets only the last message, which replaces the others.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from time import monotonic
from typing import Any, TypeVar

import msgspec

from topcut.app.clock import now_text
from topcut.app.views.round_view import describe_progress
from topcut.app.views.visibility import count_played_rounds, last_public_round
from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand, Create, TakeOver
from topcut.event.decide.context import Context, Decision
from topcut.event.state import RoundState, State
from topcut.store.interface import Store
from topcut.store.queue import Once, Request
from topcut.store.session import EventSession

T = TypeVar("T")
LATELY = 40
"""Tables whose changes a message names; with more changes, every player's page is fetched again."""
PAUSE = 0.0001
"""Seconds between one message and the next, per follower: sending to thousands takes time, and reports must
get in between."""
BEAT = 10.0
"""Seconds between signs of life on a stream."""
IDLE = 1_800.0
"""Seconds after which an unused event is closed; the next request opens it again."""


def _of_public_round(look: Callable[[RoundState], Any]) -> Callable[[State], Any]:
    """Return what looks at the last public round; None as long as there is none."""
    return lambda state: look(r) if (r := last_public_round(state)) else None


ASPECTS: dict[str, Callable[[State], Any]] = {
    "event": lambda s: (s.name, s.options, s.announced, s.finished, s.overrides, s.purged, s.blocked),
    "players": lambda s: s.players,
    # As lists: thousands of tables are compared at every report, and lists of the same objects compare fast.
    "pairings": _of_public_round(
        lambda r: (r.number, [t.table for t in r.tables], [t.players for t in r.tables])
    ),
    "round": lambda s: (s.round.phase, s.round.number) if s.round else None,
    "tables": lambda s: s.round,
    "standings": lambda s: (*(r.tables for r in s.rounds[: count_played_rounds(s)]), s.players, s.options),
    "clock": lambda s: (r.clock if (r := last_public_round(s)) else None, s.drafting),
    "questions": lambda s: s.questions,
    "calls": lambda s: (len(s.questions), len(r.disputed) if (r := s.round) else 0),
    # The aspects of the hall never change with a draft.
    "posted": _of_public_round(lambda r: (r.number, r.phase, r.published)),
    # Without claims of players and marks of staff.
    "results": _of_public_round(lambda r: (r.number, r.phase, r.published, r.tables, r.clock, r.changed)),
    "progress": _of_public_round(describe_progress),
    "draws": lambda s: (
        s.commitment,
        tuple(s.attempts.get(f"draft {draft.number}") for draft in s.drafts),
        tuple((r.number, r.seed, r.attempt, r.as_drawn, r.edited) for r in s.rounds if r.phase != "draft"),
    ),
}
"""Parts of a state that pages show, by name. Parts that did not change are the same objects."""
PUBLIC = frozenset(ASPECTS) - {"round", "tables", "questions", "calls"}
"""Aspects that are sent to the hall."""


class LiveEvent:
    """Keep one event open, and wake its followers when it changes."""

    def __init__(self, session: EventSession) -> None:
        self.session = session
        self.version = session.log.version
        self.marks = dict.fromkeys([*ASPECTS, "log"], self.version)
        self._seen = {name: look(session.state) for name, look in ASPECTS.items()}
        self._posted = last_public_round(session.state)
        self.own: dict[str, int] = {}
        """Versions at which tables changed, by number or lone player; up to `own_from` any table may have."""
        self.own_from = self.version
        self._news = asyncio.Event()
        self._woken = 0.0
        self._later: asyncio.TimerHandle | None = None
        self._told: dict[bool, bytes] = {}
        self.computing = asyncio.Lock()
        """Held while something is computed that several requests need."""
        self.streams = 0
        self.over = False
        """Whether it no longer takes in what other processes write; then it is opened again."""
        self.asked = monotonic()
        """When it was last requested."""
        self.following: asyncio.Task[None] | None = None
        self._catching: asyncio.Future[int] | None = None
        self._kept: dict[str, tuple[int | None, Any]] = {}

    @property
    def event(self) -> str:
        return self.session.event

    @property
    def state(self) -> State:
        return self.session.state

    async def execute(self, request: Request) -> list[Decision]:
        """Decide and write a request, and notify followers."""
        try:
            return await self.session.execute(request)
        finally:
            self.notice()

    def keep(self, what: str, mark: int | None, make: Callable[[], T]) -> T:
        """Return a value that was made at this mark; make it otherwise."""
        known = self._kept.get(what)
        if known is None or known[0] != mark:
            known = self._kept[what] = (mark, make())
        kept: T = known[1]
        return kept

    async def do(self, commands: Sequence[AnyCommand], context: Context) -> list[Decision]:
        """Decide and write commands, all or none."""
        return await self.execute(Request(commands, context))

    async def catch_up(self, version: int) -> None:
        """Take in what other processes have written, if a client has seen a version that is not known here.

        Requests at the same time share one look, so that made-up versions keep no other request waiting.
        """
        for _ in range(2):  # a look that was under way may have been too early
            if version <= self.version:
                return
            if self._catching is None or self._catching.done():
                self._catching = asyncio.ensure_future(self.session.refresh())
                self._catching.add_done_callback(lambda done: done.cancelled() or done.exception())
            await asyncio.shield(self._catching)
            self.notice()

    def mark(self, aspects: Iterable[str]) -> int:
        """Return the version at which one of these aspects last changed."""
        return max((self.marks[aspect] for aspect in aspects), default=0)

    def notice(self) -> None:
        """Note which aspects have changed, and wake the followers now or soon."""
        version, state = self.session.log.version, self.session.state
        if version == self.version:
            return
        self._note_tables(self._posted, last_public_round(state), version)
        self._posted = last_public_round(state)
        for name, look in ASPECTS.items():
            if not _same(self._seen[name], now := look(state)):
                self._seen[name], self.marks[name] = now, version
        self.marks["log"] = self.version = version
        self._told = {}
        pause = self._woken + PAUSE * self.streams - monotonic()
        if pause <= 0:
            self.wake()
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(pause, self.wake)

    def _note_tables(self, old: RoundState | None, new: RoundState | None, version: int) -> None:
        """Note which tables have changed, so that a player's page is fetched only for their own."""
        if old is new:
            return
        if old is None or new is None or (old.number, len(old.tables)) != (new.number, len(new.tables)):
            self.own, self.own_from = {}, version
            return
        changed = [after for before, after in zip(old.tables, new.tables, strict=True) if before is not after]
        found = {str(table.table or table.players[0]) for table in changed}
        claimed = old.claims.keys() | new.claims.keys()
        found |= {str(t) for t in claimed if old.claims.get(t) != new.claims.get(t)}
        if len(found) > LATELY:
            self.own, self.own_from = {}, version
        self.own |= dict.fromkeys(found, version)
        while len(self.own) > LATELY:
            oldest = min(self.own, key=self.own.__getitem__)
            self.own_from = max(self.own_from, self.own.pop(oldest))

    def wake(self) -> None:
        if self._later is not None:
            self._later.cancel()
        self._later, self._woken = None, monotonic()
        self._news.set()
        self._news = asyncio.Event()

    async def wait_for_change(self) -> None:
        """Wait until something may have changed."""
        await self._news.wait()

    def message(self, staff: bool) -> bytes:
        """Return the message for followers; only staff hear of a draft."""
        if staff not in self._told:
            marks = {name: mark for name, mark in self.marks.items() if staff or name in PUBLIC}
            told = {"version": self.version, "marks": marks, "own": self.own, "ownFrom": self.own_from}
            self._told[staff] = b"data: " + msgspec.json.encode(told) + b"\n\n"
        return self._told[staff]

    async def stream(self, staff: bool = False) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events: the marks at once and whenever they change, and beats in between."""
        told = -1
        async with aclosing(self.ticks()) as moments:
            async for _ in moments:
                if told < 0:
                    yield b"retry: 1000\n\n" + make_heartbeat()
                if self.version != told:
                    told = self.version
                    yield self.message(staff)
                else:
                    yield make_heartbeat()

    async def ticks(self) -> AsyncGenerator[None, None]:
        """Yield now, whenever something may have changed, and at every beat."""
        self.streams += 1
        try:
            while not self.over:
                news = self._news
                yield
                if self._news is news:
                    await news.wait()
        finally:
            self.streams -= 1


def make_heartbeat() -> bytes:
    """Return a sign of life with the time of the server."""
    return b'event: beat\ndata: "' + now_text().encode() + b'"\n\n'


def _same(old: Any, new: Any) -> bool:
    """Tell whether two aspects are the same: the same objects, or equal small values."""
    if old is new:
        return True
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    return not isinstance(old, dict | msgspec.Struct) and bool(old == new)


class LiveEvents:
    """Keep the events of a database open while they are used."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ahead: Callable[[LiveEvent], Awaitable[None]] | None = None
        """Computes standings as soon as they change, before they are requested."""
        self._open: dict[str, asyncio.Task[LiveEvent]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        self._spawn(self._beat())

    async def open_event(self, event: str) -> LiveEvent:
        """Return an event, opened once and followed from then on."""
        if event not in self._open:
            self._open[event] = asyncio.create_task(self._open_event(event))
        opening = self._open[event]
        try:
            live = await asyncio.shield(opening)
            live.asked = monotonic()
            return live
        finally:
            failed = opening.done() and (opening.cancelled() or opening.exception() is not None)
            if failed and self._open.get(event) is opening:  # so that the next request tries again
                del self._open[event]

    async def create(
        self, event: str, command: Create | TakeOver, context: Context, *, once: Once | None = None
    ) -> LiveEvent:
        await EventSession.create(self.store, event, command, context, once=once)
        return await self.open_event(event)

    def end_streams(self) -> None:
        for live in self._lives():
            live.over = True
            live.wake()

    async def close(self) -> None:
        """End all streams, then all tasks."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _lives(self) -> list[LiveEvent]:
        done = [task for task in self._open.values() if task.done() and not task.cancelled()]
        return [task.result() for task in done if task.exception() is None]

    async def _open_event(self, event: str) -> LiveEvent:
        live = LiveEvent(await EventSession.open(self.store, event))
        live.following = self._spawn(self._follow(live))
        self._spawn(self._keep_computing_ahead(live))
        return live

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close_idle(self, now: float) -> None:
        """Close events without followers and recent requests, so that open ones do not fill the memory."""
        for live in self._lives():
            if live.following is not None and not live.streams and now - live.asked > IDLE:
                live.following.cancel()

    async def _follow(self, live: LiveEvent) -> None:
        """Take in what other processes write."""
        try:
            async for _ in self.store.follow(live.event, live.version):
                await live.session.refresh()
                live.notice()
        except TopcutError:
            pass  # the event was removed, or the store closed
        except Exception:
            logging.getLogger("topcut").exception("nobody follows event %s any more", live.event)
        finally:  # clients connect again, which opens it anew
            self._open.pop(live.event, None)
            live.over = True
            live.wake()

    async def _keep_computing_ahead(self, live: LiveEvent) -> None:
        """Call `ahead` whenever standings have changed."""
        seen = 0
        while self.ahead is not None and not live.over:
            if live.marks["standings"] == seen:
                await live.wait_for_change()
            else:
                seen = live.marks["standings"]
                await self.ahead(live)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            for live in self._lives():
                live.wake()
            self.close_idle(monotonic())
