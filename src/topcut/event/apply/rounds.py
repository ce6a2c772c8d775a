"""Apply facts about rounds, tables and results to a state."""

from msgspec.structs import asdict, replace

from topcut.event import facts as f
from topcut.event.apply.context import (
    DRAWN_FIELDS,
    LEFT_FIELDS,
    FactContext,
    UnfitFact,
    apply,
    assign_drawn,
    check_options_fit,
    check_players_present,
    clear_drawn,
    get_player,
    get_round,
    put_round,
    unmark_as_drawn,
)
from topcut.event.apply.drafts import take_over_drafts
from topcut.event.describe.name_marks import mark
from topcut.event.facts import Result
from topcut.event.state import (
    Phase,
    RecordOverride,
    RoundClock,
    RoundState,
    State,
    seconds_between,
    sort_tables,
)
from topcut.history.model import Allowance, Round, Table
from topcut.text.messages import Message, say


@apply.register
def apply_taken_over(fact: f.TakenOver, state: State, now: FactContext) -> State:
    if state.rounds or state.source:
        raise UnfitFact(say("rounds can be imported only when an event is created"))
    check_options_fit(state.options, sum(a_round.is_scored for a_round in fact.rounds), state.book)
    state = assign_drawn(state, fact.drawn, DRAWN_FIELDS | LEFT_FIELDS)
    for number, played in enumerate(fact.rounds, start=1):
        _check_tables(state, played.tables)
        phase = _find_phase(played)
        a_round = RoundState(
            number=number,
            stage=played.stage,
            seed=played.seed or "",
            attempt=0,
            lots=fact.seed,
            format=played.format,
            tables=played.tables,
            phase=phase,
            as_drawn=played.seed is not None,
            allowed=played.allowed,
            paired=now.at,
            published=now.at,
            clock=RoundClock(started=now.at) if phase == "started" else None,
        )
        if a_round.missing and number < len(fact.rounds):
            raise UnfitFact(say("round {round} has tables that are not reported", round=number))
        check_players_present(state, a_round)
        state = replace(state, rounds=(*state.rounds, a_round))
    return take_over_drafts(replace(state, source=fact.source, original=fact.original), fact)


def _find_phase(played: Round) -> Phase:
    """Return how far a round is: over, being played, or published and not begun."""
    if all(table.reported for table in played.tables):
        return "ended"
    begun = any(table.reported for table in played.tables if len(table.players) > 1)
    return "started" if begun else "published"


@apply.register
def apply_stage_began(fact: f.StageBegan, state: State, now: FactContext) -> State:
    return replace(state, stages=(*state.stages, fact.stage))


@apply.register
def apply_paired(fact: f.Paired, state: State, now: FactContext) -> State:
    upcoming = state.upcoming
    number = upcoming.number if upcoming else len(state.rounds) + 1
    if fact.round != number or (not upcoming and state.rounds and state.rounds[-1].phase != "ended"):
        raise UnfitFact(say("round {round} cannot be paired now", round=fact.round))
    draft = state.draft if fact.stage == "swiss" else None
    if fact.draft != (draft.number if draft else None):
        problem = say("round {round} would be paired in other pods, or outside a draft", round=fact.round)
        raise UnfitFact(problem)
    _check_tables(state, fact.tables)
    _check_begun_tables(upcoming, fact.tables)
    if upcoming:
        state = clear_drawn(state, upcoming, set(upcoming.drawn))
        state = replace(state, rounds=state.rounds[:-1])
    drawn = RoundState(
        number=fact.round,
        stage=fact.stage,
        seed=fact.seed,
        attempt=fact.attempt,
        tables=fact.tables,
        paired=now.at,
        drawn=fact.drawn,
        as_drawn=fact.kept == 0,
        format=draft.format if draft else None,
        begun=upcoming.begun if upcoming else frozenset(),
        warnings=fact.warnings,
        claims=_keep_claims(upcoming, fact.tables) if upcoming else {},
        allowed=fact.allowed,
        allowed_by=_find_who_allowed(upcoming, fact.allowed, now),
    )
    return assign_drawn(replace(state, rounds=(*state.rounds, drawn)), fact.drawn)


def _find_who_allowed(before: RoundState | None, allowed: Allowance | None, now: FactContext) -> str:
    """Return who allowed what a round needs: who did so before stays the one."""
    if allowed is None:
        return ""
    return before.allowed_by if before and before.allowed == allowed and before.allowed_by else now.by


