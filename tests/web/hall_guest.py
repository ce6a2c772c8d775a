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
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

from litestar import Litestar
from msgspec import convert

from topcut.app.access.player_links import player_address
from topcut.app.demo import make_reports
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.event import commands as c
from topcut.event.state import RoundState, State
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.server.app import make_app
from topcut.store import open_store

NAMES = [
    "Ada",
    "Bo",
    "Cy",
    "Di",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jo",
    "Kim",
    "Lou",
    "Mo",
    "Nat",
    "Oz",
    "Pat",
]
PAGES = ["", "/pairings", "/pairings?by=table", "/standings", "/bracket", "/draws", "/changes", "/screen"]
SCREENS = [f"/screen?show={what}" for what in ("pairings", "standings", "clock", "bracket")]


async def ask(app: Litestar, address: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """One request, in this event loop: the status, the headers and the body of the answer."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "server": ("hall.test", 80),
        "client": ("10.0.0.1", 1),
        "method": "POST" if body else "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"hall.test"), (b"content-type", b"application/json")],
    }
    sent: list[Any] = []

    asked: list[bool] = []

    async def receive() -> Any:
        if asked:  # whoever follows hears what there is to hear, and leaves
            while len(sent) < 3:
                await asyncio.sleep(0)
            return {"type": "http.disconnect"}
        asked.append(True)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)  # type: ignore[arg-type]
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


class Guest:
    """Reads pages of one event; also lets the desk do things, with nobody there to click."""

    def __init__(self, app: Litestar, live: LiveEvent) -> None:
        self.app, self.live = app, live
        self.services: Services = app.state.services
        self.random = Random(5)

    @property
    def state(self) -> State:
        return self.live.state

    @property
    def round(self) -> RoundState:
        assert self.state.round is not None
        return self.state.round

    async def get(self, address: str, status: int = 200) -> str:
        """A page by its whole address."""
        found, _, body = await ask(self.app, address)
        assert found == status, (address, found, body)
        return body.decode()

    async def page(self, address: str = "", status: int = 200) -> str:
        """A page of the event."""
        return await self.get(f"/e/cup{address}", status)

    async def me(self, player: str) -> str:
        """A player's own page."""
        return await self.get(player_address(await self.services.access.secret("players"), "cup", player))

    async def everything(self) -> dict[str, str]:
        """All there is to see in the hall, without the moment at which it was made."""
        players = list(self.state.players)[:3]
        found = {address: await self.page(address) for address in [*PAGES, *SCREENS]}
        found |= {player_id: await self.page(f"/player/{player_id}") for player_id in players}
        found |= {f"{player_id} now": await self.page(f"/player/{player_id}/now") for player_id in players}
        found |= {f"{player_id} me": await self.me(player_id) for player_id in players}
        found["q"] = await self.page("?q=a")
        found["front"] = await self.get("/")
        return {name: re.sub(r' data-(version|made|ends)="[^"]*"', "", text) for name, text in found.items()}

    async def do(self, *commands: c.AnyCommand) -> None:
        """Commands, each a step of its own."""
        for command in commands:
            await self.live.do([command], new_context("Mara"))

    async def report(self) -> None:
        """A result for every table that has none."""
        await self.live.do(make_reports(self.state, self.round.missing, self.random), new_context("Mara"))

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
    numbered = [*NAMES, *(f"Quinn {n}" for n in range(len(NAMES), 2000))]
    entering = numbered[:players] if isinstance(players, int) else players
    entries = [c.Register(name=one) if isinstance(one, str) else one for one in entering]

    async def told() -> None:
        store = await open_store(str(folder / "hall.db"))
        app = make_app(store)
        services: Services = app.state.services
        await services.events.begin()
        try:
            book = freeze_book(load(rules, readings))
            create = c.Create(name="Cup", book=book, options=convert(options, Options), rehearsal="hall")
            live = await services.events.create("cup", create, new_context("Mara"))
            if entries:
                await live.do(entries, new_context("Mara"))
            await story(Guest(app, live))
        finally:
            await services.events.close()
            await store.close()

    asyncio.run(told())


def rows_of(page: str) -> list[list[str]]:
    """The cells of all tables of a page, row by row; the headers first. Not all end tags need to be there."""
    rows = re.findall(r"(?s)<tr[ >].*?(?=<tr[ >]|</tbody>|</table>|</thead>)", page)
    return [[text_of(cell) for cell in re.split(r"<t[dh](?=[ >])", row)[1:]] for row in rows]


def text_of(page: str) -> str:
    """What a page, or a piece that may begin inside a tag, says."""
    page = re.sub(r"(?s)<head>.*?</head>", "", page)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub(r"^[^<>]*>", "", page))).split())
