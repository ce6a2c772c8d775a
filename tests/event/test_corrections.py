"""One wrong result never forces a round to be paired again; until when can it be corrected? (PK-59, PK-60)"""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.event import commands as c
from topcut.event.correction_window import describe_deadline, find_closure
from topcut.event.facts import Result
from topcut.event.refusals import AlreadyReported, BadResult, NeedsReason, NotNow, RecordClosed
from topcut.event.state import State
from topcut.history import build_history
from topcut.standings import rank

PK = "pokemon-2017"
FIRST, SECOND = Result(games=(2, 0, 0)), Result(games=(0, 2, 0))


def pairs(state: State) -> list[frozenset[str]]:
    return [frozenset(table.players) for table in state.rounds[-1].tables]


def test_a_result_can_be_corrected_while_the_round_is_played() -> None:
    event = Running(PK, 8)
    event.up()
    event.do(c.Report(table=1, result=FIRST))
    with pytest.raises(AlreadyReported) as told:
        event.do(c.Report(table=1, result=SECOND))
    a, b = (event.state.name_of(player_id) for player_id in event.round.tables[0].players)
    assert str(told.value) == (
        f"Table 1 of round 1 is already reported: {a} beats {b} 2-0."
        f' To change it to "{b} beats {a} 2-0", correct it.'
    )
    with pytest.raises(
        AlreadyReported, match=f"^Table 1 of round 1 already has this result: {a} beats {b} 2-0"
    ):
        event.do(c.Report(table=1, result=FIRST))
    event.do(c.Correct(table=1, result=SECOND))
    assert event.round.tables[0].games == (0, 2, 0)
    event.do(c.Correct(table=1, result=None))
    assert not event.round.tables[0].reported
    with pytest.raises(NotNow, match="is not reported yet. Report it"):
        event.do(c.Correct(table=1, result=FIRST))


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (Result(games=(3, 0, 0)), "3-0 isn't possible in best of 3"),
        (Result(winner="p99"), "does not sit at this table"),
        (Result(scores=(1, 2)), "expected games or a winner in this ruleset"),
        (Result(), "expected a result"),
        (Result(games=(2, 0, 0), intentional=True), "only a draw can be intentional"),
    ],
)
def test_a_result_that_cannot_be_is_refused(result: Result, says: str) -> None:
    event = Running(PK, 4)
    event.up()
    with pytest.raises(BadResult, match=says):
        event.do(c.Report(table=1, result=result))


def test_a_result_seen_for_others_is_not_taken() -> None:
    event = Running(PK, 8)
    event.up()
    seen = event.round.tables[0].players
    event.do(c.Report(table=1, result=FIRST, players=seen))
    with pytest.raises(NotNow, match="now sit at table 2 of round 1. Check it, then try again"):
        event.do(c.Report(table=2, result=FIRST, players=seen))


def test_a_bracket_knows_no_draw() -> None:
    event = Running(PK, 4, format="elimination")
    event.up()
    with pytest.raises(BadResult, match="expected a winner, since elimination rounds have no draws"):
        event.do(c.Report(table=1, result=Result(winner="draw")))


def test_a_confirmed_result_that_is_corrected_has_to_be_confirmed_again() -> None:
    event = Running(PK, 4)
    event.up()
    event.do(c.Report(table=1, result=FIRST), c.Confirm(tables=(1,)))
    assert event.round.confirmed == {1}
    event.do(c.Correct(table=1, result=SECOND))
    assert event.round.confirmed == frozenset()
    with pytest.raises(NotNow, match="Table 2 of round 1 is not reported yet"):
        event.do(c.Confirm(tables=(2,)))


def test_the_record_of_a_round_is_open_until_the_second_round_after_it_is_published() -> None:
    """PK-T9: editable exactly while the highest published round is at most r + 1."""
    event = Running(PK, 16, rounds=5, format="swiss")
    for _ in range(5):
        event.do(c.Pair())
        for number in range(1, len(event.state.rounds)):
            assert (find_closure(event.state, number) is None) == (event.state.posted <= number + 1)
        event.do(c.Publish())
        for number in range(1, len(event.state.rounds) + 1):
            assert (find_closure(event.state, number) is None) == (event.state.posted <= number + 1)
        event.do(c.Start())
        event.report()
        event.do(c.End())


def test_the_record_of_a_final_is_open_until_the_event_is_finished() -> None:
    event = Running(PK, 4, format="elimination")
    event.play("")
    assert describe_deadline(event.state, 1) == "the next round of the bracket starts"
    event.play("")
    assert describe_deadline(event.state, 2) == "the event is finished"


def test_too_late_says_until_when_it_was_possible_and_an_organiser_can_override_it() -> None:
    event = Running(PK, 16, rounds=5, format="swiss")
    event.play("", "")
    event.up(started=False)
    event.now = event.now.replace(hour=10, minute=42)
    with pytest.raises(RecordClosed, match=r"^PK-60: Round 1 can no longer be corrected: round 3 was"):
        event.do(c.Correct(round=1, table=1, result=SECOND))
    with pytest.raises(NeedsReason):
        event.do(c.Correct(round=1, table=1, result=SECOND, override=True, then="leave"))
    event.do(c.Correct(round=1, table=1, result=SECOND, override=True, reason="both signed it", then="leave"))
    (override,) = event.state.overrides
    assert (override.round, override.table, override.reason, override.by) == (1, 1, "both signed it", "Ada")


