"""Something touches a round that is up and has not begun: what can become of it?

Three answers: leave it, change the fewest tables, pair it again (PK-18, PK-59). Each says how many tables
change and what it costs. What lots would decide is not shown before it is chosen, or a scorekeeper could try
an answer first and see who would meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Any

from topcut.errors import Impossible
from topcut.event.applying import Now, without_drawn
from topcut.event.commands import Then
from topcut.event.deciding import Desk
from topcut.event.draw import changes, course_of, paired, renumbered
from topcut.event.evolve import after_all
from topcut.event.facts import AnyFact, Paired, RoundRepaired
from topcut.event.names import named, speaking
from topcut.event.refusals import NeedsAnswer
from topcut.event.state import RoundOf, State
from topcut.pairing.field import COMPONENTS
from topcut.pairing.repair import as_posted, repaired
from topcut.rulebook.planning.words import both, counted
from topcut.stages.next import next_round, scored_round

SHOWN = 8
Base = Callable[[Then], list[AnyFact]]
"""The facts of a command under each answer, without what becomes of the round."""


@dataclass(frozen=True)
class Answer:
    """One thing that can become of the round."""

    kind: Then
    changed: tuple[int | str, ...] | None
    """Tables that would be new; None: lots decide, and it is known only when they are drawn."""
    new: int | None
    """How many tables would be new; None: all that do not play yet."""
    cost: dict[str, Any] | None
    """What the round would cost; None where it would not be legal, or where nothing is left to choose."""
    says: str


@dataclass(frozen=True)
class Repaired:
    """The round after the fewest changes."""

    fact: RoundRepaired
    gone: int
    cost: dict[str, Any] | None
    proved: bool
    by_lot: bool
    """Whether another seed could have changed other tables."""


def settle(desk: Desk, base: Base, then: Then | None, leave: bool = True) -> None:
    """Decide the facts of a command, and what becomes of the round that is up, if one is.

    `leave`: whether that round could stay as it is.
    """
    if desk.state.upcoming is None:
        desk.fact(*base("again"))
    elif desk.later:
        desk.fact(*base("again" if then is None else then))
        desk.decided = with_fields(desk.decided, unsettled=True)
    elif then == "leave" and leave:
        desk.fact(*base("leave"))
    else:
        upcoming = desk.state.upcoming
        secret, number = desk.secret(), upcoming.number
        facts = settled(desk.state, desk.now, secret, base, then, leave)
        desk.fact(*facts)
        for fact in facts:
            if isinstance(fact, Paired):
                seen = "publish it again" if upcoming.phase == "published" else "nobody had seen it yet"
                desk.say(f"Round {number} is drawn again: {seen}.")
                for warning in fact.warnings:
                    desk.warn(named(desk.state, warning))
        if not any(isinstance(fact, Paired | RoundRepaired) for fact in facts):
            desk.say(f"Round {number} stays as it is.")


def settled(
    state: State, now: Now, secret: str, base: Base, then: Then | None, leave: bool = True
) -> list[AnyFact]:
    """The facts of a command together with what becomes of the round that is up and does not stay."""
    upcoming = state.upcoming
    assert upcoming is not None
    after = after_all(state, base("fewest"), now)
    seeded = "seeds" in upcoming.drawn  # then an entry breaks up all tables (PK-22)
    try:
        repair = None if seeded else fewest(after, upcoming)
    except Impossible:  # no other round is legal
        if then is not None or not leave:
            raise
        raise NeedsAnswer(upcoming.number, [_left_alone(state, now, base, upcoming)]) from None
    fits = repair is not None and not repair.fact.changed and not repair.gone
    if repair is not None and fits and then != "again":  # nothing to be done
        same = repair.fact.tables == upcoming.tables and not repair.fact.drawn
        return base("fewest") if same else [*base("fewest"), repair.fact]
    if then == "fewest" and repair is not None:
        return [*base("fewest"), repair.fact]
    if then == "again" or (then is None and upcoming.unseen):
        return [*base("again"), *paired(after, secret)]
    raise NeedsAnswer(upcoming.number, _answers(state, now, base, repair, upcoming, leave))


def fewest(state: State, upcoming: RoundOf) -> Repaired:
    """The round with as few changes as make it legal and as good as can be."""
    with speaking(state):
        return _fewest(state, upcoming)


def _fewest(state: State, upcoming: RoundOf) -> Repaired:
    fresh = without_drawn(state, upcoming, {"cut"})
    course = course_of(fresh, upcoming.number, upcoming.seed, marks=True)
    ids = [player.id for player in course.history.players]
    if not course.draws_next:
        pairing = next_round(course, upcoming.seed)  # nothing is left to choose
        rows = [(tuple(ids[i] for i in table.players), table.why) for table in pairing.tables]
        return _repaired(state, upcoming, rows, {}, None, proved=True, by_lot=False)
    index = course.history.index
    posted = _posted(upcoming, index)
    fixed = [tuple(index[player_id] for player_id in table.players) for table in upcoming.fixed]
    event = scored_round(course)
    found = repaired(event, upcoming.seed, posted, fixed)
    rows = [(tuple(ids[i] for i in table.players), table.why) for table in found.tables]
    drawn = dict(found.drawn)
    if upcoming.drawn.get("cut") is not None:
        cut = next_round(course, upcoming.seed).drawn.get("cut")
        drawn |= {"cut": cut} if cut else {}
    proved = found.fewest and found.optimal
    return _repaired(state, upcoming, rows, drawn, found.cost, proved, by_lot=True)


def _repaired(
    state: State,
    upcoming: RoundOf,
    rows: list[tuple[tuple[str, ...], tuple[str, ...]]],
    drawn: dict[str, dict[str, int]],
    cost: dict[str, Any] | None,
    proved: bool,
    by_lot: bool,
) -> Repaired:
    tables = renumbered(state, rows, upcoming)
    changed = changes(upcoming.tables, tables)
    gone = len({frozenset(t.players) for t in upcoming.tables} - {frozenset(t.players) for t in tables})
    fact = RoundRepaired(round=upcoming.number, tables=tables, changed=changed, drawn=drawn)
    return Repaired(fact, gone, cost, proved, by_lot)


def _answers(
    state: State, now: Now, base: Base, repair: Repaired | None, upcoming: RoundOf, leave: bool
) -> list[Answer]:
    found: list[Answer] = []
    if leave:
        found.append(_left_alone(state, now, base, upcoming))
    if repair is not None:
        changed = repair.fact.changed
        after = after_all(state, base("fewest"), now)
        named = [str(at) if isinstance(at, int) else f"{after.name_of(at)} alone" for at in changed[:SHOWN]]
        which = "" if repair.by_lot else f" ({', '.join(named)}{' …' if changed[SHOWN:] else ''})"
        proved = "" if repair.proved else ", the fewest that were found"
        some = f"{counted(len(changed), 'table')}{which} {'is' if len(changed) == 1 else 'are'} new"
        says = f"{some if changed else 'tables go'}{proved}{_costs(repair.cost)}"
        shown = None if repair.by_lot else changed
        found.append(Answer("fewest", shown, len(changed), repair.cost, says))
    playing = len(upcoming.fixed)
    kept = f" but {playing} that play already" if playing else ""
    cost = repair.cost if repair else None
    says = f"all tables{kept} are drawn again{_costs(cost)}"
    found.append(Answer("again", None, None, cost, says))
    return found


def _left_alone(state: State, now: Now, base: Base, upcoming: RoundOf) -> Answer:
    after = after_all(state, base("leave"), now)
    cost = _cost_now(after, upcoming)
    there = {entrant.player.id for entrant in after.active()}
    alone = [table.table for table in upcoming.tables if len(table.players) > 1 and {*table.players} - there]
    beaten = f", table {both(alone)} is won against whoever has left" if alone else ""
    return Answer("leave", (), 0, cost, f"no table changes{beaten}{_costs(cost)}")


def _costs(cost: dict[str, Any] | None) -> str:
    """A cost in a few words: what is not nought."""
    if cost is None:
        return ""
    parts = [
        f"{name.replace('_', ' ')} {value}" for name, value in cost.items() if value and name in COMPONENTS
    ]
    return f", {', '.join(parts) or 'at no cost'}"


def _cost_now(state: State, upcoming: RoundOf) -> dict[str, Any] | None:
    """What the round costs as it stands; None where it is not legal."""
    course = course_of(without_drawn(state, upcoming, {"cut"}), upcoming.number, upcoming.seed)
    if not course.draws_next:
        return None
    index = course.history.index
    posted = _posted(upcoming, index)
    return as_posted(scored_round(course), upcoming.seed, posted)


def _posted(upcoming: RoundOf, index: dict[str, int]) -> list[tuple[int, ...]]:
    """The tables of a round all of whose players are still in the event, by their numbers in the history."""
    whole = [table for table in upcoming.tables if all(player_id in index for player_id in table.players)]
    return [tuple(index[player_id] for player_id in table.players) for table in whole]
