"""Show the desk's pages about players, and enter lists of players."""

from collections import Counter
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from topcut.app.access.player_links import player_address
from topcut.app.live_events import LiveEvent
from topcut.app.page_cache import Page
from topcut.app.player_list import describe_list, read_player_list
from topcut.app.services import NotHere
from topcut.event.commands import Then
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.state import ListedPlayer, State
from topcut.formats.csv.columns import MIXED, MIXED_WORDS, PLAYER_MEANINGS
from topcut.formats.csv.headings import LEFT_OUT
from topcut.history.builder import explain_no_awarded_byes
from topcut.history.player_fields import PERSONAL, PLAYER_FIELDS, PlayerField
from topcut.rulebook.options import choose_format
from topcut.text.message_json import write_json
from topcut.text.messages import count, join_messages, say
from topcut.text.names import fold_letters, name_key
from topcut.web.desk.frame import AtDesk
from topcut.web.responses import send_file

SHOWN = 200
"""Players on the page, at most; a search by a part of the name finds the others."""


def _list_fields(state: State) -> list[PlayerField]:
    """Return what the forms of a player ask for, beside names, division and labels."""
    with_byes = explain_no_awarded_byes(state.book, choose_format(state.book, state.options)) is None
    return [*PERSONAL, *(field for field in PLAYER_FIELDS if field.counted and with_byes)]


def status(state: State, listed: ListedPlayer) -> str:
    """Return the status of a player in a few words."""
    player = listed.player
    if player.disqualified is not None:
        return say("disqualified")
    if player.dropped is not None:
        after = say("dropped after round {round}", round=player.dropped)
        return after if player.dropped else say("dropped")
    if player.cut is not None:
        return say("missed the cut")
    if player.entered > 1:
        return say("plays from round {round}", round=player.entered)
    if player.byes:
        byes = count("{n} awarded bye", "{n} awarded byes", player.byes)
        return join_messages(", ", (byes, say("checked in"))) if listed.here else byes
    return {True: say("checked in"), False: say("not checked in"), None: ""}[listed.here]


@get("/desk/{event:str}/players", right="desk")
async def players(desk: AtDesk, q: FromQuery[str] = "") -> Response[bytes]:
    """Show all players, from A to Z."""
    live = await desk.open_for_page()
    state, people, wanted = live.state, desk.who.may("people"), fold_letters(q[:80])
    found = [
        listed
        for listed in state.players.values()
        if wanted == listed.player.id
        or wanted in name_key(listed.player.shown_name)[0]
        or (people and wanted in name_key(listed.legal)[0])
    ]
    found.sort(key=lambda listed: name_key(listed.player.shown_name))
    names = Counter(listed.player.shown_name for listed in found)
    shown = {
        "q": q,
        "players": [(listed, status(state, listed)) for listed in found[:SHOWN]],
        "more": max(0, len(found) - SHOWN),
        "total": len(state.players),
        "active": sum(1 for _ in state.active()),
        "personal": _list_fields(state),
        "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
        "twice": {name for name, count in names.items() if count > 1},
        "begun": state.begun,
        "plan": desk.describe_plan(live),
        "drawn": any(e.player.pod or e.player.flight or e.player.seat for e in state.players.values()),
        "by_chart": state.book.pairing is not None and state.book.pairing.chart is not None,
        "late": bool(state.begun or state.upcoming),
    }
    return desk.show(live, "desk_players.html", ("players",), shown)


def _find_listed(live: LiveEvent, player: str) -> ListedPlayer:
    if player not in live.state.players:
        raise NotHere(say("No player has this id. Look for the player in the list."))
    return live.state.players[player]


@get("/desk/{event:str}/players/{player:str}", right="desk")
async def one_player(desk: AtDesk, player: FromPath[str]) -> Response[bytes]:
    """Show one player: edit, drop, disqualify, reinstate, fixed table, their own link."""
    secret = await desk.services.access.secret("players")
    live = await desk.open_for_page()
    state, listed = live.state, _find_listed(live, player)
    shown = {
        "listed": listed,
        "player": listed.player,
        "status": status(state, listed),
        "gone": listed.player.dropped is not None or listed.player.disqualified is not None,
        "personal": _list_fields(state),
        "divisions": [d.name for d in state.book.divisions.list] if state.book.divisions else [],
        "link": desk.base + player_address(secret, desk.event, player),
        "row": desk.services.leaderboard(live).ranks.get(player),
        "begun": state.begun,
        "known": bool(listed.legal),
    }
    return desk.show(live, "desk_player.html", ("players", "standings"), shown)


@get("/desk/{event:str}/players/{player:str}/data", right="erase", action="heavy")
async def their_data(desk: AtDesk, player: FromPath[str]) -> Response[bytes]:
    """Send all data about one player as a file to hand over."""
    live = await desk.open_event()
    _find_listed(live, player)
    raw = msgspec.json.format(
        write_json(collect_personal_data(live.session.log, player)),
        indent=2,
    )
    return send_file(desk.request, Page(raw, "application/json"), "player.json")


class PastedList(Struct, forbid_unknown_fields=True):
    text: str = ""
    data: bytes | None = None
    """The bytes of a file, instead of the text; its encoding is detected here."""
    columns: str = ""
    """The meaning of its columns, where the guess is wrong."""
    sure: bool = False
    then: Then | None = None


@post("/desk/{event:str}/paste", right="players", status_code=200)
async def paste(desk: AtDesk, data: JSONBody[PastedList]) -> dict[str, Any]:
    """Show the players on a list, or enter them."""
    live = await desk.open_event()
    raw = data.text.encode(errors="replace") if data.data is None else data.data
    found = await read_player_list(live, desk.who, raw, data.columns)
    if not data.sure:
        meanings = PLAYER_MEANINGS | {MIXED: MIXED_WORDS, LEFT_OUT: say("left out")}
        return describe_list(found) | {"meanings": meanings}
    added = count("{n} player added.", "{n} players added.", len(found.players))
    return await desk.execute(live, [one.register(data.then) for one in found.players], added)
