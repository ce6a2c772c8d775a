"""Many who speak HTTP with a desk at once, each on a connection of their own that is kept open.

desk = await Desk.enter(site.port, key, "cup")
answer = await desk.do({"do": "report", "table": 14, "result": {"games": [2, 0, 0]}})
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.timeouts import PATIENCE

LOST = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
"""What becomes of a connection whose other end was killed."""
LAST_CHUNK = b"0\r\n"
"""How a stream ends, on a connection that stays open."""


class Unanswered(Exception):
    """A request to which no answer came: whether it was done, nobody knows."""


class Line:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """One request; connected anew if that is needed. It is never sent twice."""
        raw = b"" if body is None else json.dumps(body).encode()
        given = {"host": "127.0.0.1", "content-length": str(len(raw))} | (headers or {})
        if body is not None:
            given["content-type"] = "application/json"
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
        patience = asyncio.timeout(PATIENCE)
        try:
            async with patience:
                if self.writer is None or self.reader is None or self.reader.at_eof():
                    self.close()
                    self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
                self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + raw)
                return await _answer(self.reader)
        except LOST as error:
            self.close()
            assert not patience.expired(), f"{path} is neither answered nor cut off"
            raise Unanswered(path) from error

    def close(self) -> None:
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, await reader.readexactly(int(headers.get("content-length", 0)))


@dataclass
class Desk:
    """Somebody at the desk of an event, with as many connections as are needed at once."""

    port: int
    event: str
    headers: dict[str, str]
    _free: list[Line] = field(default_factory=list)

    @classmethod
    async def enter(cls, port: int, link: str, event: str) -> Desk:
        """Come in by a link."""
        line = Line(port)
        status, headers, _ = await line.ask("POST", "/enter", {"key": link.partition("#")[2]})
        assert status == 200
        cookie = headers["set-cookie"].partition(";")[0]
        _, _, page = await line.ask("GET", f"/desk/{event}", headers={"cookie": cookie})
        line.close()
        found = re.search(rb'name="csrf" content="([^"]+)"', page)
        assert found is not None
        return cls(port, event, {"cookie": cookie, "x-csrf": found[1].decode()})

    @asynccontextmanager
    async def line(self) -> AsyncIterator[Line]:
        """A connection that nobody else uses meanwhile."""
        line = self._free.pop() if self._free else Line(self.port)
        try:
            yield line
        finally:
            self._free.append(line)

    async def do(self, *commands: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The status and the answer to commands."""
        async with self.line() as line:
            path = f"/desk/{self.event}/do"
            status, _, body = await line.ask("POST", path, {"commands": commands}, self.headers)
            return status, json.loads(body)

    async def get(self, path: str) -> tuple[int, bytes]:
        """The status and the body of a page."""
        async with self.line() as line:
            status, _, body = await line.ask("GET", path, headers=self.headers)
            return status, body

    def close(self) -> None:
        for line in self._free:
            line.close()


class Follower:
    """Somebody who follows an event, and comes again whenever the connection is lost."""

    def __init__(self, port: int, path: str, headers: dict[str, str] | None = None) -> None:
        self.version = 0
        """The last they were told of."""
        self.came = 0
        """How often they had to connect."""
        self._port, self._path, self._headers = port, path, headers or {}
        self._task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            with suppress(*LOST):
                await self._once()
            await asyncio.sleep(0.2)

    async def _once(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            lines = [f"GET {self._path} HTTP/1.1", "host: 127.0.0.1"]
            lines += [f"{name}: {value}" for name, value in self._headers.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head[:20]:
                return
            self.came += 1
            while (line := await reader.readline()) and line != LAST_CHUNK:
                if line.startswith(b"data: {"):
                    self.version = json.loads(line[6:])["version"]
        finally:
            writer.transport.abort()

    async def heard(self, version: int) -> None:
        """Wait until they were told of a version."""
        async with asyncio.timeout(PATIENCE):
            while self.version < version:
                await asyncio.sleep(0.02)

    def close(self) -> None:
        self._task.cancel()
