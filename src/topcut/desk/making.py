"""Making an event: the rules, the format, and what they plan for so many players."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from topcut.desk.commands import context
from topcut.desk.guard import who_of
from topcut.desk.house import House, desk_address
from topcut.desk.pages import AnyRequest, respond
from topcut.desk.who import Who
from topcut.errors import BadInput, TopcutError
from topcut.event.commands import Create
from topcut.rulebook import Book, ids, load
from topcut.rulebook.frozen import frozen
from topcut.rulebook.options import Options
from topcut.rulebook.planning import Wishes, plan
from topcut.rulebook.planning.spoken import spoken
from topcut.rulebook.running import Level
from topcut.rulebook.section import Format
from topcut.store.ids import free_id
from topcut.store.model import AlreadyThere
from topcut.store.turn import Once

FORMATS: dict[Format, str] = {
    "swiss": "Swiss rounds",
    "swiss+elimination": "Swiss rounds, then a bracket",
    "elimination": "Single elimination",
    "double-elimination": "Double elimination",
    "round-robin": "Everybody meets everybody",
}


def books() -> list[Book]:
    """The rulesets, by their titles."""
    return sorted((load(book_id) for book_id in ids()), key=lambda book: book.title)


@get("/new", right="create")
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
    all_books = books()
    book = next((one for one in all_books if one.id == rules), None)
    wanted = next(
        (known for known in FORMATS if book and known in book.plan.formats and known == format), None
    )
    lines, problem = _planned(book, wanted, players, table)
    page = house.templates.page(
        "new.html",
        who=who_of(request),
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


def _planned(
    book: Book | None, event_format: Format | None, players: str, table: str
) -> tuple[list[str], str]:
    """What the rules plan, line by line, or why they cannot."""
    if book is None or not players.strip():
        return [], ""
    if not re.fullmatch(r"\s*\d{1,5}\s*", players) or not int(players):
        return [], "expected a number of players"
    chosen = table if table in book.plan.tables and "table" in book.options else None
    try:
        return spoken(plan(book, int(players), Wishes(format=event_format, table=chosen))), ""
    except TopcutError as error:
        return [], str(error)


class NewEvent(Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Annotated[str, Meta(extra_json_schema={"minLength": 1})]
    rules: str
    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    table: str | None = None
    level: Level | None = None
    first_table: int = 1
    """The number of the first table."""
    keep: int | None = None
    """Months for which names are kept after the event; without it as long as the rules say."""
    rehearsal: str | None = None
    """For a rehearsal: the same text gives the same draws."""
    players: str = ""
    """How many are expected: only for the preview."""


async def made(house: House, who: Who, new: NewEvent, event: str, once: Once | None = None) -> str:
    """Make an event with this id."""
    if not new.name.strip():
        raise BadInput("the event needs a name")
    chosen = {name: getattr(new, name) for name in ("format", "table", "rounds", "cut", "level")}
    options = msgspec.convert({k: v for k, v in chosen.items() if v is not None}, Options)
    create = Create(
        name=new.name,
        book=frozen(load(new.rules)),
        options=options,
        kept_months=new.keep,
        first_table=new.first_table,
        rehearsal=new.rehearsal or None,
    )
    await house.floor.create(event, create, context(who.name, who.via), once=once)
    await house.access.owned(event, who.owner)
    return event


async def under_free_id(house: House, name: str, work: Callable[[str], Awaitable[str]]) -> str:
    """Make an event under an id that no other has; somebody else may take the same at the same moment."""
    while True:
        try:
            return await work(await free_id(house.store, name))
        except AlreadyThere:
            continue


@post("/new", right="create", action="heavy", status_code=200)
async def make(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[NewEvent]
) -> dict[str, str]:
    """The event is made."""
    who = who_of(request)
    event = await under_free_id(house, data.name, lambda event_id: made(house, who, data, event_id))
    return {"go": f"{desk_address(event)}/players"}


ROUTES = [new, make]
