"""Pair, look, publish, start and end are separate acts (PK-56), and each says what it needs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.refusals import NeedsReason, NotNow, UnknownTable
from topcut.text.messages import list_and

PK = "pokemon-2017"


def numbers(event: Running) -> list[int | str | None]:
    return [table.table for table in event.round.tables]


def pairs(event: Running) -> set[frozenset[str]]:
    return {frozenset(table.players) for table in event.round.tables}


def test_a_round_goes_from_draft_to_published_to_started_to_ended() -> None:
    event = Running(PK, 8)
    seen = []
    for command in (c.Pair(), c.Publish(), c.Start()):
        event.do(command)
        seen.append(event.round.phase)
    event.report()
    event.do(c.End())
    assert [*seen, event.round.phase] == ["draft", "published", "started", "ended"]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (c.Publish(), "There is no round to publish. No round is paired yet"),
        (c.Start(), "There is no round to start"),
        (c.End(), "No round is being played"),
        (c.Pause(), "No round is being played"),
    ],
)
def test_each_act_needs_the_one_before(command: c.AnyCommand, says: str) -> None:
    event = Running(PK, 8)
    with pytest.raises(NotNow, match=says):
        event.do(command)


def test_a_draft_cannot_start_and_a_started_round_cannot_be_paired_again() -> None:
    event = Running(PK, 8)
    event.do(c.Pair())
    with pytest.raises(NotNow, match="Round 1 is not published yet. Publish it first"):
        event.do(c.Start())
    with pytest.raises(NotNow, match="Round 1 is already paired"):
        event.do(c.Pair())
    event.do(c.Publish(), c.Start())
    with pytest.raises(NotNow, match=r"Round 1 is being played\. 4 tables are not reported yet: 1 \("):
        event.do(c.Pair(again=True))
    with pytest.raises(NotNow, match="No tables can be changed now"):
        event.do(c.Swap(first="p1", second="p2", reason="x"))


def test_a_round_ends_when_every_table_is_reported() -> None:
    event = Running(PK, 4)
    event.up()
    second = event.round.tables[1]
    event.do(c.Report(table=1, result=event.result()))
    names = ", ".join(event.state.name_of(player_id) for player_id in second.players)
    with pytest.raises(NotNow, match=rf"Round 1 can't end yet\. 1 table is not reported yet: 2 \({names}\)"):
        event.do(c.End())


def test_pairing_again_is_a_new_attempt_that_shows() -> None:
    event = Running(PK, 16)
    event.do(c.Pair())
    first = event.round
    event.do(c.Pair(again=True))
    assert (event.round.attempt, event.round.seed != first.seed) == (2, True)
    assert "attempt" in [notable.kind for notable in find_draft_warnings(event.state)]


def test_tables_changed_by_hand_need_a_reason_and_show_what_is_wrong_with_them() -> None:
    event = Running(PK, 8)
    event.play("")
    met = event.round.tables[0].players
    event.do(c.Pair())
    one = event.round.table_of(met[0])
    assert one is not None
    other = next(player_id for player_id in one.players if player_id != met[0])
    with pytest.raises(NeedsReason):
        event.do(c.Swap(first=other, second=met[1], reason=""))
    event.do(c.Swap(first=other, second=met[1], reason="they share a car"))
    kinds = [notable.kind for notable in find_draft_warnings(event.state)]
    assert kinds[:2] == ["by hand", "rematch"]
    assert event.round.edited == ("they share a car",)
    assert not event.round.as_drawn
    assert event.state.file_rounds()[-1].seed is None


def test_tables_by_hand_seat_everybody_once() -> None:
    event = Running(PK, 5)
    event.do(c.Pair())
    with pytest.raises(BadInput, match="would have no table"):
        event.do(c.EditTables(tables=(("p1", "p2"), ("p3", "p4")), reason="x"))
    with pytest.raises(BadInput, match="is listed twice, or is not in this round"):
        event.do(c.EditTables(tables=(("p1", "p2"), ("p3", "p4"), ("p5", "p1")), reason="x"))
    with pytest.raises(BadInput, match="expected 2 players at a table, not 3"):
        event.do(c.EditTables(tables=(("p1", "p2"), ("p3", "p4", "p5")), reason="x"))
    event.do(c.EditTables(tables=(("p1", "p2"), ("p3", "p4"), ("p5",)), reason="x"))
    assert pairs(event) == {frozenset({"p1", "p2"}), frozenset({"p3", "p4"}), frozenset({"p5"})}


def test_a_bracket_is_not_changed_by_hand() -> None:
    event = Running(PK, 4, format="elimination")
    event.do(c.Pair())
    one, other = event.round.tables
    with pytest.raises(NotNow, match="follow from its results"):
        event.do(c.Swap(first=one.players[0], second=other.players[0], reason="x"))


def test_the_preview_lists_pair_downs_and_byes() -> None:
    event = Running(PK, 5)
    event.play("")
    event.do(c.Pair())
    kinds = {notable.kind for notable in find_draft_warnings(event.state)}
    assert kinds == {"pair-down", "bye"}


def test_players_who_need_a_fixed_table_sit_there_and_blocked_tables_stay_empty() -> None:
    event = Running(PK, 8)
    event.do(c.FixTable(player="p3", table=30), c.BlockTables(tables=(2,)))
    for _ in range(3):
        event.play("")
        (at,) = (t.table for t in event.round.tables if "p3" in t.players)
        assert at == 30
        assert numbers(event) == [1, 3, 4, 30]


def test_where_two_such_players_meet_the_other_table_stays_empty() -> None:
    event = Running(PK, 4)
    event.do(c.FixTable(player="p1", table=1), c.FixTable(player="p2", table=2), c.Pair())
    rest = tuple(player_id for player_id in ("p3", "p4"))
    if frozenset({"p1", "p2"}) not in pairs(event):
        event.do(c.EditTables(tables=(("p1", "p2"), rest), reason="a test"))
    assert numbers(event) == [1, 3]


def test_a_rematch_at_a_larger_table_names_those_who_met() -> None:
    """AL-13: of four at a table two or three may have met."""
    event = Running("allegiance-2005", 7, rounds=2)
    event.play("")
    earlier = [set(table.players) for table in event.round.tables]
    event.do(c.Pair())
    expected = []
    for table in event.round.tables:
        for sat in earlier:
            if len(together := [player for player in table.players if player in sat]) > 1:
                names = list_and(map(event.state.name_of, together))
                expected.append((table.table, f"{names} met in round 1."))
    found = [(seen.table, seen.says) for seen in find_draft_warnings(event.state) if seen.kind == "rematch"]
    assert sorted(found) == sorted(expected)
    assert len(found) > 2


def test_a_fixed_table_that_moved_is_in_the_preview() -> None:
    event = Running(PK, 4)
    event.do(c.FixTable(player="p1", table=9), c.FixTable(player="p2", table=9), c.Pair())
    if frozenset({"p1", "p2"}) in pairs(event):
        event.do(c.EditTables(tables=(("p1", "p3"), ("p2", "p4")), reason="a test"))
    moved = [n.says for n in find_draft_warnings(event.state) if n.kind == "fixed table"]
    assert len(moved) == 1
    assert "should sit at table 9, but sits at table" in moved[0]


def test_a_table_that_has_begun_stays_when_the_round_is_paired_again() -> None:
    event = Running(PK, 16)
    event.up(started=False)
    begun = event.round.tables[4].players
    event.do(c.BeginTables(tables=(5,)), c.Pair(again=True))
    assert event.round.tables[4].players == begun
    assert event.round.tables[4].table == 5
    assert sum(len(t.players) for t in event.round.tables) == 16
    event.do(c.Publish())
    with pytest.raises(NotNow, match="Table 5 has already started"):
        event.do(c.Swap(first=begun[0], second=event.round.tables[0].players[0], reason="x"))
    with pytest.raises(UnknownTable, match="Round 1 has no table 99. Enter a table from 1 to 8"):
        event.do(c.BeginTables(tables=(99,)))


def test_a_chart_drawn_again_keeps_a_table_that_has_begun_or_says_so() -> None:
    event = Running("draft-sheet", 8)
    event.play("")
    event.up(started=False)
    begun = event.round.tables[2]
    event.do(c.BeginTables(tables=(3,)), c.Pair(again=True))
    assert begun in event.round.tables


def test_nobody_is_removed_from_a_table_that_has_begun() -> None:
    event = Running(PK, 8)
    event.up(started=False)
    event.do(c.BeginTables(tables=(1,)))
    with pytest.raises(NotNow, match="can't be removed, only dropped"):
        event.do(c.Remove(player=event.round.tables[0].players[0], then="fewest"))


def test_the_clock_stops_goes_on_and_is_extended() -> None:
    event = Running("mtr", 4)
    event.up()
    start = event.now
    event.now += timedelta(minutes=9)
    event.do(c.Pause())
    event.now += timedelta(minutes=19)
    event.do(c.Resume(), c.Extend(minutes=5, table=2, reason="a judge was called"))
    clock = event.round.clock
    assert clock is not None
    now = start + timedelta(minutes=40)  # ten minutes before the pause, twenty in it, ten after it
    assert clock.seconds_left(now) == 30 * 60
    assert clock.seconds_left(now, table=2) == 35 * 60
    assert clock.seconds_to_last_end(now, [1, 2]) == 35 * 60
    event.do(c.Extend(minutes=1))
    assert event.round.clock is not None
    assert event.round.clock.seconds_left(now, table=2) == 36 * 60
    with pytest.raises(NotNow, match="The clock is already running"):
        event.do(c.Resume())


def test_a_plan_never_has_fewer_rounds_than_were_played() -> None:
    event = Running(PK, 4, rounds=4, format="swiss")
    event.play("", "", "")
    with pytest.raises(NotNow, match="3 rounds are already paired"):
        event.do(c.ChangeOptions(options=replace(event.state.options, rounds=None)))
    event.do(c.Announce(prizes="the top 4"))
    assert event.state.options.rounds == 4


def test_one_swiss_round_fewer_is_in_the_log() -> None:
    """PK-51."""
    event = Running(PK, 16)
    event.do(c.OneRoundFewer(reason="the hall closes at six"))
    assert event.state.options.rounds == 4
    assert "the hall closes at six" in str(event.log.entries[-1].fact)
    with pytest.raises(Impossible):
        Running("fab-gem", 16).do(c.OneRoundFewer())


def test_a_style_that_is_not_sanctioned_is_warned_of() -> None:
    """PK-2."""
    event = Running(PK, format="double-elimination")
    assert event.last.warnings == ["This format needs approval before the event: double elimination (PK-2)."]
    assert Running(PK, format="swiss").last.warnings == []


def test_a_table_for_third_place_is_decided_before_the_event() -> None:
    """PK-35."""
    event = Running(PK, 9)
    options = event.state.options
    event.up()
    changed = type(options)(rounds=event.state.options.rounds, cut=event.state.options.cut, third_place=True)
    with pytest.raises(NotNow, match="these options can't change: third_place"):
        event.do(c.ChangeOptions(options=changed))


def test_the_next_stage_begins_and_the_log_says_with_whom() -> None:
    event = Running(PK, 10)
    event.play("", "", "", "")
    event.do(c.Pair())
    assert event.state.stages == ("top cut",)
    assert (event.round.stage, len(event.round.tables)) == ("elimination", 2)
    event.do(c.Publish(), c.Start())
    event.report()
    event.do(c.End())
    event.play("")
    event.do(c.Finish())
    with pytest.raises(NotNow, match="The event is finished. Reopen it first"):
        event.do(c.Pair())
    event.do(c.Reopen(reason="a slip turned up"))
    assert event.state.finished is None


def test_an_event_that_could_go_on_is_finished_only_with_a_reason() -> None:
    event = Running(PK, 8)
    event.play("")
    with pytest.raises(NeedsReason, match="Round 2 could be played"):
        event.do(c.Finish())
    event.do(c.Finish(reason="the lights went out"))
    assert event.state.finished
