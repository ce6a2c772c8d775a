"""No state of an event is a dead end: what is named works, and no pairing is refused without a way out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.event.event_runner import Running
from tests.event.trial_rulesets import CONFIGS
from tests.event.way_out_walks import Kinds, Walk
from tests.tiers import effort
from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.describe.log_sentences import describe_log
from topcut.event.facts import Result
from topcut.event.next_steps import find_next_steps, find_obstacle
from topcut.event.refusals import CannotPair, NeedsReason, NotNow

WALKED: list[Kinds] = [
    *((book, {}, options) for book, options in CONFIGS),
    ("fab-gem", {}, {"format": "swiss", "rounds": 5}),
    ("fab-gem", {"FB-A11": "b"}, {"format": "swiss"}),
    ("fab-gem", {}, {"format": "swiss+elimination", "rounds": 3, "cut": 4}),
    ("pokemon-2017", {}, {"format": "swiss", "rounds": 6}),
    ("pokemon-tom", {}, {}),
    ("dci-1999", {}, {"format": "double-elimination"}),
    ("mtr", {}, {"format": "swiss+elimination", "rounds": 2, "cut": 4}),
    ("mtr", {}, {"format": "round-robin"}),
    ("allegiance-2005", {"AL-A9": "b"}, {}),
    ("allegiance-2005", {}, {"rounds": 3}),
    ("commander-4", {}, {"rounds": 3}),
]


@pytest.mark.parametrize("number", range(0, len(WALKED), effort(3, 1, 1)))
def test_whatever_happens_in_a_small_event_all_that_is_named_works(number: int) -> None:
    """Drops, disqualifications, late players, corrections, draws: tests/event/way_out_walks.py."""
    seen: Counter[str] = Counter()
    for n in range(effort(1, 4, 200)):
        Walk(WALKED[number], 3 + (n * 7 + number) % 10, f"{number} {n}", seen).go(effort(10, 30, 80))
    assert seen["publish"] or seen["add"]


@pytest.mark.parametrize("book", ["pokemon-2017", "fab-gem", "dci-1999", "allegiance-2005", "commander-4"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_smallest_events_can_be_played_on_and_finished_in_every_round(book: str, players: int) -> None:
    """Every round up to the seventh, whether by the rules or by what can be allowed."""
    options: dict[str, Any] = {"rounds": 7} if book in BY_TABLES else {"rounds": 7, "format": "swiss"}
    event = Running(book, players, **options)
    for _ in range(7):
        steps = find_next_steps(event.state)
        obstacle = find_obstacle(event.state)
        if obstacle is None:
            event.do(c.Pair())
        else:
            assert "pair" not in steps
            (way, *_) = obstacle.overrides
            event.do(c.Pair(allow=way.allow, reason="nothing else is left"))
        event.do(c.Publish(), c.Start())
        event.report()
        event.do(c.End())
    assert find_next_steps(event.state) == ["finish"]
    event.do(c.Finish())
    assert check_log(event.log.lines, event.log.private).ok


BY_TABLES = ("allegiance-2005", "commander-4")


def everybody_had_a_bye() -> Running:
    event = Running("pokemon-2017", ["Ada", "Ben", "Nora"], format="swiss", rounds=5)
    event.play("", "", "")
    return event


def five_left(readings: dict[str, str] | None = None) -> Running:
    """Allegiance: three of eight have gone after the first round."""
    names = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana"]
    event = Running("allegiance-2005", names, readings=readings, rounds=3, target=15)
    event.play("")
    winners = [table.winners[0] for table in event.round.tables if table.winners]
    losers = [e.player.id for e in event.state.active() if e.player.id not in winners]
    event.do(*(c.Drop(player=player) for player in losers[:3]))
    return event


def only_rematches() -> Running:
    """FB-9: of four players two are left after the first round, and these have met."""
    event = Running("fab-gem", ["Ada", "Ben", "Cleo", "Dov"], format="swiss")
    event.play("")
    event.do(*(c.Drop(player=player) for player in event.round.tables[0].players))
    return event


def refusal_of(event: Running, command: c.AnyCommand) -> CannotPair:
    with pytest.raises(CannotPair) as refused:
        event.do(command)
    return refused.value


def test_a_second_bye_is_named_with_its_consequence() -> None:
    """PK-8"""
    event = everybody_had_a_bye()
    refusal = refusal_of(event, c.Pair())
    assert (refusal.rule, [way.kind for way in refusal.ways]) == ("PK-8", ["allow", "finish"])
    (second_bye, finish) = refusal.ways
    assert second_bye.allow == ("second-bye",)
    assert "gets a second bye. The rules (PK-8) allow only one bye for each player." in second_bye.says
    assert finish.says == "Finish the event now. The standings after round 3 become the final standings."
    assert find_next_steps(event.state) == ["allow:second-bye", "finish"]


def test_an_exception_needs_a_reason_and_a_need() -> None:
    event = everybody_had_a_bye()
    with pytest.raises(NeedsReason):
        event.do(c.Pair(allow=("second-bye",)))
    assert refusal_of(event, c.Pair(allow=("rematch",), reason="no")).ways
    with pytest.raises(NotNow, match="can be paired by the rules"):
        Running("pokemon-2017", 8).do(c.Pair(allow=("second-bye",), reason="a friend"))
    with pytest.raises(BadInput, match="expected sits-out"):
        event.do(c.Pair(allow=("second-bye",), reason="no", sits_out="p1"))


def test_an_exception_is_in_the_log_replays_and_survives_undo_and_redo() -> None:
    event = everybody_had_a_bye()
    event.do(c.Pair(allow=("second-bye",), reason="all had one"), c.Publish())
    assert "The organiser allowed a second bye. Reason: all had one." in " ".join(
        line.says for line in describe_log(event.log)
    )
    event.do(c.Undo(count=2), c.Redo())
    assert event.round.allowed is not None
    assert (event.round.allowed.what, event.round.allowed_by) == (("second-bye",), "Ada")
    event.do(c.Pair(again=True))
    assert event.round.allowed.reason == "all had one", "a round that is paired again keeps it"
    found = check_log(event.log.lines, event.log.private)
    assert found.ok
    assert found.overrides == ["Round 4: The organiser allowed a second bye. Reason: all had one."]


def test_an_exception_that_is_no_longer_needed_goes() -> None:
    """A late player makes the number even: nobody needs a second bye."""
    event = everybody_had_a_bye()
    event.do(c.Pair(allow=("second-bye",), reason="all had one"))
    event.do(c.Register(name="Zoe"))
    assert event.round.allowed is None
    assert all(len(table.players) == 2 for table in event.round.tables)


def test_a_player_sits_out_where_five_are_left() -> None:
    """AL-A12: who has won least, with a win and the target."""
    event = five_left()
    refusal = refusal_of(event, c.Pair())
    (sits_out, finish) = refusal.ways
    assert (refusal.rule, sits_out.allow, finish.kind) == ("AL-1", ("sits-out",), "finish")
    assert "to sit out this round. This player gets a win and the target score (AL-A12)." in sits_out.says
    winners = {e for t in event.round.tables for e in t.winners or ()}
    event.do(c.Pair(allow=("sits-out",), reason="five left"), c.Publish(), c.Start())
    (bye,) = [table for table in event.round.tables if table.bye]
    assert not winners & set(bye.players)
    event.report()
    event.do(c.End())
    again = refusal_of(event, c.Pair())
    first = again.ways[0].says
    assert event.state.name_of(bye.players[0]) not in first.split(" sits out")[0], "nobody sits out twice"
    event.do(c.Finish())
    assert check_log(event.log.lines, event.log.private).ok


def test_the_organiser_chooses_who_sits_out() -> None:
    event = five_left()
    (chosen,) = {e for t in event.round.tables[:1] for e in t.winners or ()}
    event.do(c.Pair(allow=("sits-out",), reason="she must leave early", sits_out=chosen))
    assert [table.players for table in event.round.tables if table.bye] == [(chosen,)]


def test_a_player_who_sits_out_of_a_published_round_drops() -> None:
    """Four are left: no exception is needed any more, and the fewest changes keep their table."""
    event = five_left()
    event.do(c.Pair(allow=("sits-out",), reason="five left"), c.Publish())
    (bye,) = [table.players[0] for table in event.round.tables if table.bye]
    event.do(c.Drop(player=bye, then="fewest"))
    assert (len(event.round.tables), event.round.allowed) == (1, None)


def test_rematches_are_as_few_as_can_be_where_they_are_allowed() -> None:
    """FB-9"""
    event = only_rematches()
    obstacle = find_obstacle(event.state)
    assert obstacle is not None
    assert (obstacle.rule, obstacle.overrides[0].allow) == ("FB-9", ("rematch",))
    event.do(c.Pair(allow=("rematch",), reason="all have met"), c.Publish(), c.Start())
    event.report()
    event.do(c.End(), c.Finish())
    assert check_log(event.log.lines, event.log.private).ok


def test_a_bye_in_a_round_without_an_exception_is_refused_where_there_are_none() -> None:
    """AL-4"""
    event = five_left()
    event.do(c.Pair(allow=("sits-out",), reason="five left"), c.Publish(), c.Start())
    (bye,) = [table.players[0] for table in event.round.tables if table.bye]
    event.do(c.Correct(table=bye, result=Result(loss=True)), c.Correct(table=bye, result=Result(bye=True)))
    assert event.round.get_table(bye).bye
