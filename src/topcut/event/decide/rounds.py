"""Decide commands about rounds: pair, edit, publish, start, end, and the clock (PK-56)."""

from collections import Counter
from typing import get_args

from msgspec.structs import replace

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.context import apply_all
from topcut.event.correction_window import (
    describe_deadline,
    describe_next_closing,
    find_closure,
    find_next_closing,
    remind_players,
)
from topcut.event.decide.context import (
    LONGEST_ROUND,
    SHOWN,
    Decider,
    explain_minutes,
    handle,
    require_all_checked_in,
)
from topcut.event.decide.drafts import end_draft_if_over
from topcut.event.decide.leaving import require_present
from topcut.event.describe.plan_sentences import (
    describe_divisions,
    describe_plan,
    describe_plan_with_reasons,
)
from topcut.event.draw import draw_round, find_changed_tables, find_progress, fix_plan, number_tables
from topcut.event.next_steps import explain_obstacle
from topcut.event.refusals import NotNow
from topcut.event.state import RoundState, State
from topcut.history.model import Allowance, Override
from topcut.rulebook.options import find_round_minutes
from topcut.text.messages import Message, count, join_messages, list_and, list_first, list_or, say

OVERRIDES: tuple[Override, ...] = get_args(Override)


@handle.register
def decide_pair(command: c.Pair, decider: Decider) -> None:
    state = decider.state
    upcoming = state.upcoming
    if upcoming is not None and not command.again:
        problem = say(
            "Round {number} is already paired. Publish it, or pair it again.", number=upcoming.number
        )
        raise NotNow(problem)
    last = state.round
    if last is not None and upcoming is None and last.phase != "ended":
        playing = say("Round {round} is being played.", round=last.number)
        raise NotNow(join_messages(" ", [playing, _describe_missing(state, last) or say("End it first.")]))
    if not state.players:
        raise NotNow(say("There are no players yet."))
    if not state.begun:
        require_all_checked_in(state)
    end_draft_if_over(decider)
    allowed = _find_allowance(command, decider)
    secret = decider.get_secret()
    try:
        facts = draw_round(decider.state, secret, allowed)
    except (Impossible, BadInput) as error:
        raise explain_obstacle(decider.state, error) from None
    if allowed is not None and not any(isinstance(fact, f.Paired) and fact.allowed for fact in facts):
        number = upcoming.number if upcoming else len(state.rounds) + 1
        raise NotNow(
            say("Round {number} can be paired by the rules. Pair it without an exception.", number=number)
        )
    decider.record(*facts)
    if not state.begun:
        _tell_plan(decider)


def _find_allowance(command: c.Pair, decider: Decider) -> Allowance | None:
    """Return what the organiser allows in the round; refuse it without a reason."""
    if not command.allow:
        if command.sits_out is not None:
            raise BadInput(say("expected sits-out among the allowed exceptions"), place="sits_out")
        return None
    reason = decider.require_reason(command.reason, say("Pairing a round against the rules needs a reason."))
    what = tuple(one for one in OVERRIDES if one in command.allow)
    if command.sits_out is not None:
        if "sits-out" not in what:
            raise BadInput(say("expected sits-out among the allowed exceptions"), place="sits_out")
        player = decider.state.get_listed(command.sits_out).player
        lasts = (player.dropped, player.cut, player.disqualified)
        if any(last is not None and last <= decider.state.begun for last in lasts):
            require_present(decider, command.sits_out)
    return Allowance(what=what, reason=reason, sits_out=command.sits_out)


def _tell_plan(decider: Decider) -> None:
    """Say how divisions play and what is planned, and what was announced in another way (PK-1, PK-13)."""
    state = decider.state
    progress = find_progress(state, 1)
    plan = describe_plan(progress)
    if describe_divisions(progress):
        decider.tell(join_messages(" ", describe_plan_with_reasons(progress)))
    if state.announced is None:
        return
    announced = {str(says) for says in state.announced.says}
    if new := [says for says in plan if str(says) not in announced]:
        now = join_messages(" ", new)
        decider.warn(say("This differs from the announcement: {plan} Announce again.", plan=now))


def _describe_missing(state: State, a_round: RoundState) -> Message:
    """Return the tables that are not reported, in words; empty if all are."""
    tables = [
        say(
            "{table} ({players})",
            table=table.table or "",
            players=join_messages(", ", map(state.name_of, table.players)),
        )
        for table in a_round.missing
    ]
    if not tables:
        return Message("")
    return count(
        "{n} table is not reported yet: {tables}.",
        "{n} tables are not reported yet: {tables}.",
        len(tables),
        tables=list_first(tables, SHOWN),
    )


