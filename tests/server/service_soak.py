"""A host's Saturday: events are played, read and followed while processes and the database go away.

python -m tests.server.service_soak SECONDS

Staff report, correct, drop players and go on to the next round; others read the pages of the hall and follow.
Every few seconds a worker is killed, connections to the database are cut, or the database restarts. What
everybody was told is compared with the logs afterwards.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.server.http_clients import Desk, Follower, Line, Unanswered
from tests.server.worker_processes import Several
from tests.store.command_process import context, create
from tests.store.postgres_server import Server, ask, server
from tests.store.store_helpers import opened
from tests.timeouts import PATIENCE
from tests.web.browser.forked_commands import command
from topcut.app.access.access import A_DAY, Access
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.event_log import EventLog
from topcut.event.state import RoundState, State
from topcut.store import Store, StoreError
from topcut.store.session import EventSession

EVENTS = 3
PLAYERS = 24
STAFF = 3
READERS = 4
FOLLOWERS = 4
PAGES = ["", "/pairings", "/pairings?by=table", "/standings", "/player/p1", "/changes", "/draws", "/screen"]
GAMES = [(2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0), (1, 1, 1)]
CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.7
"""
Said = tuple[str, str, int, int | str]
"""A kind of fact, and of what: event, kind, round, table or player."""


@dataclass
class Told:
    """What people were told of what they did."""

    done: Counter[Said] = field(default_factory=Counter)
    unknown: Counter[Said] = field(default_factory=Counter)
    """No answer came: it may be there or not."""
    answers: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)


