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
from topcut.desk.house import House
from topcut.desk.live import PUBLIC, STREAMED, Live, beat
from topcut.desk.news import news_after
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.store.model import StoreError

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


def message(house: House, live: Live, since: int, staff: bool) -> s.Message:
    """What changed after a version."""
    version = live.version
    told: list[s.Fact] | None = None
    if staff:
        told = facts(house, live, since, AT_ONCE)
        version = told[-1].position if told else version
    items = [change_shape(item) for item in news_after(live, since) if item.position <= version]
    if len(items) > AT_ONCE:
        version = items[AT_ONCE - 1].position
    marks = {name: mark for name, mark in live.marks.items() if staff or name in PUBLIC}
    changed = [part for part, shown in PARTS.items() if any(marks.get(name, 0) > since for name in shown)]
    return s.Message(version=version, changed=changed, changes=items[:AT_ONCE], facts=told)


async def messages(
    request: AnyRequest, house: House, live: Live, since: int, who: Who
) -> AsyncGenerator[bytes, None]:
    """The stream of an event from a version on. Where nothing is new for everybody, they hear of nothing."""
    staff = who.may("desk")
    yield b"retry: 1000\n\n" + beat()
    async with aclosing(live.moments()) as moments:
        async for _ in moments:
            if who.key and not await _still(request, house, who):
                return
            silent = True
            while live.version > since:
                told = message(house, live, since, staff)
                since = told.version
                if told.facts or told.changed or told.changes:
                    yield b"id: %d\nevent: change\ndata: %s\n\n" % (since, msgspec.json.encode(told))
                    silent = False
            if silent:
                yield beat()


async def _still(request: AnyRequest, house: House, who: Who) -> bool:
    """Whether somebody may do what they might when the stream began: links run out and are revoked."""
    try:
        now = await house.access.who(request.cookies, request.headers.get("authorization", ""))
    except StoreError:
        return False  # they come again
    return now is not None and now.rights == who.rights


@get("/events/{event:str}/stream", right="hall", looks=True, raises=[NotFoundException])
async def stream(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], since: Since = ""
) -> Stream:
    """What changes, as it changes: server-sent events, each a Message. Without `since`: from now on."""
    live, who, _ = await opened(request, house, event)
    heard = position(request.headers.get("last-event-id") or since, "since")
    if heard is not None and heard > live.version:  # another process told them
        await live.running.refresh()
        live.notice()
    first = live.version if heard is None else min(heard, live.version)
    house.streams.expect(who.key)
    sent = house.streams.counted(messages(request, house, live, first, who), who.key)
    return Stream(sent, media_type="text/event-stream", headers=STREAMED)


ROUTES = [stream]
