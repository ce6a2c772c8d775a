"""How do programs use the desk? Everything it can do, as JSON under /api/v1."""

from typing import Any

from litestar import Request, Response, Router
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from topcut.api import commands, events, read, service, staff, stream, webhooks
from topcut.api.languages import prepare_language, tell_language
from topcut.api.openapi import PREFIX
from topcut.api.problems import CROSS
from topcut.api.requests import NO_STORE, ApiRequest

__all__ = ["lacks_body", "preflight", "prepare_language", "router"]

PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID, Topcut-Version",
    "access-control-max-age": "7200",
}
"""Let a page of another site send a token, or JSON: a browser asks for this first."""


def router() -> Router:
    """Return the router of all addresses of the API: every handler of these modules is one.

    Caches keep no answer that does not allow it itself: most are for one person.
    """
    modules = (service, events, read, commands, staff, webhooks, stream)
    named = (value for module in modules for value in vars(module).values())
    handlers = [value for value in named if isinstance(value, HTTPRouteHandler)]
    headers = CROSS | NO_STORE
    return Router(
        PREFIX,
        route_handlers=handlers,
        response_headers=headers,
        request_class=ApiRequest,
        after_request=tell_language,
    )


def preflight() -> Response[None]:
    """Answer a browser that asks whether another site's page may send something here."""
    return Response(None, status_code=204, headers=PREFLIGHT)


def lacks_body(request: Request[Any, Any, State]) -> bool:
    """Tell whether a request has no body, and so no content type either."""
    given = set(request.headers) & {"content-type", "transfer-encoding"}
    return not given and request.headers.get("content-length", "0") == "0"
