"""What happened in the version before? Eight events, told by the API, by phones and at a prompt.

Every kind of fact comes up in one of them: `make_fixtures` refuses to store less.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.upgrade.running_program import Program, Served, good, typed

RUNNING, FINISHED, TAKEN, BROUGHT = "spring-cup", "summer-final", "from-tdf", "city-cup"
TABLES, DRAFT, OLD, SHOP = "table-night", "draft-pod", "old-league", "shop-night"
EVENTS = (RUNNING, FINISHED, TAKEN, BROUGHT, TABLES, DRAFT, OLD, SHOP)
FILES = {
    "spring-cup.log": (RUNNING,),
    "summer-final.public.log": (FINISHED, "--public"),
    "table-night.log.json": (TABLES, "--json"),
    "spring-cup.event.json": (RUNNING, "--as", "event"),
    "summer-final.event.json": (FINISHED, "--as", "event"),
    "from-tdf.tdf": (TAKEN, "--as", "tdf"),
}
"""The files that are taken out: of which event, and how."""
STANDINGS = {"spring-cup.log": 1, "spring-cup.event.json": 1, "summer-final.event.json": 5, "from-tdf.tdf": 3}
"""Those that have standings, and after which round."""
PEOPLE = ["Ada Okafor", "Bruno Keller", "Chen Wei", "Dalia Haddad", "Emil Novák", "Farah Aziz", "Goro Tanaka"]
PEOPLE += [
    "Hana Kim",
    "Ivo Petrov",
    "Jana Lindqvist",
    "Kofi Mensah",
    "Lea Brandt",
    "Ömer Şahin",
    "Nadia Haddad",
]
FOR_LONG = ("--keep", "1200")
"""Names are kept for a hundred years after an event, so that no test comes too late for them."""

FILE = {
    "topcut": 1,
    "name": "City cup",
    "rules": "mtr",
    "options": {"rounds": 3},
    "players": [{"id": f"c{number}", "name": name} for number, name in enumerate(PEOPLE[:6], 1)],
    "rounds": [
        {
            "seed": "city 1",
            "tables": [
                {"table": 1, "players": ["c1", "c2"], "games": [2, 0, 0]},
                {"table": 2, "players": ["c3", "c4"], "games": [1, 2, 0]},
                {"table": 3, "players": ["c5", "c6"], "games": [1, 1, 1]},
            ],
        }
    ],
}
"""An event that was begun elsewhere."""

Command = dict[str, Any]


@dataclass
class Desk:
    """One event, its organiser, and the secrets that come up."""

    server: Served
    organiser: Program
    event: str
    secrets: dict[str, Any] = field(default_factory=dict)

    def do(self, *commands: Command) -> Any:
        return self.organiser.do(self.event, *commands)

    def enter(self, people: list[str]) -> None:
        self.do(*({"do": "register", "name": name} for name in people))

    def tables(self) -> list[dict[str, Any]]:
        """Return the tables of the last round at which two or more sit."""
        number = self.organiser.ask(f"/events/{self.event}/rounds")["items"][-1]["number"]
        found = self.organiser.ask(f"/events/{self.event}/rounds/{number}")
        return [table for table in found["tables"] if len(table["players"]) > 1]

    def seated(self, table: int) -> list[str]:
        return [seat["id"] for one in self.tables() if one["table"] == table for seat in one["players"]]

    def begin(self, minutes: int | None = None) -> None:
        """Let a round begin."""
        self.do({"do": "pair"})
        self.do({"do": "publish"})
        self.do({"do": "start"} | ({"minutes": minutes} if minutes else {}))

    def end(self, result: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Report every table that is open, and end the round."""
        for table in self.tables():
            if not table["reported"]:
                self.do({"do": "report", "table": table["table"], "result": result(table)})
        self.do({"do": "end"})

    def phone(self, player: str) -> str:
        """Return the path of a player's own page."""
        link: str = self.organiser.ask(f"/events/{self.event}/players/{player}/link")["address"]
        return link.removeprefix(self.server.address)

    def claim(self, player: str, table: int, games: list[int]) -> None:
        """Let a player say on a phone how the table ended."""
        seen = {"round": 2, "table": table, "players": self.seated(table), "result": {"games": games}}
        good(self.server.client().post(f"{self.phone(player)}/report", json=seen))


