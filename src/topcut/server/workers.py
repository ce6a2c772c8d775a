"""Serve in several processes behind one socket, and start them again when they die.

The parent binds the socket and does nothing else, so hardly anything in it can fail. A worker that dies loses
no connection that waits at the socket: another takes it. A worker is `python -m topcut.server.workers`: one
line of its standard input says what to serve, since a command line would show the address of the database,
which may hold a password, to everybody on the machine. When the input ends, because the parent closes it or
is killed, the worker ends too.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Thread

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from topcut.errors import TopcutError
from topcut.text.messages import Field, Message, language_in_use, number, say

BACKLOG = 2_048
"""Connections that wait until a worker takes them, at most."""
STEADY_AFTER = 10.0
"""Seconds of serving after which a worker that dies is started again without a longer pause."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0
"""Seconds between the death of a worker and its next start."""
END_WITHIN = 15.0
"""Seconds that a worker may take to end."""
READY = b"ready\n"
"""Printed by a worker once it answers requests."""


class WorkerTask(Struct, frozen=True, kw_only=True):
    """Describe what a worker serves."""

    database: str
    hall: str
    chores: bool
    """Whether it does the work that only one worker may do."""
    allow_private: bool
    """Whether webhooks may go to addresses of this machine and its network."""
    socket: int = -1
    """The number of the file that listens, inherited from the parent."""
    worker: int = 0
    language: str = msgspec.field(default_factory=language_in_use)
    """Of what is printed."""


@dataclass
class Workers:
    """Run workers that serve one database at one socket, until they are ended."""

    sock: socket.socket
    count: int
    task: WorkerTask
    """What they serve; the first alone has chores, if any has."""
    warn: Callable[[str], None]
    """Prints that a worker died."""
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)
    _ready: set[int] = field(default_factory=set)
    _serving: dict[int, float] = field(default_factory=dict)
    """Since when each worker serves; a worker that is not ready yet is missing."""

    async def run(self, ready: Callable[[], None]) -> None:
        """Keep all workers running; call `ready` once, when all of them answer."""
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(stop, self.end)
        self.sock.listen(BACKLOG)
        async with asyncio.TaskGroup() as group:
            for worker in range(1, self.count + 1):
                group.create_task(self._keep_running(worker, ready))

    def end(self) -> None:
        """End all workers; the second time without waiting for them."""
        if self._over.is_set():
            self._hurry.set()
        self._over.set()

    async def _keep_running(self, number: int, ready: Callable[[], None]) -> None:
        """Run a worker, and another in its place whenever it dies."""
        clock = asyncio.get_running_loop().time
        pause = FIRST_PAUSE
        while not self._over.is_set():
            worker = await self._start(number)
            code = await self._wait_for_end(worker, number, ready)
            if self._over.is_set():
                return
            if clock() - self._serving.pop(number, clock()) > STEADY_AFTER:
                pause = FIRST_PAUSE
            self.warn(_describe_exit(number, code, pause))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _start(self, number: int) -> Process:
        chores = self.task.chores and number == 1
        task = replace(self.task, chores=chores, socket=self.sock.fileno(), worker=number)
        path = os.pathsep.join(map(os.path.abspath, sys.path))  # the worker finds the same modules
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "topcut.server.workers",
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=[task.socket],
            env=os.environ | {"PYTHONPATH": path},
            process_group=0,  # Ctrl+C is for us
        )
        assert worker.stdin is not None
        worker.stdin.write(msgspec.json.encode(task) + b"\n")
        return worker

    async def _wait_for_end(self, worker: Process, number: int, ready: Callable[[], None]) -> int:
        """Return the exit code of a worker that ends by itself or because all of them end."""
        watching = asyncio.create_task(self._watch(worker, number, ready))
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([watching, over], return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        if not watching.done():
            assert worker.stdin is not None
            worker.stdin.close()
            hurry = asyncio.create_task(self._hurry.wait())
            await asyncio.wait([watching, hurry], timeout=END_WITHIN, return_when=asyncio.FIRST_COMPLETED)
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


def _describe_exit(worker: int, code: int, pause: float) -> Message:
    """Return how a worker ended, and when another one starts.

    >>> _describe_exit(1, code=2, pause=0.25)
    'Worker 1 ended with code 2. Another one starts in 0.25 s.'
    """
    again: dict[str, Field] = {"worker": worker, "pause": number(Fraction(pause))}
    if code < 0:
        name = signal.strsignal(-code) or str(-code)
        return say(
            "Worker {worker} was ended by a signal ({signal}). Another one starts in {pause} s.",
            **again,
            signal=name,
        )
    return say("Worker {worker} ended with code {code}. Another one starts in {pause} s.", **again, code=code)


async def serve(task: WorkerTask, sock: socket.socket) -> None:
    """Serve as a worker until standard input ends."""
    from topcut.server.app import make_app
    from topcut.server.serve import Server
    from topcut.store import open_store

    store = await open_store(task.database)
    try:
        app = make_app(store, task.hall, chores=task.chores, allow_private=task.allow_private)
        server = Server(app, sock, _report_ready)
        loop = asyncio.get_running_loop()

        def wait_for_end() -> None:
            """Wait in a thread, which notices the end also while the loop is busy."""
            os.read(0, 1)
            with suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(server.end)
            time.sleep(END_WITHIN)
            os._exit(1)

        Thread(target=wait_for_end, daemon=True).start()
        await server.serve_here()
    finally:
        await store.close()


def _report_ready() -> None:
    os.write(1, READY)
    os.dup2(2, 1)  # what is printed from now on is for people


def main() -> int:
    from topcut.server.serve import get_loop_factory

    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=WorkerTask)
    try:
        with (
            socket.socket(fileno=task.socket) as sock,
            asyncio.Runner(loop_factory=get_loop_factory()) as runner,
            suppress(KeyboardInterrupt),
        ):
            runner.run(serve(task, sock))
    except TopcutError as error:
        failed = say("topcut: worker {worker}: {error}", worker=task.worker, error=error.message)
        print(failed.render(task.language), file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
