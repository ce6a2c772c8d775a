"""Pages of other sites: what everybody may see they may read, with a token they may do what it may, and that
under /api/v1 alone. And our own page about all this, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.api.server_thread import Cup, Served

ELSEWHERE = {"origin": "https://league.example"}
ASKED = "authorization, idempotency-key, if-match, content-type"


@pytest.mark.parametrize(
    "path", ["", "players", "rounds", "standings", "nothing", "rounds/9", "log", "players?limit=x"]
)
def test_another_site_may_read_what_is_said(cup: Cup, path: str) -> None:
    """Also what went wrong. Cookies are never sent along, for nothing here allows it."""
    answer = cup.http(**ELSEWHERE).get(path)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert "etag" in answer.headers["access-control-expose-headers"].casefold()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "commands"),
        ("GET", "log"),
        ("DELETE", "players/p1/data"),
        ("GET", "stream"),
        ("POST", "links"),
    ],
)
def test_a_browser_may_ask_before_it_sends_a_token(cup: Cup, method: str, path: str) -> None:
    asked = {"access-control-request-method": method, "access-control-request-headers": ASKED}
    answer = cup.http(**ELSEWHERE, **asked).options(path)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert method in answer.headers["access-control-allow-methods"]
    allowed = answer.headers["access-control-allow-headers"].casefold()
    assert set(ASKED.split(", ")) <= set(allowed.split(", "))


@pytest.mark.parametrize("path", ["/", "/desk/cup", "/e/cup", "/enter", "/new", "/static/x/y"])
def test_nothing_else_is_for_other_sites(shared: Served, path: str) -> None:
    client = shared.http(**ELSEWHERE, **{"access-control-request-method": "POST"})
    for answer in (client.get(shared.address + path), client.options(shared.address + path)):
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.fixture
def league(tmp_path: Path) -> Iterator[str]:
    """A page of another site."""
    (tmp_path / "index.html").write_text("<!doctype html><link rel=icon href=data:,><title>League</title>")
    server = HTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


SCRIPT = """async ([address, key, cup]) => {
    const told = await fetch(`${address}/events/${cup}`).then((r) => r.json());
    const headers = {
        "authorization": `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "one",
        "if-match": `"${told.version}"`,
    };
    const body = JSON.stringify({commands: [{do: "register", name: "Zoe"}]});
    const done = await fetch(`${address}/events/${cup}/commands`, {method: "POST", headers, body});
    const wrong = await fetch(`${address}/events/${cup}/commands`, {method: "POST", headers, body: "{}"});
    const heard = await new Promise((resolve) => {
        const stream = new EventSource(`${address}/events/${cup}/stream?since=0`);
        stream.addEventListener("change", (e) => { stream.close(); resolve(e.lastEventId); });
    });
    return {players: told.players, etag: done.headers.get("etag"), done: await done.json(),
        wrong: await wrong.json(), heard};
}"""


def test_a_page_of_another_site_works_in_a_real_browser(cup: Cup, browser: Browser, league: str) -> None:
    key = cup.served.token("organiser", cup.event)
    page = browser.new_page()
    page.goto(league)
    found = page.evaluate(SCRIPT, [f"{cup.served.address}/api/v1", key, cup.event])
    page.close()
    assert found["players"] == 4
    assert found["done"]["version"] == 6
    assert found["etag"].startswith('"6')
    assert found["wrong"]["type"] == "/api/v1/problems/bad-input"
    assert found["heard"] == "6"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_the_page_about_the_api(shared: Served, browser: Browser, width: int, scheme: str) -> None:
    """With everything on it opened: it loads nothing from elsewhere, breaks no policy, has nothing that axe
    finds, and is not cut off."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})  # type: ignore[arg-type]
    page = context.new_page()
    elsewhere, troubles = list[str](), list[str]()
    page.on("request", lambda request: elsewhere.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(f"{shared.address}/api/v1/docs")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
    described = shared.http().get("/openapi.json").json()
    text = page.inner_text("main")
    assert "`" not in text
    for path in described["paths"]:
        assert path in text
    assert [url for url in elsewhere if not url.startswith(shared.address)] == []
    assert troubles == []
    context.close()


def test_a_link_on_the_page_opens_what_it_leads_to(shared: Served, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{shared.address}/api/v1/docs#Register")
    assert page.locator("#Register").is_visible()
    assert page.locator("#Message").is_hidden()
    assert page.locator("details[open]").count() == 1
    page.close()
