"""Names and birth years are outside the log and can be deleted, when the rules let them be (PK-58)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.event.event_runner import Running
from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.describe.name_marks import put_names_at_table
from topcut.event.event_log import EventLog
from topcut.event.refusals import CannotUndo, NotNow
from topcut.event.state import add_months

PK = "pokemon-2017"


def test_no_name_and_no_birth_year_is_in_the_log() -> None:
    event = Running(PK)
    event.do(c.Register(name="Grace Hopper", born=1990, member="739879"))
    raw = b"".join(event.log.lines)
    for word in (b"Grace", b"Hopper", b"739879", b'"born"'):
        assert word not in raw


def test_reasons_in_the_log_speak_of_ids() -> None:
    event = Running("draft-sheet", [f"Grace{letter}" for letter in "ABCDEFGH"])
    event.play("")
    event.do(c.Drop(player="p1"))
    event.play("1-1 1-1")
    event.play("")
    event.do(c.Drop(player="p2", then="leave"), c.Finish(reason="a test"))
    assert b"Grace" not in b"".join(event.log.lines)
    other = Running(PK, [f"Grace{letter}" for letter in "ABCDEFGH"], format="elimination")
    other.play("")
    other.do(c.Drop(player=other.round.tables[0].players[0]), c.Pair())
    assert b"Grace" not in b"".join(other.log.lines)
    alone = next(table for table in other.round.tables if table.bye)
    assert "Grace" in put_names_at_table(other.state, alone).why[0]


def test_a_late_player_is_told_and_the_log_is_not() -> None:
    event = Running(PK, 4)
    event.up()
    told = event.do(c.Register(name="Grace Hopper"))
    assert told.says[0].startswith("Tell Grace Hopper: entering late means a loss")
    assert b"Grace" not in b"".join(event.log.lines)


def test_the_same_person_twice_cannot_be_told_from_the_log() -> None:
    event = Running(PK, ["Ada", "Ada"])
    one, other = (e.person for e in event.state.players.values())
    assert one != other


def test_names_are_deleted_after_the_time_the_rules_demand_and_not_before() -> None:
    event = Running(PK, 8)
    event.play("", "", "")
    with pytest.raises(NotNow, match="The event is not finished"):
        event.do(c.Purge())
    event.do(c.Finish())
    ended = event.now
    with pytest.raises(
        Impossible, match=r"^PK-58: Names and results are kept for 3 months, until 14 February 2027"
    ):
        event.do(c.Purge())
    event.now = add_months(ended, 3) - timedelta(minutes=2)
    with pytest.raises(Impossible):
        event.do(c.Purge())
    places = [e.player.id for e in event.state.players.values()]
    event.do(c.Purge())
    assert [e.player.shown_name for e in event.state.players.values()] == places
    assert set(event.log.private) == {event.state.commitment}
    assert EventLog(event.log.lines, event.log.private).state == event.state
    assert check_log(event.log.lines, event.log.private).ok
    with pytest.raises(CannotUndo, match="Deleted names can't be restored"):
        event.do(c.Undo())
    with pytest.raises(NotNow, match="deleted"):
        event.do(c.EditPlayer(player="p1", name="Ada"))


def test_an_event_keeps_names_as_long_as_it_says_and_no_shorter_than_the_rules() -> None:
    with pytest.raises(Impossible, match=r"^PK-58: Results must be kept for at least 3 months"):
        Running(PK, kept_months=1)
    assert Running(PK, kept_months=12).state.kept_months == 12
    assert Running("mtr").state.kept_months == 3
    free = Running("mtr", 2, kept_months=0)
    free.play("")
    free.do(c.Finish(reason="a test"), c.Purge())
    with pytest.raises(BadInput, match="expected 0 to 1200 months"):
        Running("mtr", kept_months=1300)
