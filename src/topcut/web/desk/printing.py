"""Show what can be printed, and print it."""

import asyncio
from typing import Any, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from topcut.app.access.identity import Identity
from topcut.app.live_events import LiveEvent
from topcut.app.print_sheet import PAPERS, print_sheet, read_paper
from topcut.app.services import Services
from topcut.history.divisions import division_of
from topcut.printing import typesetting
from topcut.printing.lists import list_seats
from topcut.printing.page import PrintOptions, list_names
from topcut.printing.printed_event import build_printed_event
from topcut.web.desk.frame import show_desk_page
from topcut.web.responses import AnyRequest, base_of, identity_of, send_file

HERE = ("localhost", "127.0.0.1", "[::1]")
COOKIE = "topcut-paper"
"""The cookie that remembers the paper size of this browser's printer."""


@get("/desk/{event:str}/print", right="print", raises=[NotFoundException])
async def choose(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str]
) -> Response[bytes]:
    """Show what can be printed now."""
    live = await services.events.event(event)

    def look() -> tuple[list[str], bool]:
        printed_event = build_printed_event(live.state, people=identity_of(request).may("people"))
        return typesetting.find_unprintable(list_names(printed_event)), bool(list_seats(printed_event))

    lacking, sits = await asyncio.to_thread(look)
    base = base_of(request, services)
    host = base.partition("://")[2]

    def shown(live: LiveEvent, _: Identity) -> dict[str, Any]:
        book, rounds = live.state.book, live.state.rounds
        players = [listed.player for listed in live.state.players.values()]
        return {
            "divisions": sorted({name for player in players if (name := division_of(player, book))}),
            "unreachable": host.rpartition(":")[0] in HERE or host in HERE,
            "address": base,
            "rounds": [a_round.number for a_round in rounds],
            "ended": list(range(1, services.leaderboard(live).scored + 1)),
            "new": [a_round.number for a_round in rounds if a_round.changed],
            "chart": book.pairing is not None and book.pairing.chart is not None,
            "seated": sits,
            "papers": PAPERS,
            "paper": read_paper("", request.cookies.get(COOKIE, "a4")),
            "problems": lacking,
        }

    return await show_desk_page(request, services, event, "desk_print.html", ("players", "tables"), shown)


@get("/desk/{event:str}/print/{kind:str}", right="print", action="print", raises=[NotFoundException])
async def paper(
    request: AnyRequest,
    services: NamedDependency[Services],
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
    """Send a sheet as a PDF."""
    choice = PrintOptions(
        round=number,
        after=after,
        by=by,
        tables=tables,
        changed=changed,
        per_page=per_page,
        paper=read_paper(paper, request.cookies.get(COOKIE, "a4")),
        player=player,
        division=division or None,
    )
    base = base_of(request, services)
    page = await print_sheet(services, identity_of(request), event, kind, choice, base)
    sent = send_file(request, page, f"{kind.removesuffix('.pdf')}.pdf", "inline")
    if paper:
        sent.set_cookie(COOKIE, paper, max_age=366 * 86_400, httponly=True, samesite="lax")
    return sent


ROUTES = [choose, paper]
