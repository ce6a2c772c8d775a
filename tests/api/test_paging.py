"""Lists in pages: nothing twice and nothing left out, whatever happens while somebody reads on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.api.server_thread import Cup, Served, entries
from topcut.client import Client
from topcut.event import commands as c


def walk(
    client: httpx.Client, path: str, limit: int, between: Callable[[int], None] = lambda _: None, q: str = ""
) -> list[dict[str, Any]]:
    """All things of a list, page by page; `between` does something after each."""
    found: list[dict[str, Any]] = []
    cursor, pages = "", 0
    while True:
        answer = client.get(path, params={"cursor": cursor, "limit": str(limit)} | ({"q": q} if q else {}))
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["items"]) <= limit
        found += page["items"]
        if page["next"] is None:
            return found
        cursor = page["next"]
        between(pages)
        pages += 1


@pytest.fixture
def crowd(cup: Cup) -> Cup:
    cup.do(*entries(*(f"Player {number:02}" for number in range(30))))
    return cup


@pytest.mark.parametrize("limit", [1, 7, 34, 100])
def test_players_come_in_the_order_in_which_they_entered(crowd: Cup, limit: int) -> None:
    found = walk(crowd.http(), "players", limit)
    assert [player["id"] for player in found] == [f"p{number}" for number in range(1, 35)]


def test_players_who_come_and_go_meanwhile_move_nobody(crowd: Cup) -> None:
    """Also the very last one of a page, whose place the cursor is."""

    def between(page: int) -> None:
        gone = ("p7", "p1", "p14", "p30")[page] if page < 4 else None
        crowd.do(c.Register(name=f"Late {page}"), *([c.Remove(player=gone)] if gone else []))

    found = [player["id"] for player in walk(crowd.http(), "players", 7, between)]
    assert len(set(found)) == len(found)
    assert set(found) >= {f"p{number}" for number in range(1, 35)} - {"p7", "p1", "p14", "p30"}
    assert "p35" in found


def test_a_part_of_a_name_finds_players_page_by_page(crowd: Cup) -> None:
    found = walk(crowd.http(), "players", 4, q="player 1")
    assert [player["name"] for player in found] == [f"Player {number}" for number in range(10, 20)]


def test_the_log_is_whole(crowd: Cup) -> None:
    def between(page: int) -> None:
        if page < 3:
            crowd.do(c.Register(name=f"Late {page}"))

    found = walk(crowd.desk(), "log", 10, between)
    assert [fact["position"] for fact in found] == list(range(1, len(found) + 1))
    assert len(found) == crowd.http().get("").json()["version"]


def test_changes_are_whole(crowd: Cup) -> None:
    crowd.play(2)
    alike = walk(crowd.http(), "changes", 100)

    def between(page: int) -> None:
        if page == 1:
            crowd.do(c.Drop(player="p9"))

    found = walk(crowd.http(), "changes", 2, between)
    assert found[: len(alike)] == alike
    assert [change["says"] for change in found[len(alike) :]] == ["Player 04 drops after round 2."]
    positions = [change["position"] for change in found]
    assert positions == sorted(set(positions))


def test_whoever_knows_some_goes_on_from_there(crowd: Cup) -> None:
    """A cursor of the log and of changes is a position, and an empty page ends where it began."""
    desk = crowd.desk()
    assert [fact["position"] for fact in desk.get("log?cursor=20&limit=2").json()["items"]] == [21, 22]
    assert desk.get("log?cursor=999999").json() == {"items": [], "next": None}


def test_events_come_with_the_newest_first_and_each_once(alone: Served) -> None:
    for number in range(7):
        alone.make(f"cup-{number}", "mtr", [])

    def between(page: int) -> None:
        alone.make(f"new-{page}", "mtr", [])

    found = [event["id"] for event in walk(alone.http(), "/events", 2, between)]
    assert found == [f"cup-{number}" for number in reversed(range(7))]


def test_a_client_finds_events_that_move_while_it_reads(alone: Served) -> None:
    """An event that somebody works on goes to the front; the client looks there again."""
    events = [f"cup-{number:03}" for number in range(120)]
    for event in events:
        alone.make(event, "mtr", [])
    with Client(alone.address) as desk:
        walked = desk.events()
        found = [next(walked).id for _ in range(50)]
        alone.do("cup-000", c.Register(name="Ada"))
        alone.do("cup-119", c.Register(name="Ada"))
        alone.make("new", "mtr", [])
        found += [one.id for one in walked]
    assert sorted(found) == sorted([*events, "new"])
