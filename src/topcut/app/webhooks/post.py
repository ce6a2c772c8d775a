"""Send a delivery to its receiver in one request, within limits, and return the outcome.

A webhook goes to a public address, not to one that only this server can reach. A name is looked up once for
each delivery, and the connection goes to an address that was checked: the owner of the name cannot answer
differently a moment later. No connection is used twice: a receiver that shares an address with another never
gets a request on a connection with the other's certificate. Redirects, cookies and the environment's proxies
are ignored.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Thread

import httpx

from topcut.errors import BadInput
from topcut.text.messages import Message, say
from topcut.text.os_errors import describe_os_error

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name and a port."""
WITHIN = 10.0
"""Seconds from looking up the name to the answer, at most."""
ANSWER = 65_536
"""Bytes of an answer that are read, at most."""
AT_ONCE = 50
"""Deliveries under way, at most."""
_HEAR_OUT = 1.0
"""Seconds for reading the rest of an answer, which is not used."""
_ADDRESSES = 3
"""Addresses of one name that are tried, at most."""
_SAID = 200
"""Characters of an error that are kept, at most."""
_HEADERS = {
    "accept": "*/*",
    "accept-encoding": "identity",
    "connection": "close",
    "content-type": "application/json",
    "user-agent": "Topcut",
}
LONGEST = 2_000
"""Characters of an address, at most."""
_PORTS = {"http": 80, "https": 443}
_GLOBAL = IPv6Network("2000::/3")
_TUNNEL = IPv6Network("2002::/16")
"""Addresses that lead to any IPv4 address, private ones too; no receiver uses them."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as they look in networks that have only IPv6."""


