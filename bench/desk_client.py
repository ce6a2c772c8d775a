"""Browsers without a screen: connections that stay open, pages over them, and event streams."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, cast

import msgspec

VERSION = re.compile(rb'^data: \{"version":(\d+)', re.MULTILINE)


def read_start(process: subprocess.Popen[str]) -> dict[str, str]:
    """The addresses that `topcut serve --json` prints once it serves."""
    assert process.stdout is not None
    said = ""
    while not said.rstrip().endswith("}"):
        said += process.stdout.readline()
    found: dict[str, str] = json.loads(said)
    return found


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes
    seconds: float

    def header(self, name: str) -> str:
        found = re.search(rb"\r\n" + name.encode() + rb": ([^\r]*)", self.head)
        return found[1].decode() if found else ""


class Connection(asyncio.Protocol):
    """One that stays open; one request at a time."""

    def __init__(self) -> None:
        self._got = b""
        self._sent = 0.0
        self._answer: asyncio.Future[Answer] | None = None
        self._transport: asyncio.Transport

    @classmethod
    async def to(cls, port: int) -> Connection:
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(cls, "127.0.0.1", port))[1]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found or self._answer is None:
            return
        length = re.search(rb"\r\ncontent-length: (\d+)", head)
        if len(body) < (int(length[1]) if length else 0):
            return
        self._got = b""
        self._answer.set_result(Answer(int(head[9:12]), head, body, perf_counter() - self._sent))

    async def ask(self, request: bytes) -> Answer:
        self._answer = asyncio.get_running_loop().create_future()
        self._sent = perf_counter()
        self._transport.write(request)
        return await self._answer

    async def good(self, request: bytes, status: int = 200) -> Answer:
        """The same; anything else than was expected ends the benchmark."""
        answer = await self.ask(request)
        if answer.status != status:
            raise SystemExit(f"bench: {request[:60]!r} gave {answer.status}: {answer.body[:300]!r}")
        return answer

    def close(self) -> None:
        self._transport.close()


def get(path: str, **headers: str) -> bytes:
    """A request for a page."""
    given = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n{given}\r\n".encode()


def post(path: str, document: Any, **headers: str) -> bytes:
    body = msgspec.json.encode(document)
    given = {"content_type": "application/json", "content_length": str(len(body))} | headers
    return get(path, **given).replace(b"GET", b"POST", 1) + body


class Scorekeeper:
    """Somebody at the desk: a session, and its word that commands come from our own pages."""

    def __init__(self, connection: Connection, event: str, cookie: str) -> None:
        self.connection = connection
        self.desk = f"/desk/{event}"
        self.cookie = cookie
        self.csrf = ""

    @classmethod
    async def enter(cls, port: int, event: str, key: str) -> Scorekeeper:
        connection = await Connection.to(port)
        came = await connection.good(post("/enter", {"key": key}))
        found = cls(connection, event, came.header("set-cookie").partition(";")[0])
        page = gzip.decompress((await found.page()).body)
        csrf = re.search(rb'<meta name="csrf" content="([^"]+)"', page)
        assert csrf is not None, page[:500]
        found.csrf = csrf[1].decode()
        return found

    async def page(self) -> Answer:
        return await self.connection.good(get(self.desk, cookie=self.cookie))

    async def do(self, *commands: dict[str, Any]) -> int:
        """Commands, done when this returns; the version that came of them."""
        request = post(f"{self.desk}/do", {"commands": commands}, cookie=self.cookie, x_csrf=self.csrf)
        version: int = msgspec.json.decode((await self.connection.good(request)).body)["version"]
        return version


class Stream(asyncio.Protocol):
    """A page that follows its event, as an EventSource does."""

    def __init__(self, request: bytes, told: Callable[[int, int], None]) -> None:
        self._request = request
        self._told = told
        self._rest = b""
        self.version = 0
        self.lost = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        whole, _, self._rest = (self._rest + data).rpartition(b"\n\n")
        for found in VERSION.finditer(whole):
            before, self.version = self.version, int(found[1])
            self._told(before, self.version)

    def close(self) -> None:
        self._transport.close()


class Audience:
    """All who follow an event."""

    def __init__(self, port: int, event: str) -> None:
        self.port = port
        self.request = get(f"/e/{event}/live", accept="text/event-stream")
        self.streams: list[Stream] = []
        self._wanted = 0
        self._missing = 0
        self._all = asyncio.Event()
        self._last = 0.0

    async def gather(self, size: int, at_once: int = 50) -> None:
        """Open so many streams, and wait until each of them was told where the event stands."""
        loop = asyncio.get_running_loop()
        while len(self.streams) < size:
            count = min(at_once, size - len(self.streams))
            opening = (
                loop.create_connection(lambda: Stream(self.request, self._heard), "127.0.0.1", self.port)
                for _ in range(count)
            )
            self.streams += [stream for _, stream in await asyncio.gather(*opening)]
        await self.all_heard(1, 20.0)

    def _heard(self, before: int, now: int) -> None:
        if before < self._wanted <= now:
            self._missing -= 1
            if self._missing <= 0:
                self._last = perf_counter()
                self._all.set()

    async def all_heard(self, version: int, most: float) -> float | None:
        """When the last of them heard of a version; None if some did not in so many seconds."""
        now = perf_counter()
        self._wanted = version
        self._missing = sum(stream.version < version for stream in self.streams)
        if not self._missing:
            return now
        self._all.clear()
        try:
            await asyncio.wait_for(self._all.wait(), most)
        except TimeoutError:
            return None
        return self._last

    def behind(self, version: int) -> int:
        """How many have not heard of a version, or lost their line."""
        return sum(stream.lost or stream.version < version for stream in self.streams)

    def close(self) -> None:
        for stream in self.streams:
            stream.close()
