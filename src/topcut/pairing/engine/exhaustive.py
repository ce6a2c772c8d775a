"""Find the best pairings of a small field by comparing all there are.

Up to twelve seats have at most 10,395 pairings: every one is costed, and rounds still to come are
looked at too, so that no choice now leaves a later round without a pairing (spec 0.7).
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from topcut.lots import Stream
from topcut.pairing.engine.costs import BY_NAME, build_cost_matrices, compute_cost, find_legal_tables
from topcut.pairing.engine.field import Cost, Field, FieldPairing, Ints, Tables

EXHAUSTIVE_SEATS = 12
"""The largest field that is compared as a whole, the bye included."""

Pairings = NDArray[np.int64]
"""Pairings × tables × 2."""


@cache
def list_pairings(seats: int) -> Pairings:
    """Return every way to seat an even number of players in twos."""
    if seats == 0:
        return np.zeros((1, 0, 2), np.int64)
    smaller = list_pairings(seats - 2)
    parts = []
    for second in range(1, seats):
        others = np.array([seat for seat in range(1, seats) if seat != second], np.int64)
        first = np.broadcast_to(np.array([[[0, second]]]), (len(smaller), 1, 2))
        parts.append(np.concatenate([first, others[smaller]], axis=1))
    return np.concatenate(parts)


def list_legal_pairings(together: NDArray[np.bool_]) -> Pairings:
    """Return every pairing all of whose tables may be; `together`: seats × seats."""
    listed = list_pairings(len(together))
    return listed[together[listed[:, :, 0], listed[:, :, 1]].all(axis=1)]


@dataclass(frozen=True)
class BestPairings:
    """All pairings that reach the minimum, and what it is."""

    field: Field
    pairings: Pairings
    cost: Cost

    @cached_property
    def _certain(self) -> frozenset[tuple[int, int]]:
        """The tables that all of them have."""
        every = (frozenset(map(tuple, pairing)) for pairing in self.pairings.tolist())
        return frozenset[tuple[int, int]].intersection(*every)

    def draw(self, stream: Stream) -> FieldPairing:
        tables = self.pairings[stream.below(len(self.pairings))]
        proof: dict[str, object] = {"kind": "exhaustive", "pairings": len(list_pairings(self.field.seats))}
        return FieldPairing(self.field, tables, self.cost, "exact", proof, certain=self._certain)


def find_best_pairings(field: Field, ahead: "LookAhead | None" = None) -> BestPairings | None:
    """Return the best of all pairings, None if the hard rules leave none; `ahead`: how to look ahead."""
    kept = list_legal_pairings(find_legal_tables(field))
    if not len(kept):
        return None
    matrices, names = build_cost_matrices(field), list(BY_NAME)
    sooner = [matrices.pop(name) for name in names[: names.index("dead_end")] if name in matrices]
    kept = _keep_cheapest(kept, sooner)
    later = list(matrices.values())
    if field.looks_ahead:
        kept = _keep_open(kept, later, ahead or LookAhead(field))
    else:
        kept = _keep_cheapest(kept, later)
    return BestPairings(field, kept, compute_cost(field, kept[0]))


def is_dead_end(field: Field, pairing: Tables, best: Tables) -> bool:
    """Return whether a pairing leaves fewer of the next planned rounds possible than the best one does."""
    if not field.looks_ahead:
        return False
    ahead = LookAhead(field)
    depths = range(1, field.rules.look_ahead + 1)
    return any(ahead.leaves_a_way(best, depth) and not ahead.leaves_a_way(pairing, depth) for depth in depths)


def _sum_costs(pairings: Pairings, matrix: Ints) -> Ints:
    totals: Ints = matrix[pairings[:, :, 0], pairings[:, :, 1]].sum(axis=1)
    return totals


def _keep_cheapest(pairings: Pairings, matrices: list[Ints]) -> Pairings:
    for matrix in matrices:
        totals = _sum_costs(pairings, matrix)
        pairings = pairings[totals == totals.min()]
    return pairings


def _keep_open(pairings: Pairings, later: list[Ints], ahead: "LookAhead") -> Pairings:
    """Return the cheapest by the later components among the pairings that keep most rounds open."""
    for depth in range(ahead.field.rules.look_ahead, 0, -1):
        if ahead.spare >= depth:
            break
        rest = pairings
        while len(rest):
            best = _keep_cheapest(rest, later)
            still_open = [pairing for pairing in best if ahead.leaves_a_way(pairing, depth)]
            if still_open:
                return np.array(still_open)
            tried = np.ones(len(rest), bool)
            for matrix in later:
                tried &= _sum_costs(rest, matrix) == _sum_costs(best[:1], matrix)[0]
            rest = rest[~tried]
    return _keep_cheapest(pairings, later)


class LookAhead:
    """Tells whether the rounds that follow can be paired without a rematch or a second bye.

    A pairing is a set of bits, one for each two seats; at most 66 of them, so two words.
    """

    def __init__(self, field: Field, begun: Tables | None = None, seats: Ints | None = None) -> None:
        """Look ahead for a field; of one that is paired in part, `begun` are the tables that it has already,
        and `seats` the positions in it of the seats that are still to be paired.
        """
        self.field = field
        self._begun, self._seats = begun, seats
        self._bits = np.zeros((2, field.seats, field.seats), np.uint64)
        for number, (a, b) in enumerate(zip(*np.triu_indices(field.seats, 1), strict=True)):
            word, bit = divmod(number, 64)
            self._bits[word, a, b] = self._bits[word, b, a] = np.uint64(1) << np.uint64(bit)
        fresh = find_legal_tables(field, as_if_never=True)
        self.spare = int(fresh.sum(axis=1).min(initial=field.seats)) - field.seats / 2
        """Rounds that certainly follow: each takes one seat of those left to everybody, and while half of all
        are left, there is a way (Dirac)."""
        self._later = self._to_words(list_legal_pairings(fresh))

    def _to_words(self, pairings: Pairings) -> NDArray[np.uint64]:
        """Return the bits of each pairing: 2 × pairings."""
        words = self._bits[:, pairings[:, :, 0], pairings[:, :, 1]]
        joined: NDArray[np.uint64] = np.bitwise_or.reduce(words, axis=2)
        return joined

    def leaves_a_way(self, pairing: Ints, depth: int) -> bool:
        """Return whether as many rounds as `depth` can follow this pairing."""
        if self._begun is not None and self._seats is not None:
            pairing = np.concatenate([self._begun, self._seats[pairing]])
        pairing = pairing[pairing.max(axis=1, initial=0) < self.field.seats]  # a bye beside an even number
        used = self._to_words(pairing[None])
        left = self._later[:, ((self._later & used) == 0).all(axis=0)]
        if depth == 1 or left.shape[1] == 0:
            return bool(left.shape[1])
        return any(((left & left[:, i : i + 1]) == 0).all(axis=0).any() for i in range(left.shape[1]))
