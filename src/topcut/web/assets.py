"""Serve static files, the streams that keep pages live, and the reference of the API."""

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Stream

from topcut.text.messages import ENGLISH, say, using_language
from topcut.web.responses import (
    AnyRequest,
    AppServices,
    identity_of,
    render,
    respond,
    send_stream,
    static_files,
    visitor_of,
)

A_YEAR = "public, max-age=31536000, immutable"


@get("/static/{digest:str}/{name:path}", right="hall")
async def static_file(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    page = static_files().pages.get(name.strip("/"))
    if page is None:
        raise NotFoundException(detail=say("There is no such file."))
    return respond(request, page, keep=A_YEAR)


@get("/sw.js", right="hall")
async def service_worker(request: AnyRequest) -> Response[bytes]:
    """Send the service worker from the top, so that it may serve all pages of the hall."""
    return respond(request, static_files().pages["sw.js"])


@get("/e/{event:str}/live", right="hall")
async def follow(services: AppServices, event: FromPath[str]) -> Stream:
    """Stream changes to a page of the hall."""
    live = await services.events.open_event(event)
    return send_stream(services.streams.admit(live.stream()))


@get("/desk/{event:str}/live", right="desk")
async def follow_at_desk(request: AnyRequest, services: AppServices, event: FromPath[str]) -> Stream:
    """Stream changes to a page of the desk, drafts included."""
    live = await services.events.open_event(event)
    stream = visitor_of(request).follow(live.stream(staff=True))
    return send_stream(services.streams.admit(stream, identity_of(request).key))


@get("/api/v1/docs", right="hall", operation_id="reference")
async def api_docs(request: AnyRequest, services: AppServices) -> Response[bytes]:
    """Show the reference of the API as a page, in English as all that it describes."""
    with using_language(ENGLISH):
        page = services.page_cache.get("api.html", 0, lambda: render("api.html", api=services.describe_api()))
        return respond(request, page)
