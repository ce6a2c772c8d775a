"""Draws that can be checked: a secret is promised at first, and revealed at the end."""

from __future__ import annotations

from hashlib import sha256

import pytest
from msgspec.structs import replace

from tests.event.event_runner import MORNING, Running
from topcut.event import commands as c
from topcut.event.audit import check_log
from topcut.event.decide.context import Context
from topcut.event.decide.create import create_event
from topcut.event.event_log import EventLog
from topcut.event.facts import Committed, Created, Finished, Paired, Result, RoundRepaired
from topcut.event.log_chain import BrokenChain, Logged, digest, encode_entry, read_lines, write_lines
from topcut.event.private_data import derive_seed
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book

PK = "pokemon-2017"
A, B = (Context(at=MORNING, by="Ada", entropy=entropy) for entropy in "ab")


def finished() -> Running:
    event = Running(PK, 9)
    event.play("")
    event.do(c.Pair(), c.Pair(again=True), c.Undo(), c.Publish())
    event.do(c.Correct(round=1, table=1, result=Result(games=(0, 2, 0)), then="fewest"), c.Start())
    event.report()
    event.do(c.End(), c.Finish(reason="enough"))
    return event


def rewritten(event: Running, position: int, **fields: object) -> list[bytes]:
    """The log with one fact changed and every later line chained anew."""
    found: list[bytes] = []
    previous = ""
    for entry in read_lines(event.log.lines):
        fact = replace(entry.fact, **fields) if entry.position == position else entry.fact
        found.append(encode_entry(replace(entry, fact=fact, previous=previous)))
        previous = digest(found[-1])
    return found


def entry_of(event: Running, kind: type) -> Logged:
    return next(entry for entry in event.log.entries if isinstance(entry.fact, kind))


def test_the_secret_is_promised_by_its_hash_and_revealed_at_the_end() -> None:
    event = finished()
    fact = entry_of(event, Finished).fact
    assert isinstance(fact, Finished)
    assert sha256(fact.secret.encode()).hexdigest() == event.state.commitment
    for entry in event.log.entries:
        if isinstance(entry.fact, Paired):
            seed = derive_seed(fact.secret, "round", entry.fact.round, "attempt", entry.fact.attempt)
            assert seed == entry.fact.seed


def test_the_secret_is_not_in_the_log_before_the_end() -> None:
    event = Running(PK, 8)
    event.play("")
    secret = event.log.private[event.state.commitment]
    assert secret not in b"".join(event.log.lines)


def test_an_attempt_shows_even_if_it_is_taken_back() -> None:
    event = Running(PK, 8)
    event.do(c.Pair())
    first = event.round.seed
    event.do(c.Undo(), c.Pair())
    assert event.round.attempt == 2
    assert event.round.seed != first


def test_whoever_has_the_log_replays_every_draw_and_every_repair() -> None:
    event = finished()
    found = check_log(event.log.lines, {})  # nothing but the log itself
    assert found.ok
    assert [(draw.what, draw.attempt, draw.replayed, draw.undone) for draw in found.draws] == [
        ("round 1", 1, True, False),
        ("round 2", 1, True, False),
        ("round 2", 2, True, True),
        ("repair of round 2", 1, True, False),
    ]


def test_while_the_secret_is_kept_draws_cannot_be_checked_without_it() -> None:
    event = Running(PK, 8)
    event.play("")
    assert [draw.replayed for draw in check_log(event.log.lines, {}).draws] == [None]
    assert [draw.replayed for draw in check_log(event.log.lines, event.log.private).draws] == [True]


def test_a_draw_that_was_made_up_does_not_replay() -> None:
    event = Running(PK, 9)
    event.up()
    entry = entry_of(event, Paired)
    fact = entry.fact
    assert isinstance(fact, Paired)
    one, two, *rest = fact.tables
    swapped = (
        replace(one, players=(one.players[0], two.players[1])),
        replace(two, players=(two.players[0], one.players[1])),
        *rest,
    )
    found = check_log(rewritten(event, entry.position, tables=swapped), event.log.private)
    assert not found.ok
    assert found.draws[0].problem == "its seed draws other tables"


def test_a_repair_that_was_made_up_shows_even_if_it_only_takes_tables_away() -> None:
    event = Running(PK, 9)
    event.up(started=False)
    event.do(c.Drop(player=event.round.tables[0].players[0], then="fewest"))
    entry = entry_of(event, RoundRepaired)
    fact = entry.fact
    assert isinstance(fact, RoundRepaired)
    found = check_log(rewritten(event, entry.position, tables=fact.tables[1:]), event.log.private)
    assert found.draws[-1].problem == "fewer changes were possible"


