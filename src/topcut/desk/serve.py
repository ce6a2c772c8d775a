"""Serving: one process, its sockets, and an end that leaves nobody hanging."""

from __future__ import annotations

import resource
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from litestar import Litestar

FILES = 65_536
"""Open files, as far as the machine lets us: a stream is one."""


class Server(uvicorn.Server):
    """A server that ends open streams at once instead of waiting for them."""

    def __init__(self, app: Litestar, sock: socket.socket, ready: Callable[[], None] | None = None) -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=60,
            server_header=False,
            lifespan="on",
        )
        super().__init__(config)
        self.app = app
        self.sock = sock
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready is not None:
            self.ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.app.state.house.floor.end_streams()
        super().handle_exit(sig, frame)

    async def serve_here(self) -> None:
        raise_limits()
        await self.serve([self.sock])


def bound(host: str, port: int, others: bool = False) -> socket.socket:
    """A socket at an address; `others`: the next free port where this one is taken."""
    for candidate in range(port, port + 20 if others and port else port + 1):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            return sock
        except OSError:
            sock.close()
            if candidate == (port + 19 if others and port else port):
                raise
    raise AssertionError


def raise_limits() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
