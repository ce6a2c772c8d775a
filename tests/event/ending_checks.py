"""How a trial ends: what must be so of any event that is over, and of any that could have gone otherwise."""

from __future__ import annotations

from msgspec.structs import replace

from tests.event.event_runner import Running
from topcut.event import facts as f
from topcut.event.audit import check_log
from topcut.event.event_log import EventLog
from topcut.event.log_chain import NOTHING, Logged, digest, encode_entry
from topcut.event.state import State
from topcut.formats.event_file import build_event, decode_event_file, encode_event_file
from topcut.formats.log_file import decode_log as read_log
from topcut.formats.log_file import encode_log as log_written
from topcut.formats.state_snapshot import snapshot_event_file
from topcut.history import History, build_history
from topcut.history.parts import excuse_idle_parts
from topcut.rulebook import Book
from topcut.standings import rank

LOTS = "the same lots"


def standing(state: State) -> list[tuple[int, str]]:
    """Places and players, by the rounds that have ended."""
    ended = sum(a_round.phase == "ended" for a_round in state.rounds)
    history = build_history(state.file_players(), state.file_rounds(ended + 1), state.book)
    history = excuse_idle_parts(history, state.book, state.options)
    return places(history, state.book)


def places(history: History, book: Book) -> list[tuple[int, str]]:
    ranked = rank(history, book, LOTS)
    return [(ranked.rank(i), history.players[i].id) for i in ranked.order.tolist()]


def relined(entries: list[Logged]) -> list[bytes]:
    """Facts as a log that was never anything else."""
    found: list[bytes] = []
    steps: dict[int, int] = {}
    for position, entry in enumerate(entries, start=1):
        previous = digest(found[-1]) if found else NOTHING
        step = steps.setdefault(entry.step, position)
        found.append(encode_entry(replace(entry, position=position, step=step, previous=previous)))
    return found


def right_at_first(log: EventLog) -> EventLog | None:
    """The event as if every result had been reported as it stands now; None where nothing was corrected.

    A bye is never reported, so what became of one stays a correction; so do results that were taken away.
    """
    counted = [
        entry
        for entry in log.entries
        if entry.step not in log.undone and not isinstance(entry.fact, f.Undone | f.Redone)
    ]
    corrected = [entry.fact for entry in counted if isinstance(entry.fact, f.Corrected)]
    tables: set[tuple[int, int | str]] = {(fact.round, fact.table) for fact in corrected}
    tables -= {(fact.round, fact.table) for fact in corrected if fact.result is None or _alone(fact)}
    if not tables:
        return None
    found: list[Logged] = []
    done: set[tuple[int, int | str]] = set()
    for entry in counted:
        fact = entry.fact
        if isinstance(fact, f.Corrected) and (fact.round, fact.table) in tables:
            continue
        if isinstance(fact, f.Confirmed):
            continue
        if isinstance(fact, f.Reported) and (fact.round, fact.table) in tables:
            if (fact.round, fact.table) in done:
                continue
            done.add((fact.round, fact.table))
            a_round = log.state.rounds[fact.round - 1]
            at = a_round.index_of(fact.table)
            assert at is not None
            table = a_round.tables[at]
            now = f.Result(**{name: getattr(table, name) for name in f.Result.__struct_fields__})
            found.append(replace(entry, fact=replace(fact, result=now)))
        elif isinstance(fact, f.Paired | f.RoundRepaired | f.RoundEdited):  # tables that played already stay
            now_there = {table.table: table for table in log.state.rounds[fact.round - 1].tables}
            tables_now = tuple(
                now_there[table.table] if (fact.round, table.table) in done else table
                for table in fact.tables
            )
            found.append(replace(entry, fact=replace(fact, tables=tables_now)))
        else:
            found.append(entry)
    return EventLog(relined(found), log.private)


def _alone(fact: f.Corrected) -> bool:
    return isinstance(fact.table, str)


def ends_well(event: Running, bent: bool) -> None:
    """Every draw comes out again, the files can be read, and corrections leave no trace in the standings."""
    log = event.log
    findings = check_log(log.lines, log.private)
    assert not findings.problems
    assert [draw for draw in findings.draws if not draw.replayed] == []
    if not bent:
        assert findings.ok
    copy = read_log(log_written("cup", log.lines, log.private))
    assert EventLog(copy.facts, copy.private).state == log.state
    again = build_event(decode_event_file(encode_event_file(snapshot_event_file(log.state))))
    assert places(again.history, again.book) == standing(log.state)
    right = right_at_first(log)
    if right is not None:
        assert standing(right.state) == standing(log.state)
