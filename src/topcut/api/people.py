"""Export and delete the personal data of a player."""

from typing import Any

from litestar import Response, delete, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.api.commands import give
from topcut.api.requests import AnyRequest
from topcut.api.responses import opened
from topcut.app.services import Services
from topcut.client import schemas as s
from topcut.event.commands import Forget
from topcut.event.describe.personal_data import collect_personal_data as data_about

GONE = [NotFoundException]


@get("/events/{event:str}/players/{player:str}/data", right="erase", action="heavy", raises=GONE)
async def personal_data(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], player: FromPath[str]
) -> Response[dict[str, Any]]:
    """Export all data about one player, to be handed to that player."""
    live, _, state = await opened(request, services, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    found = data_about(live.session.log, player)
    return Response(found, headers={"cache-control": "no-store"})


@delete(
    "/events/{event:str}/players/{player:str}/data",
    right="erase",
    action="command",
    status_code=200,
    raises=GONE,
)
async def forget_player(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], player: FromPath[str]
) -> Response[s.Done]:
    """Delete a player's personal data for good once the event is finished; results stay under the id."""
    live, who, state = await opened(request, services, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    return await give(request, services, live, who, [Forget(player=player)])


ROUTES = [personal_data, forget_player]
