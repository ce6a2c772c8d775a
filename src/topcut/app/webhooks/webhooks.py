"""Manage webhooks: every fact of an event is sent to them, in order and at least once.

    hooks = WebhookService(store, Sender())
    hook, secret = await hooks.add("autumn-cup", "https://league.example/topcut", by="Mara")

Any process may add, remove and replay; one of them delivers (`begin`), and checks every few seconds what the
others have changed. Staff write webhooks and replays, and the delivering process writes how far they are: so
no process overwrites what another has just written.

Each webhook has a courier. It sends new facts, a batch at a time, and goes on only when the receiver has
taken the batch and that is written down. After a crash or a lost answer a batch may come twice, but nothing
is left out.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import random
from urllib.parse import quote

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from topcut.app.clock import utc_now
from topcut.app.webhooks.post import DeliveryOutcome, Sender, check_webhook_address
from topcut.client.webhook_signature import headers
from topcut.errors import BadInput, TopcutError
from topcut.event.log_chain import digest
from topcut.store.interface import NoSuchEvent, Store, StoreError
from topcut.text.message_json import decode_message, encode_message, write_json
from topcut.text.messages import Message, say, to_message

HOOKS, STATES, REPLAYS = "hook", "hook state", "hook replay"
FACTS = 100
"""Facts in one delivery, at most."""
BYTES = 1_000_000
"""Bytes of facts in one delivery, at most, unless a single fact is larger, such as a large pairing."""
LONGEST_WAIT = 600.0
"""Seconds between one try and the next, at most."""
GIVE_UP = timedelta(days=3)
FEWEST = 100
"""Tries, at least, before a webhook is given up: a laptop that was closed for three days has not tried."""
_PAUSE = 5.0
"""Seconds before a database that does not answer is asked again."""
LOOK = 3.0
"""Seconds between two checks for changes of other processes."""
LIVELY = 200
"""Most recently written events, whose webhooks get facts at once; those of older events wait for the next
check."""
MOST = 20
"""Webhooks of one event, at most, so that one event cannot hold up all deliveries."""


class NoSuchHook(TopcutError):
    """An event has no webhook of this id."""

    def __init__(self, event: str, hook_id: str) -> None:
        self.event, self.id = event, hook_id
        super().__init__(say('Event {event} has no webhook "{id}".', event=event, id=hook_id))


class TooManyHooks(TopcutError):
    """An event has as many webhooks as it may have."""

    def __init__(self, event: str, most: int) -> None:
        self.event, self.most = event, most
        super().__init__(
            say("Event {event} already has {most} webhooks. Remove one first.", event=event, most=most)
        )


class Hook(Struct, frozen=True, kw_only=True):
    """Describe a webhook: an address to which every fact of an event is sent."""

    id: str
    event: str
    url: str
    made: datetime
    by: str
    since: int
    """The position of the fact after which it begins."""
    begins: str
    """The digest of the event's first fact: an event that has the same id later is another."""
    near: bool = False
    """Whether it may go to this machine and its network, where that is allowed at all."""

    @property
    def key(self) -> str:
        """The key among the values of a database."""
        return f"{self.event}/{self.id}"


