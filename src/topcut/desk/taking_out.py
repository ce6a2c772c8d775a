"""Taking an event out as a file: its log, or the event of this moment in another format.

What each format cannot hold stands on the page before anything is downloaded.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from io import BytesIO
from typing import Literal
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.desk.commands import context
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.exchange import formats
from topcut.exchange.formats import FORMATS, Found, Target, Wish
from topcut.exchange.from_state import content
from topcut.exchange.log_file import LogFile
from topcut.site.pages import pages

Site = Literal["site"]


@dataclass(frozen=True)
class Offer:
    """A format that an event can be taken out in."""

    kind: Target | Site
    says: str
    losses: tuple[str, ...]


@get("/desk/{event:str}/export", right="export", action="heavy", raises=[NotFoundException])
async def offers(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[bytes]:
    """Every format, with what it would lose."""

    who = who_of(request)
    who.needs("people")  # names and birth years are in most of them
    live = await house.open(request, event)
    wish = Wish(context(who.name, who.via))
    offered = await asyncio.to_thread(lambda: _offered(_found(live, event, who), wish))

    def shown(_live: Live, _who: Who) -> dict[str, list[Offer]]:
        return {"offers": offered}

    return await house.at_desk(request, event, "desk_export.html", ("players", "standings", "results"), shown)


@get("/desk/{event:str}/export/{kind:str}", right="export", action="heavy", raises=[NotFoundException])
async def export(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], kind: FromPath[Target]
) -> Response[bytes]:
    """The event in a format."""
    return await exported(request, house, event, kind)


async def exported(request: AnyRequest, house: House, event: str, kind: Target) -> Response[bytes]:
    """The event as a file."""
    who = who_of(request)
    who.needs("people")  # names and birth years are in it
    live = await house.floor.event(event)

    def written() -> bytes:
        return formats.written(kind, _found(live, event, who), Wish(context(who.name, who.via)))

    raw = await asyncio.to_thread(written)
    sent = respond(request, Page(raw, FORMATS[kind].media), keep="no-store")
    return _named(sent, event, kind if FORMATS[kind].suffix == ".csv" else "", FORMATS[kind].suffix)


@get("/desk/{event:str}/export/site", right="export", action="heavy", raises=[NotFoundException])
async def export_site(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str]
) -> Response[bytes]:
    """Pages for the web, packed."""
    return await exported_site(request, house, event)


async def exported_site(request: AnyRequest, house: House, event: str) -> Response[bytes]:
    """The site of an event as one file, the same bytes for the same event."""
    live = await house.floor.event(event)
    who = who_of(request)

    def packed() -> bytes:
        raw = BytesIO()
        with ZipFile(raw, "w", ZIP_DEFLATED) as archive:
            for path, page in pages(_found(live, event, who).event).items():
                archive.writestr(ZipInfo(path), page, ZIP_DEFLATED)
        return raw.getvalue()

    sent = respond(request, Page(await asyncio.to_thread(packed), "application/zip"), keep="no-store")
    return _named(sent, event, "site", ".zip")


def _named(sent: Response[bytes], event: str, what: str, suffix: str) -> Response[bytes]:
    """The file with a name that says of which event it is."""
    name = f"{event}-{what}{suffix}" if what else f"{event}{suffix}"
    sent.headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return sent


def _found(live: Live, event: str, who: Who) -> Found:
    """The event with its log. The secret from which draws still come is in it for those who answer for
    everything that is kept: whoever knows it knows every draw beforehand."""
    journal = live.running.journal
    hidden = set() if who.may("erase") else journal.secrets()
    private = {key: body for key, body in journal.private.items() if key not in hidden}
    return formats.found(content(LogFile(event, journal.lines, private), journal.state))


def _offered(event: Found, wish: Wish) -> list[Offer]:
    """The formats that have a place for this event."""
    found = []
    for kind, file_format in FORMATS.items():
        try:
            found.append(Offer(kind, file_format.says, tuple(formats.losses(kind, event, wish))))
        except TopcutError:  # no place for it there
            continue
    return [*found, Offer("site", f"{formats.WEB}, packed (zip)", tuple(formats.web_losses(event)))]


ROUTES = [offers, export, export_site]
