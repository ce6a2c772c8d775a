"""The door of the desk: a link's key becomes a session."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody
from msgspec import Struct

from topcut.desk.house import House, desk_address
from topcut.desk.pages import AnyRequest, respond

A_MONTH = 30 * 24 * 3600


class Key(Struct, forbid_unknown_fields=True):
    key: str


@get("/enter")
async def door(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """The key stands behind the # of the address, so that no server log, no proxy and no preview of a link
    gets to see it; the page sends it."""
    return respond(request, house.templates.page("enter.html"), keep="no-store")


@post("/enter", status_code=200)
async def enter(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[Key]
) -> Response[dict[str, str]]:
    """A good key opens a session."""
    came = await house.access.enter(data.key)
    if came is None:
        raise NotAuthorizedException(
            "this link was used already, has run out or was revoked: ask for a new one"
        )
    token, session = came
    cookie = Cookie(
        key=await house.access.cookie(),
        value=token,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        max_age=A_MONTH,
    )
    go = desk_address(session.event) if session.event else "/"
    return Response({"go": go}, cookies=[cookie])


@post("/leave", status_code=200)
async def leave(request: AnyRequest, house: NamedDependency[House]) -> Response[dict[str, str]]:
    """The session ends."""
    session = await house.access.session(request.cookies)
    if session is not None and request.headers.get("x-csrf") == session.csrf:
        await house.access.leave(request.cookies)
    return Response({"go": "/"}, cookies=[Cookie(key=await house.access.cookie(), value="", max_age=0)])


ROUTES = [door, enter, leave]
