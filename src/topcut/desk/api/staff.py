"""Links and tokens in the API: who helps, with which rights, until when."""

from __future__ import annotations

from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import FromPath, JSONBody

from topcut.client import shapes as s
from topcut.desk.access import Link
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.desk.phone import link_of
from topcut.desk.staffing import NewLink, made_link, revoked
from topcut.desk.who import Who

GONE = [NotFoundException]
NO_STORE = {"cache-control": "no-store"}


def _shape(link_id: str, link: Link) -> s.Link:
    return s.Link(
        id=link_id,
        name=link.name,
        role=link.role,
        rights=sorted(link.allows),
        event=link.event,
        token=link.token,
        made=link.made,
        by=link.by,
        until=link.until,
    )


async def _all(house: House, event: str | None, who: Who) -> s.Links:
    found = await house.access.links(event, who.owner)
    return s.Links(items=[_shape(link_id, link) for link_id, link in found.items()])


async def _new(request: AnyRequest, house: House, event: str | None, new: NewLink) -> Response[s.NewKey]:
    base = house.base(request)
    key, link_id, link = await made_link(house, who_of(request), event, new)
    address = None if link.token else f"{base}/enter#{key}"
    made = s.NewKey(link=_shape(link_id, link), key=key, address=address)
    return Response(made, status_code=201, headers=NO_STORE)


def _several(request: AnyRequest) -> Who:
    """Whoever asks, if they reach more than one event."""
    who = who_of(request)
    if who.event is not None:
        raise PermissionDeniedException("your link opens one event only")
    return who


@get("/links", right="staff")
async def all_links(request: AnyRequest, house: NamedDependency[House]) -> s.Links:
    """Links and tokens that open all of your events."""
    return await _all(house, None, _several(request))


@post("/links", right="staff")
async def new_wide_link(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[NewLink]
) -> Response[s.NewKey]:
    """A link or token that opens all of your events; its key is shown once."""
    _several(request)
    return await _new(request, house, None, data)


@delete("/links/{id:str}", right="staff", raises=GONE)
async def revoke_wide_link(request: AnyRequest, house: NamedDependency[House], id: FromPath[str]) -> None:
    """Revoke a link or token; whoever came in by it is out."""
    await revoked(house, _several(request), None, id)


@get("/events/{event:str}/links", right="staff", raises=GONE)
async def links(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> s.Links:
    """Links and tokens of an event."""
    await house.floor.event(event)
    return await _all(house, event, who_of(request))


@post("/events/{event:str}/links", right="staff", raises=GONE)
async def new_link(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[NewLink]
) -> Response[s.NewKey]:
    """A link or token for an event; its key is shown once. Nobody gives a right that they lack."""
    await house.floor.event(event)
    return await _new(request, house, event, data)


@delete("/events/{event:str}/links/{id:str}", right="staff", raises=GONE)
async def revoke_link(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], id: FromPath[str]
) -> None:
    """Revoke a link or token; whoever came in by it is out."""
    await house.floor.event(event)
    await revoked(house, who_of(request), event, id)


@get("/events/{event:str}/players/{player:str}/link", right="players", raises=GONE)
async def player_link(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[s.Address]:
    """A player's own link, by which they report."""
    live = await house.floor.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    address = house.base(request) + link_of(await house.access.secret("players"), event, player)
    return Response(s.Address(address=address), headers=NO_STORE)


ROUTES = [
    all_links,
    new_wide_link,
    revoke_wide_link,
    links,
    new_link,
    revoke_link,
    player_link,
]
