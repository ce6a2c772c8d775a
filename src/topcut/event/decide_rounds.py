"""What becomes of commands about rounds: pairing, looking, publishing, starting, ending (PK-56)."""

from __future__ import annotations

from collections import Counter

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.deciding import Desk, handle
from topcut.event.draw import changes, course_of, paired, renumbered
from topcut.event.names import named
from topcut.event.plan import as_planned
from topcut.event.refusals import NotNow
from topcut.event.state import RoundOf, State
from topcut.event.window import closed, open_until
from topcut.rulebook.planning.words import both, either

LONGEST_ROUND = 24 * 60
SHOWN = 5


@handle.register
def on_pair(command: c.Pair, desk: Desk) -> None:
    desk.running()
    state = desk.state
    upcoming = state.upcoming
    if upcoming is not None and not command.again:
        raise NotNow(f"round {upcoming.number} is paired already: publish it, or pair it again")
    if upcoming is None:
        _all_ended(desk)
    if not state.players:
        raise NotNow("there are no players yet")
    _all_here(desk)
    secret = desk.secret()
    for fact in paired(desk.state, secret):
        desk.fact(fact)
        if isinstance(fact, f.Paired):
            for warning in fact.warnings:
                desk.warn(named(desk.state, warning))


def _all_ended(desk: Desk) -> None:
    a_round = desk.state.round
    if a_round is not None and a_round.phase != "ended":
        raise NotNow(f"round {a_round.number} is being played: {_missing(desk, a_round) or 'end it first'}")


def _all_here(desk: Desk) -> None:
    """Where players check in, nobody is left out or taken in silently."""
    if desk.state.begun:
        return
    players = list(desk.state.active())
    if any(e.here for e in players):
        absent = [e.player.shown_name for e in players if not e.here]
        if absent:
            those = ", ".join(absent[:SHOWN]) + (f" and {len(absent) - SHOWN} more" if absent[SHOWN:] else "")
            raise NotNow(f"not checked in: {those}: check them in or remove them")


def _missing(desk: Desk, a_round: RoundOf) -> str:
    missing = a_round.missing
    if not missing:
        return ""
    said = []
    for table in missing[:SHOWN]:
        said.append(f"{table.table} ({', '.join(map(desk.state.name_of, table.players))})")
    more = f" and {len(missing) - SHOWN} more" if missing[SHOWN:] else ""
    return f"not reported yet: table{'s' if len(missing) > 1 else ''} {', '.join(said)}{more}"


@handle.register
def on_swap(command: c.Swap, desk: Desk) -> None:
    upcoming = desk.upcoming("changed")
    swapped = {command.first: command.second, command.second: command.first}
    for player_id in swapped:
        desk.entrant(player_id)
        if upcoming.table_of(player_id) is None:
            raise NotNow(f"{desk.state.name_of(player_id)} does not sit in round {upcoming.number}")
    if len(swapped) < 2 or upcoming.table_of(command.first) is upcoming.table_of(command.second):
        raise NotNow("they sit at one table: nothing would change")
    rows = [
        tuple(swapped.get(player_id, player_id) for player_id in table.players) for table in upcoming.tables
    ]
    _edit(desk, upcoming, rows, command.reason)


@handle.register
def on_edit_tables(command: c.EditTables, desk: Desk) -> None:
    _edit(desk, desk.upcoming("changed"), list(command.tables), command.reason)


def _edit(desk: Desk, upcoming: RoundOf, rows: list[tuple[str, ...]], reason: str) -> None:
    """The round with other tables, as a person wants them."""
    desk.running()
    if upcoming.stage == "elimination":
        raise NotNow("the tables of a bracket follow from its results: they cannot be changed by hand")
    reason = desk.reason(reason, "tables are changed by hand")
    match = desk.state.book.match
    have = Counter(player_id for table in upcoming.tables for player_id in table.players)
    want = Counter(player_id for row in rows for player_id in row)
    for player_id in want - have:
        desk.entrant(player_id)
        raise BadInput(f"{desk.state.name_of(player_id)} sits twice, or is not in this round", place="tables")
    if have - want:
        who = both(desk.state.name_of(player_id) for player_id in have - want)
        raise BadInput(f"{who} would sit nowhere", place="tables")
    for row in rows:
        if len(row) not in match.table_sizes and not (len(row) == 1 and match.byes):
            raise BadInput(f"expected {either(match.table_sizes)} at a table, not {len(row)}", place="tables")
    for table in upcoming.fixed:
        if frozenset(table.players) not in map(frozenset, rows):
            raise NotNow(f"table {table.table} has begun: nobody can be taken from it")
    by_hand = ("by hand",)
    tables = renumbered(desk.state, [(row, by_hand) for row in rows], upcoming)
    if not (changed := changes(upcoming.tables, tables)):
        raise NotNow("nothing would change")
    desk.fact(f.RoundEdited(round=upcoming.number, tables=tables, changed=changed, reason=reason))


