"""A page of the hall: what everybody may know of an event, and how it comes to the browser.

Nothing here sees a round before it is published: pages are made from `public` states only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Response

from topcut.desk.board import Board
from topcut.desk.house import House, hall_address
from topcut.desk.live import Live, now_text
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.views import public
from topcut.event.state import State
from topcut.rulebook.options import format_of

FRAME = ("event", "posted")
"""What every page shows at its top."""


@dataclass(frozen=True)
class Hall:
    """An event, as the hall sees it now."""

    house: House
    live: Live
    state: State

    @classmethod
    async def open(cls, house: House, event: str, request: AnyRequest | None = None) -> Hall:
        """`request`: whoever asks sees no less than they have seen before."""
        live = await (house.floor.event(event) if request is None else house.open(request, event))
        await house.ready(live)
        return cls(house, live, public(live.state))

    @property
    def address(self) -> str:
        return hall_address(self.live.event)

    @property
    def board(self) -> Board:
        """The standings."""
        return self.house.board(self.live)

    def page(self, template: str, follows: Sequence[str], shown: dict[str, Any]) -> Page:
        """A page from a template."""
        follows = tuple(dict.fromkeys((*FRAME, *follows)))
        return self.house.templates.page(
            template,
            state=self.state,
            hall=self.address,
            pages=pages(self.state),
            follows=" ".join(follows),
            version=self.live.version,
            now=now_text(),
            **shown,
        )

    def show(
        self,
        request: AnyRequest,
        template: str,
        follows: Sequence[str],
        shown: Callable[[], dict[str, Any]],
        chosen: tuple[Hashable, ...] = (),
        keep: bool = True,
    ) -> Response[bytes]:
        """A page, made once for everybody until one of the aspects it follows is different.

        `chosen` is all that makes it another page, as it was understood: whatever else stands in a request
        are nobody's inventions but its sender's. `keep` is False for pages that hardly two people ask for:
        they would push the others off the shelf.
        """
        if not keep:
            return respond(request, self.page(template, follows, shown()))
        name = (self.live.event, template, chosen)
        mark = (self.live.mark((*FRAME, *follows)), id(self.live))
        shelf = self.house.shelf
        page = shelf.find(name, mark) or shelf.put(name, mark, self.page(template, follows, shown()))
        answer = respond(request, page)
        # Who follows at another process, which opened the event later, would take it for too old for ever.
        answer.headers["x-version"] = str(self.live.version)
        return answer


def pages(state: State) -> list[tuple[str, str]]:
    """The pages of an event: address and name."""
    found = [("", "Now"), ("/pairings", "Pairings"), ("/standings", "Standings")]
    event_format = format_of(state.book, state.options)
    if "elimination" in event_format or any(a_round.stage == "elimination" for a_round in state.rounds):
        found.append(("/bracket", "Bracket"))
    elif event_format == "round-robin":
        found.append(("/bracket", "Schedule"))
    return found
