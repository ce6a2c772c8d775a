"""An event that was begun elsewhere goes on here, from any moment of its life."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.builders import a_round, played
from tests.event.event_runner import MORNING
from tests.stages.damaged_events import Story, any_event
from tests.stages.played_events import Plain
from tests.tiers import effort
from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.decide.context import Context
from topcut.event.decide.create import check_log_limits, take_over
from topcut.event.decide.dispatch import decide
from topcut.event.describe.log_sentences import describe_log
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.draw import find_progress
from topcut.event.event_log import EventLog
from topcut.event.facts import Result, TakenOver
from topcut.event.log_chain import NOTHING, write_lines
from topcut.event.refusals import NotNow
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.formats.registry import FileContent
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.formats.takeover import make_takeover
from topcut.history.model import Player, Table
from topcut.stages.progress import choose_lot_seed, select_counted_history
from topcut.standings import rank
from topcut.text.message_json import decode_text

CONTEXT = Context(at=MORNING, by="Ada", entropy="e", via="test")


def taken(file: EventFile, original: str | None = None) -> EventLog:
    """The log of an event that was taken over."""
    decision = take_over(make_takeover(FileContent("event", file, original=original)), CONTEXT)
    written = write_lines(decision.facts, after=0, previous=NOTHING, at=MORNING, by="Ada", via="test")
    return EventLog(written, decision.private)


def do(log: EventLog, *commands: c.AnyCommand) -> None:
    for command in commands:
        decision = decide(log, command, CONTEXT)
        after, previous = log.version, log.head
        written = write_lines(
            decision.facts, after=after, previous=previous, at=MORNING, by="Ada", via="test"
        )
        log.extend(written, decision.private)


def table(log: EventLog, round_number: int, number: int) -> Table:
    return log.state.rounds[round_number - 1].get_table(number)


HALF = played("mtr", "A 2-1 B, C 1-1 D, E bye", "A 2-0 C, B - E, D loss", options={"rounds": 4})


def test_a_round_that_is_being_played_goes_on() -> None:
    log = taken(HALF.file)
    assert [a_round.phase for a_round in log.state.rounds] == ["ended", "started"]
    do(log, c.Report(table=2, result=Result(games=(2, 0, 0))), c.End(), c.Pair(), c.Publish())
    assert log.state.rounds[2].phase == "published"
    assert sum(len(seated.players) for seated in log.state.rounds[2].tables) == 5
    assert check_log(log.lines, log.private).ok


def test_a_round_without_any_result_is_posted_and_can_be_drawn_again() -> None:
    log = taken(played("mtr", "A 2-1 B, C 1-1 D, E bye", "A - C, B - E, D bye").file)
    assert log.state.rounds[1].phase == "published"
    do(log, c.Drop(player="C", then="fewest"))
    assert all("C" not in seated.players for seated in log.state.rounds[1].tables)


def test_a_result_of_elsewhere_can_be_corrected() -> None:
    log = taken(HALF.file)
    do(log, c.Correct(table=1, round=1, result=Result(games=(0, 2, 0)), reason="slip", override=True))
    assert table(log, 1, 1).games == (0, 2, 0)
    assert [*describe_log(log)][-1].says.endswith("A beats B 2-1 → B beats A 2-0. Reason: slip.")


def test_the_log_says_that_it_was_played_elsewhere() -> None:
    log = taken(HALF.file)
    says = [line.says for line in describe_log(log)]
    assert says[-1] == "The event is imported from a file (event file), with 2 rounds played elsewhere."
    assert "played elsewhere (event file)" in check_log(log.lines, log.private).notes[1]


def test_whoever_left_has_left_and_whoever_was_cut_is_out() -> None:
    file = played(
        "mtr",
        "A 2-1 B, C 1-1 D, E 2-0 F",
        "A 2-0 C, E 2-0 D",
        a_round("A - E", stage="elimination"),
        options={"rounds": 2, "cut": 2},
        dropped={"B": 1},
        disqualified={"F": 1},
        cut={"C": 2, "D": 2},
    ).file
    players = taken(file).state.players
    assert players["B"].player.dropped == 1
    assert players["F"].player.disqualified == 1
    assert players["D"].player.cut == 2
    with pytest.raises(Impossible, match="can't enter"):
        do(taken(file), c.Register(name="Late"))


def test_membership_numbers_are_no_ids_here() -> None:
    event = played("pokemon-tom", "900 beats 901, p1 bye", member={"900": "900", "901": "901"})
    state = taken(event.file).state
    assert set(state.players) == {"p2", "p3", "p1"}
    assert {e.player.member: player_id for player_id, e in state.players.items() if e.player.member} == {
        "900": "p2",
        "901": "p3",
    }
    assert table(taken(event.file), 1, 1).winner == "p2"


@pytest.mark.parametrize("player_id", ["a/b", "draw", "x" * 61, "ä ö", "⟦p1⟧"])
def test_ids_that_no_address_can_hold_are_others_here(player_id: str) -> None:
    file = EventFile(topcut=1, name="Cup", rules="mtr", players=(Player(id=player_id, name="Ada"),))
    assert list(taken(file).state.players) == ["p1"]


def test_tables_without_numbers_are_counted() -> None:
    file = played("mtr", "A 2-1 B, C 1-1 D, E bye").file
    assert [seated.table for seated in taken(file).state.rounds[0].tables] == [1, 2, None]


def test_an_open_table_of_an_earlier_round_is_refused() -> None:
    with pytest.raises(BadInput, match="not reported yet: round 1"):
        taken(played("mtr", "A - B", "A 2-0 B").file)


def test_what_cannot_have_been_is_refused_by_its_place() -> None:
    file = played("mtr", "A 2-1 B").file
    odd = replace(file, rounds=(a_round("A 2-1 Z"),))
    with pytest.raises(BadInput, match=r"rounds\[0\]\.tables\[0\]\.players\[1\]: no player"):
        taken(odd)
    nameless = replace(file, players=(replace(file.players[0], name="\u202e\n"), file.players[1]))
    with pytest.raises(BadInput, match=r"players\[0\]\.name"):
        taken(nameless)


def test_the_file_itself_goes_with_the_names() -> None:
    log = taken(HALF.file, original="<names>")
    key = log.state.original
    assert key is not None
    assert log.private[key] == b"<names>"
    assert key in log.person_keys()
    assert key in log.keys_about("A")
    assert collect_personal_data(log, "A")["original_file"] is True


def test_such_a_log_is_a_sensible_one() -> None:
    known = replace(HALF.file.players[0], name="Ada Okafor", born=1990, member="4711")
    file = replace(HALF.file, players=(known, *HALF.file.players[1:]))
    log = taken(file, original="x" * 10_000)
    check_log_limits(log.lines, log.private)
    assert log.state.players["A"].legal == "Ada Okafor"
    for line in log.lines:
        assert not any(told in line for told in (b"Ada Okafor", b'"born"', b'"4711"'))


def test_nothing_is_taken_over_twice() -> None:
    log = taken(HALF.file)
    again = next(entry.fact for entry in log.entries if isinstance(entry.fact, TakenOver))
    written = write_lines([again], after=log.version, previous=log.head, at=MORNING, by="Ada", via="")
    with pytest.raises(Exception, match="only when an event is created"):
        log.extend(written)


def some_event(random: Random) -> Plain:
    """An event file of any published ruleset at some moment: before, in or after any of its rounds."""
    story = Story(any_event(random), random)
    for _ in range(random.randint(0, 7)):
        if not story.step():
            break
    plain = story.plain
    for position, player in enumerate(plain["players"]):
        player["name"] = f"Player {position}"  # odd ones are refused, which is tested above
    if plain["rounds"]:
        for seated in plain["rounds"][-1]["tables"]:
            if len(seated["players"]) > 1 and random.random() < random.choice([0.0, 0.0, 0.5, 1.0]):
                for result in ("winner", "games"):
                    seated.pop(result, None)
    return plain


def in_words(event: Event, ids: dict[str, str]) -> list[Any]:
    """The rounds of an event as they were played, by the ids of another."""

    def one(seated: Table) -> tuple[Any, ...]:
        won = ids[seated.winner] if seated.winner in seated.players else seated.winner
        return (
            tuple(ids[player_id] for player_id in seated.players),
            seated.games,
            won,
            seated.bye,
            seated.loss,
        )

    return [(r.stage, sorted(map(one, r.tables), key=repr)) for r in event.file.rounds]


def ahead(event: Event, ids: dict[str, str]) -> list[Any]:
    """The standings now."""
    rounds = event.file.rounds
    history, here = select_counted_history(event.history, event.book, event.file.options, rounds)
    order = rank(history, event.book, choose_lot_seed([event.file.seed], rounds))
    return sorted((ids[p.id], order.rank(history.index[p.id])) for p in history.players if p.id in here)


def whole(event: Event) -> bool:
    """Whether rounds are played, and all of them to their end."""
    tables = [seated for a_round in event.file.rounds for seated in a_round.tables]
    return bool(tables) and all(seated.reported for seated in tables)


@settings(max_examples=effort(8, 40, 500))
@given(st.integers(0, 2**32))
def test_whatever_was_played_elsewhere_is_the_same_here(seed: int) -> None:
    before = build_event(msgspec.convert(some_event(Random(seed)), EventFile, dec_hook=decode_text))
    log = taken(before.file)
    after = build_event(snapshot_event_file(log.state))
    here = dict(zip((p.id for p in before.file.players), (p.id for p in after.file.players), strict=True))
    same = {player_id: player_id for player_id in here.values()}
    assert in_words(before, here) == in_words(after, same)
    replays = all(old == new for old, new in here.items())
    assert [r.seed for r in after.file.rounds] == [r.seed if replays else None for r in before.file.rounds]
    if whole(before) and before.history.rounds and (replays or not here.keys() & same.keys()):
        assert ahead(before, here) == ahead(after, same)
    left = ("entered", "dropped", "cut", "disqualified", "flight", "pod", "seat", "seed", "division", "apart")
    for was, now in zip(before.file.players, after.file.players, strict=True):
        assert [getattr(was, name) for name in left] == [getattr(now, name) for name in left]
    assert not check_log(log.lines, log.private).problems


def played_on(log: EventLog, random: Random) -> None:
    """The event, played here from where it is to its end, or for twenty rounds if nobody planned one."""
    while True:
        a_round = log.state.round
        if a_round is not None and a_round.phase != "ended":
            if a_round.phase != "started":
                do(log, *([c.Publish()] if a_round.phase == "draft" else []), c.Start())
            for seated in log.state.rounds[-1].missing:
                assert isinstance(seated.table, int)
                games = random.choice([(2, 0, 0), (1, 2, 0)])
                do(log, c.Report(table=seated.table, result=Result(games=games)))
            do(log, c.End())
        if len(log.state.rounds) > 20:
            assert find_progress(log.state).parts[0].rounds is None, "it never ends"
            return
        try:
            do(log, c.Pair())
        except (Impossible, NotNow):
            return


@settings(max_examples=effort(3, 15, 200))
@given(st.integers(0, 2**32))
def test_from_any_moment_an_event_goes_on_to_its_end(seed: int) -> None:
    random = Random(seed)
    plain = some_event(random)
    log = taken(msgspec.convert(plain, EventFile, dec_hook=decode_text))
    before = len(plain["rounds"])
    played_on(log, random)
    do(log, c.Finish(reason="the end"))
    found = check_log(log.lines, log.private)
    assert not found.problems
    assert [draw.what for draw in found.draws if draw.replayed is not True] == []
    assert all(verdict.legal for verdict in found.rounds if verdict.round > before), found.rounds