def check_webhook_address(text: str, allow_private: bool = False) -> str:
    """Return an address in normal form; refuse one that cannot be delivered to. Names are not looked up.

    >>> check_webhook_address("https://league.example/topcut?key=1")
    'https://league.example/topcut?key=1'
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        raise BadInput(say("expected an address"), place="url") from None
    if url.scheme not in _PORTS or not url.host:
        problem = say("expected an address that begins with https:// or http:// and a host")
        raise BadInput(problem, place="url")
    if url.userinfo:
        raise BadInput(say("expected an address without user and password"), place="url")
    if len(text) > LONGEST or not 0 < _port_of(url) < 65_536:
        raise BadInput(
            say("expected at most {most} characters, and a port from 1 to 65535", most=LONGEST), place="url"
        )
    with suppress(ValueError):
        if not allow_private and not is_public(url.host):
            raise BadInput(say("expected an address on the public internet"), place="url")
    return str(url)


def _port_of(url: httpx.URL) -> int:
    return _PORTS[url.scheme] if url.port is None else url.port


def is_public(address: str) -> bool:
    """Tell whether an IP address belongs to a single machine on the internet.

    >>> is_public("9.9.9.9"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        inner = IPv4Address(int(found) & 0xFFFF_FFFF) if found in _TRANSLATED else found.ipv4_mapped
        if inner is None and (found not in _GLOBAL or found in _TUNNEL):
            return False
        found = inner or found
    # Neither loopback, private, link-local, shared, unspecified, multicast nor reserved.
    return found.is_global and not (found.is_multicast or found.is_reserved)


async def look_up_host(host: str, port: int) -> list[str]:
    """Return the addresses of a name, in the order in which to try them.

    A thread of its own looks them up: a slow name server holds up nothing, not even the end of the process.
    """
    found: Future[list[str]] = Future()
    found.set_running_or_notify_cancel()

    def look() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.set_result(list(dict.fromkeys(str(row[4][0]) for row in rows)))
        except (OSError, UnicodeError) as error:
            found.set_exception(error)

    Thread(target=look, name="topcut look-up", daemon=True).start()
    return await asyncio.wrap_future(found)


@dataclass(frozen=True)
class DeliveryOutcome:
    """Describe how a delivery ended."""

    status: int | None
    """The status of the answer; None: there was no answer."""
    problem: str = ""
    """Why it failed, in words; empty if it was taken."""

    @property
    def gone(self) -> bool:
        """Tell whether the receiver wants no further deliveries."""
        return self.status == HTTPStatus.GONE


class _Unsent(Exception):
    """Tell why nothing was sent."""

    def __init__(self, why: Message) -> None:
        self.why = why
        super().__init__(why)


class Sender:
    """Send deliveries to their receivers.

    `allow_private`: also to this machine and to private networks. `tls`: which certificates are good; None:
    the same as in browsers.
    """

    def __init__(
        self,
        *,
        allow_private: bool = False,
        resolve: Resolve = look_up_host,
        within: float = WITHIN,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.allow_private = allow_private
        self.within = within
        self._resolve = resolve
        self._tls = tls
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def send(
        self, url: str, headers: Mapping[str, str], body: bytes, near: bool = True
    ) -> DeliveryOutcome:
        """Send once and return the outcome; `near`: also to private networks, if that is allowed."""
        async with self._turns:
            try:
                async with asyncio.timeout(self.within):
                    response = await self._answer(httpx.URL(url), {**_HEADERS, **headers}, body, near)
            except TimeoutError:
                problem = say("no answer within {seconds} seconds", seconds=f"{self.within:g}")
                return DeliveryOutcome(None, problem)
            except _Unsent as error:
                return DeliveryOutcome(None, error.why.map_fields(lambda part: part[:_SAID]))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                return DeliveryOutcome(None, Message(str(error)[:_SAID] or type(error).__name__))
            await _hear_out(response)
        return _judge_status(response.status_code)

    async def close(self) -> None:
        if "_transport" in vars(self):
            await self._transport.aclose()

    @cached_property
    def _transport(self) -> httpx.AsyncHTTPTransport:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        return httpx.AsyncHTTPTransport(verify=self._tls or True, trust_env=False, limits=limits)

    async def _answer(
        self, url: httpx.URL, headers: Mapping[str, str], body: bytes, near: bool
    ) -> httpx.Response:
        """Return the beginning of the answer, from the first address that can be reached."""
        host = url.raw_host.decode("ascii")
        try:
            addresses = await self._resolve(host, _port_of(url))
        except (OSError, UnicodeError) as error:
            reason = describe_os_error(error) if isinstance(error, OSError) else str(error)
            raise _Unsent(say("{host} cannot be looked up: {reason}", host=host, reason=reason)) from None
        if not addresses:
            raise _Unsent(say("{host} has no address", host=host))
        if not ((self.allow_private and near) or all(map(is_public, addresses))):
            raise _Unsent(say("its address is private, and Topcut sends only to public addresses"))
        tried = addresses[:_ADDRESSES]
        timeout = httpx.Timeout(None, connect=self.within / len(tried)).as_dict()
        problem: httpx.TransportError | None = None
        for address in tried:
            request = httpx.Request(
                "POST",
                url.copy_with(host=address),
                headers={"host": url.netloc.decode("ascii"), **headers},
                content=body,
                extensions={"timeout": timeout, "sni_hostname": host},
            )
            try:
                return await self._transport.handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                problem = error
        if str(problem):
            raise _Unsent(say("cannot be reached: {reason}", reason=str(problem)))
        raise _Unsent(say("cannot be reached"))


async def _hear_out(response: httpx.Response) -> None:
    """Read the rest of an answer within limits, and close it; errors do not matter."""
    heard = 0
    async with aclosing(response):
        with suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(_HEAR_OUT):
                async for part in response.aiter_raw():
                    heard += len(part)
                    if heard >= ANSWER:
                        break


def _judge_status(status: int) -> DeliveryOutcome:
    """Return the outcome of a delivery with this status.

    >>> _judge_status(204).problem, _judge_status(302).problem, _judge_status(500).problem
    ('', 'answered 302: redirects are not followed', 'answered 500')
    """
    if 200 <= status < 300:
        return DeliveryOutcome(status)
    if 300 <= status < 400:
        return DeliveryOutcome(status, say("answered {status}: redirects are not followed", status=status))
    return DeliveryOutcome(status, say("answered {status}", status=status))
