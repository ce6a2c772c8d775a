"""The desk's paper: every sheet as a PDF, and the page on which one chooses."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, cast

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.slip import link_of
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.rights import Right
from topcut.history.divisions import division_of
from topcut.paper import press
from topcut.paper.choice import Choice, Paper
from topcut.paper.lists import seated
from topcut.paper.occasion import Number, of_state
from topcut.paper.page import named
from topcut.paper.printing import KINDS, sheet

PAPERS: dict[str, str] = {"a4": "A4", "us-letter": "Letter"}
LONGEST = 2_000
"""Letters of a list of tables."""
HERE = ("localhost", "127.0.0.1", "[::1]")
ALSO: dict[str, Right] = {"slips": "enter", "sign-in": "people"}
"""Rights that some sheets take too: the codes on slips report, and people sign in by their legal names."""
COOKIE = "topcut-paper"
"""Which paper this browser's printer has."""


def _paper(request: AnyRequest, asked: str) -> Paper:
    """The paper that is asked for, else the one of last time."""
    found = asked or request.cookies.get(COOKIE, "a4")
    if asked and asked not in PAPERS:
        raise BadInput(f'expected a4 or us-letter, not "{asked[:20]}"', place="paper")
    return cast(Paper, found) if found in PAPERS else "a4"


@get("/desk/{event:str}/print", right="print", raises=[NotFoundException])
async def choose(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[bytes]:
    """What can be printed now."""
    live = await house.floor.event(event)

    def looked() -> tuple[list[str], bool]:
        occasion = of_state(live.state, people=who_of(request).may("people"))
        return press.lacking(named(occasion)), bool(seated(occasion))

    lacking, sits = await asyncio.to_thread(looked)
    host = house.base(request).partition("://")[2]

    def shown(live: Live, _: Who) -> dict[str, Any]:
        book = live.state.book
        of_board = house.board(live)
        players = [entrant.player for entrant in live.state.players.values()]
        return {
            "divisions": sorted({name for player in players if (name := division_of(player, book))}),
            "unreachable": host.rpartition(":")[0] in HERE or host in HERE,
            "address": house.base(request),
            "rounds": [a_round.number for a_round in live.state.rounds],
            "ended": list(range(1, of_board.scored + 1)),
            "new": [a_round.number for a_round in live.state.rounds if a_round.changed],
            "chart": book.pairing is not None and book.pairing.chart is not None,
            "seated": sits,
            "papers": PAPERS,
            "paper": _paper(request, ""),
            "problems": lacking,
        }

    return await house.at_desk(request, event, "desk_print.html", ("players", "tables"), shown)


@get("/desk/{event:str}/print/{kind:str}", right="print", action="print", raises=[NotFoundException])
async def paper(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    kind: FromPath[str],
    number: FromQuery[int | None] = None,
    after: FromQuery[int | None] = None,
    by: FromQuery[Literal["name", "table"]] = "name",
    tables: FromQuery[str] = "",
    changed: FromQuery[bool] = False,
    per_page: FromQuery[int] = 4,
    paper: FromQuery[str] = "",
    player: FromQuery[str | None] = None,
    division: FromQuery[str] = "",
) -> Response[bytes]:
    """A sheet as a PDF."""
    choice = chosen(request, number, after, by, tables, changed, per_page, paper, player, division)
    sent = await printed(request, house, event, kind, choice)
    if paper:
        sent.set_cookie(COOKIE, paper, max_age=366 * 86_400, httponly=True, samesite="lax")
    return sent


def chosen(
    request: AnyRequest,
    number: int | None,
    after: int | None,
    by: Literal["name", "table"],
    tables: str,
    changed: bool,
    per_page: int,
    paper: str,
    player: str | None,
    division: str,
) -> Choice:
    """What is asked for, as it stands behind an address."""
    if len(tables) > LONGEST:
        raise BadInput(f"expected at most {LONGEST} letters", place="tables")
    return Choice(
        round=number,
        after=after,
        by=by,
        tables=tables,
        changed=changed,
        per_page=per_page,
        paper=_paper(request, paper),
        player=player,
        division=division or None,
    )


async def printed(
    request: AnyRequest, house: House, event: str, kind: str, choice: Choice
) -> Response[bytes]:
    """A sheet, printed for whoever asks."""
    name = kind.removesuffix(".pdf")
    if name not in KINDS:
        raise NotFoundException("there is no such sheet")
    if name in ALSO:
        who_of(request).needs(ALSO[name])
    live = await house.floor.event(event)
    secret = await house.access.secret("players")
    base, state = house.base(request), live.state

    def link(number: int, table: Number) -> str:
        return base + link_of(secret, event, state.numbered(number), table)

    people = who_of(request).may("people")

    def print_it() -> bytes:
        pdf = sheet(name, of_state(state, link, people), choice).pdf
        press.forget()
        return pdf

    async with house.press:  # one at a time: the hall goes on meanwhile
        pdf = await asyncio.to_thread(print_it)
    sent = respond(request, Page(pdf, "application/pdf"), keep="no-store")
    sent.headers["content-disposition"] = f'inline; filename="{name}.pdf"'
    return sent


ROUTES = [choose, paper]