def by_number(table: dict[str, Any]) -> dict[str, Any]:
    """Let the first player win most tables, not all alike."""
    return {"games": [[2, 0, 0], [2, 1, 0], [1, 2, 0]][table["table"] % 3]}


def first_wins(table: dict[str, Any]) -> dict[str, Any]:
    return {"games": [2, 0, 0]}


def running(desk: Desk) -> None:
    """A Swiss event with divisions stops in the middle of its second round."""
    born = [2019, 2018, 2013, 2013, 2012, 1990, 1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998]
    people = [
        {"do": "register", "name": name, "born": year, "member": f"47{year}"}
        for name, year in zip(PEOPLE, born, strict=True)
    ]
    people[0]["display"] = "Zed"
    people[5]["apart"] = people[6]["apart"] = ["club"]
    desk.do(*people)
    desk.do({"do": "register", "name": "Mistaken Entry"})
    desk.do({"do": "remove", "player": "p15"})
    desk.do({"do": "refuse entry", "name": "Banned Person", "reason": "banned by the league"})
    desk.do({"do": "edit player", "player": "p2", "display": "Bru", "member": "4712"})
    desk.do({"do": "change options", "options": {"rounds": 4}, "reason": "the hall closes early"})
    desk.do({"do": "announce", "prizes": "the top 4", "details": ["lunch after round 2"]})
    desk.do({"do": "fix table", "player": "p3", "table": 2})
    desk.do({"do": "block tables", "tables": [5]})
    desk.do({"do": "seat all"})
    desk.do({"do": "check in"})
    desk.do({"do": "pair"})
    desk.do({"do": "pair", "again": True})
    desk.do({"do": "publish"})
    first = desk.tables()
    other = next(t["players"] for t in first[1:] if all(seat["id"] != "p3" for seat in t["players"]))
    chosen = next(t["players"] for t in first if t["players"] != other and t["table"] != 2)
    desk.do({"do": "swap", "first": chosen[0]["id"], "second": other[0]["id"], "reason": "brothers"})
    desk.do({"do": "begin tables", "tables": [1]})
    desk.do({"do": "start", "minutes": 50})
    desk.do({"do": "pause"})
    desk.do({"do": "resume"})
    desk.do({"do": "extend", "minutes": 3, "table": 1, "reason": "a judge was called"})
    desk.do({"do": "report", "table": 1, "result": {"games": [2, 0, 0]}})
    desk.do({"do": "undo", "reason": "the wrong slip"})
    desk.do({"do": "redo"})
    desk.do({"do": "undo"})
    desk.do({"do": "report", "table": 2, "result": {"winner": "draw", "intentional": True}})
    desk.do({"do": "confirm", "tables": [2]})
    desk.end(by_number)
    desk.do({"do": "drop", "player": "p14"})
    desk.do({"do": "drop", "player": "p13"})
    desk.do({"do": "restore", "player": "p13"})
    desk.do({"do": "disqualify", "player": "p12", "reason": "marked cards"})
    desk.do({"do": "pair"})
    desk.do({"do": "publish"})
    desk.do(*({"do": "register", "name": name, "then": "fewest"} for name in ("Late Lou", "Later Lin")))
    wrong = {"do": "correct", "table": 3, "round": 1, "result": {"games": [0, 2, 0]}, "then": "fewest"}
    desk.do(wrong | {"reason": "the slip says so"})
    desk.do({"do": "start", "minutes": 50})
    one, two, three, four = [table["table"] for table in desk.tables()][:4]
    a, b = desk.seated(one)
    desk.claim(a, one, [2, 1, 0])
    desk.claim(b, one, [2, 1, 0])
    a, b = desk.seated(two)
    desk.claim(a, two, [2, 0, 0])
    desk.claim(b, two, [0, 2, 0])
    a, b = desk.seated(three)
    desk.claim(a, three, [2, 0, 0])
    hall = desk.server.client()
    for player, about in (("p6", {"about": "points"}), ("p7", {"about": "result", "round": 1})):
        good(hall.post(f"/e/{desk.event}/player/{player}/ask", json=about))
    desk.do({"do": "answer", "question": 1})
    desk.do({"do": "pause"})  # the clock stands still, so that it says the same whenever it is looked at
    report = {"commands": [{"do": "report", "table": four, "round": 2, "result": {"games": [2, 0, 0]}}]}
    path = f"/events/{desk.event}/commands"
    answer = good(desk.organiser.send(path, report, idempotency_key="slip-of-round-2"))
    desk.secrets["phone"] = {"player": b, "path": desk.phone(b), "table": three}
    desk.secrets["sent"] = {"path": path, "key": "slip-of-round-2", "body": report, "answer": answer.json()}