@handle.register
def decide_swap(command: c.Swap, decider: Decider) -> None:
    upcoming = decider.require_upcoming(say("No tables can be changed now."))
    swapped = {command.first: command.second, command.second: command.first}
    for player_id in swapped:
        decider.state.get_listed(player_id)
        if upcoming.table_of(player_id) is None:
            name = decider.state.name_of(player_id)
            raise NotNow(say("{name} has no table in round {round}.", name=name, round=upcoming.number))
    if len(swapped) < 2 or upcoming.table_of(command.first) is upcoming.table_of(command.second):
        raise NotNow(say("Both sit at the same table. Nothing would change."))
    rows = tuple(tuple(swapped.get(player, player) for player in t.players) for t in upcoming.tables)
    decide_edit_tables(c.EditTables(tables=rows, reason=command.reason), decider)


@handle.register
def decide_edit_tables(command: c.EditTables, decider: Decider) -> None:
    state, upcoming, rows = (
        decider.state,
        decider.require_upcoming(say("No tables can be changed now.")),
        command.tables,
    )
    if upcoming.in_bracket:
        raise NotNow(say("The tables of a bracket follow from its results. They can't be changed by hand."))
    reason = decider.require_reason(command.reason, say("Changing tables by hand needs a reason."))
    match = state.book.match
    have = Counter(player_id for table in upcoming.tables for player_id in table.players)
    want = Counter(player_id for row in rows for player_id in row)
    for player_id in want - have:
        decider.state.get_listed(player_id)
        name = state.name_of(player_id)
        problem = say(
            "expected each player of this round once: {name} is listed twice, or is not in this round",
            name=name,
        )
        raise BadInput(problem, place="tables")
    if missing := have - want:
        names = list_and(map(state.name_of, missing))
        problem = say("expected all players of this round: {names} would have no table", names=names)
        raise BadInput(problem, place="tables")
    sizes = match.table_sizes
    if wrong := [len(row) for row in rows if len(row) not in sizes and not (len(row) == 1 and match.byes)]:
        problem = say(
            "expected {sizes} players at a table, not {number}", sizes=list_or(sizes), number=wrong[0]
        )
        raise BadInput(problem, place="tables")
    for table in upcoming.fixed:
        if frozenset(table.players) not in map(frozenset, rows):
            raise NotNow(
                say("Table {table} has already started. Its players must stay.", table=table.table or "")
            )
    tables = number_tables(state, [(row, (say("by hand"),)) for row in rows], upcoming.tables)
    if not (changed := find_changed_tables(upcoming.tables, tables)):
        raise NotNow(say("Nothing would change."))
    decider.record(f.RoundEdited(round=upcoming.number, tables=tables, changed=changed, reason=reason))


@handle.register
def decide_publish(command: c.Publish, decider: Decider) -> None:
    upcoming = decider.require_upcoming(say("There is no round to publish."))
    if upcoming.phase == "published":
        raise NotNow(say("Round {round} is already published. Start it.", round=upcoming.number))
    running = decider.state.book.running
    if running is None:
        decider.record(f.Published(round=upcoming.number))
        return
    before = _find_correctable(decider.state)
    trial = apply_all(decider.state, [f.Published(round=upcoming.number)], decider.now)
    still = _find_correctable(trial)
    closing = find_next_closing(trial, find_progress(trial)) if running.reminded and still else None
    decider.record(f.Published(round=upcoming.number, reminder=remind_players(closing)))
    if shut := [number for number in before if number not in still]:
        why = find_closure(decider.state, shut[-1])
        decider.tell(_describe_closed(shut, why.rule if why else ""))
    if closing is not None:
        _remind(decider, describe_next_closing(closing))
    elif running.reminded and upcoming.in_bracket and upcoming.number - 1 in still:
        _remind(decider, _describe_limit(decider.state, upcoming.number - 1))
    if decider.state.options.level in running.slips:
        decider.tell(say("This event uses result slips ({rule}).", rule=running.rule("slips")))


def _describe_closed(rounds: list[int], rule: str) -> Message:
    """Return in words that the records of rounds are closed now."""
    named = list_and(rounds)
    if not rule:
        return count(
            "Round {rounds} can no longer be corrected.",
            "Rounds {rounds} can no longer be corrected.",
            len(rounds),
            rounds=named,
        )
    return count(
        "Round {rounds} can no longer be corrected ({rule}).",
        "Rounds {rounds} can no longer be corrected ({rule}).",
        len(rounds),
        rounds=named,
        rule=rule,
    )


def _find_correctable(state: State) -> list[int]:
    """Return the rounds that are over and whose records are open."""
    over = [a_round.number for a_round in state.rounds if a_round.phase == "ended"]
    return [number for number in over if find_closure(state, number) is None]


def _remind(decider: Decider, limit: Message, before: str = "") -> None:
    """Tell the desk to remind players of their records, and what closes when (PK-61)."""
    running = decider.state.book.running
    assert running is not None
    remind = say("Ask all players to check their results now ({rule}).", rule=running.rule("reminded"))
    decider.tell(join_messages(" ", [before, remind, limit]))


def _describe_limit(state: State, number: int) -> Message:
    """Return until when a round can be corrected, in a sentence."""
    until = describe_deadline(state, number)
    return say("Round {round} can be corrected until {until}.", round=number, until=until)


