"""The desk's players: who is here, and everything that can be done about one of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from topcut.desk.access import utc
from topcut.desk.commands import answer, check_texts, give
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.phone import link_of
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.commands import Then
from topcut.event.person import personal_data
from topcut.event.state import Entrant, State
from topcut.exchange.lists.headings import LEFT_OUT
from topcut.exchange.lists.meanings import MIXED, MIXED_WORDS, PLAYER_MEANINGS
from topcut.exchange.lists.players import PlayerList, divisions_of, here_already, read_list
from topcut.history.alphabet import in_order, plain

SHOWN = 200
"""Players on the page at once; the others are found by a part of their name."""
AT_ONCE = 5_000
"""Players of one list."""


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
    text: str = ""
    data: bytes | None = None
    """A file as it is, in the place of the text: its letters are found out here."""
    columns: str = ""
    """What its columns mean, where the guess is not right."""
    sure: bool = False
    then: Then | None = None


async def looked_at(live: Live, who: Who, raw: bytes, columns: str) -> PlayerList:
    """What a list says to somebody who would enter the players on it."""
    state = live.state
    here = here_already(state, who.may("people"))
    year = utc().year
    found = await asyncio.to_thread(read_list, raw, divisions_of(state), here, columns, year)
    if len(found.players) > AT_ONCE:
        raise BadInput(f"{len(found.players):,} players: expected at most {AT_ONCE:,} in one list")
    check_texts([[one.name, one.display, one.member, list(one.apart)] for one in found.players])
    return found


def described(found: PlayerList) -> dict[str, Any]:
    """A list for a page, and for programs."""
    columns = [
        {
            "heading": column.heading,
            "meaning": MIXED if column.why == "mixed" else column.meaning,
            "words": column.words,
            "first": first,
        }
        for column, first in found.guess.preview(found.sheet.rows)
    ]
    lines = {"problems": found.problems, "notes": found.notes}
    return {"players": msgspec.to_builtins(found.players), "columns": columns, **lines}


@post("/desk/{event:str}/paste", right="players", status_code=200, raises=[NotFoundException])
async def paste(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Pasted]
) -> dict[str, Any]:
    """What a list holds, and then everybody on it as players."""
    live = await house.floor.event(event)
    raw = data.text.encode(errors="replace") if data.data is None else data.data
    found = await looked_at(live, who_of(request), raw, data.columns)
    if not data.sure:
        return described(found) | {"meanings": PLAYER_MEANINGS | {MIXED: MIXED_WORDS, LEFT_OUT: "left out"}}
    commands = [one.register(data.then) for one in found.players]
    return answer(live, await give(live, who_of(request), commands))


ROUTES = [players, one_player, their_data, paste]
