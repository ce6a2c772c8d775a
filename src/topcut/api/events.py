"""List and create events, and import, export and print them."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from topcut.api.languages import VARY
from topcut.api.requests import (
    ApiRequest,
    Cursor,
    Id,
    Limit,
    cache_control_for,
    fill,
    next_of,
    position,
)
from topcut.app import export_event as exporting
from topcut.app import new_event as importing
from topcut.app.idempotency import do_once
from topcut.app.new_event import (
    FILE_BODY_BYTES,
    AFile,
    NewEvent,
    create_event,
    create_under_free_id,
    read_event,
)
from topcut.app.page_cache import Page
from topcut.app.services import desk_address, hall_address
from topcut.client import schemas as s
from topcut.formats import state_snapshot
from topcut.formats.registry import FormatName
from topcut.printing.page import Paper, PrintOptions
from topcut.store.queue import Once
from topcut.store.session import EventSummary
from topcut.text.message_json import encode_in_english

PerPage = Annotated[int, QueryParameter(ge=4, le=8, description="Slips per page: 4, 6 or 8.")]
Sheet = Literal["pairings", "slips", "standings", "sheet", "card", "bracket", "sign-in", "seats"]


@get("/events", right="hall", identifies=True)
async def events(request: ApiRequest, cursor: Cursor = "", limit: Limit = 50) -> s.Events:
    """List all events, the one with the latest change first. An event that changes meanwhile moves to the
    front."""
    listed = await request.services.store.list_events(before=position(cursor), limit=limit)
    theirs = await request.services.events_of(request.who, [one.event for one in listed])
    items = []
    for one in listed:
        about = msgspec.json.decode(one.about, type=EventSummary)
        shown, yours = about.round - (about.phase == "draft"), one.event in theirs
        items.append(fill(s.Listed, about, id=one.event, version=one.version, round=shown, yours=yours))
    return s.Events(items=items, next=next_of([one.touched for one in listed], limit))


async def _make(
    request: ApiRequest, name: str, make: Callable[[str, Once | None], Awaitable[str]]
) -> Response[s.Made]:
    """Make an event, or answer with the one that an earlier request with the same key made."""
    base = request.base  # first: a request with a bad Host makes nothing
    key = await request.identify("events")

    async def make_once(event: str) -> str:
        return await make(event, key.once(lambda *_: event) if key else None)

    work = partial(create_under_free_id, request.services, name, make_once)
    event, repeated = await do_once(key, request.services.store, work)
    if repeated:  # a crash may have come between the event and its owner
        await request.services.access.give_event(event, request.who.owner)
    made = s.Made(id=event, address=base + hall_address(event), desk=base + desk_address(event))
    headers = {"location": f"/api/v1/events/{hall_address(event)[3:]}"}
    headers |= {"idempotency-replayed": "true"} if repeated else {}
    return Response(made, status_code=201, headers=headers)


@post("/events", right="create", action="heavy")
async def make_event(request: ApiRequest, data: JSONBody[NewEvent]) -> Response[s.Made]:
    """Create an event."""
    make = partial(create_event, request.services, request.who, data)
    return await _make(request, data.name, make)


@post("/imports", right="create", action="heavy", request_max_body_size=FILE_BODY_BYTES)
async def import_event(request: ApiRequest, data: JSONBody[AFile]) -> Response[s.Made]:
    """Import an event from its log or from a file of another program. The event may be half finished."""
    found = await asyncio.to_thread(read_event, data)
    make = partial(importing.import_event, request.services, request.who, found)
    return await _make(request, found.event, make)


@get("/events/{event:str}/export", right="export", action="heavy")
async def export_event(request: ApiRequest, event: Id) -> Response[bytes]:
    """Export the whole log as a file that can be imported again."""
    return request.send_file(*await exporting.export_event(request.services, request.who, event, "log"))


@get("/events/{event:str}/export/{kind:str}", right="export", action="heavy")
async def export_as(request: ApiRequest, event: Id, kind: FromPath[FormatName]) -> Response[bytes]:
    """Export the event as it is now, in a format for other programs."""
    return request.send_file(*await exporting.export_event(request.services, request.who, event, kind))


@get("/events/{event:str}/export/site", right="export", action="heavy")
async def export_site(request: ApiRequest, event: Id) -> Response[bytes]:
    """Export the event as a website in one zip file."""
    return request.send_file(*await exporting.export_site(request.services, request.who, event))


@get("/events/{event:str}/file", right="hall", identifies=True, action="heavy")
async def event_file(request: ApiRequest, event: Id) -> Response[bytes]:
    """Return the event file; only staff get birth years and membership numbers."""
    _, who, state = await request.open_event(event)
    found = await asyncio.to_thread(state_snapshot.snapshot_event_file, state, private=who.may("people"))
    page = Page(msgspec.json.encode(found, enc_hook=encode_in_english), "application/json")
    return request.send_page(page, cache_control_for(who), {"vary": f"accept-encoding, {VARY}"})


@get("/events/{event:str}/print/{kind:str}", right="print", action="print")
async def print_sheet(
    request: ApiRequest,
    event: Id,
    kind: FromPath[Sheet],
    round: FromQuery[int | None] = None,
    after: FromQuery[int | None] = None,
    by: FromQuery[Literal["name", "table"]] = "name",
    tables: FromQuery[str] = "",
    changed: FromQuery[bool] = False,
    per_page: PerPage = 4,
    paper: FromQuery[Paper | None] = None,
    player: FromQuery[str | None] = None,
    division: FromQuery[str] = "",
) -> Response[bytes]:
    """Print a sheet as a PDF."""
    choice = PrintOptions(
        round=round,
        after=after,
        by=by,
        tables=tables,
        changed=changed,
        per_page=per_page,
        paper=paper or "a4",
        player=player,
        division=division or None,
    )
    page = await exporting.print_sheet(request.services, request.who, event, kind, choice, request.base)
    return request.send_file(page, f"{kind}.pdf", "inline")
