"""List, add, remove, replay and test the webhooks of an event."""

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from topcut.api.requests import AnyRequest, identity_of
from topcut.app.services import Services
from topcut.app.webhooks.webhooks import Hook, HookState, NoSuchHook
from topcut.client import schemas as s

GONE = [NotFoundException]


class WantedWebhook(Struct, forbid_unknown_fields=True):
    """A webhook to add."""

    url: Annotated[str, Meta(extra_json_schema={"pattern": "^https?://"})]
    since: int | None = None
    """Deliver all facts after this position; without it, facts from now on."""


class Replay(Struct, forbid_unknown_fields=True):
    since: int
    """Deliver all facts after this position once more; 0: from the beginning."""


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
async def webhooks(services: NamedDependency[Services], event: FromPath[str]) -> s.Webhooks:
    """List the webhooks of an event."""
    await services.events.event(event)
    return s.Webhooks(items=[_shape(*one) for one in await services.webhooks.of(event)])


@post("/events/{event:str}/webhooks", right="hooks", raises=GONE)
async def new_webhook(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    data: JSONBody[WantedWebhook],
) -> Response[s.NewWebhook]:
    """Add a webhook, to which every fact is delivered; the secret that signs deliveries is shown once."""
    await services.events.event(event)
    who = identity_of(request)
    # Only the host may add addresses of its own network.
    near = who.owner is None and await services.access.owner(event) is None
    hook, secret = await services.webhooks.add(event, data.url, who.name, data.since, near=near)
    made = s.NewWebhook(webhook=_shape(hook, HookState(position=hook.since)), secret=secret)
    return Response(made, status_code=201, headers={"cache-control": "no-store"})


@delete("/events/{event:str}/webhooks/{id:str}", right="hooks", raises=GONE)
async def remove_webhook(
    services: NamedDependency[Services], event: FromPath[str], id: FromPath[str]
) -> None:
    """Remove a webhook."""
    await services.webhooks.remove(event, id)


@post("/events/{event:str}/webhooks/{id:str}/replay", right="hooks", status_code=200, raises=GONE)
async def replay_webhook(
    services: NamedDependency[Services], event: FromPath[str], id: FromPath[str], data: JSONBody[Replay]
) -> s.Webhook:
    """Deliver facts again from a position on, also to a webhook that was stopped."""
    await services.webhooks.replay(event, id, data.since)
    for hook, state in await services.webhooks.of(event):
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
async def test_webhook(
    services: NamedDependency[Services], event: FromPath[str], id: FromPath[str]
) -> s.Delivered:
    """Send a delivery without facts now, and return its outcome."""
    outcome = await services.webhooks.test(event, id)
    return s.Delivered(status=outcome.status, problem=outcome.problem)


ROUTES = [webhooks, new_webhook, remove_webhook, replay_webhook, test_webhook]
