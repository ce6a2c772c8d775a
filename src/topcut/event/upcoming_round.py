"""Settle the upcoming round, which is paired and has not begun, when a command affects it.

Three answers: leave it, change the fewest tables, pair it again (PK-18, PK-59). Each says how many tables
change, and counts rematches and the like before and after. What lots would decide is not shown before it is
chosen, or a scorekeeper could try an answer first and see who would meet.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from topcut.errors import Impossible
from topcut.event.apply.context import apply_all, clear_drawn
from topcut.event.commands import Then
from topcut.event.decide.context import Decider, Decision
from topcut.event.describe.name_marks import errors_with_names
from topcut.event.draw import draw_round, find_changed_tables, find_progress, find_rows, number_tables
from topcut.event.facts import AnyFact, Paired, RoundRepaired
from topcut.event.pairing_counts import PairingCounts, compare_counts, count_pairings
from topcut.event.refusals import Answer, CannotPair, Choice, WayOut
from topcut.event.state import RoundState, State
from topcut.history.model import Allowance, Table
from topcut.pairing.repair.repair_round import cost_unchanged, repair_round
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round, prepare_swiss_round
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say

SHOWN = 8
"""Tables that an answer names, at most."""
Base = Callable[[Then], list[AnyFact]]
"""Makes the facts of a command under each answer, without those that change the round."""


@dataclass(frozen=True)
class RepairedRound:
    """The round after the fewest changes."""

    fact: RoundRepaired
    gone: int
    cost: dict[str, Any] | None
    proved: bool
    by_lot: bool
    """Whether another seed could have changed other tables."""


def settle_upcoming(decider: Decider, base: Base, then: Then | None, leave: bool = True) -> bool:
    """Record the facts of a command, and settle the upcoming round; `leave`: whether it could stay.

    Return False, with nothing recorded, if the scorekeeper must choose first: the decision holds the choice.
    """
    upcoming = decider.state.upcoming
    if upcoming is None:
        decider.record(*base("again"))
    elif decider.settle_later:
        decider.record(*base("again" if then is None else then))
        decider.decision = replace(decider.decision, unsettled=True)
    elif then == "leave" and leave:
        decider.record(*base("leave"))
    else:
        try:
            facts = _decide_settled_facts(decider, decider.get_secret(), upcoming, base, then, leave)
        except Impossible as error:
            raise _explain_no_round(error, upcoming, leave) from None
        if isinstance(facts, Choice):
            decider.decision = Decision([], choice=facts)
            return False
        decider.record(*facts)
        if any(isinstance(fact, Paired) for fact in facts):
            decider.tell(
                say("Round {round} is paired again. Publish it again.", round=upcoming.number)
                if upcoming.phase == "published"
                else say("Round {round} is paired again. It was not published yet.", round=upcoming.number)
            )
        elif not any(isinstance(fact, RoundRepaired) for fact in facts):
            decider.tell(say("Round {round} stays as it is.", round=upcoming.number))
    return True


def _explain_no_round(error: Impossible, upcoming: RoundState, leave: bool) -> CannotPair:
    """Return the refusal of a command after which the rules leave no upcoming round, with the way out."""
    number = upcoming.number
    if leave:
        way = WayOut("keep", say("Keep the pairings of round {number}.", number=number))
    elif upcoming.phase == "draft" and upcoming.is_scored:
        says = say(
            "Publish round {number} first, then try again. You can then keep its pairings.", number=number
        )
        way = WayOut("publish", says)
    else:
        way = WayOut("undo", say("Undo the pairing of round {number} first, then try again.", number=number))
    return CannotPair(error.problem, error.rule, number, [way])


def _decide_settled_facts(
    decider: Decider, secret: str, upcoming: RoundState, base: Base, then: Then | None, leave: bool
) -> list[AnyFact] | Choice:
    """Return the facts of a command and those that settle the upcoming round, or the choice there is."""
    after = apply_all(decider.state, base("fewest"), decider.now)
    seeded = "seeds" in upcoming.drawn  # then an entry breaks up all tables (PK-22)
    try:
        repair = None if seeded else find_fewest_changes(after, upcoming)
    except Impossible:  # no other round is legal
        if then is not None or not leave:
            raise
        now = _count_tables(decider.state, upcoming, upcoming.tables)
        return Choice(upcoming.number, (_answer_leave(decider, base, upcoming, now),))
    if repair is not None and then != "again":
        if not repair.fact.changed and not repair.gone:  # nothing to be done
            same = repair.fact.tables == upcoming.tables and not repair.fact.drawn
            same &= repair.fact.allowed == upcoming.allowed
            return base("fewest") if same else [*base("fewest"), repair.fact]
        if then == "fewest":
            return [*base("fewest"), repair.fact]
    if then == "again" or (then is None and upcoming.unseen):
        return [*base("again"), *draw_round(after, secret)]
    now = _count_tables(decider.state, upcoming, upcoming.tables)
    answers = [_answer_leave(decider, base, upcoming, now)] if leave else []
    answers += [_answer_fewest(after, upcoming, repair, now)] if repair is not None else []
    if not (seeded and upcoming.fixed):  # other seeds would break up tables that have started
        answers.append(_answer_again(after, upcoming, repair, now))
    if not answers:
        problem = say("Some tables have already started, and the new pairings would not have them.")
        raise Impossible(problem, rule="")
    return Choice(upcoming.number, tuple(answers))


def find_fewest_changes(state: State, upcoming: RoundState, round_lots: bool = False) -> RepairedRound:
    """Find the round with the fewest changes that is legal and as good as can be.

    What the organiser allowed in it is used only where the rules leave no other. `round_lots`: as in
    `Progress`.
    """
    try:
        return _find_fewest_changes(state, upcoming, None, round_lots)
    except Impossible:
        if upcoming.allowed is None:
            raise
    return _find_fewest_changes(state, upcoming, upcoming.allowed, round_lots)


def _find_fewest_changes(
    state: State, upcoming: RoundState, allowed: Allowance | None, round_lots: bool
) -> RepairedRound:
    with errors_with_names(state):
        progress = _find_progress_before(state, upcoming, marks=True)
        progress = replace(progress, allowed=allowed, round_lots=round_lots)
        if progress.draws_next:
            old, begun = (_to_numbers(tables, progress) for tables in (upcoming.tables, upcoming.fixed))
            found = repair_round(prepare_swiss_round(progress), upcoming.seed, old, begun)
            drawn, cost, proved = dict(found.drawn), found.cost, found.fewest and found.optimal
            rows = find_rows(progress, found.tables)
            if upcoming.drawn.get("cut") is not None:
                cut = pair_next_round(progress, upcoming.seed).drawn.get("cut")
                drawn |= {"cut": cut} if cut else {}
        else:  # nothing is left to choose
            rows = find_rows(progress, pair_next_round(progress, upcoming.seed).tables)
            drawn, cost, proved = {}, None, True
    tables = number_tables(state, rows, upcoming.tables)
    changed = find_changed_tables(upcoming.tables, tables)
    gone = len({frozenset(t.players) for t in upcoming.tables} - {frozenset(t.players) for t in tables})
    number = upcoming.number
    fact = RoundRepaired(round=number, tables=tables, changed=changed, drawn=drawn, allowed=allowed)
    return RepairedRound(fact, gone, cost, proved, by_lot=progress.draws_next)


def _answer_leave(decider: Decider, base: Base, upcoming: RoundState, now: PairingCounts) -> Answer:
    after = apply_all(decider.state, base("leave"), decider.now)
    progress = _find_progress_before(after, upcoming)
    old = _to_numbers(upcoming.tables, progress)
    cost = cost_unchanged(prepare_swiss_round(progress), upcoming.seed, old) if progress.draws_next else None
    tables = after.rounds[upcoming.number - 1].tables
    changes = _describe_removed(after, upcoming.tables, tables)
    says = [*changes, *_describe_moves(decider.state, after, upcoming)]
    says += compare_counts(now, count_pairings(progress, tables))
    return Answer("leave", (), 0, cost, join_messages(" ", says))


def _answer_fewest(after: State, upcoming: RoundState, repair: RepairedRound, now: PairingCounts) -> Answer:
    changed, tables = repair.fact.changed, repair.fact.tables
    new = [t for t in tables if (t.table if isinstance(t.table, int) else t.players[0]) in changed]
    then = _count_tables(after, upcoming, tables)
    known = not repair.by_lot or (len(new) == 1 and _is_known(new[0], upcoming.tables, tables))
    byes = True
    if not new:
        says = _describe_removed(after, upcoming.tables, tables)
    elif len(new) == 1 and known:
        byes = len(new[0].players) > 1
        says = [_describe_table(after, new[0], then.byes == 1)]
    elif known:
        named = [_name_table(after, at) for at in changed]
        listed = list_first(named, SHOWN) if named[SHOWN:] else list_and(named)
        says = [
            count("{n} table changes ({tables}).", "{n} tables change ({tables}).", len(new), tables=listed)
        ]
    else:
        says = [count("{n} table changes.", "{n} tables change.", len(new))]
    says += compare_counts(now, then, byes)
    if not repair.proved:
        says.append(say("Fewer changes may be possible, but none were found."))
    return Answer(
        "fewest", None if repair.by_lot else changed, len(changed), repair.cost, join_messages(" ", says)
    )


def _answer_again(
    after: State, upcoming: RoundState, repair: RepairedRound | None, now: PairingCounts
) -> Answer:
    if kept := len(upcoming.fixed):
        all_tables = count(
            "All tables are paired again, except {n} that has already started.",
            "All tables are paired again, except {n} that have already started.",
            kept,
        )
    else:
        all_tables = say("All tables are paired again.")
    says = [all_tables]
    if repair is not None and repair.by_lot:
        says += _describe_least(now, repair, _count_tables(after, upcoming, repair.fact.tables))
    return Answer("again", None, None, repair.cost if repair else None, join_messages(" ", says))


def _describe_least(now: PairingCounts, repair: RepairedRound, fewest: PairingCounts) -> Iterator[Message]:
    """Yield what every draw has in common: the least that is possible, where it is proved, and the byes."""
    least = repair.cost if repair.proved and repair.cost else {}
    if all(len(table.players) <= 2 for table in repair.fact.tables):
        rematches, crossing = least.get("rematches"), least.get("cross_division")
        if rematches is not None and (rematches or now.rematches):
            yield say("Rematches: {number} at best (was {before}).", number=rematches, before=now.rematches)
        if least.get("score_gap_squared"):
            yield say("Pair-downs: known only after pairing (was {before}).", before=now.pair_downs)
        elif now.pair_downs and "score_gap_squared" in least:
            yield say("Pair-downs: {number} at best (was {before}).", number=0, before=now.pair_downs)
        if crossing is not None and (crossing or now.cross_division):
            before = now.cross_division
            yield say(
                "Cross-division matches: {number} at best (was {before}).", number=crossing, before=before
            )
    yield from compare_counts(PairingCounts(byes=now.byes), PairingCounts(byes=fewest.byes))


def _describe_removed(after: State, old: Sequence[Table], new: Sequence[Table]) -> list[Message]:
    """Return in words that no table is new, and which byes are removed."""
    there = {frozenset(table.players) for table in new}
    gone = [table for table in old if frozenset(table.players) not in there]
    if len(gone) == 1 and len(gone[0].players) == 1:
        name = after.name_of(gone[0].players[0])
        return [say("The bye of {name} is removed. No other table changes.", name=name)]
    if gone:
        return [
            count(
                "{n} table is removed. No other table changes.",
                "{n} tables are removed. No other table changes.",
                len(gone),
            )
        ]
    return [say("No table changes.")]


def _describe_moves(before: State, after: State, upcoming: RoundState) -> Iterator[Message]:
    """Yield what happens to players who leave or come while the round stays as it is."""
    was, there = ({listed.player.id for listed in state.active()} for state in (before, after))
    for table in upcoming.tables:
        stay = [player for player in table.players if player in there]
        for player in was.intersection(table.players) - there if stay else ():
            if len(table.players) == 2:
                yield say(
                    "{name} wins at table {table}.", name=after.name_of(stay[0]), table=table.table or ""
                )
            else:
                name = after.name_of(player)
                yield say("Table {table} plays without {name}.", name=name, table=table.table or "")
    for player in sorted(there - was):
        if upcoming.table_of(player) is None:
            name, number = after.name_of(player), upcoming.number + 1
            yield say("{name} plays from round {round}.", name=name, round=number)


def _describe_table(after: State, table: Table, only_bye: bool) -> Message:
    """Return the one new table of a round in words; `only_bye`: whether there is no other bye."""
    if len(table.players) > 1:
        names = list_and(map(after.name_of, table.players))
        return say(
            "{names} play each other at table {table}. No other table changes.",
            names=names,
            table=table.table or "",
        )
    name = after.name_of(table.players[0])
    if only_bye:
        return say("{name} gets the bye. No other table changes.", name=name)
    return say("{name} gets a bye. No other table changes.", name=name)


def _name_table(after: State, at: int | str) -> Message:
    """Return a changed table, as a list of tables names it: its number, or who has a bye."""
    return Message(str(at)) if isinstance(at, int) else say("the bye of {name}", name=after.name_of(at))


def _is_known(new: Table, old: Sequence[Table], tables: Sequence[Table]) -> bool:
    """Return whether lots have no part in the only new table: no other players were free to sit there.

    Free are those who had no table, those whose table somebody has left, and the player with the only bye.
    """
    seated = {player for table in tables for player in table.players}
    before = {player for table in old for player in table.players}
    byes = [table for table in old if len(table.players) == 1]
    broken = [table for table in old if not seated.issuperset(table.players)]
    free = seated - before
    free |= {player for table in (*broken, *(byes if len(byes) == 1 else ())) for player in table.players}
    return free.issuperset(new.players)


def _count_tables(state: State, upcoming: RoundState, tables: Sequence[Table]) -> PairingCounts:
    return count_pairings(_find_progress_before(state, upcoming), tables)


def _find_progress_before(state: State, upcoming: RoundState, marks: bool = False) -> Progress:
    """Return the progress of the event before the round, as if its cut were not drawn."""
    state = clear_drawn(state, upcoming, {"cut"})
    return find_progress(state, upcoming.number, upcoming.seed, marks, upcoming.allowed)


def _to_numbers(tables: Sequence[Table], progress: Progress) -> list[tuple[int, ...]]:
    """Return the tables whose players are all still in the event, by their numbers in the history."""
    index = progress.history.index
    return [tuple(index[p] for p in table.players) for table in tables if index.keys() >= set(table.players)]
