"""Create an event, import one from a file of any program, and preview what rules plan for an event."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from topcut.app.access.identity import Identity
from topcut.app.execute import new_context
from topcut.app.services import Services
from topcut.errors import BadInput, TopcutError
from topcut.event.commands import Create, TakeOver
from topcut.event.decide.create import check_log_limits
from topcut.formats import log_file
from topcut.formats.paths import LARGEST
from topcut.formats.registry import FORMATS, ListHints, read_content
from topcut.formats.takeover import make_takeover
from topcut.rulebook import Book, load
from topcut.rulebook.layout import Format
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.model import Deck, Level
from topcut.rulebook.options import Options
from topcut.rulebook.planning.divisions import plan_divisions
from topcut.rulebook.planning.plan import Wishes, plan_event
from topcut.rulebook.planning.sentences import describe_plan
from topcut.store.interface import AlreadyThere
from topcut.store.queue import Once
from topcut.store.session import EventSession, find_free_id
from topcut.text.messages import say

FILE_BODY_BYTES = LARGEST * 4 // 3 + 10_000
"""Bytes of a request with a file in it, at most."""


class NewEvent(Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Annotated[str, Meta(extra_json_schema={"minLength": 1})]
    rules: str
    format: Format | None = None
    rounds: int | None = None
    cut: int | None = None
    table: str | None = None
    level: Level | None = None
    deck: Deck | None = None
    first_table: int = 1
    """The number of the first table."""
    keep: int | None = None
    """Months for which names are kept after the event; without it as long as the rules say."""
    rehearsal: str | None = None
    """For a rehearsal: the same text gives the same draws."""
    players: str = ""
    """How many are expected: only for the preview."""


def preview_plan(
    book: Book | None, event_format: Format | None, players: str, table: str
) -> tuple[list[str], str]:
    """Return the lines of the plan, or the reason why there is none; numbers with commas are divisions."""
    if book is None or not players.strip():
        return [], ""
    numbers = [int(one) for one in players.split(",") if re.fullmatch(r"\s*\d{1,5}\s*", one)]
    if len(numbers) != players.count(",") + 1 or not any(numbers):
        return [], say("expected a number of players")
    chosen = table if table in book.plan.tables and "table" in book.options else None
    wishes = Wishes(format=event_format, table=chosen)
    try:
        if len(numbers) > 1:
            return describe_plan(plan_divisions(book, numbers, wishes)), ""
        return describe_plan(plan_event(book, numbers[0], wishes)), ""
    except TopcutError as error:
        return [], error.message


def list_asked_divisions(book: Book | None, event_format: Format | None) -> list[str]:
    """Return the divisions whose expected players matter for the plan."""
    if book is None or book.divisions is None:
        return []
    ignored = (event_format or book.plan.formats[0]) in book.divisions.ignored_by
    return [] if ignored else [division.name for division in book.divisions.list]


async def create_event(
    services: Services, who: Identity, new: NewEvent, event: str, once: Once | None = None
) -> str:
    """Create an event under this id."""
    if not new.name.strip():
        raise BadInput(say("the event needs a name"))
    chosen = {name: getattr(new, name) for name in ("format", "table", "rounds", "cut", "level", "deck")}
    options = msgspec.convert({k: v for k, v in chosen.items() if v is not None}, Options)
    command = Create(
        name=new.name,
        book=freeze_book(load(new.rules)),
        options=options,
        kept_months=new.keep,
        first_table=new.first_table,
        rehearsal=new.rehearsal or None,
    )
    await services.events.create(event, command, new_context(who.name, who.via), once=once)
    await services.access.give_event(event, who.owner)
    return event


async def create_under_free_id(services: Services, name: str, work: Callable[[str], Awaitable[str]]) -> str:
    """Create an event under a free id; try again if another process takes the same id meanwhile."""
    while True:
        try:
            return await work(await find_free_id(services.store, name))
        except AlreadyThere:
            continue


class AFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file with an event: a log, an event file, or what other programs write."""

    text: str = ""
    """Its content, if that is text in UTF-8."""
    data: bytes = b""
    """Its bytes in base64, if it may be something else."""
    rules: str = ""
    """The ruleset, where the file does not say it: for lists of results."""
    name: str = ""
    """What the event is called, where the file does not say it."""


@dataclass(frozen=True)
class ImportedEvent:
    """Hold the content of a file: a log that goes on, or the beginning of a new one."""

    event: str
    """The event's name."""
    kind: str
    players: int
    rounds: int
    notes: tuple[str, ...] = ()
    """Sentences on parts that are not imported, and on choices made while reading."""
    log: log_file.LogFile | None = None
    taken: TakeOver | None = None


def read_event(file: AFile) -> ImportedEvent:
    """Read the event in a file; refuse a log beyond the limits, since the file may come from a stranger."""
    if file.text and file.data:
        raise BadInput(say("expected either text or data"))
    raw = file.data or file.text.encode(errors="replace")
    if len(raw) > LARGEST:
        raise BadInput(say("this file is too large: expected at most {most} MiB", most=LARGEST // 2**20))
    if log_file.is_log(raw):
        log, event_log = log_file.read_checked_log(raw)
        check_log_limits(log.facts, log.private)
        state = event_log.state
        return ImportedEvent(log.event, FORMATS["log"].source, len(state.players), len(state.rounds), log=log)
    found = read_content(raw, ListHints(file.rules or None, file.name or None))
    taken = make_takeover(found)
    players, rounds = len(taken.players), len(taken.rounds)
    return ImportedEvent(taken.name, taken.source, players, rounds, found.notes, taken=taken)


async def import_event(
    services: Services, who: Identity, found: ImportedEvent, event: str, once: Once | None = None
) -> str:
    """Import an event under this id."""
    if found.taken is not None:
        await services.events.create(event, found.taken, new_context(who.name, who.via), once=once)
    elif found.log is not None:
        await EventSession.put(services.store, event, found.log.facts, found.log.private, once=once)
    await services.access.give_event(event, who.owner)
    return event
