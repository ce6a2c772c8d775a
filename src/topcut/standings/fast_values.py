"""Compute the same values as `exact_values` fast: a whole column at once, in arrays."""

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from topcut.history import History, Outcome
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import (
    Cumulative,
    Flag,
    Games,
    Measure,
    OutcomeName,
    Outcomes,
    Scores,
    ValueKey,
)
from topcut.standings import columns as c
from topcut.standings.columns import LIMIT, UNIT, Column, Rounded, Scaled
from topcut.standings.exact_values import ExactValues

Exact = Callable[[int], Fraction]


class FastValues:
    """The values of all players of one event as columns: each measure and key is computed once."""

    def __init__(self, history: History, book: Book) -> None:
        self.history = history
        self.book = book
        self.exact = ExactValues(history, book)
        self._known: dict[str, Column] = {}
        self._earlier: dict[int, FastValues] = {}
        self.last_rounds = self.exact.last_rounds
        self.dropped: NDArray[np.bool_] = self.last_rounds <= history.rounds

    def deciding_column(self, key: ValueKey) -> Column:
        """Return the column of a key as it decides: for players who left, perhaps of an earlier round."""
        column = self.current_column(key)
        if key.of == "self":
            return column
        frozen, rounds = [], self.exact.frozen_rounds
        for last in np.unique(rounds[rounds < self.history.rounds]).tolist():
            if last not in self._earlier:
                self._earlier[last] = FastValues(self.history.after(last), self.book)
            frozen.append((np.flatnonzero(rounds == last), self._earlier[last].current_column(key)))
        return c.replace_values(column, frozen, lambda player: self.exact.deciding_value(key.key, player))

    def current_column(self, key: ValueKey) -> Column:
        """Return the column of a key after all rounds there are."""

        def exact(player: int) -> Fraction:
            return self.exact.current_value(key.key, player)

        def limited(player: int) -> Fraction:
            return self.exact.count_own_value(key, player)

        if key.of == "tablemates":
            return self._tablemates(key, exact)
        column = c.limit_values(self._measured(key.measure), key.floor, key.cap, None, limited)
        if key.cap_if_dropped is not None:
            column = c.limit_values(column, None, key.cap_if_dropped, self.dropped, limited)
        if key.of == "self":
            return column
        history = self.history
        mean = key.aggregate == "mean"
        return c.combine_opponents(column, history.opponents, history.meetings, mean, key.empty, exact)

    def _measured(self, name: str) -> Column:
        """Return the column of a measure, or of an earlier key used as one."""
        if name not in self._known:
            measure, keys = self.book.measures.get(name), self.exact.keys
            self._known[name] = self._measure(measure, name) if measure else self.current_column(keys[name])
        return self._known[name]

    def _measure(self, measure: Measure, name: str) -> Column:
        def exact(player: int) -> Fraction:
            return self.exact.measure_value(name, player)

        match measure:
            case Outcomes():
                return self._outcomes(measure, exact)
            case Games():
                return self._games(measure, exact)
            case Scores():
                assert self.history.scores is not None
                return Scaled(self.history.scores.sum(axis=0), 1)
            case Cumulative():
                return self._cumulative(measure, exact)
            case Flag():
                flags = {"late": self.history.entered > 1, "dropped": self.dropped}[measure.of]
                return Scaled(flags.astype(np.int64), 1)

    def _outcomes(self, measure: Outcomes, exact: Exact) -> Column:
        credit_of = {Outcome[name.upper()]: measure.credit(name) for name in get_args(OutcomeName)}
        counts = self.history.counts
        earned, unit = _weighted(counts, {played: credit.earned for played, credit in credit_of.items()})
        if measure.value == "sum":
            return c.divide(earned, unit, exact)
        possible, parts = _weighted(counts, {played: credit.possible for played, credit in credit_of.items()})
        return c.divide(_times(earned, parts), _times(possible, unit), exact)

    def _games(self, measure: Games, exact: Exact) -> Column:
        totals = self.history.game_totals
        counts = self.history.counts
        for played, instead in (
            (Outcome.BYE, measure.find_bye_games(self.book.match.best_of)),
            (Outcome.ASSIGNED, measure.assigned),
            (Outcome.MISSED, measure.missed),
        ):
            if any(instead) and counts[played].any():
                totals = totals + counts[played] * np.array(instead, np.uint32)[:, None]
        worth = (measure.won, measure.lost, measure.drawn)
        earned, unit = _weighted(totals, {i: credit.earned for i, credit in enumerate(worth)})
        possible, parts = _weighted(totals, {i: credit.possible for i, credit in enumerate(worth)})
        return c.divide(_times(earned, parts), _times(possible, unit), exact)

    def _cumulative(self, measure: Cumulative, exact: Exact) -> Column:
        """Compute Horner's scheme in integers, with weight a/b and times b^(r−1):

        raw(r) × b^(r−1) = a × raw(r−1) × b^(r−2) + total(r) × b^(r−1).
        """
        history = self.history
        worth = [Fraction(0)] * len(Outcome)
        for name in ("win", "draw", "loss", "bye", "double_loss", "assigned", "missed"):
            worth[Outcome[name.upper()]] = getattr(measure, name, measure.loss)
        unit = lcm(*(value.denominator for value in worth))
        a, b = measure.weight.numerator, measure.weight.denominator
        powers = sum((Fraction(a, b) ** i for i in range(history.rounds)), Fraction(1)) * b**history.rounds
        if max(Fraction(1), *map(abs, worth)) * unit * (history.rounds + 1) * powers >= LIMIT:
            floats = np.array([float(exact(player)) for player in range(history.size)], np.float64)
            return Rounded(floats, UNIT * float(np.abs(floats).max(initial=0.0)), exact)
        table = np.array([int(value * unit) for value in worth], np.int64)
        total = raw = np.zeros(history.size, np.int64)
        perfect, below = 0, np.ones(history.size, np.int64)
        for r, played in enumerate(history.played):
            total = total + table[played]
            now = a * raw + total * b**r
            perfect = a * perfect + int(measure.win * unit) * (r + 1) * b**r
            stays = (played == Outcome.GONE) & (measure.after_leaving == "freezes")
            raw = np.where(stays, raw, now)
            below = np.where(stays, below, perfect if measure.normalised else unit * b**r)
        return c.divide(raw, below, exact)

    def _tablemates(self, key: ValueKey, exact: Exact) -> Column:
        history = self.history
        assert history.scores is not None
        with_nobody = np.append(history.scores, np.zeros((history.rounds, 1), np.int64), axis=1)
        total = np.zeros(history.size, np.int64)
        for r, row in zip(history.meeting_round, history.opponents, strict=True):
            total += with_nobody[r, row]
        return c.divide(total, history.meetings.astype(np.int64) if key.aggregate == "mean" else 1, exact)


def _weighted(counts: NDArray[Any], weights: dict[int, Fraction]) -> tuple[NDArray[Any], int]:
    """Return the weighted sum of the rows of `counts`, in whole numbers, and what to divide it by."""
    unit = lcm(*(weight.denominator for weight in weights.values()))
    whole = {row: int(weight * unit) for row, weight in weights.items() if weight}
    most = max(int(counts.max(initial=0)), 1) * sum(map(abs, whole.values()))
    small = most < 2**16 and min(whole.values(), default=0) >= 0
    total = np.zeros(counts.shape[1], np.uint16 if small else np.int64 if most < LIMIT else object)
    for row, weight in whole.items():
        total += counts[row].astype(total.dtype) * weight if weight != 1 else counts[row]
    return total, unit


def _times(values: NDArray[Any], factor: int) -> NDArray[Any]:
    """Return the product, in Python's integers where 64 bits could be too few."""
    if factor == 1:
        return values
    fits = values.dtype != object and max(c.find_largest(values), 1) * factor < LIMIT
    product: NDArray[Any] = values.astype(np.int64 if fits else object) * factor
    return product
