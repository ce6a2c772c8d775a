"""Take commands from the forms and buttons of the desk."""

from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from topcut.app.entry_line import EntryRequest, enter_line, preview_line
from topcut.app.execute import Back, check_texts, execute_for_page, preview_undo, read_commands
from topcut.app.idempotency import identify_request
from topcut.app.services import Services
from topcut.event.commands import Swap
from topcut.event.lookup import find_player
from topcut.web.responses import AnyRequest, identity_of


class CommandList(Struct, forbid_unknown_fields=True):
    commands: list[dict[str, Any]]


@post("/desk/{event:str}/do", right="desk", status_code=200, raises=[NotFoundException])
async def do(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    data: JSONBody[CommandList],
) -> dict[str, Any]:
    """Execute commands: all of them, or none."""
    live = await services.events.event(event)
    return await execute_for_page(live, identity_of(request), read_commands(data.commands))


class Places(Struct, forbid_unknown_fields=True):
    first: str
    second: str
    reason: str = ""


@post("/desk/{event:str}/swap", right="seating", status_code=200, raises=[NotFoundException])
async def swap(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[Places]
) -> dict[str, Any]:
    """Swap two players, given by name or id."""
    live, who = await services.events.event(event), identity_of(request)
    check_texts([data.reason])
    first, second = (find_player(live.state, text, who.may("people")) for text in (data.first, data.second))
    return await execute_for_page(live, who, [Swap(first=first, second=second, reason=data.reason)])


@post("/desk/{event:str}/undo", right="desk", status_code=200, raises=[NotFoundException])
async def look_back(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[Back]
) -> dict[str, Any]:
    """Show what an undo or a redo would change, without doing it."""
    return await preview_undo(services, identity_of(request), event, data)


@post("/desk/{event:str}/entry", right="desk", status_code=200, raises=[NotFoundException])
async def entry(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    data: JSONBody[EntryRequest],
) -> dict[str, Any]:
    """Explain what a line of the entry bar means, or save it. A line that is sent twice under the same
    `Idempotency-Key`, because its answer was lost, counts once."""
    who = identity_of(request)
    if not data.sure:
        return await preview_line(services, who, event, data.text)
    given, address = request.headers.get("idempotency-key"), f"{request.method} {request.scope['path']}"
    key = identify_request(given, who, event, address, await request.body())
    return await enter_line(services, who, event, data, key)


ROUTES = [do, swap, look_back, entry]