def test_a_repair_beside_a_result_with_counts_can_be_checked() -> None:
    event = Running("allegiance-2005", 9)
    event.up(started=False)
    table = event.round.tables[0]
    a, b, _ = table.players
    tie = Result(scores=(20, 20, 3), winners=(a,), tie_counts=({a: 3, b: 2},))
    event.do(c.Report(table=1, result=tie), c.Register(name="Late", then="fewest"))
    assert check_log(event.log.lines, event.log.private).ok


def test_a_line_that_was_changed_breaks_the_chain() -> None:
    event = finished()
    log = list(event.log.lines)
    log[3] = log[3].replace(b"p3", b"p8")
    with pytest.raises(BrokenChain, match="fact 5: fact 4 is not the one it was written after"):
        EventLog(log, event.log.private)
    del log[3]
    with pytest.raises(BrokenChain, match="fact 4: its line says it is fact 5"):
        EventLog(log, event.log.private)


def test_a_name_that_was_exchanged_shows() -> None:
    event = finished()
    key = event.state.players["p1"].person
    private = {**event.log.private, key: b'{"name":"Somebody else"}'}
    assert not check_log(event.log.lines, private).ok
    assert EventLog(event.log.lines, private).state.players["p1"].player.name == ""


def test_after_the_secret_is_known_a_new_one_is_promised_before_the_next_draw() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Finish(reason="a mistake"))
    old = event.state.commitment
    event.do(c.Undo(), c.Pair())
    assert event.state.commitment != old
    assert any(isinstance(fact, Committed) for fact in event.last.facts)
    event.do(c.Publish(), c.Start())
    event.report()
    event.do(c.End(), c.Finish(reason="now"))
    assert check_log(event.log.lines, {}).ok


def test_a_secret_once_promised_is_used_even_if_the_draw_was_taken_back() -> None:
    event = Running(PK, 8)
    event.play("")
    event.do(c.Finish(reason="x"), c.Reopen(), c.Pair())
    promised = event.state.commitment
    event.do(c.Undo(), c.Pair(), c.Undo(), c.Pair())
    assert event.state.commitment == promised
    event.do(c.Publish(), c.Start())
    event.report()
    event.do(c.End(), c.Finish(reason="now"))
    assert [draw.replayed for draw in check_log(event.log.lines, {}).draws] == [True] * 4
    assert check_log(event.log.lines, {}).ok


def test_a_secret_that_was_never_revealed_is_found() -> None:
    event = Running(PK, 8)
    event.play("")
    event.log.private.clear()  # as after an import without what is private
    event.play("")
    event.do(c.Finish(reason="x"))
    found = check_log(event.log.lines, event.log.private)
    assert found.problems == ["The secret of the draw in fact 10 was never revealed."]


def test_flights_and_seats_are_drawn_from_the_secret_too() -> None:
    event = Running("draft-sheet", 8)
    event.do(c.DrawLots(kind="seats"))
    seats = {player_id: e.player.seat for player_id, e in event.state.players.items()}
    assert sorted(seat for seat in seats.values() if seat) == list(range(1, 9))
    event.do(c.DrawLots(kind="seats"))
    event.play("", "", "")
    event.do(c.Finish())
    found = check_log(event.log.lines, {})
    assert found.ok
    assert [(draw.what, draw.attempt) for draw in found.draws[:2]] == [("seats", 1), ("seats", 2)]


def test_a_rehearsal_draws_the_same_every_time_and_never_passes_for_a_real_event() -> None:
    book = freeze_book(load(PK))
    made = [create_event(c.Create(name="Cup", book=book, rehearsal="x"), context) for context in (A, B)]
    assert [fact.commitment for fact in (one.facts[0] for one in made) if isinstance(fact, Created)] == [
        next(iter(made[0].private))
    ] * 2
    assert made[0].warnings == [
        "This is a rehearsal. Anyone who knows its text can know every random draw in advance."
    ]
    first = write_lines(made[0].facts, after=0, previous="", at=A.at, by=A.by, via="")
    assert "This is a rehearsal" in check_log(first, {}).problems[0]
    real = [create_event(c.Create(name="Cup", book=book), context) for context in (A, B)]
    assert next(iter(real[0].private)) != next(iter(real[1].private))
