"""Tokens: what one may do is what it was given, where it was given, and for as long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.api.server_thread import Cup, Served
from tests.api.test_stream import following
from topcut.app.access.access import A_DAY
from topcut.app.clock import utc_now
from topcut.event import commands as c

WON = {"games": [2, 0, 0]}


def do(**command: Any) -> dict[str, Any]:
    return {"commands": [command]}


@pytest.fixture
def started(cup: Cup) -> Cup:
    cup.do(c.Pair(), c.Publish(), c.Start())
    return cup


def test_a_token_may_do_exactly_what_it_was_given(started: Cup) -> None:
    """To enter a result and to change it are two rights."""
    token = started.served.token("scorekeeper", started.event, rights=("hall", "desk", "enter"))
    program = started.http(token)
    you = started.served.http(token).get("").json()["you"]
    assert (you["rights"], you["event"]) == (["desk", "enter", "hall"], started.event)
    assert program.post("commands", json=do(do="report", table=1, result=WON)).status_code == 200
    for command, right in (
        (do(do="correct", table=1, result={"games": [0, 2, 0]}), "change"),
        (do(do="end"), "rounds"),
        (do(do="drop", player="p1"), "drop"),
        (do(do="disqualify", player="p1", reason="x"), "penalties"),
        (do(do="extend", table=2, minutes=3), "time"),
        (do(do="extend", minutes=3), "time"),
        (do(do="register", name="Zoe"), "players"),
    ):
        refused = program.post("commands", json=command)
        assert (refused.status_code, refused.json()["type"]) == (403, "/api/v1/problems/not-allowed")
        assert refused.json()["right"] == right
    for path, right in (("links", "staff"), ("webhooks", "hooks"), ("export", "export")):
        refused = program.get(path)
        assert (refused.status_code, refused.json()["right"]) == (403, right)


def test_a_line_of_the_entry_bar_takes_the_right_of_what_it_means(started: Cup) -> None:
    token = started.served.token("scorekeeper", started.event, rights=("hall", "desk", "enter"))
    program = started.http(token)
    meant = program.post("previews/entry", json={"text": "1 2-0"}).json()
    done = program.post("entry", json={"text": "1 2-0", "saw": meant["saw"]})
    assert done.json()["done"] == meant["says"]
    changed = program.post("entry", json={"text": "1 0-2"})
    assert (changed.status_code, changed.json()["right"]) == (403, "change")


def test_who_may_not_know_people_is_not_told(cup: Cup) -> None:
    cup.do(c.Register(name="Legal Larry", display="Zed", born=2011, member="M-1234"))
    judge = cup.http(cup.served.token("judge", cup.event)).get("players/p5").json()
    assert judge["name"] == "Zed"
    assert not {"legal_name", "born", "member"} & set(judge)
    keeper = cup.desk().get("players/p5").json()
    assert (keeper["legal_name"], keeper["born"], keeper["member"]) == ("Legal Larry", 2011, "M-1234")
    everybody = cup.http().get("players/p5").json()
    assert everybody == {"id": "p5", "name": "Zed"}


def test_a_token_is_for_its_event(cup: Cup) -> None:
    other = cup.http(cup.served.token("organiser", "another"))
    assert other.get("").json()["id"] == cup.event, "what everybody sees they see too"
    assert other.get("").headers["etag"] == cup.http().get("").headers["etag"]
    for refused in (other.get("log"), other.post("commands", json=do(do="pair")), other.get("links")):
        assert (refused.status_code, refused.json()["type"]) == (403, "/api/v1/problems/forbidden")
    made = cup.served.http(cup.served.token("organiser", "another")).post(
        "/events", json={"name": "X", "rules": "mtr"}
    )
    assert made.status_code == 403


def test_a_token_is_made_and_revoked_by_the_api(cup: Cup) -> None:
    desk = cup.desk()
    made = desk.post("links", json={"name": "Overlay", "role": "judge", "token": True, "days": 2})
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    new = made.json()
    program = cup.http(new["key"])
    assert program.get("log").status_code == 200
    listed = desk.get("links")
    assert new["link"] in listed.json()["items"]
    assert new["key"] not in listed.text
    with following(program) as heard:
        assert desk.delete(f"links/{new['link']['id']}").status_code == 204
        assert program.get("log").status_code == 401
        assert program.get("").status_code == 401, (
            "a program that thinks it is somebody is told that it is not"
        )
        cup.do(c.Register(name="Zoe"))
        assert list(heard.messages()) == [], "the stream ends before it says anything more"
    again = desk.delete(f"links/{new['link']['id']}")
    assert (again.status_code, again.json()["type"]) == (404, "/api/v1/problems/no-such-link")


def test_two_tokens_have_two_names(cup: Cup) -> None:
    desk = cup.desk()
    assert desk.post("links", json={"name": "Overlay", "token": True}).status_code == 201
    second = desk.post("links", json={"name": "overlay", "token": True})
    assert (second.status_code, second.json()["type"]) == (409, "/api/v1/problems/link-exists")


def test_nobody_gives_what_they_do_not_have(cup: Cup) -> None:
    judge = cup.http(cup.served.token("head judge", cup.event))
    for wanted in ({"role": "organiser"}, {"rights": ["erase"]}, {"rights": ["hooks", "desk"]}):
        refused = judge.post("links", json={"name": "X", "token": True} | wanted)
        assert refused.status_code == 422
        assert refused.json()["place"] in ("role", "rights")


def test_a_token_runs_out(alone: Served) -> None:
    alone.make("cup", "mtr", [])
    program = alone.http(alone.token(lasts=A_DAY))
    assert program.get("/events/cup/log").status_code == 200
    with following(Cup(alone, "cup").http(alone.token(lasts=A_DAY))) as heard:
        alone.services.access.clock = lambda: utc_now() + A_DAY + timedelta(seconds=1)
        assert program.get("/events/cup/log").status_code == 401
        alone.do("cup", c.Register(name="Zoe"))
        assert list(heard.messages()) == []


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "Bearer Bearer"])
def test_a_token_comes_as_a_bearer(cup: Cup, scheme: str) -> None:
    key = cup.served.token("organiser", cup.event)
    assert cup.http().get("log", headers={"authorization": f"bearer {key}"}).status_code == 200
    refused = cup.http().get("log", headers={"authorization": f"{scheme} {key}".strip()})
    assert refused.status_code == 401


def test_a_token_opens_nothing_by_other_ways(cup: Cup) -> None:
    key = cup.served.token("organiser", cup.event)
    assert cup.http().get(f"log?token={key}&access_token={key}").status_code == 401
    assert cup.http(cookie=f"topcut={key}").get("log").status_code == 401
    page = cup.served.http()
    entered = page.post(f"{cup.served.address}/enter", json={"key": key})
    assert entered.status_code == 401, "a browser does not come in with what was given to a program"


def test_a_link_for_people_is_no_token(cup: Cup) -> None:
    key = cup.served.run(cup.served.services.access.make_link("Lena", cup.event, lasts=A_DAY))
    assert cup.http(key).get("log").status_code == 401


def test_the_log_says_which_program_it_was(cup: Cup) -> None:
    desk = cup.desk()
    done = desk.post("commands", json=do(do="register", name="Zoe")).json()
    (fact,) = desk.get(f"log?cursor={done['version'] - 1}").json()["items"]
    assert fact["via"] == "api"
    assert fact["by"].startswith("organiser ")
