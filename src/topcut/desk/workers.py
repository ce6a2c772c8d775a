"""Several processes behind one address: workers that share a socket and a database, and one that minds them.

    python -m topcut.desk.workers        a worker; what it needs is the first line of its standard input

Whoever minds them serves nothing, so that hardly anything can go wrong in it. It holds the socket, on which
connections wait while no worker takes them, and starts a worker anew that has died. A worker ends when it is
told to, and when its standard input does: then nobody minds it any more.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError

BACKLOG = 2_048
"""Connections that wait to be taken."""
SOON = 5.0
"""Seconds: a worker that dies within them is started again after a pause, which grows."""
LONGEST_PAUSE = 10.0
ENDS_WITHIN = 15.0
"""Seconds for what was asked to be answered before a worker is killed."""


class Task(Struct, frozen=True, kw_only=True):
    """What a worker needs to know. It comes by a pipe: the address of a database may hold a password."""

    socket: int
    database: str
    address: str
    chores: bool
    anywhere: bool


class Minder:
    """Starts workers, and starts them again."""

    def __init__(self, sock: socket.socket, database: str, address: str, anywhere: bool) -> None:
        self.sock = sock
        self._task = Task(
            socket=sock.fileno(), database=database, address=address, chores=False, anywhere=anywhere
        )
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._over = asyncio.Event()

    async def run(self, workers: int, ready: Callable[[], None]) -> None:
        """Mind so many workers until somebody stops it; `ready`: called once all of them answer."""
        self.sock.listen(BACKLOG)
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self._over.set)
        answering = [asyncio.Event() for _ in range(workers)]
        minding = [
            asyncio.create_task(self._mind(number, event)) for number, event in enumerate(answering, start=1)
        ]
        over = asyncio.create_task(self._over.wait())
        begun = asyncio.create_task(_all(answering))
        try:
            await asyncio.wait([over, begun, *minding], return_when=asyncio.FIRST_COMPLETED)
            if begun.done():
                ready()
                await asyncio.wait([over, *minding], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._over.set()
            begun.cancel()
            await self._end()
            for task in minding:
                task.cancel()
        for error in await asyncio.gather(*minding, return_exceptions=True):
            if isinstance(error, TopcutError):
                raise error

    async def _mind(self, number: int, answers: asyncio.Event) -> None:
        """Keep one worker running; the first does the chores."""
        failures = 0
        while not self._over.is_set():
            began = monotonic()
            process = await self._started(msgspec.structs.replace(self._task, chores=number == 1))
            self._running[number] = process
            assert process.stdout is not None
            if (await process.stdout.readline()).strip() == b"ready":
                answers.set()
            code = await process.wait()
            if self._over.is_set():
                return
            if not answers.is_set():
                raise DidNotStart(number, code)
            failures = failures + 1 if monotonic() - began < SOON else 0
            pause = min(0.1 * 2**failures, LONGEST_PAUSE) if failures else 0.0
            print(f"topcut: worker {number} {_how(code)}: it is started again", file=sys.stderr, flush=True)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), pause or 0.01)

    async def _started(self, task: Task) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "topcut.desk.workers",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[task.socket],
            start_new_session=True,  # what is typed at the prompt is for whoever minds them
        )
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        return process

    async def _end(self) -> None:
        """End all workers: in good order, then at any price."""
        there = [process for process in self._running.values() if process.returncode is None]
        for process in there:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        ends = [asyncio.create_task(process.wait()) for process in there]
        if ends:
            await asyncio.wait(ends, timeout=ENDS_WITHIN)
        for process in there:
            if process.returncode is None:
                process.kill()
                await process.wait()


class DidNotStart(TopcutError):
    """A worker has ended before it could serve; it has said why."""

    def __init__(self, number: int, code: int) -> None:
        self.number, self.code = number, code
        super().__init__(f"worker {number} {_how(code)} before it could serve")


async def _all(events: list[asyncio.Event]) -> None:
    for event in events:
        await event.wait()


def _how(code: int) -> str:
    """How a process ended, in words."""
    return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"


async def work(task: Task) -> None:
    """Serve until there is an end to it."""
    from topcut.desk.app import make_app
    from topcut.desk.serve import Server
    from topcut.store import open_store

    store = await open_store(task.database)
    try:
        app = make_app(store, task.address, chores=task.chores, anywhere=task.anywhere)
        server = Server(app, socket.socket(fileno=task.socket), _ready)
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _watch, server.handle_exit)
        await server.serve_here()
    finally:
        await store.close()


def _ready() -> None:
    print("ready", flush=True)


def _watch(end: Callable[[int, None], None]) -> None:
    """Nothing more is said to a worker: its standard input ends when nobody minds it any more."""
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        end(signal.SIGTERM, None)


def main() -> None:
    import uvloop

    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as given:
        task = msgspec.json.decode(given.readline(), type=Task)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, suppress(KeyboardInterrupt):
        try:
            runner.run(work(task))
        except TopcutError as error:
            print(f"topcut: {error}", file=sys.stderr)
            sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
