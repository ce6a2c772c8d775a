"""What a line in the entry bar means, and what it is refused with."""

from __future__ import annotations

import pytest

from tests.event.event_runner import Running
from topcut.app.entry_line import read_line
from topcut.errors import TopcutError
from topcut.event import commands as c
from topcut.event.refusals import BadResult


@pytest.fixture
def event() -> Running:
    """Four players in the first round: Ada and Bo at one table, Cy and Di at another."""
    event = Running("mtr", ["Ada", "Bo", "Cy", "Di"])
    event.do(c.Pair(), c.Publish(), c.Start())
    return event


def names(event: Running, table: int = 1) -> list[str]:
    return [event.state.name_of(player_id) for player_id in event.round.get_table(table).players]


def test_a_result_says_who_wins_before_it_counts(event: Running) -> None:
    first, second = names(event)
    found = read_line("1 2-1", event.log)
    assert (found.kind, found.says) == ("result", f"Table 1: {first} beats {second} 2-1")
    assert read_line("1 0-2", event.log).says == f"Table 1: {second} beats {first} 2-0"
    assert event.round.missing, "nothing has happened yet"
    event.do(*found.commands)
    assert [table.table for table in event.round.missing] == [2]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 draw", "Table 1: {0} and {1} draw"),
        ("1 w2", "Table 1: {1} beats {0}"),
        ("1 id", "Table 1: {0} and {1} draw by agreement"),
        ("1 1-1-1", "Table 1: {0} and {1} draw 1-1-1"),
        ("1 ns1", "Table 1: {1} beats {0} ({0} did not show up; add d1 to drop them)"),
        ("1 ns2", "Table 1: {0} beats {1} ({1} did not show up; add d2 to drop them)"),
        ("1 2-0 d2", "Table 1: {0} beats {1} 2-0; {1} drops"),
        ("1 2-0 d1 d2", "Table 1: {0} beats {1} 2-0; {0} drops; {1} drops"),
        ("1 d1", "Table 1: {0} drops; this loses the match, which has no result yet"),
        ("1 +3", "Table 1: 3 more minutes for {0} and {1}"),
        ("1 2–1", "Table 1: {0} beats {1} 2-1"),
        ("1 2:1", "Table 1: {0} beats {1} 2-1"),
        ("1 2 1", "Table 1: {0} beats {1} 2-1"),
    ],
)
def test_suffixes_and_words(event: Running, line: str, says: str) -> None:
    first, second = names(event)
    found = read_line(line, event.log)
    assert found.says == says.format(first, second)
    assert found.commands
    event.do(*found.commands)


def test_a_table_alone_is_looked_at(event: Running) -> None:
    first, second = names(event)
    found = read_line("1", event.log)
    assert (found.kind, found.commands) == ("look", ())
    assert found.says == f"Table 1: {first} and {second}: not reported"


def test_another_result_shows_old_against_new_and_the_same_one_confirms(event: Running) -> None:
    first, second = names(event)
    event.do(*read_line("1 2-0", event.log).commands)
    changed = read_line("1 0-2", event.log)
    assert (changed.kind, changed.old) == ("change", f"{first} beats {second} 2-0")
    assert changed.says == f"Table 1: {second} beats {first} 2-0"
    same = read_line("1 2-0", event.log)
    assert same.kind == "confirm"
    event.do(*same.commands)
    assert event.round.confirmed == {1}
    event.do(*changed.commands)
    assert event.round.get_table(1).games == (0, 2, 0)


def test_a_result_can_be_taken_away(event: Running) -> None:
    event.do(*read_line("1 2-0", event.log).commands)
    event.do(*read_line("1 -", event.log).commands)
    assert len(event.round.missing) == 2


def test_an_earlier_round(event: Running) -> None:
    for line in ("1 2-0", "2 2-0", "end", "pair"):
        event.do(*read_line(line, event.log).commands)
    found = read_line("r1 1 0-2", event.log)
    assert found.says.startswith("Round 1, table 1: ")
    assert found.old
    assert isinstance(found.commands[0], c.Correct)
    assert found.commands[0].round == 1


def test_steps_of_a_round_are_words() -> None:
    event = Running("mtr", ["Ada", "Bo"])
    for line, phase in (("pair", "draft"), ("publish", "published"), ("start 45", "started")):
        event.do(*read_line(line, event.log).commands)
        assert event.round.phase == phase
    assert event.round.clock is not None
    assert event.round.clock.minutes == 45
    event.do(*read_line("pause", event.log).commands)
    event.do(*read_line("go", event.log).commands)
    event.do(*read_line("1 2-0", event.log).commands)
    event.do(*read_line("end", event.log).commands)
    assert event.round.phase == "ended"


def test_undo_names_the_step_that_was_read(event: Running) -> None:
    event.do(*read_line("1 2-0", event.log).commands)
    found = read_line("u", event.log, (event.log.steps()[-1], "Table 1: …"))
    assert found.says == "Undo: Table 1: …"
    event.do(*found.commands)
    assert len(event.round.missing) == 2


