"""What is kept of webhooks? Who wants to hear of which event, how far they are, and what staff asked for.

Staff write the first and the last, and whoever delivers writes the second: nobody overwrites what another
process has just written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from msgspec import Struct

from topcut.errors import TopcutError
from topcut.event.log import digest
from topcut.store.model import Store

HOOKS, STATES, REPLAYS = "hook", "hook state", "hook replay"


class Hook(Struct, frozen=True, kw_only=True):
    """An address that is told every fact of an event."""

    id: str
    event: str
    url: str
    made: datetime
    by: str
    since: int
    """It begins with the fact after this one."""
    begins: str
    """The digest of the event's first fact: an event that has the same id later is another."""
    near: bool = False
    """Whether it may go to this machine and its network, where that is allowed at all."""


class HookState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a webhook is."""

    position: int
    """The last fact that was taken."""
    failing_since: datetime | None = None
    tries: int = 0
    """How often the next facts were sent in vain."""
    last_error: str = ""
    stopped: bool = False
    """Whether it was given up; a replay starts it again."""
    replay: str = ""
    """Which replay this belongs to; empty: none."""


class NoSuchHook(TopcutError):
    """A webhook that an event does not have."""

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
class Record:
    """All about one webhook."""

    hook: Hook
    secret: str
    """What its deliveries are signed with."""
    state: HookState


class Records:
    """The webhooks of all events of a database."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self.store = store
        self._clock = clock

    async def all(self) -> dict[str, Record]:
        """Every webhook, by a key of its own; what is left of removed ones is deleted in passing."""
        now = self._clock()
        # In this order: of a webhook that is made meanwhile nothing but itself is there too early.
        states = await self.store.all_kept(STATES, now)
        replays = await self.store.all_kept(REPLAYS, now)
        hooks = await self.store.all_kept(HOOKS, now)
        for space, there in ((STATES, states), (REPLAYS, replays)):
            for key in there.keys() - hooks.keys():
                await self.store.unkeep(space, key)
        return {key: _record(raw, replays.get(key), states.get(key)) for key, raw in hooks.items()}

    async def one(self, event: str, hook_id: str) -> Record:
        """One of an event's webhooks."""
        now, key = self._clock(), _key(event, hook_id)
        state = await self.store.kept(STATES, key, now)
        replay = await self.store.kept(REPLAYS, key, now)
        raw = await self.store.kept(HOOKS, key, now)
        if raw is None:
            raise NoSuchHook(event, hook_id)
        return _record(raw, replay, state)

    async def add(self, hook: Hook, secret: str) -> None:
        """Keeps a new webhook."""
        await self.store.keep(HOOKS, _key(hook.event, hook.id), msgspec.json.encode(_Kept(hook, secret)))

    async def replay(self, hook: Hook, replay: str, since: int) -> None:
        """Keeps that it shall begin again."""
        await self.store.keep(REPLAYS, _key(hook.event, hook.id), msgspec.json.encode(_Replay(replay, since)))

    async def reached(self, hook: Hook, state: HookState) -> None:
        """Keeps how far it is."""
        await self.store.keep(STATES, _key(hook.event, hook.id), msgspec.json.encode(state))

    async def remove(self, event: str, hook_id: str) -> None:
        """Deletes a webhook; one that is not there does no harm."""
        for space in (HOOKS, REPLAYS, STATES):
            await self.store.unkeep(space, _key(event, hook_id))


async def beginning(store: Store, event: str) -> str | None:
    """What tells an event from all others; None if the store is being closed."""
    lines = await anext(store.follow(event, 0), None)
    return None if lines is None else digest(lines[0])


def _key(event: str, hook_id: str) -> str:
    return f"{event}/{hook_id}"


def _record(raw: bytes, replay: bytes | None, state: bytes | None) -> Record:
    kept = msgspec.json.decode(raw, type=_Kept)
    begin = _Replay("", kept.hook.since) if replay is None else msgspec.json.decode(replay, type=_Replay)
    reached = None if state is None else msgspec.json.decode(state, type=HookState)
    if reached is None or reached.replay != begin.id:  # whoever delivers has not noticed it yet
        reached = HookState(position=begin.since, replay=begin.id)
    return Record(kept.hook, kept.secret, reached)
