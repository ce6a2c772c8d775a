"""Idempotency keys: a request that is sent twice is done once, and answered alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.api.server_thread import Cup, Served
from topcut.app import idempotency
from topcut.app.clock import utc_now
from topcut.event import commands as c
from topcut.store.queue import DELETED, RECEIPTS

KEY = {"idempotency-key": "one"}
REPLAYED = "idempotency-replayed"


def add(name: str = "Zoe") -> dict[str, object]:
    return {"commands": [{"do": "register", "name": name}]}


def test_the_same_answer_comes_again(cup: Cup) -> None:
    desk = cup.desk(**KEY)
    first = desk.post("commands", json=add())
    cup.do(c.Register(name="Somebody else"))
    again = desk.post("commands", json=add())
    assert (first.status_code, again.status_code) == (200, 200)
    assert REPLAYED not in first.headers
    assert again.headers[REPLAYED] == "true"
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"], "what came since was not seen"
    assert desk.get("").json()["players"] == 6


def test_a_name_that_is_forgotten_is_not_told_again(cup: Cup) -> None:
    """What was done is remembered, and not done again; what was said of it is not."""
    cup.do(c.Register(name="Zoe"))
    desk = cup.desk(**KEY)
    first = desk.post("commands", json=add())
    assert "Zoe" in first.text
    cup.play(3)
    cup.do(c.Finish(reason="enough"), c.Forget(player="p5"), c.Forget(player="p6"))
    again = desk.post("commands", json=add())
    assert (again.status_code, again.headers[REPLAYED]) == (200, "true")
    assert "Zoe" not in again.text
    assert {key: again.json()[key] for key in ("version", "facts")} == {
        key: first.json()[key] for key in ("version", "facts")
    }
    assert again.json()["says"] == [DELETED]
    assert again.headers["etag"] == first.headers["etag"]
    assert desk.get("").json()["players"] == 6


def test_a_key_is_for_one_request(cup: Cup) -> None:
    desk = cup.desk(**KEY)
    desk.post("commands", json=add())
    other = desk.post("commands", json=add("Yan"))
    assert other.status_code == 409
    assert other.json()["type"] == "/api/v1/problems/idempotency-mismatch"
    assert desk.get("").json()["players"] == 5


def test_a_key_is_for_one_address(cup: Cup) -> None:
    """Two requests without a body are not the same one."""
    cup.play(3)
    cup.do(c.Finish())
    desk = cup.desk(**KEY)
    assert desk.delete("players/p1/data").status_code == 200
    assert desk.delete("players/p1/data").headers[REPLAYED] == "true"
    assert desk.delete("players/p2/data").status_code == 409


def test_keys_of_different_tokens_do_not_meet(cup: Cup) -> None:
    for number in range(2):
        desk = cup.desk(**KEY)
        done = desk.post("commands", json=add(f"Zoe {number}"))
        assert done.status_code == 200
        assert REPLAYED not in done.headers


def test_keys_of_different_events_do_not_meet(cup: Cup) -> None:
    cup.served.make(f"{cup.event}-2", "mtr", [])
    desk = cup.served.http(cup.served.token(), **KEY)
    for event in (cup.event, f"{cup.event}-2"):
        assert REPLAYED not in desk.post(f"/events/{event}/commands", json=add()).headers


def test_what_was_refused_can_be_asked_for_again(cup: Cup) -> None:
    """Nothing was done, so nothing is remembered."""
    desk = cup.desk(**KEY)
    start = {"commands": [{"do": "start"}]}
    assert desk.post("commands", json=start).status_code == 409
    cup.do(c.Pair(), c.Publish())
    done = desk.post("commands", json=start)
    assert done.status_code == 200
    assert REPLAYED not in done.headers


def test_a_retry_is_not_refused_for_what_its_own_first_try_has_changed(cup: Cup) -> None:
    """The version has moved on and the table is reported: by this very request."""
    cup.do(c.Pair(), c.Publish(), c.Start())
    desk = cup.desk(**KEY)
    tag = desk.get("").headers["etag"]
    report = {"commands": [{"do": "report", "table": 1, "result": {"games": [2, 0, 0]}}]}
    first, again = (desk.post("commands", json=report, headers={"if-match": tag}) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()


def test_many_at_once_are_one(cup: Cup) -> None:
    desk = cup.desk(**KEY)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: desk.post("commands", json=add()), range(16)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1
    assert desk.get("").json()["players"] == 5


def test_an_event_is_made_once(alone: Served) -> None:
    desk = alone.http(alone.token(), **KEY)
    new = {"name": "Autumn cup", "rules": "mtr"}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: desk.post("/events", json=new), range(8)))
    assert {(answer.status_code, answer.json()["id"]) for answer in answers} == {(201, "autumn-cup")}
    assert {answer.headers["location"] for answer in answers} == {"/api/v1/events/autumn-cup"}
    assert [event["id"] for event in desk.get("/events").json()["items"]] == ["autumn-cup"]


def test_events_of_one_name_have_each_an_id(alone: Served) -> None:
    """Whoever is second at the same moment takes the next one."""
    desk = alone.http(alone.token())
    new = {"name": "Autumn cup", "rules": "mtr"}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: desk.post("/events", json=new), range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 8


def test_an_event_is_brought_in_once(cup: Cup, alone: Served) -> None:
    text = cup.desk().get("export").text
    desk = alone.http(alone.token(), **KEY)
    first, again = (desk.post("/imports", json={"text": text}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers[REPLAYED] == "true"
    assert len(desk.get("/events").json()["items"]) == 1


def test_an_event_may_have_any_name(alone: Served) -> None:
    """Also that of an address of the API."""
    desk = alone.http(alone.token())
    for name in ("Import", "Imports", "Commands", "Stream", "Ünïcode №3", "a.b"):
        made = desk.post("/events", json={"name": name, "rules": "mtr"})
        assert made.status_code == 201
        found = desk.get(made.headers["location"].removeprefix("/api/v1"))
        assert found.json()["name"] == name


def test_a_key_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    with Served(tmp_path / "api.db") as served:
        served.make("cup", "mtr", [])
        desk = served.http(served.token(), **KEY)
        first = desk.post("/events/cup/commands", json=add())
        served.stop()
        served.start()
        again = desk.post("/events/cup/commands", json=add())
        assert again.content == first.content
        assert again.headers[REPLAYED] == "true"


def test_keys_run_out(alone: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """After two days; what has run out is deleted in passing, whenever something is kept."""
    alone.make("cup", "mtr", [])
    desk, store = alone.http(alone.token(lasts=timedelta(days=9)), **KEY), alone.services.store
    desk.post("/events/cup/commands", json=add())
    later = utc_now() + idempotency.KEPT + timedelta(minutes=1)
    assert alone.run(store.list_values(RECEIPTS, utc_now()))
    alone.run(store.put_value("any", "thing", b"", later, now=later))
    assert not alone.run(store.list_values(RECEIPTS, utc_now()))
    monkeypatch.setattr(idempotency, "utc_now", lambda: later)
    again = desk.post("/events/cup/commands", json=add("Another Zoe"))
    assert again.status_code == 200
    assert REPLAYED not in again.headers


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "ü"])
def test_what_is_no_key_is_refused(cup: Cup, key: str) -> None:
    headers = {"idempotency-key": key.encode()}
    refused = cup.desk().post("commands", json=add(), headers=headers)  # type: ignore[arg-type]
    assert refused.status_code == 400
    assert "Idempotency-Key" in refused.json()["detail"]
    assert cup.http().get("").json()["players"] == 4


def test_commands_are_done_together_or_not_at_all(cup: Cup) -> None:
    desk = cup.desk()
    both = {"commands": [*add()["commands"], {"do": "start"}]}  # type: ignore[misc]
    assert desk.post("commands", json=both).status_code == 409
    assert desk.get("").json()["players"] == 4
    several = {"commands": [{"do": "register", "name": name} for name in ("Xi", "Yan", "Zoe")]}
    done = desk.post("commands", json=several).json()
    assert [fact["fact"]["player"] for fact in done["facts"]] == ["p5", "p6", "p7"]
    positions = [fact["position"] for fact in done["facts"]]
    assert all(after == before + 1 for before, after in pairwise(positions))
    assert positions[-1] == done["version"]