def finished(desk: Desk) -> None:
    """A Swiss event with a top cut was finished, reopened, corrected and finished again."""
    desk.enter(PEOPLE[:8])
    for _ in range(3):
        desk.begin(50)
        desk.end(by_number)
    for number in range(2):
        desk.begin()
        desk.end(first_wins)
        if number == 0:
            desk.do({"do": "finish", "reason": "closed too early"})
            desk.do({"do": "reopen", "reason": "the final is missing"})
    desk.do({"do": "finish"})
    desk.do({"do": "forget", "player": "p8", "reason": "at their wish"})


def taken(desk: Desk) -> None:
    """An event from another program went on for a while."""
    desk.do({"do": "start"})
    desk.end(lambda table: {"winner": table["players"][0]["id"]})


def brought(desk: Desk) -> None:
    """An event from an event file has its next round posted."""
    for step in ("pair", "publish"):
        desk.do({"do": step})


def at_tables(desk: Desk) -> None:
    """Seven players at a table of three and one of four have played a round and sit down for the next."""
    desk.enter(PEOPLE[:7])
    desk.begin()
    desk.end(lambda table: {"winner": table["players"][1]["id"]})
    desk.begin()


def draft(desk: Desk) -> None:
    """Eight drafters have drawn their seats; tables that were changed by hand were changed back."""
    desk.enter(PEOPLE[:8])
    desk.do({"do": "draw lots", "kind": "seats"})
    desk.do({"do": "pair"})
    seats = [[seat["id"] for seat in table["players"]] for table in desk.tables()]
    seats[0][0], seats[1][0] = seats[1][0], seats[0][0]
    desk.do({"do": "edit tables", "tables": seats, "reason": "they came together"})
    desk.do({"do": "undo"})
    desk.do({"do": "publish"})


def old(desk: Desk) -> None:
    """The names of an event are deleted."""
    desk.enter(PEOPLE[:4])
    desk.begin()
    desk.end(first_wins)
    desk.do({"do": "finish", "reason": "rain"})
    desk.do({"do": "purge"})


def tell(server: Served, database: Path, organiser: Program, shop: Program) -> dict[str, Any]:
    """Let everything happen, and return the secrets that came up."""
    on = ("--database", str(database), "--by", "Mara")
    tdf = Path(__file__).parents[1] / "exchange" / "tdf" / "rehearsal-round-3.tdf"
    new = {
        RUNNING: ("pokemon-2017", *FOR_LONG),
        FINISHED: ("mtr", *FOR_LONG, "--option", "rounds=3", "--option", "cut=4"),
        TABLES: ("allegiance-2005", *FOR_LONG, "--option", "rounds=3"),
        DRAFT: ("draft-sheet", *FOR_LONG),
        OLD: ("mtr", "--keep", "0", "--option", "rounds=3"),
    }
    for event, (rules, *options) in new.items():
        name = event.capitalize().replace("-", " ")
        typed("new", name, "--id", event, "--rules", rules, *options, *on)
    typed("import", str(tdf), "--id", TAKEN, *on)
    typed("import", "-", "--id", BROUGHT, *on, stdin=json.dumps(FILE))
    made = good(shop.send("/events", {"name": "Shop night", "rules": "mtr", "rounds": 2, "keep": 1200}))
    assert made.json()["id"] == SHOP
    secrets: dict[str, Any] = {}
    told = {
        RUNNING: running,
        FINISHED: finished,
        TAKEN: taken,
        BROUGHT: brought,
        TABLES: at_tables,
        DRAFT: draft,
        OLD: old,
    }
    for event, happens in told.items():
        happens(Desk(server, organiser, event, secrets))
    Desk(server, shop, SHOP).enter(PEOPLE[:4])
    return secrets
