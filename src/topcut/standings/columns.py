"""Hold one value for each player so that comparing two of them is always exact.

A `Scaled` column holds whole numbers over one common denominator: comparing is comparing integers.
Where those would not fit into 62 bits the column is `Rounded`: floats that are proved to lie within
`error` of the exact value, and a way to get the exact value of one player. Floats that are further
apart than twice the error are in the right order; closer ones are compared as fractions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LIMIT = 2**62
"""Whole numbers of a `Scaled` column are below this."""
BLOCK = 2**14
"""Players whose opponents are added up at once, so that the sums stay in the processor's cache."""
UNIT = 2.0**-53
"""Rounding to the nearest float changes a value by at most this part of it."""


@dataclass(frozen=True)
class Scaled:
    """values / denominator, exactly."""

    values: Ints
    denominator: int

    def exact(self, player: int) -> Fraction:
        return Fraction(int(self.values[player]), self.denominator)

    def ranks(self, players: Ints, _groups: Ints) -> Ints:
        """Return integers in the order of the players' values."""
        ranks: Ints = self.values[players]
        return ranks

    def rescale(self, factor: int) -> "Scaled | None":
        """Return the values over a denominator `factor` times as large, if they still fit."""
        if factor == 1:
            return self
        return Scaled(self.values * factor, self.denominator * factor) if self.fits(factor) else None

    def fits(self, factor: int) -> bool:
        """Return whether values (and 1) times `factor` stay below the limit."""
        return max(find_largest(self.values), self.denominator) * factor < LIMIT

    def round(self, exact: Callable[[int], Fraction]) -> "Rounded":
        floats = self.values / float(self.denominator)
        return Rounded(floats, 4 * UNIT * _find_largest_float(floats), exact)


@dataclass(frozen=True)
class Rounded:
    """Floats, each within `error` of the exact value."""

    values: Floats
    error: float
    exact: Callable[[int], Fraction]

    def ranks(self, players: Ints, groups: Ints) -> Ints:
        """Return integers in the order of the players' exact values, comparable within each group."""
        if not len(players):
            return np.empty(0, np.int64)
        values = self.values[players]
        order = np.lexsort((values, groups))
        near = np.diff(values[order]) <= 2 * self.error
        near &= groups[order][1:] == groups[order][:-1]
        run = np.concatenate(([0], np.cumsum(~near)))
        ranks = np.empty(len(players), np.int64)
        ranks[order] = run * (len(players) + 1)
        in_run = np.bincount(run)[run] > 1
        exact = {int(p): self.exact(int(p)) for p in players[order[in_run]]}
        place = {value: i for i, value in enumerate(sorted(set(exact.values())))}
        for position in order[in_run]:
            ranks[position] += place[exact[int(players[position])]]
        return ranks


Column = Scaled | Rounded


