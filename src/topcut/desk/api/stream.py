"""The event stream: what changed since a version, and whatever changes from now on, as server-sent events.

A message says which version it leads to, which aspects are different (so that a program knows what to fetch
again), and what has changed in words; staff get the facts themselves. Whoever comes back says how far they
have heard, with `?since=` or as browsers do with `Last-Event-ID`, and misses nothing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from topcut.desk.api.answers import opened, position
from topcut.desk.api.looking import change_shape, facts
from topcut.desk.guard import welcome
from topcut.desk.house import House
from topcut.desk.live import PUBLIC, Live, beat
from topcut.desk.news import news_after
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who

AT_ONCE = 200
"""Facts in a message, at most; what is left comes in the next."""


def message(house: House, live: Live, since: int, who: Who) -> tuple[int, bytes]:
    """What changed after a version: the version that the message leads to, and the message."""
    told: dict[str, Any] = {}
    version, staff = live.version, who.may("desk")
    if staff:
        found = facts(house, live, who, since, AT_ONCE)
        version = found[-1].position if found else version
        told["facts"] = found
    changed = [name for name, mark in live.marks.items() if mark > since and (staff or name in PUBLIC)]
    items = [change_shape(item) for item in news_after(live, since) if item.position <= version]
    told |= {"version": version, "changed": sorted(changed), "changes": items[-AT_ONCE:]}
    return version, b"id: %d\nevent: change\ndata: %s\n\n" % (version, msgspec.json.encode(told))


async def messages(house: House, live: Live, since: int, who: Who) -> AsyncGenerator[bytes, None]:
    """The stream of an event from a version on."""
    yield b"retry: 1000\n\n" + beat()
    async with aclosing(live.moments()) as moments:
        async for _ in moments:
            if live.version <= since:
                yield beat()
            while live.version > since:
                since, told = message(house, live, since, who)
                yield told


@get("/events/{event:str}/stream", right="hall", looks=True, raises=[NotFoundException])
async def stream(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], since: FromQuery[str] = ""
) -> Stream:
    """What changes, as it changes. Without `since`: from now on."""
    live, who, _ = await opened(request, house, event)
    heard = position(request.headers.get("last-event-id") or since)
    first = live.version if heard is None else min(heard, live.version)
    return house.streams.follow(welcome(request, messages(house, live, first, who)), who.key)


ROUTES = [stream]
