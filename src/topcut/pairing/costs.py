"""The cost of every table that could be, as matrices, and as one number that keeps their order.

The seat after the last player is the bye, where the number of players is odd.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topcut.pairing.field import BARRED, Bools, Component, Field, Ints, conflicts, sharing

FITS = 2**60


def matrices(field: Field) -> dict[Component, Ints]:
    """For each component that is minimised here: what a table of two seats adds to it."""
    n, seats = field.size, field.size + field.odd
    found: dict[Component, Ints] = {}
    everyone = np.arange(n)

    def blank() -> Ints:
        return np.zeros((seats, seats), np.int64)

    def bye(values: Ints) -> Ints:
        matrix = blank()
        matrix[n, :n] = matrix[:n, n] = values
        return matrix

    def seated(values: NDArray[Any]) -> Ints:
        matrix = blank()
        matrix[:n, :n] = values
        return matrix

    for component in field.rules.minimise:
        match component:
            case "second_byes" if field.odd and field.rules.second_bye != "allowed":
                found[component] = bye(field.byes)
            case "rematches" if field.met_counts:
                found[component] = seated(conflicts(field, everyone))
            case "bye_points" if field.odd:
                found[component] = bye(field.points)
            case "cross_division" if field.several_divisions:
                found[component] = seated(field.division[:, None] != field.division)
            case "score_gap_squared":
                found[component] = seated((field.points[:, None] - field.points) ** 2)
            case "apart" if field.kept_apart:
                found[component] = seated(sharing(field, everyone))
    return found


def allowed(field: Field, as_if_never: bool = False) -> Bools:
    """Which seats the hard rules let sit together.

    `as_if_never`: rematches and second byes are ruled out even where they are only avoided.
    """
    n, seats = field.size, field.size + field.odd
    legal = np.ones((seats, seats), bool)
    np.fill_diagonal(legal, False)
    if field.met_counts and (as_if_never or field.rules.rematches == "never"):
        legal[:n, :n] &= ~conflicts(field, np.arange(n))
    if field.barred is not None:
        legal[:n, :n] &= ~conflicts(replace(field, met=field.barred), np.arange(n))
    if field.odd:
        most = 0 if as_if_never and field.rules.second_bye != "allowed" else BARRED - 1
        legal[n, :n] = legal[:n, n] = field.byes <= most
    return legal


@dataclass(frozen=True)
class Weighed:
    """One number for every table, such that sums of them compare as the components do, one by one."""

    costs: NDArray[Any]
    """Seats × seats; −1 where the hard rules forbid the table."""
    weights: dict[Component, int]


def weighed(field: Field) -> Weighed:
    """Each component's weight is larger than all that the components after it can ever add up to."""
    by_component = matrices(field)
    seats = field.size + field.odd
    legal = allowed(field)
    tables = seats // 2
    weights: dict[Component, int] = {}
    weight = 1
    for component in reversed(list(by_component)):
        weights[component] = weight
        largest = int(np.where(legal, by_component[component], 0).max(initial=0))
        per_round = largest if component in ("second_byes", "bye_points") else largest * tables
        weight *= per_round + 1
    kind: Any = np.int64 if weight < FITS else object
    costs = np.zeros((seats, seats), kind)
    for component, matrix in by_component.items():
        costs = costs + matrix.astype(kind) * weights[component]
    return Weighed(np.where(legal, costs, -1), dict(reversed(weights.items())))
