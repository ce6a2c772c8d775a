"""What facts about rounds, tables and results do to a state."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from topcut.event import facts as f
from topcut.event.applying import (
    Misfit,
    Now,
    apply,
    changed,
    check_kept,
    check_present,
    check_tables,
    claims_left,
    clock_of,
    drawn_from_other_records,
    given,
    index_of,
    open_table,
    place_of,
    put,
    round_in,
    round_of,
    seconds,
    with_result,
    without_drawn,
)
from topcut.event.names import mark
from topcut.event.state import Clock, Override, RoundOf, State


@apply.register
def on_stage_began(fact: f.StageBegan, state: State, now: Now) -> State:
    return replace(state, stages=(*state.stages, fact.stage))


@apply.register
def on_paired(fact: f.Paired, state: State, now: Now) -> State:
    upcoming = state.upcoming
    number = upcoming.number if upcoming else len(state.rounds) + 1
    if fact.round != number or (not upcoming and state.rounds and state.rounds[-1].phase != "ended"):
        raise Misfit(f"round {fact.round} cannot be paired now")
    check_tables(state, fact.tables)
    check_kept(upcoming, fact.tables)
    begun: frozenset[int] = frozenset()
    claims: dict[int, dict[str, f.Result]] = {}
    if upcoming:
        state = without_drawn(state, upcoming, set(upcoming.drawn))
        state = replace(state, rounds=state.rounds[:-1])
        begun, claims = upcoming.begun, claims_left(upcoming, fact.tables)
    drawn = RoundOf(
        number=fact.round,
        stage=fact.stage,
        seed=fact.seed,
        attempt=fact.attempt,
        tables=fact.tables,
        paired=now.at,
        drawn=fact.drawn,
        as_drawn=fact.kept == 0,
        begun=begun,
        warnings=fact.warnings,
        claims=claims,
    )
    return given(replace(state, rounds=(*state.rounds, drawn)), fact.drawn)


@apply.register
def on_round_repaired(fact: f.RoundRepaired, state: State, now: Now) -> State:
    upcoming = state.upcoming
    if upcoming is not None:
        state = without_drawn(state, upcoming, {"cut"})
    state = changed(state, fact.round, fact.tables, fact.changed, now.at)
    a_round = round_of(state, fact.round)
    drawn = {kind: numbers for kind, numbers in a_round.drawn.items() if kind != "cut"}
    for kind, numbers in fact.drawn.items():
        drawn[kind] = drawn.get(kind, {}) | numbers
    return given(put(state, replace(a_round, drawn=drawn)), fact.drawn)


@apply.register
def on_round_edited(fact: f.RoundEdited, state: State, now: Now) -> State:
    state = changed(state, fact.round, fact.tables, fact.changed, now.at)
    a_round = round_of(state, fact.round)
    return put(state, replace(a_round, edited=(*a_round.edited, fact.reason)))


@apply.register
def on_published(fact: f.Published, state: State, now: Now) -> State:
    a_round = round_in(state, fact.round, "draft")
    check_present(state, a_round)
    return put(state, replace(a_round, phase="published", published=now.at))


@apply.register
def on_started(fact: f.Started, state: State, now: Now) -> State:
    a_round = round_in(state, fact.round, "published")
    check_present(state, a_round)
    clock = Clock(minutes=fact.minutes, started=now.at)
    return put(state, replace(a_round, phase="started", clock=clock))


@apply.register
def on_tables_begun(fact: f.TablesBegun, state: State, now: Now) -> State:
    a_round = round_in(state, fact.round, "published")
    for table, players in each_table(fact):
        index_of(a_round, table, players)
    return put(state, replace(a_round, begun=a_round.begun | frozenset(fact.tables)))


@apply.register
def on_paused(fact: f.Paused, state: State, now: Now) -> State:
    a_round, clock = clock_of(state, fact.round)
    if clock.paused:
        raise Misfit("the clock stands still already")
    return put(state, replace(a_round, clock=replace(clock, paused=now.at)))


@apply.register
def on_resumed(fact: f.Resumed, state: State, now: Now) -> State:
    a_round, clock = clock_of(state, fact.round)
    if not clock.paused:
        raise Misfit("the clock runs")
    stopped = clock.stopped + seconds(clock.paused, now.at)
    return put(state, replace(a_round, clock=replace(clock, paused=None, stopped=stopped)))


@apply.register
def on_extended(fact: f.Extended, state: State, now: Now) -> State:
    a_round, clock = clock_of(state, fact.round)
    if fact.table is not None:
        index_of(a_round, fact.table)
    minutes = clock.extensions.get(fact.table, 0) + fact.minutes
    extensions = {**clock.extensions, fact.table: minutes}
    return put(state, replace(a_round, clock=replace(clock, extensions=extensions)))


@apply.register
def on_reported(fact: f.Reported, state: State, now: Now) -> State:
    a_round, at = open_table(state, fact.round, fact.table, fact.players)
    return put(state, with_result(a_round, at, fact.result))


@apply.register
def on_claimed(fact: f.Claimed, state: State, now: Now) -> State:
    a_round, _ = open_table(state, fact.round, fact.table, fact.players)
    if fact.player not in fact.players:
        raise Misfit(f"{mark(fact.player)} does not sit at table {fact.table} of round {fact.round}")
    said = {**a_round.claims.get(fact.table, {}), fact.player: fact.result}
    return put(state, replace(a_round, claims={**a_round.claims, fact.table: said}))


@apply.register
def on_confirmed(fact: f.Confirmed, state: State, now: Now) -> State:
    a_round = round_of(state, fact.round)
    for table, players in each_table(fact):
        if not a_round.tables[index_of(a_round, table, players)].reported:
            raise Misfit(f"table {table} of round {fact.round} is not reported")
    return put(state, replace(a_round, confirmed=a_round.confirmed | frozenset(fact.tables)))


@apply.register
def on_corrected(fact: f.Corrected, state: State, now: Now) -> State:
    a_round = round_of(state, fact.round)
    at = index_of(a_round, fact.table, fact.players)
    if not a_round.tables[at].reported:
        raise Misfit(f"{place_of(fact.table)} of round {fact.round} is not reported")
    if fact.result is None and a_round.phase == "ended":
        raise Misfit(f"round {fact.round} has ended")
    a_round = with_result(a_round, at, fact.result)
    confirmed = a_round.confirmed - {fact.table}
    state = drawn_from_other_records(put(state, replace(a_round, confirmed=confirmed)), fact.round)
    if not fact.override:
        return state
    override = Override(round=fact.round, table=fact.table, reason=fact.reason, by=now.by, at=now.at)
    return replace(state, overrides=(*state.overrides, override))


@apply.register
def on_ended(fact: f.Ended, state: State, now: Now) -> State:
    a_round = round_in(state, fact.round, "started")
    if a_round.missing:
        raise Misfit(f"round {fact.round} has tables that are not reported")
    return put(state, replace(a_round, phase="ended"))


def each_table(fact: f.TablesBegun | f.Confirmed) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The tables of a fact, with who sits there."""
    if len(fact.tables) != len(fact.players):
        raise Misfit("it does not say who sits at each of its tables")
    yield from zip(fact.tables, fact.players, strict=True)
