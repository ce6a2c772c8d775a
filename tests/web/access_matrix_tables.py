"""Who may do what: the tables of the matrix.

They stand for themselves: they are what was promised, and not read off the source.
"""

from __future__ import annotations

from typing import Any

PUBLIC = "hall ask"
STAFF = f"{PUBLIC} desk print"
JUDGE = f"{STAFF} enter time answer"
REGISTRATION = f"{STAFF} people players drop"
SCOREKEEPER = f"{JUDGE} {REGISTRATION} change rounds seating undo export"
HEAD_JUDGE = f"{SCOREKEEPER} override penalties settings staff"
ROLE: dict[str, set[str]] = {
    "organiser": set(f"{HEAD_JUDGE} hooks erase create".split()),
    "head judge": set(HEAD_JUDGE.split()),
    "scorekeeper": set(SCOREKEEPER.split()),
    "judge": set(JUDGE.split()),
    "registration": set(REGISTRATION.split()),
    "display": set(PUBLIC.split()),
    "player": set(f"{PUBLIC} speak".split()),
    "public": set(PUBLIC.split()),
}
OPEN = {"hall", "ask", "speak"}
"""What takes no link; `speak` takes an address that is signed."""

API, EVENT, DESK, HALL = "/api/v1", "/api/v1/events/{event:str}", "/desk/{event:str}", "/e/{event:str}"
ME, SLIP = "/me/{player:str}/{signed:str}", "/slip/{number:int}/{table:int}/{signed:str}"
PLAYER = "/players/{player:str}"
ADDRESSES: dict[str, str] = {
    # Everybody's
    "GET /": "hall",
    "GET /sw.js": "hall",
    "GET /language/{language:str}": "hall",
    "GET /rules": "hall",
    "GET /rules/{number:str}": "hall",
    "GET /static/{digest:str}/{name:path}": "hall",
    "GET /enter": "hall",
    "POST /enter": "hall",
    "GET /sign-in": "hall",
    "POST /sign-in": "hall",
    "POST /leave": "hall",
    f"GET {HALL}": "hall",
    f"GET {HALL}/live": "hall",
    f"GET {HALL}/pairings": "hall",
    f"GET {HALL}/standings": "hall",
    f"GET {HALL}/bracket": "hall",
    f"GET {HALL}/draws": "hall",
    f"GET {HALL}/changes": "hall",
    f"GET {HALL}/screen": "hall",
    f"GET {HALL}/qr.svg": "hall",
    f"GET {HALL}/player/{{player:str}}": "hall",
    f"GET {HALL}/player/{{player:str}}/now": "hall",
    f"POST {HALL}/player/{{player:str}}/ask": "ask",
    # Players'
    f"GET {HALL}{ME}": "speak",
    f"POST {HALL}{ME}/report": "speak",
    f"POST {HALL}{ME}/drop": "speak",
    f"GET {HALL}{SLIP}": "speak",
    f"POST {HALL}{SLIP}/report": "speak",
    # The desk
    "GET /new": "create wide",
    "POST /new": "create wide",
    "POST /new/file": "create wide",
    f"GET {DESK}": "desk",
    f"GET {DESK}/live": "desk",
    f"GET {DESK}/standings": "desk",
    f"GET {DESK}/bracket": "desk",
    f"GET {DESK}/log": "desk",
    f"GET {DESK}/event": "desk",
    f"GET {DESK}/announcement": "desk",
    f"GET {DESK}/players": "desk",
    f"GET {DESK}{PLAYER}": "desk",
    f"GET {DESK}{PLAYER}/data": "erase",
    f"GET {DESK}{PLAYER}/qr.svg": "players",
    f"GET {DESK}/export": "export people",
    f"GET {DESK}/export/{{kind:str}}": "export people",
    f"GET {DESK}/export/site": "export",
    f"GET {DESK}/print": "print",
    f"GET {DESK}/print/{{kind:str}}": "print",
    f"POST {DESK}/do": "desk",
    f"POST {DESK}/entry": "desk",
    f"POST {DESK}/undo": "desk",
    f"POST {DESK}/swap": "seating",
    f"POST {DESK}/paste": "players",
    f"POST {DESK}/options": "settings",
    f"POST {DESK}/links": "staff",
    f"POST {DESK}/links/revoke": "staff",
    # The API
    f"GET {API}": "hall",
    f"GET {API}/docs": "hall",
    f"GET {API}/openapi.json": "hall",
    f"GET {API}/plan": "hall",
    f"GET {API}/rules": "hall",
    f"GET {API}/rules/{{rules:str}}": "hall",
    f"GET {API}/problems": "hall",
    f"GET {API}/problems/{{name:str}}": "hall",
    f"GET {API}/events": "hall",
    f"POST {API}/events": "create wide",
    f"POST {API}/imports": "create wide",
    f"GET {API}/links": "staff wide",
    f"POST {API}/links": "staff wide",
    f"DELETE {API}/links/{{id:str}}": "staff wide",
    f"GET {EVENT}": "hall",
    f"GET {EVENT}/players": "hall",
    f"GET {EVENT}{PLAYER}": "hall",
    f"GET {EVENT}/rounds": "hall",
    f"GET {EVENT}/rounds/{{number:int}}": "hall",
    f"GET {EVENT}/standings": "hall",
    f"GET {EVENT}/standings/{{player:str}}": "hall",
    f"GET {EVENT}/bracket": "hall",
    f"GET {EVENT}/changes": "hall",
    f"GET {EVENT}/draws": "hall",
    f"GET {EVENT}/file": "hall",
    f"GET {EVENT}/stream": "hall",
    f"POST {EVENT}{PLAYER}/questions": "ask",
    f"POST {EVENT}{ME}/commands": "speak",
    f"GET {EVENT}/log": "desk",
    f"POST {EVENT}/commands": "desk",
    f"POST {EVENT}/entry": "desk",
    f"POST {EVENT}/previews/entry": "desk",
    f"POST {EVENT}/previews/undo": "desk",
    f"POST {EVENT}/previews/list": "players",
    f"GET {EVENT}/questions": "desk",
    f"GET {EVENT}{PLAYER}/link": "players",
    f"GET {EVENT}{PLAYER}/data": "erase",
    f"DELETE {EVENT}{PLAYER}/data": "erase",
    f"GET {EVENT}/export": "export people",
    f"GET {EVENT}/export/{{kind:str}}": "export people",
    f"GET {EVENT}/export/site": "export",
    f"GET {EVENT}/print/{{kind:str}}": "print",
    f"GET {EVENT}/links": "staff",
    f"POST {EVENT}/links": "staff",
    f"DELETE {EVENT}/links/{{id:str}}": "staff",
    f"GET {EVENT}/webhooks": "hooks",
    f"POST {EVENT}/webhooks": "hooks",
    f"DELETE {EVENT}/webhooks/{{id:str}}": "hooks",
    f"POST {EVENT}/webhooks/{{id:str}}/replay": "hooks",
    f"POST {EVENT}/webhooks/{{id:str}}/test": "hooks",
}
"""Each address and the rights it takes; wide: for those who reach more than one event."""
SHEETS = {
    "pairings": "print",
    "slips": "print enter",
    "standings": "print",
    "sheet": "print",
    "card": "print",
    "bracket": "print",
    "sign-in": "print people",
    "seats": "print",
    "pods": "print",
}
WON: dict[str, Any] = {"games": [2, 0, 0]}
NOBODY = "nobody"
COMMANDS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "change options": [("settings", {"options": {}, "reason": "x"})],
    "one round fewer": [("settings", {})],
    "announce": [("settings", {"prizes": "4"})],
    "block tables": [("seating", {"tables": [99]})],
    "finish": [("rounds", {})],
    "reopen": [("settings", {})],
    "purge": [("erase", {})],
    "forget": [("erase", {"player": NOBODY})],
    "register": [
        ("players", {"name": "Late"}),
        ("players", {"name": "Late", "then": "leave"}),
        ("players rounds", {"name": "Late", "then": "fewest"}),
        ("players rounds", {"name": "Late", "then": "again"}),
    ],
    "edit player": [("players", {"player": "p1", "name": "Ada"})],
    "check in": [("players", {})],
    "remove": [("players", {"player": NOBODY}), ("players rounds", {"player": NOBODY, "then": "again"})],
    "refuse entry": [("penalties", {"name": "Eve", "reason": "x"})],
    "fix table": [("players", {"player": "p1", "table": 7})],
    "seat all": [("rounds", {})],
    "draw lots": [("rounds", {"kind": "seats"})],
    "drop": [("drop", {"player": "p2"}), ("drop rounds", {"player": "p2", "then": "fewest"})],
    "disqualify": [
        ("penalties", {"player": "p2", "reason": "x"}),
        ("penalties rounds", {"player": "p2", "reason": "x", "then": "again"}),
    ],
    "restore": [
        ("drop", {"player": NOBODY}),
        ("drop override", {"player": NOBODY, "override": True}),
        ("drop rounds", {"player": NOBODY, "then": "fewest"}),
    ],
    "ask": [
        ("ask", {"player": "p1", "about": "points"}),
        ("ask drop", {"player": "p1", "about": "drop"}),
    ],
    "answer": [("answer", {"question": 1})],
    "begin draft": [("rounds", {"rounds": 3})],
    "end draft": [("rounds", {})],
    "start draft clock": [("rounds", {"activity": "drafting", "minutes": 40})],
    "pair": [("rounds", {}), ("rounds", {"again": True})],
    "swap": [("seating", {"first": "p1", "second": "p3", "reason": "x"})],
    "edit tables": [("seating", {"tables": [["p1", "p2"]], "reason": "x"})],
    "publish": [("rounds", {})],
    "start": [("rounds", {})],
    "begin tables": [("enter", {"tables": [1]})],
    "pause": [("rounds", {})],
    "set clock": [("rounds", {"minutes": 45})],
    "resume": [("rounds", {})],
    "extend": [("time", {"minutes": 3, "table": 2}), ("time rounds", {"minutes": 3})],
    "report": [("enter", {"table": 2, "result": WON})],
    "claim": [("nobody's", {"player": "p1", "table": 2, "result": WON})],
    "confirm": [("enter", {"tables": [1]})],
    "correct": [
        ("change", {"table": 1, "result": {"games": [0, 2, 0]}}),
        ("change", {"table": 1, "result": None}),
        ("change override", {"table": 1, "result": {"games": [0, 2, 0]}, "override": True, "reason": "x"}),
        ("change rounds", {"table": 1, "result": {"games": [0, 2, 0]}, "then": "fewest"}),
    ],
    "end": [("rounds", {})],
    "undo": [("undo players", {"step": 2}), ("undo enter rounds", {"count": 2})],
    "redo": [("undo players", {"step": "taken back"})],
}
"""Each command with what it takes beside `desk`; the steps that are undone are Mara's."""
SPOKEN: list[tuple[bool, dict[str, Any]]] = [
    (True, {"do": "claim", "player": "p1", "table": 1, "result": WON}),
    (True, {"do": "ask", "player": "p1", "about": "points"}),
    (True, {"do": "ask", "player": "p1", "about": "drop"}),
    (True, {"do": "ask", "player": "p2", "about": "points"}),
    (True, {"do": "drop", "player": "p1"}),
    (False, {"do": "claim", "player": "p2", "table": 1, "result": WON}),
    (False, {"do": "ask", "player": "p2", "about": "drop"}),
    (False, {"do": "drop", "player": "p2"}),
    (False, {"do": "drop", "player": "p1", "then": "fewest"}),
]
"""What a player does by their own link, and what looks like it. All other commands are refused."""
LINES = {
    "playing": [
        ("enter", "2 2-0"),
        ("enter drop", "2 2-0 d2"),
        ("enter", "1 2-0"),  # as it stands: a second look
        ("change", "1 0-2"),
        ("change drop", "1 0-2 d1"),
        ("change", "1 -"),
        ("drop", "1 d1"),
        ("time", "2 +3"),
        ("rounds", "pause"),
    ],
    "paused": [("rounds", "go")],
    "whole": [("rounds", "end")],
    "ended": [("rounds", "pair")],
    "draft": [("rounds", "publish"), ("rounds", "pair")],
    "posted": [("rounds", "start"), ("rounds", "start 45")],
}
"""Lines of the entry bar, by the state of an event in which they mean something."""
