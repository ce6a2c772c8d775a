"""Draw the next round of an event, or lots before it, and number the tables."""

from collections.abc import Iterable, Sequence
from dataclasses import replace as with_fields

import numpy as np
from msgspec.structs import replace

from topcut.errors import Impossible
from topcut.event.apply.context import DRAWN_FIELDS, clear_drawn
from topcut.event.apply.drafts import clear_pods
from topcut.event.describe.name_marks import errors_with_names, mark_names
from topcut.event.facts import Paired, StageBegan
from topcut.event.private_data import derive_seed
from topcut.event.refusals import NotNow
from topcut.event.state import RoundState, State, sort_tables
from topcut.history import build_history
from topcut.history.model import Allowance, Table
from topcut.history.parts import Part, excuse_idle_parts
from topcut.lots import Stream
from topcut.pairing.model import DrawnTable, RoundPairing
from topcut.pairing.round_draw import RoundDraw
from topcut.rulebook.layout import SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.options import ForDivision, Options
from topcut.rulebook.planning.stages import count_fixed_rounds, list_stages
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round, prepare_swiss_round
from topcut.text.messages import Message, say


def find_lots_seed(rounds: Sequence[RoundState]) -> str | None:
    """Return the seed of lots outside rounds: that of the last Swiss round, else of the first round."""
    swiss = [a_round for a_round in rounds if a_round.is_scored]
    last = swiss[-1] if swiss else rounds[0] if rounds else None
    return None if last is None else last.seed if last.lots is None else last.lots


def find_progress(
    state: State,
    before: int | None = None,
    seed: str | None = None,
    marks: bool = False,
    allowed: Allowance | None = None,
    round_lots: bool = False,
) -> Progress:
    """Return the progress of an event through its stages, as it was before a round (default: after all).

    `marks`: its sentences go into the log, so that they have marks in the place of names; `allowed`: what the
    organiser allows in the next round; `round_lots`: as in `Progress`.
    """
    rounds = state.file_rounds(before)
    players = state.file_players()
    # What counts has been decided: results of an imported event count as they were published.
    history = build_history(mark_names(players) if marks else players, rounds, state.book, doubts=[])
    history = excuse_idle_parts(history, state.book, state.options)
    lots = find_lots_seed(state.rounds[: len(rounds)])
    seeds = [seed if lots is None else lots]
    return Progress(history, state.book, state.options, rounds, seeds, allowed=allowed, round_lots=round_lots)


def next_attempt(state: State, what: str) -> int:
    """Return the number of the next attempt to draw something: "round 3", "pods"."""
    return state.attempts.get(what, 0) + 1


def draw_round(
    state: State, secret: str, allowed: Allowance | None = None, round_lots: bool = False
) -> list[StageBegan | Paired]:
    """Draw the next round, or again the one that has not begun, from the secret by its next attempt.

    `allowed`: what the organiser allows, which is used only where the rules leave no pairing. A round that
    has not begun keeps what was allowed in it. `round_lots`: as in `Progress`.
    """
    allowed = allowed or (state.upcoming.allowed if state.upcoming else None)
    try:
        return _draw_round(state, secret, None, round_lots)
    except Impossible:
        if allowed is None:
            raise
    return _draw_round(state, secret, allowed, round_lots)


def _draw_round(
    state: State, secret: str, allowed: Allowance | None, round_lots: bool
) -> list[StageBegan | Paired]:
    upcoming = state.upcoming
    number = upcoming.number if upcoming else len(state.rounds) + 1
    attempt = next_attempt(state, f"round {number}")
    seed = derive_seed(secret, "round", number, "attempt", attempt)
    if upcoming:
        state = clear_drawn(state, upcoming, set(upcoming.drawn))
    kept = upcoming.fixed if upcoming else []
    with errors_with_names(state):
        progress = find_progress(state, number, seed, marks=True, allowed=allowed, round_lots=round_lots)
        pairing = _draw_unseated(progress, seed, kept) if kept else pair_next_round(progress, seed)
    rows = find_rows(progress, pairing.tables)
    seated = {frozenset(players) for players, _ in rows}
    for table in kept:
        if frozenset(table.players) not in seated:
            problem = say(
                "Table {table} has started, and the new pairings would not have it.", table=table.table or ""
            )
            raise NotNow(problem)
    fact = Paired(
        round=number,
        stage="elimination" if pairing.by == "bracket" else "swiss",
        seed=pairing.seed,
        attempt=attempt,
        tables=number_tables(state, rows, kept),
        drawn=pairing.drawn,
        warnings=tuple(pairing.warnings),
        kept=len(kept),
        allowed=allowed,
        draft=state.draft.number if state.draft and pairing.by != "bracket" else None,
    )
    return [fact] if upcoming else [*_find_stage_begun(state, progress, pairing), fact]