def test_publishing_the_bracket_closes_all_swiss_rounds_and_a_draft_does_not() -> None:
    """PK-A27."""
    event = Running(PK, 9)
    event.play("", "", "", "")
    event.do(c.Pair())
    assert find_closure(event.state, 4) is None
    event.do(c.Publish())
    with pytest.raises(RecordClosed, match="the first elimination round was published"):
        event.do(c.Correct(round=4, table=1, result=SECOND))


def test_rulesets_without_a_window_leave_records_open() -> None:
    event = Running("dci-1999", 8)
    event.play("", "")
    event.up()
    event.do(c.Correct(round=1, table=1, result=SECOND))
    assert event.state.rounds[0].tables[0].games == (0, 2, 0)


def test_a_correction_that_touches_a_published_round_offers_three_answers() -> None:
    """PK-59: leave it, change the fewest tables, pair it again; each with its cost."""
    event = Running(PK, 16)
    event.play("")
    event.up(started=False)
    before = event.log.version
    answers = event.answers(c.Correct(round=1, table=1, result=SECOND))
    assert event.log.version == before
    leave, fewest, again = answers
    assert (leave.kind, fewest.kind, again.kind) == ("leave", "fewest", "again")
    assert (leave.new, fewest.new, again.new) == (0, 2, None)
    assert (leave.changed, fewest.changed, again.changed) == ((), None, None), "lots decide which"
    assert leave.cost is not None
    assert fewest.cost is not None
    assert leave.cost["score_gap_squared"] == 18
    assert fewest.cost["score_gap_squared"] == 0
    assert "2 tables" in fewest.says


def test_leaving_the_round_corrects_the_record_and_nothing_else() -> None:
    event = Running(PK, 16)
    event.play("")
    event.up(started=False)
    before = pairs(event.state)
    event.do(c.Correct(round=1, table=1, result=SECOND, then="leave"))
    assert pairs(event.state) == before
    assert event.state.rounds[0].tables[0].games == (0, 2, 0)


def test_the_fewest_tables_change_and_only_they_get_new_slips() -> None:
    event = Running(PK, 16)
    event.play("")
    event.up(started=False)
    before = {t.table: frozenset(t.players) for t in event.round.tables}
    event.do(c.Correct(round=1, table=1, result=SECOND, then="fewest"))
    after = {t.table: frozenset(t.players) for t in event.round.tables}
    changed = {table for table in after if after[table] != before.get(table)}
    assert changed == set(event.round.changed)
    assert len(changed) == 2
    assert event.round.phase == "published"
    met = {player_id: rank_points(event.state)[player_id] for player_id in event.state.players}
    assert all(len({met[player_id] for player_id in table.players}) == 1 for table in event.round.tables)


def rank_points(state: State) -> dict[str, int]:
    """Points before the last round."""
    history = build_history(state.file_players(), state.file_rounds(len(state.rounds)), state.book)
    standings = rank(history, state.book, "")
    return {player.id: int(standings.value("points", i) or 0) for i, player in enumerate(history.players)}


def test_tables_that_play_already_are_never_touched() -> None:
    event = Running(PK, 16)
    event.play("")
    event.up(started=False)
    wrong = event.state.rounds[0].tables[0].players
    begun = [t for t in event.round.tables if set(t.players) & set(wrong)]
    event.do(c.BeginTables(tables=tuple(t.table for t in begun if isinstance(t.table, int))))
    event.do(c.Correct(round=1, table=1, result=SECOND, then="fewest"))
    assert set(begun) <= set(event.round.tables)
    event.do(c.Undo())
    event.do(c.Correct(round=1, table=1, result=SECOND, then="again"))
    assert {frozenset(t.players) for t in begun} <= set(pairs(event.state))
    assert event.round.attempt == 2


def test_where_nothing_would_change_nobody_is_asked() -> None:
    event = Running(PK, 8)
    event.play("2-0 2-0 2-0 2-0")
    event.up(started=False)
    event.do(c.Correct(round=1, table=1, result=Result(games=(2, 1, 0))))
    assert event.round.changed == frozenset()


def test_a_correction_gives_the_same_standings_as_the_right_result_at_first() -> None:
    """Invariant 9 of the specification."""
    wrong, right = Running(PK, 8), Running(PK, 8)
    wrong.play("0-2 2-0")
    right.play("2-0 2-0")
    wrong.do(c.Correct(round=1, table=1, result=FIRST))
    assert wrong.state.rounds[0].tables == right.state.rounds[0].tables


def test_a_bracket_result_can_be_corrected_until_the_next_round_plays_on_it() -> None:
    event = Running(PK, 8, format="elimination")
    event.play("")
    event.up(started=False)
    before = pairs(event.state)
    event.do(c.Correct(round=1, table=1, result=SECOND, then="fewest"))
    assert len(set(pairs(event.state)) - set(before)) == 1
    event.do(c.Start())
    with pytest.raises(NotNow, match="The bracket went on with that result"):
        event.do(c.Correct(round=1, table=1, result=FIRST))
