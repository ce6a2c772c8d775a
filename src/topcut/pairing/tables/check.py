"""Was a recorded round at tables of more than two as it should have been?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from topcut.lots import Stream
from topcut.pairing.paired import Drawn
from topcut.pairing.tables.round import TablesOf
from topcut.pairing.tables.seat import Room
from topcut.pairing.tables.seating import Seating, TablesCost
from topcut.rulebook.planning.words import both, counted

FEW = 6
"""Tables of one size of which all orders are compared."""


@dataclass(frozen=True)
class Judged:
    """What was found about one pool's tables."""

    legal: bool
    optimal: bool
    cost: Drawn
    best: Drawn
    problems: list[tuple[str, list[int], str]]
    """(rule, players as numbers in the history, what is wrong)."""


def judge(of: TablesOf, tables: Sequence[Sequence[int]], stream: Stream) -> Judged:
    """The verdict on these tables (players as numbers in the history), which seat everybody of the pool."""
    place = {int(player): at for at, player in enumerate(of.seating.players)}
    seated = [sorted(place[player] for player in table) for table in tables]
    seating = of.seating
    problems: list[tuple[str, list[int], str]] = []
    sizes = tuple(len(table) for table in seated)
    legal = Counter(sizes) == Counter(seating.sizes)
    if not legal:
        problems.append(
            (_rule(of, "at_most"), [], f"{_tables(sizes)}, where {_tables(seating.sizes)} are right")
        )
    if not legal or _by_lot(of):
        seating = replace(seating, sizes=sizes)
    cost = _cheaper_order(seating, seated)
    best = Room(seating).draw(stream)
    optimal = not best.cost < cost
    if not optimal:
        problems.append(_worse(of, seating, seated, cost, best.cost))
    now = Drawn(of.pool, of.unit, of.cost(seated, cost), True, "exact", {}, of.by_round(cost))
    shown = of.cost(best.tables, best.cost)
    found = Drawn(of.pool, of.unit, shown, best.optimal, best.uniform, {}, of.by_round(best.cost))
    return Judged(legal, optimal, now, found, problems)


def _by_lot(of: TablesOf) -> bool:
    return of.book.tables is not None and of.book.tables.others == "random"


def _rule(of: TablesOf, parameter: str) -> str:
    assert of.book.tables is not None
    return of.book.tables.rule(parameter)


def _tables(sizes: Sequence[int]) -> str:
    numbers = sorted(Counter(sizes).items())
    return both(f"{counted(number, 'table')} of {size}" for size, number in numbers)


def _cheaper_order(seating: Seating, tables: list[list[int]]) -> TablesCost:
    """What tables cost in the best order, whatever order they are listed in."""
    costs = [seating.cost(_exchanged(seating, seating.in_order(tables)))]
    if tuple(map(len, tables)) == seating.sizes:
        costs.append(seating.cost(tables))
    return min(costs)


def _exchanged(seating: Seating, tables: list[list[int]]) -> list[list[int]]:
    """Tables in the order that moves players least; only where places are shared may it not be theirs.

    All orders of a few tables of one size are compared; of many, those of a few neighbours at a time.
    """
    ordered = list(tables)
    for size in set(seating.sizes):
        at = [number for number, own in enumerate(seating.sizes) if own == size]
        for here in [at] if len(at) <= FEW else [at[i : i + FEW] for i in range(0, len(at), FEW // 2)]:
            away = [[seating.cost_of(k, ordered[j]).displacement for j in here] for k in here]
            orders = permutations(range(len(here)))
            best = min(orders, key=lambda order: sum(row[j] for row, j in zip(away, order, strict=True)))
            ordered_here = [ordered[here[j]] for j in best]
            for k, table in zip(here, ordered_here, strict=True):
                ordered[k] = table
    return ordered


def _worse(
    of: TablesOf, seating: Seating, tables: list[list[int]], cost: TablesCost, best: TablesCost
) -> tuple[str, list[int], str]:
    """What is worse than it had to be, for the part of the cost that decides."""
    rules = of.book.pairing
    assert rules is not None
    numbers = seating.players.tolist()
    for back, (now, least) in enumerate(zip(cost.repeats, best.repeats, strict=True)):
        if now != least:
            when = f" of round {of.history.rounds - back}" if seating.by_age else ""
            pairs = [pair for table in tables for pair in seating.repeated(table)]
            again = [pair for pair in pairs if not seating.by_age or back in seating.meetings(*pair)]
            who = [numbers[player] for pair in again for player in pair]
            text = f"rematches{when}: {now}, where {least} were possible"
            return rules.rule("rematches"), list(dict.fromkeys(who)), text
    if cost.displacement != best.displacement:
        text = f"squared distances from the standings add up to {cost.displacement}"
        return rules.rule("minimise"), [], f"{text}, where {best.displacement} was possible"
    text = f"tables of players to be kept apart: {cost.apart}, where {best.apart} were possible"
    return rules.rule("minimise"), [], text
