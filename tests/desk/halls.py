"""An event behind the whole application, and somebody who reads its pages in the hall.

async def story(guest: Guest) -> None:
    await guest.play()
    assert "Round 1" in await guest.page("/pairings")

in_hall(tmp_path, story, "mtr", players=8)
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

from litestar.testing import AsyncTestClient
from msgspec import convert

from topcut.desk.app import make_app
from topcut.desk.commands import context
from topcut.desk.example import reports
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.phone import link_of
from topcut.event import commands as c
from topcut.event.state import RoundOf, State
from topcut.rulebook import load
from topcut.rulebook.frozen import frozen
from topcut.rulebook.options import Options
from topcut.store import open_store

NAMES = ["Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou", "Mo", "Nat", "Oz", "Pat"]
PAGES = ["", "/pairings", "/pairings?by=table", "/standings", "/bracket", "/draws", "/changes", "/screen"]
SCREENS = [f"/screen?show={what}" for what in ("pairings", "standings", "clock", "bracket")]


class Guest:
    """Reads pages of one event; also lets the desk do things, with nobody there to click."""

    def __init__(self, client: AsyncTestClient[Any], house: House, live: Live) -> None:
        self.client, self.house, self.live = client, house, live
        self.random = Random(5)

    @property
    def state(self) -> State:
        return self.live.state

    @property
    def round(self) -> RoundOf:
        assert self.state.round is not None
        return self.state.round

    async def get(self, address: str, status: int = 200) -> str:
        """A page by its whole address."""
        answer = await self.client.get(address)
        assert answer.status_code == status, (address, answer.status_code, answer.text)
        return answer.text

    async def page(self, address: str = "", status: int = 200) -> str:
        """A page of the event."""
        return await self.get(f"/e/cup{address}", status)

    async def me(self, player: str) -> str:
        """A player's own page."""
        return await self.get(link_of(await self.house.access.secret("players"), "cup", player))

    async def everything(self) -> dict[str, str]:
        """All there is to see in the hall, without the moment at which it was made."""
        players = list(self.state.players)[:3]
        found = {address: await self.page(address) for address in [*PAGES, *SCREENS]}
        found |= {id: await self.page(f"/player/{id}") for id in players}
        found |= {f"{id} now": await self.page(f"/player/{id}/now") for id in players}
        found |= {f"{id} me": await self.me(id) for id in players}
        found["q"] = await self.page("?q=a")
        found["front"] = await self.get("/")
        return {name: re.sub(r' data-(version|now|ends|to)="[^"]*"', "", text) for name, text in found.items()}

    async def do(self, *commands: c.AnyCommand) -> None:
        """Commands, each a step of its own."""
        for command in commands:
            await self.live.do([command], context("Mara"))

    async def report(self) -> None:
        """A result for every table that has none."""
        await self.live.do(reports(self.state, self.round.missing, self.random), context("Mara"))

    async def post(self) -> None:
        """A round is drawn and published."""
        await self.do(c.Pair(), c.Publish())

    async def play(self, rounds: int = 1) -> None:
        """Whole rounds."""
        for _ in range(rounds):
            await self.post()
            await self.do(c.Start(minutes=50))
            await self.report()
            await self.do(c.End())


Story = Callable[[Guest], Awaitable[None]]


def in_hall(
    folder: Path,
    story: Story,
    rules: str,
    players: int | list[str] | list[c.Register] = 8,
    readings: dict[str, str] | None = None,
    **options: Any,
) -> None:
    """Tell a story in the hall of a new event."""
    entering = NAMES[:players] if isinstance(players, int) else players
    entries = [c.Register(name=one) if isinstance(one, str) else one for one in entering]

    async def told() -> None:
        store = await open_store(str(folder / "hall.db"))
        app = make_app(store)
        async with AsyncTestClient(app) as client:
            house: House = app.state.house
            book = frozen(load(rules, readings))
            create = c.Create(name="Cup", book=book, options=convert(options, Options))
            live = await house.floor.create("cup", create, context("Mara"))
            await live.do(entries, context("Mara"))
            await story(Guest(client, house, live))
        await store.close()

    asyncio.run(told())


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self._in = self._in or tag in ("td", "th")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._in = False

    def handle_data(self, data: str) -> None:
        if self._in and self.rows:
            self.rows[-1][-1] += data


def rows_of(page: str) -> list[list[str]]:
    """The cells of all tables of a page, row by row; the headers first."""
    parser = _Tables()
    parser.feed(page)
    return [[" ".join(cell.split()) for cell in row] for row in parser.rows]


def text_of(page: str) -> str:
    """What a page says."""
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<head>.*?</head>", "", page)).split())