class HookState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Describe how far a webhook is."""

    position: int
    """The last fact that was taken."""
    failing_since: datetime | None = None
    tries: int = 0
    """Failed tries to send the next facts."""
    last_error: Message = Message("")
    stopped: bool = False
    """Whether it was given up; a replay starts it again."""
    replay: str = ""
    """The replay this belongs to; empty: none."""


class HookReplay(Struct, frozen=True):
    """A webhook begins again after `since`."""

    id: str
    since: int


class WebhookRecord(Struct, frozen=True, omit_defaults=True):
    """Hold a webhook with its secret and its state."""

    hook: Hook
    secret: str
    """The key that signs its deliveries."""
    state: HookState = HookState(position=0)
    """Is not stored with it."""


async def list_hooks(store: Store, now: datetime) -> dict[str, WebhookRecord]:
    """Return every webhook by its key; delete what is left of removed ones."""
    # Webhooks are read last: the state of one that is made meanwhile is then never taken for a remainder.
    states = await store.list_values(STATES, now)
    replays = await store.list_values(REPLAYS, now)
    hooks = await store.list_values(HOOKS, now)
    for space, there in ((STATES, states), (REPLAYS, replays)):
        for key in there.keys() - hooks.keys():
            await store.delete_value(space, key)
    return {key: _read_record(raw, replays.get(key), states.get(key)) for key, raw in hooks.items()}


def _read_record(raw: bytes, replay: bytes | None, state: bytes | None) -> WebhookRecord:
    record = msgspec.json.decode(raw, type=WebhookRecord)
    begin = HookReplay("", record.hook.since)
    if replay is not None:
        begin = msgspec.json.decode(replay, type=HookReplay)
    reached = None if state is None else msgspec.json.decode(state, type=HookState, dec_hook=decode_message)
    if reached is None or reached.replay != begin.id:  # the courier has not noticed the replay yet
        reached = HookState(position=begin.since, replay=begin.id)
    return replace(record, state=reached)


async def remove_hook(store: Store, hook: Hook) -> None:
    """Delete a webhook if it exists."""
    for space in (HOOKS, REPLAYS, STATES):
        await store.delete_value(space, hook.key)


async def find_beginning(store: Store, event: str) -> str | None:
    """Return the digest of an event's first fact, which identifies it; None if the store is being closed."""
    lines = await anext(store.follow(event, 0), None)
    return None if lines is None else digest(lines[0])


@dataclass(frozen=True)
class DeliveryEnvironment:
    """Hold what tests replace: clock, pause, chance (a number from 0 to 1), `LOOK` and `LIVELY`."""

    clock: Callable[[], datetime] = utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random
    look: float = LOOK
    lively: int = LIVELY


REAL = DeliveryEnvironment()


