"""Who comes in, and who does not: links, sessions, other sites' requests, headers, hostile addresses."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.timeouts import PATIENCE
from tests.web.server_process import Site
from topcut.app.access.access import A_DAY, Access, digest
from topcut.store import open_store


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("access"))
    site("new", "Cup", "--rules", "mtr", "--rehearsal", "cup")
    site("add", "Ada", "Bo", "Cy", "Di")
    yield site
    site.stop()


class Client:
    """Somebody who speaks HTTP."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookie = ""

    def ask(
        self, method: str, path: str, body: Any = None, raw: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=PATIENCE)
        sent = raw if raw is not None else json.dumps(body).encode() if body is not None else None
        given = {"content-type": "application/json"} if sent is not None else {}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            given["cookie"] = self.cookie
        connection.request(method, path, sent, given)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        text = answer.read().decode()
        connection.close()
        return answer.status, found, text

    def enter(self, link: str) -> int:
        status, headers, _ = self.ask("POST", "/enter", {"key": link.partition("#")[2]})
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return status

    def csrf(self, event: str = "cup") -> str:
        found = re.search(r'name="csrf" content="([^"]+)"', self.ask("GET", f"/desk/{event}")[2])
        assert found is not None
        return found[1]


PAIR = {"commands": [{"do": "check in"}]}


def test_the_organisers_link_opens_once(cup: Site) -> None:
    first, second = Client(cup), Client(cup)
    link = cup.link
    assert first.enter(link) == 200
    assert second.enter(link) == 401
    assert first.ask("GET", "/desk/cup")[0] == 200
    assert second.ask("GET", "/desk/cup")[0] == 401


def test_of_many_who_use_a_link_at_once_one_comes_in(tmp_path: Path) -> None:
    async def story() -> None:
        store = await open_store(str(tmp_path / "x.db"))
        access = Access(store)
        for _ in range(20):
            key = await access.make_link("Mara", once=True, lasts=A_DAY)
            came = await asyncio.gather(*(access.enter(key) for _ in range(8)))
            assert sum(one is not None for one in came) == 1
            assert await access.find_used_link(key) is not None
            assert await access.enter(key) is None
        await store.close()

    asyncio.run(story())


def test_a_session_that_an_older_version_kept_is_still_good(tmp_path: Path) -> None:
    async def story() -> None:
        store = await open_store(str(tmp_path / "x.db"))
        access = Access(store)
        kept = (
            b'{"name":"Mara","event":null,"link":null,"csrf":"c",'
            b'"came":{"name":"Mara","once":true,"made":"2026-11-14T09:00:00Z"}}'
        )
        await store.put_value("session", digest("cookie"), kept)
        who = await access.identify({await access.cookie(): "cookie"})
        assert who is not None
        assert (who.name, who.csrf, who.event, who.role) == ("Mara", "c", None, "organiser")
        await store.close()

    asyncio.run(story())


def test_a_session_is_a_cookie_that_scripts_and_other_sites_do_not_get(cup: Site) -> None:
    status, headers, _ = Client(cup).ask("POST", "/enter", {"key": cup.new_link().partition("#")[2]})
    assert status == 200
    cookie = headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


@pytest.mark.parametrize("csrf", ["", "wrong"])
def test_a_command_without_the_pages_token_is_refused(cup: Site, csrf: str) -> None:
    client = Client(cup)
    client.enter(cup.new_link())
    status, _, text = client.ask("POST", "/desk/cup/do", PAIR, x_csrf=csrf)
    assert status == 403
    assert "Reload it" in text
    assert "check" not in cup("log")


def test_a_form_of_another_site_is_refused(cup: Site) -> None:
    client = Client(cup)
    client.enter(cup.new_link())
    token = client.csrf()
    raw = b"commands=%5B%5D"
    status, _, _ = client.ask(
        "POST", "/desk/cup/do", raw=raw, content_type="application/x-www-form-urlencoded", x_csrf=token
    )
    assert status in (400, 415)


def test_links_run_out_and_end_their_sessions(tmp_path: Path) -> None:
    async def story() -> None:
        now = datetime(2026, 11, 14, 9, tzinfo=UTC)
        store = await open_store(str(tmp_path / "x.db"))
        access = Access(store, lambda: now)
        key = await access.make_link("Lena", "cup", lasts=A_DAY)
        came = await access.enter(key)
        assert came is not None
        token, session = came
        name = await access.cookie()
        who = await access.identify({name: token})
        assert who is not None
        assert (who.name, who.csrf) == ("Lena", session.csrf)
        assert await access.reaches(who, "cup")
        assert not await access.reaches(who, "other")
        assert await access.identify({name: token[:-1] + "x"}) is None
        assert await access.identify({"topcut": token}) is None
        now += timedelta(days=2)
        assert await access.enter(key) is None
        assert await access.identify({name: token}) is None
        await store.close()

    asyncio.run(story())


