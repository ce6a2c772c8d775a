"""List, add, remove, replay and test the webhooks of an event."""

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from topcut.api.requests import NO_STORE, ApiRequest, Id, fill
from topcut.app.webhooks.webhooks import HookState
from topcut.client import schemas as s


class WantedWebhook(Struct, forbid_unknown_fields=True):
    """A webhook to add."""

    url: Annotated[str, Meta(extra_json_schema={"pattern": "^https?://"})]
    since: int | None = None
    """Deliver all facts after this position. Without it: only new facts."""


class Replay(Struct, forbid_unknown_fields=True):
    since: int
    """Deliver all facts after this position again; 0: from the beginning."""


@get("/events/{event:str}/webhooks", right="hooks")
async def webhooks(request: ApiRequest, event: Id) -> s.Webhooks:
    """List the webhooks of an event."""
    await request.services.events.open_event(event)
    return s.Webhooks(
        items=[fill(s.Webhook, *one) for one in await request.services.webhooks.list_hooks(event)]
    )


@post("/events/{event:str}/webhooks", right="hooks")
async def new_webhook(
    request: ApiRequest, event: Id, data: JSONBody[WantedWebhook]
) -> Response[s.NewWebhook]:
    """Add a webhook, which receives every fact. The secret that signs deliveries is shown only once."""
    await request.services.events.open_event(event)
    who = request.who
    # Only the host may add addresses of its own network.
    near = who.owner is None and await request.services.access.owner(event) is None
    hook, secret = await request.services.webhooks.add(event, data.url, who.name, data.since, near=near)
    made = s.NewWebhook(webhook=fill(s.Webhook, hook, HookState(position=hook.since)), secret=secret)
    return Response(made, status_code=201, headers=NO_STORE)


@delete("/events/{event:str}/webhooks/{id:str}", right="hooks")
async def remove_webhook(request: ApiRequest, event: Id, id: Id) -> None:
    """Remove a webhook."""
    await request.services.webhooks.remove(event, id)


@post("/events/{event:str}/webhooks/{id:str}/replay", right="hooks", status_code=200)
async def replay_webhook(request: ApiRequest, event: Id, id: Id, data: JSONBody[Replay]) -> s.Webhook:
    """Deliver facts again from a position on. This also restarts a webhook that was stopped."""
    return fill(s.Webhook, *await request.services.webhooks.replay(event, id, data.since))


@post("/events/{event:str}/webhooks/{id:str}/test", right="hooks", action="heavy", status_code=200)
async def test_webhook(request: ApiRequest, event: Id, id: Id) -> s.Delivered:
    """Send a test delivery without facts now, and return its result."""
    outcome = await request.services.webhooks.test(event, id)
    return s.Delivered(status=outcome.status, problem=outcome.problem)
