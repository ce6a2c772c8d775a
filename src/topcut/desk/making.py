"""Making an event: the rules, the format, and what they plan for so many players."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromQuery, JSONBody
from msgspec import Struct

from topcut.desk.commands import context
from topcut.desk.house import House, desk_address
from topcut.desk.pages import AnyRequest, respond
from topcut.errors import BadInput, TopcutError
from topcut.event.commands import Create
from topcut.exchange import log_file
from topcut.rulebook import Book, ids, load
from topcut.rulebook.frozen import frozen
from topcut.rulebook.options import Options
from topcut.rulebook.planning import Wishes, plan
from topcut.rulebook.planning.spoken import spoken
from topcut.rulebook.running import Level
from topcut.rulebook.section import Format
from topcut.store.ids import free_id
from topcut.store.running import Running

A_LOG = 100_000_000
"""Bytes of a log, at most."""
FORMATS: dict[Format, str] = {
    "swiss": "Swiss rounds",
    "swiss+elimination": "Swiss rounds, then a bracket",
    "elimination": "Single elimination",
    "double-elimination": "Double elimination",
    "round-robin": "Everybody meets everybody",
}


def books() -> list[Book]:
    """The rulesets, by their titles."""
    return sorted((load(id) for id in ids()), key=lambda book: book.title)


@get("/new")
async def new(
    request: AnyRequest,
    house: NamedDependency[House],
    rules: FromQuery[str] = "",
    format: FromQuery[str] = "",
    players: FromQuery[str] = "",
    name: FromQuery[str] = "",
    table: FromQuery[str] = "",
) -> Response[bytes]:
    """A form whose preview follows what is chosen."""
    session = await house.staff(request)
    all_books = books()
    book = next((one for one in all_books if one.id == rules), None)
    wanted = next(
        (known for known in FORMATS if book and known in book.plan.formats and known == format), None
    )
    lines, problem = _planned(book, wanted, players, table)
    page = house.templates.page(
        "new.html",
        session=session,
        books=all_books,
        book=book,
        formats=FORMATS,
        format=wanted,
        players=players,
        name=name,
        table=table if book and table in book.plan.tables else "",
        plan=lines,
        problem=problem,
    )
    return respond(request, page, keep="no-store")


def _planned(book: Book | None, format: Format | None, players: str, table: str) -> tuple[list[str], str]:
    """What the rules plan, line by line, or why they cannot."""
    if book is None or not players.strip():
        return [], ""
    if not re.fullmatch(r"\s*\d{1,5}\s*", players) or not int(players):
        return [], "expected a number of players"
    chosen = table if table in book.plan.tables and "table" in book.options else None
    try:
        return spoken(plan(book, int(players), Wishes(format=format, table=chosen))), ""
    except TopcutError as error:
        return [], str(error)


class NewEvent(Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    rules: str
    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    table: str | None = None
    level: Level | None = None
    first_table: int = 1
    keep: int | None = None
    rehearsal: str | None = None
    players: str = ""
    """How many are expected: only for the preview."""


@post("/new", status_code=200)
async def make(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[NewEvent]
) -> dict[str, str]:
    """The event is made."""
    session = await house.sends(request)
    if not data.name.strip():
        raise BadInput("the event needs a name")
    book = load(data.rules)
    chosen = {name: getattr(data, name) for name in ("format", "table", "rounds", "cut", "level")}
    options = msgspec.convert({k: v for k, v in chosen.items() if v is not None}, Options)
    create = Create(
        name=data.name,
        book=frozen(book),
        options=options,
        kept_months=data.keep,
        first_table=data.first_table,
        rehearsal=data.rehearsal or None,
    )
    event = await free_id(house.store, data.name)
    await house.floor.create(event, create, context(session.name))
    return {"go": f"{desk_address(event)}/players"}


async def came_in(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Nobody else sends so much: asked before anything of it is read."""
    if await connection.app.state.house.access.session(connection.cookies) is None:
        raise NotAuthorizedException("the desk is for those who have a link")


class LogFile(Struct, forbid_unknown_fields=True):
    text: str


@post("/new/log", status_code=200, request_max_body_size=A_LOG, guards=[came_in])
async def bring(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[LogFile]
) -> dict[str, Any]:
    """An event that was taken out somewhere else."""
    await house.sends(request)
    found = await asyncio.to_thread(log_file.checked, data.text.encode())
    event = await free_id(house.store, found.event)
    await Running.put(house.store, event, found.facts, found.private)
    return {"go": desk_address(event)}


ROUTES = [new, make, bring]
