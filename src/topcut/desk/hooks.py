"""Who else hears of an event? Webhooks: addresses that are told every fact as it is written.

    hooks = Hooks(store, Post())
    hook, secret = await hooks.add("autumn-cup", "https://league.example/topcut", by="Mara")

Any process may add, remove and replay; one of them delivers (`begin`), and looks every few seconds what the
others have changed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress

from topcut.desk.hook_address import checked
from topcut.desk.hook_delivery import Courier, Ways, sent
from topcut.desk.hook_post import Outcome, Post
from topcut.desk.hook_records import Hook, HookState, NoSuchHook, Record, Records, beginning
from topcut.errors import BadInput, TopcutError
from topcut.store.model import Store, StoreError

__all__ = ["Hook", "HookState", "Hooks", "NoSuchHook", "Outcome", "Post", "TooManyHooks", "Ways"]

LOOK = 3.0
"""Seconds after which changes of other processes are looked for."""
LIVELY = 200
"""Events that were written to last, whose webhooks hear at once. Those of older events, where hardly anything
happens, hear at the next look."""
MOST = 20
"""Webhooks of one event, at most: nobody can have all deliveries wait for theirs."""


class TooManyHooks(TopcutError):
    """An event has as many webhooks as it may have."""

    def __init__(self, event: str, most: int) -> None:
        self.event = event
        self.most = most
        super().__init__(f"event {event} has {most} webhooks already: remove one first")


class Hooks:
    """The webhooks of a database."""

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
        self._records = Records(store, self._ways.clock)
        self._news = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._couriers: dict[str, tuple[str, asyncio.Task[None]]] = {}
        """By the key of a webhook, with the replay they deliver."""

    async def add(
        self, event: str, url: str, by: str, since: int | None = None, *, near: bool = True
    ) -> tuple[Hook, str]:
        """A new webhook, and the secret its deliveries are signed with, which is shown only now.

        It hears of the facts after `since` (0: of all), or of what comes from now on. `near`: whether whoever
        makes it may have this machine and its network told, where that is allowed at all.
        """
        address = checked(url, self._post.anywhere and near)
        version = await self._position(event, since)
        if len(await self.of(event)) >= MOST:
            raise TooManyHooks(event, MOST)
        begins = await beginning(self.store, event)
        hook = Hook(
            id=secrets.token_hex(8),
            event=event,
            url=address,
            made=self._ways.clock(),
            by=by,
            since=version,
            begins=begins or "",
            near=near,
        )
        secret = secrets.token_urlsafe(32)
        await self._records.add(hook, secret)
        self.wake()
        return hook, secret

    async def of(self, event: str) -> list[tuple[Hook, HookState]]:
        """The webhooks of an event, the oldest first, and how far each is."""
        records = [record for record in (await self._records.all()).values() if record.hook.event == event]
        records.sort(key=lambda record: (record.hook.made, record.hook.id))
        return [(record.hook, record.state) for record in records]

    async def remove(self, event: str, hook_id: str) -> None:
        """A webhook hears no more."""
        await self._records.one(event, hook_id)
        await self._records.remove(event, hook_id)
        self.wake()

    async def replay(self, event: str, hook_id: str, since: int) -> None:
        """Deliver again, beginning with the fact after `since`; also to one that was given up."""
        record = await self._records.one(event, hook_id)
        await self._records.replay(record.hook, secrets.token_hex(8), await self._position(event, since))
        self.wake()

    async def test(self, event: str, hook_id: str) -> Outcome:
        """Send a delivery without facts now, and see what comes of it."""
        record = await self._records.one(event, hook_id)
        return await sent(self._post, record, record.state.position, [], self._ways.clock())

    def wake(self) -> None:
        """Look now what has changed."""
        self._news.set()

    async def begin(self) -> None:
        """Deliver from now on."""
        self._watch = asyncio.create_task(self._watching())

    async def close(self) -> None:
        """Deliver no more. What is under way may come again after the next start."""
        if self._watch is not None:
            await _ended(self._watch)
        await asyncio.gather(*(_ended(task) for _, task in self._couriers.values()))
        self._couriers = {}
        await self._post.close()

    async def _position(self, event: str, since: int | None) -> int:
        """A position that the log of an event has; by default its last one."""
        version = await self.store.version(event)
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
        """A courier for every webhook that may have something to hear, and for every replay a new one."""
        wanted = await self._wanted()
        for key, (replay, task) in list(self._couriers.items()):
            if key not in wanted or wanted[key].state.replay != replay:
                await _ended(task)
                del self._couriers[key]
        for key, record in wanted.items():
            if key not in self._couriers:
                self._couriers[key] = (record.state.replay, self._sent_out(record))

    async def _wanted(self) -> dict[str, Record]:
        """The webhooks of lively events, and those that have not heard everything."""
        records = await self._records.all()
        events = await self.store.events()
        lively = {listed.event for listed in events[: self._lively]}
        versions = {listed.event: listed.version for listed in events}
        wanted = {}
        for key, record in records.items():
            hook, state = record.hook, record.state
            if hook.event not in versions:
                await self._records.remove(hook.event, hook.id)
            elif not state.stopped and (hook.event in lively or state.position < versions[hook.event]):
                wanted[key] = record
        return wanted

    def _sent_out(self, record: Record) -> asyncio.Task[None]:
        courier = Courier(self._records, self._post, record, self._ways)
        return asyncio.create_task(courier.run())


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
