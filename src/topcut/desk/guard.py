"""May whoever asks do this? One guard for every address, which names the right it takes (`right=`).

A handler finds whoever it was in `who_of(request)`. An address without a right is a mistake of ours, and the
application does not start.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.exceptions import (
    HTTPException,
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler

from topcut.desk.limits import Action
from topcut.desk.roles import ROLES
from topcut.desk.who import EVERYBODY, Who
from topcut.errors import TopcutError
from topcut.event.rights import RIGHTS, Right
from topcut.store.model import StoreError

if TYPE_CHECKING:
    from topcut.desk.house import House

AnyConnection = ASGIConnection[Any, Any, Any, Any]
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN: frozenset[Right] = ROLES["public"] | {"speak"}
"""What takes no link: `speak` is for addresses that are signed, and their handlers look at that."""


class TooMany(TopcutError):
    """Somebody asks for more than their share."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"this is too much at once: try again in {seconds} s")


async def guard(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Refuse whoever lacks the right that an address takes, or asks too much of it."""
    if "right" not in handler.opt:  # only what the framework adds by itself: OPTIONS
        return
    if any("\0" in part for part in connection.path_params.values() if isinstance(part, str)):
        raise NotFoundException("there is nothing here")  # no id has it, and not every database takes it
    right: Right = handler.opt["right"]
    house: House = connection.app.state.house
    who: Who | None = None
    authorization = connection.headers.get("authorization", "")
    if right not in OPEN or authorization or handler.opt.get("looks"):
        who = await house.access.who(connection.cookies, authorization)
    if right not in OPEN or authorization:
        who = await _let_in(house, connection, who, right)
    elif who is not None and not await _at_home(house, connection, who):
        who = None
    connection.state.who = who = who or EVERYBODY
    house.within(_whose(connection, who, right), _action(connection, handler, right))


def _whose(connection: AnyConnection, who: Who, right: Right) -> str:
    """What limits count by: a link; for a signed address the address itself, which nobody else knows."""
    if right == "speak":
        return " ".join(str(part) for part in connection.path_params.values())
    return who.key


def _action(connection: AnyConnection, handler: BaseRouteHandler, right: Right) -> Action:
    """What kind of thing is asked for."""
    if "action" in handler.opt:
        action: Action = handler.opt["action"]
        return action
    if connection.scope.get("method") in SAFE:
        return "read"
    return "ask" if right in ("ask", "speak") else "command"


async def _at_home(house: House, connection: AnyConnection, who: Who) -> bool:
    """Whether the event that is asked for, if any, is one of theirs; at the others they are the public."""
    event = connection.path_params.get("event")
    return event is None or await house.access.reaches(who, event)


async def _let_in(house: House, connection: AnyConnection, who: Who | None, right: Right) -> Who:
    if who is None:
        if connection.headers.get("authorization"):
            raise NotAuthorizedException("this token has run out, was revoked or never was one")
        raise NotAuthorizedException("the desk is for those who have a link")
    if not await _at_home(house, connection, who):
        if right in OPEN:
            return EVERYBODY
        raise PermissionDeniedException("your link opens another event")
    if right == "create" and who.event is not None:
        raise PermissionDeniedException("your link opens one event only")
    who.needs(right)
    if connection.scope.get("method") not in SAFE and who.csrf and not _from_our_page(connection, who):
        raise PermissionDeniedException("this page is too old: load it again")
    return who


def _from_our_page(connection: AnyConnection, who: Who) -> bool:
    """Whether a request brings what only a page of ours can know."""
    given = connection.headers.get("x-csrf", "")
    return hmac.compare_digest(given.encode(), who.csrf.encode())


def who_of(connection: AnyConnection) -> Who:
    """Whoever the guard has let in."""
    who: Who = connection.state.who
    return who


async def welcome(
    connection: AnyConnection, stream: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    """A stream for whoever was let in; it ends as soon as they would not be any more, or with other rights.

    A database that does not answer throws nobody out.
    """
    house: House = connection.app.state.house
    who = who_of(connection)
    async with aclosing(stream) as messages:
        async for message in messages:
            with suppress(StoreError):
                if who.key and not await _still(house, connection, who):
                    return
            yield message


async def _still(house: House, connection: AnyConnection, who: Who) -> bool:
    now = await house.access.who(connection.cookies, connection.headers.get("authorization", ""))
    return now == who and await _at_home(house, connection, who)


def rights_of(app: Litestar) -> dict[tuple[str, str], Right]:
    """The right that each address of the application takes, by method and path."""
    found: dict[tuple[str, str], Right] = {}
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            for method in sorted(set(handler.http_methods) - {"OPTIONS"}):
                right = handler.opt.get("right")
                if right not in RIGHTS:
                    raise HTTPException(f"{method} {route.path} does not say which right it takes")
                found[method, route.path] = right
    return found
