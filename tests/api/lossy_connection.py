"""A line to a server on which things get lost: a request that never arrives, or an answer that nobody hears.

with Lossy(port, ["answer", "request", ""]) as line:
    ...  # of three requests the first is done and not answered, the second is not done, the third is both
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from itertools import chain, repeat
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Lock, Thread
from types import TracebackType
from typing import BinaryIO, Self, cast


class Lossy:
    """What is lost of each request, in their order; after that nothing."""

    def __init__(self, port: int, lost: Iterable[str]) -> None:
        self.lost = 0
        plan, lock = chain(lost, repeat("")), Lock()

        class Line(StreamRequestHandler):
            def handle(line) -> None:
                with lock:
                    what = next(plan)
                    self.lost += bool(what)
                asked = _request(cast(BinaryIO, line.rfile))
                if what != "request":
                    answer = _answer(port, asked)
                    if what != "answer":
                        line.wfile.write(answer)

        ThreadingTCPServer.daemon_threads = True
        self._server = ThreadingTCPServer(("127.0.0.1", 0), Line)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = Thread(target=self._server.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _request(said: BinaryIO) -> bytes:
    """One request, which asks for nothing more to come."""
    head, length = b"", 0
    while (one := said.readline()) not in (b"\r\n", b""):
        if one.lower().startswith(b"content-length:"):
            length = int(one.partition(b":")[2])
        if not one.lower().startswith(b"connection:"):
            head += one
    return head + b"connection: close\r\n\r\n" + said.read(length)


def _answer(port: int, asked: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as server:
        server.sendall(asked)
        found = b""
        while part := server.recv(65_536):
            found += part
    return found
