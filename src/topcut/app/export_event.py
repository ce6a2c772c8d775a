"""Export an event as a file: its log, its present state in another format, or a printed sheet."""

import asyncio
from dataclasses import dataclass
from io import BytesIO
from typing import cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from topcut.app.access.identity import Identity
from topcut.app.access.player_links import slip_address
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page
from topcut.app.services import NotHere, Services
from topcut.errors import BadInput, TopcutError
from topcut.event.rights import Right
from topcut.formats import registry
from topcut.formats.log_file import LogFile
from topcut.formats.registry import FORMATS, ExportedEvent, ExportOptions, FormatName, TargetName
from topcut.formats.state_snapshot import snapshot_content
from topcut.printing import typesetting
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import Number, build_printed_event
from topcut.printing.registry import SHEET_BUILDERS
from topcut.printing.registry import print_sheet as typeset_sheet
from topcut.site.pages import build_site
from topcut.text.messages import list_or, say

PAPERS: dict[str, str] = {"a4": "A4", "us-letter": "Letter"}
LONGEST_LIST = 2_000
"""Letters of a list of tables, at most."""
ALSO_NEEDS: dict[str, Right] = {"slips": "enter", "sign-in": "people"}
"""Further rights for some sheets: codes on slips report results, and sign-in sheets show legal names."""


@dataclass(frozen=True)
class ExportFormat:
    """Describe a format that an event can be exported in, and what it would lose."""

    kind: TargetName
    says: str
    losses: tuple[str, ...]


async def list_formats(live: LiveEvent, who: Identity) -> list[ExportFormat]:
    """Return the formats that can hold this event, each with what it would lose."""
    who.require("people")  # names and birth years are in most of them
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
        return [*found, ExportFormat("site", say("{web}, packed (zip)", web=registry.WEB), web)]

    return await asyncio.to_thread(look)


async def export_event(services: Services, who: Identity, event: str, kind: FormatName) -> tuple[Page, str]:
    """Return the event as a file of one format, and the file's name."""
    who.require("people")  # names and birth years are in it
    live = await services.events.open_event(event)
    options = ExportOptions(new_context(who.name, who.via))
    raw = await asyncio.to_thread(lambda: registry.write_event(kind, _content(live, who), options))
    suffix = FORMATS[kind].suffix
    name = f"{event}-{kind}{suffix}" if suffix == ".csv" else f"{event}{suffix}"
    return Page(raw, FORMATS[kind].media), name


async def export_site(services: Services, who: Identity, event: str) -> tuple[Page, str]:
    """Return the site of an event as one zip file, the same bytes for the same event, and the file's name."""
    live = await services.events.open_event(event)

    def pack() -> bytes:
        raw = BytesIO()
        with ZipFile(raw, "w", ZIP_DEFLATED) as packed:
            for path, page in build_site(_content(live, who).event).items():
                packed.writestr(ZipInfo(path), page, ZIP_DEFLATED)
        return raw.getvalue()

    return Page(await asyncio.to_thread(pack), "application/zip"), f"{event}-site.zip"


def _content(live: LiveEvent, who: Identity) -> ExportedEvent:
    """Return the event with its log.

    Only people who may erase get the secret of future draws, which tells every draw beforehand.
    """
    log = live.session.log
    hidden = set() if who.may("erase") else log.secret_keys()
    private = {key: body for key, body in log.private.items() if key not in hidden}
    return registry.build_export(snapshot_content(LogFile(live.event, log.lines, private), log.state))


def read_paper(asked: str, remembered: str = "a4") -> Paper:
    """Return the paper that is asked for, else the one that was used last."""
    if asked and asked not in PAPERS:
        problem = say('expected {papers}, not "{given}"', papers=list_or(PAPERS), given=asked[:20])
        raise BadInput(problem, place="paper")
    found = asked or remembered
    return cast(Paper, found) if found in PAPERS else "a4"


async def print_sheet(
    services: Services, who: Identity, event: str, kind: str, choice: PrintOptions, base: str
) -> Page:
    """Return a sheet as a PDF; `base` is the beginning of the links on it."""
    name = kind.removesuffix(".pdf")
    if name not in SHEET_BUILDERS:
        raise NotHere(say("There is no such sheet."))
    if name in ALSO_NEEDS:
        who.require(ALSO_NEEDS[name])
    if len(choice.tables) > LONGEST_LIST:
        raise BadInput(say("expected at most {most} characters", most=LONGEST_LIST), place="tables")
    live = await services.events.open_event(event)
    secret = await services.access.secret("players")
    state, people = live.state, who.may("people")

    def link(number: int, table: Number) -> str:
        return base + slip_address(secret, event, state.get_round(number), table)

    def print_it() -> bytes:
        pdf = typeset_sheet(name, build_printed_event(state, link, people), choice).pdf
        typesetting.free_memory()
        return pdf

    async with services.print_lock:
        return Page(await asyncio.to_thread(print_it), "application/pdf")
