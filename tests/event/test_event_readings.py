"""Unclear rules about running an event: each reading gives another answer."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from tests.standings.test_readings import COVERED, IN_EVENTS, all_readings, reading
from topcut.event import commands as c
from topcut.event.correction_window import find_closure
from topcut.event.refusals import EntryClosed

PK = "pokemon-2017"


@reading("PK-A9", a="until round 2 ended", b="until round 2 started")
def test_pk_a9_the_last_moment_to_enter_an_event_with_championship_points(
    readings: dict[str, str], expected: str
) -> None:
    event = Running(PK, 8, readings=readings, level="championship")
    event.play("")
    event.do(c.Register(name="After round 1"))
    event.up()
    if readings["PK-A9"] == "a":
        event.do(c.Register(name="During round 2"))
        event.report()
        event.do(c.End())
    with pytest.raises(EntryClosed, match=expected):
        event.do(c.Register(name="Too late"))


@reading("PK-A27", a="draft", b="published", c="started")
def test_pk_a27_what_closes_the_record_of_the_round_before_last(
    readings: dict[str, str], expected: str
) -> None:
    event = Running(PK, 16, readings=readings, rounds=5, format="swiss")
    event.play("", "")
    assert find_closure(event.state, 1) is None
    for command in (c.Pair(), c.Publish(), c.Start()):
        event.do(command)
        if event.round.phase == expected:
            break
        assert find_closure(event.state, 1) is None
    shut = find_closure(event.state, 1)
    assert shut is not None
    word = {"draft": "paired"}.get(expected, expected)
    assert f": round 3 was {word}" in str(shut)


def test_every_reading_about_running_an_event_is_tested() -> None:
    for reading_id in IN_EVENTS:
        (mark,) = COVERED[reading_id].pytestmark  # type: ignore[attr-defined]
        tested = {letter for case in mark.args[1] for letter in case.values[0].values()}
        assert tested == all_readings()[reading_id], reading_id
