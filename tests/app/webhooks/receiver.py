"""A receiver on this machine that takes deliveries, or does with them what receivers should not.

async with receiving(500, "hang") as receiver:
    receiver.url          where it is
    await receiver.had(3) waits until three came, the first refused, the second never answered
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from tests.timeouts import PATIENCE

Answer = int | str | Callable[[], Awaitable[int]]
"""A status; "hang": nothing, for ever; "drop": hang up; "endless": an answer without an end; "drip": one that
comes a byte at a time; an address: go there instead; or what a function says."""


@dataclass(frozen=True)
class Got:
    """One request."""

    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Takes everything, unless the next of its answers says otherwise."""

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        self.answers = list(answers)
        self.always: Answer = 200
        self.got: list[Got] = []
        self.taken: list[Any] = []
        """The facts of those that were answered with 200."""
        self.written = 0
        """Bytes of endless answers."""
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/topcut?from=hall"

    async def had(self, count: int) -> list[Got]:
        """What came, once it is so much."""
        await self.until(lambda: len(self.got) >= count)
        return self.got

    async def took(self, count: int) -> list[Any]:
        """The facts that were taken, once there are so many."""
        await self.until(lambda: len(self.taken) >= count)
        return self.taken

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        lines = (line.partition(": ") for line in head[1:] if line)
        headers = {name.lower(): value for name, _, value in lines}
        got = Got({":target": head[0], **headers}, await reader.readexactly(int(headers["content-length"])))
        answer = self.answers.pop(0) if self.answers else self.always
        self.got.append(got)
        self._news.set()
        status: int | str = answer if isinstance(answer, int | str) else await answer()
        if status == "drop":
            return
        if status == "hang":
            await asyncio.Event().wait()
        if status in ("endless", "drip"):
            self._takes(got)
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                writer.write(b"x" * (100_000 if status == "endless" else 1))
                await writer.drain()
                self.written += 100_000 if status == "endless" else 1
                await asyncio.sleep(0 if status == "endless" else 0.01)
        more = f"location: {status}\r\n" if isinstance(status, str) else ""
        number = 302 if isinstance(status, str) else status
        if number == 200:
            self._takes(got)
        writer.write(f"HTTP/1.1 {number} So\r\n{more}content-length: 3\r\n\r\nok\n".encode())
        await writer.drain()

    def _takes(self, got: Got) -> None:
        self.taken += got.said["facts"]
        self._news.set()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def receiving(*answers: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver that is gone afterwards."""
    receiver = Receiver(answers)
    async with await asyncio.start_server(receiver.serve, "127.0.0.1", 0, ssl=tls) as server:
        receiver.port = server.sockets[0].getsockname()[1]
        try:
            yield receiver
        finally:
            await receiver.end()
