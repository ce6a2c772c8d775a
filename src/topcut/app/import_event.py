"""Import an event from a file of any program: read it first, then take it over."""

from dataclasses import dataclass

from msgspec import Struct

from topcut.app.access.identity import Identity
from topcut.app.execute import new_context
from topcut.app.services import Services
from topcut.errors import BadInput
from topcut.event.commands import TakeOver
from topcut.event.decide.create import check_log_limits
from topcut.formats import log_file
from topcut.formats.paths import LARGEST
from topcut.formats.registry import FORMATS, ListHints, read_content
from topcut.formats.takeover import make_takeover
from topcut.store.queue import Once
from topcut.store.session import EventSession

FILE_BODY_BYTES = LARGEST * 4 // 3 + 10_000
"""Bytes of a request with a file in it, at most."""


class AFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file with an event: a log, an event file, or what other programs write."""

    text: str = ""
    """Its content, if that is text in UTF-8."""
    data: bytes = b""
    """Its bytes in base64, if it may be something else."""
    rules: str = ""
    """The ruleset, where the file does not say it: for lists of results."""
    name: str = ""
    """What the event is called, likewise."""


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
        raise BadInput("text and data: expected one of them")
    raw = file.data or file.text.encode(errors="replace")
    if len(raw) > LARGEST:
        raise BadInput(f"this file is too large: expected at most {LARGEST // 2**20} MiB")
    if log_file.is_log(raw):
        log, event_log = log_file.read_checked_log(raw)
        check_log_limits(log.facts, log.private)
        state = event_log.state
        return ImportedEvent(log.event, FORMATS["log"].source, len(state.players), len(state.rounds), log=log)
    found = read_content(raw, ListHints(file.rules or None, file.name or None))
    taken = make_takeover(found)
    return ImportedEvent(
        taken.name, taken.source, len(taken.players), len(taken.rounds), found.notes, taken=taken
    )


async def import_event(
    services: Services, who: Identity, found: ImportedEvent, event: str, once: Once | None = None
) -> str:
    """Import an event under this id."""
    if found.taken is not None:
        await services.events.create(event, found.taken, new_context(who.name, who.via), once=once)
    elif found.log is not None:
        await EventSession.put(services.store, event, found.log.facts, found.log.private, once=once)
    await services.access.owned(event, who.owner)
    return event
