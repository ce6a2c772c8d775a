"""Sign in at the desk by a link's key or an account's password, and sign out."""

from datetime import timedelta

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody
from msgspec import Struct

from topcut.app.access.access import A_MONTH, A_YEAR, digest
from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.services import Services, desk_address, hall_address
from topcut.text.messages import say
from topcut.web.responses import AnyRequest, AppServices, identity_of, render, respond

NOT_GOOD = say("This link has expired, was revoked, or is incomplete.")
USED = say("The link works once. Another browser has signed in with it.")
SHOWN = 12
"""Letters of a link's id that are shown, as in `topcut link list`."""


class Key(Struct, forbid_unknown_fields=True):
    key: str


class Password(Struct, forbid_unknown_fields=True):
    login: str
    password: str


@get("/enter", right="hall")
async def show_enter_page(request: AnyRequest, services: AppServices) -> Response[bytes]:
    """Show the page that sends the key. The key is behind the # of the address, so that no server log, proxy
    or link preview sees it."""
    return respond(request, render("enter.html"), keep="no-store")


@post("/enter", right="hall", action="read", status_code=200)
async def enter(request: AnyRequest, services: AppServices, data: JSONBody[Key]) -> Response[dict[str, str]]:
    """Open a session for a good key. A link that works once goes on to the desk in the browser that used it,
    and tells other browsers when it was used, and by which id to sign that browser out."""
    link_id = digest(data.key)
    services.limit(link_id, "enter")
    came = await services.access.enter(data.key)
    if came is not None:
        return await _let_in(request, services, came[0])
    who = await services.access.identify(request.cookies)
    if who is not None and who.key == link_id:
        return Response({"go": _goes_to(who)})
    answer = {"error": NOT_GOOD, "kind": "NotAuthorizedException"}
    if used := await services.access.find_used_link(data.key):
        answer |= {"error": USED, "used": f"{used.used:%Y-%m-%dT%H:%M:%SZ}", "id": link_id[:SHOWN]}
    if who is not None:
        answer |= {"name": who.name, "home": _goes_to(who)}
    return Response(answer, status_code=401)


@get("/sign-in", right="hall")
async def sign_in_page(request: AnyRequest, services: AppServices) -> Response[bytes]:
    """Show the form to sign in with an account."""
    return respond(request, render("sign_in.html"), keep="no-store")


@post("/sign-in", right="hall", action="read", status_code=200)
async def sign_in(
    request: AnyRequest, services: AppServices, data: JSONBody[Password]
) -> Response[dict[str, str]]:
    """Open a session for a good password. Tries are limited by the name, whether or not an account has it;
    a browser that signed in before has a limit of its own, so that strangers cannot lock its user out."""
    login = data.login.strip().casefold()
    if await services.access.accounts.find(login, utc_now()) is None:
        services.limit("", "password")
    browser = await services.access.find_known_browser(login, request.cookies)
    services.limit(f"browser {browser}" if browser else f"account {login[:100]}", "password")
    came = await services.access.sign_in(login, data.password)
    if came is None:
        raise NotAuthorizedException(detail=say("The account or the password is wrong."))
    known = _cookie(request, services, *await services.access.make_browser_cookie(login, browser), A_YEAR)
    return await _let_in(request, services, came[0], known)


async def _let_in(
    request: AnyRequest, services: Services, token: str, *also: Cookie
) -> Response[dict[str, str]]:
    name = await services.access.cookie()
    who = await services.access.identify({name: token})
    go = "/" if who is None else _goes_to(who)
    return Response({"go": go}, cookies=[_cookie(request, services, name, token, A_MONTH), *also])


def _goes_to(who: Identity) -> str:
    """Return the page on which a person who signs in begins."""
    if who.event is None:
        return "/"
    return desk_address(who.event) if who.may("desk") else f"{hall_address(who.event)}/screen"


def _cookie(request: AnyRequest, services: Services, name: str, value: str, lasts: timedelta) -> Cookie:
    """Return a cookie that scripts cannot read and that other sites' requests do not carry."""
    return Cookie(
        key=name,
        value=value,
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https" or services.address.startswith("https:"),
        max_age=int(lasts.total_seconds()),
    )


@post("/leave", right="hall", identifies=True, status_code=200)
async def leave(request: AnyRequest, services: AppServices) -> Response[dict[str, str]]:
    """End the session."""
    if request.headers.get("x-csrf") == identity_of(request).csrf:
        await services.access.sign_out(request.cookies)
    return Response({"go": "/"}, cookies=[Cookie(key=await services.access.cookie(), value="", max_age=0)])