@dataclass
class Saturday:
    """Everything that goes on at once."""

    site: Several
    server: Server
    store: Store
    random: Random
    told: Told = field(default_factory=Told)
    events: list[str] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    followers: dict[str, list[Follower]] = field(default_factory=dict)

    async def go_on(self, seconds: float) -> None:
        """So long, with everybody at work."""
        async with asyncio.TaskGroup() as group:
            for _ in range(EVENTS):
                group.create_task(self._play())
            for _ in range(READERS):
                group.create_task(self._read())
            group.create_task(self._make_trouble())
            await asyncio.sleep(seconds)
            latest = time.monotonic() + PATIENCE
            while (
                not self._has_seen_enough() and time.monotonic() < latest
            ):  # on a busy machine everything takes longer
                await asyncio.sleep(0.1)
            self.over.set()

    def _has_seen_enough(self) -> bool:
        """Return whether something was done, and something went away."""
        return bool(self.told.done and self.told.troubles["kill"] and self.told.troubles["cut"])

    async def _play(self) -> None:
        """One event after the other, each to its end."""
        while not self.over.is_set():
            event = f"cup-{len(self.events)}"
            self.events.append(event)
            running, links = await insist(lambda event=event: self._made(event))
            desks = [await self._enter(link, event) for link in links]
            paths = [f"/e/{event}/live", f"/desk/{event}/live"] * (FOLLOWERS // 2)
            self.followers[event] = [Follower(self.site.port, path, desks[0].headers) for path in paths]
            async with asyncio.TaskGroup() as group:
                for desk in desks:
                    group.create_task(self._keep_score(desk, running))
            for desk in desks:
                desk.close()

    async def _made(self, event: str) -> tuple[EventSession, list[str]]:
        """An event and the links of its staff; made by another process than those that serve it."""
        with suppress(StoreError):
            await create(self.store, event)
        running = await EventSession.open(self.store, event)
        if not running.state.players:
            await running.do_all([c.Register(name=f"Player {n}") for n in range(PLAYERS)], context("players"))
        access = Access(self.store)
        return running, [await access.make_link(f"Staff {n}", event, lasts=A_DAY) for n in range(STAFF)]

    async def _enter(self, key: str, event: str) -> Desk:
        while True:
            with suppress(Unanswered, AssertionError):  # not now
                return await Desk.enter(self.site.port, f"/enter#{key}", event)
            await asyncio.sleep(0.2)

    async def _keep_score(self, desk: Desk, running: EventSession) -> None:
        """Do what is to be done next, as one of several who do."""
        while not self.over.is_set() and not running.state.finished:
            with suppress(StoreError):
                await running.refresh()
            await self._do(desk, *self._next(desk.event, running.state))
            await asyncio.sleep(self.random.uniform(0, 0.2))

    def _next(self, event: str, state: State) -> tuple[dict[str, Any], Said | None]:
        """A command, and what the log says if it was done."""
        a_round, random = state.round, self.random
        if a_round is None or a_round.phase == "ended":
            planned = len(state.rounds) >= 4
            return {"do": "finish", "reason": "enough"} if planned else {"do": "pair"}, None
        if a_round.phase != "started":
            return {"do": "publish" if a_round.phase == "draft" else "start"}, None
        number = a_round.number
        if random.random() < 0.02 and number > 1:
            player = random.choice([listed.player.id for listed in state.active()])
            return {"do": "drop", "player": player}, (event, "dropped", 0, player)
        if random.random() < 0.2 and (reported := _reported(a_round)):
            table, games = random.choice(reported), random.choice(GAMES)
            asked = {"do": "correct", "round": number, "table": table, "result": {"games": games}}
            return asked, (event, "corrected", number, table)
        if not a_round.missing:
            return {"do": "end"}, None
        missing = random.choice(a_round.missing).table
        assert missing is not None
        result = {"games": random.choice(GAMES)}
        asked = {"do": "report", "round": number, "table": missing, "result": result}
        return asked, (event, "reported", number, missing)

    async def _do(self, desk: Desk, asked: dict[str, Any], said: Said | None) -> None:
        try:
            status, answer = await desk.do(asked)
        except Unanswered:
            status, answer = 0, {}
        assert status in (0, 200, 422, 503), (asked, status, answer)
        self.told.answers[f"{asked['do']} {status}"] += 1
        if said is not None and status != 422:
            (self.told.done if status == 200 else self.told.unknown)[said] += 1

    async def _read(self) -> None:
        """Look at one page after the other."""
        line = Line(self.site.port)
        while not self.over.is_set():
            path = f"/e/{self.random.choice(self.events)}{self.random.choice(PAGES)}" if self.events else "/"
            try:
                status, _, page = await line.ask("GET", path)
            except Unanswered:
                status, page = 0, b""
            assert status in (0, 200, 404, 503), (path, status, page)  # an event may be about to be made
            self.told.answers[f"read {status}"] += 1
            await asyncio.sleep(self.random.uniform(0, 0.1))
        line.close()

    async def _make_trouble(self) -> None:
        first = ["kill", "cut", "crash"]
        while not self.over.is_set():
            await asyncio.sleep(self.random.uniform(1, 4))
            kinds = self.random.choices(["kill", "cut", "restart", "crash"], [5, 5, 1, 1])
            kind = first.pop(0) if first else kinds[0]
            self.told.troubles[kind] += 1
            if kind == "kill":
                with suppress(IndexError, ProcessLookupError):
                    os.kill(self.random.choice(self.site.workers), signal.SIGKILL)
            elif kind == "cut":
                await ask(self.site.database, CUT)
            else:
                how = signal.SIGINT if kind == "restart" else signal.SIGKILL
                await asyncio.to_thread(self.server.restart, how)

    async def check(self) -> None:
        """Everything that anybody was told is true."""
        for event in self.events:
            running = await insist(lambda event=event: EventSession.open(self.store, event))
            found = _found(event, running.log)
            for said in found | self.told.done | self.told.unknown:
                if said[0] == event:
                    least, most = self.told.done[said], self.told.done[said] + self.told.unknown[said]
                    assert least <= found[said] <= most, (said, least, found[said], most)
                    assert said[1] == "corrected" or found[said] <= 1, said
            for follower in self.followers.get(event, ()):
                await follower.heard(running.log.version)
                follower.close()


def _found(event: str, log: EventLog) -> Counter[Said]:
    """What the log says. Who drops loses their table: nobody else reports that."""
    leaving = {entry.step for entry in log.entries if isinstance(entry.fact, f.Dropped)}
    found: Counter[Said] = Counter()
    for entry in log.entries:
        match entry.fact:
            case f.Reported(round=number, table=table) if entry.step not in leaving:
                found[event, "reported", number, table] += 1
            case f.Corrected(round=number, table=place):
                found[event, "corrected", number, place] += 1
            case f.Dropped(player=player):
                found[event, "dropped", 0, player] += 1
    return found


def _reported(a_round: RoundState) -> list[int]:
    return [table.table for table in a_round.tables if table.reported and isinstance(table.table, int)]


async def insist(work: Any) -> Any:
    """What comes of something that a database refuses while it is away."""
    while True:
        try:
            return await work()
        except StoreError:
            await asyncio.sleep(0.2)


def soak(seconds: float, seed: int, folder: Path) -> Told:
    """A Saturday of so many seconds; what people were told, all of it true."""
    with server() as running:
        site = Several(folder, running.database())

        async def main() -> Saturday:
            async with opened(site.database) as store:
                saturday = Saturday(site, running, store, Random(seed))
                await saturday.go_on(seconds)
                await saturday.check()
                return saturday

        try:
            saturday = asyncio.run(main())
            for event in saturday.events:
                file = folder / f"{event}.log"
                site("export", "--event", event, "-o", str(file))
                command("check", str(file))
        finally:
            site.stop()
        assert site.process is not None
        assert site.process.returncode == 0
    return saturday.told


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        told = soak(float(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 1, Path(folder))
        print(dict(told.troubles))
        print(dict(sorted(told.answers.items())))
