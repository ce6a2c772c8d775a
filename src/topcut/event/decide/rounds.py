"""Decide commands about rounds: pair, edit, publish, start, end, and the clock (PK-56)."""

from collections import Counter

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.correction_window import describe_deadline, find_closure
from topcut.event.decide.context import Decider, handle
from topcut.event.draw import draw_round, find_changed_tables, find_progress, fix_plan, number_tables
from topcut.event.refusals import NotNow
from topcut.event.state import RoundState, State
from topcut.text.messages import list_and, list_first, list_or, say

LONGEST_ROUND = 24 * 60
"""Minutes."""
SHOWN = 5
"""Players or tables that a refusal names, at most."""


@handle.register
def decide_pair(command: c.Pair, decider: Decider) -> None:
    state = decider.state
    upcoming = state.upcoming
    if upcoming is not None and not command.again:
        raise NotNow(f"round {upcoming.number} is paired already: publish it, or pair it again")
    last = state.round
    if last is not None and upcoming is None and last.phase != "ended":
        todo = _describe_missing(state, last) or "end it first"
        raise NotNow(f"round {last.number} is being played: {todo}")
    if not state.players:
        raise NotNow("there are no players yet")
    players = [] if state.begun else list(state.active())
    absent = [e.player.shown_name for e in players if not e.here]
    if absent and any(e.here for e in players):  # nobody is left out or taken in silently
        raise NotNow(f"not checked in: {list_first(absent, SHOWN)}: check them in or remove them")
    secret = decider.get_secret()
    decider.record(*draw_round(decider.state, secret))


def _describe_missing(state: State, a_round: RoundState) -> str:
    """Return the tables that are not reported, in words; empty if all are."""
    tables = [f"{table.table} ({', '.join(map(state.name_of, table.players))})" for table in a_round.missing]
    return f"not reported yet: table{'s' if tables[1:] else ''} {list_first(tables, SHOWN)}" if tables else ""


@handle.register
def decide_swap(command: c.Swap, decider: Decider) -> None:
    upcoming = decider.require_upcoming("changed")
    swapped = {command.first: command.second, command.second: command.first}
    for player_id in swapped:
        decider.state.get_listed(player_id)
        if upcoming.table_of(player_id) is None:
            raise NotNow(f"{decider.state.name_of(player_id)} does not sit in round {upcoming.number}")
    if len(swapped) < 2 or upcoming.table_of(command.first) is upcoming.table_of(command.second):
        raise NotNow("they sit at one table: nothing would change")
    rows = tuple(tuple(swapped.get(player, player) for player in t.players) for t in upcoming.tables)
    decide_edit_tables(c.EditTables(tables=rows, reason=command.reason), decider)


@handle.register
def decide_edit_tables(command: c.EditTables, decider: Decider) -> None:
    state, upcoming, rows = decider.state, decider.require_upcoming("changed"), command.tables
    if upcoming.in_bracket:
        raise NotNow("the tables of a bracket follow from its results: they cannot be changed by hand")
    reason = decider.require_reason(command.reason, "tables are changed by hand")
    match = state.book.match
    have = Counter(player_id for table in upcoming.tables for player_id in table.players)
    want = Counter(player_id for row in rows for player_id in row)
    for player_id in want - have:
        decider.state.get_listed(player_id)
        raise BadInput(f"{state.name_of(player_id)} sits twice, or is not in this round", place="tables")
    if missing := have - want:
        raise BadInput(f"{list_and(map(state.name_of, missing))} would sit nowhere", place="tables")
    sizes = match.table_sizes
    if wrong := [len(row) for row in rows if len(row) not in sizes and not (len(row) == 1 and match.byes)]:
        raise BadInput(f"expected {list_or(sizes)} at a table, not {wrong[0]}", place="tables")
    for table in upcoming.fixed:
        if frozenset(table.players) not in map(frozenset, rows):
            raise NotNow(f"table {table.table} has begun: nobody can be taken from it")
    tables = number_tables(state, [(row, (say("by hand"),)) for row in rows], upcoming.tables)
    if not (changed := find_changed_tables(upcoming.tables, tables)):
        raise NotNow("nothing would change")
    decider.record(f.RoundEdited(round=upcoming.number, tables=tables, changed=changed, reason=reason))


