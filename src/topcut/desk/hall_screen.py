"""The hall's screen: pages for a projector, which turn by themselves; and links as QR codes."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

import segno
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.access import utc
from topcut.desk.board import Board
from topcut.desk.brackets import bracket_views, final_places_of
from topcut.desk.hall_page import Hall, pages
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.phone import link_of
from topcut.desk.views import clock_view, headline, seats, shown_round
from topcut.event.state import State
from topcut.history.alphabet import initial

Show = Literal["pairings", "standings", "clock", "bracket"]
FOLLOWS = ("players", "pairings", "clock", "standings")


def chosen(state: State, wanted: str) -> Show:
    """What a screen shows: as asked for, else what people need in this phase."""
    a_round = shown_round(state)
    if wanted == "clock" or a_round is None:
        return "clock"
    eliminates = any(name == "Bracket" for _, name in pages(state))
    if wanted in ("pairings", "standings") or (wanted == "bracket" and eliminates):
        return wanted  # type: ignore[return-value]
    if a_round.phase in ("published", "started"):
        return "pairings"
    return "bracket" if a_round.stage == "elimination" and not state.finished else "standings"


@dataclass(frozen=True)
class Line:
    """A row of the standings on a screen."""

    id: str
    place: int
    name: str
    points: Any


def lines(state: State, board: Board) -> list[Line]:
    """The places of a bracket that is over, else the standings."""
    if state.finished and (places := final_places_of(state)):
        return [Line(place.id, place.place, place.name, "") for place in places]
    rows = board.rows if board.scored else []
    return [Line(row["id"], row["rank"], row["name"], row["points"]) for row in rows]


def letters(names: str) -> str:
    """The letters of one screen of several; empty for all.

    >>> letters("a–h"), letters("Mx-"), letters("everybody")
    ('A-H', 'M-', '')
    """
    first, dash, last = names.upper().replace("–", "-").partition("-")
    return f"{first[:1]}-{last[:1]}" if dash else ""


def between(letter: str, names: str) -> bool:
    """Whether a letter is on this screen: "A-H" for one of several, empty for all.

    >>> between("C", "A-H"), between("M", "a-h"), between("漢", "M-"), between("#", "-L")
    (True, False, True, True)
    """
    first, dash, last = names.upper().replace("–", "-").partition("-")
    if not dash:
        return True
    at = "" if letter == "#" else letter
    return (not first or at >= first) and (not last or at[:1] <= last)


@get("/e/{event:str}/screen", right="hall", raises=[NotFoundException])
async def screen(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    show: FromQuery[str] = "",
    names: FromQuery[str] = "",
) -> Response[bytes]:
    """What the phase asks for, or what `show` says; `names`: letters, for one screen of several."""
    hall = await Hall.open(house, event, request)
    state = hall.state
    what, names, base = chosen(state, show), letters(names), house.base(request)

    def shown() -> dict[str, Any]:
        board, a_round = hall.board, shown_round(state)
        everybody = seats(state, a_round, board) if a_round and what == "pairings" else []
        return {
            "show": what,
            "headline": headline(state),
            "round": a_round,
            "clock": clock_view(a_round, utc()),
            "after": board.scored,
            "seats": [seat for seat in everybody if between(initial(seat.name), names)],
            "names": names,
            "rows": lines(state, board) if what == "standings" else [],
            "cut": board.cut if what == "standings" and not state.finished else None,
            "brackets": bracket_views(state) if what == "bracket" else [],
            "link": base + hall.address,
        }

    follows = (*FOLLOWS, "results") if what == "bracket" else FOLLOWS
    return hall.show(request, "screen.html", follows, shown, (what, names, base))


def code(text: str) -> Page:
    """A QR code as a picture."""
    out = BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", xmldecl=False, border=4, omitsize=True)
    return Page(out.getvalue(), "image/svg+xml")


@get("/e/{event:str}/qr.svg", right="hall", raises=[NotFoundException])
async def qr(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[bytes]:
    """The link of the hall."""
    hall = await Hall.open(house, event, request)
    return respond(request, code(house.base(request) + hall.address))


@get("/desk/{event:str}/players/{player:str}/qr.svg", right="players", raises=[NotFoundException])
async def player_qr(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    """A player's own link, for staff to hand over."""
    live = await house.floor.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    link = house.base(request) + link_of(await house.access.secret("players"), event, player)
    return respond(request, code(link), keep="no-store")


ROUTES = [screen, qr, player_qr]
