"""What has changed since you looked? Open events, and everybody who follows them.

An event is followed once a process, however many pages are open on it. A page names the aspects it shows
(`ASPECTS`); a message says for each at which version it last changed, so that a page is fetched again only
when something on it is different. Whoever is slow misses messages in between and gets the last one: nobody
needs the others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import msgspec

from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand, Create, TakeOver
from topcut.event.deciding import Context, Decision
from topcut.event.state import RoundOf, State
from topcut.rulebook.planning.words import counted
from topcut.store.model import Store
from topcut.store.running import Running
from topcut.store.turn import Allowed, Once, Told

FEW = 50
"""Tables of a round in which everybody may hear of each result."""
LATELY = 40
"""Tables whose changes a message names; with more than that, everybody looks again."""
PAUSE = 0.0001
"""Seconds between one message and the next, for each who follows: to tell thousands takes time, and those who
report must come in between."""
BEAT = 10.0
"""Seconds after which whoever follows hears that the line still stands."""
IDLE = 1_800.0
"""Seconds after which an event is closed that nobody looks at; the next who asks opens it again."""


def posted(state: State) -> RoundOf | None:
    """The last round that everybody may see."""
    return next((r for r in reversed(state.rounds) if r.phase != "draft"), None)


def _seats(state: State) -> Any:
    """The tables that everybody may see, without their results. Lists, since those of thousands of tables are
    compared at every report, and lists of the same objects are equal at once."""
    a_round = posted(state)
    if a_round is None:
        return None
    return a_round.number, [t.table for t in a_round.tables], [t.players for t in a_round.tables]


def so_far(a_round: RoundOf) -> str:
    """How far a round is, in words. In a large one only tenths count, so that a hall full of phones does not
    look again at each result."""
    tables = [table for table in a_round.tables if len(table.players) > 1]
    reported = sum(table.reported for table in tables)
    if len(tables) <= FEW:
        return f"{reported} of {counted(len(tables), 'table')} reported"
    return f"{100 * reported // len(tables) // 10 * 10} % of the tables have reported"


def _results(state: State) -> Any:
    """What everybody may see of the round that is posted; not what players claim, or what staff mark."""
    a_round = posted(state)
    if a_round is None:
        return None
    return a_round.number, a_round.phase, a_round.published, a_round.tables, a_round.clock, a_round.changed


def _draws(state: State) -> Any:
    """What is on record of the draws of rounds that everybody may see."""
    rounds = (r for r in state.rounds if r.phase != "draft")
    return (state.commitment, tuple((r.number, r.seed, r.attempt, r.as_drawn, r.edited) for r in rounds))


def played(state: State) -> int:
    """How many rounds are played: every table reported."""
    last = state.round
    if last is None or last.phase == "ended":
        return len(state.rounds)
    whole = last.phase == "started" and all(table.reported for table in last.tables)
    return len(state.rounds) if whole else len(state.rounds) - 1


def _counted(state: State) -> tuple[Any, ...]:
    """What standings are made of."""
    return (*(r.tables for r in state.rounds[: played(state)]), state.players, state.options)


ASPECTS: dict[str, Callable[[State], Any]] = {
    "event": lambda s: (s.name, s.options, s.announced, s.finished, s.overrides, s.purged, s.blocked),
    "players": lambda s: s.players,
    "pairings": _seats,
    "round": lambda s: (s.round.phase, s.round.number) if s.round else None,
    "tables": lambda s: s.round,
    "standings": _counted,
    "clock": lambda s: r.clock if (r := posted(s)) else None,
    "questions": lambda s: s.questions,
    "calls": lambda s: (len(s.questions), len(r.disputed) if (r := s.round) else 0),
    # What the hall follows never moves with a draft.
    "posted": lambda s: (r.number, r.phase, r.published) if (r := posted(s)) else None,
    "results": _results,
    "progress": lambda s: so_far(r) if (r := posted(s)) else "",
    "draws": _draws,
}
"""What can be different from one moment to the next. Parts of a state that did not change are the same
objects."""
PUBLIC = frozenset(ASPECTS) - {"round", "tables", "questions", "calls"}
"""What the hall may hear of."""


class Live:
    """One event, open."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.version = running.journal.version
        self.marks = dict.fromkeys([*ASPECTS, "log"], self.version)
        self._seen = {name: look(running.state) for name, look in ASPECTS.items()}
        self._posted = posted(running.state)
        self.own: dict[str, int] = {}
        """Tables that changed lately, by number or lone player, and when; before `own_from` it can be any."""
        self.own_from = self.version
        self._news = asyncio.Event()
        self._woken = 0.0
        self._later: asyncio.TimerHandle | None = None
        self._told: dict[bool, bytes] = {}
        self.thinking = asyncio.Lock()
        """Held by whoever computes something that others need too."""
        self.streams = 0
        self.over = False
        """Whether nobody takes in any more what others write; then it is opened anew."""
        self.asked = monotonic()
        """When somebody asked for it last."""
        self.following: asyncio.Task[None] | None = None
        self._catching: asyncio.Future[int] | None = None

    @property
    def event(self) -> str:
        return self.running.event

    @property
    def state(self) -> State:
        return self.running.state

    async def do(
        self,
        commands: Sequence[AnyCommand],
        context: Context,
        *,
        expected: int | None = None,
        once: Once | None = None,
        allowed: Allowed | None = None,
        told: Told | None = None,
    ) -> list[Decision]:
        """Decide commands and write them down, all or none; whoever follows is told."""
        try:
            return await self.running.do_all(
                commands, context, expected=expected, once=once, allowed=allowed, told=told
            )
        finally:
            self.notice()

    async def catch_up(self, version: int) -> None:
        """Look what others have written, if somebody has seen a version that is not known here.

        All who ask at the same time look once: whoever makes up versions keeps nobody waiting for their turn.
        """
        for _ in range(2):  # what was under way may have looked too early
            if version <= self.version:
                return
            if self._catching is None or self._catching.done():
                self._catching = asyncio.ensure_future(self.running.refresh())
                self._catching.add_done_callback(lambda done: done.cancelled() or done.exception())
            await asyncio.shield(self._catching)
            self.notice()

    def mark(self, aspects: Iterable[str]) -> int:
        """The version at which one of these was last different."""
        return max((self.marks[aspect] for aspect in aspects), default=0)

    def notice(self) -> None:
        """See what is different by now, and wake whoever waits for it, or have them woken soon."""
        version, state = self.running.journal.version, self.running.state
        if version == self.version:
            return
        self._note_tables(self._posted, posted(state), version)
        self._posted = posted(state)
        for name, look in ASPECTS.items():
            now = look(state)
            if not _same(self._seen[name], now):
                self._seen[name] = now
                self.marks[name] = version
        self.marks["log"] = self.version = version
        self._told = {}
        pause = self._woken + PAUSE * self.streams - monotonic()
        if pause <= 0:
            self.wake()
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(pause, self.wake)

    def _note_tables(self, old: RoundOf | None, new: RoundOf | None, version: int) -> None:
        """Which tables are different, so that a player's page is fetched only for their own."""
        if old is new:
            return
        if old is None or new is None or (old.number, len(old.tables)) != (new.number, len(new.tables)):
            self.own, self.own_from = {}, version
            return
        changed = [after for before, after in zip(old.tables, new.tables, strict=True) if before is not after]
        found = {str(table.table or table.players[0]) for table in changed}
        found |= {
            str(t) for t in old.claims.keys() | new.claims.keys() if old.claims.get(t) != new.claims.get(t)
        }
        if len(found) > LATELY:
            self.own, self.own_from = {}, version
        self.own |= dict.fromkeys(found, version)
        while len(self.own) > LATELY:
            oldest = min(self.own, key=self.own.__getitem__)
            self.own_from = max(self.own_from, self.own.pop(oldest))

    def wake(self) -> None:
        """Tell whoever waits."""
        if self._later is not None:
            self._later.cancel()
        self._later, self._woken = None, monotonic()
        self._news.set()
        self._news = asyncio.Event()

    async def news(self) -> None:
        """Wait until something may be different."""
        await self._news.wait()

    def message(self, staff: bool) -> bytes:
        """What a follower is told; only staff hear that a draft is there."""
        if not self._told:
            for one in (False, True):
                marks = {name: mark for name, mark in self.marks.items() if one or name in PUBLIC}
                told = {"version": self.version, "marks": marks, "own": self.own, "ownFrom": self.own_from}
                self._told[one] = b"data: " + msgspec.json.encode(told) + b"\n\n"
        return self._told[staff]

    async def stream(self, staff: bool = False) -> AsyncGenerator[bytes, None]:
        """Server-sent events: the marks at once and whenever they change, and a beat in between."""
        told = -1
        async with aclosing(self.moments()) as moments:
            async for _ in moments:
                if told < 0:
                    yield b"retry: 1000\n\n" + beat()
                if self.version != told:
                    told = self.version
                    yield self.message(staff)
                else:
                    yield beat()

    async def moments(self) -> AsyncGenerator[None, None]:
        """Now, whenever something may be different, and now and then in between."""
        self.streams += 1
        try:
            while not self.over:
                news = self._news
                yield
                if self._news is news:
                    await news.wait()
        finally:
            self.streams -= 1


