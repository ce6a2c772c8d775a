"""Assemble the application: pages and API over one store, with one guard and one form of errors."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from litestar import Litestar, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException

from topcut import api, web
from topcut.api.openapi import PREFIX, describe_api
from topcut.api.problems import problem
from topcut.app.retention import keep_purging
from topcut.app.services import Services
from topcut.server.authorization import guard, list_rights
from topcut.store.interface import Store
from topcut.text.messages import Message, say
from topcut.web.language import prepare_language
from topcut.web.responses import AnyRequest, error_response, load_templates

BODY_BYTES = 2_000_000
"""Bytes of a request, at most."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""Headers of every answer: no other site may frame, script or read our pages."""


def make_app(store: Store, address: str = "", *, chores: bool = True, allow_private: bool = True) -> Litestar:
    """Assemble the application over an open store.

    `chores`: whether this process does the work that only one of several may do; `allow_private`: whether
    webhooks may go to addresses of this machine and its network.
    """
    load_templates()  # now, so that the first page need not wait
    services = Services.over(store, address, chores=chores, allow_private=allow_private)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await services.events.begin()
        if chores:
            await services.webhooks.begin()
        purging = asyncio.create_task(keep_purging(store)) if chores else None
        yield
        if purging is not None:
            purging.cancel()
            await asyncio.wait([purging])
        await services.webhooks.close()
        await services.events.close()

    app = Litestar(
        [web.router(), api.router()],
        dependencies={"services": Provide(lambda: services, sync_to_thread=False)},
        exception_handlers={Exception: answer_error},
        response_headers=HEADERS,
        type_encoders={Message: Message.render},
        request_max_body_size=BODY_BYTES,
        before_request=prepare_request,
        guards=[guard],
        openapi_config=None,
        lifespan=[lifespan],
        logging_config=None,
    )
    app.state.services = services
    list_rights(app)
    services.describe_api = cache(lambda: describe_api(app))
    return app


async def prepare_request(request: AnyRequest) -> Response[None] | None:
    """Set the language, and refuse all but JSON: a page of another site can send a form here, but no JSON.

    The API gets no cookie, so a request to it may have no body at all.
    """
    to_api = request.scope["path"].startswith(PREFIX)
    (api.prepare_language if to_api else prepare_language)(request)
    if to_api:
        if request.method == "OPTIONS":
            return api.preflight()
        if api.lacks_body(request):
            return None
    if request.method == "POST" and request.content_type[0] != "application/json":
        raise HTTPException(detail=say("Send JSON (application/json)."), status_code=415)
    return None


def answer_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """Answer an error in one clear line, as the API or as the pages do."""
    to_api = request.scope["path"].startswith(PREFIX)
    (api.prepare_language if to_api else prepare_language)(request)
    answer = problem(error) if to_api else error_response(request, error)
    answer.headers = {**HEADERS, **answer.headers}
    return answer
