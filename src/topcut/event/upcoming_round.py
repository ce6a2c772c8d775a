"""Settle the upcoming round, which is paired and has not begun, when a command affects it.

Three answers: leave it, change the fewest tables, pair it again (PK-18, PK-59). Each says how many tables
change and what it costs. What lots would decide is not shown before it is chosen, or a scorekeeper could try
an answer first and see who would meet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Any

from topcut.errors import Impossible
from topcut.event.apply.context import apply_all, clear_drawn
from topcut.event.commands import Then
from topcut.event.decide.context import Decider, Decision
from topcut.event.describe.name_marks import errors_with_names
from topcut.event.draw import draw_round, find_changed_tables, find_progress, find_rows, number_tables
from topcut.event.facts import AnyFact, Paired, RoundRepaired
from topcut.event.refusals import Answer, Choice
from topcut.event.state import RoundState, State
from topcut.history.model import Table
from topcut.pairing.engine.costs import AT_TWO
from topcut.pairing.repair.repair_round import cost_unchanged, repair_round
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round, prepare_swiss_round
from topcut.text.messages import list_and
from topcut.text.phrases import plural

SHOWN = 8
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
        decider.decision = with_fields(decider.decision, unsettled=True)
    elif then == "leave" and leave:
        decider.record(*base("leave"))
    else:
        facts = _decide_settled_facts(decider, decider.get_secret(), upcoming, base, then, leave)
        if isinstance(facts, Choice):
            decider.decision = Decision([], choice=facts)
            return False
        decider.record(*facts)
        if any(isinstance(fact, Paired) for fact in facts):
            seen = "publish it again" if upcoming.phase == "published" else "nobody had seen it yet"
            decider.tell(f"Round {upcoming.number} is drawn again: {seen}.")
        elif not any(isinstance(fact, RoundRepaired) for fact in facts):
            decider.tell(f"Round {upcoming.number} stays as it is.")
    return True


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
        return Choice(upcoming.number, (_answer_leave(decider, base, upcoming),))
    if repair is not None and then != "again":
        if not repair.fact.changed and not repair.gone:  # nothing to be done
            same = repair.fact.tables == upcoming.tables and not repair.fact.drawn
            return base("fewest") if same else [*base("fewest"), repair.fact]
        if then == "fewest":
            return [*base("fewest"), repair.fact]
    if then == "again" or (then is None and upcoming.unseen):
        return [*base("again"), *draw_round(after, secret)]
    answers = [_answer_leave(decider, base, upcoming)] if leave else []
    answers += [_answer_fewest(after, repair)] if repair is not None else []
    kept = f" but {len(upcoming.fixed)} that play already" if upcoming.fixed else ""
    cost = repair.cost if repair else None
    again = Answer("again", None, None, cost, f"all tables{kept} are drawn again{_describe_cost(cost)}")
    return Choice(upcoming.number, (*answers, again))


def find_fewest_changes(state: State, upcoming: RoundState) -> RepairedRound:
    """Find the round with the fewest changes that is legal and as good as can be."""
    with errors_with_names(state):
        progress = _find_progress_before(state, upcoming, marks=True)
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
    fact = RoundRepaired(round=upcoming.number, tables=tables, changed=changed, drawn=drawn)
    return RepairedRound(fact, gone, cost, proved, by_lot=progress.draws_next)


def _answer_fewest(after: State, repair: RepairedRound) -> Answer:
    changed = repair.fact.changed
    named = [str(at) if isinstance(at, int) else f"{after.name_of(at)} alone" for at in changed[:SHOWN]]
    which = "" if repair.by_lot else f" ({', '.join(named)}{' …' if changed[SHOWN:] else ''})"
    proved = "" if repair.proved else ", the fewest that were found"
    some = f"{plural(len(changed), 'table')}{which} {'is' if len(changed) == 1 else 'are'} new"
    says = f"{some if changed else 'tables go'}{proved}{_describe_cost(repair.cost)}"
    return Answer("fewest", None if repair.by_lot else changed, len(changed), repair.cost, says)


def _answer_leave(decider: Decider, base: Base, upcoming: RoundState) -> Answer:
    after = apply_all(decider.state, base("leave"), decider.now)
    progress = _find_progress_before(after, upcoming)
    old = _to_numbers(upcoming.tables, progress)
    cost = cost_unchanged(prepare_swiss_round(progress), upcoming.seed, old) if progress.draws_next else None
    there = {listed.player.id for listed in after.active()}
    alone = [table.table for table in upcoming.tables if len(table.players) > 1 and {*table.players} - there]
    beaten = f", table {list_and(alone)} is won by the opponent who stays" if alone else ""
    return Answer("leave", (), 0, cost, f"no table changes{beaten}{_describe_cost(cost)}")


def _describe_cost(cost: dict[str, Any] | None) -> str:
    """Return a cost in a few words: its parts that are not 0."""
    if cost is None:
        return ""
    parts = [f"{part.name.replace('_', ' ')} {cost[part.name]}" for part in AT_TWO if cost.get(part.name)]
    return f", {', '.join(parts) or 'at no cost'}"


def _find_progress_before(state: State, upcoming: RoundState, marks: bool = False) -> Progress:
    """Return the progress of the event before the round, as if its cut were not drawn."""
    return find_progress(clear_drawn(state, upcoming, {"cut"}), upcoming.number, upcoming.seed, marks)


def _to_numbers(tables: Sequence[Table], progress: Progress) -> list[tuple[int, ...]]:
    """Return the tables whose players are all still in the event, by their numbers in the history."""
    index = progress.history.index
    return [tuple(index[p] for p in table.players) for table in tables if index.keys() >= set(table.players)]
