"""Work out one player's values in fractions, step by step, as a person would do it.

It is slow and plain. `explain` prints its steps, and `measures`, the fast way to the same values, asks it
for the exact value where two floats are too close to tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from topcut.history import History, Outcome
from topcut.rulebook.keys import Credit, Cumulative, Flag, Games, Measure, Outcomes, Scores, ValueKey
from topcut.rulebook.model import Book
from topcut.standings.columns import Ints


@dataclass(frozen=True)
class Contribution:
    """What one meeting adds to a key: the opponent's value, and what it counts for."""

    round: int
    opponent: int
    value: Fraction
    counted: Fraction
    limit: str
    """Empty, or which limit changed the value: "floor" or "cap"."""


class Working:
    """The exact values of one event; each is worked out once."""

    def __init__(self, history: History, book: Book) -> None:
        self.history = history
        self.book = book
        self._keys = {key.key: key for key in book.chain if isinstance(key, ValueKey)}
        self._known: dict[tuple[str, int], Fraction] = {}
        self._measured: dict[tuple[str, int], Fraction] = {}
        self._last_rounds = find_last_rounds(history, book)
        self._earlier: dict[int, Working] = {}

    def key(self, name: str, player: int) -> Fraction:
        """Return the value of a key of the chain, as it decides about a player."""
        return self.deciding(self._keys[name], player).unfrozen(name, player)

    def deciding(self, key: ValueKey, player: int) -> Working:
        """Return the values that a key of a player is made of: those of now, or of the moment they froze."""
        frozen = self.frozen_after(key, player)
        return self if frozen is None else self.after(frozen)

    def frozen_after(self, key: ValueKey, player: int) -> int | None:
        """Return the round after which a key of a player stays as it was; None where it does not."""
        if key.of == "self" or self.book.standings.opponents_freeze == "never":
            return None
        last = self.last_round(player)
        return last if last < self.history.rounds else None

    def after(self, rounds: int) -> Working:
        """Return the values as they were after a number of rounds."""
        if rounds not in self._earlier:
            self._earlier[rounds] = Working(self.history.after(rounds), self.book)
        return self._earlier[rounds]

    def unfrozen(self, name: str, player: int) -> Fraction:
        """Return the value of a key after all rounds there are."""
        if (name, player) not in self._known:
            self._known[name, player] = self._key(self._keys[name], player)
        return self._known[name, player]

    def _key(self, key: ValueKey, player: int) -> Fraction:
        if key.of == "self":
            return self.limited(key, player)
        counted = [c.counted for c in self.contributions(key, player)]
        if not counted:
            return key.empty
        return sum(counted, Fraction(0)) / (len(counted) if key.aggregate == "mean" else 1)

    def contributions(self, key: ValueKey, player: int) -> list[Contribution]:
        """Return what each meeting adds to a key over opponents, in order of the rounds."""
        found = []
        for r, opponent in self.history.met(player):
            if key.of == "tablemates":
                assert self.history.scores is not None
                value = Fraction(int(self.history.scores[r, opponent]))
            else:
                value = self.value(key.measure, opponent)
            counted, limit = self._limited(key, opponent, value)
            found.append(Contribution(r + 1, opponent, value, counted, limit))
        return found

    def value(self, name: str, player: int) -> Fraction:
        """Return the value of a measure, or of a key used as one."""
        measure = self.book.measures.get(name)
        if measure is None:
            return self.unfrozen(name, player)
        if (name, player) not in self._measured:
            self._measured[name, player] = self._measure(measure, player)
        return self._measured[name, player]

    def limited(self, key: ValueKey, player: int) -> Fraction:
        """Return what a player's own value counts for in a key, after floor and caps."""
        return self._limited(key, player, self.value(key.measure, player))[0]

    def dropped(self, player: int) -> bool:
        """Return whether a player had left by then, of their own will or a judge's."""
        return self.last_round(player) <= self.history.rounds

    def last_round(self, player: int) -> int:
        """Return the last round before a player left; `NEVER` for who stays."""
        return int(self._last_rounds[player])

    def _limited(self, key: ValueKey, player: int, value: Fraction) -> tuple[Fraction, str]:
        caps = [key.cap, key.cap_if_dropped if self.dropped(player) else None]
        limited, limit = value, ""
        if key.floor is not None and limited < key.floor:
            limited, limit = key.floor, "floor"
        for cap in caps:
            if cap is not None and limited > cap:
                limited, limit = cap, "cap"
        return limited, limit

    def _measure(self, measure: Measure, player: int) -> Fraction:
        match measure:
            case Outcomes():
                by_round = [self.credit(measure, r, player) for r in range(self.history.rounds)]
                return (
                    _divide_credits(by_round)
                    if measure.value == "rate"
                    else sum((c.earned for c in by_round), Fraction(0))
                )
            case Games():
                return _divide_credits(self.game_credits(measure, player))
            case Scores():
                assert self.history.scores is not None
                return Fraction(int(self.history.scores[:, player].sum()))
            case Cumulative():
                return self._cumulative(measure, player)
            case Flag():
                late = int(self.history.entered[player]) > 1
                return Fraction(int(late if measure.of == "late" else self.dropped(player)))

    def credit(self, measure: Outcomes, r: int, player: int) -> Credit:
        """Return what round `r` (from 0) adds to a measure."""
        played = Outcome(int(self.history.played[r, player]))
        if played == Outcome.GONE:
            return Credit(Fraction(0))
        credit: Credit = measure.credit(played.name.lower())  # type: ignore[arg-type]
        return credit

    def game_credits(self, measure: Games, player: int) -> list[Credit]:
        """Return what each game adds: those played, and those a bye or a loss without opponent stands for."""
        won, lost, drawn = (int(total) for total in self.history.game_totals[:, player])
        for played, instead in (
            (Outcome.BYE, measure.bye),
            (Outcome.ASSIGNED, measure.assigned),
            (Outcome.MISSED, measure.missed),
        ):
            times = int((self.history.played[:, player] == played).sum())
            won, lost, drawn = won + times * instead[0], lost + times * instead[1], drawn + times * instead[2]
        return [measure.won] * won + [measure.lost] * lost + [measure.drawn] * drawn

    def running_totals(self, measure: Cumulative, player: int) -> list[Fraction]:
        """Return the total after each round; where values freeze, until the player left."""
        worth = {Outcome.WIN: measure.win, Outcome.DRAW: measure.draw, Outcome.BYE: measure.bye}
        totals, total = [], Fraction(0)
        for played in self.history.played[:, player]:
            if played == Outcome.GONE and measure.after_leaving == "freezes":
                break
            total += (
                Fraction(0) if played in (Outcome.GONE, Outcome.IDLE) else worth.get(played, measure.loss)
            )
            totals.append(total)
        return totals

    def _cumulative(self, measure: Cumulative, player: int) -> Fraction:
        raw = perfect = Fraction(0)
        for r, total in enumerate(self.running_totals(measure, player), start=1):
            raw = measure.weight * raw + total
            perfect = measure.weight * perfect + r * measure.win
        return (raw / perfect if perfect else Fraction(0)) if measure.normalised else raw


def find_last_rounds(history: History, book: Book) -> Ints:
    """Return the last round of each player before a drop, a disqualification, or a cut if that counts."""
    last: Ints = np.minimum(history.dropped, history.disqualified)
    return np.minimum(last, history.cut) if book.standings.cut_counts_as_dropped else last


def _divide_credits(by_round: list[Credit]) -> Fraction:
    possible = sum((credit.possible for credit in by_round), Fraction(0))
    return sum((credit.earned for credit in by_round), Fraction(0)) / possible if possible else Fraction(0)
