"""List the components of a pairing's cost, and cost pairings by them.

A component is declared once, in COMPONENTS: its name in books and documents, what tables add to it, what
bounds it, and what an audit says about it. Everything else follows from there: the order of comparison, the
weights of a matching, documents, repairs. Books may name a component after rulebook/model.py knows its name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topcut.pairing.engine.field import (
    BARRED,
    Bools,
    Cost,
    Field,
    Ints,
    Tables,
    find_conflicts,
    find_shared_labels,
)
from topcut.text.messages import Message, count, say

Number = int | Fraction
FITS = 2**60
"""Sums of costs below this are computed in 64 bits, larger ones in Python's whole numbers."""


@dataclass(frozen=True)
class CostComponent:
    """One part of what a round costs."""

    name: str
    explain_excess: Callable[[Number, Number], Message]
    """What an audit says where a round paid more than it had to: what it paid, what was possible."""
    total: Callable[[Field, Ints, Ints, Ints], int] = lambda field, first, second, alone: 0
    """What tables of `first` with `second`, and byes of players `alone`, add up to."""
    matrix: Callable[[Field], NDArray[Any]] | None = None
    """What every table adds, players × players; of a component `for_bye`, what each player's bye adds."""
    applies: Callable[[Field], bool] = lambda field: True
    """Whether it can be anything but nought in this field."""
    for_bye: bool = False
    """Whether only the bye adds to it, so that one round pays it once at most."""
    by_groups: bool = True
    """Whether pairing score group by score group minimises it; else all are matched at once."""
    unit_power: int = 0
    """How often its values hold the unit of points."""
    rule: str = "minimise"
    """The parameter of the book that it is about, unless the book has a source for this part of the cost;
    empty for what only the organiser wants.
    """
    at_two: bool = True
    """Whether tables of two are costed by it."""

    def is_minimised(self, field: Field) -> bool:
        return self.name not in field.rules.ignored and self.applies(field)


COMPONENTS = (
    CostComponent(
        "second_byes",
        lambda paid, best: count(
            "the player with the bye had already had {n} bye (fewest possible: {best})",
            "the player with the bye had already had {n} byes (fewest possible: {best})",
            paid,
            best=best,
        ),
        total=lambda field, first, second, alone: int((field.byes[alone] % BARRED).sum()),
        matrix=lambda field: field.byes,
        applies=lambda field: field.rules.second_bye != "allowed",
        for_bye=True,
        rule="second_bye",
    ),
    CostComponent(
        "rematches",
        lambda paid, best: count(
            "{n} rematch (fewest possible: {best})",
            "{n} rematches (fewest possible: {best})",
            paid,
            best=best,
        ),
        total=lambda field, first, second, alone: int(field.have_met(first, second).sum()),
        matrix=lambda field: find_conflicts(field, np.arange(field.size)),
        applies=lambda field: field.met_counts,
        rule="rematches",
    ),
    CostComponent(  # found by looking ahead (exhaustive.py), not table by table
        "dead_end",
        lambda paid, best: say(
            "a later round cannot be paired without a rematch or a second bye, which could have been avoided"
        ),
        rule="rematches",
    ),
    CostComponent(
        "bye_points",
        lambda paid, best: count(
            "the bye went to a player with {n} point (fewest possible: {best})",
            "the bye went to a player with {n} points (fewest possible: {best})",
            paid,
            best=best,
        ),
        total=lambda field, first, second, alone: int(field.points[alone].sum()),
        matrix=lambda field: field.points,
        for_bye=True,
        unit_power=1,
    ),
    CostComponent(
        "cross_division",
        lambda paid, best: count(
            "{n} cross-division match (fewest possible: {best})",
            "{n} cross-division matches (fewest possible: {best})",
            paid,
            best=best,
        ),
        total=lambda field, first, second, alone: int(
            (field.division[first] != field.division[second]).sum()
        ),
        matrix=lambda field: field.division[:, None] != field.division,
        applies=lambda field: field.several_divisions,
        by_groups=False,
    ),
    CostComponent(
        "score_gap_squared",
        lambda paid, best: say("pair-downs across more points than necessary"),
        total=lambda field, first, second, alone: sum(
            gap**2 for gap in (field.points[first] - field.points[second]).tolist() if gap
        ),
        matrix=lambda field: (field.points[:, None] - field.points) ** 2,
        unit_power=2,
    ),
    CostComponent(  # found by multiplayer/seating_field.py
        "displacement",
        lambda paid, best: say("players sit further from their places in the standings than necessary"),
        at_two=False,
    ),
    CostComponent(
        "apart",
        lambda paid, best: count(
            "{n} table with players who should be kept apart (fewest possible: {best})",
            "{n} tables with players who should be kept apart (fewest possible: {best})",
            paid,
            best=best,
        ),
        total=lambda field, first, second, alone: int(field.share_label(first, second).sum()),
        matrix=lambda field: find_shared_labels(field, np.arange(field.size)),
        applies=lambda field: field.kept_apart,
        rule="",
    ),
)
"""What is minimised, in this order, each only among the pairings that are best so far (spec 0.7)."""
BY_NAME = {component.name: component for component in COMPONENTS}
AT_TWO = tuple(component for component in COMPONENTS if component.at_two)


