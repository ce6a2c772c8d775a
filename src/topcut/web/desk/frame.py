"""Make the pages of the desk, with the frame that all of them share."""

from collections.abc import Callable, Sequence
from typing import Any

from litestar import Response

from topcut.app.access.identity import Identity
from topcut.app.clock import now_text, utc_now
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services, desk_address, hall_address
from topcut.app.views.round_view import clock_view
from topcut.web.responses import AnyRequest, identity_of, open_event, render, respond

FRAME = ("event", "round", "clock", "calls")
"""The aspects of an event at the top of every page of the desk."""


async def show_desk_page(
    request: AnyRequest,
    services: Services,
    event: str,
    template: str,
    follows: Sequence[str],
    shown: Callable[[LiveEvent, Identity], dict[str, Any]],
) -> Response[bytes]:
    """Send a page of the desk to the person who asks."""
    who = identity_of(request)
    live = await open_event(request, services, event)
    await services.wait_until_ready(live)
    state = live.state
    frame = {
        "live": live,
        "state": state,
        "hall": hall_address(event),
        "desk": desk_address(event),
        "follows": " ".join((*follows, *FRAME)),
        "version": live.version,
        "now": now_text(),
        "who": who,
        "board": services.leaderboard(live),
        "clock": clock_view(state.round, utc_now()),
        "calls": len(state.questions) + len(state.round.disputed if state.round else ()),
    }
    return respond(request, render(template, **frame | shown(live, who)), keep="no-store")
