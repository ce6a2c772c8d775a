"""Webhooks in the API: which programs are told of what happens in an event, and how far they are."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from topcut.client import shapes as s
from topcut.desk.guard import who_of
from topcut.desk.hook_records import Hook, HookState, NoSuchHook
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest

GONE = [NotFoundException]


class WantedWebhook(Struct, forbid_unknown_fields=True):
    """A webhook that somebody wants."""

    url: Annotated[str, Meta(extra_json_schema={"pattern": "^https?://"})]
    since: int | None = None
    """Tell it everything after this fact; without it, what comes from now on."""


class Replay(Struct, forbid_unknown_fields=True):
    since: int
    """Everything after this fact once more; 0: from the beginning."""


def _shape(hook: Hook, state: HookState) -> s.Webhook:
    return s.Webhook(
        id=hook.id,
        url=hook.url,
        made=hook.made,
        by=hook.by,
        position=state.position,
        tries=state.tries,
        failing_since=state.failing_since,
        last_error=state.last_error,
        stopped=state.stopped,
    )


@get("/events/{event:str}/webhooks", right="hooks", raises=GONE)
async def webhooks(house: NamedDependency[House], event: FromPath[str]) -> s.Webhooks:
    """The webhooks of an event."""
    await house.floor.event(event)
    return s.Webhooks(items=[_shape(*one) for one in await house.hooks.of(event)])


@post("/events/{event:str}/webhooks", right="hooks", raises=GONE)
async def new_webhook(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[WantedWebhook]
) -> Response[s.NewWebhook]:
    """Have an address told every fact; the secret that deliveries are signed with is shown once."""
    await house.floor.event(event)
    who = who_of(request)
    near = who.owner is None and await house.access.owner(event) is None  # what is near is the host's
    hook, secret = await house.hooks.add(event, data.url, who.name, data.since, near=near)
    made = s.NewWebhook(webhook=_shape(hook, HookState(position=hook.since)), secret=secret)
    return Response(made, status_code=201, headers={"cache-control": "no-store"})


@delete("/events/{event:str}/webhooks/{id:str}", right="hooks", raises=GONE)
async def remove_webhook(house: NamedDependency[House], event: FromPath[str], id: FromPath[str]) -> None:
    """Tell an address nothing any more."""
    await house.hooks.remove(event, id)


@post("/events/{event:str}/webhooks/{id:str}/replay", right="hooks", status_code=200, raises=GONE)
async def replay_webhook(
    house: NamedDependency[House], event: FromPath[str], id: FromPath[str], data: JSONBody[Replay]
) -> s.Webhook:
    """Deliver again from a position on; also to one that was given up."""
    await house.hooks.replay(event, id, data.since)
    for hook, state in await house.hooks.of(event):
        if hook.id == id:
            return _shape(hook, state)
    raise NoSuchHook(event, id)


@post(
    "/events/{event:str}/webhooks/{id:str}/test",
    right="hooks",
    action="heavy",
    status_code=200,
    raises=GONE,
)
async def test_webhook(house: NamedDependency[House], event: FromPath[str], id: FromPath[str]) -> s.Delivered:
    """Send a delivery without facts now; what came of it."""
    outcome = await house.hooks.test(event, id)
    return s.Delivered(status=outcome.status, problem=outcome.problem)


ROUTES = [webhooks, new_webhook, remove_webhook, replay_webhook, test_webhook]