@handle.register
def on_publish(command: c.Publish, desk: Desk) -> None:
    desk.running()
    upcoming = desk.upcoming("published")
    if upcoming.phase == "published":
        raise NotNow(f"round {upcoming.number} is published already: start it")
    before = _correctable(desk.state)
    desk.fact(f.Published(round=upcoming.number))
    running = desk.state.book.running
    if running is None:
        return
    still = _correctable(desk.state)
    if running.reminded and upcoming.number - 1 in still:
        _remind(desk, [upcoming.number - 1])
    elif shut := [number for number in before if number not in still]:
        why = closed(desk.state, shut[-1])
        desk.say(f"{_rounds(shut)} cannot be corrected any more{f' ({why.rule})' if why else ''}.")
    if desk.state.options.level in running.slips:
        desk.say(f"This event uses result slips ({running.rule('slips')}).")


def _correctable(state: State) -> list[int]:
    """The rounds that are over and whose records are open."""
    over = [a_round.number for a_round in state.rounds if a_round.phase == "ended"]
    return [number for number in over if closed(state, number) is None]


def _remind(desk: Desk, rounds: list[int], before: str = "") -> None:
    """Tell the desk to remind players of their records, and what can be corrected until when (PK-61)."""
    running, until = desk.state.book.running, open_until(desk.state, rounds[-1])
    assert running is not None
    limit = f" {_rounds(rounds)} can be corrected until {until}." if until else ""
    desk.say(f"{before}Remind everybody to check their record.{limit} ({running.rule('reminded')})")


def _rounds(numbers: list[int]) -> str:
    return f"Round{'s' if len(numbers) > 1 else ''} {both(numbers)}"


@handle.register
def on_start(command: c.Start, desk: Desk) -> None:
    desk.running()
    upcoming = desk.upcoming("started")
    if upcoming.phase == "draft":
        raise NotNow(f"round {upcoming.number} is not published yet: publish it first")
    minutes = command.minutes
    if minutes is None:
        lengths = desk.state.book.match.round_minutes
        minutes = lengths.get(desk.state.options.level or "default", lengths.get("default"))
    elif not 1 <= minutes <= LONGEST_ROUND:
        raise BadInput(f"expected 1 to {LONGEST_ROUND} minutes, not {minutes}", place="minutes")
    if upcoming.number == 1:
        planned = as_planned(desk.state.options, course_of(desk.state, 1, "").parts, desk.state.book)
        if planned != desk.state.options:
            desk.fact(f.OptionsChanged(options=planned, reason="as planned when the event began"))
    desk.fact(f.Started(round=upcoming.number, minutes=minutes))


@handle.register
def on_begin_tables(command: c.BeginTables, desk: Desk) -> None:
    desk.running()
    upcoming = desk.upcoming("begun")
    if upcoming.phase == "draft":
        raise NotNow(f"round {upcoming.number} is not published yet")
    if not set(command.tables) - upcoming.begun:
        raise NotNow("nothing would change")
    players = tuple(upcoming.table_at(table).players for table in command.tables)
    desk.fact(f.TablesBegun(round=upcoming.number, tables=command.tables, players=players))


@handle.register
def on_pause(command: c.Pause, desk: Desk) -> None:
    a_round = desk.playing()
    if a_round.clock and a_round.clock.paused:
        raise NotNow("the clock stands still already")
    desk.fact(f.Paused(round=a_round.number))


@handle.register
def on_resume(command: c.Resume, desk: Desk) -> None:
    a_round = desk.playing()
    if a_round.clock and not a_round.clock.paused:
        raise NotNow("the clock runs")
    desk.fact(f.Resumed(round=a_round.number))


@handle.register
def on_extend(command: c.Extend, desk: Desk) -> None:
    a_round = desk.playing()
    if not 1 <= command.minutes <= LONGEST_ROUND:
        raise BadInput(f"expected 1 to {LONGEST_ROUND} minutes, not {command.minutes}", place="minutes")
    if command.table is not None:
        a_round.table_at(command.table)
    desk.fact(
        f.Extended(round=a_round.number, minutes=command.minutes, table=command.table, reason=command.reason)
    )


@handle.register
def on_end(command: c.End, desk: Desk) -> None:
    desk.running()
    a_round = desk.playing()
    if missing := _missing(desk, a_round):
        raise NotNow(f"round {a_round.number} cannot end: {missing}")
    desk.fact(f.Ended(round=a_round.number))
    running = desk.state.book.running
    if running is not None and running.reminded and a_round.stage == "swiss":
        course = course_of(desk.state)
        still = _correctable(desk.state)
        if not course.running and still:  # nothing is published before these records close (PK-60, PK-A27)
            _remind(desk, still, "The Swiss rounds are over. " if course.bracket_follows else "")
