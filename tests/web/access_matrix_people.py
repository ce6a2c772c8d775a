"""Everybody who is tried in the matrix, and events in every state to try them on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, get_args

from tests.web.access_matrix_tables import NOBODY, OPEN, ROLE, WON
from tests.web.app_in_process import PASSWORD, Answer, Caller, World, posted, started
from topcut.app.access.player_links import slip_address
from topcut.app.access.roles import Role
from topcut.app.clock import utc_now
from topcut.app.execute import new_context
from topcut.app.live_events import LiveEvent
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.facts import Result


@dataclass(frozen=True)
class Somebody:
    """A row of the matrix."""

    caller: Caller
    rights: set[str]
    home: bool = True
    """Whether the event is one of theirs."""
    wide: bool = False
    """Whether they reach more than one."""
    known: bool = True
    """Whether they have a link at all."""

    @property
    def program(self) -> bool:
        return "authorization" in self.caller.headers

    def ways(self, program: str, browser: str) -> list[str]:
        """By which of two addresses they give commands."""
        if not self.known or self.wide:
            return [program, browser]
        return [program if self.program else browser]

    def refused(self, takes: str) -> int:
        """The status with which an address refuses them; 0 where it does not."""
        needed = set(takes.split()) - {"wide"}
        about_event = "wide" not in takes
        if needed <= OPEN:  # a program says who it is, and is held to it where it belongs
            return 403 if self.program and self.home and about_event and not needed <= self.rights else 0
        if not self.known:
            return 401
        may = needed <= self.rights and (self.home if about_event else self.wide)
        return 0 if may else 403


ROLE_NAMES: tuple[Role, ...] = get_args(Role)[:6]
ROWS = [
    *(f"{role}, {how}" for role in ROLE_NAMES for how in ("program", "browser")),
    "player",
    "public",
    "organiser elsewhere, program",
    "organiser elsewhere, browser",
    "rival account",
    "own account",
    "host",
]


class Matrix:
    """The world of this test, with everybody in it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.people: dict[str, Somebody] = {}
        self.lives: dict[str, LiveEvent] = {}
        self.values: dict[str, str] = {}
        self.slip = ""

    async def fill(self) -> None:
        world = self.world
        await self._events()
        for login in ("shop", "rival"):
            await world.access.accounts.add(login, f"The {login}", PASSWORD, utc_now())
        for role in ROLE_NAMES:
            program = await world.token(role, "cup", f"{role} program")
            self.people[f"{role}, program"] = Somebody(program, ROLE[role])
            browser = await world.session(role, "cup", f"{role} browser")
            self.people[f"{role}, browser"] = Somebody(browser, ROLE[role])
        for name in ("player", "public"):
            self.people[name] = Somebody(world.public, ROLE[name], known=False)
        far = (await world.token("organiser", "other"), await world.session("organiser", "other"))
        for how, caller in zip(("program", "browser"), far, strict=True):
            self.people[f"organiser elsewhere, {how}"] = Somebody(caller, ROLE["organiser"], home=False)
        for name, login in (("rival account", "rival"), ("own account", "shop")):
            came = await world.public.post("/sign-in", {"login": login, "password": PASSWORD})
            caller = await self._signed_in(came)
            self.people[name] = Somebody(caller, ROLE["organiser"], home=login == "shop", wide=True)
        host = await world.token("organiser", name="Host")
        self.people["host"] = Somebody(host, ROLE["organiser"], wide=True)

    async def _events(self) -> None:
        """One event in each state; every one of the shop's but one."""
        for name in ("cup", "playing", "paused", "whole", "ended", "draft", "posted", "other"):
            live = await self.world.event(name, owner="rival" if name == "other" else "shop")
            self.lives[name] = live
        mara = new_context("Mara")
        for name in ("cup", "playing", "paused", "whole", "ended"):
            live = self.lives[name]
            await live.do([c.FixTable(player="p1", table=9)], mara)
            self.taken_back = live.version
            await live.do([c.Undo()], mara)
            await started(live)
            await live.do([c.Report(table=1, result=Result(games=(2, 0, 0)))], mara)
        await self.lives["paused"].do([c.Pause()], mara)
        for name in ("whole", "ended"):
            await self.lives[name].do([c.Report(table=2, result=Result(games=(2, 0, 0)))], mara)
        await self.lives["ended"].do([c.End()], mara)
        await self.lives["draft"].do([c.Pair()], mara)
        await posted(self.lives["posted"])
        link = (await self.world.own("cup", "p1")).rpartition("/")[2]
        a_round = self.lives["cup"].state.round
        assert a_round is not None
        self.slip = slip_address(await self.world.access.secret("players"), "cup", a_round, 2)
        self.values = {"event": "cup", "player": "p1", "signed": link, "number": "1", "table": "1"}
        self.values |= {"rules": "mtr", "name": "bad-input", "id": "x", "kind": "pairings", "digest": "x"}
        self.values["language"] = "de"

    async def _signed_in(self, came: Answer) -> Caller:
        cookie = came.headers["set-cookie"].partition(";")[0]
        page = await Caller(self.world.app, {"cookie": cookie}).get("/")
        csrf = re.search(r'name="csrf" content="([^"]+)"', page.text)
        assert csrf is not None
        return Caller(self.world.app, {"cookie": cookie, "x-csrf": csrf[1]})

    def address(self, path: str, **values: str) -> str:
        if "/slip/" in path:
            return self.slip + ("/report" if path.endswith("/report") else "")
        filled = re.sub(r"{(\w+):\w+}", lambda part: (self.values | values)[part[1]], path)
        return filled.replace("/static/x/bad-input", "/static/x/style.css")

    async def body(self, address: str) -> Any:
        """Something that can be sent there and does no harm."""
        if address.endswith("/enter"):
            return {"key": await self.world.access.make_link("X", "cup", role="display")}
        if address.endswith("/sign-in"):
            return {"login": "shop", "password": PASSWORD}
        said: dict[str, Any] = {"result": WON, "round": 1, "table": 1, "players": ["p1", "p2"]}
        a_round = self.lives["cup"].state.round
        assert a_round is not None
        seated = a_round.get_table(2).players
        bodies = {
            "/do": {"commands": []},
            "/commands": {"commands": []},
            "/entry": {"text": "?"},
            "/swap": {"first": NOBODY, "second": NOBODY},
            "/list": {"text": ""},
            "/paste": {"text": ""},
            "/links": {"name": ""},
            "/links/revoke": {"link": "x"},
            "/webhooks": {"url": "x"},
            "/replay": {"since": 0},
            "/questions": {"about": "points"},
            "/new": {"name": "", "rules": "mtr"},
            "/events": {"name": "", "rules": "mtr"},
            "/new/file": {"text": ""},
            "/imports": {"text": ""},
            f"{self.slip}/report": said | {"table": 2, "players": seated, "player": seated[0]},
            "/report": said,
        }
        return next((sent for end, sent in bodies.items() if address.endswith(end)), {})

    async def as_before(self, live: LiveEvent, version: int) -> None:
        """Mara takes back what was done."""
        if live.version == version:
            return
        back: c.AnyCommand = c.Undo()
        last = live.session.log.entries[-1].fact
        if isinstance(last, f.Undone):
            back = c.Redo()
        elif isinstance(last, f.Redone):
            back = c.Undo(step=self.taken_back)
        await live.do([back], new_context("Mara"))
