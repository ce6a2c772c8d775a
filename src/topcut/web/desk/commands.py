"""Take commands from the forms and buttons of the desk."""

from typing import Any

from litestar import post
from litestar.params import JSONBody
from msgspec import Struct

from topcut.app.entry_line import EntryRequest, enter_line, preview_line
from topcut.app.execute import Back, check_texts, preview_undo, read_commands
from topcut.app.idempotency import identify_request
from topcut.event.commands import Swap
from topcut.event.lookup import find_player
from topcut.web.desk.frame import AtDesk


class CommandList(Struct, forbid_unknown_fields=True):
    commands: list[dict[str, Any]]


@post("/desk/{event:str}/do", right="desk", status_code=200)
async def do(desk: AtDesk, data: JSONBody[CommandList]) -> dict[str, Any]:
    """Execute commands: all of them, or none."""
    return await desk.execute(await desk.open_event(), read_commands(data.commands))


class SwapRequest(Struct, forbid_unknown_fields=True):
    first: str
    second: str
    reason: str = ""


@post("/desk/{event:str}/swap", right="seating", status_code=200)
async def swap(desk: AtDesk, data: JSONBody[SwapRequest]) -> dict[str, Any]:
    """Swap two players, given by name or id."""
    live, people = await desk.open_event(), desk.who.may("people")
    check_texts([data.reason])
    first, second = (find_player(live.state, text, people) for text in (data.first, data.second))
    return await desk.execute(live, [Swap(first=first, second=second, reason=data.reason)])


@post("/desk/{event:str}/undo", right="desk", status_code=200)
async def preview_undo_step(desk: AtDesk, data: JSONBody[Back]) -> dict[str, Any]:
    """Show what an undo or a redo would change, without doing it."""
    return await preview_undo(desk.services, desk.who, desk.event, data)


@post("/desk/{event:str}/entry", right="desk", status_code=200)
async def entry(desk: AtDesk, data: JSONBody[EntryRequest]) -> dict[str, Any]:
    """Explain what a line of the entry bar means, or save it. A line that is sent twice under the same
    `Idempotency-Key`, because its answer was lost, counts once."""
    request, who = desk.request, desk.who
    if not data.sure:
        return await preview_line(desk.services, who, desk.event, data.text)
    given, address = request.headers.get("idempotency-key"), f"{request.method} {request.scope['path']}"
    key = identify_request(given, who, desk.event, address, await request.body())
    return await enter_line(desk.services, who, desk.event, data, key)
