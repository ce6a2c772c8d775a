"""Export and delete the personal data of a player."""

from typing import Any

from litestar import Response, delete, get

from topcut.api.commands import give
from topcut.api.requests import NO_STORE, ApiRequest, Id, find_listed
from topcut.client import schemas as s
from topcut.event.commands import Forget
from topcut.event.describe.personal_data import collect_personal_data


@get("/events/{event:str}/players/{player:str}/data", right="erase", action="heavy")
async def personal_data(request: ApiRequest, event: Id, player: Id) -> Response[dict[str, Any]]:
    """Export all data about one player, to be handed to that player."""
    live, _, state = await request.open_event(event)
    find_listed(state, player)
    return Response(collect_personal_data(live.session.log, player), headers=NO_STORE)


@delete("/events/{event:str}/players/{player:str}/data", right="erase", action="command", status_code=200)
async def forget_player(request: ApiRequest, event: Id, player: Id) -> Response[s.Done]:
    """Delete a player's personal data for good once the event is finished; results stay under the id."""
    live, who, state = await request.open_event(event)
    find_listed(state, player)
    return await give(request, live, who, [Forget(player=player)])
