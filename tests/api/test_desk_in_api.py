"""Everything the desk can do is in the API: an address that one of them gets is named here, or this fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.server_thread import Cup, Served
from topcut.event.commands import COMMANDS
from topcut.event.rights import RIGHTS
from topcut.server.app import make_app

OURS: dict[str, str] = {
    "/static/{digest:str}/{name:path}": "files of our pages",
    "/sw.js": "a file of our pages",
    "/language/{language:str}": "a cookie; programs send Accept-Language",
    "/enter": "a link opens a session in a browser; programs have tokens",
    "/sign-in": "an account opens a session in a browser; programs have tokens",
    "/leave": "sessions end; tokens are revoked",
    "/desk/{event:str}/players/{player:str}/qr.svg": "a picture of what player_link says",
    "/e/{event:str}/qr.svg": "a picture of an address",
    "/rules": "rules to read; answers of the API give their numbers",
    "/rules/{number:str}": "rules to read; answers of the API give their numbers",
}
"""What is only for browsers, and why."""
DOES: dict[str, set[str]] = {
    "POST /new": {"make_event"},
    "POST /new/file": {"import_event"},
    "POST /desk/{event:str}/do": {"give_commands"},
    "POST /desk/{event:str}/swap": {"players", "give_commands"},
    "POST /desk/{event:str}/undo": {"preview_undo"},
    "POST /desk/{event:str}/entry": {"preview_line", "enter_line"},
    "POST /desk/{event:str}/paste": {"preview_list", "give_commands"},
    "POST /desk/{event:str}/options": {"event", "give_commands"},
    "POST /desk/{event:str}/links": {"new_link"},
    "POST /desk/{event:str}/links/revoke": {"revoke_link"},
    "POST /e/{event:str}/me/{player:str}/{signed:str}/report": {"give_own_commands"},
    "POST /e/{event:str}/me/{player:str}/{signed:str}/drop": {"give_own_commands"},
    "POST /e/{event:str}/player/{player:str}/ask": {"ask"},
    "POST /e/{event:str}/slip/{number:int}/{table:int}/{signed:str}/report": {"give_own_commands"},
    "GET /new": {"rulesets", "plan"},
    "GET /desk/{event:str}": {"event", "round", "questions", "log"},
    "GET /desk/{event:str}/players": {"players"},
    "GET /desk/{event:str}/players/{player:str}": {"player", "player_link"},
    "GET /desk/{event:str}/players/{player:str}/data": {"personal_data"},
    "GET /desk/{event:str}/standings": {"standings", "explained"},
    "GET /desk/{event:str}/bracket": {"bracket"},
    "GET /desk/{event:str}/log": {"log"},
    "GET /desk/{event:str}/event": {"event", "links"},
    "GET /desk/{event:str}/announcement": {"event"},
    "GET /desk/{event:str}/export": {"export_event", "export_as"},
    "GET /desk/{event:str}/export/{kind:str}": {"export_event", "export_as"},
    "GET /desk/{event:str}/export/site": {"export_site"},
    "GET /desk/{event:str}/print": {"event"},
    "GET /desk/{event:str}/print/{kind:str}": {"print_sheet"},
    "GET /desk/{event:str}/live": {"stream"},
    "GET /": {"events"},
    "GET /e/{event:str}": {"event", "players"},
    "GET /e/{event:str}/pairings": {"rounds", "round"},
    "GET /e/{event:str}/standings": {"standings"},
    "GET /e/{event:str}/bracket": {"bracket"},
    "GET /e/{event:str}/draws": {"draws"},
    "GET /e/{event:str}/changes": {"changes"},
    "GET /e/{event:str}/player/{player:str}": {"player", "explained"},
    "GET /e/{event:str}/player/{player:str}/now": {"round"},
    "GET /e/{event:str}/screen": {"round", "standings", "bracket"},
    "GET /e/{event:str}/live": {"stream"},
    "GET /e/{event:str}/me/{player:str}/{signed:str}": {"player", "round"},
    "GET /e/{event:str}/slip/{number:int}/{table:int}/{signed:str}": {"round"},
}
"""Every other address of the desk and the hall, and the operations of the API that do or show the same."""


@pytest.fixture
def description(shared: Served) -> dict[str, Any]:
    found: dict[str, Any] = shared.http().get("/openapi.json").json()
    return found


def test_every_address_has_its_like(shared: Served, description: dict[str, Any]) -> None:
    app = make_app(shared.services.store)
    there = {
        f"{method} {route.path}"
        for route in app.routes
        for method in set(getattr(route, "methods", ())) - {"OPTIONS"}
        if not route.path.startswith("/api/") and route.path not in OURS
    }
    assert there == set(DOES)
    known = {one["operationId"] for path in description["paths"].values() for one in path.values()}
    assert set().union(*DOES.values()) <= known


def test_every_command_can_be_given(description: dict[str, Any]) -> None:
    """And each says which right it takes."""
    schemas = description["components"]["schemas"]
    commands = schemas["Commands"]["properties"]["commands"]["items"]
    listed = {one["$ref"].rpartition("/")[2] for one in commands["anyOf"]}
    assert listed == {kind.__name__ for kind in COMMANDS}
    assert {name: schemas[name]["x-right"] for name in listed} == {
        kind.__name__: kind.right for kind in COMMANDS
    }
    assert description["x-rights"] == RIGHTS


def test_an_event_goes_out_and_comes_in_again(cup: Cup, alone: Served) -> None:
    cup.play()
    text = cup.desk().get("export").text
    made = alone.http(alone.token()).post("/imports", json={"text": text})
    assert made.status_code == 201
    there, here = cup.http(), Cup(alone, made.json()["id"]).http()
    for path in ("players", "rounds/1", "standings", "draws"):
        assert here.get(path).json() == there.get(path).json()


@pytest.mark.parametrize("kind", ["pairings", "slips", "standings", "sign-in"])
def test_sheets_are_printed(cup: Cup, kind: str) -> None:
    cup.play()
    sheet = cup.desk().get(f"print/{kind}")
    assert (sheet.status_code, sheet.headers["content-type"]) == (200, "application/pdf")
    assert sheet.content.startswith(b"%PDF")


def test_options_are_changed_and_announced(cup: Cup) -> None:
    desk = cup.desk()
    options = desk.get("").json()["options"] | {"rounds": 4}
    changed = {
        "commands": [{"do": "change options", "options": options}, {"do": "announce", "prizes": "cake"}]
    }
    assert desk.post("commands", json=changed).status_code == 200
    event = desk.get("").json()
    assert event["options"]["rounds"] == 4
    assert any("cake" in line for line in event["announced"])


def test_a_step_is_looked_at_before_it_is_taken_back(cup: Cup) -> None:
    desk = cup.desk()
    done = desk.post("commands", json={"commands": [{"do": "register", "name": "Zoe"}]}).json()
    preview = desk.post("previews/undo", json={}).json()
    assert (preview["steps"], preview["says"]) == ([done["version"]], "Zoe (p5) enters.")
    assert desk.get("").json()["players"] == 5
    undo = {"commands": [{"do": "undo", "step": done["version"]}]}
    assert desk.post("commands", json=undo).status_code == 200
    assert desk.get("").json()["players"] == 4


def test_a_list_is_read_before_anybody_enters(cup: Cup) -> None:
    desk = cup.desk()
    preview = desk.post("previews/list", json={"text": "Kim\nLou;1990\nAda"}).json()
    assert [player["name"] for player in preview["players"]] == ["Kim", "Lou"]
    assert preview["problems"] == ["line 3: Ada is left out: a player with this name is already in the event"]
    assert [column["meaning"] for column in preview["columns"]] == ["name", "born"]
    assert desk.get("").json()["players"] == 4


def test_a_players_link_and_what_is_held_about_them(cup: Cup) -> None:
    desk = cup.desk()
    address = desk.get("players/p1/link").json()["address"]
    assert address.startswith(f"{cup.served.address}/e/{cup.event}/me/p1/")
    assert desk.get("players/p1/data").json()["now"]["name"] == "Ada"
    assert desk.get("players/p9/data").status_code == 404


def test_webhooks_are_listed_replayed_and_removed(cup: Cup) -> None:
    desk = cup.desk()
    made = desk.post("webhooks", json={"url": "http://127.0.0.1:9/x", "since": 0})
    assert made.status_code == 201
    hook = made.json()["webhook"]
    assert desk.get("webhooks").json()["items"] == [hook]
    replayed = desk.post(f"webhooks/{hook['id']}/replay", json={"since": 3}).json()
    assert (replayed["id"], replayed["position"]) == (hook["id"], 3)
    tried = desk.post(f"webhooks/{hook['id']}/test").json()
    assert tried["status"] is None
    assert tried["problem"]
    assert desk.delete(f"webhooks/{hook['id']}").status_code == 204
    gone = desk.delete(f"webhooks/{hook['id']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "/api/v1/problems/no-such-webhook")


def test_rulesets_and_what_they_plan(shared: Served) -> None:
    anybody = shared.http()
    listed = {rules["id"] for rules in anybody.get("/rules").json()["items"]}
    whole = anybody.get("/rules/mtr").json()
    assert whole["id"] in listed
    assert {"section", "name", "value", "source"} <= set(whole["parameters"][0])
    assert anybody.get("/plan?rules=mtr&players=30").json()["rounds"] == 5
    assert anybody.get("/plan?rules=pokemon-2017&players=4,20,143").status_code == 200
    assert anybody.get("/plan?rules=nothing&players=30").status_code == 422