@handle.register
def decide_start(command: c.Start, decider: Decider) -> None:
    state, upcoming = decider.state, decider.require_upcoming(say("There is no round to start."))
    if upcoming.phase == "draft":
        raise NotNow(say("Round {round} is not published yet. Publish it first.", round=upcoming.number))
    minutes = _choose_minutes(command, decider)
    if upcoming.number == 1:
        planned = fix_plan(state.options, find_progress(state, 1, "").parts, state.book)
        if planned != state.options:
            reason = say("as planned when the event started")
            decider.record(f.OptionsChanged(options=planned, reason=reason))
    decider.record(f.Started(round=upcoming.number, minutes=minutes))


def _choose_minutes(command: c.Start, decider: Decider) -> int | None:
    """Return how long the round lasts; None: it has no clock. Say where that comes from, if not asked for."""
    state = decider.state
    if command.minutes is not None:
        if not 0 <= command.minutes <= LONGEST_ROUND:
            raise explain_minutes(command.minutes)
        return command.minutes or None
    minutes = find_round_minutes(state.book, state.options)
    if minutes is not None:
        return minutes
    minutes = state.proposed_minutes
    if minutes is not None:
        decider.tell(
            count(
                "The clock shows {n} minute, as in the round before.",
                "The clock shows {n} minutes, as in the round before.",
                minutes,
            )
        )
    elif not any(a_round.clock for a_round in state.rounds):  # said once
        decider.tell(
            say(
                "This round has no clock, because the rules give no length."
                " You can set the clock at any time."
            )
        )
    return minutes


@handle.register
def decide_set_clock(command: c.SetClock, decider: Decider) -> None:
    a_round = decider.require_started()
    if not 1 <= command.minutes <= LONGEST_ROUND:
        raise explain_minutes(command.minutes)
    decider.record(f.ClockSet(round=a_round.number, minutes=command.minutes))


@handle.register
def decide_begin_tables(command: c.BeginTables, decider: Decider) -> None:
    upcoming = decider.require_upcoming(say("No tables can start now."))
    if upcoming.phase == "draft":
        raise NotNow(say("Round {round} is not published yet. Publish it first.", round=upcoming.number))
    if not set(command.tables) - upcoming.begun:
        raise NotNow(say("Nothing would change."))
    players = tuple(upcoming.get_table(table).players for table in command.tables)
    decider.record(f.TablesBegun(round=upcoming.number, tables=command.tables, players=players))


@handle.register
def decide_pause(command: c.Pause | c.Resume, decider: Decider) -> None:
    pauses, draft = isinstance(command, c.Pause), decider.state.drafting
    drafts = draft is not None and draft.clock is not None
    clock = draft.clock if draft is not None and drafts else decider.require_started().clock
    if clock and bool(clock.paused) == pauses:
        raise NotNow(say("The clock is already paused.") if pauses else say("The clock is already running."))
    if draft is not None and drafts:
        decider.record(f.DraftClockPaused(draft=draft.number, paused=pauses))
    else:
        decider.record((f.Paused if pauses else f.Resumed)(round=decider.require_started().number))


@handle.register
def decide_extend(command: c.Extend, decider: Decider) -> None:
    a_round = decider.require_started()
    if not 1 <= command.minutes <= LONGEST_ROUND:
        raise explain_minutes(command.minutes)
    timed = a_round.clock is not None and a_round.clock.minutes is not None
    if command.table is None and not timed:
        problem = say(
            "Round {round} has no clock. Set the clock to the minutes that are left.",
            round=a_round.number,
        )
        raise NotNow(problem)
    if command.table is not None:
        a_round.get_table(command.table)
        if not timed:
            decider.tell(
                say(
                    "Round {round} has no clock. Topcut only notes the extra time at the table.",
                    round=a_round.number,
                )
            )
    number, minutes, table = a_round.number, command.minutes, command.table
    decider.record(f.Extended(round=number, minutes=minutes, table=table, reason=command.reason))


@handle.register
def decide_end(command: c.End, decider: Decider) -> None:
    a_round = decider.require_started()
    if missing := _describe_missing(decider.state, a_round):
        cannot = say("Round {round} can't end yet.", round=a_round.number)
        raise NotNow(join_messages(" ", [cannot, missing]))
    ended = f.Ended(round=a_round.number)
    after = apply_all(decider.state, [ended], decider.now)
    running = decider.state.book.running
    if running is None or not running.reminded or not a_round.is_scored:
        decider.record(ended)
        return
    progress = find_progress(after)
    closing = None if progress.running else find_next_closing(after, progress)
    decider.record(replace(ended, reminder=remind_players(closing)))
    if closing is not None:  # nothing is published before these records close (PK-60, PK-A27)
        over = say("The Swiss rounds are over.") if progress.bracket_follows else ""
        _remind(decider, describe_next_closing(closing), over)
