"""Manage webhooks: addresses to which every fact of an event is sent as it is written.

    hooks = WebhookService(store, Post())
    hook, secret = await hooks.add("autumn-cup", "https://league.example/topcut", by="Mara")

Any process may add, remove and replay; one of them delivers (`begin`), and checks every few seconds what the
others have changed.
"""

import asyncio
import logging
import secrets
from contextlib import suppress

import msgspec

from topcut.app.webhooks.delivery import (
    HOOKS,
    REPLAYS,
    Courier,
    Hook,
    HookReplay,
    HookState,
    Ways,
    WebhookRecord,
    find_beginning,
    find_hook,
    list_hooks,
    remove_hook,
    sent,
)
from topcut.app.webhooks.post import DeliveryOutcome, Post, checked
from topcut.errors import BadInput, TopcutError
from topcut.store.interface import Store, StoreError

LOOK = 3.0
"""Seconds between two checks for changes of other processes."""
LIVELY = 200
"""Most recently written events, whose webhooks get facts at once; those of older events wait for the next
check."""
MOST = 20
"""Webhooks of one event, at most, so that one event cannot hold up all deliveries."""


class TooManyHooks(TopcutError):
    """An event has as many webhooks as it may have."""

    def __init__(self, event: str, most: int) -> None:
        self.event = event
        self.most = most
        super().__init__(f"event {event} has {most} webhooks already: remove one first")


class WebhookService:
    """Manage and deliver the webhooks of a database."""

    def __init__(
        self,
        store: Store,
        post: Post,
        ways: Ways | None = None,
        *,
        look: float = LOOK,
        lively: int = LIVELY,
    ) -> None:
        self.store = store
        self._post = post
        self._ways = ways or Ways()
        self._look_every = look
        self._lively = lively
        self._news = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._couriers: dict[str, tuple[str, asyncio.Task[None]]] = {}
        """HookReplay and task of each courier, by the key of its webhook."""

    async def add(
        self, event: str, url: str, by: str, since: int | None = None, *, near: bool = True
    ) -> tuple[Hook, str]:
        """Add a webhook; return it with the secret that signs its deliveries, which is shown only now.

        It gets the facts after `since` (0: all facts; None: new ones only). `near`: whether it may go to this
        machine and its network, where that is allowed at all.
        """
        address = checked(url, self._post.anywhere and near)
        version = await self._position(event, since)
        if len(await self.of(event)) >= MOST:
            raise TooManyHooks(event, MOST)
        begins = await find_beginning(self.store, event) or ""
        made, hook_id = self._ways.clock(), secrets.token_hex(8)
        hook = Hook(
            id=hook_id, event=event, url=address, made=made, by=by, since=version, begins=begins, near=near
        )
        secret = secrets.token_urlsafe(32)
        await self.store.put_value(HOOKS, hook.key, msgspec.json.encode(WebhookRecord(hook, secret)))
        self._news.set()
        return hook, secret

    async def of(self, event: str) -> list[tuple[Hook, HookState]]:
        """Return the webhooks of an event, the oldest first, and how far each is."""
        records = (await list_hooks(self.store, self._ways.clock())).values()
        found = [(record.hook, record.state) for record in records if record.hook.event == event]
        return sorted(found, key=lambda one: (one[0].made, one[0].id))

    async def remove(self, event: str, hook_id: str) -> None:
        """Remove a webhook."""
        await remove_hook(self.store, (await self._find(event, hook_id)).hook)
        self._news.set()

    async def replay(self, event: str, hook_id: str, since: int) -> None:
        """Deliver again, beginning with the fact after `since`, also to a webhook that was given up."""
        hook = (await self._find(event, hook_id)).hook
        replay = HookReplay(secrets.token_hex(8), await self._position(event, since))
        await self.store.put_value(REPLAYS, hook.key, msgspec.json.encode(replay))
        self._news.set()

    async def test(self, event: str, hook_id: str) -> DeliveryOutcome:
        """Send a delivery without facts now; return its outcome."""
        record = await self._find(event, hook_id)
        return await sent(self._post, record, record.state.position, [], self._ways.clock())

    async def _find(self, event: str, hook_id: str) -> WebhookRecord:
        return await find_hook(self.store, event, hook_id, self._ways.clock())

    async def begin(self) -> None:
        """Deliver from now on."""
        self._watch = asyncio.create_task(self._watching())

    async def close(self) -> None:
        """Stop delivering. Deliveries under way may be sent again after the next start."""
        if self._watch is not None:
            await _ended(self._watch)
        await asyncio.gather(*(_ended(task) for _, task in self._couriers.values()))
        self._couriers = {}
        await self._post.close()

    async def _position(self, event: str, since: int | None) -> int:
        """Return a position after checking that the log has it; by default the last one."""
        version = await self.store.read_version(event)
        if since is not None and not 0 <= since <= version:
            raise BadInput(f"expected a position from 0 to {version}", place="since")
        return version if since is None else since

    async def _watching(self) -> None:
        while True:
            self._news.clear()
            try:
                await self._look()
            except StoreError as error:
                logging.getLogger("topcut").warning("webhooks wait for the database: %s", error)
            except Exception:
                logging.getLogger("topcut").exception("webhooks: nobody foresaw this")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._look_every):
                    await self._news.wait()

    async def _look(self) -> None:
        """Run a courier for every wanted webhook, and a new one for every replay."""
        wanted = await self._wanted()
        for key, (replay, task) in list(self._couriers.items()):
            if key not in wanted or wanted[key].state.replay != replay:
                await _ended(task)
                del self._couriers[key]
        for key, record in wanted.items():
            if key not in self._couriers:
                courier = Courier(self.store, self._post, record, self._ways)
                self._couriers[key] = (record.state.replay, asyncio.create_task(courier.run()))

    async def _wanted(self) -> dict[str, WebhookRecord]:
        """Return the webhooks of lively events, and those that lack facts; remove those of removed events."""
        records = await list_hooks(self.store, self._ways.clock())
        events = await self.store.list_events()
        lively = {listed.event for listed in events[: self._lively]}
        versions = {listed.event: listed.version for listed in events}
        wanted = {}
        for key, record in records.items():
            hook, state = record.hook, record.state
            if hook.event not in versions:
                await remove_hook(self.store, hook)
            elif not state.stopped and (hook.event in lively or state.position < versions[hook.event]):
                wanted[key] = record
        return wanted


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
