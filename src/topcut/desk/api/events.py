"""Events in the API: the list, new ones, and what goes in and out as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from topcut.client import shapes as s
from topcut.desk import bringing, making, printing, taking_out
from topcut.desk.api.answers import VARY, Cursor, Limit, kept_by, opened, position
from topcut.desk.guard import who_of
from topcut.desk.house import House, desk_address, hall_address
from topcut.desk.once import keyed
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.who import Who
from topcut.exchange import from_state
from topcut.exchange.formats import Target
from topcut.paper.choice import Paper
from topcut.store.model import Repeated
from topcut.store.running import About
from topcut.store.turn import Once

GONE = [NotFoundException]
PerPage = Annotated[int, QueryParameter(ge=4, le=8, description="Slips on a page: 4, 6 or 8.")]
Sheet = Literal["pairings", "slips", "standings", "sheet", "card", "bracket", "sign-in", "seats"]


@get("/events", right="hall", looks=True)
async def events(
    request: AnyRequest,
    house: NamedDependency[House],
    cursor: Cursor = "",
    limit: Limit = 50,
) -> s.Events:
    """All events, the one in which something happened last first. One in which something happens between two
    pages is at the front by then."""
    listed = await house.store.events(before=position(cursor), limit=limit)
    theirs = await house.theirs(who_of(request), [one.event for one in listed])
    items = []
    for one in listed:
        about = msgspec.json.decode(one.about, type=About)
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
    house: House,
    who: Who,
    make: Callable[[str, Once | None], Awaitable[str]],
    name: str,
) -> Response[s.Made]:
    """Make an event once, whatever was asked before."""
    base = house.base(request)
    key = await keyed(request, who, "events")
    before = await key.before(house) if key else None
    if before is None:

        async def work(event: str) -> str:
            return await make(event, key.once(lambda *_: event) if key else None)

        try:
            event = await making.under_free_id(house, name, work)
        except Repeated as again:
            assert key is not None
            before = key.answered(again.value)
        else:
            return _address(base, event)
    await house.access.owned(before, who.owner)  # a crash may have come between
    return _address(base, before, repeated=True)


def _address(base: str, event: str, repeated: bool = False) -> Response[s.Made]:
    made = s.Made(id=event, address=base + hall_address(event), desk=base + desk_address(event))
    headers = {"location": f"/api/v1/events/{hall_address(event)[3:]}"}
    headers |= {"idempotency-replayed": "true"} if repeated else {}
    return Response(made, status_code=201, headers=headers)


@post("/events", right="create", action="heavy")
async def make_event(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[making.NewEvent]
) -> Response[s.Made]:
    """Make an event."""
    who = who_of(request)

    async def work(event: str, once: Once | None) -> str:
        return await making.made(house, who, data, event, once)

    return await _made(request, house, who, work, data.name)


@post("/imports", right="create", action="heavy", request_max_body_size=bringing.A_BODY)
async def import_event(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[bringing.AFile]
) -> Response[s.Made]:
    """Take in an event by its whole log, or take it over out of a file, half played or not."""
    who = who_of(request)
    found = await asyncio.to_thread(bringing.read_file, data)

    async def work(event: str, once: Once | None) -> str:
        return await bringing.brought(house, who, found, event, once)

    return await _made(request, house, who, work, found.event)


@get("/events/{event:str}/export", right="export", action="heavy", raises=GONE)
async def export_event(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The whole log as a file, to be taken in again."""
    return await taking_out.exported(request, house, event, "log")


@get("/events/{event:str}/export/{kind:str}", right="export", action="heavy", raises=GONE)
async def export_as(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], kind: FromPath[Target]
) -> Response[bytes]:
    """The event of this moment in a format of other programs."""
    return await taking_out.exported(request, house, event, kind)


@get("/events/{event:str}/export/site", right="export", action="heavy", raises=GONE)
async def export_site(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """Pages for the web, with the data beside them, as one packed file."""
    return await taking_out.exported_site(request, house, event)


@get("/events/{event:str}/file", right="hall", looks=True, action="heavy", raises=GONE)
async def event_file(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """The event file, for programs that read files; birth years and membership numbers for staff only."""
    _, who, state = await opened(request, house, event)
    found = await asyncio.to_thread(lambda: from_state.event_file(state, private=who.may("people")))
    sent = respond(request, Page(msgspec.json.encode(found), "application/json"), keep=kept_by(who))
    sent.headers["vary"] = f"accept-encoding, {VARY}"
    return sent


@get("/events/{event:str}/print/{kind:str}", right="print", action="print", raises=GONE)
async def print_sheet(
    request: AnyRequest,
    house: NamedDependency[House],
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
    """A sheet as a PDF."""
    choice = printing.chosen(
        request, round, after, by, tables, changed, per_page, paper or "", player, division
    )
    return await printing.printed(request, house, event, kind, choice)


ROUTES = [events, make_event, import_event, export_event, export_as, export_site, event_file, print_sheet]