@apply.register
def apply_new_tables(fact: f.RoundRepaired | f.RoundEdited, state: State, now: FactContext) -> State:
    if state.upcoming is not None and isinstance(fact, f.RoundRepaired):
        state = clear_drawn(state, state.upcoming, {"cut"})
    a_round = get_round(state, fact.round, "draft", "published")
    _check_tables(state, fact.tables)
    _check_begun_tables(a_round, fact.tables)
    if a_round.phase == "published":
        a_round = replace(a_round, changed=a_round.changed | set(fact.changed), renewed=now.at)
    claims = _keep_claims(a_round, fact.tables)
    a_round = replace(a_round, tables=fact.tables, as_drawn=False, claims=claims)
    if isinstance(fact, f.RoundRepaired):
        by = _find_who_allowed(a_round, fact.allowed, now)
        a_round = replace(a_round, allowed=fact.allowed, allowed_by=by)
    if isinstance(fact, f.RoundEdited):
        return put_round(state, replace(a_round, edited=(*a_round.edited, fact.reason)))
    drawn = {kind: numbers for kind, numbers in a_round.drawn.items() if kind != "cut"}
    for kind, numbers in fact.drawn.items():
        drawn[kind] = drawn.get(kind, {}) | numbers
    return assign_drawn(put_round(state, replace(a_round, drawn=drawn)), fact.drawn)


@apply.register
def apply_published(fact: f.Published, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round, "draft")
    check_players_present(state, a_round)
    return put_round(state, replace(a_round, phase="published", published=now.at))


@apply.register
def apply_started(fact: f.Started, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round, "published")
    check_players_present(state, a_round)
    clock = RoundClock(minutes=fact.minutes, started=now.at)
    return put_round(state, replace(a_round, phase="started", clock=clock))


@apply.register
def apply_tables_seen(fact: f.TablesBegun | f.Confirmed, state: State, now: FactContext) -> State:
    """Mark tables that staff have seen begin, or whose results they have confirmed."""
    confirmed = isinstance(fact, f.Confirmed)
    a_round = get_round(state, fact.round) if confirmed else get_round(state, fact.round, "published")
    if len(fact.tables) != len(fact.players):
        raise UnfitFact(say("the players of a table are missing"))
    for table, players in zip(fact.tables, fact.players, strict=True):
        at = _find_table(a_round, table, players)
        if confirmed and not a_round.tables[at].reported:
            problem = say("table {table} of round {round} is not reported", table=table, round=fact.round)
            raise UnfitFact(problem)
    if confirmed:
        return put_round(state, replace(a_round, confirmed=a_round.confirmed | frozenset(fact.tables)))
    return put_round(state, replace(a_round, begun=a_round.begun | frozenset(fact.tables)))


@apply.register
def apply_clock_set(fact: f.ClockSet, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round, "started")
    clock = a_round.clock
    assert clock is not None
    extensions = {table: minutes for table, minutes in clock.extensions.items() if table is not None}
    clock = replace(
        clock,
        minutes=fact.minutes,
        stopped=seconds_between(clock.started, now.at),
        paused=now.at if clock.paused else None,
        extensions=extensions,
    )
    return put_round(state, replace(a_round, clock=clock))


@apply.register
def apply_clock_change(fact: f.Paused | f.Resumed | f.Extended, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round, "started")
    clock = a_round.clock
    assert clock is not None
    if isinstance(fact, f.Paused):
        if clock.paused:
            raise UnfitFact(say("the clock is already paused"))
        clock = replace(clock, paused=now.at)
    elif isinstance(fact, f.Resumed):
        if not clock.paused:
            raise UnfitFact(say("the clock is running"))
        stopped = clock.stopped + seconds_between(clock.paused, now.at)
        clock = replace(clock, paused=None, stopped=stopped)
    else:
        if fact.table is not None:
            _find_table(a_round, fact.table)
        minutes = clock.extensions.get(fact.table, 0) + fact.minutes
        clock = replace(clock, extensions={**clock.extensions, fact.table: minutes})
    return put_round(state, replace(a_round, clock=clock))


