"""A player can have all that is held about them, and nothing that is private to others."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.describe.personal_data import collect_personal_data

PK = "pokemon-2017"


def test_a_player_gets_all_that_is_held_about_them_and_nothing_private_of_others() -> None:
    event = Running(PK)
    event.do(c.Register(name="Ada Okafor", member="4711", born=2014))
    event.do(c.Register(name="Boris Secret", member="815", born=1971))
    event.do(c.RefuseEntry(name="ada okafor", reason="came too early"))
    event.do(c.RefuseEntry(name="Mallory", reason="is banned"))
    event.do(c.EditPlayer(player="p1", member="4712", apart=("club",)))
    event.do(c.Undo())
    event.do(c.EditPlayer(player="p1", display="Zed"))
    event.do(c.CheckIn(), c.FixTable(player="p1", table=3))
    event.play("2-0")
    event.do(c.EditPlayer(player="p2", display="Bub"), c.Ask(player="p1", about="points"))
    found = collect_personal_data(event.log, "p1")
    assert [
        (one["name"], one.get("display"), one.get("member"), one["counts"]) for one in found["known"]
    ] == [
        ("Ada Okafor", None, "4711", True),
        ("ada okafor", None, None, True),
        ("Ada Okafor", None, "4712", False),
        ("Ada Okafor", "Zed", "4711", True),
    ]
    assert found["known"][0]["born"] == 2014
    assert found["known"][2]["apart"] == ("club",)
    assert found["now"]["name"] == "Zed"
    assert (found["now"]["here"], found["now"]["fixed_table"]) == (True, 3)
    (only,) = found["rounds"]
    assert only["against"] == [{"id": "p2", "name": "Bub"}]
    assert only["result"] in ("Zed beats Bub 2-0", "Bub beats Zed 2-0")
    says = [fact["says"] for fact in found["facts"]]
    for line in (
        "Zed (p1) enters in junior.",
        "ada okafor is not allowed to enter. Reason: came too early.",
        "Zed always sits at table 3.",
        f"Round 1, table 3: {only['result']}.",
        "Question 1: Zed asks about points.",
    ):
        assert line in says
    assert all(fact["at"].startswith("2026-11-14T") for fact in found["facts"])
    for word in ("Boris", "Secret", "815", "1971", "Mallory", "banned"):
        assert word not in str(found)


def test_a_draft_is_nobodys_data_yet() -> None:
    event = Running(PK, 4)
    event.do(c.Pair())
    assert collect_personal_data(event.log, "p1")["rounds"] == []


def test_who_was_taken_off_the_list_can_ask_too() -> None:
    event = Running(PK, ["Ada", "Bo"])
    event.do(c.Remove(player="p1"))
    found = collect_personal_data(event.log, "p1")
    assert (found["now"], found["known"][0]["name"]) == (None, "Ada")
    assert [fact["says"] for fact in found["facts"]] == [
        "Ada (p1) enters.",
        "Ada is removed from the list of players.",
    ]
    with pytest.raises(BadInput, match="no player has the id 'p9'"):
        collect_personal_data(event.log, "p9")
