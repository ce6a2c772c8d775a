"""Dropping, being disqualified, coming back (PK-33, PK-46, PK-A30, section 6.1 of the specification)."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.commands import Then
from topcut.event.draw import find_progress
from topcut.event.refusals import AlreadyLeft, NeedsReason, NotNow

PK = "pokemon-2017"


def test_a_player_drops_between_rounds() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p3"))
    assert event.state.players["p3"].player.dropped == 1
    event.do(c.Pair())
    assert event.round.table_of("p3") is None
    with pytest.raises(AlreadyLeft, match="Player 3 has already dropped"):
        event.do(c.Drop(player="p3"))


def test_to_drop_during_a_table_is_to_lose_it() -> None:
    """PK-A30: and the round counts as taken part in."""
    event = Running(PK, 8)
    event.up()
    table = event.round.table_of("p3")
    assert table is not None
    (other,) = (player_id for player_id in table.players if player_id != "p3")
    event.do(c.Drop(player="p3"))
    assert event.last.says == [f"Player 3 loses table {table.table} of round 1. (PK-A30)"]
    table = event.round.table_of("p3")
    assert table is not None
    assert table.winner == other
    assert event.state.players["p3"].player.dropped == 1


def test_to_drop_after_the_table_is_reported_leaves_the_result() -> None:
    event = Running(PK, 8)
    event.up()
    event.report()
    winner = event.round.tables[0].players[0]
    event.do(c.Drop(player=winner))
    assert event.round.tables[0].games == (2, 0, 0)
    assert event.state.players[winner].player.dropped == 1


def test_a_drop_from_a_published_round_offers_three_answers() -> None:
    event = Running(PK, 8)
    event.play("")
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Drop(player="p3"))] == ["leave", "fewest", "again"]


def test_coming_back_to_a_published_round_offers_answers_too() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p3"))
    event.up(started=False)
    back = c.Restore(player="p3", override=True, reason="it was another Player 3")
    assert [answer.kind for answer in event.answers(back)] == ["leave", "fewest", "again"]


def test_left_alone_the_round_counts_the_absent_player_as_beaten() -> None:
    event = Running(PK, 8)
    event.play("")
    event.up(started=False)
    event.do(c.Drop(player="p3", then="leave"))
    table = event.round.table_of("p3")
    assert table is not None
    assert table.winner not in (None, "p3")
    assert event.state.players["p3"].player.dropped == 2
    event.do(c.Start())


def test_where_no_other_round_is_legal_the_round_can_still_be_left() -> None:
    """PK-8: three players have had a bye each, and the fourth leaves."""
    event = Running(PK, 4, format="swiss", rounds=5)
    event.do(c.Drop(player="p4"))
    event.do(c.Register(name="Fourth", id="p5"), c.Remove(player="p5"))
    event.play("", "", "")
    event.do(c.Register(name="Late"))
    event.up(started=False)
    assert [answer.kind for answer in event.answers(c.Drop(player="p6"))] == ["leave"]
    event.do(c.Drop(player="p6", then="leave"), c.Start())


def test_a_bye_of_a_player_who_drops_is_nobodys() -> None:
    event = Running(PK, 9)
    event.up(started=False)
    (alone,) = (t.players[0] for t in event.round.tables if t.bye)
    event.do(c.Drop(player=alone, then="leave"))
    assert event.round.table_of(alone) is None
    assert len(event.round.tables) == 4
    assert event.state.players[alone].player.dropped == 0


def test_with_the_fewest_changes_the_opponent_gets_the_bye_or_meets_who_had_it() -> None:
    event = Running("dci-1999", 9)
    event.up(started=False)
    (alone,) = (t.players[0] for t in event.round.tables if t.bye)
    table = event.round.tables[0]
    stays, leaves = table.players
    event.do(c.Drop(player=leaves, then="fewest"))
    met = event.round.table_of(stays)
    assert met is not None
    assert set(met.players) == {stays, alone}
    assert len(event.round.changed) == 1


def test_nobody_drops_from_a_bracket_the_table_is_lost() -> None:
    """PK-33."""
    event = Running(PK, 8, format="elimination")
    event.up()
    first = event.round.tables[0].players
    event.do(c.Drop(player=first[0]))
    assert event.round.tables[0].winner == first[1]
    event.report()
    event.do(c.End())
    winner = event.round.tables[1].players[0]
    event.do(c.Drop(player=winner))  # between rounds: whoever comes next has a bye
    event.do(c.Pair())
    assert [len(t.players) for t in event.round.tables] == [2, 1]
    with pytest.raises(NotNow, match="is no longer in the bracket"):
        event.do(c.Drop(player=event.state.rounds[0].tables[2].players[1]))


def test_a_disqualification_needs_a_reason_and_ends_the_table() -> None:
    event = Running(PK, 8)
    event.up()
    with pytest.raises(NeedsReason):
        event.do(c.Disqualify(player="p1", reason=""))
    event.do(c.Disqualify(player="p1", reason="marked cards"))
    assert event.state.players["p1"].player.disqualified == 1
    table = event.round.table_of("p1")
    assert table is not None
    assert table.winner not in (None, "p1")


def test_a_player_dropped_in_error_is_back_before_the_next_posting() -> None:
    """PK-A30."""
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p3"), c.Restore(player="p3"))
    event.do(c.Pair())
    assert event.round.table_of("p3") is not None


def test_after_the_posting_only_an_organiser_brings_a_player_back_with_losses() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Drop(player="p3"))
    event.play("")
    with pytest.raises(NotNow, match="could be reinstated until round 2 was published"):
        event.do(c.Restore(player="p3"))
    event.do(c.Restore(player="p3", override=True, reason="it was another Player 3"))
    lost = event.state.rounds[1].table_of("p3")
    assert lost is not None
    assert lost.loss
    event.do(c.Pair())
    assert event.round.table_of("p3") is not None


def test_flights_are_not_rebalanced_when_players_drop() -> None:
    """PK-46."""
    event = Running(PK, 64, flights=2, divisions="off")
    event.play("")
    flights = {player_id: e.player.flight for player_id, e in event.state.players.items()}
    leaving = [player_id for player_id, flight in flights.items() if flight == 1][:6]
    event.do(*(c.Drop(player=player_id) for player_id in leaving), c.Pair())
    assert {player_id: e.player.flight for player_id, e in event.state.players.items()} == flights


def test_who_leaves_the_draft_sheet_leaves_a_bye() -> None:
    event = Running("draft-sheet", 8)
    event.play("")
    leaver = event.round.tables[0].players[0]
    event.do(c.Drop(player=leaver), c.Pair())
    assert sorted(len(t.players) for t in event.round.tables) == [1, 2, 2, 2]


def test_at_larger_tables_the_others_play_on_and_sizes_are_worked_out_anew() -> None:
    event = Running("allegiance-2005", 10)
    event.up()
    event.do(c.Drop(player="p1"))
    assert event.last.warnings[0].startswith("Player 1 leaves table")
    event.report()
    event.do(c.End(), c.Pair())
    assert sorted(len(t.players) for t in event.round.tables) == [3, 3, 3]


def test_a_player_who_waits_for_the_next_round_can_leave_before_it() -> None:
    event = Running(PK, 8)
    event.play("")
    event.up(started=False)
    event.do(c.Register(name="Late", then="leave"), c.Drop(player="p9"))
    assert event.state.players["p9"].player.dropped == 2
    event.do(c.Restore(player="p9"))  # and come back before it, at no cost
    assert event.round.table_of("p9") is None
    event.do(c.Drop(player="p9"), c.Start())


def test_to_leave_a_table_that_plays_although_the_round_is_drawn_again() -> None:
    event = Running(PK, 8)
    event.up(started=False)
    event.do(c.BeginTables(tables=(1,)), c.Pair(again=True))
    stays, leaves = event.round.tables[0].players
    event.do(c.Drop(player=leaves))
    assert event.round.tables[0].winner == stays


def test_a_player_who_waits_in_a_double_elimination_can_leave() -> None:
    for rounds in range(1, 6):
        event = Running(PK, 9, format="double-elimination")
        event.play(*[""] * rounds)
        alive = {
            player_id for bracket in find_progress(event.state).brackets for player_id in bracket.play.alive()
        }
        waiting = sorted(
            player_id for player_id in alive if event.round.table_of(player_id) is None
        ) or sorted(alive)
        event.do(c.Drop(player=waiting[0]))
        with pytest.raises(Impossible, match="Every table of the bracket is played"):
            event.play(*[""] * 9)


def test_a_bracket_has_no_lost_tables_for_who_comes_back() -> None:
    event = Running(PK, 9)
    event.play("", "", "", "")
    event.do(c.Drop(player=event.round.tables[0].players[0]))
    (gone,) = (player_id for player_id, e in event.state.players.items() if e.player.dropped is not None)
    event.do(c.Pair(), c.Restore(player=gone, then="again"))
    assert not any(table.loss for table in event.round.tables)


def test_before_anything_is_paired_to_drop_is_to_be_taken_off_the_list() -> None:
    event = Running(PK, 8)
    event.do(c.Drop(player="p3"))
    assert "p3" not in event.state.players


def before_the_cut(rules: str) -> tuple[Running, list[str]]:
    """An event of twelve whose Swiss rounds are over, before a top 4, and the line as it stands."""
    event = Running(rules, 12, format="swiss+elimination", rounds=3, cut=4)
    event.play("", "", "")
    (bracket,) = find_progress(event.state).brackets
    assert bracket.entered is not None
    return event, [f"p{verdict.player + 1}" for verdict in bracket.entered.verdicts]


def seated(event: Running) -> set[str]:
    assert event.round.stage == "elimination"
    assert all(len(table.players) == 2 for table in event.round.tables)
    return {player_id for table in event.round.tables for player_id in table.players}


@pytest.mark.parametrize("drafted", [False, True])
@pytest.mark.parametrize("rules", [PK, "pokemon-tom", "mtr"])
def test_the_next_in_line_takes_the_place_of_a_qualifier_who_drops(rules: str, drafted: bool) -> None:
    """PK-A22: before the bracket is published, whether it is paired as a draft already or not."""
    event, line = before_the_cut(rules)
    if drafted:
        event.do(c.Pair())
        assert seated(event) == set(line[:4])
    said = event.do(c.Drop(player=line[1])).warnings
    if not drafted:
        said = event.do(c.Pair()).warnings
    (moved,) = seated(event) - set(line[:4])
    assert seated(event) == {*line[:4], moved} - {line[1]}
    names = [event.state.name_of(player_id) for player_id in (line[1], moved)]
    reading = "MTR-A2" if rules == "mtr" else "PK-A22"
    assert f"{names[0]} left; {names[1]}, 5th, takes the place. ({reading})" in said
    event.do(c.Publish())
    assert len(seated(event)) == 4


def test_who_comes_back_before_the_bracket_is_published_has_the_place_again() -> None:
    event, line = before_the_cut("mtr")
    event.do(c.Pair(), c.Drop(player=line[1]), c.Restore(player=line[1], then="again"))
    assert seated(event) == set(line[:4])


def test_the_next_in_line_can_decline_while_the_bracket_is_a_draft() -> None:
    event, line = before_the_cut("mtr")
    event.do(c.Pair(), c.Drop(player=line[4]))
    assert seated(event) == set(line[:4])
    event.do(c.Drop(player=line[0]))
    assert seated(event) == {*line[1:4], line[5]}
    event.do(c.Drop(player=line[5]))  # who was moved up leaves too
    assert seated(event) == {*line[1:4], line[6]}
    event.do(c.Publish())
    with pytest.raises(NotNow, match="is no longer in the bracket"):
        event.do(c.Drop(player=line[7]))


def test_nobody_moves_up_once_the_bracket_is_published() -> None:
    """PK-33: the table is lost."""
    event, line = before_the_cut(PK)
    event.do(c.Pair(), c.Publish(), c.Drop(player=line[1]))
    assert seated(event) == set(line[:4])
    lost = event.round.table_of(line[1])
    assert lost is not None
    assert lost.winner not in (None, line[1])


@pytest.mark.parametrize("players", [6, 7, 8])
@pytest.mark.parametrize("then", ["fewest", "again"])
def test_a_draft_goes_on_when_somebody_leaves_before_it_begins(players: int, then: Then) -> None:
    event = Running("draft-sheet", players)
    event.up(started=False)
    event.do(c.Drop(player="p3", then=then))
    if event.round.phase == "draft":
        event.do(c.Publish())
    event.do(c.Start())
    event.report()
    event.do(c.End())
    for _ in range(2):
        event.play("")
        sitting = sorted(player_id for table in event.round.tables for player_id in table.players)
        assert sitting == sorted({f"p{n}" for n in range(1, players + 1)} - {"p3"})
    event.do(c.Finish())
