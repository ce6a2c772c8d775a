"""Several organisers' events behind one application, and whoever asks for something there.

    async def story() -> None:
        await world.event("cup")
        judge = await world.token("judge", "cup")
        assert (await judge.get("/desk/cup")).status == 200

    world.run(story())

Requests go through the whole application, in this process.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from litestar import Litestar

from topcut.app.access.access import A_DAY, Access
from topcut.app.access.player_links import player_address
from topcut.app.access.roles import Role
from topcut.app.execute import new_context
from topcut.app.limits import Limits
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.event import commands as c
from topcut.event.facts import Result
from topcut.event.rights import Right
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.server.app import make_app
from topcut.store import Store, open_store

T = TypeVar("T")
HOST = "hall.test"
PASSWORD = "correct horse battery"
HEARD = 2
"""Messages of a stream that are waited for: the first says only that it is there."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Caller:
    """Somebody who asks, with what they always send."""

    app: Litestar
    headers: Mapping[str, str] = field(default_factory=dict)

    async def get(self, address: str, **headers: Any) -> Answer:
        return await self.ask("GET", address, **headers)

    async def post(self, address: str, body: Any, **headers: Any) -> Answer:
        return await self.ask("POST", address, body, **headers)

    async def do(self, event: str, *commands: dict[str, Any]) -> Answer:
        """Give commands by the API."""
        return await self.post(f"/api/v1/events/{event}/commands", {"commands": commands})

    async def ask(self, method: str, address: str, body: Any = None, **headers: str) -> Answer:
        """One request, with JSON or with bytes as they are; of a stream only what comes at once."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        given = {"host": HOST, "content-length": str(len(sent))} | dict(self.headers)
        given |= {"content-type": "application/json"} if sent else {}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return await answered(self.app, method, address, sent, given)


async def answered(
    app: Litestar, method: str, address: str, body: bytes, headers: Mapping[str, str]
) -> Answer:
    """What an application says to a request, as a server would hand it on."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "server": (HOST, 80),
        "client": ("10.0.0.1", 1),
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
    }
    sent: list[Any] = []
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    enough = asyncio.Event()

    async def receive() -> Any:
        if parts:
            return parts.pop()
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) > HEARD and b"text/event-stream" in dict(sent[0]["headers"]).get(b"content-type", b""):
            enough.set()

    asking = asyncio.ensure_future(app(scope, receive, send))  # type: ignore[arg-type]
    heard = asyncio.ensure_future(enough.wait())
    await asyncio.wait([asking, heard], return_when=asyncio.FIRST_COMPLETED)
    for task in (heard, asking):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    found: dict[str, str] = {}
    for raw, value in sent[0]["headers"]:
        name = raw.decode().lower()
        found[name] = f"{found[name]}, {value.decode()}" if name in found else value.decode()
    return Answer(sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))


class World:
    """One application, and everybody who comes to it."""

    def __init__(self, runner: asyncio.Runner, store: Store) -> None:
        self._runner = runner
        self.store = store
        self.app = make_app(store)
        self.services: Services = self.app.state.services
        self.services.clock = lambda: 0.0  # however long a story takes, no limit is lifted in it
        self.access: Access = self.services.access
        self.public = Caller(self.app)

    @staticmethod
    @contextmanager
    def opened(database: str) -> Iterator[World]:
        with asyncio.Runner() as runner:
            store = runner.run(open_store(database))
            world = runner.run(_made(runner, store))
            try:
                yield world
            finally:
                runner.run(world.services.events.close())
                runner.run(store.close())

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """Tell a story; nobody has asked for too much before it."""
        self.rest()
        return self._runner.run(story)

    def rest(self) -> None:
        """It is as if nobody had asked for anything lately."""
        self.services.limits = Limits()

    async def event(
        self,
        event_id: str,
        owner: str | None = None,
        rules: str = "pokemon-2017",
        players: int | list[c.Register] = 4,
        name: str = "",
        **options: Any,
    ) -> LiveEvent:
        """A new event; every other player is shown by another name than their own."""
        create = c.Create(
            name=name or event_id.capitalize(),
            book=freeze_book(load(rules)),
            options=Options(**options),
            rehearsal=event_id,
        )
        live = await self.services.events.create(event_id, create, new_context("Mara"))
        await self.access.give_event(event_id, owner)
        entries = (
            [person(number) for number in range(1, players + 1)] if isinstance(players, int) else players
        )
        if entries:
            await live.do(entries, new_context("Mara"))
        return live

    async def token(
        self, role: Role, event: str | None = None, name: str = "", owner: str | None = None, *rights: Right
    ) -> Caller:
        """A program with a token."""
        key = await self.access.make_link(
            name or role.title(),
            event,
            role=role,
            rights=rights or None,
            owner=owner,
            token=True,
            lasts=A_DAY,
        )
        return self.bearing(key)

    def bearing(self, key: str) -> Caller:
        return Caller(self.app, {"authorization": f"Bearer {key}"})

    async def session(
        self, role: Role, event: str | None = None, name: str = "", owner: str | None = None, *rights: Right
    ) -> Caller:
        """Somebody with a browser who came in by a link, and sends what pages of ours send."""
        key = await self.access.make_link(
            name or role.title(), event, role=role, rights=rights or None, owner=owner, lasts=A_DAY
        )
        came = await self.access.enter(key)
        assert came is not None
        return Caller(self.app, {"cookie": f"{await self.access.cookie()}={came[0]}", "x-csrf": came[1].csrf})

    async def own(self, event: str, player: str) -> str:
        """The address of a player's own page."""
        return player_address(await self.access.secret("players"), event, player)


async def _made(runner: asyncio.Runner, store: Store) -> World:
    world = World(runner, store)
    await world.services.events.begin()
    return world


def person(number: int) -> c.Register:
    """A player: those with odd numbers have a display name; everybody has a number and a birth year."""
    display = f"Shown{number}" if number % 2 else None
    return c.Register(
        name=f"Legal{number} Person", display=display, member=f"MEMBER-{number}", born=1990 + number
    )


async def posted(live: LiveEvent) -> None:
    """A round is drawn and posted."""
    for command in (c.Pair(), c.Publish()):
        await live.do([command], new_context("Mara"))


async def started(live: LiveEvent) -> None:
    """A round is drawn, posted and played."""
    await posted(live)
    await live.do([c.Start(minutes=50)], new_context("Mara"))


async def played(live: LiveEvent) -> None:
    """A whole round; the first player of every table wins."""
    await started(live)
    assert live.state.round is not None
    tables = [table.table for table in live.state.round.missing if isinstance(table.table, int)]
    won = [c.Report(table=table, result=Result(games=(2, 0, 0))) for table in tables]
    await live.do(won, new_context("Mara"))
    await live.do([c.End()], new_context("Mara"))


def database(folder: Path) -> str:
    return str(folder / "world.db")
