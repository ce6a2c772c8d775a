"""Show the desk's pages about players, and enter lists of players."""

from collections import Counter
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from topcut.app.access.identity import Identity
from topcut.app.access.player_links import player_address
from topcut.app.execute import execute_for_page
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page
from topcut.app.player_list import describe_list, read_player_list
from topcut.app.services import Services
from topcut.event.commands import Then
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.state import ListedPlayer, State
from topcut.formats.csv.columns import MIXED, MIXED_WORDS, PLAYER_MEANINGS
from topcut.formats.csv.headings import LEFT_OUT
from topcut.history.player_fields import PERSONAL
from topcut.text.alphabet import fold_letters, name_key
from topcut.web.desk.frame import show_desk_page
from topcut.web.responses import AnyRequest, base_of, identity_of, send_file

SHOWN = 200
"""Players on the page, at most; a search by a part of the name finds the others."""


def status(state: State, listed: ListedPlayer) -> str:
    """Return the status of a player in a few words."""
    player = listed.player
    if player.disqualified is not None:
        return "disqualified"
    if player.dropped is not None:
        return f"dropped after round {player.dropped}" if player.dropped else "dropped"
    if player.cut is not None:
        return "not in the cut"
    if player.entered > 1:
        return f"since round {player.entered}"
    return {True: "here", False: "not here"}.get(listed.here, "") if listed.here is not None else ""


def _name(listed: ListedPlayer) -> str:
    return listed.player.shown_name


@get("/desk/{event:str}/players", right="desk", raises=[NotFoundException])
async def players(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], q: FromQuery[str] = ""
) -> Response[bytes]:
    """Show all players, from A to Z."""

    def shown(live: LiveEvent, who: Identity) -> dict[str, Any]:
        state = live.state
        wanted = fold_letters(q[:80])
        found = [
            listed
            for listed in state.players.values()
            if wanted == listed.player.id
            or wanted in name_key(listed.player.shown_name)[0]
            or (who.may("people") and wanted in name_key(listed.legal)[0])
        ]
        found.sort(key=lambda listed: name_key(listed.player.shown_name))
        return {
            "q": q,
            "players": [(listed, status(state, listed)) for listed in found[:SHOWN]],
            "more": max(0, len(found) - SHOWN),
            "total": len(state.players),
            "active": sum(1 for _ in state.active()),
            "personal": PERSONAL,
            "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
            "twice": {name for name, count in Counter(map(_name, found)).items() if count > 1},
            "begun": state.begun,
            "drawn": any(e.player.pod or e.player.flight or e.player.seat for e in state.players.values()),
            "late": bool(state.begun or state.upcoming),
        }

    return await show_desk_page(request, services, event, "desk_players.html", ("players",), shown)


@get("/desk/{event:str}/players/{player:str}", right="desk", raises=[NotFoundException])
async def one_player(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """Show one player: edit, drop, disqualify, bring back, fixed table, their own link."""
    secret = await services.access.secret("players")

    def shown(live: LiveEvent, _: Identity) -> dict[str, Any]:
        state = live.state
        if player not in state.players:
            raise NotFoundException("no player has this id")
        listed = state.players[player]
        gone = listed.player.dropped is not None or listed.player.disqualified is not None
        return {
            "listed": listed,
            "player": listed.player,
            "status": status(state, listed),
            "gone": gone,
            "personal": PERSONAL,
            "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
            "link": base_of(request, services) + player_address(secret, event, player),
            "row": services.leaderboard(live).ranks.get(player),
            "begun": state.begun,
            "known": bool(listed.legal),
        }

    return await show_desk_page(request, services, event, "desk_player.html", ("players", "standings"), shown)


@get("/desk/{event:str}/players/{player:str}/data", right="erase", action="heavy", raises=[NotFoundException])
async def their_data(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """Send all data about one player as a file to hand over."""
    live = await services.events.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    raw = msgspec.json.format(msgspec.json.encode(collect_personal_data(live.session.log, player)), indent=2)
    return send_file(request, Page(raw, "application/json"), "player.json")


class PastedList(Struct, forbid_unknown_fields=True):
    text: str = ""
    data: bytes | None = None
    """The bytes of a file, instead of the text; its encoding is detected here."""
    columns: str = ""
    """The meaning of its columns, where the guess is wrong."""
    sure: bool = False
    then: Then | None = None


@post("/desk/{event:str}/paste", right="players", status_code=200, raises=[NotFoundException])
async def paste(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[PastedList]
) -> dict[str, Any]:
    """Show the players on a list, or enter them."""
    live = await services.events.event(event)
    raw = data.text.encode(errors="replace") if data.data is None else data.data
    found = await read_player_list(live, identity_of(request), raw, data.columns)
    if not data.sure:
        return describe_list(found) | {
            "meanings": PLAYER_MEANINGS | {MIXED: MIXED_WORDS, LEFT_OUT: "left out"}
        }
    commands = [one.register(data.then) for one in found.players]
    return await execute_for_page(live, identity_of(request), commands)


ROUTES = [players, one_player, their_data, paste]
