"""The event stream: what changed since a version, and whatever changes from now on, as server-sent events.

A message says which version it leads to, which parts of the event are different (so that a program knows what
to fetch again), and what has changed in words; staff get the facts themselves. Whoever comes back says how
far they have heard, with `?since=` or as browsers do with `Last-Event-ID`, and misses nothing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Stream

from topcut.client import shapes as s
from topcut.desk.api.answers import Since, opened, position
from topcut.desk.api.looking import change_shape, facts
from topcut.desk.guard import welcome
from topcut.desk.house import House
from topcut.desk.live import PUBLIC, Live, beat
from topcut.desk.news import news_after
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who

AT_ONCE = 200
"""Facts or changes in a message, at most; what is left comes in the next."""
PARTS: dict[str, tuple[str, ...]] = {
    "event": ("event", "players", "posted", "clock", "round"),
    "players": ("players",),
    "rounds": ("pairings", "posted", "results", "clock", "players", "round", "tables"),
    "standings": ("standings",),
    "bracket": ("pairings", "posted", "results", "standings"),
    "draws": ("draws",),
    "questions": ("questions",),
}
"""What stands behind an event's address, and the aspects of the event that it shows."""


def message(house: House, live: Live, since: int, who: Who) -> s.Message:
    """What changed after a version."""
    version, staff = live.version, who.may("desk")
    told: list[s.Fact] | None = None
    if staff:
        told = facts(house, live, who, since, AT_ONCE)
        version = told[-1].position if told else version
    items = [change_shape(item) for item in news_after(live, since) if item.position <= version]
    if len(items) > AT_ONCE:
        version = items[AT_ONCE - 1].position
    marks = {name: mark for name, mark in live.marks.items() if staff or name in PUBLIC}
    changed = [part for part, shown in PARTS.items() if any(marks.get(name, 0) > since for name in shown)]
    return s.Message(version=version, changed=changed, changes=items[:AT_ONCE], facts=told)


async def messages(house: House, live: Live, since: int, who: Who) -> AsyncGenerator[bytes, None]:
    """The stream of an event from a version on. Where nothing is new for everybody, they hear of nothing."""
    yield b"retry: 1000\n\n" + beat()
    async with aclosing(live.moments()) as moments:
        async for _ in moments:
            silent = True
            while live.version > since:
                told = message(house, live, since, who)
                since = told.version
                if told.facts or told.changed or told.changes:
                    yield b"id: %d\nevent: change\ndata: %s\n\n" % (since, msgspec.json.encode(told))
                    silent = False
            if silent:
                yield beat()


@get("/events/{event:str}/stream", right="hall", looks=True, raises=[NotFoundException])
async def stream(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], since: Since = ""
) -> Stream:
    """What changes, as it changes: server-sent events, each a Message. Without `since`: from now on."""
    live, who, _ = await opened(request, house, event)
    heard = position(request.headers.get("last-event-id") or since, "since")
    await live.catch_up(heard or 0)  # another process may have told them
    first = live.version if heard is None else min(heard, live.version)
    return house.streams.follow(welcome(request, messages(house, live, first, who)), who.key)


ROUTES = [stream]
