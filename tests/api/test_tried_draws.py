"""Nobody tries a draw first by the API: a list that goes on after a draw is refused before it is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.server_thread import Cup
from topcut.event import commands as c

NAMES = ("Ada", "Bo", "Cy", "Di")
START: list[dict[str, Any]] = [{"do": "pair"}, {"do": "publish"}, {"do": "start"}]
WRONG: list[dict[str, Any]] = [
    {"do": "report", "table": 1, "result": {"games": [2, 0, 0]}, "players": ["p1", "p2"]},
    {"do": "report", "table": 9, "result": {"games": [2, 0, 0]}},
    {"do": "end"},
    {"do": "swap", "first": "p1", "second": "p2", "reason": "look"},
    {"do": "undo"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=["players", "table", "end", "swap", "undo"])
def test_a_refused_list_tells_nothing_of_tables(cup: Cup, wrong: dict[str, Any]) -> None:
    """What the finding did: four requests revealed a round, and no attempt was counted."""
    desk = cup.desk()
    before = desk.get("").json()["version"]
    for number in range(3):
        enter = {"do": "register", "id": f"x{number}", "name": "Eve"}
        refused = desk.post("commands", json={"commands": [enter, *START, wrong]})
        assert refused.status_code == 409
        assert refused.json()["type"] == "/api/v1/problems/draw-not-last"
        assert not any(name in refused.text for name in (*NAMES, "Eve"))
        assert not {"round", "table", "players"} & set(refused.json())
    assert desk.get("").json()["version"] == before


def test_the_same_list_is_refused_the_same_with_a_version_and_a_key(cup: Cup) -> None:
    desk = cup.desk()
    body = {"commands": [*START, WRONG[0]]}
    tag = desk.get("").headers["etag"]
    plain = desk.post("commands", json=body).json()
    for headers in ({"if-match": tag}, {"idempotency-key": "try-1"}, {"idempotency-key": "try-1"}):
        assert desk.post("commands", json=body, headers=headers).json() == plain
    stale = desk.post("commands", json={"commands": [{"do": "pair"}]}, headers={"if-match": 'W/"1"'})
    assert stale.status_code == 412
    assert not any(name in stale.text for name in NAMES)


def test_a_replayed_draw_is_the_one_that_was_written(cup: Cup) -> None:
    desk = cup.desk()
    answers = [
        desk.post("commands", json={"commands": START}, headers={"idempotency-key": "draw"}) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    (paired,) = (f["fact"] for f in answers[1].json()["facts"] if f["fact"]["fact"] == "paired")
    shown = desk.get("rounds/1").json()
    assert shown["seed"] == paired["seed"]
    assert shown["attempt"] == 1


def test_a_round_is_paired_published_and_started_in_one_request(cup: Cup) -> None:
    assert cup.desk().post("commands", json={"commands": START}).status_code == 200
    assert cup.desk().get("rounds/1").json()["phase"] == "started"


def test_several_late_players_redraw_a_draft_once(cup: Cup) -> None:
    cup.do(c.Pair())
    commands = [{"do": "register", "name": name} for name in ("Eve", "Fay", "Gus", "Hal")]
    told = cup.desk().post("commands", json={"commands": commands})
    assert told.status_code == 200
    assert [f["fact"]["fact"] for f in told.json()["facts"]].count("paired") == 1
    assert cup.desk().get("rounds/1").json()["attempt"] == 2
