"""Several processes behind one socket: who starts them, and starts them again?

The parent binds the socket and does nothing else, so there is hardly anything in it that could fail. A worker
that dies loses no connection that waits at the socket: another takes it. What a worker is to serve stands in
one line of its standard input; when that ends the worker ends too, be the parent closing it or killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from topcut.desk.worker import LAST, READY, Told

BACKLOG = 2_048
"""Connections that wait until a worker takes them, at most."""
STEADY = 10.0
"""Seconds of serving after which a worker that ended did not end at once."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0


@dataclass
class Workers:
    """So many workers that serve one database at one socket, until somebody ends them."""

    sock: socket.socket
    count: int
    database: str
    hall: str
    anywhere: bool
    """Where webhooks may go."""
    chores: bool
    """Whether one of them does what only one may do."""
    say: Callable[[str], None]
    """Whoever runs the server hears by it that a worker died."""
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)
    _ready: set[int] = field(default_factory=set)
    _serving: dict[int, float] = field(default_factory=dict)
    """Since when each worker serves; one that does not get so far, however long it tries, is not in it."""

    async def run(self, ready: Callable[[], None]) -> None:
        """Keep them running; `ready` is called once, when all of them answer."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.end)
        self.sock.listen(BACKLOG)
        async with asyncio.TaskGroup() as group:
            for worker in range(1, self.count + 1):
                group.create_task(self._keep(worker, ready))

    def end(self) -> None:
        """Let all of them come to their end; asked again, without waiting for them."""
        if self._over.is_set():
            self._hurry.set()
        self._over.set()

    async def _keep(self, number: int, ready: Callable[[], None]) -> None:
        """Run a worker, and another in its place whenever it dies."""
        clock = asyncio.get_running_loop().time
        pause = FIRST_PAUSE
        while not self._over.is_set():
            worker = await self._started(number)
            code = await self._ended(worker, number, ready)
            if self._over.is_set():
                return
            if clock() - self._serving.pop(number, clock()) > STEADY:
                pause = FIRST_PAUSE
            self.say(f"worker {number} {_how(code)}; another is started in {pause:g} s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _started(self, number: int) -> Process:
        told = Told(
            database=self.database,
            hall=self.hall,
            socket=self.sock.fileno(),
            worker=number,
            chores=self.chores and number == 1,
            anywhere=self.anywhere,
        )
        path = os.pathsep.join(map(os.path.abspath, sys.path))  # it finds what we find
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "topcut.desk.worker",
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=[told.socket],
            env=os.environ | {"PYTHONPATH": path},
            process_group=0,  # Ctrl+C is for us
        )
        assert worker.stdin is not None
        worker.stdin.write(msgspec.json.encode(told) + b"\n")
        return worker

    async def _ended(self, worker: Process, number: int, ready: Callable[[], None]) -> int:
        """What a worker left with, by itself or because all of them end."""
        watching = asyncio.create_task(self._watch(worker, number, ready))
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([watching, over], return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        if not watching.done():
            assert worker.stdin is not None
            worker.stdin.close()
            hurry = asyncio.create_task(self._hurry.wait())
            await asyncio.wait([watching, hurry], timeout=LAST, return_when=asyncio.FIRST_COMPLETED)
            hurry.cancel()
            if not watching.done():
                worker.kill()
        return await watching

    async def _watch(self, worker: Process, number: int, ready: Callable[[], None]) -> int:
        assert worker.stdout is not None
        if await worker.stdout.readline() == READY:
            self._serving[number] = asyncio.get_running_loop().time()
            if number not in self._ready:
                self._ready.add(number)
                if len(self._ready) == self.count:
                    ready()
        return await worker.wait()


def _how(code: int) -> str:
    """How a process ended.

    >>> _how(2)
    'ended with code 2'
    """
    return f"ended by a signal ({signal.strsignal(-code)})" if code < 0 else f"ended with code {code}"
