"""Players report their own table by phone: it counts when everybody who sits there says the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.context import FactContext, UnfitFact, apply_all
from topcut.event.decide.undo import try_undo
from topcut.event.describe.log_sentences import describe_log
from topcut.event.differences import describe_differences
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.refusals import AlreadyReported, BadResult, CannotUndo, NotAtTable, NotNow

PK = "pokemon-2017"
FIRST, SECOND, CLOSE = (Result(games=games) for games in ((2, 0, 0), (0, 2, 0), (2, 1, 0)))


def started(players: int = 8, rules: str = PK) -> Running:
    """An event whose first round is being played."""
    event = Running(rules, players)
    event.up()
    return event


def seats(event: Running, table: int = 1) -> tuple[str, ...]:
    return event.round.get_table(table).players


def claim(event: Running, player: str, result: Result, table: int = 1) -> str:
    """What a player is told who says how a table ended."""
    return " ".join(event.do(c.Claim(player=player, table=table, result=result)).says)


def said(event: Running) -> dict[int, list[str]]:
    """Who has said something of which table."""
    return {table: sorted(claims) for table, claims in event.round.claims.items()}


# Agreeing


def test_a_table_is_reported_once_both_say_the_same() -> None:
    event = started()
    one, other = seats(event)
    waits = claim(event, one, CLOSE)
    assert waits == f"Waiting for {event.state.name_of(other)} to confirm."
    assert (event.round.tables[0].reported, event.round.claimed) == (False, [1])
    agrees = claim(event, other, CLOSE)
    names = [event.state.name_of(player_id) for player_id in (one, other)]
    assert agrees == f"Both agree: {names[0]} beats {names[1]} 2-1."
    assert [type(fact) for fact in event.last.facts] == [f.Claimed, f.Reported]
    assert (event.round.tables[0].games, event.round.claims) == ((2, 1, 0), {})


def test_a_disagreement_waits_for_the_desk() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    name, loser = event.state.name_of(one), event.state.name_of(other)
    assert claim(event, other, SECOND) == (
        f"{name} reported something else: {name} beats {loser} 2-0. The desk sees this."
    )
    assert (event.round.tables[0].reported, event.round.disputed) == (False, [1])


def test_a_second_claim_of_a_player_replaces_the_first() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, SECOND)
    claim(event, other, FIRST)
    assert event.round.disputed == [1]
    assert claim(event, one, FIRST).startswith("Both agree")
    assert (event.round.disputed, event.round.tables[0].games) == ([], (2, 0, 0))


def test_nobody_agrees_with_themselves() -> None:
    event = started()
    one, _ = seats(event)
    claim(event, one, FIRST)
    assert claim(event, one, FIRST).startswith("Waiting for")
    assert not event.round.tables[0].reported


@pytest.mark.parametrize("players", [3, 4])
def test_at_a_larger_table_everybody_must_agree(players: int) -> None:
    event = started(players, "commander-4")
    *most, last = seats(event)
    won = Result(winner=last)
    for at, player_id in enumerate(most, start=1):
        waiting = [event.state.name_of(player_id) for player_id in seats(event)[at:]]
        names = f"{', '.join(waiting[:-1])} and {waiting[-1]}" if len(waiting) > 1 else waiting[0]
        assert claim(event, player_id, won) == f"Waiting for {names} to confirm."
    assert claim(event, last, Result(winner=most[0])).count("The desk sees this") == len(most)
    assert event.round.disputed == [1]
    assert claim(event, last, won).startswith("All agree: ")
    assert event.round.tables[0].winner == last


def test_a_result_is_the_same_however_it_is_written() -> None:
    event = started(3, "allegiance-2005")
    a, b, d = seats(event)
    claim(event, a, Result(scores=(9, 9, 3), winners=()))
    claim(event, b, Result(scores=(9, 9, 3)))
    assert event.round.disputed == []
    assert claim(event, d, Result(scores=(9, 9, 3), eliminated=())).startswith("All agree")


def test_who_won_and_by_which_games_are_two_things() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    claim(event, other, Result(winner=one))
    assert event.round.disputed == [1]


# What a claim cannot do


def test_a_scorekeeper_wins_and_the_claims_are_gone() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    event.do(c.Report(table=1, result=SECOND))
    assert (event.round.tables[0].games, event.round.claims) == ((0, 2, 0), {})
    with pytest.raises(
        AlreadyReported, match=r'is already reported: .* 2-0. To change it to ".* 2-1", correct it'
    ):
        claim(event, other, CLOSE)


def test_players_may_speak_again_when_a_result_was_taken_away() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    event.do(c.Report(table=1, result=SECOND), c.Correct(table=1, result=None))
    assert event.round.claims == {}
    claim(event, other, FIRST)
    assert said(event) == {1: [other]}


def test_nobody_speaks_for_a_table_of_others() -> None:
    event = started()
    stranger = event.state.name_of(seats(event, 2)[0])
    with pytest.raises(
        NotAtTable, match=rf"^{stranger} does not sit at table 1 of round 1, but at table 2\.$"
    ):
        claim(event, seats(event, 2)[0], FIRST)
    with pytest.raises(BadInput, match="no player has the id"):
        claim(event, "p99", FIRST)
    nine = started(9)
    alone = nine.round.tables[-1].players[0]
    with pytest.raises(NotAtTable, match=r"does not sit at table 1 of round 1\.$"):
        claim(nine, alone, FIRST)


def test_a_claim_is_for_those_who_were_seen_at_the_table() -> None:
    event = started()
    one, other = seats(event)
    with pytest.raises(NotNow, match="now sit at table 1 of round 1. Check it, then try again"):
        event.do(c.Claim(player=one, table=1, result=FIRST, players=(one, "p99")))
    event.do(c.Claim(player=one, table=1, result=FIRST, players=(one, other)))


def test_what_no_table_can_end_with_is_no_claim() -> None:
    event = started()
    for result in (Result(), Result(games=(7, 0, 0)), Result(winner="p99"), Result(scores=(1, 2))):
        with pytest.raises(BadResult):
            claim(event, seats(event)[0], result)


def test_claims_wait_for_the_round_to_be_published_as_reports_do() -> None:
    event = Running(PK, 8)
    with pytest.raises(NotNow, match="No round is paired yet"):
        claim(event, "p1", FIRST)
    event.do(c.Pair())
    with pytest.raises(NotNow, match="Round 1 is not published yet"):
        claim(event, seats(event)[0], FIRST)
    event.do(c.Publish())
    claim(event, seats(event)[0], FIRST)


def test_nobody_claims_in_an_event_that_is_finished() -> None:
    event = Running(PK, 4)
    event.play("")
    event.do(c.Finish(reason="a test"))
    with pytest.raises(NotNow, match="The event is finished"):
        claim(event, seats(event)[0], FIRST)


def test_a_claim_ends_no_round_and_drops_nobody() -> None:
    event = started(4)
    for table in (1, 2):
        claim(event, seats(event, table)[0], FIRST, table)
    with pytest.raises(NotNow, match="Round 1 can't end yet. 2 tables are not reported yet: 1"):
        event.do(c.End())
    event.do(c.Drop(player=seats(event)[0]))
    assert (said(event), event.round.tables[0].winner) == ({2: [seats(event, 2)[0]]}, seats(event)[1])


# Other tables


def test_a_repair_drops_the_claims_of_changed_tables_only() -> None:
    event = Running(PK, 16)
    event.play("")
    event.up(started=False)
    before = {table.table: table.players for table in event.round.tables}
    for table in range(1, 9):
        claim(event, seats(event, table)[0], FIRST, table)
    event.do(c.Correct(round=1, table=1, result=SECOND, then="fewest"))
    same = [table.table for table in event.round.tables if before[table.table] == table.players]
    assert (len(same), event.round.claimed) == (6, same)


def test_a_change_by_hand_drops_the_claims_of_its_tables() -> None:
    event = Running(PK, 8)
    event.up(started=False)
    for table in range(1, 5):
        claim(event, seats(event, table)[0], FIRST, table)
    event.do(c.Swap(first=seats(event, 1)[0], second=seats(event, 2)[0], reason="a car"))
    assert event.round.claimed == [3, 4]
    event.do(c.Undo())
    assert event.round.claimed == [1, 2, 3, 4]


def test_pairing_again_keeps_what_was_said_of_tables_that_play() -> None:
    event = Running(PK, 16)
    event.up(started=False)
    for table in range(1, 9):
        claim(event, seats(event, table)[0], FIRST, table)
    event.do(c.BeginTables(tables=(3,)))
    before = {table.table: table.players for table in event.round.tables}
    event.do(c.Pair(again=True))
    same = [table.table for table in event.round.tables if before[table.table] == table.players]
    assert (3 in same, len(same) < 8, event.round.claimed) == (True, True, same)
    claim(event, seats(event, 3)[1], FIRST, 3)  # it plays, although the rest is a draft
    assert event.round.get_table(3).reported


# Taking back


def test_without_the_agreed_report_the_claims_are_there_again() -> None:
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    claim(event, other, FIRST)
    event.do(c.Undo())
    assert (event.round.tables[0].reported, said(event)) == (False, {1: [one]})
    event.do(c.Redo())
    assert (event.round.tables[0].reported, said(event)) == (True, {})


def test_without_a_report_of_the_scorekeeper_the_claims_are_there_again() -> None:
    event = started()
    one, _ = seats(event)
    claim(event, one, FIRST)
    event.do(c.Report(table=1, result=SECOND))
    step = event.log.version
    claim(event, seats(event, 2)[0], FIRST, 2)
    name, loser = (event.state.name_of(player_id) for player_id in seats(event))
    assert describe_differences(event.state, try_undo(event.log, [step])) == [
        f"Round 1, table 1: {name} and {loser}: not reported (was: {loser} beats {name} 2-0).",
        f"Round 1, table 1: {name} reports {name} beats {loser} 2-0.",
    ]
    event.do(c.Undo(step=step))
    assert said(event) == {1: [one], 2: [seats(event, 2)[0]]}


def test_a_claim_stays_with_its_players_whatever_is_taken_back_below_it() -> None:
    event = Running(PK, 8)
    event.do(c.Pair(), c.Pair(again=True))
    again = event.log.version
    event.do(c.Publish())
    claim(event, seats(event)[0], FIRST)
    with pytest.raises(CannotUndo, match="other players sit at table 1 of round 1"):
        event.do(c.Undo(step=again))


def test_whoever_agrees_again_settles_what_an_undo_left_open() -> None:
    """Both say the same because a step in the middle went: the next word of either reports the table."""
    event = started()
    one, other = seats(event)
    claim(event, one, FIRST)
    claim(event, one, SECOND)
    step = event.log.version
    claim(event, other, FIRST)
    event.do(c.Undo(step=step))
    assert (event.round.disputed, event.round.tables[0].reported) == ([], False)
    claim(event, other, FIRST)
    assert event.round.tables[0].games == (2, 0, 0)


def test_the_log_says_whose_phone_it_was_and_no_name_is_in_it() -> None:
    event = Running("dci-1999", ["Ada Okafor", "Chen Wei"])
    event.up()
    one, other = seats(event)
    claim(event, one, CLOSE)
    claim(event, other, CLOSE)
    first, second = map(event.state.name_of, (one, other))
    assert [line.says for line in describe_log(event.log)][-3:] == [
        f"Round 1, table 1: {first} reports “{first} beats {second} 2-1”.",
        f"Round 1, table 1: {second} reports “{first} beats {second} 2-1”.",
        f"Round 1, table 1: {first} beats {second} 2-1.",
    ]
    assert b"Okafor" not in b"".join(event.log.lines)
    assert EventLog(event.log.lines, event.log.private).state == event.state


# Facts that cannot be


def test_a_log_in_which_somebody_speaks_for_others_does_not_fit() -> None:
    event = started()
    now = FactContext(event.now, "Eve", {})
    one, other = seats(event)
    fits = f.Claimed(round=1, table=1, players=(one, other), player=one, result=FIRST)
    for fact, problem in (
        (replace(fits, player="p99"), "p99 does not sit at table 1 of round 1"),
        (replace(fits, players=(other, one)), "other players sit at table 1 of round 1"),
        (replace(fits, table=9), "round 1 has no table 9"),
        (replace(fits, round=2), "there is no round 2"),
    ):
        with pytest.raises(UnfitFact, match=problem):
            apply_all(event.state, [fact], now)
    reported = f.Reported(round=1, table=1, players=(one, other), result=SECOND)
    with pytest.raises(UnfitFact, match="table 1 of round 1 is already reported"):
        apply_all(event.state, [fits, reported, fits], now)
    draft = Running(PK, 8)
    draft.do(c.Pair())
    with pytest.raises(UnfitFact, match="round 1 is not published"):
        apply_all(draft.state, [replace(fits, players=seats(draft), player=seats(draft)[0])], now)
