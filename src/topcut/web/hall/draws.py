"""Show the proof of the draws: the commitment before the first, every draw, and changes by hand."""

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.app.services import Services
from topcut.app.views.log_view import find_latest_news, list_draws, list_promises
from topcut.web.hall.page import Hall
from topcut.web.responses import AnyRequest

PAGE = 100
FOLLOWS = ("players", "pairings", "clock", "standings", "results", "draws")
"""The aspects that the news depend on; not the log, which also grows by facts that are not public."""


@get("/e/{event:str}/draws", right="hall", raises=[NotFoundException])
async def draws(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show the commitment, every draw, and every change that was not drawn."""
    hall = await Hall.open(services, event, request)

    def shown() -> dict[str, Any]:
        log = hall.live.session.log
        return {
            "promises": list_promises(log),
            "draws": list_draws(hall.state, log),
            "overrides": [
                (override, hall.state.name_of(override.table) if isinstance(override.table, str) else "")
                for override in hall.state.overrides
            ],
        }

    return hall.show(request, "hall_draws.html", ("draws", "players"), shown)


@get("/e/{event:str}/changes", right="hall", raises=[NotFoundException])
async def changes(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    all: FromQuery[bool] = False,
) -> Response[bytes]:
    """Show the changes of the event, the newest first."""
    hall = await Hall.open(services, event, request)

    def shown() -> dict[str, Any]:
        found = find_latest_news(hall.live, 100_000 if all else PAGE + 1)
        return {"news": found if all else found[:PAGE], "more": not all and len(found) > PAGE}

    return hall.show(request, "hall_changes.html", FOLLOWS, shown, (all,))


ROUTES = [draws, changes]
