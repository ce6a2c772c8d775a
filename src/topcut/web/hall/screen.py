"""Show pages for a projector, which turn by themselves, and links as QR codes."""

from io import BytesIO
from typing import Any, Literal

import segno
from litestar import Response, get
from litestar.params import FromPath, FromQuery

from topcut.app.access.player_links import player_link
from topcut.app.clock import utc_now
from topcut.app.page_cache import Page
from topcut.app.views.leaderboard import EventLeaderboard, bracket_views, final_places_of
from topcut.app.views.round_view import describe_event, describe_pod, find_clock, is_drafting_now, list_seats
from topcut.app.views.visibility import last_public_round
from topcut.event.state import State
from topcut.text.names import initial_letter, name_key
from topcut.web.hall.page import OpenHall, pages
from topcut.web.language import prefer_language_of
from topcut.web.responses import AnyRequest, AppServices, base_of, respond

Show = Literal["pairings", "standings", "clock", "bracket", "pods"]
FOLLOWS = ("players", "pairings", "clock", "standings")


def choose_view(state: State, wanted: str) -> Show:
    """Choose what a screen shows: the view asked for, else the one that people need in this phase."""
    a_round = last_public_round(state)
    if wanted == "clock":
        return "clock"
    if state.draft is not None and (wanted == "pods" or (not wanted and is_drafting_now(state))):
        return "pods"
    if a_round is None:
        return "clock"
    eliminates = any(name == "Bracket" for _, name in pages(state))
    if wanted in ("pairings", "standings") or (wanted == "bracket" and eliminates):
        return wanted  # type: ignore[return-value]
    if a_round.phase in ("published", "started"):
        return "pairings"
    return "bracket" if a_round.in_bracket and not state.finished else "standings"


def list_rows(state: State, board: EventLeaderboard) -> list[dict[str, Any]]:
    """Return the places of a bracket that is over, else the standings."""
    if state.finished and (places := final_places_of(state)):
        return [{"id": place.id, "place": place.place, "name": place.name, "points": ""} for place in places]
    return [{**row, "place": row["rank"]} for row in (board.rows if board.scored else ())]


def list_pods(state: State) -> list[tuple[str, str, str]]:
    """Return all players who draft, from A to Z: id, name, and pod with seat."""
    players = [listed.player for listed in state.active() if listed.player.pod is not None]
    players.sort(key=lambda player: name_key(player.shown_name))
    return [(player.id, player.shown_name, describe_pod(player)) for player in players]


def read_letters(names: str) -> str:
    """Return the range of letters of one screen of several; empty for all.

    >>> read_letters("a–h"), read_letters("Mx-"), read_letters("everybody")
    ('A-H', 'M-', '')
    """
    first, dash, last = names.upper().replace("–", "-").partition("-")
    return f"{first[:1]}-{last[:1]}" if dash else ""


def is_on_screen(letter: str, names: str) -> bool:
    """Tell whether a letter is on this screen: "A-H" for one of several, empty for all.

    >>> is_on_screen("C", "A-H"), is_on_screen("M", "a-h"), is_on_screen("漢", "M-"), is_on_screen("#", "-L")
    (True, False, True, True)
    """
    first, dash, last = names.upper().replace("–", "-").partition("-")
    if not dash:
        return True
    at = "" if letter == "#" else letter
    return (not first or at >= first) and (not last or at[:1] <= last)


@get("/e/{event:str}/screen", right="hall")
async def screen(hall: OpenHall, show: FromQuery[str] = "", names: FromQuery[str] = "") -> Response[bytes]:
    """Show the view for this phase, or the one of `show`; `names`: letters, for one screen of several."""
    state = hall.state
    prefer_language_of(hall.request, state)
    what, names, base = choose_view(state, show), read_letters(names), base_of(hall.request, hall.services)

    def shown() -> dict[str, Any]:
        board, a_round = hall.board, last_public_round(state)
        everybody = list_seats(state, a_round, board) if a_round and what == "pairings" else []
        return {
            "show": what,
            "headline": describe_event(state),
            "round": a_round,
            "clock": find_clock(state, a_round, utc_now()),
            "after": board.scored,
            "seats": [seat for seat in everybody if is_on_screen(initial_letter(seat.name), names)],
            "pods": [pod for pod in list_pods(state) if is_on_screen(initial_letter(pod[1]), names)]
            if what == "pods"
            else [],
            "drafting": is_drafting_now(state),
            "names": names,
            "rows": list_rows(state, board) if what == "standings" else [],
            "cut": board.cut if what == "standings" and not state.finished else None,
            "brackets": bracket_views(state) if what == "bracket" else [],
            "link": base + hall.address,
        }

    follows = (*FOLLOWS, "results") if what == "bracket" else FOLLOWS
    return hall.show("screen.html", follows, shown, chosen=(what, names, base))


def draw_qr_code(text: str) -> Page:
    """Draw a QR code."""
    out = BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", xmldecl=False, border=4, omitsize=True)
    return Page(out.getvalue(), "image/svg+xml")


@get("/e/{event:str}/qr.svg", right="hall")
async def qr(hall: OpenHall) -> Response[bytes]:
    """Send the QR code of the hall's link."""
    return respond(hall.request, draw_qr_code(base_of(hall.request, hall.services) + hall.address))


@get("/desk/{event:str}/players/{player:str}/qr.svg", right="players")
async def player_qr(
    request: AnyRequest, services: AppServices, event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """Send the QR code of a player's own link, for staff to hand over."""
    link = await player_link(services, base_of(request, services), event, player)
    return respond(request, draw_qr_code(link), keep="no-store")
