"""Export an event as a file: its log, or its present state in another format."""

import asyncio
from dataclasses import dataclass
from io import BytesIO
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from topcut.app.access.identity import Identity
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page
from topcut.app.services import Services
from topcut.errors import TopcutError
from topcut.formats import registry
from topcut.formats.log_file import LogFile
from topcut.formats.registry import FORMATS, ExportedEvent, ExportOptions, FormatName
from topcut.formats.state_snapshot import snapshot_content
from topcut.site.pages import build_site


@dataclass(frozen=True)
class ExportFormat:
    """Describe a format that an event can be exported in, and what it would lose."""

    kind: FormatName | Literal["site"]
    says: str
    losses: tuple[str, ...]


@dataclass(frozen=True)
class ExportedFile:
    page: Page
    name: str


async def list_formats(live: LiveEvent, who: Identity) -> list[ExportFormat]:
    """Return the formats that can hold this event, each with what it would lose."""
    who.needs("people")  # names and birth years are in most of them
    wish = ExportOptions(new_context(who.name, who.via))

    def look() -> list[ExportFormat]:
        event, found = _content(live, who), []
        for kind, file_format in FORMATS.items():
            try:
                losses = tuple(registry.list_losses(kind, event, wish))
            except TopcutError:  # the format cannot hold this event
                continue
            found.append(ExportFormat(kind, file_format.description, losses))
        web = tuple(registry.list_web_losses(event))
        return [*found, ExportFormat("site", f"{registry.WEB}, packed (zip)", web)]

    return await asyncio.to_thread(look)


async def export_event(services: Services, who: Identity, event: str, kind: FormatName) -> ExportedFile:
    """Return the event as a file of one format."""
    who.needs("people")  # names and birth years are in it
    live = await services.events.event(event)
    options = ExportOptions(new_context(who.name, who.via))
    raw = await asyncio.to_thread(lambda: registry.write_event(kind, _content(live, who), options))
    suffix = FORMATS[kind].suffix
    name = f"{event}-{kind}{suffix}" if suffix == ".csv" else f"{event}{suffix}"
    return ExportedFile(Page(raw, FORMATS[kind].media), name)


async def export_site(services: Services, who: Identity, event: str) -> ExportedFile:
    """Return the site of an event as one zip file, with the same bytes for the same event."""
    live = await services.events.event(event)

    def pack() -> bytes:
        raw = BytesIO()
        with ZipFile(raw, "w", ZIP_DEFLATED) as packed:
            for path, page in build_site(_content(live, who).event).items():
                packed.writestr(ZipInfo(path), page, ZIP_DEFLATED)
        return raw.getvalue()

    return ExportedFile(Page(await asyncio.to_thread(pack), "application/zip"), f"{event}-site.zip")


def _content(live: LiveEvent, who: Identity) -> ExportedEvent:
    """Return the event with its log.

    Only people who may erase get the secret of future draws, which tells every draw beforehand.
    """
    log = live.session.log
    hidden = set() if who.may("erase") else log.secret_keys()
    private = {key: body for key, body in log.private.items() if key not in hidden}
    return registry.build_export(snapshot_content(LogFile(live.event, log.lines, private), log.state))
