"""What is announced before an event, and what the desk is reminded of while it runs (PK-1, PK-57, PK-61)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.correction_window import describe_next_closing, find_next_closing
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.draw import find_progress
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
        "Ask all players to check their results now (PK-61). Publishing round 3 closes round 1 (PK-60)."
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
        "The Swiss rounds are over. Ask all players to check their results now (PK-61)."
        " Publishing the first elimination round closes all Swiss records (PK-A27)."
    ]
    event.do(c.Pair())
    assert [notable.says for notable in find_draft_warnings(event.state) if notable.kind == "record"] == [
        "Publishing the first elimination round closes all Swiss records (PK-A27)."
    ]
    event.do(c.Correct(round=3, table=4, result=event.result("0-2"), then="again"))
    assert event.do(c.Publish()).says == ["Rounds 2 and 3 can no longer be corrected (PK-A27)."]
    with pytest.raises(RecordClosed):
        event.do(c.Correct(round=3, table=4, result=event.result("2-0")))


def test_the_last_reminder_where_no_bracket_follows() -> None:
    event = Running(PK, 8, rounds=2, format="swiss")
    event.play("", "")
    assert event.last.says == [
        "Ask all players to check their results now (PK-61). Finishing the event closes all records."
    ]


def test_each_reminder_names_the_rounds_that_the_next_step_closes() -> None:
    """PK-60, PK-61."""
    event = Running(PK, 16, rounds=4, cut=4, format="swiss+elimination")
    remind = "Ask all players to check their results now (PK-61). "
    told = []
    for _ in range(4):
        event.do(c.Pair())
        told.append(event.do(c.Publish()).says)
        event.do(c.Start())
        event.report()
        event.do(c.End())
    assert told == [
        [],
        [remind + "Publishing round 3 closes round 1 (PK-60)."],
        [
            "Round 1 can no longer be corrected (PK-60).",
            remind + "Publishing round 4 closes round 2 (PK-60).",
        ],
        [
            "Round 2 can no longer be corrected (PK-60).",
            remind + "Publishing the first elimination round closes all Swiss records (PK-A27).",
        ],
    ]


@pytest.mark.parametrize(
    ("reading", "says"),
    [
        ("a", "Pairing round 3 closes round 1 (PK-60)."),
        ("b", "Publishing round 3 closes round 1 (PK-60)."),
        ("c", "Starting round 3 closes round 1 (PK-60)."),
    ],
)
def test_what_closes_a_record_is_named_as_the_rule_is_read(reading: str, says: str) -> None:
    """PK-A27."""
    event = Running(PK, 8, {"PK-A27": reading}, rounds=4, format="swiss")
    event.play("", "")
    closing = find_next_closing(event.state, find_progress(event.state))
    assert closing is not None
    assert describe_next_closing(closing) == says


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
                "There is no match for third place.",
            ],
        ),
        (
            {"junior": 2, "masters": 20},
            [
                "5 rounds, then a top 4.",
                "Divisions are modified: junior and masters play in one pool.",
                "There is no match for third place.",
            ],
        ),
        ({"masters": 20}, ["5 rounds, then a top 4.", "There is no match for third place."]),
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
    assert announced == ["3 rounds.", "Prizes: the top 4."]
    event.play("")
    event.do(c.Register(name="Ninth"))  # with nine the table would have four rounds and a cut
    event.play("", "")
    with pytest.raises(Impossible, match="All 3 planned Swiss rounds are played"):
        event.do(c.Pair())