class WebhookService:
    """Manage and deliver the webhooks of a database."""

    def __init__(self, store: Store, post: Sender, environment: DeliveryEnvironment = REAL) -> None:
        self.store = store
        self._post = post
        self._environment = environment
        self._news = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._couriers: dict[str, tuple[str, asyncio.Task[None]]] = {}
        """Replay and task of each courier, by the key of its webhook."""

    async def add(
        self, event: str, url: str, by: str, since: int | None = None, *, near: bool = True
    ) -> tuple[Hook, str]:
        """Add a webhook; return it with the secret that signs its deliveries, which is shown only now.

        It gets the facts after `since` (0: all facts; None: new ones only). `near`: whether it may go to this
        machine and its network, where that is allowed at all.
        """
        address = check_webhook_address(url, self._post.allow_private and near)
        version = await self._position(event, since)
        if len(await self.list_hooks(event)) >= MOST:
            raise TooManyHooks(event, MOST)
        begins = await find_beginning(self.store, event) or ""
        made, hook_id = self._environment.clock(), secrets.token_hex(8)
        hook = Hook(
            id=hook_id, event=event, url=address, made=made, by=by, since=version, begins=begins, near=near
        )
        secret = secrets.token_urlsafe(32)
        await self.store.put_value(HOOKS, hook.key, msgspec.json.encode(WebhookRecord(hook, secret)))
        self._news.set()
        return hook, secret

    async def list_hooks(self, event: str) -> list[tuple[Hook, HookState]]:
        """Return the webhooks of an event, the oldest first, and how far each is."""
        records = (await list_hooks(self.store, self._environment.clock())).values()
        found = [(record.hook, record.state) for record in records if record.hook.event == event]
        return sorted(found, key=lambda one: (one[0].made, one[0].id))

    async def remove(self, event: str, hook_id: str) -> None:
        await remove_hook(self.store, (await self._find(event, hook_id)).hook)
        self._news.set()

    async def replay(self, event: str, hook_id: str, since: int) -> tuple[Hook, HookState]:
        """Deliver again, beginning with the fact after `since`, also to a webhook that was given up."""
        hook = (await self._find(event, hook_id)).hook
        replay = HookReplay(secrets.token_hex(8), await self._position(event, since))
        await self.store.put_value(REPLAYS, hook.key, msgspec.json.encode(replay))
        self._news.set()
        return hook, HookState(position=replay.since, replay=replay.id)

    async def test(self, event: str, hook_id: str) -> DeliveryOutcome:
        """Send a delivery without facts now; return its outcome."""
        record = await self._find(event, hook_id)
        return await send_delivery(self._post, record, record.state.position, [], self._environment.clock())

    async def _find(self, event: str, hook_id: str) -> WebhookRecord:
        key, now = f"{event}/{hook_id}", self._environment.clock()
        state, replay, raw = [
            await self.store.get_value(space, key, now) for space in (STATES, REPLAYS, HOOKS)
        ]
        if raw is None:
            raise NoSuchHook(event, hook_id)
        return _read_record(raw, replay, state)

    async def begin(self) -> None:
        """Deliver from now on."""
        self._watch = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Stop delivering. Deliveries under way may be sent again after the next start."""
        if self._watch is not None:
            await _cancel(self._watch)
        await asyncio.gather(*(_cancel(task) for _, task in self._couriers.values()))
        self._couriers = {}
        await self._post.close()

    async def _position(self, event: str, since: int | None) -> int:
        """Return a position after checking that the log has it; by default the last one."""
        version = await self.store.read_version(event)
        if since is not None and not 0 <= since <= version:
            raise BadInput(say("expected a position from 0 to {version}", version=version), place="since")
        return version if since is None else since

    async def _keep_looking(self) -> None:
        while True:
            self._news.clear()
            try:
                await self._look()
            except StoreError as error:
                logging.getLogger("topcut").warning("webhooks wait for the database: %s", error)
            except Exception:
                logging.getLogger("topcut").exception("webhooks: nobody foresaw this")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._environment.look):
                    await self._news.wait()

    async def _look(self) -> None:
        """Run a courier for every wanted webhook, and a new one for every replay."""
        wanted = await self._find_wanted()
        for key, (replay, task) in list(self._couriers.items()):
            if key not in wanted or wanted[key].state.replay != replay:
                await _cancel(task)
                del self._couriers[key]
        for key, record in wanted.items():
            if key not in self._couriers:
                courier = _Courier(self.store, self._post, record, self._environment)
                self._couriers[key] = (record.state.replay, asyncio.create_task(courier.run()))

    async def _find_wanted(self) -> dict[str, WebhookRecord]:
        """Return the webhooks of lively events, and those that lack facts; remove those of removed events."""
        records = await list_hooks(self.store, self._environment.clock())
        events = await self.store.list_events()
        lively = {listed.event for listed in events[: self._environment.lively]}
        versions = {listed.event: listed.version for listed in events}
        wanted = {}
        for key, record in records.items():
            hook, state = record.hook, record.state
            if hook.event not in versions:
                await remove_hook(self.store, hook)
            elif not state.stopped and (hook.event in lively or state.position < versions[hook.event]):
                wanted[key] = record
        return wanted


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


class _Courier:
    """Deliver to one webhook."""

    def __init__(
        self, store: Store, post: Sender, record: WebhookRecord, environment: DeliveryEnvironment
    ) -> None:
        self.state = record.state
        self._store, self._post, self._environment = store, post, environment
        self._record, self._hook = record, record.hook

    async def run(self) -> None:
        """Deliver until the webhook is given up, its event is removed, or the store is closed."""
        while not self.state.stopped:
            try:
                await self._follow()
                return
            except StoreError as error:
                self._log("waits for the database: %s", error)
            except Exception:
                logging.getLogger("topcut").exception("webhook %s: nobody foresaw this", self._hook.id)
            await self._environment.sleep(_PAUSE)

    async def _follow(self) -> None:
        event = self._hook.event
        try:
            begins = await find_beginning(self._store, event)
            if begins is None:
                return
            # A log is shorter than before if its event was removed and an older copy put back.
            if begins != self._hook.begins or await self._store.read_version(event) < self.state.position:
                raise NoSuchEvent("", event)
            async for lines in self._store.follow(event, self.state.position):
                for batch in batches(lines):
                    await self._insist(batch)
                    if self.state.stopped:
                        return
        except NoSuchEvent:
            await remove_hook(self._store, self._hook)

    async def _insist(self, batch: Sequence[bytes]) -> None:
        """Send a batch until it is taken or the webhook is given up."""
        after, last = self.state.position, self.state.position + len(batch)
        while not self.state.stopped:
            outcome = await send_delivery(self._post, self._record, after, batch, self._environment.clock())
            if not outcome.problem:
                self.state = HookState(position=last, replay=self.state.replay)
                await self._keep()
                return
            self.state = record_failure(self.state, outcome, self._environment.clock())
            await self._keep()
            if self.state.stopped:
                self._log("is given up: %s", outcome.problem)
            else:
                await self._environment.sleep(compute_delay(self.state.tries, self._environment.chance()))

    async def _keep(self) -> None:
        """Write down how far the webhook is, however long that takes, so that no batch is sent again."""
        while True:
            try:
                reached = msgspec.json.encode(self.state, enc_hook=encode_message)
                return await self._store.put_value(STATES, self._hook.key, reached)
            except StoreError as error:
                self._log("waits for the database: %s", error)
            await self._environment.sleep(_PAUSE)

    def _log(self, says: str, what: object) -> None:
        """Log a warning without the address: a person who knows it may be able to write there."""
        place = f"webhook {self._hook.id} of event {self._hook.event}"
        logging.getLogger("topcut").warning("%s " + says, place, what)


async def send_delivery(
    post: Sender, record: WebhookRecord, after: int, facts: Sequence[bytes], now: datetime
) -> DeliveryOutcome:
    """Send one delivery with the facts after a position, or with none as a test; return its outcome."""
    hook, first, last = record.hook, after + 1, after + len(facts)
    raw = [Raw(fact) for fact in facts]
    delivery = {"event": hook.event, "hook": hook.id, "first": first, "last": last, "facts": raw}
    body = write_json(delivery)
    name = f"{quote(hook.event, safe='')}/{first}-{last}"
    signed = headers(record.secret, name, body, now.timestamp())
    return await post.send(hook.url, signed, body, near=hook.near)


def batches(lines: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield facts in order, in batches as large as one delivery may be.

    >>> [len(batch) for batch in batches([b"{}"] * 250)]
    [100, 100, 50]
    """
    batch: list[bytes] = []
    size = 0
    for line in lines:
        if batch and (len(batch) == FACTS or size + len(line) > BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def record_failure(state: HookState, outcome: DeliveryOutcome, now: datetime) -> HookState:
    """Return the state of a webhook after one more failed try."""
    since, tries = state.failing_since or now, state.tries + 1
    stopped = outcome.gone or (now - since >= GIVE_UP and tries >= FEWEST)
    return replace(
        state, failing_since=since, tries=tries, last_error=to_message(outcome.problem), stopped=stopped
    )


def compute_delay(tries: int, chance: float) -> float:
    """Return the seconds before the next try after failed tries; chance keeps webhooks from trying together.

    >>> [compute_delay(tries, chance=1.0) for tries in (1, 2, 3, 10, 11, 500)]
    [1.0, 2.0, 4.0, 512.0, 600.0, 600.0]
    """
    return min(2.0 ** min(tries - 1, 10), LONGEST_WAIT) * (1 + chance) / 2
