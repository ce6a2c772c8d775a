"""A server in this process, and clients that say byte by byte what they want.

async def story(here: Here) -> None:
    client = await here.client()
    client.say(b"GET / HTT")

served(tmp_path, story, Limits(head=2))
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import uvloop

from tests.timeouts import PATIENCE
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.event import commands as c
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.server.app import make_app
from topcut.server.connections import Connection, ConnectionLimits, cut_off_late
from topcut.server.serve import Server, bind_socket
from topcut.store import open_store


@dataclass
class Client:
    """One end of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def say(self, raw: bytes) -> None:
        if not self.writer.is_closing():
            self.writer.write(raw)

    async def answer(self) -> tuple[int, bytes]:
        """The status and the body of one answer with a length."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        return int(head.split()[1]), await self.reader.readexactly(length)

    async def ask(self, path: str = "/enter") -> int:
        """The status of one request."""
        self.say(f"GET {path} HTTP/1.1\r\nhost: hall.test\r\n\r\n".encode())
        return (await self.answer())[0]

    async def over(self) -> bytes:
        """Wait until the other end is gone; what it still said."""
        found = b""
        try:
            while some := await self.reader.read(65_536):
                found += some
        except ConnectionError:
            pass
        return found


@dataclass
class Here:
    """A server with one event, called cup."""

    server: Server
    services: Services
    live: LiveEvent
    limits: ConnectionLimits
    came: list[Client] = field(default_factory=list)

    @property
    def connections(self) -> list[Connection]:
        return [one for one in self.server.server_state.connections if isinstance(one, Connection)]

    async def client(self, room: int = 0) -> Client:
        """Somebody who is connected; `room`: whose system keeps only so much of what was not read."""
        before = len(self.connections)
        sock = socket.socket()
        if room:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        sock.connect(self.server.sock.getsockname())
        reader, writer = await asyncio.open_connection(sock=sock, limit=2**10 if room else 2**16)
        self.came.append(Client(reader, writer))
        if before < self.limits.connections:
            await until(lambda: len(self.connections) != before)
        return self.came[-1]

    async def later(self, seconds: float) -> int:
        """Look as if so much time had gone by; how many are left."""
        await settled()  # what was sent arrives
        cut_off_late(self.connections, asyncio.get_running_loop().time() + LONGER * seconds)
        await settled()  # whoever was cut off is gone
        return len(self.connections)


async def settled() -> None:
    """Everything that is under way gets several turns, however long each takes."""
    for _ in range(20):
        await asyncio.sleep(0.001)


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that comes sooner or later."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


Story = Callable[[Here], Awaitable[None]]
USUAL = ConnectionLimits()
LONGER = 100
"""Beside limits and waits that are so much longer, what a test takes on a busy machine is nothing."""
NEVER = replace(
    USUAL,
    head=LONGER * USUAL.head,
    body=LONGER * USUAL.body,
    taking=LONGER * USUAL.taking,
    every=1e6,
    ending=0.1,
)
"""Nobody looks but the test; who is slow at the end is not waited for."""


def served(folder: Path, story: Story, limits: ConnectionLimits = NEVER) -> None:
    """Tell a story to a server that is ended afterwards."""

    async def main() -> None:
        store = await open_store(str(folder / "here.db"))
        app = make_app(store)
        services: Services = app.state.services
        ready = asyncio.Event()
        sock = bind_socket("127.0.0.1", 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)  # little room on the way, soon full
        server = Server(app, sock, ready.set, limits)
        serving = asyncio.create_task(server.serve_here())
        await ready.wait()
        create = c.Create(name="Cup", book=freeze_book(load("mtr")))
        here = Here(
            server, services, await services.events.create("cup", create, new_context("Mara")), limits
        )
        try:
            await asyncio.wait_for(story(here), PATIENCE)
        finally:
            server.end()
            await serving
            for client in here.came:
                client.writer.transport.abort()
            await store.close()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
