"""Stream the changes of an event since a version, and all later ones, as server-sent events.

A message has the version it leads to, the parts of the event that changed (so that a program knows what to
fetch again), and the changes in words; staff also get the facts. A program that reconnects sends the last
version it received, as `?since=` or as browsers do with `Last-Event-ID`, and misses nothing.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter
from litestar.response import Stream

from topcut.api.read import facts
from topcut.api.requests import NUMBER, ApiRequest, Id, fill, position, send_stream
from topcut.app.access.identity import Identity
from topcut.app.live_events import PUBLIC, LiveEvent, make_heartbeat
from topcut.app.services import Services
from topcut.app.views.log_view import find_news_after
from topcut.client import schemas as s
from topcut.text.message_json import write_json

Since = Annotated[str, QueryParameter(pattern=NUMBER, description="The last version that you received.")]
AT_ONCE = 200
"""Facts or changes in a message, at most; the next message has the rest."""
PARTS: dict[str, tuple[str, ...]] = {
    "event": ("event", "players", "posted", "clock", "round"),
    "players": ("players",),
    "rounds": ("pairings", "posted", "results", "clock", "players", "round", "tables"),
    "standings": ("standings",),
    "bracket": ("pairings", "posted", "results", "standings"),
    "draws": ("draws",),
    "questions": ("questions",),
}
"""The parts of an event that the API shows, each with the aspects of the event it depends on."""


def message(services: Services, live: LiveEvent, since: int, who: Identity) -> s.Message:
    """Return the message with the changes after a version."""
    version, staff = live.version, who.may("desk")
    told: list[s.Fact] | None = None
    if staff:
        told = facts(services, live, who, since, AT_ONCE)
        version = told[-1].position if told else version
    items = [fill(s.Change, item) for item in find_news_after(live, since) if item.position <= version]
    if len(items) > AT_ONCE:
        version = items[AT_ONCE - 1].position
    marks = {name: mark for name, mark in live.marks.items() if staff or name in PUBLIC}
    changed = [part for part, shown in PARTS.items() if any(marks.get(name, 0) > since for name in shown)]
    return s.Message(version=version, changed=changed, changes=items[:AT_ONCE], facts=told)


async def messages(
    services: Services, live: LiveEvent, since: int, who: Identity
) -> AsyncGenerator[bytes, None]:
    """Stream the messages of an event. A change that `who` may not see is only a heartbeat."""
    yield b"retry: 1000\n\n" + make_heartbeat()
    async with aclosing(live.ticks()) as moments:
        async for _ in moments:
            silent = True
            while live.version > since:
                told = message(services, live, since, who)
                since = told.version
                if told.facts or told.changed or told.changes:
                    yield b"id: %d\nevent: change\ndata: %s\n\n" % (since, write_json(told))
                    silent = False
            if silent:
                yield make_heartbeat()


@get("/events/{event:str}/stream", right="hall", identifies=True)
async def stream(request: ApiRequest, event: Id, since: Since = "") -> Stream:
    """Stream the changes of an event as server-sent events, each a Message. Without `since`: from now on."""
    live, who, _ = await request.open_event(event)
    heard = position(request.headers.get("last-event-id") or since, "since")
    await live.catch_up(heard or 0)  # another process may have sent that version
    first = live.version if heard is None else min(heard, live.version)
    stream = request.visitor.follow(messages(request.services, live, first, who))
    return send_stream(request.services.streams.admit(stream, who.key))
