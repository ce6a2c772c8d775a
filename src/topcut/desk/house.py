"""What do all handlers share? The open events, who may come in, the pages and what is computed for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from litestar import Response
from litestar.exceptions import HTTPException

from topcut.desk.access import Access, utc
from topcut.desk.board import Board
from topcut.desk.brackets import bracket_documents
from topcut.desk.guard import TooMany, who_of
from topcut.desk.hook_post import Post
from topcut.desk.hooks import Hooks
from topcut.desk.limits import Action, Limits
from topcut.desk.live import Floor, Live, now_text, played
from topcut.desk.logbook import Logbook
from topcut.desk.pages import AnyRequest, Page, Shelf, Static, Templates, own_files, respond
from topcut.desk.streams import Streams
from topcut.desk.views import clock_view, public
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.store.model import Store

HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
"""What can stand in a link: a name or an address, and a port."""
FRAME = ("event", "round", "clock", "calls")
"""What every page of the desk shows at its top."""


@dataclass
class House:
    """One server over one database."""

    store: Store
    floor: Floor
    access: Access
    static: Static
    templates: Templates
    address: str
    """How people in the hall reach it, for links on screens; empty: as they asked for it."""
    hooks: Hooks
    chores: bool = True
    """Whether this process does what only one of several may do."""
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = monotonic
    """The seconds that limits count in."""
    shelf: Shelf = field(default_factory=Shelf)
    streams: Streams = field(default_factory=Streams)
    describe: Callable[[], dict[str, Any]] = dict
    """The API, as OpenAPI describes it; worked out when somebody asks."""
    press: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a sheet is printed."""
    _boards: WeakKeyDictionary[Live, tuple[int, Board]] = field(default_factory=WeakKeyDictionary)
    _older: WeakKeyDictionary[Live, tuple[int, dict[int, Board]]] = field(default_factory=WeakKeyDictionary)
    _brackets: WeakKeyDictionary[Live, tuple[int, list[dict[str, Any]]]] = field(
        default_factory=WeakKeyDictionary
    )
    _ready: WeakKeyDictionary[Live, Board] = field(default_factory=WeakKeyDictionary)
    _logbooks: WeakKeyDictionary[Live, dict[bool, tuple[int, Logbook]]] = field(
        default_factory=WeakKeyDictionary
    )

    @classmethod
    def over(cls, store: Store, address: str = "", *, chores: bool = True, anywhere: bool = True) -> House:
        """`anywhere`: whether webhooks may go to addresses of this machine and its network."""
        static, templates = own_files()
        hooks = Hooks(store, Post(anywhere=anywhere))
        house = cls(store, Floor(store), Access(store), static, templates, address, hooks, chores)
        house.floor.ahead = house.think_ahead
        return house

    def within(self, who: str, action: Action) -> None:
        """Refuse whoever asks for more than their share."""
        seconds = self.limits.take(who, action, self.clock())
        if seconds:
            raise TooMany(ceil(seconds))

    def board(self, live: Live) -> Board:
        """The standings of the rounds that are played, computed once, and the same whether or not a draft is
        there."""
        mark = live.marks["standings"]
        known = self._boards.get(live)
        if known is None or known[0] != mark:
            state = public(live.state)
            known = self._boards[live] = (mark, Board(state, played(state)))
        return known[1]

    async def board_after(self, live: Live, rounds: int) -> Board:
        """The standings after so many rounds, computed once too: whoever asks for them again and again costs
        nothing."""
        mark = live.marks["standings"]
        known = self._older.get(live)
        if known is None or known[0] != mark:
            known = self._older[live] = (mark, {})
        async with live.thinking:
            if rounds not in known[1]:
                board = Board(public(live.state), rounds)
                await asyncio.to_thread(getattr, board, "rows" if board.state.players else "rounds")
                known[1][rounds] = board
        return known[1][rounds]

    async def brackets(self, live: Live) -> list[dict[str, Any]]:
        """The brackets as everybody may see them, for programs; computed once."""
        mark = live.mark(("event", "posted", "players", "pairings", "standings", "results"))
        async with live.thinking:
            known = self._brackets.get(live)
            if known is None or known[0] != mark:
                found = await asyncio.to_thread(bracket_documents, public(live.state))
                known = self._brackets[live] = (mark, found)
        return known[1]

    async def ready(self, live: Live) -> None:
        """Wait until points and records are there. They are computed in a thread, once: the loop goes on."""
        while (board := self.board(live)).rounds and self._ready.get(live) is not board:
            async with live.thinking:
                if self._ready.get(live) is not board:
                    with suppress(TopcutError):  # a page that needs them meets it again, and says so
                        await asyncio.to_thread(getattr, board, "scores")
                    self._ready[live] = board

    async def think_ahead(self, live: Live) -> None:
        """Compute standings as soon as they are different, if anybody looks: soon everybody asks for them."""
        if live.streams:
            await self.ready(live)
            await asyncio.sleep(0)  # a page that has waited for points is made first
            board = self.board(live)
            if board.rounds:
                with suppress(TopcutError):
                    await asyncio.to_thread(getattr, board, "rows")

    async def open(self, request: AnyRequest, event: str) -> Live:
        """An event, at least as far as whoever asks has seen it: another process may have told them more."""
        live = await self.floor.event(event)
        seen = request.headers.get("topcut-version", "")
        if seen.isdecimal() and len(seen) < 19:
            await live.catch_up(int(seen))
        return live

    def base(self, request: AnyRequest) -> str:
        """The beginning of a link that works in the hall; as whoever asks names this server, if that can be a
        name."""
        if self.address:
            return self.address
        host = request.headers.get("host", "localhost")
        if not HOST.fullmatch(host):
            raise HTTPException("expected the name of this server in Host", status_code=400)
        return f"{request.scope['scheme']}://{host}"

    def page(self, live: Live, template: str, follows: Sequence[str], shown: dict[str, Any]) -> Page:
        return self.templates.page(
            template,
            live=live,
            state=live.state,
            hall=hall_address(live.event),
            desk=desk_address(live.event),
            follows=" ".join(follows),
            version=live.version,
            now=now_text(),
            **shown,
        )

    async def at_desk(
        self,
        request: AnyRequest,
        event: str,
        template: str,
        follows: Sequence[str],
        shown: Callable[[Live, Who], dict[str, Any]],
    ) -> Response[bytes]:
        """A page of the desk, made for whoever came in."""
        who = who_of(request)
        live = await self.open(request, event)
        await self.ready(live)
        frame = {
            "who": who,
            "board": self.board(live),
            "clock": clock_view(live.state.round, utc()),
            "calls": len(live.state.questions) + len(live.state.round.disputed if live.state.round else ()),
        }
        page = self.page(live, template, (*follows, *FRAME), frame | shown(live, who))
        return respond(request, page, keep="no-store")

    def logbook(self, live: Live, who: Who) -> Logbook:
        """The event's log in sentences, as somebody may read it."""
        journal, people = live.running.journal, who.may("people")
        books = self._logbooks.setdefault(live, {})
        known = books.get(people)
        if known is None or known[0] != journal.lost:  # names that are deleted are gone here too
            known = books[people] = (journal.lost, Logbook(journal, people))
        return known[1]

    async def theirs(self, who: Who, events: Sequence[str]) -> set[str]:
        """Those of the events at whose desk somebody may sit."""
        if not who.may("desk"):
            return set()
        if who.event is not None or who.owner is None:
            return set(events) if who.event is None else {who.event} & set(events)
        return {event for event, owner in (await self.access.owners()).items() if owner == who.owner}


def hall_address(event: str) -> str:
    return f"/e/{quote(event, safe='')}"


def desk_address(event: str) -> str:
    return f"/desk/{quote(event, safe='')}"
