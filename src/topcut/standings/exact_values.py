"""Compute the exact values of one player in fractions, step by step, as a person would do it.

It is slow and plain. `explain` prints its steps, and `fast_values`, the fast way to the same values, asks it
for the exact value where two floats are too close to tell.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from topcut.history import History, Outcome
from topcut.history.arrays import NEVER
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import Credit, Cumulative, Flag, Games, Measure, Outcomes, Scores, ValueKey
from topcut.standings.columns import Ints


@dataclass(frozen=True)
class Contribution:
    """What one meeting adds to a key: what the opponent's value counts for."""

    round: int
    opponent: int
    counted: Fraction
    limit: str
    """Empty, or which limit changed the value: "floor" or "cap"."""


class ExactValues:
    """Compute each exact value of one event once, after all its rounds or after an earlier one."""

    def __init__(self, history: History, book: Book) -> None:
        self.history = history
        self.book = book
        self.keys = {key.key: key for key in book.chain if isinstance(key, ValueKey)}
        self.last_rounds: Ints = np.minimum(history.dropped, history.disqualified)
        """The last round of each player before a drop, a disqualification, or a cut if that counts."""
        if book.standings.cut_counts_as_dropped:
            self.last_rounds = np.minimum(self.last_rounds, history.cut)
        self.frozen_rounds: Ints = self._find_frozen_rounds()
        """The round after which each player's keys over opponents stay as they were; NEVER where none is."""
        self._known: dict[tuple[str, int], Fraction] = {}
        self._measured: dict[tuple[str, int], Fraction] = {}
        self._earlier: dict[int, ExactValues] = {}

    def _find_frozen_rounds(self) -> Ints:
        history, freeze = self.history, self.book.standings.opponents_freeze
        if freeze == "at the drop":
            return self.last_rounds
        if freeze == "never":
            return np.full(history.size, NEVER, np.int64)
        ends = np.append(np.unique(history.cut[history.cut < NEVER]), NEVER)  # a cut ends a stage
        return ends[np.searchsorted(ends, history.last)]

    def deciding_value(self, name: str, player: int) -> Fraction:
        """Return the value by which a key ranks a player: after all rounds, or frozen."""
        return self.values_for(self.keys[name], player).current_value(name, player)

    def values_for(self, key: ValueKey, player: int) -> "ExactValues":
        """Return the values behind a key of a player: after all rounds, or after the one where it froze."""
        frozen = self.frozen_after(key, player)
        if frozen is None:
            return self
        if frozen not in self._earlier:
            self._earlier[frozen] = ExactValues(self.history.after(frozen), self.book)
        return self._earlier[frozen]

    def frozen_after(self, key: ValueKey, player: int) -> int | None:
        """Return the round after which a key of a player stays as it was; None where it does not."""
        if key.of == "self":
            return None
        last = int(self.frozen_rounds[player])
        return last if last < self.history.rounds else None

    def current_value(self, name: str, player: int) -> Fraction:
        """Return the value of a key after all rounds there are."""
        if (name, player) not in self._known:
            key = self.keys[name]
            if key.of == "self":
                found = self.count_own_value(key, player)
            elif counted := [c.counted for c in self.contributions(key, player)]:
                found = sum(counted, Fraction(0)) / (len(counted) if key.aggregate == "mean" else 1)
            else:
                found = key.empty
            self._known[name, player] = found
        return self._known[name, player]

    def contributions(self, key: ValueKey, player: int) -> list[Contribution]:
        """Return what each meeting adds to a key over opponents, in order of the rounds."""
        found = []
        for r, opponent in self.history.met(player):
            if key.of == "tablemates":
                assert self.history.scores is not None
                value = Fraction(int(self.history.scores[r, opponent]))
            else:
                value = self.measure_value(key.measure, opponent)
            found.append(Contribution(r + 1, opponent, *self._apply_limits(key, opponent, value)))
        return found

    def measure_value(self, name: str, player: int) -> Fraction:
        """Return the value of a measure, or the current one of a key used as a measure."""
        measure = self.book.measures.get(name)
        if measure is None:
            return self.current_value(name, player)
        if (name, player) not in self._measured:
            self._measured[name, player] = self._measure(measure, player)
        return self._measured[name, player]

    def count_own_value(self, key: ValueKey, player: int) -> Fraction:
        """Return what a player's own value counts for in a key, after floor and caps."""
        return self._apply_limits(key, player, self.measure_value(key.measure, player))[0]

    def _has_left(self, player: int) -> bool:
        """Return whether a player had left by then, of their own will or a judge's."""
        return bool(self.last_rounds[player] <= self.history.rounds)

    def _apply_limits(self, key: ValueKey, player: int, value: Fraction) -> tuple[Fraction, str]:
        limit = ""
        if key.floor is not None and value < key.floor:
            value, limit = key.floor, "floor"
        for cap in (key.cap, key.cap_if_dropped if self._has_left(player) else None):
            if cap is not None and value > cap:
                value, limit = cap, "cap"
        return value, limit

    def _measure(self, measure: Measure, player: int) -> Fraction:
        match measure:
            case Outcomes():
                total = sum_credits(self.round_credits(measure, player))
                return _divide_credit(total) if measure.value == "rate" else total.earned
            case Games():
                return _divide_credit(sum_credits(self.game_credits(measure, player)))
            case Scores():
                assert self.history.scores is not None
                return Fraction(int(self.history.scores[:, player].sum()))
            case Cumulative():
                steps = self.cumulative_steps(measure, player)
                _, raw, perfect = steps[-1] if steps else (0, Fraction(0), Fraction(0))
                return _divide_credit(Credit(raw, perfect)) if measure.normalised else raw
            case Flag():
                late = bool(self.history.entered[player] > 1)
                return Fraction({"late": late, "dropped": self._has_left(player)}[measure.of])

    def round_credits(self, measure: Outcomes, player: int) -> list[Credit]:
        """Return what each round adds to a measure."""
        names: list[Any] = [Outcome(int(played)).name.lower() for played in self.history.played[:, player]]
        return [Credit(Fraction(0)) if name == "gone" else measure.credit(name) for name in names]

    def game_credits(self, measure: Games, player: int) -> list[Credit]:
        """Return what each game adds: played games, and games that a bye or an assigned loss counts as."""
        won, lost, drawn = (int(total) for total in self.history.game_totals[:, player])
        for played, instead in (
            (Outcome.BYE, measure.find_bye_games(self.book.match.best_of)),
            (Outcome.ASSIGNED, measure.assigned),
            (Outcome.MISSED, measure.missed),
        ):
            times = int(self.history.counts[played, player])
            won, lost, drawn = won + times * instead[0], lost + times * instead[1], drawn + times * instead[2]
        return [measure.won] * won + [measure.lost] * lost + [measure.drawn] * drawn

    def cumulative_steps(self, measure: Cumulative, player: int) -> list[tuple[Fraction, Fraction, Fraction]]:
        """Return after each round the total, the weighted sum, and the sum that winning every round gives.

        Where values freeze they end when the player left.
        """
        worth = {Outcome.WIN: measure.win, Outcome.DRAW: measure.draw, Outcome.BYE: measure.bye}
        worth |= dict.fromkeys((Outcome.GONE, Outcome.IDLE), Fraction(0))
        total = raw = perfect = Fraction(0)
        steps = []
        for r, played in enumerate(self.history.played[:, player], start=1):
            if played == Outcome.GONE and measure.after_leaving == "freezes":
                break
            total += worth.get(played, measure.loss)
            raw = measure.weight * raw + total
            perfect = measure.weight * perfect + r * measure.win
            steps.append((total, raw, perfect))
        return steps


def sum_credits(each: list[Credit]) -> Credit:
    """Return what was earned and what was possible in all."""
    return Credit(sum((c.earned for c in each), Fraction(0)), sum((c.possible for c in each), Fraction(0)))


def _divide_credit(credit: Credit) -> Fraction:
    return credit.earned / credit.possible if credit.possible else Fraction(0)
