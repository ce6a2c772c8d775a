"""One of several processes that serve one database, started by `workers`: `python -m topcut.desk.worker`.

Standard input says what to serve, in one line, and ends when the worker is to end. A command line would show
the address of the database to everybody on the machine, and it may hold a password.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from contextlib import suppress
from threading import Thread

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError

LAST = 15.0
"""Seconds that a worker may take to come to its end."""
READY = b"ready\n"
"""What a worker prints when it answers."""


class Told(Struct, frozen=True, kw_only=True):
    """What a worker has to know."""

    database: str
    hall: str
    socket: int
    """The file that listens, which it has from its parent."""
    worker: int
    chores: bool
    """Whether it does what only one of them may do."""
    anywhere: bool
    """Whether webhooks may go to addresses of this machine and its network."""


async def serve(told: Told, sock: socket.socket) -> None:
    """Serve until standard input ends."""
    from topcut.desk.app import make_app
    from topcut.desk.serve import Server
    from topcut.store import open_store

    store = await open_store(told.database)
    try:
        server = Server(make_app(store, told.hall, chores=told.chores, anywhere=told.anywhere), sock, _ready)
        loop = asyncio.get_running_loop()

        def until_alone() -> None:
            """In a thread, which notices it whatever the others do."""
            os.read(0, 1)
            with suppress(RuntimeError):  # it has come to its end already
                loop.call_soon_threadsafe(server.end)
            time.sleep(LAST)
            os._exit(1)

        Thread(target=until_alone, daemon=True).start()
        await server.serve_here()
    finally:
        await store.close()


def _ready() -> None:
    os.write(1, READY)
    os.dup2(2, 1)  # whatever is printed from now on is for people


def main() -> int:
    from topcut.desk.serve import loop_factory

    told = msgspec.json.decode(sys.stdin.buffer.readline(), type=Told)
    try:
        with (
            socket.socket(fileno=told.socket) as sock,
            asyncio.Runner(loop_factory=loop_factory()) as runner,
            suppress(KeyboardInterrupt),
        ):
            runner.run(serve(told, sock))
    except TopcutError as error:
        print(f"topcut: worker {told.worker}: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
