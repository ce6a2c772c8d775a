"""What do all handlers share? The open events, who may come in, the pages and what is computed for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from litestar import Response
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException

from topcut.desk.access import Access, Session, utc
from topcut.desk.board import Board
from topcut.desk.live import Floor, Live, now_text, played
from topcut.desk.logbook import Logbook
from topcut.desk.pages import AnyRequest, Page, Shelf, Static, Templates, respond
from topcut.desk.streams import Streams
from topcut.desk.views import clock_view, public
from topcut.errors import TopcutError
from topcut.store.model import Store

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
    address: str = ""
    """How people in the hall reach it, for links on screens; empty: as they asked for it."""
    shelf: Shelf = field(default_factory=Shelf)
    streams: Streams = field(default_factory=Streams)
    press: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a sheet is printed."""
    _boards: WeakKeyDictionary[Live, tuple[int, Board]] = field(default_factory=WeakKeyDictionary)
    _ready: WeakKeyDictionary[Live, Board] = field(default_factory=WeakKeyDictionary)
    _logbooks: WeakKeyDictionary[Live, tuple[bool, Logbook]] = field(default_factory=WeakKeyDictionary)

    @classmethod
    def over(cls, store: Store, address: str = "") -> House:
        static = Static()
        house = cls(store, Floor(store), Access(store), static, Templates(static), address)
        house.floor.ahead = house.think_ahead
        return house

    def board(self, live: Live) -> Board:
        """The standings of the rounds that are played, computed once, and the same whether or not a draft is
        there."""
        mark = live.marks["standings"]
        known = self._boards.get(live)
        if known is None or known[0] != mark:
            state = public(live.state)
            known = self._boards[live] = (mark, Board(state, played(state)))
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

    def base(self, request: AnyRequest) -> str:
        """The beginning of a link that works in the hall."""
        return self.address or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"

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
        shown: Callable[[Live, Session], dict[str, Any]],
    ) -> Response[bytes]:
        """A page of the desk, made for whoever came in."""
        session = await self.staff(request, event)
        live = await self.floor.event(event)
        await self.ready(live)
        frame = {
            "session": session,
            "board": self.board(live),
            "clock": clock_view(live.state.round, utc()),
            "calls": len(live.state.questions) + len(live.state.round.disputed if live.state.round else ()),
        }
        page = self.page(live, template, (*follows, *FRAME), frame | shown(live, session))
        return respond(request, page, keep="no-store")

    def logbook(self, live: Live) -> Logbook:
        """The event's log in sentences."""
        known = self._logbooks.get(live)
        if known is None or known[0] != live.state.purged:  # names that are deleted are gone here too
            known = self._logbooks[live] = (live.state.purged, Logbook(live.running.journal))
        return known[1]

    async def staff(self, request: AnyRequest, event: str | None = None) -> Session:
        """Whoever came in, and may do something with this event; None: with all of them."""
        session = await self.access.session(request.cookies)
        if session is None:
            raise NotAuthorizedException("the desk is for those who have a link")
        if event is None and session.event is not None:
            raise PermissionDeniedException("your link opens one event only")
        if event is not None and not session.may(event):
            raise PermissionDeniedException("your link opens another event")
        return session

    async def sends(self, request: AnyRequest, event: str | None = None) -> Session:
        """The same for a command, which must come from one of our own pages."""
        session = await self.staff(request, event)
        if request.headers.get("x-csrf") != session.csrf:
            raise PermissionDeniedException("this page is too old: load it again")
        return session


def hall_address(event: str) -> str:
    return f"/e/{quote(event, safe='')}"


def desk_address(event: str) -> str:
    return f"/desk/{quote(event, safe='')}"
