"""A .tdf that goes on here: taken over into a log and exported, only what happened here differs."""

from __future__ import annotations

import random
from datetime import timedelta

from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.event.test_takeover import CONTEXT, do
from tests.formats.tdf_files import AT
from tests.formats.test_tdf_round_trip import LONG, Day
from tools.verify_tdf import canonical, meaning, pieces
from topcut.errors import Impossible
from topcut.event import commands as c
from topcut.event.decide.create import take_over
from topcut.event.event_log import EventLog
from topcut.event.facts import Result
from topcut.event.log_chain import NOTHING, write_lines
from topcut.event.refusals import NotNow
from topcut.formats import state_snapshot
from topcut.formats.log_file import LogFile
from topcut.formats.registry import read_content
from topcut.formats.takeover import make_takeover
from topcut.formats.tdf import tom as tdf

LATER = AT + timedelta(hours=1)
STAMP = "<timestamp>02/14/2026 13:30:00</timestamp>"


def some_file(chance: random.Random, steps: int, mid_round: bool) -> bytes:
    """A file of an event after so many steps; `mid_round`: the last round is being played."""
    day = Day(chance)
    over = day.run(steps)
    if mid_round and day.rounds:
        day.open_again()
    left = any(player.disqualified is not None for player in day.players.values())
    finished = over and not mid_round and not left and chance.random() < 0.5
    return tdf.write_file(day.file, None, AT, finished)


def taken(raw: bytes) -> EventLog:
    decision = take_over(make_takeover(read_content(raw)), CONTEXT)
    written = write_lines(decision.facts, after=0, previous=NOTHING, at=CONTEXT.at, by="Ada", via="test")
    return EventLog(written, decision.private)


def exported(log: EventLog) -> bytes:
    found = state_snapshot.snapshot_content(LogFile("cup", list(log.lines), dict(log.private)), log.state)
    assert found.original is not None
    return tdf.write_file(found.file, found.original.encode(), LATER, found.finished)


def changes(before: bytes, now: bytes) -> tuple[list[str], list[str]]:
    """The lines that are others now, as they were and as they are; none is new."""
    old, new = (canonical(raw).splitlines() for raw in (before, now))
    found = [(a.strip(), b.strip()) for a, b in zip(old, new, strict=True) if a != b]
    return [was for was, _ in found], [now for _, now in found]


@LONG
@given(st.randoms(use_true_random=False), st.integers(0, 8), st.booleans())
def test_into_a_log_and_out_again_nothing_differs(chance: random.Random, steps: int, mid_round: bool) -> None:
    raw = some_file(chance, steps, mid_round)
    assert canonical(exported(taken(raw))) == canonical(raw)


@LONG
@given(st.randoms(use_true_random=False), st.integers(1, 8))
def test_a_result_given_here_is_all_that_differs(chance: random.Random, steps: int) -> None:
    raw = some_file(chance, steps, mid_round=True)
    log = taken(raw)
    a_round = log.state.round
    assume(a_round is not None and a_round.phase != "ended" and a_round.missing)
    assert a_round is not None
    if a_round.phase == "published":
        do(log, c.Start())
    seated = chance.choice(a_round.missing)
    assert isinstance(seated.table, int)
    do(log, c.Report(table=seated.table, result=Result(winner=seated.players[0])))
    now = exported(log)
    out, put = changes(raw, now)
    stages = [(line, put[at]) for at, line in enumerate(out) if line.startswith("<round ")]
    event(f"{len(stages)} rounds complete")
    assert [(old.count('stage="2"'), new.count('stage="6"')) for old, new in stages] in ([], [(1, 1)])
    rest = [[line for line in lines if not line.startswith("<round ")] for lines in (out, put)]
    assert [line.partition(">")[0] for line in rest[0]] == ['<match outcome="0"', "<timestamp"]
    assert rest[1] in (['<match outcome="1">', STAMP], ['<match outcome="2">', STAMP])


@LONG
@given(st.randoms(use_true_random=False), st.integers(0, 8))
def test_a_round_drawn_here_is_all_that_differs(chance: random.Random, steps: int) -> None:
    raw = some_file(chance, steps, mid_round=False)
    log = taken(raw)
    try:
        do(log, c.Pair(), c.Publish())
    except (Impossible, NotNow):
        assume(False)
    now = exported(log)
    before, after = pieces(raw), pieces(now)
    event(log.state.rounds[-1].stage)
    assert {name for name in before if after.get(name) != before[name]} == set()
    was, found = meaning(tdf.read_content(raw).file), meaning(tdf.read_content(now).file)
    assert (found["players"], found["rounds"][:-1]) == (was["players"], was["rounds"])
    assert len(found["rounds"][-1][1]) == len(log.state.rounds[-1].tables)
