"""Check that a webhook goes to a public address, not to one that only this server can reach.

A name is looked up once for each delivery, and the connection goes to an address that was checked: the owner
of the name cannot answer differently a moment later.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Thread

import httpx

from topcut.errors import BadInput

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name and a port."""
LONGEST = 2_000
"""Characters of an address, at most."""
_PORTS = {"http": 80, "https": 443}
_GLOBAL = IPv6Network("2000::/3")
_TUNNEL = IPv6Network("2002::/16")
"""Addresses that lead to any IPv4 address, private ones too; no receiver uses them."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as they look in networks that have only IPv6."""


def checked(text: str, anywhere: bool = False) -> str:
    """Return an address in normal form; refuse one that cannot be delivered to. Names are not looked up.

    >>> checked("https://league.example/topcut?key=1")
    'https://league.example/topcut?key=1'
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        raise BadInput("expected an address", place="url") from None
    if url.scheme not in _PORTS or not url.host:
        raise BadInput("expected an address that begins with https:// or http:// and a host", place="url")
    if url.userinfo:
        raise BadInput("expected an address without user and password", place="url")
    if len(text) > LONGEST or not 0 < port(url) < 65_536:
        raise BadInput("expected a shorter address, and a port that can be", place="url")
    with suppress(ValueError):
        if not anywhere and not public(url.host):
            raise BadInput("expected an address that can be reached from everywhere", place="url")
    return str(url)


def port(url: httpx.URL) -> int:
    """Return the port of an address, by default that of its scheme."""
    return _PORTS[url.scheme] if url.port is None else url.port


def public(address: str) -> bool:
    """Tell whether an IP address belongs to a single machine on the internet.

    >>> public("9.9.9.9"), public("127.0.0.1"), public("::ffff:10.0.0.1")
    (True, False, False)
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return _public(found.ipv4_mapped)
        if found in _TRANSLATED:
            return _public(IPv4Address(int(found) & 0xFFFF_FFFF))
        return found in _GLOBAL and found not in _TUNNEL and _public(found)
    return _public(found)


def _public(address: IPv4Address | IPv6Address) -> bool:
    """Refuse loopback, private, link-local, shared, unspecified, multicast and reserved addresses."""
    return address.is_global and not (address.is_multicast or address.is_reserved)


async def looked_up(host: str, port: int) -> list[str]:
    """Return the addresses of a name, in the order in which to try them.

    A thread of its own looks them up: a slow name server holds up nothing, not even the end of the process.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(answer: list[str] | Exception) -> None:
        if not found.done():
            if isinstance(answer, Exception):
                found.set_exception(answer)
            else:
                found.set_result(answer)

    def look() -> None:
        answer: list[str] | Exception
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer = list(dict.fromkeys(str(row[4][0]) for row in rows))
        except (OSError, UnicodeError) as error:
            answer = error
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle, answer)

    Thread(target=look, name="topcut look-up", daemon=True).start()
    return await found
