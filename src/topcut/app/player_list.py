"""Read and describe a list of players that is pasted or uploaded."""

import asyncio
from typing import Any

from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.execute import check_texts
from topcut.app.live_events import LiveEvent
from topcut.errors import BadInput
from topcut.formats.csv.columns import MIXED
from topcut.formats.csv.player_list import PlayerList, list_divisions, list_present_players, read_list
from topcut.text.message_json import to_plain
from topcut.text.messages import number, say

AT_ONCE = 5_000
"""Players of one list, at most."""


async def read_player_list(live: LiveEvent, who: Identity, raw: bytes, columns: str) -> PlayerList:
    """Read a list for a person who would enter the players on it."""
    state = live.state
    here = list_present_players(state, who.may("people"))
    found = await asyncio.to_thread(read_list, raw, list_divisions(state), here, columns, utc_now().year)
    if len(found.players) > AT_ONCE:
        there, most = number(len(found.players)), number(AT_ONCE)
        raise BadInput(
            say("{players} players: expected at most {most} in one list", players=there, most=most)
        )
    check_texts([[one.name, one.display, one.member, list(one.apart)] for one in found.players])
    return found


def describe_list(found: PlayerList) -> dict[str, Any]:
    """Return the content of a list, as pages and programs show it."""
    columns = []
    for column, first in found.guess.preview(found.sheet.rows):
        meaning = MIXED if column.why == "mixed" else column.meaning
        shown = {"heading": column.heading, "meaning": meaning, "words": column.words, "first": first}
        columns.append(shown)
    lines = {"problems": found.problems, "notes": found.notes}
    return {
        "players": to_plain(found.players),
        "columns": columns,
        **lines,
    }
