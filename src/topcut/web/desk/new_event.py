"""Show the form for a new event with its plan, and create or import the event."""

import asyncio
from itertools import zip_longest
from typing import Any

from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody

from topcut.app.new_event import (
    FILE_BODY_BYTES,
    AFile,
    NewEvent,
    create_event,
    create_under_free_id,
    import_event,
    list_asked_divisions,
    preview_plan,
    read_event,
)
from topcut.app.services import desk_address
from topcut.formats.registry import ListName, NeedsRules
from topcut.rulebook import list_ids, load
from topcut.rulebook.layout import Format
from topcut.text.messages import Message, say
from topcut.web.responses import AnyRequest, AppServices, identity_of, render, respond

FORMATS: dict[Format, Message] = {
    "swiss": say("Swiss rounds"),
    "swiss+elimination": say("Swiss rounds, then a bracket"),
    "elimination": say("Single elimination"),
    "double-elimination": say("Double elimination"),
    "round-robin": say("Round robin"),
}
LISTS: dict[ListName, Message] = {
    "players": say("This is a list of players. Choose the ruleset."),
    "pairings": say("This is a list of pairings. Choose the ruleset."),
    "results": say("This is a list of results. Choose the ruleset."),
    "standings": say("This is a list of standings. Choose the ruleset."),
}


@get("/new", right="create")
async def new(
    request: AnyRequest,
    rules: FromQuery[str] = "",
    format: FromQuery[str] = "",
    players: FromQuery[str] = "",
    name: FromQuery[str] = "",
    table: FromQuery[str] = "",
    divisions: FromQuery[str] = "",
) -> Response[bytes]:
    """Show a form whose preview follows what is chosen."""
    books = sorted((load(book_id) for book_id in list_ids()), key=lambda book: book.title)
    book = next((one for one in books if one.id == rules), None)
    wanted = next(
        (known for known in FORMATS if book and known in book.plan.formats and known == format), None
    )
    asked = list_asked_divisions(book, wanted)
    given = divisions.split(",") if asked and divisions else []
    lines, problem = preview_plan(book, wanted, ",".join(given) if given else players, table)
    page = render(
        "new.html",
        who=identity_of(request),
        books=books,
        book=book,
        formats=FORMATS,
        format=wanted,
        players=players,
        divisions=[*zip_longest(asked, (n if n != "0" else "" for n in given[: len(asked)]), fillvalue="")],
        name=name,
        table=table if book and table in book.plan.tables else "",
        plan=lines,
        problem=problem,
    )
    return respond(request, page, keep="no-store")


@post("/new", right="create", action="heavy", status_code=200)
async def make(request: AnyRequest, services: AppServices, data: JSONBody[NewEvent]) -> dict[str, str]:
    who = identity_of(request)
    event = await create_under_free_id(
        services, data.name, lambda event_id: create_event(services, who, data, event_id)
    )
    return {"go": f"{desk_address(event)}/players"}


class FileToImport(AFile, forbid_unknown_fields=True, omit_defaults=True):
    sure: bool = False
    """Import the event; otherwise only describe the file."""


@post("/new/file", right="create", action="heavy", status_code=200, request_max_body_size=FILE_BODY_BYTES)
async def import_file(
    request: AnyRequest, services: AppServices, data: JSONBody[FileToImport]
) -> dict[str, Any]:
    """Describe the event in a file, or import it."""
    try:
        found = await asyncio.to_thread(read_event, data)
    except NeedsRules as needs:
        return {"needs": "rules", "error": LISTS[needs.kind]}
    if not data.sure:
        shown = ("event", "kind", "players", "rounds", "notes")
        return {name: getattr(found, name) for name in shown}
    who = identity_of(request)
    event = await create_under_free_id(
        services, found.event, lambda event_id: import_event(services, who, found, event_id)
    )
    return {"go": desk_address(event)}
