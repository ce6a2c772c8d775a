"""List, make and revoke the links and tokens of staff and programs."""

from litestar import Response, delete, get, post
from litestar.exceptions import PermissionDeniedException
from litestar.params import JSONBody

from topcut.api.requests import NO_STORE, ApiRequest, Id, fill
from topcut.app.access import player_links as access_links
from topcut.app.access.access import AccessLink
from topcut.app.access.identity import Identity
from topcut.app.access.staff_links import NewLink, make_staff_link, revoke_staff_link
from topcut.client import schemas as s
from topcut.text.messages import say


def _shape(link_id: str, link: AccessLink) -> s.Link:
    return fill(s.Link, link, id=link_id, rights=sorted(link.allows))


async def _all(request: ApiRequest, event: str | None, who: Identity) -> s.Links:
    found = await request.services.access.links(event, who.owner)
    return s.Links(items=[_shape(link_id, link) for link_id, link in found.items()])


async def _new(request: ApiRequest, event: str | None, new: NewLink) -> Response[s.NewKey]:
    base = request.base  # first: a request with a bad Host makes nothing
    key, link_id, link = await make_staff_link(request.services, request.who, event, new)
    address = None if link.token else f"{base}/enter#{key}"
    made = s.NewKey(link=_shape(link_id, link), key=key, address=address)
    return Response(made, status_code=201, headers=NO_STORE)


def _several(request: ApiRequest) -> Identity:
    """Return the identity of the request, if it opens more than one event."""
    who = request.who
    if who.event is not None:
        raise PermissionDeniedException(detail=say("Your link or token is for one event only."))
    return who


@get("/links", right="staff")
async def all_links(request: ApiRequest) -> s.Links:
    """List the links and tokens that open all of your events."""
    return await _all(request, None, _several(request))


@post("/links", right="staff")
async def new_wide_link(request: ApiRequest, data: JSONBody[NewLink]) -> Response[s.NewKey]:
    """Make a link or token that opens all of your events. Its key is shown only once."""
    _several(request)
    return await _new(request, None, data)


@delete("/links/{id:str}", right="staff")
async def revoke_wide_link(request: ApiRequest, id: Id) -> None:
    """Revoke a link or token, and end its sessions."""
    await revoke_staff_link(request.services, _several(request), None, id)


@get("/events/{event:str}/links", right="staff")
async def links(request: ApiRequest, event: Id) -> s.Links:
    """List the links and tokens of an event."""
    await request.services.events.open_event(event)
    return await _all(request, event, request.who)


@post("/events/{event:str}/links", right="staff")
async def new_link(request: ApiRequest, event: Id, data: JSONBody[NewLink]) -> Response[s.NewKey]:
    """Make a link or token for an event, with rights that you have yourself. Its key is shown only once."""
    await request.services.events.open_event(event)
    return await _new(request, event, data)


@delete("/events/{event:str}/links/{id:str}", right="staff")
async def revoke_link(request: ApiRequest, event: Id, id: Id) -> None:
    """Revoke a link or token, and end its sessions."""
    await request.services.events.open_event(event)
    await revoke_staff_link(request.services, request.who, event, id)


@get("/events/{event:str}/players/{player:str}/link", right="players")
async def player_link(request: ApiRequest, event: Id, player: Id) -> Response[s.Address]:
    """Return a player's own link, with which the player reports results."""
    address = await access_links.player_link(request.services, request.base, event, player)
    return Response(s.Address(address=address), headers=NO_STORE)
