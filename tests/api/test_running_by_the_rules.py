"""What the published procedures ask of an event while it runs, through the API (PK-1, PK-11, PK-13, DC-2)."""

from __future__ import annotations

from typing import Any

from tests.api.server_thread import Served


def do(**command: Any) -> dict[str, Any]:
    return {"commands": [command]}


def test_divisions_clock_and_announcement(alone: Served) -> None:
    alone.make("cup", "pokemon-2017", [])
    host = alone.http(alone.token("organiser", "cup"))
    event = "/events/cup"
    people = [{"do": "register", "name": f"M{n}", "division": "masters"} for n in range(9)]
    host.post(f"{event}/commands", json={"commands": people})
    answer = host.post(f"{event}/commands", json=do(do="register", name="Zoe")).json()
    assert answer["warnings"] == [
        "Zoe has no division (PK-11). Set a birth year or a division for this player."
    ]
    answer = host.post(f"{event}/commands", json=do(do="edit player", player="p10", division="senior")).json()
    assert "Divisions are now modified: senior and masters play in one pool." in answer["says"][0]
    assert host.get(event).json()["plan"] == [
        "4 rounds, then a top 4.",
        "Divisions are modified: senior and masters play in one pool.",
    ]
    refused = host.post(f"{event}/commands", json=do(do="announce"))
    assert refused.status_code == 409
    assert "does not say how many players get prizes (PK-1)" in refused.text
    steps = [
        {"do": "announce", "prizes": "none"},
        {"do": "pair"},
        {"do": "publish"},
        {"do": "start", "minutes": 0},
    ]
    for step in steps:
        assert host.post(f"{event}/commands", json=do(**step)).status_code == 200
    assert host.get(event).json()["clock"] in (None, {}) or host.get(event).json()["clock"]["ends"] is None
    assert host.post(f"{event}/commands", json=do(do="set clock", minutes=30)).status_code == 200
    assert host.get(event).json()["clock"]["ends"] is not None
