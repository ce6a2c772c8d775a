"""The desk's paper: every sheet as a PDF, and the page on which one chooses."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, cast

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.desk.access import Session
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.desk.slip import link_of
from topcut.errors import BadInput
from topcut.paper import press
from topcut.paper.choice import Choice, Paper
from topcut.paper.occasion import Number, of_state
from topcut.paper.page import named
from topcut.paper.printing import KINDS, sheet

PAPERS: dict[str, str] = {"a4": "A4", "us-letter": "Letter"}
COOKIE = "topcut-paper"
"""Which paper this browser's printer has."""


def _paper(request: AnyRequest, asked: str) -> Paper:
    """The paper that is asked for, else the one of last time."""
    found = asked or request.cookies.get(COOKIE, "a4")
    if asked and asked not in PAPERS:
        raise BadInput(f'expected a4 or us-letter, not "{asked[:20]}"', place="paper")
    return cast(Paper, found) if found in PAPERS else "a4"


@get("/desk/{event:str}/print", raises=[NotFoundException])
async def choose(request: AnyRequest, house: NamedDependency[House], event: FromPath[str]) -> Response[bytes]:
    """What can be printed now."""
    await house.staff(request, event)
    live = await house.floor.event(event)
    lacking = await asyncio.to_thread(press.lacking, named(of_state(live.state)))

    def shown(live: Live, _: Session) -> dict[str, Any]:
        book = live.state.book
        seated = any(e.seat or e.player.seat or e.player.pod for e in live.state.players.values())
        return {
            "rounds": [a_round.number for a_round in live.state.rounds],
            "new": [a_round.number for a_round in live.state.rounds if a_round.changed],
            "chart": book.pairing is not None and book.pairing.chart is not None,
            "seated": seated,
            "papers": PAPERS,
            "paper": _paper(request, ""),
            "problems": lacking,
        }

    return await house.at_desk(request, event, "desk_print.html", ("players", "tables"), shown)


@get("/desk/{event:str}/print/{kind:str}", raises=[NotFoundException])
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
) -> Response[bytes]:
    """A sheet as a PDF."""
    await house.staff(request, event)
    name = kind.removesuffix(".pdf")
    if name not in KINDS:
        raise NotFoundException("there is no such sheet")
    live = await house.floor.event(event)
    secret = await house.access.secret("players")
    base, state = house.base(request), live.state

    def link(round: int, table: Number) -> str:
        return base + link_of(secret, event, state.numbered(round), table)

    choice = Choice(
        round=number,
        after=after,
        by=by,
        tables=tables[:200],
        changed=changed,
        per_page=per_page,
        paper=_paper(request, paper),
        player=player,
    )

    def print_it() -> bytes:
        pdf = sheet(name, of_state(state, number, link), choice).pdf
        press.forget()
        return pdf

    async with house.press:  # one at a time: the hall goes on meanwhile
        pdf = await asyncio.to_thread(print_it)
    sent = respond(request, Page(pdf, "application/pdf"), keep="no-store")
    sent.headers["content-disposition"] = f'inline; filename="{name}.pdf"'
    if paper:
        sent.set_cookie(COOKIE, paper, max_age=366 * 86_400, httponly=True, samesite="lax")
    return sent


ROUTES = [choose, paper]
