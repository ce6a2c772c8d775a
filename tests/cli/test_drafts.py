"""A 20-player event of two formats by command: two standard rounds, a draft of three, two more, a top 8."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from subprocess import run

import pytest

from tests.cli.shop import Shop
from tests.command_line import topcut

NAMES = [f"Player{number:02}" for number in range(1, 21)]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def play(shop: Shop) -> None:
    """A whole round; the first player of each table wins, at some tables 2-1."""
    for act in ("pair", "publish", "start"):
        shop("round", act)
    report(shop)
    shop("round", "end")


def report(shop: Shop) -> None:
    for table in shop.json("round", "show")["tables"]:
        if not table.get("bye"):
            shop("report", str(table["table"]), f"2-{table['table'] % 2}")


def ranking(shop: Shop) -> list[str]:
    """The players by the standings that everybody sees."""
    answer = topcut("standings", "--json", "--database", shop.database)
    return [row["id"] for row in json.loads(answer.out)["standings"]]


def begun(shop: Shop) -> None:
    """Two standard rounds, and the draft."""
    shop("new", "Road", "--rules", "fab-gem", "--option", "rounds=7", "--option", "cut=8")
    shop("add", *NAMES)
    play(shop)
    play(shop)
    shop("event", "draft", "--rounds", "3")


def read_file(shop: Shop, path: Path) -> dict[str, object]:
    shop("export", "--as", "event", "-o", str(path))
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_twenty_players_play_two_formats_and_a_top_8(shop: Shop, tmp_path: Path) -> None:
    begun(shop)
    ranked = ranking(shop)
    draft = shop.json("event", "show")["draft"]
    assert [draft["pods"][player] for player in ranked] == [1] * 8 + [2] * 8 + [3] * 4
    assert {key: draft[key] for key in ("number", "first", "rounds")} == {
        "number": 1,
        "first": 3,
        "rounds": 3,
    }
    assert "Draft 1, before round 1 of 3" in shop("event", "show").out
    for inside in (1, 2, 3):
        play(shop)
        assert f"Draft 1, round {inside} of 3" in shop("round", "show").out
        for table in shop.json("round", "show")["tables"]:
            assert len({draft["pods"][player] for player in table["players"]}) == 1
    assert "Topcut pairs the next round among all players again." in shop("event", "show").out
    play(shop)
    play(shop)
    best = ranking(shop)[:8]
    shop("round", "pair")
    first = shop.json("round", "show")
    assert first["stage"] == "elimination"
    assert {frozenset(table["players"]) for table in first["tables"]} == {
        frozenset({best[at], best[7 - at]}) for at in range(4)
    }
    shop("round", "publish")
    shop("round", "start")
    report(shop)
    shop("round", "end")
    play(shop)
    play(shop)
    assert shop.json("event", "show")["next"] == ["topcut event finish"]
    shop("event", "finish")
    assert "everything is in order" in topcut("check", "--database", shop.database).out
    log = shop("log").out
    assert "Draft 1 begins, for 3 rounds: 20 players in 3 pods." in log
    assert "Draft 1 ends." in log
    path = tmp_path / "road.json"
    file = read_file(shop, path)
    rounds = file["rounds"]
    assert isinstance(rounds, list)
    assert [r.get("format") for r in rounds] == [None, None, *["draft 1"] * 3, *[None] * 5]
    assert rounds[2]["pods"] == draft["pods"]
    assert topcut("check", str(path)).code == 0


def test_an_exported_draft_goes_on_elsewhere_and_stays_in_its_pods(shop: Shop, tmp_path: Path) -> None:
    begun(shop)
    play(shop)
    path = tmp_path / "road.json"
    file = read_file(shop, path)
    assert file["options"] == {"rounds": 7, "cut": 8, "mode": "draft", "draft": {"number": 1, "rounds": 3}}
    players = file["players"]
    assert isinstance(players, list)
    pods = {player["id"]: player["pod"] for player in players}
    assert Counter(pods.values()) == {1: 8, 2: 8, 3: 4}
    assert sorted(player["seat"] for player in players if player["pod"] == 3) == [1, 2, 3, 4]
    paired = json.loads(topcut("pair", str(path), "--json").out)
    assert all(len({pods[player] for player in table["players"]}) == 1 for table in paired["tables"])
    (tmp_path / "other").mkdir()
    other = Shop(tmp_path / "other")
    other("import", str(path))
    assert "Draft 1, round 1 of 3" in other("event", "show").out
    play(other)
    play(other)
    play(other)
    assert other.json("round", "show")["round"] == 6
    assert other.json("event", "show")["draft"] is None
    assert topcut("check", "--database", other.database).code == 0
    assert topcut("check", str(path)).code == 0


def test_paper_shows_pods_and_seats(shop: Shop, tmp_path: Path) -> None:
    begun(shop)
    for kind in ("pods", "seats"):
        path = tmp_path / f"{kind}.pdf"
        assert topcut("print", kind, "-o", str(path), "--database", shop.database).code == 0
        read = run(
            ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True
        ).stdout
        assert all(name in read for name in NAMES)
        assert kind == "seats" or ("Pod 3" in read and "Draft 1: pods" in read)
    play(shop)
    path = tmp_path / "pairings.pdf"
    topcut("print", "pairings", "-o", str(path), "--database", shop.database)
    read = run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    assert "Round 3, draft 1" in read
    for _ in range(3):
        play(shop)
    refused = topcut("print", "pods", "-o", str(tmp_path / "none.pdf"), "--database", shop.database)
    assert "no player has a pod: begin a draft first" in refused.err


def test_a_draft_ends_early_by_command_and_another_begins(shop: Shop) -> None:
    begun(shop)
    play(shop)
    assert "Draft 1 ends." in shop("event", "draft", "--end").out
    assert "No draft is in progress." in shop("event", "draft", "--end", code=2).err
    told = shop.json("event", "draft", "--rounds", "2")
    assert Counter(told["pods"].values()) == {1: 8, 2: 8, 3: 4}
    shop("undo")
    assert shop.json("event", "show")["draft"] is None
    assert shop.json("event", "show")["next"] == ["topcut round pair", "topcut event draft"]


def test_the_clock_asks_for_minutes_once(shop: Shop) -> None:
    begun(shop)
    assert "Enter the minutes" in shop("event", "draft", "--clock", "drafting", code=2).err
    assert (
        "Drafting begins: 40 minutes." in shop("event", "draft", "--clock", "drafting", "--minutes", "40").out
    )
    shop("event", "draft", "--pause")
    shop("event", "draft", "--resume")
    for _ in range(3):
        play(shop)
    shop("event", "draft")
    assert "Drafting begins: 40 minutes." in shop("event", "draft", "--clock", "drafting").out


def test_options_that_do_not_go_together_are_named(shop: Shop) -> None:
    begun(shop)
    assert "expected only one of" in shop("event", "draft", "--end", "--rounds", "3", code=2).err


def test_the_mode_is_no_option_of_a_running_event_and_the_way_is_named(shop: Shop) -> None:
    begun(shop)
    play(shop)
    shop("event", "draft", "--end")
    told = shop("event", "options", "mode=draft", code=2).err
    assert "`topcut event draft`" in told


def test_a_book_without_pods_says_so(shop: Shop) -> None:
    shop("new", "Cup", "--rules", "mtr")
    shop("add", *NAMES[:8])
    assert "has no pods, so no draft can begin" in shop("event", "draft", code=2).err
    assert "event draft" not in shop("event", "show").out


def test_what_other_formats_lose_of_drafts_is_said(shop: Shop, tmp_path: Path) -> None:
    begun(shop)
    for _ in range(4):
        play(shop)
    lost = "The drafts: which rounds were played in which pods."
    assert lost in shop("export", "--as", "results", "-o", str(tmp_path / "results.csv")).err
    assert lost in shop("export", "--as", "tdf", "-o", str(tmp_path / "road.tdf")).err
