"""The best pairings of a small field, found by comparing all there are.

Up to twelve seats have at most 10,395 pairings: every one is costed, and rounds still to come are
looked at too, so that no choice now leaves a later round without a pairing (spec 0.7).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from topcut.lots import Stream
from topcut.pairing.costs import allowed, matrices
from topcut.pairing.field import Cost, Field, Ints, Tables, cost_of, shown

SEATS = 12
"""The largest field that is compared as a whole, the bye included."""


@cache
def all_pairings(seats: int) -> NDArray[np.int64]:
    """Every way to seat an even number of players in twos: pairings × tables × 2."""
    if seats == 0:
        return np.zeros((1, 0, 2), np.int64)
    smaller = all_pairings(seats - 2)
    parts = []
    for second in range(1, seats):
        others = np.array([seat for seat in range(1, seats) if seat != second], np.int64)
        first = np.broadcast_to(np.array([[[0, second]]]), (len(smaller), 1, 2))
        parts.append(np.concatenate([first, others[smaller]], axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True)
class Compared:
    """All pairings that reach the minimum, and what it is."""

    field: Field
    pairings: NDArray[np.int64]
    cost: Cost
    compared: int
    """How many pairings there are in all."""

    def draw(self, stream: Stream) -> Tables:
        drawn: Tables = self.pairings[stream.below(len(self.pairings))]
        return drawn

    @cached_property
    def certain(self) -> frozenset[tuple[int, int]]:
        """The tables that all of them have."""
        every = (frozenset(map(tuple, pairing)) for pairing in self.pairings.tolist())
        return frozenset[tuple[int, int]].intersection(*every)

    @property
    def certificate(self) -> dict[str, object]:
        return {"kind": "exhaustive", "pairings": self.compared}


def compare(field: Field) -> Compared | None:
    """The best of all pairings; None where the hard rules leave none."""
    seats = field.size + field.odd
    everything = all_pairings(seats)
    legal = allowed(field)
    kept = everything[legal[everything[:, :, 0], everything[:, :, 1]].all(axis=1)]
    if not len(kept):
        return None
    by_component = matrices(field)
    order = list(field.rules.minimise)
    if field.rules.look_ahead and field.met_counts and "dead_end" in order:
        at = order.index("dead_end")
        kept = _cheapest(kept, [by_component[c] for c in order[:at] if c in by_component])
        later = [by_component[c] for c in order[at + 1 :] if c in by_component]
        kept = _looking_ahead(field, kept, later)
    else:
        kept = _cheapest(kept, [by_component[c] for c in order if c in by_component])
    return Compared(field, kept, shown(field, cost_of(field, kept[0])), len(everything))


def rounds_kept_open(field: Field, pairing: Tables) -> int:
    """How many of the next planned rounds this pairing leaves possible without a rematch or second bye."""
    if not (field.rules.look_ahead and field.met_counts and "dead_end" in field.rules.minimise):
        return 0
    ahead = _Ahead(field)
    depths = range(field.rules.look_ahead, 0, -1)
    return next((depth for depth in depths if ahead.leaves_a_way(pairing, depth)), 0)


def _totals(pairings: NDArray[np.int64], matrix: Ints) -> Ints:
    totals: Ints = matrix[pairings[:, :, 0], pairings[:, :, 1]].sum(axis=1)
    return totals


def _cheapest(pairings: NDArray[np.int64], components: list[Ints]) -> NDArray[np.int64]:
    for matrix in components:
        totals = _totals(pairings, matrix)
        pairings = pairings[totals == totals.min()]
    return pairings


def _looking_ahead(field: Field, pairings: NDArray[np.int64], later: list[Ints]) -> NDArray[np.int64]:
    """The cheapest by the later components among those that keep most of the next rounds open.

    Cheapest first, so that hardly ever more than a few pairings are looked at.
    """
    ahead = _Ahead(field)
    for depth in range(field.rules.look_ahead, 0, -1):
        if ahead.certain(depth):
            break
        rest = pairings
        while len(rest):
            best = _cheapest(rest, later)
            open_ways = np.array([ahead.leaves_a_way(pairing, depth) for pairing in best], bool)
            if open_ways.any():
                survivors: NDArray[np.int64] = best[open_ways]
                return survivors
            taken = np.logical_and.reduce([_totals(rest, m) == _totals(best[:1], m)[0] for m in later])
            rest = rest[~taken]
    return _cheapest(pairings, later)


class _Ahead:
    """Can the rounds that follow be paired without a rematch or a second bye?

    A pairing is a set of bits, one for each two seats; at most 66 of them, so two words.
    """

    def __init__(self, field: Field) -> None:
        seats = field.size + field.odd
        self.bits = np.zeros((2, seats, seats), np.uint64)
        for number, (a, b) in enumerate(zip(*np.triu_indices(seats, 1), strict=True)):
            word, bit = divmod(number, 64)
            self.bits[word, a, b] = self.bits[word, b, a] = np.uint64(1) << np.uint64(bit)
        fresh = allowed(field, as_if_never=True)
        self.spare = int(fresh.sum(axis=1).min(initial=seats)) - seats / 2
        everything = all_pairings(seats)
        legal = everything[fresh[everything[:, :, 0], everything[:, :, 1]].all(axis=1)]
        self.later = self._words(legal)

    def _words(self, pairings: NDArray[np.int64]) -> NDArray[np.uint64]:
        """2 × pairings: the bits of each pairing."""
        words = self.bits[:, pairings[:, :, 0], pairings[:, :, 1]]
        joined: NDArray[np.uint64] = np.bitwise_or.reduce(words, axis=2)
        return joined

    def certain(self, depth: int) -> bool:
        """Each round takes one seat of those left to everybody; while half of all are, there is a way."""
        return self.spare >= depth  # Dirac

    def leaves_a_way(self, pairing: Ints, depth: int) -> bool:
        used = self._words(pairing[None])
        left = self.later[:, ((self.later & used) == 0).all(axis=0)]
        if depth == 1 or left.shape[1] == 0:
            return bool(left.shape[1])
        return any(((left & left[:, i : i + 1]) == 0).all(axis=0).any() for i in range(left.shape[1]))
