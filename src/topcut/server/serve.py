"""Serve in one process, and end it without waiting for open streams or slow clients."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import FrameType

import uvicorn
from litestar import Litestar

from topcut.server.connections import ConnectionLimits, cut_off_late, make_protocol

FILES = 65_536
"""Files that a server opens, if the machine allows it: a stream is one."""
MAC_FILES = 10_240
"""Files that macOS lets a process open, whichever limit it names."""
SPARE = 100
"""Files that are kept free for the database and everything but connections."""


class Server(uvicorn.Server):
    """Serve, and end open streams at once instead of waiting for them."""

    def __init__(
        self,
        app: Litestar,
        sock: socket.socket,
        ready: Callable[[], None] | None = None,
        limits: ConnectionLimits | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=60,
            server_header=False,
            lifespan="on",
            ws="none",
        )
        super().__init__(config)
        self.app = app
        self.sock = sock
        self.ready = ready
        self.limits = limits or ConnectionLimits()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready is not None:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer open requests; a client that does not read its answer is cut off."""
        loop = asyncio.get_running_loop()
        last = loop.call_later(self.limits.ending, cut_off_late, self.server_state.connections)
        await super().shutdown(sockets)
        last.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """End the server soon, and streams at once."""
        self.app.state.services.events.end_streams()
        self.should_exit = True

    async def serve_here(self) -> None:
        """Serve until the end, with as many connections as files can be opened."""
        most = min(self.limits.connections, raise_file_limit() - SPARE)
        self.config.http = make_protocol(replace(self.limits, connections=most))
        watching = asyncio.create_task(self._watch())
        try:
            await self.serve([self.sock])
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        """Cut off slow clients at regular intervals."""
        while True:
            await asyncio.sleep(self.limits.every)
            cut_off_late(self.server_state.connections, asyncio.get_running_loop().time())


def bind_socket(host: str, port: int, others: bool = False) -> socket.socket:
    """Return a socket at an address; `others`: at the next free port where this one is taken."""
    for candidate in range(port, port + 20 if others and port else port + 1):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, get_reuse_option(), 1)
        try:
            sock.bind((host, candidate))
            return sock
        except OSError:
            sock.close()
            if candidate == (port + 19 if others and port else port):
                raise
    raise AssertionError


def get_reuse_option(options: object = socket) -> int:
    """Return the socket option by which a server starts again at once at its address, never beside another.

    Elsewhere SO_REUSEADDR says that; on Windows it lets two servers share a port, and each request goes to
    either of them. `options`: the module that has the options of this system.
    """
    option: int = getattr(options, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    return option


def raise_file_limit() -> int:
    """Let this process open many files; return how many it may. Windows has no such limit."""
    try:
        import resource
    except ImportError:
        return FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft >= wanted:
        return soft
    for most in (wanted, min(wanted, MAC_FILES)):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return most
    return soft


def get_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of uvloop, which is quicker, or None for asyncio's own loop where it is missing."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
