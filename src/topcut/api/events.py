"""List and create events, and import, export and print them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from topcut.api.requests import AnyRequest, base_of, identity_of, key_of, send_file, send_page
from topcut.api.responses import VARY, Cursor, Limit, kept_by, opened, position
from topcut.app import export_event as exporting
from topcut.app import import_event as importing
from topcut.app import print_sheet as printing
from topcut.app.access.identity import Identity
from topcut.app.import_event import FILE_BODY_BYTES, AFile, read_event
from topcut.app.new_event import NewEvent, create_event, create_under_free_id
from topcut.app.page_cache import Page
from topcut.app.services import Services, desk_address, hall_address
from topcut.client import schemas as s
from topcut.formats import state_snapshot
from topcut.formats.registry import FormatName
from topcut.printing.page import Paper, PrintOptions
from topcut.store.interface import Repeated
from topcut.store.queue import Once
from topcut.store.session import EventSummary

GONE = [NotFoundException]
PerPage = Annotated[int, QueryParameter(ge=4, le=8, description="Slips on a page: 4, 6 or 8.")]
Sheet = Literal["pairings", "slips", "standings", "sheet", "card", "bracket", "sign-in", "seats"]


@get("/events", right="hall", looks=True)
async def events(
    request: AnyRequest,
    services: NamedDependency[Services],
    cursor: Cursor = "",
    limit: Limit = 50,
) -> s.Events:
    """List all events, the one with the latest change first. An event that changes between two pages moves to
    the front."""
    listed = await services.store.list_events(before=position(cursor), limit=limit)
    theirs = await services.events_of(identity_of(request), [one.event for one in listed])
    items = []
    for one in listed:
        about = msgspec.json.decode(one.about, type=EventSummary)
        items.append(
            s.Listed(
                id=one.event,
                version=one.version,
                name=about.name,
                rules=about.rules,
                players=about.players,
                round=about.round - (about.phase == "draft"),
                finished=about.finished,
                yours=one.event in theirs,
            )
        )
    return s.Events(items=items, next=str(listed[-1].touched) if len(listed) == limit else None)


async def _made(
    request: AnyRequest,
    services: Services,
    who: Identity,
    make: Callable[[str, Once | None], Awaitable[str]],
    name: str,
) -> Response[s.Made]:
    """Make an event, or answer with the one that an earlier request with the same key made."""
    base = base_of(request, services)
    key = await key_of(request, "events")
    before = await key.earlier_answer(services.store) if key else None
    if before is None:

        async def work(event: str) -> str:
            return await make(event, key.once(lambda *_: event) if key else None)

        try:
            event = await create_under_free_id(services, name, work)
        except Repeated as again:
            assert key is not None
            before = key.read_answer(again.value)
        else:
            return _address(base, event)
    await services.access.owned(before, who.owner)  # a crash may have come between the event and its owner
    return _address(base, before, repeated=True)


def _address(base: str, event: str, repeated: bool = False) -> Response[s.Made]:
    made = s.Made(id=event, address=base + hall_address(event), desk=base + desk_address(event))
    headers = {"location": f"/api/v1/events/{hall_address(event)[3:]}"}
    headers |= {"idempotency-replayed": "true"} if repeated else {}
    return Response(made, status_code=201, headers=headers)


@post("/events", right="create", action="heavy")
async def make_event(
    request: AnyRequest, services: NamedDependency[Services], data: JSONBody[NewEvent]
) -> Response[s.Made]:
    """Create an event."""
    who = identity_of(request)

    async def work(event: str, once: Once | None) -> str:
        return await create_event(services, who, data, event, once)

    return await _made(request, services, who, work, data.name)


@post("/imports", right="create", action="heavy", request_max_body_size=FILE_BODY_BYTES)
async def import_event(
    request: AnyRequest, services: NamedDependency[Services], data: JSONBody[AFile]
) -> Response[s.Made]:
    """Import an event from its whole log or from a file of another program, at any point of the event."""
    who = identity_of(request)
    found = await asyncio.to_thread(read_event, data)

    async def work(event: str, once: Once | None) -> str:
        return await importing.import_event(services, who, found, event, once)

    return await _made(request, services, who, work, found.event)


@get("/events/{event:str}/export", right="export", action="heavy", raises=GONE)
async def export_event(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Export the whole log as a file that can be imported again."""
    file = await exporting.export_event(services, identity_of(request), event, "log")
    return send_file(request, file.page, file.name)


@get("/events/{event:str}/export/{kind:str}", right="export", action="heavy", raises=GONE)
async def export_as(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], kind: FromPath[FormatName]
) -> Response[bytes]:
    """Export the event as it is now in a format of other programs."""
    file = await exporting.export_event(services, identity_of(request), event, kind)
    return send_file(request, file.page, file.name)


@get("/events/{event:str}/export/site", right="export", action="heavy", raises=GONE)
async def export_site(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Export pages for the web with their data as one zip file."""
    file = await exporting.export_site(services, identity_of(request), event)
    return send_file(request, file.page, file.name)


@get("/events/{event:str}/file", right="hall", looks=True, action="heavy", raises=GONE)
async def event_file(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Return the event file; only staff get birth years and membership numbers."""
    _, who, state = await opened(request, services, event)
    found = await asyncio.to_thread(
        lambda: state_snapshot.snapshot_event_file(state, private=who.may("people"))
    )
    page = Page(msgspec.json.encode(found), "application/json")
    return send_page(request, page, kept_by(who), {"vary": f"accept-encoding, {VARY}"})


@get("/events/{event:str}/print/{kind:str}", right="print", action="print", raises=GONE)
async def print_sheet(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
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
    base = base_of(request, services)
    page = await printing.print_sheet(services, identity_of(request), event, kind, choice, base)
    return send_file(request, page, f"{kind}.pdf", "inline")


ROUTES = [events, make_event, import_event, export_event, export_as, export_site, event_file, print_sheet]
