"""The desk's players: who is here, and everything that can be done about one of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from topcut.desk.commands import answer, check_texts, give
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.paste import pasted
from topcut.desk.phone import link_of
from topcut.desk.who import Who
from topcut.event.commands import Register, Then
from topcut.event.person import personal_data
from topcut.event.state import Entrant, State
from topcut.history.alphabet import in_order, plain

SHOWN = 200
"""Players on the page at once; the others are found by a part of their name."""


def status(state: State, entrant: Entrant) -> str:
    """Where a player stands, in a word."""
    player = entrant.player
    if player.disqualified is not None:
        return "disqualified"
    if player.dropped is not None:
        return f"dropped after round {player.dropped}" if player.dropped else "dropped"
    if player.cut is not None:
        return "not in the cut"
    if player.entered > 1:
        return f"since round {player.entered}"
    return {True: "here", False: "not here"}.get(entrant.here, "") if entrant.here is not None else ""


def _name(entrant: Entrant) -> str:
    return entrant.player.shown_name


@get("/desk/{event:str}/players", right="desk", raises=[NotFoundException])
async def players(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], q: FromQuery[str] = ""
) -> Response[bytes]:
    """Everybody, from A to Z."""

    def shown(live: Live, who: Who) -> dict[str, Any]:
        state = live.state
        wanted = plain(q[:80])
        found = [
            entrant
            for entrant in state.players.values()
            if wanted == entrant.player.id
            or wanted in in_order(entrant.player.shown_name)[0]
            or (who.may("people") and wanted in in_order(entrant.legal)[0])
        ]
        found.sort(key=lambda entrant: in_order(entrant.player.shown_name))
        return {
            "q": q,
            "players": [(entrant, status(state, entrant)) for entrant in found[:SHOWN]],
            "more": max(0, len(found) - SHOWN),
            "total": len(state.players),
            "active": sum(1 for _ in state.active()),
            "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
            "twice": {name for name, count in Counter(map(_name, found)).items() if count > 1},
            "begun": state.begun,
            "drawn": any(e.player.pod or e.player.flight or e.player.seat for e in state.players.values()),
            "late": bool(state.begun or state.upcoming),
        }

    return await house.at_desk(request, event, "desk_players.html", ("players",), shown)


@get("/desk/{event:str}/players/{player:str}", right="desk", raises=[NotFoundException])
async def one_player(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """One player: edit, drop, disqualify, bring back, fixed table, their own link."""
    secret = await house.access.secret("players")

    def shown(live: Live, _: Who) -> dict[str, Any]:
        state = live.state
        if player not in state.players:
            raise NotFoundException("no player has this id")
        entrant = state.players[player]
        gone = entrant.player.dropped is not None or entrant.player.disqualified is not None
        return {
            "entrant": entrant,
            "player": entrant.player,
            "status": status(state, entrant),
            "gone": gone,
            "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
            "link": house.base(request) + link_of(secret, event, player),
            "row": house.board(live).ranks.get(player),
            "begun": state.begun,
            "known": bool(entrant.legal),
        }

    return await house.at_desk(request, event, "desk_player.html", ("players", "standings"), shown)


@get("/desk/{event:str}/players/{player:str}/data", right="erase", action="heavy", raises=[NotFoundException])
async def their_data(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """All that is held about one player, as a file for them."""
    live = await house.floor.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    raw = msgspec.json.format(msgspec.json.encode(personal_data(live.running.journal, player)), indent=2)
    sent = respond(request, Page(raw, "application/json"), keep="no-store")
    sent.headers["content-disposition"] = 'attachment; filename="player.json"'
    return sent


class Pasted(Struct, forbid_unknown_fields=True):
    text: str
    sure: bool = False
    then: Then | None = None


@post("/desk/{event:str}/paste", right="players", status_code=200, raises=[NotFoundException])
async def paste(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Pasted]
) -> dict[str, Any]:
    """What a pasted list holds, and then everybody on it as players."""
    live = await house.floor.event(event)
    found = pasted(data.text, live.state, who_of(request).may("people"))
    check_texts([[one.name, one.member] for one in found.players])
    if not data.sure:
        return {"players": found.players, "problems": found.problems}
    commands = [
        Register(name=one.name, member=one.member, born=one.born, division=one.division, then=data.then)
        for one in found.players
    ]
    return answer(live, await give(live, who_of(request), commands))


ROUTES = [players, one_player, their_data, paste]
