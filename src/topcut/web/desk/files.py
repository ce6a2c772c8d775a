"""Show what can be printed and exported, with what each format would lose, and send it."""

import asyncio
from typing import Literal

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from topcut.app.export_event import PAPERS, export_event, export_site, list_formats, print_sheet, read_paper
from topcut.formats.registry import FormatName
from topcut.history.divisions import division_of
from topcut.printing import typesetting
from topcut.printing.lists import list_seats
from topcut.printing.page import PrintOptions, list_names
from topcut.printing.printed_event import build_printed_event
from topcut.web.desk.frame import AtDesk
from topcut.web.responses import send_file

HERE = ("localhost", "127.0.0.1", "[::1]")
COOKIE = "topcut-paper"
"""The cookie that remembers the paper size of this browser's printer."""


@get("/desk/{event:str}/print", right="print")
async def choose(desk: AtDesk) -> Response[bytes]:
    """Show what can be printed now."""
    live = await desk.open_event()

    def look() -> tuple[list[str], bool]:
        printed_event = build_printed_event(live.state, people=desk.who.may("people"))
        return typesetting.find_unprintable(list_names(printed_event)), bool(list_seats(printed_event))

    lacking, sits = await asyncio.to_thread(look)
    host = desk.base.partition("://")[2]
    live = await desk.open_for_page()
    book, rounds = live.state.book, live.state.rounds
    players = [listed.player for listed in live.state.players.values()]
    shown = {
        "divisions": sorted({name for player in players if (name := division_of(player, book))}),
        "unreachable": host.rpartition(":")[0] in HERE or host in HERE,
        "address": desk.base,
        "rounds": [a_round.number for a_round in rounds],
        "ended": list(range(1, desk.services.leaderboard(live).scored + 1)),
        "new": [a_round.number for a_round in rounds if a_round.changed],
        "chart": book.pairing is not None and book.pairing.chart is not None,
        "seated": sits,
        "pods": any(player.pod is not None for player in players),
        "papers": PAPERS,
        "paper": read_paper("", desk.request.cookies.get(COOKIE, "a4")),
        "problems": lacking,
    }
    return desk.show(live, "desk_print.html", ("players", "tables"), shown)


@get("/desk/{event:str}/print/{kind:str}", right="print", action="print")
async def paper(
    desk: AtDesk,
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
        paper=read_paper(paper, desk.request.cookies.get(COOKIE, "a4")),
        player=player,
        division=division or None,
    )
    page = await print_sheet(desk.services, desk.who, desk.event, kind, choice, desk.base)
    sent = send_file(desk.request, page, f"{kind.removesuffix('.pdf')}.pdf", "inline")
    if paper:
        sent.set_cookie(COOKIE, paper, max_age=366 * 86_400, httponly=True, samesite="lax")
    return sent


@get("/desk/{event:str}/export", right="export", action="heavy")
async def offers(desk: AtDesk) -> Response[bytes]:
    """Show every format, with what it would lose."""
    offered = await list_formats(await desk.open_for_page(), desk.who)
    live = await desk.open_for_page()
    return desk.show(live, "desk_export.html", ("players", "standings", "results"), {"offers": offered})


@get("/desk/{event:str}/export/{kind:str}", right="export", action="heavy")
async def export(desk: AtDesk, kind: FromPath[FormatName]) -> Response[bytes]:
    """Send the event in a format."""
    return send_file(desk.request, *await export_event(desk.services, desk.who, desk.event, kind))


@get("/desk/{event:str}/export/site", right="export", action="heavy")
async def export_pages(desk: AtDesk) -> Response[bytes]:
    """Send the pages for the web as a zip file."""
    return send_file(desk.request, *await export_site(desk.services, desk.who, desk.event))
