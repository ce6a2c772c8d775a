"""The desk as a service: everything it can do, as JSON under /api/v1."""

from litestar import Response, Router

from topcut.desk.api import commands, events, hooks, looking, people, service, staff, stream
from topcut.desk.api.openapi import PREFIX
from topcut.desk.api.problems import CROSS
from topcut.desk.pages import AnyRequest

PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID, Topcut-Version",
    "access-control-max-age": "7200",
}
"""What a browser asks before a page of another site may send a token, or JSON."""


NOT_KEPT = {"cache-control": "no-store"}
"""Nobody keeps an answer that does not say so itself: most are for whoever asked."""


def router() -> Router:
    """All addresses of the API."""
    routes = [
        *service.ROUTES,
        *events.ROUTES,
        *looking.ROUTES,
        *commands.ROUTES,
        *staff.ROUTES,
        *hooks.ROUTES,
        *people.ROUTES,
        *stream.ROUTES,
    ]
    return Router(PREFIX, route_handlers=routes, response_headers=CROSS | NOT_KEPT)


def preflight() -> Response[None]:
    """The answer to a browser that asks whether another site's page may send something here."""
    return Response(None, status_code=204, headers=PREFLIGHT)


def nothing_sent(request: AnyRequest) -> bool:
    """Whether a request has no body, and so no kind of body either."""
    given = set(request.headers) & {"content-type", "transfer-encoding"}
    return not given and request.headers.get("content-length", "0") == "0"
