"""The web application: which addresses there are, and what becomes of errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from litestar import Litestar, Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath
from litestar.response import Stream

from topcut.desk import (
    api,
    bringing,
    commands,
    desk,
    door,
    entering,
    hall,
    making,
    phone,
    printing,
    slip,
    staffing,
    taking_out,
)
from topcut.desk.api.openapi import PREFIX, described
from topcut.desk.api.problems import problem
from topcut.desk.bidi import isolated
from topcut.desk.guard import TooMany, guard, rights_of, welcome, who_of
from topcut.desk.house import House
from topcut.desk.pages import HEADERS, AnyRequest, respond
from topcut.desk.retention import keep_purging
from topcut.desk.who import NotAllowed
from topcut.errors import BadInput, TopcutError
from topcut.event.refusals import NeedsAnswer
from topcut.store.model import NoSuchEvent, Store, StoreError

A_YEAR = "public, max-age=31536000, immutable"
BODY = 2_000_000
"""Bytes of a request, at most."""


def make_app(store: Store, address: str = "", *, chores: bool = True, anywhere: bool = True) -> Litestar:
    """The application over an open store.

    `chores`: whether this process does what only one of several may do; `anywhere`: whether webhooks may
    go to addresses of this machine and its network.
    """
    house = House.over(store, address, chores=chores, anywhere=anywhere)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await house.floor.begin()
        if chores:
            await house.hooks.begin()
        purging = asyncio.create_task(keep_purging(store)) if chores else None
        yield
        if purging is not None:
            purging.cancel()
            await asyncio.wait([purging])
        await house.hooks.close()
        await house.floor.close()

    def the_house() -> House:
        return house

    app = Litestar(
        [
            static_file,
            service_worker,
            follow,
            follow_at_desk,
            *door.ROUTES,
            *hall.ROUTES,
            *phone.ROUTES,
            *slip.ROUTES,
            *making.ROUTES,
            *bringing.ROUTES,
            *taking_out.ROUTES,
            *desk.ROUTES,
            *staffing.ROUTES,
            *printing.ROUTES,
            *commands.ROUTES,
            *entering.ROUTES,
            api.router(),
        ],
        dependencies={"house": Provide(the_house, sync_to_thread=False)},
        exception_handlers={Exception: failed},
        response_headers=HEADERS,
        request_max_body_size=BODY,
        before_request=only_json,
        guards=[guard],
        openapi_config=None,
        lifespan=[lifespan],
        logging_config=None,
    )
    app.state.house = house
    rights_of(app)
    house.describe = cache(lambda: described(app))
    return app


@get("/static/{digest:str}/{name:path}", right="hall", raises=[NotFoundException])
async def static_file(
    request: AnyRequest, house: NamedDependency[House], name: FromPath[str]
) -> Response[bytes]:
    page = house.static.pages.get(name.strip("/"))
    if page is None:
        raise NotFoundException("there is no such file")
    return respond(request, page, keep=A_YEAR)


@get("/sw.js", right="hall")
async def service_worker(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """At the top, so that it may serve all pages of the hall."""
    return respond(request, house.static.pages["sw.js"])


@get("/e/{event:str}/live", right="hall", raises=[NotFoundException])
async def follow(house: NamedDependency[House], event: FromPath[str]) -> Stream:
    """What changes, as it changes."""
    live = await house.floor.event(event)
    return house.streams.follow(live.stream())


async def only_json(request: AnyRequest) -> Response[None] | None:
    """Another site's page can send a form here, but no JSON; but to the API, which then gets no cookie."""
    if request.scope["path"].startswith(PREFIX):
        if request.method == "OPTIONS":
            return api.preflight()
        if api.nothing_sent(request):
            return None
    if request.method == "POST" and request.content_type[0] != "application/json":
        raise HTTPException("expected JSON", status_code=415)
    return None


@get("/desk/{event:str}/live", right="desk", raises=[NotFoundException])
async def follow_at_desk(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Stream:
    """The same for staff, who also hear of drafts."""
    live = await house.floor.event(event)
    return house.streams.follow(welcome(request, live.stream(staff=True)), who_of(request).key)


def failed(request: AnyRequest, error: Exception) -> Response[Any]:
    """One clear line, as a page or for a script."""
    if request.scope["path"].startswith(PREFIX):  # no look at Host, which may be why
        return problem(error)
    status, says = 500, "something went wrong here; what was acknowledged is safe"
    if isinstance(error, NoSuchEvent):
        status, says = 404, "there is no such event here"
    elif isinstance(error, StoreError):
        status, says = 503, "the database does not answer: try again, and look at what the server prints"
        logging.getLogger("topcut").error("%s", error)
    elif isinstance(error, NotAllowed | TooMany):
        status, says = 403 if isinstance(error, NotAllowed) else 429, str(error)
    elif isinstance(error, BadInput):
        field = error.place.rpartition(".")[2].replace("_", " ")
        status, says = 422, f"{field}: {error.problem}" if field else error.problem
    elif isinstance(error, TopcutError):
        status, says = 422, str(error)
    elif isinstance(error, HTTPException):
        status, says = error.status_code, error.detail
    elif isinstance(error, RecursionError):  # brackets in brackets in brackets
        status, says = 400, "this is nested too deeply to be read"
    else:
        logging.getLogger("topcut").error("an error that nobody foresaw", exc_info=error)
    if request.method != "GET":
        body: dict[str, Any] = {"error": isolated(says), "kind": type(error).__name__}
        if isinstance(error, NeedsAnswer):
            body |= {"round": error.round, "answers": error.answers}
        return Response(body, status_code=status, headers=HEADERS)
    house: House = request.app.state.house
    page = house.templates.page("error.html", status=status, says=says)
    answer = respond(request, page, keep="no-store", status=status)
    answer.headers.update(HEADERS)
    return answer
