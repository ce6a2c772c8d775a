"""Make the pages of the hall, and send them to browsers.

Pages are made from public states only, so none shows a round before it is published.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from litestar import Response
from litestar.di import NamedDependency
from litestar.params import FromPath

from topcut.app.clock import now_text
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page
from topcut.app.services import Services, hall_address
from topcut.app.views.leaderboard import EventLeaderboard
from topcut.app.views.visibility import public_state
from topcut.event.state import State
from topcut.rulebook.options import choose_format
from topcut.text.messages import Message, language_in_use, say
from topcut.web.responses import AnyRequest, open_event, render, respond

FRAME = ("event", "posted")
"""The aspects of an event at the top of every page."""


@dataclass(frozen=True)
class Hall:
    """An event as the hall sees it now, for one request."""

    request: AnyRequest
    services: Services
    live: LiveEvent
    state: State

    @property
    def address(self) -> str:
        return hall_address(self.live.event)

    @property
    def board(self) -> EventLeaderboard:
        return self.services.leaderboard(self.live)

    def find_way_back(self, query: Mapping[str, object]) -> str:
        """Return the address of this page, to which a reader comes back who switches the language.

        Readers share pages, so it holds nothing of the request but the path and what selects the page.
        """
        path = "/" + "/".join(filter(None, self.request.scope["path"].split("/")))
        selected = urlencode({name: value for name, value in query.items() if value not in ("", None)})
        return quote(path) + (f"?{selected}" if selected else "")

    def page(
        self,
        template: str,
        follows: Sequence[str],
        shown: dict[str, Any],
        query: Mapping[str, object] | None = None,
    ) -> Page:
        """Make a page from a template."""
        return render(
            template,
            state=self.state,
            hall=self.address,
            pages=pages(self.state),
            follows=" ".join(dict.fromkeys((*FRAME, *follows))),
            version=self.live.version,
            now=now_text(),
            back=self.find_way_back(query or {}),
            **shown,
        )

    def show(
        self,
        template: str,
        follows: Sequence[str],
        shown: Callable[[], dict[str, Any]],
        query: Mapping[str, Hashable] | None = None,
        chosen: tuple[Hashable, ...] = (),
        keep: bool = True,
    ) -> Response[bytes]:
        """Send a page, made once for everybody until one of the aspects it follows changes.

        `query` is the part of the address that selects another page, and `chosen` what else does. `keep` is
        False for pages that few people ask for: they would push the others out of the cache.
        """
        if not keep:
            return respond(self.request, self.page(template, follows, shown(), query))
        name = (self.live.event, template, tuple((query or {}).items()), chosen, language_in_use())
        mark = (self.live.mark((*FRAME, *follows)), id(self.live))
        page = self.services.page_cache.get(name, mark, lambda: self.page(template, follows, shown(), query))
        answer = respond(self.request, page)
        # A browser that follows another process, which opened the event later, would always take it for old.
        answer.headers["x-version"] = str(self.live.version)
        return answer


async def open_hall(request: AnyRequest, event: FromPath[str]) -> Hall:
    services: Services = request.app.state.services  # quicker than by injection
    live = await open_event(request, services, event)
    return Hall(request, services, live, public_state(live.state))


OpenHall = NamedDependency[Hall]


def pages(state: State) -> list[tuple[str, Message]]:
    """Return the pages of an event: address and name."""
    found = [("", say("Now")), ("/pairings", say("Pairings")), ("/standings", say("Standings"))]
    event_format = choose_format(state.book, state.options)
    if "elimination" in event_format or any(a_round.in_bracket for a_round in state.rounds):
        found.append(("/bracket", say("Bracket")))
    elif event_format == "round-robin":
        found.append(("/bracket", say("Schedule")))
    return found
