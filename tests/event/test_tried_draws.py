"""Can a draw be tried first? No answer tells anything of a draw that is not written down.

A list of commands is done whole or not at all, so a refusal after a draw would tell of tables that no log
holds. Every draw is tried here with every command behind it, on the same log with several secrets: what is
refused must be refused in the same words whatever the secret is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.event.event_runner import Running
from tests.tiers import effort
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.decide.context import Context
from topcut.event.decide.undo import find_redo_steps, find_undo_steps, try_redo, try_undo
from topcut.event.event_log import EventLog
from topcut.event.facts import LotsDrawn, Paired, Registered, Result, RoundRepaired
from topcut.event.refusals import DrawNotLast, NeedsAnswer
from topcut.rulebook.options import Options
from topcut.store.queue import Request, RequestOutcome, Waiting, decide_together

SECRETS = 8
WIN = Result(games=(2, 0, 0))


def give(log: EventLog, commands: Sequence[c.AnyCommand], expected: int | None = None) -> RequestOutcome:
    """What a list of commands comes to; nothing of it is in the log."""

    async def decided() -> RequestOutcome:
        now = Context(at=log.entries[-1].at, by="Ada", entropy="a list", via="test")
        asked = Waiting(Request(commands, now, expected), "cup", log.version)
        return decide_together(log, [asked])[1][0]

    return asyncio.run(decided())


def with_secret(log: EventLog, secret: str) -> EventLog:
    """The same log, with another text where the secret of its draws is kept."""
    other = log.copy()
    other.private[log.state.commitment] = secret.encode()
    return other


def draft(rules: str = "pokemon-2017", players: int = 9, **options: Any) -> Running:
    event = Running(rules, players, **options)
    event.do(c.Pair())
    return event


def published(rules: str = "pokemon-2017", players: int = 9, **options: Any) -> Running:
    event = Running(rules, players, **options)
    event.play("")
    event.do(c.Pair(), c.Publish())
    return event


def ended(rules: str = "pokemon-2017", players: int = 9, **options: Any) -> Running:
    event = Running(rules, players, **options)
    event.play("")
    return event


def drafting_between() -> Running:
    event = ended("fab-gem")
    event.do(c.BeginDraft(rounds=2))
    event.play("")
    return event


def had_byes() -> Running:
    event = Running("pokemon-2017", 3, format="swiss", rounds=5)
    event.play("", "", "")
    return event


def undone() -> Running:
    event = Running("pokemon-2017", 9)
    event.do(c.Pair(), c.Pair(again=True), c.Undo())
    return event


MOMENTS: dict[str, Callable[[], Running]] = {
    "before the first round": lambda: Running("pokemon-2017", 9),
    "seats to draw": lambda: Running("draft-sheet", 8),
    "pods to draw": lambda: Running("fab-gem", 16, mode="draft"),
    "rank seeds to draw": lambda: Running("pokemon-2017", 6, format="elimination"),
    "tables of four": lambda: Running("allegiance-2005", 11),
    "a draft": draft,
    "a draft by chart": lambda: draft("draft-sheet", 8),
    "a draft that was taken back": undone,
    "a bracket that is not published": lambda: draft(players=6, format="elimination"),
    "a published round": published,
    "a published bracket": lambda: published(players=4, format="elimination"),
    "a round has ended": ended,
    "records and lots": lambda: ended("fab-gem"),
    "a draft between rounds": drafting_between,
    "each player has had a bye": had_byes,
}


def draws() -> list[c.AnyCommand]:
    """Every command that draws, or might, at this moment."""
    found: list[c.AnyCommand] = [c.Pair(), c.Pair(again=True)]
    found += [c.Pair(allow=("second-bye",), reason="all had one"), c.Pair(allow=("rematch",), reason="why")]
    found += [c.DrawLots(kind=kind) for kind in ("flights", "pods", "seats")]
    found += [c.BeginDraft(), c.BeginDraft(rounds=1)]
    thens: tuple[c.Then | None, ...] = (None, "leave", "fewest", "again")
    for then in thens:
        found += [
            c.Register(name="Late", id="late", then=then),
            c.Drop(player="p1", then=then),
            c.Remove(player="p2", then=then),
            c.Disqualify(player="p3", reason="why", then=then),
            c.Correct(round=1, table=1, result=Result(games=(0, 2, 0)), then=then),
        ]
    return found


def followers() -> list[list[c.AnyCommand]]:
    """Everything that might be refused after a draw, and would then tell of it."""
    results = [c.Report(table=table, result=WIN, players=("p1", "p4")) for table in (1, 2, 4)]
    begun: list[c.AnyCommand] = [c.Publish(), c.Start()]
    pieces: list[c.AnyCommand] = [
        *results,
        c.Claim(player="p1", table=1, result=WIN),
        c.Confirm(tables=(1,)),
        c.Correct(table=1, result=WIN, players=("p1", "p2")),
        c.Correct(table="p5", result=Result(winner="p5")),
        c.BeginTables(tables=(1, 77)),
        c.Swap(first="p1", second="p4", reason="try"),
        c.EditTables(tables=(("p1", "p4"),), reason="try"),
        c.End(),
        c.Finish(),
        c.Start(minutes=0),
        c.Undo(),
        c.Redo(),
        c.Pair(),
        c.Pair(again=True),
        c.DrawLots(kind="seats"),
        c.Register(name="", then="fewest"),
        c.Register(name="Other", id="p1"),
        c.Drop(player="p9", then="fewest"),
        c.Drop(player="nobody", then="again"),
        c.Restore(player="p1"),
        c.Extend(minutes=3, table=77),
        c.ChangeOptions(options=Options()),
        c.BeginDraft(),
        c.EndDraft(),
        c.StartDraftClock(activity="drafting"),
        c.Pause(),
        c.Ask(player="p1", about="points"),
    ]
    return [[], *([one] for one in pieces), *([*begun, one] for one in pieces), [c.Publish(), *results[:1]]]


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_refusal_depends_on_what_would_be_drawn(moment: str) -> None:
    event = MOMENTS[moment]()
    logs = [event.log, *(with_secret(event.log, f"secret {n}") for n in range(effort(1, 3, 3)))]
    tried = 0
    for draw in draws():
        if give(event.log, [draw]).refusal is None:
            for rest in followers():
                commands = [draw, *rest]
                first = give(logs[0], commands).refusal
                for log in logs[1:] if first is not None else []:
                    assert repr(give(log, commands).refusal) == repr(first), commands
                tried += first is not None
        else:
            told = {repr(give(log, [draw]).refusal) for log in logs}
            assert len(told) == 1, draw
    assert tried > 20


def test_the_secrets_of_this_search_draw_different_rounds() -> None:
    """The search could not fail if the secret did not matter."""
    event = Running("pokemon-2017", 9)
    logs = [with_secret(event.log, f"secret {n}") for n in range(SECRETS)]
    drawn = set()
    for log in logs:
        (decision,) = give(log, [c.Pair()]).decisions
        (fact,) = (fact for fact in decision.facts if isinstance(fact, Paired))
        drawn.add(frozenset(table.players for table in fact.tables))
    assert len(drawn) == SECRETS


def test_a_list_that_goes_on_after_a_draw_is_refused_before_anything_is_drawn() -> None:
    event = Running("pokemon-2017", 8)
    wrong = c.Report(table=1, result=WIN, players=("p1", "p2"))
    outcome = give(event.log, [c.Pair(), c.Publish(), c.Start(), wrong])
    assert isinstance(outcome.refusal, DrawNotLast)
    assert not any(e.player.shown_name in str(outcome.refusal) for e in event.state.players.values())
    assert event.state.attempts == {}


def test_a_round_may_be_paired_published_and_started_in_one_list() -> None:
    event = Running("pokemon-2017", 8)
    for rest in ([], [c.Publish()], [c.Publish(), c.Start()], [c.Publish(), c.Start(minutes=30)]):
        outcome = give(event.log, [c.CheckIn(), c.Pair(), *rest])
        assert outcome.refusal is None
        assert len(outcome.decisions) == 2 + len(rest)


@pytest.mark.parametrize(
    "rest", [[c.Start()], [c.Publish(), c.Publish()], [c.Publish(), c.Start(minutes=-1)]]
)
def test_what_would_be_refused_after_the_draw_stops_the_list_before_it(rest: list[c.AnyCommand]) -> None:
    event = Running("pokemon-2017", 8)
    assert isinstance(give(event.log, [c.Pair(), *rest]).refusal, DrawNotLast)


def facts_of(outcome: RequestOutcome, *kinds: type) -> list[object]:
    assert outcome.refusal is None, outcome.refusal
    return [fact for decision in outcome.decisions for fact in decision.facts if isinstance(fact, kinds)]


def late(*names: str, then: c.Then | None = None) -> list[c.AnyCommand]:
    return [c.Register(name=name, then=then) for name in names]


def test_several_late_players_redraw_a_draft_once() -> None:
    event = draft(players=8)
    outcome = give(event.log, late("Ina", "Jo", "Kit"))
    assert len(facts_of(outcome, Registered)) == 3
    (paired,) = facts_of(outcome, Paired)
    assert isinstance(paired, Paired)
    assert paired.attempt == 2
    assert len({player for table in paired.tables for player in table.players}) == 11


def test_several_changes_repair_a_published_round_once() -> None:
    event = published(players=12)
    leaving = event.round.tables[0].players[0]
    commands = [*late("Ina", "Jo", then="fewest"), c.Drop(player=leaving, then="fewest")]
    outcome = give(event.log, commands)
    (repaired,) = facts_of(outcome, Paired, RoundRepaired)
    assert isinstance(repaired, RoundRepaired)
    seated = [player for table in repaired.tables for player in table.players]
    assert sorted(seated) == sorted({*event.state.players, "p13", "p14"} - {leaving})


@pytest.mark.parametrize("then", ["leave", "again", None])
@pytest.mark.parametrize("options", [{"format": "elimination"}, {"rounds": 1, "cut": 4}])
def test_two_players_who_leave_a_draft_bracket_redraw_it_once(
    options: dict[str, Any], then: c.Then | None
) -> None:
    event = Running("pokemon-2017", 8, **options)
    if "cut" in options:
        event.play("")
    event.do(c.Pair())
    leaving = [table.players[0] for table in event.round.tables[:2]]
    outcome = give(event.log, [c.Drop(player=player, then=then) for player in leaving])
    (paired,) = facts_of(outcome, Paired, RoundRepaired)
    assert isinstance(paired, Paired)
    assert paired.stage == "elimination"
    assert not {*leaving} & {player for table in paired.tables for player in table.players}


def test_a_list_of_changes_is_refused_whole_before_it_draws() -> None:
    event = draft(players=8)
    before = event.log.version
    outcome = give(event.log, [*late("Ina"), c.Register(name="Jo", id="p1")])
    assert "expected another id, since 'p1' is taken" in str(outcome.refusal)
    assert (event.log.version, event.state.attempts) == (before, {"round 1": 1})


def test_a_list_whose_last_command_touches_no_table_still_settles_the_round() -> None:
    event = published(players=8)
    event.do(c.Register(name="Ina", then="leave"))  # waits for round 3
    outcome = give(event.log, [*late("Jo", then="fewest"), c.Drop(player="p9", then="fewest")])
    (repaired,) = facts_of(outcome, Paired, RoundRepaired)
    assert isinstance(repaired, RoundRepaired)
    assert "p10" in {player for table in repaired.tables for player in table.players}


def test_changes_that_want_different_answers_are_given_one_by_one() -> None:
    event = published(players=12)
    commands = [*late("Ina", then="fewest"), *late("Jo", then="again")]
    assert isinstance(give(event.log, commands).refusal, DrawNotLast)


def test_a_published_round_still_asks_before_a_list_changes_it() -> None:
    event = published(players=12)
    assert isinstance(give(event.log, late("Ina", "Jo")).refusal, NeedsAnswer)
    assert give(event.log, late("Ina", "Jo", then="leave")).refusal is None


def test_the_draw_of_a_list_replays() -> None:
    event = draft(players=8)

    async def both() -> EventLog:
        now = Context(at=event.now, by="Ada", entropy="a list", via="test")
        asked = Waiting(Request(late("Ina", "Jo", "Kit"), now), "cup", event.log.version)
        return decide_together(event.log, [asked])[0]

    log = asyncio.run(both())
    found = check_log(log.lines, log.private)
    assert found.ok
    assert [(draw.what, draw.attempt, draw.replayed) for draw in found.draws] == [
        ("round 1", 1, True),
        ("round 1", 2, True),
    ]


def test_what_lots_would_decide_is_not_shown_with_the_answers() -> None:
    """How many tables change, and not which, if lots decide: that is known once it is written."""
    event = published(players=16)
    outcome = give(event.log, late("Ina", "Jo"))
    assert isinstance(outcome.refusal, NeedsAnswer)
    fewest = outcome.refusal.answers[1]
    assert (fewest.kind, fewest.changed, fewest.new) == ("fewest", None, 1)
    assert fewest.says == "Ina gets the bye. No other table changes.", (
        "no lot could give it to another player"
    )


def test_looking_back_and_forward_tells_only_what_is_written() -> None:
    event = undone()
    others = [with_secret(event.log, f"secret {n}") for n in range(SECRETS)]
    step = find_undo_steps(event.log, None)
    assert all(try_undo(other, step) == try_undo(event.log, step) for other in others)
    back = find_redo_steps(event.log, None)
    assert all(try_redo(other, back) == try_redo(event.log, back) for other in others)


def test_a_version_that_is_not_the_one_seen_draws_nothing() -> None:
    event = Running("pokemon-2017", 8)
    told = {
        repr(give(with_secret(event.log, f"secret {n}"), [c.Pair()], expected=3).refusal)
        for n in range(SECRETS)
    }
    assert len(told) == 1
    assert not any(isinstance(e.fact, Paired | LotsDrawn) for e in event.log.entries)
