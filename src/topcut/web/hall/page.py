"""Make the pages of the hall, and send them to browsers.

Pages are made from public states only, so none shows a round before it is published.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

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
from topcut.text.messages import language_in_use
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

    def page(self, template: str, follows: Sequence[str], shown: dict[str, Any]) -> Page:
        """Make a page from a template."""
        return render(
            template,
            state=self.state,
            hall=self.address,
            pages=pages(self.state),
            follows=" ".join(dict.fromkeys((*FRAME, *follows))),
            version=self.live.version,
            now=now_text(),
            **shown,
        )

    def show(
        self,
        template: str,
        follows: Sequence[str],
        shown: Callable[[], dict[str, Any]],
        chosen: tuple[Hashable, ...] = (),
        keep: bool = True,
    ) -> Response[bytes]:
        """Send a page, made once for everybody until one of the aspects it follows changes.

        `chosen` is the part of the request that selects another page. `keep` is False for pages that few
        people ask for: they would push the others out of the cache.
        """
        if not keep:
            return respond(self.request, self.page(template, follows, shown()))
        name = (self.live.event, template, chosen, language_in_use())
        mark = (self.live.mark((*FRAME, *follows)), id(self.live))
        page = self.services.page_cache.get(name, mark, lambda: self.page(template, follows, shown()))
        answer = respond(self.request, page)
        # A browser that follows another process, which opened the event later, would always take it for old.
        answer.headers["x-version"] = str(self.live.version)
        return answer


async def open_hall(request: AnyRequest, event: FromPath[str]) -> Hall:
    services: Services = request.app.state.services  # quicker than by injection
    live = await open_event(request, services, event)
    return Hall(request, services, live, public_state(live.state))


OpenHall = NamedDependency[Hall]


def pages(state: State) -> list[tuple[str, str]]:
    """Return the pages of an event: address and name."""
    found = [("", "Now"), ("/pairings", "Pairings"), ("/standings", "Standings")]
    event_format = choose_format(state.book, state.options)
    if "elimination" in event_format or any(a_round.in_bracket for a_round in state.rounds):
        found.append(("/bracket", "Bracket"))
    elif event_format == "round-robin":
        found.append(("/bracket", "Schedule"))
    return found