def _find_stage_begun(state: State, progress: Progress, pairing: RoundPairing) -> list[StageBegan]:
    """Return the stage that begins with this round, if one does and it is not the first."""
    number = len(state.rounds)
    players = sum(len(table.players) for table in pairing.tables)
    if number and pairing.by == "bracket" and not progress.eliminating:
        left_out = max(0, sum(1 for _ in state.active()) - players)
        return [StageBegan(stage=str(progress.brackets[0].stage.name), players=players, left_out=left_out)]
    left_out = len(pairing.drawn.get("cut", {}))
    begun = [
        str(at.stage.name) for part in progress.running for at in part.swiss if number and at.first == number
    ]
    return [StageBegan(stage=stage, players=players, left_out=left_out) for stage in begun[:1]]


def _draw_unseated(progress: Progress, seed: str, kept: Sequence[Table]) -> RoundPairing:
    """Draw a round in which some tables play already: only the others are drawn."""
    chart = progress.book.pairing is not None and progress.book.pairing.chart is not None
    if chart or not progress.draws_next:
        return pair_next_round(progress, seed)
    index = progress.history.index
    playing = [DrawnTable(tuple(index[player_id] for player_id in t.players), t.why, "") for t in kept]
    drawn = prepare_unseated(progress, kept).pair(seed)
    return with_fields(drawn, tables=[*playing, *drawn.tables])


def prepare_unseated(progress: Progress, kept: Sequence[Table]) -> RoundDraw:
    """Return the next Swiss round of the players who are at no table that stays, ready to be drawn."""
    whole = prepare_swiss_round(progress)
    if not kept:
        return whole
    seated = [progress.history.index[player_id] for table in kept for player_id in table.players]
    return RoundDraw(
        whole.history,
        progress.book,
        progress.options,
        progress.rounds,
        running=progress.running,
        active=np.setdiff1d(whole.active, np.array(seated, np.int64)),
        lots=progress.standings_seed,
        allowed=progress.allowed,
        beside=True,
    )


Row = tuple[tuple[str, ...], tuple[Message, ...]]
"""The players of a table, and why they sit there."""


def find_rows(progress: Progress, tables: Iterable[DrawnTable]) -> list[Row]:
    """Return the drawn tables with the ids of their players."""
    players = progress.history.players
    return [(tuple(players[seat].id for seat in table.players), table.why) for table in tables]


def number_tables(state: State, rows: Sequence[Row], old: Iterable[Table] = ()) -> tuple[Table, ...]:
    """Return the tables with their numbers, in order. Tables that are in `old` stay as they are.

    Players who need a fixed table sit there, blocked ones stay empty, and so does the other fixed table
    where two such players meet.
    """
    wanted_rows = {frozenset(players) for players, _ in rows}
    kept = {seats: table for table in old if (seats := frozenset(table.players)) in wanted_rows}
    fixed = {player_id: e.fixed for player_id, e in state.players.items() if e.fixed is not None}
    reserved = {fixed[player_id] for players, _ in rows for player_id in players if player_id in fixed}
    taken = {table.table for table in kept.values() if isinstance(table.table, int)}
    found: list[Table] = []
    waiting: list[Row] = []
    for players, why in rows:
        wanted = sorted(fixed[player_id] for player_id in players if player_id in fixed)
        free = [table for table in wanted if table not in taken and table not in state.blocked]
        if frozenset(players) in kept:
            found.append(kept[frozenset(players)])
        elif len(players) == 1:
            found.append(Table(players=players, bye=True, why=why))
        elif free:
            taken.add(free[0])
            found.append(Table(players=players, table=free[0], why=why))
        else:
            waiting.append((players, why))
    number = state.first_table
    for players, why in waiting:
        while number in taken or number in reserved or number in state.blocked:
            number += 1
        taken.add(number)
        found.append(Table(players=players, table=number, why=why))
    return sort_tables(found)