def test_keys_and_cookies_are_not_in_the_database(tmp_path: Path) -> None:
    async def story() -> tuple[str, str]:
        store = await open_store(str(tmp_path / "x.db"))
        access = Access(store)
        key = await access.make_link("Lena", lasts=A_DAY)
        came = await access.enter(key)
        assert came is not None
        await store.close()
        return key, came[0]

    key, token = asyncio.run(story())
    for path in tmp_path.iterdir():
        raw = path.read_bytes()
        assert key.encode() not in raw
        assert token.encode() not in raw


def test_pages_let_nothing_else_in(cup: Site) -> None:
    for path in ("/", "/e/cup", "/e/cup/pairings", "/enter", "/nothing", "/e/nothing"):
        _, headers, text = Client(cup).ask("GET", path)
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "<script>" not in text
        assert " style=" not in text
        assert " onclick=" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../app.py",
        "/static/x/%2e%2e/app.py",
        "/static/x/..%2f..%2fapp.py",
        "/static//etc/passwd",
        "/e/%2e%2e/%2e%2e/etc",
        "/e/cup%00",
        "/e/cup/player/%3Cscript%3E",
        "/e/cup/me/p1/00",
        "/e/cup/pairings?number=99999999999999999999999",
        "/e/cup/pairings?number=x",
        "/e/" + "x" * 3000,
    ],
    ids=lambda path: path[:60],
)
def test_strange_addresses_get_one_clear_page(cup: Site, path: str) -> None:
    status, _, text = Client(cup).ask("GET", path)
    assert status in (400, 404, 422)
    assert "Traceback" not in text
    assert "<script>" not in text.replace("<script type", "")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"commands": 1}', 400),
        (b'{"commands": [{"do": "nothing"}]}', 422),
        (b'{"commands": [{"do": "drop"}]}', 422),
        (b'{"commands": [{"do": "drop", "player": "nobody"}]}', 422),
        (b'{"commands": [{"do": "drop", "player": 5}]}', 422),
        (b"\xff\xfe", 400),
        (b'{"commands": [' + b"[" * 5000 + b"]", 400),
        (b'{"commands": []}' + b" " * 3_000_000, 413),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_bad_bodies_change_nothing_and_get_one_line(cup: Site, raw: bytes, status: int) -> None:
    client = Client(cup)
    client.enter(cup.new_link())
    before = cup.json("event", "show")["version"]
    found, _, text = client.ask("POST", "/desk/cup/do", raw=raw, x_csrf=client.csrf())
    assert found == status
    answer = json.loads(text)
    assert answer["error"]
    assert "\n" not in answer["error"]
    assert cup.json("event", "show")["version"] == before


def test_names_are_shown_as_text_wherever_they_stand(cup: Site) -> None:
    cup("new", "Evil <blink>", "--rules", "mtr", "--id", "evil", "--rehearsal", "x")
    cup("add", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "--event", "evil")
    for step in ("pair", "publish", "start"):
        cup("round", step, "--event", "evil")
    cup("report", "1", "2-0", "--event", "evil")
    cup("round", "end", "--event", "evil")
    client = Client(cup)
    client.enter(cup.new_link())
    for path in (
        "/",
        "/e/evil",
        "/e/evil?q=script",
        "/e/evil/pairings",
        "/e/evil/pairings?by=table",
        "/e/evil/standings",
        "/e/evil/player/p1",
        "/e/evil/changes",
        "/e/evil/screen",
        "/desk/evil",
        "/desk/evil/players",
        "/desk/evil/players/p2",
        "/desk/evil/standings?player=p1",
        "/desk/evil/log",
        "/desk/evil/event",
    ):
        status, _, text = client.ask("GET", path)
        assert status == 200, path
        assert "<script>" not in text, path
        assert "<img src=x" not in text, path
        assert "<blink>" not in text, path


def test_a_draw_cannot_be_tried_first_at_the_desk(cup: Site) -> None:
    """A list that goes on after a draw is refused before it is drawn, and the log holds nothing of it."""
    client = Client(cup)
    client.enter(cup.new_link())
    wrong = {"do": "report", "table": 1, "result": {"games": [2, 0, 0]}, "players": ["p1", "p2"]}
    commands = [{"do": "pair"}, {"do": "publish"}, {"do": "start"}, wrong]
    status, _, text = client.ask("POST", "/desk/cup/do", {"commands": commands}, x_csrf=client.csrf())
    assert status == 422
    assert "only publishing and starting the round can follow" in text
    assert "sit at table" not in text
    assert "paired" not in cup("log", "--event", "cup")
