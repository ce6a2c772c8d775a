"""Does a server of today let in those whom the version before let in, and tell and do what was told and done?

`test_upgrade.py` says what to do where one of these tests fails.
"""

from __future__ import annotations

import hmac
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from wsgiref.simple_server import make_server

import httpx
import pytest

from tests.upgrade import recorded_answers
from tests.upgrade.example_events import (
    BROUGHT,
    DRAFT,
    EVENTS,
    FINISHED,
    RUNNING,
    SHOP,
    TAKEN,
    Desk,
    first_wins,
)
from tests.upgrade.fixture_files import data, lines, unpacked
from tests.upgrade.running_program import API, Program, Served, good, served, typed

pytestmark = pytest.mark.large  # it starts servers in processes of their own
SECRETS = data("secrets.json")
COOKIES = SECRETS["cookies"]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve the database of the version before, for tests that only look at it."""
    with served(unpacked(tmp_path_factory.mktemp("before")), "--no-link") as server:
        yield server


@pytest.fixture(scope="module")
def program(shown: Served) -> Program:
    return shown.program(SECRETS["token"])


@dataclass
class Receiver:
    """A program that is told of an event by a webhook."""

    port: int = 0
    came: list[tuple[dict[str, Any], bytes]] = field(default_factory=list)

    def take(self, request: dict[str, Any], answer: Callable[..., Any]) -> list[bytes]:
        """Take a delivery, as WSGI hands it on."""
        self.came.append((request, request["wsgi.input"].read(int(request["CONTENT_LENGTH"]))))
        answer("204 No Content", [])
        return []


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    """Listen for webhooks."""
    one = Receiver()
    with make_server("127.0.0.1", 0, one.take) as listening:
        one.port = listening.server_port
        thread = threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield one
        listening.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, receiver: Receiver) -> Path:
    """A database of the version before that changes: each test changes something else in it.

    Its webhook gets another address, since the port that is free then is not known before.
    """
    made = unpacked(tmp_path_factory.mktemp("after"))
    old, new = SECRETS["webhook"]["webhook"]["url"], f"http://127.0.0.1:{receiver.port}/topcut"
    with closing(sqlite3.connect(made)) as file:
        ((key, value),) = file.execute("SELECT key, value FROM kept WHERE space = 'hook'").fetchall()
        moved = value.replace(old.encode(), new.encode())
        file.execute("UPDATE kept SET value = ? WHERE space = 'hook' AND key = ?", (moved, key))
        file.commit()
    return made


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Served]:
    """Serve the database that changes."""
    with served(database, "--no-link") as one:
        yield one


def test_a_token_of_then_is_told_what_it_was_told(program: Program) -> None:
    expected = data("answers.json")
    found = recorded_answers.asked(program, list(expected))
    assert list(recorded_answers.missing(expected, found)) == []


def test_the_api_tells_the_facts_of_then(program: Program) -> None:
    facts = [fact["fact"]["fact"] for event in EVENTS for fact in recorded_answers.log(program, event)]
    assert set(facts) == lines("facts.txt")


def test_the_api_is_described_as_then_or_takes_more(program: Program) -> None:
    api = program.ask("/openapi.json")
    assert sorted(lines("commands.txt") - recorded_answers.command_tags(api)) == []
    now = recorded_answers.described(api)
    assert sorted(line for line in lines("api.txt") - now if not has_grown(line, now)) == []


def has_grown(line: str, now: set[str]) -> bool:
    """Return whether a line names one of several types, as it does now with more of them: a new command."""
    name, _, kinds = line.partition(" [")
    grown = (one.partition(" [")[2].rstrip("]").split("|") for one in now if one.startswith(f"{name} ["))
    return bool(kinds) and any({*kinds.rstrip("]").split("|")} <= {*one} for one in grown)


def test_a_tag_of_then_says_that_nothing_has_changed(program: Program) -> None:
    known = {"if-none-match": SECRETS["tag"]}
    assert program.client.get(f"{API}/events/{RUNNING}", headers=known).status_code == 304


def test_a_stream_is_taken_up_where_it_was_left(program: Program) -> None:
    version = data("answers.json")[f"/events/{RUNNING}"]["version"]
    with program.client.stream("GET", f"{API}/events/{RUNNING}/stream?since={version - 1}") as stream:
        told = stream.iter_lines()
        assert next(line for line in told if line.startswith("id:")) == f"id: {version}"
        assert [next(told), next(told)[:6]] == ["event: change", "data: "]


def test_every_page_of_then_opens(shown: Served) -> None:
    browser = shown.client(COOKIES["organiser"])
    recorded = [line.rsplit(" ", 1) for line in sorted(lines("pages.txt"))]
    found = {path: str(browser.get(path).status_code) for path, _ in recorded}
    assert found == dict(recorded)


@pytest.mark.parametrize(
    ("who", "opens", "closed"),
    [
        ("organiser", [f"/desk/{RUNNING}", f"/desk/{SHOP}"], []),
        ("judge", [f"/desk/{RUNNING}"], [f"/desk/{FINISHED}", "/new"]),
        ("account", [f"/desk/{SHOP}"], [f"/desk/{RUNNING}"]),
    ],
)
def test_a_browser_that_had_signed_in_still_is(
    shown: Served, who: str, opens: list[str], closed: list[str]
) -> None:
    browser = shown.client(COOKIES[who])
    assert [browser.get(path).status_code for path in opens] == [200] * len(opens)
    assert [browser.get(path).status_code for path in closed] == [403] * len(closed)


def test_a_token_of_then_has_its_rights_and_no_others(shown: Served) -> None:
    clock = shown.program(SECRETS["exact"])
    assert clock.ask("")["you"]["rights"] == ["hall", "time"]
    refused = clock.send(f"/events/{RUNNING}/commands", {"commands": [{"do": "end"}]})
    assert (refused.status_code, refused.json()["type"]) == (403, f"{API}/problems/not-allowed")


def entered(server: Served, key: str) -> httpx.Response:
    """Open a link in a new browser."""
    return server.client().post("/enter", json={"key": key})


def test_every_link_of_then_lets_in(server: Served) -> None:
    assert good(entered(server, SECRETS["organiser"])).json() == {"go": "/"}
    assert good(entered(server, SECRETS["judge"])).json() == {"go": f"/desk/{RUNNING}"}
    assert good(entered(server, SECRETS["unused_link"])).json() == {"go": "/"}
    for used in (SECRETS["unused_link"], SECRETS["used_link"]):
        refused = entered(server, used)
        assert refused.status_code == 401
        assert "used" in refused.json()


def test_a_password_of_then_lets_in(server: Served) -> None:
    browser = server.client()
    good(browser.post("/sign-in", json=SECRETS["account"]))
    assert browser.get(f"/desk/{SHOP}").status_code == 200


def test_a_request_of_then_that_is_sent_again_is_not_done_again(server: Served) -> None:
    sent = SECRETS["sent"]
    program = server.program(SECRETS["token"])
    answer = good(program.send(sent["path"], sent["body"], idempotency_key=sent["key"]))
    assert answer.headers["idempotency-replayed"] == "true"
    assert answer.json() == sent["answer"]


def clicked(server: Served, who: str, path: str, body: dict[str, Any]) -> httpx.Response:
    """Send what a page of the running event sends, in a browser that had signed in."""
    browser = server.client(COOKIES[who])
    csrf = re.search(r'name="csrf" content="([^"]+)"', browser.get(f"/desk/{RUNNING}").text)
    assert csrf is not None
    return browser.post(f"/desk/{RUNNING}/{path}", json=body, headers={"x-csrf": csrf[1]})


def test_a_page_that_is_open_since_then_understands_what_is_refused(shown: Served) -> None:
    reported = SECRETS["sent"]["body"]["commands"][0]
    other = reported | {"result": {"games": [0, 2, 0]}}
    assert clicked(shown, "organiser", "do", {"commands": [other]}).json()["kind"] == "AlreadyReported"
    line = {"text": f"{reported['table']} 0-2", "sure": True, "saw": "another thing"}
    assert clicked(shown, "organiser", "entry", line).json()["kind"] == "Changed"


def test_the_event_of_then_goes_on(server: Served, database: Path) -> None:
    desk = Desk(server, server.program(SECRETS["token"]), RUNNING)

    phone = SECRETS["phone"]  # the opponent has said the same already
    desk.claim(phone["player"], phone["table"], [2, 0, 0])
    number = int(SECRETS["slip"].split("/")[5])
    seen = {"round": 2, "table": number, "players": desk.seated(number), "result": {"games": [0, 2, 0]}}
    for player in desk.seated(number):
        good(server.client().post(f"{SECRETS['slip']}/report", json=seen | {"player": player}))
    assert {phone["table"], number} <= {table["table"] for table in desk.tables() if table["reported"]}

    table = next(table["table"] for table in desk.tables() if not table["reported"])
    report = {"do": "report", "table": table, "result": {"games": [2, 1, 0]}}
    good(clicked(server, "judge", "do", {"commands": [report]}))

    desk.end(first_wins)
    desk.begin(50)
    assert desk.organiser.ask(f"/events/{RUNNING}")["round"] == 3
    assert in_order(database, RUNNING)
    correct = {"do": "correct", "round": 1, "table": 1, "result": {"games": [0, 2, 0]}}
    assert clicked(server, "organiser", "do", {"commands": [correct]}).json()["kind"] == "RecordClosed"


def in_order(database: Path, event: str) -> bool:
    return bool(json.loads(typed("check", "--event", event, "--database", str(database), "--json"))["ok"])


def test_the_other_events_of_then_go_on(server: Served) -> None:
    program = server.program(SECRETS["token"])

    for event in (BROUGHT, DRAFT):
        desk = Desk(server, program, event)
        desk.do({"do": "start"})
        desk.end(first_wins)
        desk.begin()
    Desk(server, program, TAKEN).begin()
    Desk(server, server.program(SECRETS["shop_token"]), SHOP).begin()
    program.do(FINISHED, {"do": "reopen", "reason": "a protest"})

    now = {event: program.ask(f"/events/{event}") for event in EVENTS}
    assert [now[event]["round"] for event in (BROUGHT, DRAFT, TAKEN, SHOP)] == [3, 2, 4, 1]
    assert now[FINISHED]["finished"] is None


def test_a_webhook_of_then_is_signed_with_its_secret(server: Served, receiver: Receiver) -> None:
    hook = SECRETS["webhook"]["webhook"]["id"]
    program = server.program(SECRETS["token"])
    assert good(program.send(f"/events/{RUNNING}/webhooks/{hook}/test", {})).json()["status"] == 204
    ((request, body),) = receiver.came
    assert (json.loads(body)["event"], json.loads(body)["hook"]) == (RUNNING, hook)
    signed = f"{request['HTTP_TOPCUT_TIMESTAMP']}.".encode() + body
    expected = hmac.new(SECRETS["webhook"]["secret"].encode(), signed, "sha256").hexdigest()
    assert request["HTTP_TOPCUT_SIGNATURE"] == f"v1={expected}"