def test_scores_of_a_larger_table() -> None:
    event = Running("allegiance-2005", ["Ada", "Bo", "Cy"])
    event.do(c.Pair(), c.Publish(), c.Start())
    found = read_line("1 30* 12 8x", event.log)
    a, b, third = names(event)
    assert found.says == f"Table 1: {a} 30 (won), {b} 12, {third} 0 (eliminated)"
    event.do(*found.commands)
    assert not event.round.missing


def larger() -> Running:
    event = Running("allegiance-2005", ["Ada", "Bo", "Cy"])
    event.do(c.Pair(), c.Publish(), c.Start())
    return event


def test_a_table_that_nobody_won_although_somebody_has_the_target_score() -> None:  # AL-9
    event = larger()
    a, b, third = names(event)
    assert read_line("1 24 10 23", event.log).says == f"Table 1: {a} 24 (won), {b} 10, {third} 23"
    found = read_line("1 24 10 23 none", event.log)
    assert (found.kind, found.says) == ("result", f"Table 1: {a} 24, {b} 10, {third} 23, nobody won")
    dropping = read_line("1 24 24 8x None d3", event.log)
    assert dropping.says == f"Table 1: {a} 24, {b} 24, {third} 0 (eliminated), nobody won; {third} drops"
    event.do(*found.commands)
    assert (event.round.get_table(1).scores, event.round.get_table(1).winners) == ((24, 10, 23), ())
    assert read_line("1 24 10 23 none", event.log).kind == "confirm"
    changed = read_line("1 24* 10 23", event.log)
    assert (changed.kind, changed.old) == ("change", f"{a} 24, {b} 10, {third} 23, nobody won")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "1 24 24 3",
            "Table 1: Ada and Bo are tied with 24. Count this: influence tokens of factions with fewer than",
        ),
        (
            "1 24* 10 3 none",
            'Table 1: A star marks who won, and "none" says that nobody won. Enter only one of them.',
        ),
        ("1 24 10 none", "Table 1: expected 3 scores, not 2"),
        ("1 none", '"none" is not a result. Enter a score for each player first, such as 24 10 23 none.'),
        ("1 2-1 none", "Enter a score for each player first, such as 24 10 23 none."),
    ],
)
def test_nobody_won_stands_behind_the_scores_of_all(line: str, problem: str) -> None:
    with pytest.raises(BadResult) as refused:
        read_line(line, larger().log)
    assert problem in str(refused.value)


@pytest.mark.parametrize("line", ["1 2-1 none", "1 24 10 none", "1 none"])
def test_nobody_won_where_tables_have_no_scores_says_what_to_enter(event: Running, line: str) -> None:
    with pytest.raises(BadResult) as refused:
        read_line(line, event.log)
    said = "The word none is only for games with scores. Enter 2-1, draw, double-loss or the winner's name."
    assert str(refused.value).endswith(said)


def test_a_player_may_be_called_none() -> None:
    event = Running("mtr", ["Ada None", "Bo"])
    event.do(c.Pair(), c.Publish(), c.Start())
    assert read_line("1 ada none", event.log).says == "Table 1: Ada None beats Bo"


@pytest.mark.parametrize("line", ["1 3", "1 w3", "1 N10"])
def test_the_winner_of_a_larger_table_by_seat_or_name(line: str) -> None:
    event = Running("commander-4", ["N1", "N10", "N12", "Zoe"])
    event.do(c.Pair(), c.Publish(), c.Start())
    wanted = "p2" if "N10" in line else event.round.get_table(1).players[2]
    event.do(*read_line(line, event.log).commands)
    assert event.round.get_table(1).winner == wanted


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("99 2-0", "Round 1 has no table 99. Enter a table from 1 to 2"),
        ("1 3-0", "Table 1: 3-0 isn't possible in best of 3"),
        ("1 2-2", "2-2 isn't possible in best of 3"),
        ("1 Zoe", '"Zoe" is not a result'),
        ("1 d", 'expected "draw" for a draw, or d1 if the first player drops'),
        ("1 w3", "table 1 has players 1 to 2"),
        ("1 d3", "table 1 has players 1 to 2"),
        ("1 ns3", "table 1 has players 1 to 2"),
        ("1 2-0 ns1", "expected only ns1 or ns2"),
        ("1 -", "has no result yet"),
        ("hello", "expected a table and its result"),
        ("r7 1 2-0", "There is no round 7"),
        ("pair now", 'expected only "pair" in this line'),
        ("pair", "Round 1 is being played. End it first."),
        ("publish", "There is no round to publish"),
        ("start", "There is no round to start"),
        ("go", "clock is already running"),
        ("1 +0", "minutes"),
        ("1 +999", "is not a result"),
        ("9" * 5000 + " 2-0", "expected a table"),
        ("start " + "9" * 5000, 'expected only "start"'),
        ("end", "2 tables of round 1 have no result yet."),
    ],
    ids=lambda text: text[:30],
)
def test_nonsense_is_said_at_once(event: Running, line: str, problem: str) -> None:
    version = event.log.version
    with pytest.raises(TopcutError, match=problem.replace("(", r"\(")):
        read_line(line, event.log)
    assert event.log.version == version


def test_nothing_typed_means_nothing(event: Running) -> None:
    assert read_line("  ", event.log).kind == "nothing"
