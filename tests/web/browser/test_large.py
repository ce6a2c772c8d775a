"""A large round without the mouse, and every page with many players. `./run soak` takes 500 and 2,000."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from playwright.sync_api import expect

from tests.tiers import SOAK
from tests.web.browser.scorekeeper import Staff
from tests.web.server_process import Site, Visitor

FIRST = ["Ada", "Bruno", "Chen", "Dalia", "Emil", "Farah", "Goro", "Hana", "Ivo", "Jana"]
LAST = ["Okafor", "Keller", "Wei", "Haddad", "Novák", "Aziz", "Tanaka", "Kim", "Petrov", "Lindqvist"]


def people(count: int) -> list[str]:
    return [f"{FIRST[n % 10]} {LAST[n // 10 % 10]} {n // 100 or ''}".strip() for n in range(count)]


def test_a_scorekeeper_runs_a_round_without_the_mouse(site: Site, visitor: Callable[..., Visitor]) -> None:
    players = 500 if SOAK else 48
    random = Random(1)
    staff = Staff(visitor(), site.link)
    staff.make("Open", "mtr", players)
    staff.paste(people(players))
    staff.at_round()
    for step in ("pair", "publish", "start 50"):
        staff.line(step)
    wanted = {
        table: random.choice(["2-0", "2-1", "1-2", "0-2", "draw"]) for table in range(1, players // 2 + 1)
    }
    for table, result in wanted.items():
        staff.line(f"{table} {result}")
    expect(staff.page.locator("main")).to_contain_text("All tables are reported")
    staff.line("end")
    reported = site.json("round", "show")["tables"]
    for table in reported:
        result = wanted[table["table"]]
        if result == "draw":
            assert table["winner"] == "draw"
        else:
            assert "-".join(map(str, table["games"][:2])) == result


def test_every_page_with_many_players(site: Site, visitor: Callable[..., Visitor]) -> None:
    players = 2_000 if SOAK else 200
    site("new", "Open", "--rules", "mtr", "--rehearsal", "open")
    site("add", *people(players))
    for step in ("pair", "publish", "start"):
        site("round", step)
    staff = Staff(visitor(), site.link)
    for path in (
        "/e/open",
        "/e/open/pairings",
        "/e/open/pairings?by=table",
        "/e/open/standings",
        "/e/open/screen",
        "/desk/open",
        "/desk/open/players",
        "/desk/open/standings",
        "/desk/open/log",
    ):
        answer = staff.page.goto(path)
        assert answer is not None
        assert answer.status == 200
    staff.page.goto("/e/open/pairings")
    expect(staff.page.locator("tbody tr")).to_have_count(players)
