"""A round that the rules leave no pairing for, in a terminal: each way out works as it is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.shop import Shop
from tests.command_line import topcut

PRINTED = re.compile(r"`topcut ([^`]+)`")


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def play(shop: Shop, rounds: int, result: str) -> None:
    for _ in range(rounds):
        for step in ("pair", "publish", "start"):
            shop("round", step)
        for table in shop.json("round", "show")["missing"]:
            shop("report", str(table), *result.split())
        shop("round", "end")


def dead_end(shop: Shop, kind: str) -> None:
    if kind == "second-bye":  # PK-8
        shop("new", "Cup", "--rules", "pokemon-2017", "--option", "format=swiss", "--option", "rounds=4")
        shop("add", "Ada", "Ben", "Nora")
        play(shop, 3, "2-0")
    elif kind == "rematch":  # FB-9
        shop("new", "Cup", "--rules", "fab-gem", "--option", "format=swiss")
        shop("add", "Ada", "Ben", "Cleo", "Dov")
        play(shop, 1, "2-0")
        for player in shop.json("round", "show")["tables"][0]["players"]:
            shop("drop", player)
    else:  # AL-1
        shop("new", "Cup", "--rules", "allegiance-2005", "--option", "rounds=2")
        shop("add", "Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana")
        play(shop, 1, "30* 3 2 1")
        for player in ("Finn", "Gus", "Hana"):
            shop("drop", player)


@pytest.mark.parametrize(
    ("kind", "rule", "said"),
    [
        ("second-bye", "PK-8", "The organiser allowed a second bye."),
        ("rematch", "FB-9", "The organiser allowed rematches."),
        ("sits-out", "AL-1", "The organiser let a player sit out."),
    ],
)
def test_each_way_out_is_a_command_that_works_as_printed(
    shop: Shop, tmp_path: Path, kind: str, rule: str, said: str
) -> None:
    dead_end(shop, kind)
    refused = shop("round", "pair", code=3).err
    assert refused.startswith(f"topcut: {rule}: ")
    allow, finish = PRINTED.findall(refused)
    assert (shlex.split(allow)[:4], finish) == (["round", "pair", "--allow", kind], "event finish")
    assert shop.json("event", "show")["next"] == [f"topcut {allow}", "topcut event finish"]
    assert said in shop(*shlex.split(allow)).out
    shop("undo")
    shop(*shlex.split(finish))
    shop("undo")
    shop(*shlex.split(allow))
    shop("round", "publish")
    shop("round", "start")
    for table in shop.json("round", "show")["missing"]:
        shop("report", str(table), *("30* 3 2 1" if kind == "sits-out" else "2-0").split())
    shop("round", "end")
    assert said in shop("event", "show").out
    shop("event", "finish", "--reason", "enough")
    file = str(tmp_path / "cup.json")
    shop("export", "--as", "event", "-o", file)
    for checked in (topcut("check", "--database", shop.database).out, topcut("check", file).out):
        assert said in checked
        assert "everything is in order" in checked


def test_the_organiser_names_who_sits_out(shop: Shop) -> None:
    dead_end(shop, "sits-out")
    paired = shop("round", "pair", "--sits-out", "Eve", "--reason", "wants a break").out
    assert "Eve has a bye (sits out: 5 players do not fit the tables; chosen by the organiser)." in paired


def test_what_helps_is_printed_also_where_nobody_can_allow_anything(shop: Shop) -> None:
    """DS-3: a ninth player has no seat at the chart."""
    shop("new", "Sheet", "--rules", "draft-sheet")
    shop("add", *(f"P{n}" for n in range(1, 10)))
    shown = shop("event", "show").out
    assert "DS-3: the chart is for 6 to 8 players, not 9" in shown
    assert "`topcut drop PLAYER`: Remove players until the chart has a seat for each." in shown


def test_after_the_draw_of_seats_a_late_player_gets_one_by_another_draw(shop: Shop) -> None:
    shop("new", "Sheet", "--rules", "draft-sheet")
    shop("add", *(f"P{n}" for n in range(1, 8)))
    shop("event", "draw", "seats")
    shop("add", "Zed")
    refused = shop("round", "pair", code=3).err
    assert "Zed has no draft seat." in refused
    (draw,) = PRINTED.findall(refused)
    assert f"`topcut {draw}`: Draw the draft seats again, for all players." in shop("event", "show").out
    assert shop.json("event", "show")["next"] == [f"topcut {draw}"]
    shop(*shlex.split(draw))
    shop("round", "pair")


def test_each_warning_about_a_pairing_is_printed_once(shop: Shop) -> None:
    dead_end(shop, "second-bye")
    done = shop("round", "pair", "--allow", "second-bye", "--reason", "nothing else")
    for once in (
        "met in round",
        "A rematch cannot be avoided",
        "A second bye cannot be avoided",
        "allowed a second",
    ):
        assert done.out.count(once) == 1, once
    assert "! warning" not in done.out, "warnings are on standard error"
    assert done.err.count("A rematch cannot be avoided") == 1
    kinds = [seen["kind"] for seen in shop.json("round", "show")["preview"]]
    assert (kinds.count("rematch"), kinds.count("bye"), kinds.count("warning")) == (1, 1, 0)
    assert "The organiser allowed a second bye. Reason: nothing else." in shop("round", "show").out


def test_who_sits_out_is_last_in_words_that_fit_every_book(shop: Shop) -> None:
    """AL-12 counts wins, not points."""
    dead_end(shop, "sits-out")
    printed = shop("round", "pair", "--allow", "sits-out", "--reason", "nothing else").out
    assert "has sat out least often, then is in the lowest score group; otherwise drawn at random" in printed
    assert printed.count("The organiser let a player sit out.") == 1
