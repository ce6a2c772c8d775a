"""Read a request to the desk of an event, and make the pages with the frame that all of them share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Response
from litestar.di import NamedDependency
from litestar.params import FromPath

from topcut.app.access.identity import Identity
from topcut.app.access.roles import ROLE_NAMES
from topcut.app.clock import now_text, utc_now
from topcut.app.execute import answer_page, execute, find_step
from topcut.app.live_events import LiveEvent
from topcut.app.services import desk_address, hall_address
from topcut.app.views.round_view import find_clock
from topcut.event import facts as f
from topcut.event.commands import AnyCommand
from topcut.event.describe.plan_sentences import describe_plan_with_reasons
from topcut.text.messages import Message, render_isolated
from topcut.web.language import prefer_language_of
from topcut.web.responses import (
    AnyRequest,
    AppServices,
    base_of,
    identity_of,
    open_event,
    page_of,
    render,
    respond,
)

FRAME = ("event", "round", "clock", "calls")
"""The aspects of an event at the top of every page of the desk."""
FOR_GOOD = f.Purged | f.Forgotten | f.Undone | f.Redone
"""Facts of steps that are not offered to be undone."""


@dataclass(frozen=True)
class Desk:
    """A request to the desk of an event."""

    request: AnyRequest
    services: AppServices
    event: FromPath[str]

    @property
    def who(self) -> Identity:
        return identity_of(self.request)

    @property
    def base(self) -> str:
        """The beginning of a link that works in the hall."""
        return base_of(self.request, self.services)

    async def open_event(self) -> LiveEvent:
        live = await self.services.events.open_event(self.event)
        prefer_language_of(self.request, live.state)
        return live

    async def open_for_page(self) -> LiveEvent:
        """Open it at least at the version that the browser has seen, with its standings."""
        live = await open_event(self.request, self.services, self.event)
        prefer_language_of(self.request, live.state)
        return live

    async def execute(
        self, live: LiveEvent, commands: Sequence[AnyCommand], done: str = ""
    ) -> dict[str, Any]:
        """Execute commands, and answer what was done, by default as the log says it, and the step to undo."""
        decisions = await execute(live, self.who, commands)
        answer, step = answer_page(live, decisions), find_step(live.session.log, decisions)
        if step is None:
            return answer
        log = live.session.log
        says = done or self.services.log_view(live, self.who).step(log, step)
        kept = any(isinstance(entry.fact, FOR_GOOD) for entry in log.entries_of(step))
        return answer | {"done": render_isolated(says), "undo": None if kept else step}

    def describe_plan(self, live: LiveEvent) -> list[Message]:
        """Return how divisions play and what is planned, before the first round starts."""
        state = live.state
        progress = self.services.leaderboard(live).progress
        begins = not state.begun and state.players and state.book.divisions is not None
        return describe_plan_with_reasons(progress) if begins else []

    def show(
        self, live: LiveEvent, template: str, follows: Sequence[str], shown: dict[str, Any]
    ) -> Response[bytes]:
        """Send a page of the event, as it is now, to the person who asks."""
        state = live.state
        frame = {
            "back": page_of(self.request),
            "role_names": ROLE_NAMES,
            "live": live,
            "state": state,
            "hall": hall_address(self.event),
            "desk": desk_address(self.event),
            "follows": " ".join((*follows, *FRAME)),
            "version": live.version,
            "now": now_text(),
            "who": self.who,
            "board": self.services.leaderboard(live),
            "clock": find_clock(state, state.round, utc_now()),
            "calls": len(state.questions) + len(state.round.disputed if state.round else ()),
        }
        return respond(self.request, render(template, **frame | shown), keep="no-store")


AtDesk = NamedDependency[Desk]
