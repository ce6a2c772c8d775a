"""Keep webhooks, how far each of them is, and the replays that staff asked for.

Staff write webhooks and replays, and the delivering process writes how far they are: so no process
overwrites what another has just written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError
from topcut.event.log_chain import digest
from topcut.store.interface import Store

HOOKS, STATES, REPLAYS = "hook", "hook state", "hook replay"


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


class HookState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Describe how far a webhook is."""

    position: int
    """The last fact that was taken."""
    failing_since: datetime | None = None
    tries: int = 0
    """Failed tries to send the next facts."""
    last_error: str = ""
    stopped: bool = False
    """Whether it was given up; a replay starts it again."""
    replay: str = ""
    """The replay this belongs to; empty: none."""


class NoSuchHook(TopcutError):
    """An event has no webhook of this id."""

    def __init__(self, event: str, hook_id: str) -> None:
        self.event = event
        self.id = hook_id
        super().__init__(f'event {event} has no webhook "{hook_id}"')


class _Kept(Struct, frozen=True):
    hook: Hook
    secret: str


class _Replay(Struct, frozen=True):
    id: str
    since: int


@dataclass(frozen=True)
class WebhookRecord:
    """Hold a webhook with its secret and its state."""

    hook: Hook
    secret: str
    """The key that signs its deliveries."""
    state: HookState


class Records:
    """Store the webhooks of all events of a database."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self.store = store
        self._clock = clock

    async def all(self) -> dict[str, WebhookRecord]:
        """Return every webhook by its key; delete what is left of removed ones."""
        now = self._clock()
        # Webhooks are read last: the state of one that is made meanwhile is then never taken for a remainder.
        states = await self.store.list_values(STATES, now)
        replays = await self.store.list_values(REPLAYS, now)
        hooks = await self.store.list_values(HOOKS, now)
        for space, there in ((STATES, states), (REPLAYS, replays)):
            for key in there.keys() - hooks.keys():
                await self.store.delete_value(space, key)
        return {key: _record(raw, replays.get(key), states.get(key)) for key, raw in hooks.items()}

    async def one(self, event: str, hook_id: str) -> WebhookRecord:
        """Return one webhook of an event."""
        now, key = self._clock(), _key(event, hook_id)
        state = await self.store.get_value(STATES, key, now)
        replay = await self.store.get_value(REPLAYS, key, now)
        raw = await self.store.get_value(HOOKS, key, now)
        if raw is None:
            raise NoSuchHook(event, hook_id)
        return _record(raw, replay, state)

    async def add(self, hook: Hook, secret: str) -> None:
        """Store a new webhook."""
        await self.store.put_value(HOOKS, _key(hook.event, hook.id), msgspec.json.encode(_Kept(hook, secret)))

    async def replay(self, hook: Hook, replay: str, since: int) -> None:
        """Store a replay: the webhook begins again after `since`."""
        await self.store.put_value(
            REPLAYS, _key(hook.event, hook.id), msgspec.json.encode(_Replay(replay, since))
        )

    async def reached(self, hook: Hook, state: HookState) -> None:
        """Store how far a webhook is."""
        await self.store.put_value(STATES, _key(hook.event, hook.id), msgspec.json.encode(state))

    async def remove(self, event: str, hook_id: str) -> None:
        """Delete a webhook if it exists."""
        for space in (HOOKS, REPLAYS, STATES):
            await self.store.delete_value(space, _key(event, hook_id))


async def beginning(store: Store, event: str) -> str | None:
    """Return the digest of an event's first fact, which identifies it; None if the store is being closed."""
    lines = await anext(store.follow(event, 0), None)
    return None if lines is None else digest(lines[0])


def _key(event: str, hook_id: str) -> str:
    return f"{event}/{hook_id}"


def _record(raw: bytes, replay: bytes | None, state: bytes | None) -> WebhookRecord:
    kept = msgspec.json.decode(raw, type=_Kept)
    begin = _Replay("", kept.hook.since) if replay is None else msgspec.json.decode(replay, type=_Replay)
    reached = None if state is None else msgspec.json.decode(state, type=HookState)
    if reached is None or reached.replay != begin.id:  # the courier has not noticed the replay yet
        reached = HookState(position=begin.since, replay=begin.id)
    return WebhookRecord(kept.hook, kept.secret, reached)
