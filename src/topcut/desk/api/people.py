"""People in the API: all that is held about one of them, and how it is deleted."""

from __future__ import annotations

from typing import Any

from litestar import Response, delete, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.client import shapes as s
from topcut.desk.api.answers import opened
from topcut.desk.api.commands import give
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest
from topcut.event import person
from topcut.event.commands import Forget

GONE = [NotFoundException]


@get("/events/{event:str}/players/{player:str}/data", right="erase", action="heavy", raises=GONE)
async def personal_data(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[dict[str, Any]]:
    """All that is held about one player, to be handed to them."""
    live, _, state = await opened(request, house, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    found = person.personal_data(live.running.journal, player)
    return Response(found, headers={"cache-control": "no-store"})


@delete(
    "/events/{event:str}/players/{player:str}/data",
    right="erase",
    action="command",
    status_code=200,
    raises=GONE,
)
async def forget_player(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[s.Done]:
    """Delete who a player is, for good; results stay, under their id. Once the event is finished."""
    live, who, state = await opened(request, house, event)
    if player not in state.players:
        raise NotFoundException("no player has this id")
    return await give(request, house, live, who, [Forget(player=player)])


ROUTES = [personal_data, forget_player]
