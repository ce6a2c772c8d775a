"""How long a round lasts, and that no round is left without a way to a clock (DC-2)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.refusals import NotNow

PK = "pokemon-2017"


def minutes(event: Running) -> int | None:
    assert event.round.clock is not None
    return event.round.clock.minutes


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, None),
        ({"level": "premier"}, 60),
        ({"level": "premier", "deck": "limited"}, 60),
        ({"level": "premier", "deck": "constructed"}, 70),
        ({"deck": "constructed"}, None),
    ],
)
def test_the_clock_begins_with_the_length_for_the_kind_of_event(
    options: dict[str, Any], expected: int | None
) -> None:
    """DC-2: 60 minutes at premier events, 70 with constructed decks."""
    event = Running("dci-1999", 4, **options)
    event.up()
    assert minutes(event) == expected


@pytest.mark.parametrize("rules", ["pokemon-2017", "fab-gem", "mtr", "allegiance-2005"])
def test_a_book_without_lengths_by_decks_has_no_use_for_them(rules: str) -> None:
    with pytest.raises(BadInput, match="has no use for this option"):
        Running(rules, deck="constructed")


def test_a_round_lasts_as_long_as_the_one_before_where_the_rules_say_nothing() -> None:
    event = Running(PK, 4, rounds=3, format="swiss")
    assert event.state.proposed_minutes is None
    event.do(c.Pair(), c.Publish(), c.Start(minutes=50))
    event.report()
    event.do(c.End(), c.Pair(), c.Publish())
    assert event.state.proposed_minutes == 50
    said = event.do(c.Start())
    assert said.says == ["The clock shows 50 minutes, as in the round before."]
    assert minutes(event) == 50


def test_zero_minutes_are_no_clock_and_stay_so() -> None:
    event = Running(PK, 4, rounds=3, format="swiss")
    event.do(c.Pair(), c.Publish(), c.Start(minutes=0))
    assert minutes(event) is None
    event.report()
    event.do(c.End())
    event.up()
    assert minutes(event) is None
    assert event.last.says == []


def test_a_round_without_a_clock_gets_one_later() -> None:
    event = Running(PK, 4)
    event.do(c.Pair(), c.Publish())
    said = event.do(c.Start()).says
    assert said == [
        "This round has no clock, because the rules give no length. You can set the clock at any time."
    ]
    event.now += timedelta(minutes=9)
    event.do(c.SetClock(minutes=40))
    clock = event.round.clock
    assert clock is not None
    assert clock.seconds_left(event.now) == 40 * 60
    assert clock.seconds_left(event.now + timedelta(minutes=10)) == 30 * 60


def test_a_clock_that_is_set_while_it_is_paused_waits() -> None:
    event = Running("mtr", 4)
    event.up()
    event.do(c.Extend(minutes=3), c.Extend(minutes=5, table=1), c.Pause(), c.SetClock(minutes=20))
    clock = event.round.clock
    assert clock is not None
    later = event.now + timedelta(minutes=30)
    assert clock.seconds_left(later) == 20 * 60, (
        "the minutes that are left, extensions of all tables included"
    )
    assert clock.seconds_left(later, table=1) == 25 * 60


def test_more_minutes_need_a_clock_for_the_round_and_none_for_a_table() -> None:
    event = Running(PK, 4)
    event.up()
    with pytest.raises(NotNow, match="Round 1 has no clock. Set the clock to the minutes that are left."):
        event.do(c.Extend(minutes=3))
    said = event.do(c.Extend(minutes=3, table=1)).says
    assert said == ["Round 1 has no clock. Topcut only notes the extra time at the table."]
    event.do(c.SetClock(minutes=10), c.Extend(minutes=3))
    clock = event.round.clock
    assert clock is not None
    assert clock.seconds_left(event.now) == 10 * 60 - 60 + 3 * 60


@pytest.mark.parametrize("minutes", [0, -1, 1441])
def test_a_clock_shows_one_minute_to_a_day(minutes: int) -> None:
    event = Running(PK, 4)
    event.up()
    with pytest.raises(BadInput, match="expected 1 to 1440 minutes"):
        event.do(c.SetClock(minutes=minutes))
