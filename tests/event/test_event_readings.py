"""Unclear rules about running an event: each reading gives another answer."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from tests.standings.test_readings import COVERED, IN_EVENTS, all_readings, reading
from topcut.event import commands as c
from topcut.event.correction_window import find_closure
from topcut.event.draw import find_progress
from topcut.event.refusals import EntryClosed
from topcut.rulebook.tiebreak_keys import Outcomes

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


@reading("AL-A12", a=(1, 15), b=(0, 0))
def test_al_a12_what_a_player_scores_who_sits_out(
    readings: dict[str, str], expected: tuple[int, int]
) -> None:
    """Five of eight are left, and the target of the event is 15."""
    event = Running("allegiance-2005", 8, readings=readings, rounds=3, target=15)
    event.play("")
    winners = {winner for table in event.round.tables for winner in table.winners or ()}
    losers = [e.player.id for e in event.state.active() if e.player.id not in winners]
    event.do(*(c.Drop(player=player) for player in losers[:3]))
    event.do(c.Pair(allow=("sits-out",), reason="five left"), c.Publish(), c.Start())
    (alone,) = [table.players[0] for table in event.round.tables if table.bye]
    history = find_progress(event.state).history
    at = history.index[alone]
    measure = event.state.book.measures["wins"]
    assert isinstance(measure, Outcomes)
    assert history.scores is not None
    assert (int(measure.bye.earned), int(history.scores[1, at])) == expected


def test_every_reading_about_running_an_event_is_tested() -> None:
    for reading_id in IN_EVENTS:
        (mark,) = COVERED[reading_id].pytestmark  # type: ignore[attr-defined]
        tested = {letter for case in mark.args[1] for letter in case.values[0].values()}
        assert tested == all_readings()[reading_id], reading_id