def beat() -> bytes:
    """The line stands, and what time it is here."""
    return b'event: beat\ndata: "' + now_text().encode() + b'"\n\n'


def _same(old: Any, new: Any) -> bool:
    """Whether two looks show the same: the same objects, or equal small things."""
    if old is new:
        return True
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    return not isinstance(old, dict | msgspec.Struct) and bool(old == new)


def now_text() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Floor:
    """All events of a database that somebody looks at."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ahead: Callable[[Live], Awaitable[None]] | None = None
        """What to do when standings are different, before anybody asks for them."""
        self._open: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        self._spawn(self._beat())

    async def event(self, event: str) -> Live:
        """An event, opened once and followed from then on."""
        if event not in self._open:
            self._open[event] = asyncio.create_task(self._opened(event))
        opening = self._open[event]
        try:
            live = await asyncio.shield(opening)
            live.asked = monotonic()
            return live
        finally:
            failed = opening.done() and (opening.cancelled() or opening.exception() is not None)
            if failed and self._open.get(event) is opening:  # so that the next who asks tries again
                del self._open[event]

    async def create(
        self, event: str, command: Create | TakeOver, context: Context, *, once: Once | None = None
    ) -> Live:
        await Running.create(self.store, event, command, context, once=once)
        return await self.event(event)

    def end_streams(self) -> None:
        """Whoever follows comes to an end."""
        for live in self._lives():
            live.over = True
            live.wake()

    async def close(self) -> None:
        """End all streams, then everything else."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _lives(self) -> list[Live]:
        done = [task for task in self._open.values() if task.done() and not task.cancelled()]
        return [task.result() for task in done if task.exception() is None]

    async def _opened(self, event: str) -> Live:
        live = Live(await Running.open(self.store, event))
        live.following = self._spawn(self._follow(live))
        self._spawn(self._think(live))
        return live

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close_idle(self, now: float) -> None:
        """Close events that nobody follows and nobody has asked for lately: who opens them all, one after the
        other, does not fill the memory."""
        for live in self._lives():
            if live.following is not None and not live.streams and now - live.asked > IDLE:
                live.following.cancel()

    async def _follow(self, live: Live) -> None:
        """Take in what other processes write."""
        try:
            async for _ in self.store.follow(live.event, live.version):
                await live.running.refresh()
                live.notice()
        except TopcutError:
            pass  # the event was removed, or the store closed
        except Exception:
            logging.getLogger("topcut").exception("nobody follows event %s any more", live.event)
        finally:  # whoever looks at it comes again, and it is opened anew
            self._open.pop(live.event, None)
            live.over = True
            live.wake()

    async def _think(self, live: Live) -> None:
        """Think ahead whenever standings are different."""
        seen = 0
        while self.ahead is not None and not live.over:
            if live.marks["standings"] == seen:
                await live.news()
            else:
                seen = live.marks["standings"]
                await self.ahead(live)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            for live in self._lives():
                live.wake()
            self.close_idle(monotonic())
