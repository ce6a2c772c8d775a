"""What is announced before an event, and what the desk is reminded of while it runs (PK-1, PK-57, PK-61)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.refusals import NotNow, RecordClosed

PK = "pokemon-2017"


def test_the_rules_ask_for_an_announcement_a_reminder_and_slips() -> None:
    """PK-1, PK-57, PK-61."""
    event = Running(PK, 8, level="premier")
    event.do(c.Pair())
    assert [
        notable.says for notable in find_draft_warnings(event.state) if notable.kind == "announcement"
    ] == ["Rounds, cut and prizes are not announced yet (PK-1)."]
    said = event.do(c.Publish())
    assert said.warnings == [], "it was said before"
    assert said.says == ["This event uses result slips (PK-57)."]
    event.do(c.Start())
    event.report()
    event.do(c.End(), c.Pair())
    assert event.do(c.Publish()).says[0] == (
        "Remind all players to check their record (PK-61)."
        " Round 1 can be corrected until round 3 is published (PK-A27)."
    )


def test_what_is_announced_is_not_asked_for_again() -> None:
    """PK-1."""
    event = Running(PK, 8)
    event.do(c.Announce(prizes="the top 4"), c.Pair())
    assert "announcement" not in {notable.kind for notable in find_draft_warnings(event.state)}


def test_the_last_reminder_comes_while_it_is_of_use() -> None:
    """PK-60, PK-61, PK-A27: the first elimination round closes what the last Swiss rounds left open."""
    event = Running(PK, 8, rounds=3, cut=2, format="swiss+elimination")
    event.play("", "")
    event.up()
    event.report()
    assert event.do(c.End()).says == [
        "The Swiss rounds are over. Remind all players to check their record (PK-61)."
        " Rounds 2 and 3 can be corrected until the first elimination round is published (PK-A27)."
    ]
    event.do(c.Pair())
    event.do(c.Correct(round=3, table=4, result=event.result("0-2"), then="again"))
    assert event.do(c.Publish()).says == ["Rounds 2 and 3 can no longer be corrected (PK-A27)."]
    with pytest.raises(RecordClosed):
        event.do(c.Correct(round=3, table=4, result=event.result("2-0")))


def test_the_last_reminder_where_no_bracket_follows() -> None:
    event = Running(PK, 8, rounds=2, format="swiss")
    event.play("", "")
    assert event.last.says == [
        "Remind all players to check their record (PK-61)."
        " Rounds 1 and 2 can be corrected until the event is finished."
    ]


@pytest.mark.parametrize(
    ("rules", "players", "options", "says"),
    [
        ("allegiance-2005", 8, {}, "The number of rounds is missing. Set rounds=N in the options."),
        (PK, 0, {"rounds": 4}, "The cut is missing. Add the players, or set cut=N in the options."),
        (
            PK,
            0,
            {},
            "The number of rounds and the cut are missing. Add the players, or set rounds=N and cut=N",
        ),
        ("draft-sheet", 0, {}, "The number of rounds is missing. Add the players, or set rounds=N in"),
    ],
)
def test_nothing_is_announced_that_has_no_value(
    rules: str, players: int, options: dict[str, Any], says: str
) -> None:
    """PK-1."""
    event = Running(rules, players, **options)
    before = event.log.version
    with pytest.raises(NotNow) as refused:
        event.do(c.Announce(prizes="a cup"))
    assert str(refused.value).startswith(says)
    assert event.log.version == before


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        (
            {"junior": 8, "masters": 20},
            [
                "junior: 3 rounds.",
                "masters: 5 rounds, then a top 4.",
                "Divisions are separated: each plays by itself.",
            ],
        ),
        (
            {"junior": 2, "masters": 20},
            ["5 rounds, then a top 4.", "Divisions are modified: they play in one pool."],
        ),
        ({"masters": 20}, ["5 rounds, then a top 4."]),
    ],
)
def test_it_is_announced_how_divisions_play(sizes: dict[str, int], says: list[str]) -> None:
    """PK-1, PK-12, PK-13."""
    event = Running(PK)
    event.do(*(c.Register(name=f"{d} {n}", division=d) for d, size in sizes.items() for n in range(size)))
    assert event.do(c.Announce(prizes="a cup")).says == [*says, "Prizes: a cup."]


def test_what_is_announced_stays_however_many_players_come_late() -> None:
    event = Running(PK, 8, third_place=True)
    announced = event.do(c.Announce(prizes="the top 4")).says
    assert announced == ["3 rounds.", "There is a table for third place.", "Prizes: the top 4."]
    event.play("")
    event.do(c.Register(name="Ninth"))  # with nine the table would have four rounds and a cut
    event.play("", "")
    with pytest.raises(Impossible, match="All 3 planned Swiss rounds are played"):
        event.do(c.Pair())
