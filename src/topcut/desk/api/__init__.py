"""The desk as a service: everything it can do, as JSON under /api/v1."""

from litestar import Router

from topcut.desk.api import commands, events, hooks, looking, people, service, staff, stream
from topcut.desk.api.openapi import PREFIX

CROSS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Location, Idempotency-Replayed, Retry-After",
    "cache-control": "no-store",
}
"""Pages of other sites may read what everybody may; they send no cookies here, and a token of their own.
Nobody keeps an answer that does not say so itself: most are for whoever asked."""


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
    return Router(PREFIX, route_handlers=routes, response_headers=CROSS)
