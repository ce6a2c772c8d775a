"""Read what a request to the API brings, and send files and streams."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import State as AppState
from litestar.response import Stream

from topcut.app.access.identity import Identity, Visitor
from topcut.app.idempotency import KeyedRequest, identify_request
from topcut.app.page_cache import Page, name_file
from topcut.app.services import Services

STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
AnyRequest = Request[Any, Any, AppState]


def visitor_of(request: AnyRequest) -> Visitor:
    """Return the visitor whom the guard has let in."""
    visitor: Visitor = request.state.visitor
    return visitor


def identity_of(request: AnyRequest) -> Identity:
    return visitor_of(request).who


def base_of(request: AnyRequest, services: Services) -> str:
    """Return the beginning of a link that works in the hall."""
    return services.base_address(request.scope["scheme"], request.headers.get("host", "localhost"))


async def key_of(request: AnyRequest, where: str) -> KeyedRequest | None:
    """Return the request with its `Idempotency-Key`; None if it has none."""
    given, address = request.headers.get("idempotency-key"), f"{request.method} {request.scope['path']}"
    return identify_request(given, identity_of(request), where, address, await request.body())


def send_page(
    request: AnyRequest, page: Page, keep: str = "no-cache", headers: dict[str, str] | None = None
) -> Response[bytes]:
    """Send bytes, or 304 if the program has them already."""
    status, own, body = page.answer(request.headers, keep)
    return Response(body, media_type=page.kind, headers=own | (headers or {}), status_code=status)


def send_file(request: AnyRequest, page: Page, name: str, how: str = "attachment") -> Response[bytes]:
    """Send a file under its name; `how`: to save it, or to show it (`inline`)."""
    return send_page(request, page, "no-store", name_file(name, how))


def send_stream(stream: AsyncGenerator[bytes, None]) -> Stream:
    """Send server-sent events; the stream is closed also when the connection breaks."""
    end = BackgroundTask(stream.aclose)
    return Stream(stream, media_type="text/event-stream", headers=STREAM_HEADERS, background=end)