@handle.register
def decide_publish(command: c.Publish, decider: Decider) -> None:
    upcoming = decider.require_upcoming("published")
    if upcoming.phase == "published":
        raise NotNow(f"round {upcoming.number} is published already: start it")
    before = _find_correctable(decider.state)
    decider.record(f.Published(round=upcoming.number))
    running = decider.state.book.running
    if running is None:
        return
    still = _find_correctable(decider.state)
    if running.reminded and upcoming.number - 1 in still:
        _remind(decider, [upcoming.number - 1])
    elif shut := [number for number in before if number not in still]:
        why = find_closure(decider.state, shut[-1])
        decider.tell(f"{_name_rounds(shut)} cannot be corrected any more{f' ({why.rule})' if why else ''}.")
    if decider.state.options.level in running.slips:
        decider.tell(f"This event uses result slips ({running.rule('slips')}).")


def _find_correctable(state: State) -> list[int]:
    """Return the rounds that are over and whose records are open."""
    over = [a_round.number for a_round in state.rounds if a_round.phase == "ended"]
    return [number for number in over if find_closure(state, number) is None]


def _remind(decider: Decider, rounds: list[int], before: str = "") -> None:
    """Tell the desk to remind players of their records, and what can be corrected until when (PK-61)."""
    running, until = decider.state.book.running, describe_deadline(decider.state, rounds[-1])
    assert running is not None
    limit = f" {_name_rounds(rounds)} can be corrected until {until}." if until else ""
    decider.tell(f"{before}Remind everybody to check their record.{limit} ({running.rule('reminded')})")


def _name_rounds(numbers: list[int]) -> str:
    return f"Round{'s' if len(numbers) > 1 else ''} {list_and(numbers)}"


@handle.register
def decide_start(command: c.Start, decider: Decider) -> None:
    state, upcoming = decider.state, decider.require_upcoming("started")
    if upcoming.phase == "draft":
        raise NotNow(f"round {upcoming.number} is not published yet: publish it first")
    minutes = command.minutes
    if minutes is None:
        lengths = state.book.match.round_minutes
        minutes = lengths.get(state.options.level or "default", lengths.get("default"))
    elif not 1 <= minutes <= LONGEST_ROUND:
        raise BadInput(f"expected 1 to {LONGEST_ROUND} minutes, not {minutes}", place="minutes")
    if upcoming.number == 1:
        planned = fix_plan(state.options, find_progress(state, 1, "").parts, state.book)
        if planned != state.options:
            decider.record(f.OptionsChanged(options=planned, reason="as planned when the event began"))
    decider.record(f.Started(round=upcoming.number, minutes=minutes))


@handle.register
def decide_begin_tables(command: c.BeginTables, decider: Decider) -> None:
    upcoming = decider.require_upcoming("begun")
    if upcoming.phase == "draft":
        raise NotNow(f"round {upcoming.number} is not published yet")
    if not set(command.tables) - upcoming.begun:
        raise NotNow("nothing would change")
    players = tuple(upcoming.get_table(table).players for table in command.tables)
    decider.record(f.TablesBegun(round=upcoming.number, tables=command.tables, players=players))


@handle.register
def decide_pause(command: c.Pause | c.Resume, decider: Decider) -> None:
    a_round, pauses = decider.require_started(), isinstance(command, c.Pause)
    if a_round.clock and bool(a_round.clock.paused) == pauses:
        raise NotNow("the clock stands still already" if pauses else "the clock runs")
    decider.record((f.Paused if pauses else f.Resumed)(round=a_round.number))


@handle.register
def decide_extend(command: c.Extend, decider: Decider) -> None:
    a_round = decider.require_started()
    if not 1 <= command.minutes <= LONGEST_ROUND:
        raise BadInput(f"expected 1 to {LONGEST_ROUND} minutes, not {command.minutes}", place="minutes")
    if command.table is not None:
        a_round.get_table(command.table)
    number, minutes, table = a_round.number, command.minutes, command.table
    decider.record(f.Extended(round=number, minutes=minutes, table=table, reason=command.reason))


@handle.register
def decide_end(command: c.End, decider: Decider) -> None:
    a_round = decider.require_started()
    if missing := _describe_missing(decider.state, a_round):
        raise NotNow(f"round {a_round.number} cannot end: {missing}")
    decider.record(f.Ended(round=a_round.number))
    running = decider.state.book.running
    if running is not None and running.reminded and a_round.is_scored:
        progress = find_progress(decider.state)
        still = _find_correctable(decider.state)
        if not progress.running and still:  # nothing is published before these records close (PK-60, PK-A27)
            _remind(decider, still, "The Swiss rounds are over. " if progress.bracket_follows else "")