@apply.register
def apply_result(fact: f.Reported | f.Claimed, state: State, now: FactContext) -> State:
    """Put down the result of a table that plays and is not reported, or what one player says it is."""
    number, table = fact.round, fact.table
    a_round = get_round(state, number, "draft", "published", "started")
    at = _find_table(a_round, table, fact.players)
    if a_round.phase == "draft" and table not in a_round.begun:
        raise UnfitFact(say("round {round} is not published", round=number))
    if a_round.tables[at].reported:
        problem = say("table {table} of round {round} is already reported", table=table, round=number)
        raise UnfitFact(problem)
    if isinstance(fact, f.Reported):
        return put_round(state, _put_result(a_round, at, fact.result))
    if fact.player not in fact.players:
        raise UnfitFact(
            say(
                "{player} does not sit at table {table} of round {round}",
                player=mark(fact.player),
                table=table,
                round=number,
            )
        )
    said = {**a_round.claims.get(table, {}), fact.player: fact.result}
    return put_round(state, replace(a_round, claims={**a_round.claims, table: said}))


@apply.register
def apply_corrected(fact: f.Corrected, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round)
    at = _find_table(a_round, fact.table, fact.players)
    if not a_round.tables[at].reported:
        problem = say(
            "{table} of round {round} is not reported", table=_name_table(fact.table), round=fact.round
        )
        raise UnfitFact(problem)
    if fact.result is None and a_round.phase == "ended":
        raise UnfitFact(say("round {round} has ended", round=fact.round))
    a_round = _put_result(a_round, at, fact.result)
    confirmed = a_round.confirmed - {fact.table}
    state = unmark_as_drawn(put_round(state, replace(a_round, confirmed=confirmed)), fact.round)
    if not fact.override:
        return state
    override = RecordOverride(round=fact.round, table=fact.table, reason=fact.reason, by=now.by, at=now.at)
    return replace(state, overrides=(*state.overrides, override))


@apply.register
def apply_ended(fact: f.Ended, state: State, now: FactContext) -> State:
    a_round = get_round(state, fact.round, "started")
    if a_round.missing:
        raise UnfitFact(say("round {round} has tables that are not reported", round=fact.round))
    return put_round(state, replace(a_round, phase="ended"))


def _find_table(a_round: RoundState, table: int | str, players: tuple[str, ...] | None = None) -> int:
    """Return the index of a table in its round; refuse where other players sit there."""
    at = a_round.index_of(table)
    if at is None:
        raise UnfitFact(say("round {round} has no {table}", round=a_round.number, table=_name_table(table)))
    if players is not None and a_round.tables[at].players != players:
        where = _name_table(table)
        raise UnfitFact(
            say("other players sit at {table} of round {round}", table=where, round=a_round.number)
        )
    return at


def _name_table(table: int | str) -> Message:
    """Return a table in words: its number, or the player without an opponent."""
    if isinstance(table, int):
        return say("table {table}", table=table)
    return say("bye or loss of {player}", player=mark(table))


def _put_result(a_round: RoundState, at: int, result: Result | None) -> RoundState:
    table = replace(a_round.tables[at], **asdict(result or Result()))
    claims = {number: said for number, said in a_round.claims.items() if number != table.table}
    return replace(a_round, tables=(*a_round.tables[:at], table, *a_round.tables[at + 1 :]), claims=claims)


def _keep_claims(a_round: RoundState, tables: tuple[Table, ...]) -> dict[int, dict[str, Result]]:
    """Return the claims about tables that stay the same when a round gets other tables."""
    players = {table.table: table.players for table in tables}
    same = {table.table for table in a_round.tables if players.get(table.table) == table.players}
    return {number: said for number, said in a_round.claims.items() if number in same}


def _check_tables(state: State, tables: tuple[Table, ...]) -> None:
    if tables != sort_tables(list(tables)):
        raise UnfitFact(say("the tables are not in the order of their numbers"))
    if not all(table.players for table in tables):
        raise UnfitFact(say("a table has no players"))
    seen: set[str] = set()
    for player_id in (player_id for table in tables for player_id in table.players):
        get_player(state, player_id)
        if player_id in seen:
            raise UnfitFact(say("{player} sits at two tables", player=mark(player_id)))
        seen.add(player_id)


def _check_begun_tables(a_round: RoundState | None, tables: tuple[Table, ...]) -> None:
    """Refuse new tables that change one that has begun, or that bring results with them."""
    fixed = a_round.fixed if a_round else []
    if gone := [table.table for table in fixed if table not in tables]:
        raise UnfitFact(say("table {table} has begun and would change", table=gone[0] or 0))
    for table in tables:
        if len(table.players) > 1 and table.reported and table not in fixed:
            raise UnfitFact(say("the result of table {table} is not known", table=table.table or 0))