def compute_cost(field: Field, tables: Tables | Sequence[Sequence[int]]) -> Cost:
    """Return what tables cost, with nought for what this round does not minimise and for the dead end."""
    rows = np.asarray(tables, np.int64).reshape(-1, 2)
    seated = (rows < field.size).all(axis=1)
    first, second = rows[seated].T
    alone = rows[~seated].min(axis=1)
    return {c.name: c.total(field, first, second, alone) if c.is_minimised(field) else 0 for c in AT_TWO}


def build_cost_matrices(field: Field) -> dict[str, Ints]:
    """Return, for each component that can differ here, what a table of any two seats adds: seats × seats."""
    n, seats = field.size, field.seats
    found: dict[str, Ints] = {}
    for component in AT_TWO:
        if component.matrix is None or not component.is_minimised(field) or component.for_bye > field.odd:
            continue
        matrix = found[component.name] = np.zeros((seats, seats), np.int64)
        if component.for_bye:
            matrix[n, :n] = matrix[:n, n] = component.matrix(field)
        else:
            matrix[:n, :n] = component.matrix(field)
    return found


def find_legal_tables(field: Field, as_if_never: bool = False) -> Bools:
    """Return which seats the hard rules let sit together, seats × seats.

    `as_if_never`: rematches and second byes are ruled out even where they are only avoided.
    """
    n, everyone = field.size, np.arange(field.size)
    legal = ~np.eye(field.seats, dtype=bool)
    if field.met_counts and (as_if_never or field.rules.rematches == "never"):
        legal[:n, :n] &= ~find_conflicts(field, everyone)
    if field.barred is not None:
        legal[:n, :n] &= ~find_conflicts(field, everyone, field.barred)
    if field.odd:
        most = 0 if as_if_never and field.rules.second_bye != "allowed" else BARRED - 1
        legal[n, :n] = legal[:n, n] = field.byes <= most
    return legal


def weigh_costs(field: Field) -> tuple[NDArray[Any], dict[str, int]]:
    """Return one number for every table, so that sums of them compare as the components do, one by one.

    Each component is weighed by more than all that the components after it can ever add up to. The numbers
    are seats × seats, −1 where the hard rules forbid the table; the weights come beside them.
    """
    matrices, legal = build_cost_matrices(field), find_legal_tables(field)
    weights: dict[str, int] = {}
    weight = 1
    for name in reversed(matrices):
        weights[name] = weight
        most = int(np.where(legal, matrices[name], 0).max(initial=0))
        weight *= most * (1 if BY_NAME[name].for_bye else field.seats // 2) + 1
    weights = dict(reversed(weights.items()))
    costs = add_weighed(np.zeros_like(legal, np.int64), matrices, weights, weight)
    return np.where(legal, costs, -1), weights


def add_weighed(costs: Ints, matrices: dict[str, Ints], weights: dict[str, int], most: int) -> NDArray[Any]:
    """Return costs plus matrices times their weights; `most`: as much as a round can come to."""
    found: NDArray[Any] = costs.astype(np.int64 if most < FITS else object)
    for name, weight in weights.items():
        found = found + matrices[name].astype(found.dtype) * weight
    return found
