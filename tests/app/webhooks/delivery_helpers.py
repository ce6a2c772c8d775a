"""Webhooks for tests: somebody delivers, waits without waiting, and what was reached is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.store.store_helpers import EVENT
from tests.timeouts import PATIENCE
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import DeliveryEnvironment, Hook, HookState, WebhookService
from topcut.store import Store

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)


class Time:
    """A clock that only waiting moves; waiting takes no time."""

    def __init__(self) -> None:
        self.now = NOON
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    @property
    def environment(self) -> DeliveryEnvironment:
        """Without chance: each wait is as long as it can be."""
        return DeliveryEnvironment(lambda: self.now, self.sleep, chance=lambda: 1.0, look=0.05)


def facts(first: int, last: int) -> list[bytes]:
    """Lines that say their position."""
    return [b'{"position":%d}' % position for position in range(first, last + 1)]


def told(first: int, last: int) -> list[Any]:
    """The same as receivers read them."""
    return [{"position": position} for position in range(first, last + 1)]


async def append(store: Store, first: int, last: int, event: str = EVENT) -> None:
    await store.append(event, first - 1, facts(first, last))


@asynccontextmanager
async def delivering(
    store: Store, time: Time | None = None, *, within: float = PATIENCE, lively: int = 200
) -> AsyncIterator[WebhookService]:
    """Webhooks of a store, delivered until the end; also to this machine."""
    post = Sender(allow_private=True, within=within)
    environment = replace((time or Time()).environment, lively=lively)
    hooks = WebhookService(store, post, environment)
    await hooks.begin()
    try:
        yield hooks
    finally:
        await hooks.close()


async def state_of(hooks: WebhookService, hook: Hook) -> HookState:
    return {found.id: state for found, state in await hooks.list_hooks(hook.event)}[hook.id]


async def reached(hooks: WebhookService, hook: Hook, position: int) -> HookState:
    """How far a webhook is, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while (state := await state_of(hooks, hook)).position != position:
            await asyncio.sleep(0.01)
    return state


async def stopped(hooks: WebhookService, hook: Hook) -> HookState:
    """How far a webhook is, once it is given up."""
    async with asyncio.timeout(PATIENCE):
        while not (state := await state_of(hooks, hook)).stopped:
            await asyncio.sleep(0.01)
    return state


def without_gaps(deliveries: Sequence[Any]) -> bool:
    """Whether each begins where an earlier one ended, or before that."""
    last = 0
    for delivery in deliveries:
        if delivery["first"] > last + 1:
            return False
        last = max(last, delivery["last"])
    return True
