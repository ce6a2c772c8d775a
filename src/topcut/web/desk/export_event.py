"""Offer an event as files, and show first what each format would lose."""

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.app.export_event import export_event, export_site, list_formats
from topcut.app.services import Services
from topcut.formats.registry import FormatName
from topcut.web.desk.frame import show_desk_page
from topcut.web.responses import AnyRequest, identity_of, open_event, send_file


@get("/desk/{event:str}/export", right="export", action="heavy", raises=[NotFoundException])
async def offers(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show every format, with what it would lose."""
    live = await open_event(request, services, event)
    offered = await list_formats(live, identity_of(request))
    follows = ("players", "standings", "results")
    return await show_desk_page(
        request, services, event, "desk_export.html", follows, lambda _live, _who: {"offers": offered}
    )


@get("/desk/{event:str}/export/{kind:str}", right="export", action="heavy", raises=[NotFoundException])
async def export(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], kind: FromPath[FormatName]
) -> Response[bytes]:
    """Send the event in a format."""
    file = await export_event(services, identity_of(request), event, kind)
    return send_file(request, file.page, file.name)


@get("/desk/{event:str}/export/site", right="export", action="heavy", raises=[NotFoundException])
async def export_pages(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Send the pages for the web as a zip file."""
    file = await export_site(services, identity_of(request), event)
    return send_file(request, file.page, file.name)


ROUTES = [offers, export, export_pages]
