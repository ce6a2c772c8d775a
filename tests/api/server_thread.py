"""The application behind a real socket, in a thread of this process.

with Served(folder / "api.db") as served:
    key = served.token("scorekeeper", "cup")
    assert served.http(key).get("/events/cup").status_code == 200

A test may look into it (`served.services`) and act in it (`served.do`). What a kill leaves behind is
for `tests.web.server_process.Site`, which is a process of its own.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from tests.timeouts import PATIENCE
from topcut.app.access.access import A_DAY
from topcut.app.access.roles import Role
from topcut.app.demo import make_reports
from topcut.app.execute import new_context
from topcut.app.limits import UNLIMITED, Limits, Rates
from topcut.app.services import Services
from topcut.event import commands as c
from topcut.event.rights import Right
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book
from topcut.rulebook.options import Options
from topcut.server.app import make_app
from topcut.server.serve import Server, bind_socket
from topcut.store import open_store

T = TypeVar("T")
API = "/api/v1"
FREE = Rates(*[UNLIMITED] * 7)
"""No limits: what a test asks for in a second is more than anybody does."""


class Served:
    """One server; it can be stopped and started again at the same port."""

    def __init__(self, database: Path | str, rates: Rates = FREE) -> None:
        self.database, self.rates = str(database), rates
        self.port = 0
        self.services: Services
        self._names = 0
        self._clients: list[httpx.Client] = []
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.close()
        self.stop()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Open the database and listen."""
        sock = bind_socket("127.0.0.1", self.port)
        self.port = sock.getsockname()[1]
        ready = threading.Event()

        async def serving() -> None:
            store = await open_store(self.database)
            app = make_app(store, chores=False)  # nothing is sent to addresses that a test makes up
            self.services = app.state.services
            self.services.limits = Limits(self.rates, self.rates)
            self._loop = asyncio.get_running_loop()
            self._server = Server(app, sock, ready.set)
            await self._server.serve_here()
            await store.close()

        self._thread = threading.Thread(target=lambda: asyncio.run(serving()), daemon=True)
        self._thread.start()
        while not ready.wait(0.05):
            assert self._thread.is_alive(), "the server did not start"

    def stop(self) -> None:
        """Stop it, as Ctrl+C does."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._server.handle_exit, signal.SIGINT, None)
            self._thread.join()

    def run(self, work: Awaitable[T]) -> T:
        """What something in the server's own loop comes to."""

        async def waited() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(waited(), self._loop).result(60)

    def http(self, token: str = "", **headers: str) -> httpx.Client:
        """Somebody who speaks to the API."""
        given = headers | ({"authorization": f"Bearer {token}"} if token else {})
        client = httpx.Client(base_url=self.address + API, headers=given, trust_env=False, timeout=PATIENCE)
        self._clients.append(client)
        return client

    def token(
        self,
        role: Role = "organiser",
        event: str | None = None,
        rights: tuple[Right, ...] | None = None,
        lasts: timedelta = A_DAY,
    ) -> str:
        """A new token."""
        self._names += 1
        link = self.services.access.make_link(
            f"{role} {self._names}", event, role=role, rights=rights, token=True, lasts=lasts
        )
        return self.run(link)

    def make(self, event: str, rules: str, players: list[c.Register], **options: Any) -> None:
        """An event with players."""

        async def work() -> None:
            create = c.Create(name=event.title(), book=freeze_book(load(rules)), options=Options(**options))
            live = await self.services.events.create(event, create, new_context("Mara"))
            if players:
                await live.do(players, new_context("Mara"))

        self.run(work())

    def do(self, event: str, *commands: c.AnyCommand) -> int:
        """The desk does something; the version it leads to."""

        async def work() -> int:
            live = await self.services.events.open_event(event)
            for command in commands:
                await live.do([command], new_context("Mara"))
            return live.version

        return self.run(work())

    def play(self, event: str, rounds: int = 1, whole: Callable[[int], bool] = lambda _: True) -> None:
        """Rounds; the last one ends only if `whole` says so."""
        from random import Random

        async def work() -> None:
            live = await self.services.events.open_event(event)
            for number in range(rounds):
                for command in (c.Pair(), c.Publish(), c.Start(minutes=50)):
                    await live.do([command], new_context("Mara"))
                assert live.state.round is not None
                missing = live.state.round.missing
                if not whole(number):
                    missing = missing[: len(missing) // 2]
                await live.do(make_reports(live.state, missing, Random(number)), new_context("Mara"))
                if whole(number):
                    await live.do([c.End()], new_context("Mara"))

        self.run(work())


def entries(*names: str) -> list[c.Register]:
    return [c.Register(name=name) for name in names]


class Cup:
    """An event of a server, for one test."""

    def __init__(self, served: Served, event: str) -> None:
        self.served, self.event = served, event
        self.path = f"/events/{event}"

    def http(self, token: str = "", **headers: str) -> httpx.Client:
        """Somebody whose requests are about this event."""
        client = self.served.http(token, **headers)
        client.base_url = client.base_url.join(f"{API}{self.path}/")
        return client

    def desk(self, **headers: str) -> httpx.Client:
        """An organiser of this event."""
        return self.http(self.served.token("organiser", self.event), **headers)

    def do(self, *commands: c.AnyCommand) -> int:
        return self.served.do(self.event, *commands)

    def play(self, rounds: int = 1) -> None:
        self.served.play(self.event, rounds)
