"""Bringing an event in from a file, whatever program wrote it: looked at first, then taken over."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Struct

from topcut.desk.commands import context
from topcut.desk.guard import who_of
from topcut.desk.house import House, desk_address
from topcut.desk.making import under_free_id
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.commands import TakeOver
from topcut.event.sensible import check_sensible
from topcut.exchange import log_file
from topcut.exchange.files import LARGEST
from topcut.exchange.into_event import SOURCES, taking_over
from topcut.exchange.opened import NeedsRules, Said, content
from topcut.store.running import Running
from topcut.store.turn import Once

A_BODY = LARGEST * 4 // 3 + 10_000
"""Bytes of a request with a file in it, at most."""


class AFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file with an event: a log, an event file, or what other programs write."""

    text: str = ""
    """What stands in it, where that is text in UTF-8."""
    data: bytes = b""
    """Its bytes in base64, where nobody knows what they are."""
    rules: str = ""
    """The ruleset, where the file does not say it: for lists of results."""
    name: str = ""
    """What the event is called, likewise."""


class LookedAt(AFile, forbid_unknown_fields=True, omit_defaults=True):
    sure: bool = False
    """Whether it is brought in; otherwise only looked at."""


@dataclass(frozen=True)
class Brought:
    """What a file holds: a log that goes on, or the beginning of a new one."""

    event: str
    """What it is called."""
    kind: str
    players: int
    rounds: int
    notes: tuple[str, ...] = ()
    """What does not come along, and what was decided."""
    log: log_file.LogFile | None = None
    taken: TakeOver | None = None


def read_file(file: AFile) -> Brought:
    """An event that was played somewhere else, by whoever it was."""
    if file.text and file.data:
        raise BadInput("text and data: expected one of them")
    raw = file.data or file.text.encode(errors="replace")
    if len(raw) > LARGEST:
        raise BadInput(f"this file is too large: expected at most {LARGEST // 2**20} MiB")
    if log_file.is_log(raw):
        log, journal = log_file.checked(raw)
        check_sensible(log.facts, log.private)
        state = journal.state
        return Brought(log.event, SOURCES["log"], len(state.players), len(state.rounds), log=log)
    found = content(raw, Said(file.rules or None, file.name or None))
    taken = taking_over(found)
    played = len(taken.rounds)
    return Brought(taken.name, taken.source, len(taken.players), played, found.notes, taken=taken)


async def brought(house: House, who: Who, found: Brought, event: str, once: Once | None = None) -> str:
    """Take an event in under this id."""
    if found.taken is not None:
        await house.floor.create(event, found.taken, context(who.name, who.via), once=once)
    elif found.log is not None:
        await Running.put(house.store, event, found.log.facts, found.log.private, once=once)
    await house.access.owned(event, who.owner)
    return event


@post("/new/file", right="create", action="heavy", status_code=200, request_max_body_size=A_BODY)
async def bring(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[LookedAt]
) -> dict[str, Any]:
    """What a file holds, and then its event."""
    try:
        found = await asyncio.to_thread(read_file, data)
    except NeedsRules as needs:
        return {"needs": "rules", "error": f"This is a list of {needs.kind}: choose its rules."}
    if not data.sure:
        shown = ("event", "kind", "players", "rounds", "notes")
        return {name: getattr(found, name) for name in shown}
    who = who_of(request)
    event = await under_free_id(house, found.event, lambda event_id: brought(house, who, found, event_id))
    return {"go": desk_address(event)}


ROUTES = [bring]
