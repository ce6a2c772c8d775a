"""A line to a PostgreSQL server that can be cut at a chosen moment, to lose an answer or a question.

async with proxy(folder, server.folder) as line:
    line.lose = "answer"    the next question is answered by the server, but nobody hears it
    line.lose = "question"  the next question does not get there
    line.lose = "commit"    the next transaction of several questions is made, but nobody hears it
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_SOCKET = ".s.PGSQL.5432"
_MOST = 1 << 20
_RAN = b"2"
"""How the answer to a statement begins that was carried out (BindComplete), and not only prepared."""
_COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"
"""How the answer to the end of a transaction begins (CommandComplete)."""
_BEGINNINGS = {"answer": _RAN, "commit": _COMMITTED}


class Line:
    """What to lose next; nothing again once it was lost."""

    def __init__(self, server: Path) -> None:
        self.lose = ""
        self.lost = 0
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()

    async def end(self) -> None:
        """Hang up everything that is still open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def join(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Carries what both sides say, question by question."""
        from_server, to_server = await asyncio.open_unix_connection(self._server / _SOCKET)
        answers = asyncio.create_task(self._answers(from_server, to_client))
        this = asyncio.current_task()
        self._tasks |= {answers, this} if this is not None else {answers}
        try:
            while (question := await client.read(_MOST)) and self.lose != "question":
                to_server.write(question)
                await to_server.drain()
            self._cut("question")
        finally:
            to_server.close()
            await answers

    async def _answers(self, server: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        while answer := await server.read(_MOST):
            if self.lose in _BEGINNINGS and answer.startswith(_BEGINNINGS[self.lose]):
                self._cut(self.lose)
                break
            client.write(answer)
            await client.drain()
        client.close()

    def _cut(self, what: str) -> None:
        if self.lose == what:
            self.lose = ""
            self.lost += 1


@asynccontextmanager
async def proxy(folder: Path, server: Path) -> AsyncIterator[Line]:
    """A line that begins in a folder of its own."""
    line = Line(server)
    async with await asyncio.start_unix_server(line.join, folder / _SOCKET):
        try:
            yield line
        finally:
            await line.end()
