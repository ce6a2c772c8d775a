"""Share what every use case needs: open events, access, limits, and values computed once for all readers."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import Any
from urllib.parse import quote

from topcut.app.access.access import Access
from topcut.app.access.identity import Identity
from topcut.app.limits import Action, Limits, StreamLimits, TooMany
from topcut.app.live_events import LiveEvent, LiveEvents
from topcut.app.page_cache import PageCache
from topcut.app.views.leaderboard import EventLeaderboard, bracket_documents
from topcut.app.views.log_view import LogView
from topcut.app.views.visibility import count_played_rounds, public_state
from topcut.app.webhooks.post import Sender
from topcut.app.webhooks.webhooks import WebhookService
from topcut.errors import TopcutError
from topcut.store.interface import Store
from topcut.text.messages import say

HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
"""A name or an address, and a port, that may become part of a link."""


class NotHere(TopcutError):
    """The address names something that does not exist, or not for the sender of the request."""


class BadRequest(TopcutError):
    """The request itself cannot be read, such as a header."""


@dataclass
class Services:
    """Hold the services of one database."""

    store: Store
    events: LiveEvents
    access: Access
    address: str
    """The address of the server for links on screens in the hall; empty: as the browser names it."""
    webhooks: WebhookService
    chores: bool = True
    """Whether this process does the work that only one of several may do."""
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = monotonic
    """The seconds that limits count in."""
    page_cache: PageCache = field(default_factory=PageCache)
    streams: StreamLimits = field(default_factory=StreamLimits)
    describe_api: Callable[[], dict[str, Any]] = dict
    """Return the OpenAPI document; the server sets it once all addresses are known."""
    print_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a sheet is set: one at a time, so that pages of the hall are not slowed down."""

    @classmethod
    def over(
        cls, store: Store, address: str = "", *, chores: bool = True, allow_private: bool = True
    ) -> "Services":
        """Build the services of an open store.

        `allow_private`: whether webhooks may go to addresses of this machine and its network.
        """
        webhooks = WebhookService(store, Sender(allow_private=allow_private))
        services = cls(store, LiveEvents(store), Access(store), address, webhooks, chores)
        services.events.ahead = services.compute_ahead
        return services

    def limit(self, key: str, action: Action) -> None:
        """Count an action; refuse it if its sender has used up their share."""
        seconds = self.limits.take(key, action, self.clock())
        if seconds:
            raise TooMany(ceil(seconds))

    async def open(self, event: str, seen: str = "") -> LiveEvent:
        """Open an event, at least at the version that the client has seen from another process."""
        live = await self.events.open_event(event)
        if seen.isdecimal() and len(seen) < 19:
            await live.catch_up(int(seen))
        return live

    def base_address(self, scheme: str, host: str) -> str:
        """Return the beginning of a link that works in the hall."""
        if self.address:
            return self.address
        if not HOST.fullmatch(host):
            raise BadRequest(say("Expected the name of this server in the header Host."))
        return f"{scheme}://{host}"

    # Values that are computed once for all readers

    def leaderboard(self, live: LiveEvent) -> EventLeaderboard:
        """Return the standings of the rounds that are played; a draft makes no difference."""

        def compute() -> EventLeaderboard:
            state = public_state(live.state)
            return EventLeaderboard(state, count_played_rounds(state))

        return live.keep("leaderboard", live.marks["standings"], compute)

    async def leaderboard_after(self, live: LiveEvent, rounds: int) -> EventLeaderboard:
        """Return the standings after a number of rounds, computed once too."""
        boards: dict[int, EventLeaderboard] = live.keep("leaderboards", live.marks["standings"], dict)
        async with live.computing:
            if rounds not in boards:
                board = EventLeaderboard(public_state(live.state), rounds)
                await asyncio.to_thread(getattr, board, "rows" if board.state.players else "rounds")
                boards[rounds] = board
        return boards[rounds]

    async def brackets(self, live: LiveEvent) -> list[dict[str, Any]]:
        """Return the public brackets, for programs."""
        mark = live.mark(("event", "posted", "players", "pairings", "standings", "results"))
        found: list[list[dict[str, Any]]] = live.keep("brackets", mark, list)
        async with live.computing:
            if not found:
                found.append(await asyncio.to_thread(bracket_documents, public_state(live.state)))
        return found[0]

    async def wait_until_ready(self, live: LiveEvent) -> None:
        """Compute points and records once, in a thread, so that the event loop goes on."""
        while (board := self.leaderboard(live)).rounds and not board.ready:
            async with live.computing:
                if not board.ready:
                    with suppress(TopcutError):  # a page that needs them gets the error again, and shows it
                        await asyncio.to_thread(getattr, board, "scores")
                    board.ready = True

    async def compute_ahead(self, live: LiveEvent) -> None:
        """Compute standings as soon as they change, if the event has followers, who will ask for them."""
        if live.streams:
            await self.wait_until_ready(live)
            await asyncio.sleep(0)  # pages that wait for points are made first
            board = self.leaderboard(live)
            if board.rounds:
                with suppress(TopcutError):
                    await asyncio.to_thread(getattr, board, "rows")

    def log_view(self, live: LiveEvent, who: Identity) -> LogView:
        """Return the event's log in sentences, with the names that this person may read."""
        log, people = live.session.log, who.may("people")
        return live.keep(f"log {people}", log.last_deletion, lambda: LogView(log, people))

    async def events_of(self, who: Identity, events: Sequence[str]) -> set[str]:
        """Return the events whose desk a person may open."""
        if not who.may("desk"):
            return set()
        if who.event is not None or who.owner is None:
            return set(events) if who.event is None else {who.event} & set(events)
        return {event for event, owner in (await self.access.owners()).items() if owner == who.owner}


def hall_address(event: str) -> str:
    return f"/e/{quote(event, safe='')}"


def desk_address(event: str) -> str:
    return f"/desk/{quote(event, safe='')}"