def find_changed_tables(old: Iterable[Table], new: Iterable[Table]) -> tuple[int | str, ...]:
    """Return the tables of a round that were not there before: numbers, and players without an opponent."""
    before = {(table.table, frozenset(table.players)) for table in old}
    changed = [table for table in new if (table.table, frozenset(table.players)) not in before]
    return tuple(t.table if isinstance(t.table, int) else t.players[0] for t in changed)


def draw_pods(state: State, seed: str) -> tuple[dict[str, int], dict[str, int]]:
    """Draw the pods of a draft that begins with the next round, and the seats in them (FB-11).

    Pods are made by the published standings; before the first round there are none, and all is by lot.
    """
    state = clear_pods(state)
    state = replace(state, options=replace(state.options, mode="draft", draft=None))
    progress = find_progress(state, len(state.rounds) + 1, seed)
    if not progress.draws_next:
        raise progress.scored_type.explain_end(progress)
    pods: dict[str, int] = {}
    seats: dict[str, int] = {}
    pools = prepare_swiss_round(progress).lay_out_pools(seed).pools
    for pod, pool in enumerate(pools, start=1):  # numbered through where parts of the event play apart
        ids = sorted(progress.history.players[i].id for i in pool.players)
        order = Stream(seed, f"seats/pod {pod}").order(len(ids)).tolist()
        pods |= dict.fromkeys(ids, pod)
        seats |= {ids[at]: seat for seat, at in enumerate(order, start=1)}
    return pods, seats


def draw_lots(state: State, kind: str, seed: str) -> dict[str, int]:
    """Draw flights, pods or seats for everybody before the first round, whatever was drawn before."""
    field = DRAWN_FIELDS[kind]
    players = {p: replace(e, player=replace(e.player, **{field: None})) for p, e in state.players.items()}
    state = replace(state, players=players)
    found = pair_next_round(find_progress(state, 1, seed), seed).drawn.get(kind)
    if not found:
        nothing = {
            "flights": say("This event has no flights to draw."),
            "pods": say("This event has no pods to draw."),
            "seats": say("This event has no seats to draw."),
        }
        raise Impossible(nothing[kind], rule="")
    return found


def fix_plan(options: Options, parts: list[Part], book: Book) -> Options:
    """Return the options with the rounds and the cut that the rules plan for the players there are (PK-1).

    From then on late players change neither. A second day is left to the rules: a few players more do not
    change how long it is.
    """
    planned = {part.name: _plan_part(part, book, options) for part in parts}
    if len(parts) == 1:
        own = planned[parts[0].name]
        options = replace(options, rounds=own.rounds or options.rounds, cut=own.cut or options.cut)
        if own.cut == 0 and "swiss" in book.plan.formats and "format" in book.options:
            return replace(options, format="swiss")
        return options
    if "by_division" not in book.options:
        return options
    known = {division.name for division in book.divisions.list} if book.divisions else set()
    found = dict(options.by_division or {})
    for name, own in planned.items():
        before = found.get(name, ForDivision())
        if name in known and own != ForDivision():
            found[name] = replace(
                before,
                rounds=own.rounds or before.rounds,
                cut=before.cut if own.cut is None else own.cut,
                flights=before.flights or own.flights,
            )
    return replace(options, by_division=found or None)


def _plan_part(part: Part, book: Book, options: Options) -> ForDivision:
    """Return what is planned for a part, which late players do not change: no cut is 0, no flights are 1."""
    if part.round_robin or part.plan is None or part.plan.day_two or not part.swiss:
        return ForDivision()
    fixed = count_fixed_rounds(book, part.format) is not None or "rounds" not in book.options
    chosen = part.bracket_parts or "cut" not in book.options
    cut = part.cut if part.bracket is not None and part.bracket.enter and not chosen else None
    uncut = part.format == "swiss+elimination" and part.bracket is None and not part.bracket_parts
    if uncut and part.rounds is not None and not fixed:
        cut = 0
    without = part.flights == 0 and (options.flights or 1) > 1
    return ForDivision(rounds=None if fixed else part.rounds, cut=cut, flights=1 if without else None)


def can_draft(book: Book, parts: list[Part]) -> bool:
    """Return whether an organiser can begin a draft: the book has pods, and no stage says when to draft."""
    if book.pairing is None or book.pairing.pods is None:
        return False
    stages = [stage for part in parts for stage in list_stages(book, part.format)]
    return not any(isinstance(stage, SwissStage) and stage.pods for stage in stages)
