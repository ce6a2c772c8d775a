"""The door of the desk: a link's key, or an account's password, becomes a session."""

from __future__ import annotations

from datetime import timedelta

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody
from msgspec import Struct

from topcut.desk.access import A_MONTH, A_YEAR, digest, utc
from topcut.desk.guard import who_of
from topcut.desk.house import House, desk_address, hall_address
from topcut.desk.pages import AnyRequest, respond
from topcut.desk.who import Who

NOT_GOOD = "This link has run out, was revoked, or is not whole."
USED = "The link works once. Another browser was signed in with it."
SHOWN = 12
"""Letters of a link's id that name it, as `topcut link list` shows them."""


class Key(Struct, forbid_unknown_fields=True):
    key: str


class Password(Struct, forbid_unknown_fields=True):
    login: str
    password: str


@get("/enter", right="hall")
async def door(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """The key stands behind the # of the address, so that no server log, no proxy and no preview of a link
    gets to see it; the page sends it."""
    return respond(request, house.templates.page("enter.html"), keep="no-store")


@post("/enter", right="hall", action="read", status_code=200)
async def enter(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[Key]
) -> Response[dict[str, str]]:
    """A good key opens a session. A link that opens once leads on in the browser that used it, and tells
    others when that was, and by which id that browser is signed out."""
    link_id = digest(data.key)
    house.within(link_id, "enter")
    came = await house.access.enter(data.key)
    if came is not None:
        return await _let_in(request, house, came[0])
    who = await house.access.who(request.cookies)
    if who is not None and who.key == link_id:
        return Response({"go": _goes_to(who)})
    answer = {"error": NOT_GOOD, "kind": "NotAuthorizedException"}
    if used := await house.access.used(data.key):
        answer |= {"error": USED, "used": f"{used.used:%Y-%m-%dT%H:%M:%SZ}", "id": link_id[:SHOWN]}
    if who is not None:
        answer |= {"name": who.name, "home": _goes_to(who)}
    return Response(answer, status_code=401)


@get("/sign-in", right="hall")
async def sign_in_page(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """Where those who have an account come in."""
    return respond(request, house.templates.page("sign_in.html"), keep="no-store")


@post("/sign-in", right="hall", action="read", status_code=200)
async def sign_in(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[Password]
) -> Response[dict[str, str]]:
    """A good password opens a session. How often that can be tried is counted by the name, whether or not
    somebody has it; and apart for a browser that has been in before, so that strangers lock nobody out."""
    login = data.login.strip().casefold()
    if await house.access.accounts.find(login, utc()) is None:
        house.within("", "password")
    browser = await house.access.browser(login, request.cookies)
    house.within(f"browser {browser}" if browser else f"account {login[:100]}", "password")
    came = await house.access.sign_in(login, data.password)
    if came is None:
        raise NotAuthorizedException("this name and password do not belong together")
    known = _cookie(request, house, *await house.access.known_browser(login, browser), A_YEAR)
    return await _let_in(request, house, came[0], known)


async def _let_in(request: AnyRequest, house: House, token: str, *also: Cookie) -> Response[dict[str, str]]:
    name = await house.access.cookie()
    who = await house.access.who({name: token})
    go = "/" if who is None else _goes_to(who)
    return Response({"go": go}, cookies=[_cookie(request, house, name, token, A_MONTH), *also])


def _goes_to(who: Who) -> str:
    """Return the page on which a person who signs in begins."""
    if who.event is None:
        return "/"
    return desk_address(who.event) if who.may("desk") else f"{hall_address(who.event)}/screen"


def _cookie(request: AnyRequest, house: House, name: str, value: str, lasts: timedelta) -> Cookie:
    """A cookie that scripts cannot read and that other sites' requests do not carry."""
    return Cookie(
        key=name,
        value=value,
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https" or house.address.startswith("https:"),
        max_age=int(lasts.total_seconds()),
    )


@post("/leave", right="hall", looks=True, status_code=200)
async def leave(request: AnyRequest, house: NamedDependency[House]) -> Response[dict[str, str]]:
    """The session ends."""
    if request.headers.get("x-csrf") == who_of(request).csrf:
        await house.access.leave(request.cookies)
    return Response({"go": "/"}, cookies=[Cookie(key=await house.access.cookie(), value="", max_age=0)])


ROUTES = [door, enter, sign_in_page, sign_in, leave]
