"""How do programs use the desk? Everything it can do, as JSON under /api/v1."""

from litestar import Response, Router

from topcut.api import commands, events, people, read, service, staff, stream, webhooks
from topcut.api.openapi import PREFIX
from topcut.api.problems import CROSS
from topcut.api.requests import AnyRequest

PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID, Topcut-Version",
    "access-control-max-age": "7200",
}
"""Let a page of another site send a token, or JSON: a browser asks for this first."""


NOT_KEPT = {"cache-control": "no-store"}
"""Forbid caches to keep an answer that does not allow it itself: most are for one person."""


def router() -> Router:
    """Return the router of all addresses of the API."""
    routes = [
        *service.ROUTES,
        *events.ROUTES,
        *read.ROUTES,
        *commands.ROUTES,
        *staff.ROUTES,
        *webhooks.ROUTES,
        *people.ROUTES,
        *stream.ROUTES,
    ]
    return Router(PREFIX, route_handlers=routes, response_headers=CROSS | NOT_KEPT)


def preflight() -> Response[None]:
    """Answer a browser that asks whether another site's page may send something here."""
    return Response(None, status_code=204, headers=PREFLIGHT)


def nothing_sent(request: AnyRequest) -> bool:
    """Tell whether a request has no body, and so no content type either."""
    given = set(request.headers) & {"content-type", "transfer-encoding"}
    return not given and request.headers.get("content-length", "0") == "0"
