"""Limit how long and how much a connection may take, so that no slow client keeps the server busy.

A client may connect and send nothing, send a request a byte at a time, or never read an answer. A check
every second finds the clients that take too long, and cuts them off. A client that reads slowly but
steadily goes on.
"""

from __future__ import annotations

import asyncio
import sys
from array import array
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

FULL = "Too many connections. Try again in a moment."
PIECE = 8_192
"""Bytes that are parsed at once."""
LONG = "The head of this request is too long."


@dataclass(frozen=True)
class ConnectionLimits:
    """Set how long a client may take, in seconds, and how much it may send."""

    head: float = 15.0
    """For all of a request but its body, from connecting or from its first byte on."""
    body: float = 60.0
    """For the body of a request."""
    taking: float = 20.0
    """Without reading anything of what was written to it."""
    ending: float = 5.0
    """To read or send the rest when the server ends."""
    every: float = 1.0
    """Between one check of all connections and the next."""
    head_bytes: int = 65_536
    connections: int = 60_000


class Connection(HttpToolsProtocol):
    """Handle a connection, and know since when it waits for its client."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # So writing is paused exactly while the client has not taken everything.
        transport.set_write_buffer_limits(high=0)
        self._head: float | None = self.loop.time()
        self._body: float | None = None
        self._left: tuple[int, float] | None = None
        self._length = 0
        self._unheard = 0
        self._answering: RequestResponseCycle | None = None
        if len(self.connections) > self.limits.connections:
            self._refuse(503, FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_answering()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head is None and self._body is None:
            self._head = self.loop.time()
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._unheard += len(piece)
            super().data_received(piece)
        # The parser keeps what it cannot parse yet, such as a header without an end.
        if self._unheard > self.limits.head_bytes and not self.transport.is_closing():
            self._refuse(431, LONG)

    def on_message_begin(self) -> None:
        self._length = self._unheard = 0
        if self._head is None:
            self._head = self.loop.time()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_head(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head, self._body = None, self.loop.time()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unheard = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._body, self._unheard = None, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._length > self.limits.head_bytes:
            self._refuse(431, LONG)
        else:
            super().send_400_response(msg)

    def resume_writing(self) -> None:
        self._left = None  # all of it was taken
        super().resume_writing()

    def is_late(self, now: float) -> bool:
        """Tell whether the client has taken too long for something."""
        if self.flow.read_paused:  # the server does not read: the time of the client begins anew
            self._head, self._body = (None if since is None else now for since in (self._head, self._body))
        if self._head is not None and now - self._head > self.limits.head:
            return True
        if self._body is not None and now - self._body > self.limits.body:
            return True
        if not self.flow.write_paused:
            return False
        left = self.transport.get_write_buffer_size() + self._count_unsent_bytes()
        if self._left is None or left < self._left[0]:
            self._left = (left, now)
        return now - self._left[1] > self.limits.taking

    def cut_off(self) -> None:
        """Close the connection at once."""
        self._stop_answering()
        self.transport.abort()

    def _stop_answering(self) -> None:
        """Stop the answer that is being written: of several requests, uvicorn would stop only the last."""
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _count_unsent_bytes(self) -> int:
        """Return the bytes that the system has not sent yet: on a slow network the client is not to blame."""
        waiting = array("i", [0])
        if sys.platform == "linux":
            with suppress(ImportError, OSError, ValueError):
                from fcntl import ioctl
                from termios import TIOCOUTQ

                ioctl(self.transport.get_extra_info("socket").fileno(), TIOCOUTQ, waiting)
        return waiting[0]

    def _count_head(self, length: int) -> None:
        self._unheard = 0
        self._length += length
        if self._length > self.limits.head_bytes:
            raise ValueError(LONG)  # the parser stops, and `send_400_response` says why

    def _refuse(self, status: int, says: str) -> None:
        self._head = self._body = None
        lines = [
            b"content-type: text/plain; charset=utf-8",
            b"content-length: %d" % len(says),
            b"retry-after: 5",
            b"connection: close",
            b"",
            says.encode(),
        ]
        self.transport.write(STATUS_LINE[status] + b"\r\n".join(lines))
        self.transport.close()


def make_protocol(limits: ConnectionLimits) -> type[Connection]:
    """Return a class of connections with these limits."""
    return type("Connection", (Connection,), {"limits": limits})


def cut_off_late(connections: Iterable[object], now: float | None = None) -> None:
    """Cut off connections that have taken too long at the time `now`; None: all of them."""
    for connection in list(connections):
        if isinstance(connection, Connection) and (now is None or connection.is_late(now)):
            connection.cut_off()