def divide(above: NDArray[Any], below: NDArray[Any] | int, exact: Callable[[int], Fraction]) -> Column:
    """Divide whole numbers by whole numbers; 0 where `below` is 0."""
    if isinstance(below, int):
        below = np.full(1, below)
    if above.dtype == np.uint16 and below.dtype == np.uint16:
        width = int(below.max(initial=0)) + 1
        pairs = (int(above.max(initial=0)) + 1) * width
        if pairs <= 2**16 and pairs <= above.size:
            # Few different pairs: divide each of them once, then look the values up.
            codes = above * np.uint16(width) + below
            present = np.flatnonzero(np.bincount(codes, minlength=pairs))
            quotients = _divide_all(present // width, present % width, lambda code: Fraction(0))
            if isinstance(quotients, Scaled):
                values = np.zeros(pairs, np.int64)
                values[present] = quotients.values
                return Scaled(values.take(codes), quotients.denominator)
    return _divide_all(above, below, exact)


def _divide_all(above: NDArray[Any], below: NDArray[Any], exact: Callable[[int], Fraction]) -> Column:
    kinds = set(below.tolist()) - {0}
    common = lcm(*kinds)
    if max(find_largest(above), 1) * common < LIMIT and object not in (above.dtype, below.dtype):
        shares = np.where(below == 0, 0, common // np.where(below == 0, 1, below).astype(np.int64))
        return Scaled(above.astype(np.int64) * shares, common)
    floats = np.zeros(len(above))
    np.divide(
        above.astype(np.float64), below.astype(np.float64), out=floats, where=(below != 0).astype(np.bool_)
    )
    return Rounded(floats, 4 * UNIT * _find_largest_float(floats), exact)


def limit_values(
    column: Column, floor: Fraction | None, cap: Fraction | None, where_capped: NDArray[np.bool_] | None,
    exact: Callable[[int], Fraction],
) -> Column:  # fmt: skip
    """Raise each value to `floor`, and lower it to `cap` (only `where_capped`, if given)."""
    if floor is None and cap is None:
        return column
    if isinstance(column, Scaled):
        limits = [limit for limit in (floor, cap) if limit is not None]
        needed = lcm(column.denominator, *(limit.denominator for limit in limits)) // column.denominator
        fitting = column.rescale(needed)
        if fitting is not None and all(abs(limit) * fitting.denominator < LIMIT for limit in limits):
            low, high = (None if x is None else int(x * fitting.denominator) for x in (floor, cap))
            return Scaled(_clip(fitting.values, low, high, where_capped), fitting.denominator)
        column = column.round(exact)
    low_float, high_float = (None if x is None else float(x) for x in (floor, cap))
    values = _clip(column.values, low_float, high_float, where_capped)
    return Rounded(values, column.error + UNIT * _find_largest_float(values), exact)


def replace_values(
    column: Column, others: Sequence[tuple[Ints, Column]], exact: Callable[[int], Fraction]
) -> Column:
    """Return the column with the values of other columns, each for some of the players."""
    if not others:
        return column
    columns = [column, *(other for _, other in others)]
    common = lcm(*(each.denominator for each in columns if isinstance(each, Scaled)))
    fitting = [each.rescale(common // each.denominator) for each in columns if isinstance(each, Scaled)]
    whole = [each.values for each in fitting if each is not None]
    if len(whole) == len(columns):
        return Scaled(_overwrite(whole, others), common)
    rounded = [each.round(exact) if isinstance(each, Scaled) else each for each in columns]
    values = _overwrite([each.values for each in rounded], others)
    return Rounded(values, max(each.error for each in rounded), exact)


def _overwrite(values: Sequence[NDArray[Any]], others: Sequence[tuple[Ints, Column]]) -> NDArray[Any]:
    found: NDArray[Any] = values[0].copy()
    for (players, _), instead in zip(others, values[1:], strict=True):
        found[players] = instead[players]
    return found


def _clip(values: Any, low: Any, high: Any, where_high: NDArray[np.bool_] | None) -> Any:
    if low is not None:
        values = np.maximum(values, low)
    if high is not None:
        capped = np.minimum(values, high)
        values = capped if where_high is None else np.where(where_high, capped, values)
    return values


def combine_opponents(
    column: Column, opponents: NDArray[np.int32], meetings: NDArray[Any], mean: bool, empty: Fraction,
    exact: Callable[[int], Fraction],
) -> Column:  # fmt: skip
    """Return the sum or mean of the column over everybody each player met; `empty` for who met nobody."""
    rows = max(len(opponents), 1)
    alone = np.flatnonzero(meetings == 0)
    if isinstance(column, Scaled):
        kinds = np.flatnonzero(np.bincount(meetings)).tolist()
        common = lcm(*(kind for kind in kinds if kind)) if mean else 1
        common = lcm(column.denominator * common, empty.denominator) // column.denominator
        if column.fits(rows * common) and abs(empty) * column.denominator * common < LIMIT:
            shares = np.array(
                [common // max(kind, 1) if mean else common for kind in range(len(opponents) + 1)]
            )
            total = _sum_opponents(column.values, opponents).astype(np.int64)
            if common > 1:
                total *= shares.take(meetings)
            total[alone] = int(empty * column.denominator * common)
            return Scaled(total, column.denominator * common)
        column = column.round(exact)
    floats = _sum_opponents(column.values, opponents)
    # Each of `rows` additions and the division round once, at most by UNIT of the largest sum.
    most = _find_largest_float(column.values) + column.error
    error = (column.error + 2 * (rows + 2) * UNIT * most) * (1 if mean else rows)
    if mean:
        floats /= np.maximum(meetings, 1)
    floats[alone] = float(empty)
    return Rounded(floats, error + UNIT * abs(float(empty)), exact)


def _sum_opponents(values: NDArray[Any], opponents: NDArray[np.int32]) -> NDArray[Any]:
    """Sum the opponents' values, nobody's being 0, in blocks of players."""
    n = opponents.shape[1]
    if values.dtype == np.int64 and find_largest(values) * max(len(opponents), 1) < 2**31:
        values = values.astype(np.int32)
    with_nobody = np.append(values, np.zeros(1, values.dtype))
    total = np.zeros(n, values.dtype)
    looked_up = np.empty(min(BLOCK, n), values.dtype)
    for start in range(0, n, BLOCK):
        block = total[start : start + BLOCK]
        for row in opponents[:, start : start + BLOCK]:
            np.take(with_nobody, row, out=looked_up[: len(row)], mode="clip")
            block += looked_up[: len(row)]
    return total


def find_largest(whole: NDArray[Any]) -> int:
    """Return the largest of whole numbers without their signs; 0 of none."""
    return max(int(whole.max(initial=0)), -int(whole.min(initial=0)))


def _find_largest_float(floats: Floats) -> float:
    return float(np.abs(floats).max(initial=0.0))
