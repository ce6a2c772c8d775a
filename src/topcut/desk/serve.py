"""Serving: one process, its sockets, and an end that leaves nobody hanging."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import FrameType

import uvicorn
from litestar import Litestar

from topcut.desk.sockets import Limits, cut_off, limited

FILES = 65_536
"""Open files, as far as the machine lets us: a stream is one."""
MAC_FILES = 10_240
"""As many as macOS lets a process open, whatever limit it names."""
SPARE = 100
"""Of these, for the database and whatever else is opened."""


class Server(uvicorn.Server):
    """A server that ends open streams at once instead of waiting for them."""

    def __init__(
        self,
        app: Litestar,
        sock: socket.socket,
        ready: Callable[[], None] | None = None,
        limits: Limits | None = None,
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
        self.limits = limits or Limits()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready is not None:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer what was asked; whoever does not take the answer does not hold up the end."""
        loop = asyncio.get_running_loop()
        last = loop.call_later(self.limits.ending, cut_off, self.server_state.connections)
        await super().shutdown(sockets)
        last.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """Come to an end soon; streams end at once."""
        self.app.state.house.floor.end_streams()
        self.should_exit = True

    async def serve_here(self) -> None:
        most = min(self.limits.connections, raise_limits() - SPARE)
        self.config.http = limited(replace(self.limits, connections=most))
        watching = asyncio.create_task(self._watch())
        try:
            await self.serve([self.sock])
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        """Cut off, again and again, whoever takes too long."""
        while True:
            await asyncio.sleep(self.limits.every)
            cut_off(self.server_state.connections, asyncio.get_running_loop().time())


def bound(host: str, port: int, others: bool = False) -> socket.socket:
    """A socket at an address; `others`: the next free port where this one is taken."""
    for candidate in range(port, port + 20 if others and port else port + 1):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, address_option(), 1)
        try:
            sock.bind((host, candidate))
            return sock
        except OSError:
            sock.close()
            if candidate == (port + 19 if others and port else port):
                raise
    raise AssertionError


def address_option(options: object = socket) -> int:
    """The socket option by which a server starts again at once at its address, and never beside another.

    Elsewhere SO_REUSEADDR says that; on Windows it lets two servers share a port, and each request goes to
    either of them. `options`: the module that has the options of this system.
    """
    option: int = getattr(options, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    return option


def raise_limits() -> int:
    """Let this process open many files; how many it may. Windows has no such limit."""
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


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the loop of a server: uvloop, which is quicker; None: asyncio's own, where there is none."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
