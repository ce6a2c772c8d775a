"""Guard every address: each names the right it takes (`right=`).

The guard leaves the visitor in the state of the request. An address without a right is a mistake of ours, and
the application does not start.
"""

import hmac
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.exceptions import (
    HTTPException,
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler

from topcut.app.access.identity import EVERYBODY, Identity, Visitor
from topcut.app.access.roles import OPEN
from topcut.app.limits import Action
from topcut.app.services import Services
from topcut.event.rights import RIGHTS, Right
from topcut.text.messages import say
from topcut.web.responses import only_looks

AnyConnection = ASGIConnection[Any, Any, Any, Any]
SAFE = ("GET", "HEAD", "OPTIONS")


async def guard(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Refuse a request without the right that its address takes, or beyond the limits of its sender."""
    if "right" not in handler.opt:  # only OPTIONS, which the framework adds
        return
    if any("\0" in part for part in connection.path_params.values() if isinstance(part, str)):
        raise NotFoundException(
            detail=say("There is nothing at this address.")
        )  # no id has it, and some databases refuse it
    right: Right = handler.opt["right"]
    services: Services = connection.app.state.services
    who: Identity | None = None
    authorization = connection.headers.get("authorization", "")
    if right not in OPEN or authorization or handler.opt.get("identifies"):
        who = await services.access.identify(connection.cookies, authorization)
    if right not in OPEN or authorization:
        who = await _let_in(services, connection, who, right)
    elif who is not None and not await _reaches_event(services, connection, who):
        who = None
    who = who or EVERYBODY
    connection.state.visitor = Visitor(who, lambda: _is_still_allowed(services, connection, who))
    # Limits count by the link, or by the signed address itself, which is secret.
    key = " ".join(map(str, connection.path_params.values())) if right == "speak" else who.key
    services.limit(key, _action_of(connection, handler, right))


def _action_of(connection: AnyConnection, handler: BaseRouteHandler, right: Right) -> Action:
    """Return the kind of action that is limited."""
    default: Action = "ask" if right in ("ask", "speak") else "command"
    if handler.opt.get("looks") and only_looks(connection):
        return "read"
    action: Action = handler.opt.get("action", "read" if connection.scope.get("method") in SAFE else default)
    return action


async def _reaches_event(services: Services, connection: AnyConnection, who: Identity) -> bool:
    """Tell whether a link opens the event that the address names, if any."""
    event = connection.path_params.get("event")
    return event is None or await services.access.reaches(who, event)


async def _let_in(
    services: Services, connection: AnyConnection, who: Identity | None, right: Right
) -> Identity:
    if who is None:
        if connection.headers.get("authorization"):
            raise NotAuthorizedException(detail=say("This token has expired, was revoked or is not valid."))
        raise NotAuthorizedException(
            detail=say("Sign in first: open your staff link, or enter your password.")
        )
    if not await _reaches_event(services, connection, who):
        if right in OPEN:
            return EVERYBODY
        raise PermissionDeniedException(detail=say("Your link opens another event."))
    if right == "create" and who.event is not None:
        raise PermissionDeniedException(detail=say("Your link opens only one event."))
    who.require(right)
    if connection.scope.get("method") not in SAFE and who.csrf:
        given = connection.headers.get("x-csrf", "")  # the token that only our pages know
        if not hmac.compare_digest(given.encode(), who.csrf.encode()):
            raise PermissionDeniedException(detail=say("This page is too old. Reload it."))
    return who


async def _is_still_allowed(services: Services, connection: AnyConnection, who: Identity) -> bool:
    now = await services.access.identify(connection.cookies, connection.headers.get("authorization", ""))
    return now == who and await _reaches_event(services, connection, who)


def list_rights(app: Litestar) -> dict[tuple[str, str], Right]:
    """Return the right that each address takes, by method and path."""
    found: dict[tuple[str, str], Right] = {}
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            for method in sorted(set(handler.http_methods) - {"OPTIONS"}):
                right = handler.opt.get("right")
                if right not in RIGHTS:
                    raise HTTPException(f"{method} {route.path} does not say which right it takes")
                found[method, route.path] = right
    return found
