"""Serve as one of several processes on one database, started by `workers`: `python -m topcut.server.worker`.

Standard input says what to serve, in one line, and ends when the worker is to end. A command line would show
the address of the database, which may hold a password, to everybody on the machine.
"""

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

END_WITHIN = 15.0
"""Seconds that a worker may take to end."""
READY = b"ready\n"
"""Printed by a worker once it answers requests."""


class WorkerTask(Struct, frozen=True, kw_only=True):
    """Describe what a worker serves."""

    database: str
    hall: str
    socket: int
    """The number of the file that listens, inherited from the parent."""
    worker: int
    chores: bool
    """Whether it does the work that only one worker may do."""
    anywhere: bool
    """Whether webhooks may go to addresses of this machine and its network."""


async def serve(task: WorkerTask, sock: socket.socket) -> None:
    """Serve until standard input ends."""
    from topcut.server.app import make_app
    from topcut.server.serve import Server
    from topcut.store import open_store

    store = await open_store(task.database)
    try:
        server = Server(
            make_app(store, task.hall, chores=task.chores, anywhere=task.anywhere), sock, _report_ready
        )
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
        print(f"topcut: worker {task.worker}: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
