"""The next round of an event: who is in it, what is drawn, and at which tables they sit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as with_fields

import numpy as np
from msgspec.structs import replace

from topcut.errors import Impossible
from topcut.event.applying import DRAWN, without_drawn
from topcut.event.facts import Paired, StageBegan
from topcut.event.names import marked, speaking
from topcut.event.private import seed_of
from topcut.event.refusals import NotNow
from topcut.event.state import RoundOf, State, ordered
from topcut.history import build
from topcut.history.model import Table
from topcut.history.parts import without_idle
from topcut.pairing.pair import Event
from topcut.pairing.paired import Pairing
from topcut.pairing.paired import Table as Drawn
from topcut.stages.course import Course
from topcut.stages.next import next_round, scored_round


def lots_seed(rounds: Sequence[RoundOf]) -> str | None:
    """The seed of lots outside rounds: that of the last Swiss round, else of the first round there is."""
    swiss = [a_round for a_round in rounds if a_round.stage == "swiss"]
    last = swiss[-1] if swiss else rounds[0] if rounds else None
    return None if last is None else last.seed if last.lots is None else last.lots


def course_of(
    state: State, before: int | None = None, seed: str | None = None, marks: bool = False
) -> Course:
    """The event on its way through its stages, as it was before a round (default: after all there are).

    `marks`: what it says is written down, so that it has marks in the place of names.
    """
    rounds = state.written_rounds(before)
    players = state.written_players()
    history = build(marked(players) if marks else players, rounds, state.book)
    history = without_idle(history, state.book, state.options)
    lots = lots_seed(state.rounds[: len(rounds)])
    return Course(history, state.book, state.options, rounds, [seed if lots is None else lots])


def attempt_of(state: State, what: str) -> int:
    """The number of the next attempt to draw something."""
    return state.attempts.get(what, 0) + 1


def paired(state: State, secret: str) -> list[StageBegan | Paired]:
    """The next round, or the one that is up and has not begun, drawn from the secret by its next attempt."""
    with speaking(state):
        return _paired(state, secret)


def _paired(state: State, secret: str) -> list[StageBegan | Paired]:
    upcoming = state.upcoming
    number = upcoming.number if upcoming else len(state.rounds) + 1
    attempt = attempt_of(state, f"round {number}")
    seed = seed_of(secret, "round", number, "attempt", attempt)
    if upcoming:
        state = without_drawn(state, upcoming, set(upcoming.drawn))
    course = course_of(state, number, seed, marks=True)
    kept = upcoming.fixed if upcoming else []
    pairing = _rest(course, seed, kept) if kept else next_round(course, seed)
    ids = [player.id for player in course.history.players]
    seated = {frozenset(ids[i] for i in table.players) for table in pairing.tables}
    for table in kept:
        if frozenset(table.players) not in seated:
            raise NotNow(f"table {table.table} has begun, and the round would not have it any more")
    tables = numbered(
        state,
        [(tuple(ids[i] for i in table.players), table.why) for table in pairing.tables],
        {frozenset(table.players): table for table in kept},
    )
    fact = Paired(
        round=number,
        stage="elimination" if pairing.by == "bracket" else "swiss",
        seed=pairing.seed,
        attempt=attempt,
        tables=tables,
        drawn=pairing.drawn,
        warnings=tuple(pairing.warnings),
        kept=len(kept),
    )
    began = None if upcoming else stage_begun(state, course, pairing)
    return [began, fact] if began else [fact]


def stage_begun(state: State, course: Course, pairing: Pairing) -> StageBegan | None:
    """The stage that begins with this round, if one does and it is not the first."""
    number = len(state.rounds)
    if not number:
        return None
    players = sum(len(table.players) for table in pairing.tables)
    there = sum(1 for _ in state.active())
    if pairing.by == "bracket" and not course.eliminating:
        stage = course.brackets[0].stage.name
        return StageBegan(stage=stage, players=players, left_out=max(0, there - players))
    for part in course.running:
        for at in part.swiss:
            if at.first == number and at.first > 0:
                left = len(pairing.drawn.get("cut", {}))
                return StageBegan(stage=at.stage.name, players=players, left_out=left)
    return None


def _rest(course: Course, seed: str, kept: Sequence[Table]) -> Pairing:
    """A round in which some tables play already: only the others are drawn."""
    chart = course.book.pairing is not None and course.book.pairing.chart is not None
    if chart or not course.draws_next:
        return next_round(course, seed)
    event = rest_of(course, kept)
    index = course.history.index
    pairing = event.pair(seed)
    playing = [Drawn(tuple(index[player_id] for player_id in table.players), table.why, "") for table in kept]
    return with_fields(pairing, tables=[*playing, *pairing.tables])


def rest_of(course: Course, kept: Sequence[Table]) -> Event:
    """The round of those who do not sit at these tables."""
    whole = scored_round(course)
    index = course.history.index
    seated = np.array([index[player_id] for table in kept for player_id in table.players], np.int64)
    return Event(
        whole.history,
        course.book,
        course.options,
        course.rounds,
        running=course.running,
        active=np.setdiff1d(whole.active, seated),
    )


Seats = tuple[tuple[str, ...], tuple[str, ...]]
"""The players of a table, and why they sit there."""


def numbered(
    state: State, tables: Sequence[Seats], kept: Mapping[frozenset[str], Table] | None = None
) -> tuple[Table, ...]:
    """The tables with their numbers, in order: players who need a fixed table sit there, blocked ones stay
    empty, and so does the other fixed table where two such players meet. Tables in `kept` stay as they are.
    """
    kept = kept or {}
    fixed = {player_id: e.fixed for player_id, e in state.players.items() if e.fixed is not None}
    here = {player_id for players, _ in tables for player_id in players}
    reserved = {table for player_id, table in fixed.items() if player_id in here}
    taken = {table.table for table in kept.values() if isinstance(table.table, int)}
    found: list[Table] = []
    waiting: list[Seats] = []
    for players, why in tables:
        if frozenset(players) in kept:
            found.append(kept[frozenset(players)])
            continue
        if len(players) == 1:
            found.append(Table(players=players, bye=True, why=why))
            continue
        wanted = sorted(fixed[player_id] for player_id in players if player_id in fixed)
        free = [table for table in wanted if table not in taken and table not in state.blocked]
        if not free:
            waiting.append((players, why))
            continue
        taken.add(free[0])
        found.append(Table(players=players, table=free[0], why=why))
    number = state.first_table
    for players, why in waiting:
        while number in taken or number in reserved or number in state.blocked:
            number += 1
        taken.add(number)
        found.append(Table(players=players, table=number, why=why))
    return ordered(found)


def renumbered(state: State, tables: Sequence[Seats], posted: RoundOf) -> tuple[Table, ...]:
    """Tables that are the same stay as they are; the others take the numbers that became free."""
    same = {frozenset(table.players): table for table in posted.tables}
    kept = {
        frozenset(players): same[frozenset(players)] for players, _ in tables if frozenset(players) in same
    }
    return numbered(state, tables, kept)


def changes(old: Iterable[Table], new: Iterable[Table]) -> tuple[int | str, ...]:
    """The tables of a round that were not there before: numbers, and players without an opponent."""
    before = {(table.table, frozenset(table.players)) for table in old}
    return tuple(
        table.table if isinstance(table.table, int) else table.players[0]
        for table in new
        if (table.table, frozenset(table.players)) not in before
    )


def lots_drawn(state: State, kind: str, seed: str) -> dict[str, int]:
    """Flights, pods or seats for everybody, before the first round, whatever was drawn before."""
    field = DRAWN[kind]
    players = {
        player_id: replace(e, player=replace(e.player, **{field: None}))
        for player_id, e in state.players.items()
    }
    state = replace(state, players=players)
    found = next_round(course_of(state, 1, seed), seed).drawn.get(kind)
    if not found:
        raise Impossible(f"there are no {kind} to draw in this event", rule="")
    return found
