"""Keeping players with a common label apart in a large field, where that costs nothing else.

Two players with the same points can change seats without changing any difference in points. Sweeps of
such changes, all over the field at once, take tables of players who share a label apart; more of them,
which leave the number of such tables alone, then mix what is left.
"""

from __future__ import annotations

import numpy as np

from topcut.lots import Stream
from topcut.pairing.field import Field, Ints, Tables
from topcut.pairing.groups import Parity

SWEEPS = 200
IDLE = 12
"""Sweeps without a change before giving up."""
MIXING = 20


def spread(field: Field, tables: Tables, stream: Stream) -> Tables:
    """The same round with as few tables of a shared label as sweeps can reach."""
    partner = np.full(field.size + 1, field.size, np.int64)
    partner[tables[:, 0]], partner[tables[:, 1]] = tables[:, 1], tables[:, 0]
    idle = 0
    for sweep in range(SWEEPS):
        shared = np.flatnonzero(_shared(field, np.arange(field.size), partner[:-1]))
        if not len(shared) or idle == IDLE:
            break
        # At first among those at such tables: their changes help two tables at once.
        among = shared if sweep % 2 == 0 else np.arange(field.size)
        idle = 0 if _sweep(field, partner, shared, among, stream, gain=1) else idle + 1
    for _ in range(MIXING):
        _sweep(field, partner, np.arange(field.size), np.arange(field.size), stream, gain=0)
    first = np.flatnonzero(np.arange(field.size) < partner[:-1])
    rows = np.stack((first, partner[first]), axis=1)
    return rows[np.argsort(rows[:, 1] == field.size, kind="stable")]


def _sweep(field: Field, partner: Ints, some: Ints, among: Ints, stream: Stream, gain: int) -> int:
    """Let some players change seats with others of the same points; the number of changes made.

    `gain`: by how much fewer shared tables a change must leave; none of them may leave more.
    """
    ones = some[stream.order(len(some))]
    others = _with_same_points(field, ones, among, stream)
    usable = (others != ones) & (partner[ones] != others)
    usable &= (partner[ones] < field.size) & (partner[others] < field.size)
    ones, others = ones[usable], others[usable]
    mine, theirs = partner[ones], partner[others]
    before = _shared(field, ones, mine).astype(np.int64) + _shared(field, others, theirs)
    after = _shared(field, others, mine).astype(np.int64) + _shared(field, ones, theirs)
    good = after <= before - gain
    if field.met_counts:
        good &= ~(field.have_met(others, mine) | field.have_met(ones, theirs))
    seats = np.stack((ones, others, mine, theirs), axis=1)[good]
    seats = seats[_disjoint(field.size, seats)]
    ones, others, mine, theirs = seats.T
    partner[ones], partner[theirs] = theirs, ones
    partner[others], partner[mine] = mine, others
    return len(seats)


def _with_same_points(field: Field, players: Ints, among: Ints, stream: Stream) -> Ints:
    """For each player a random one of `among` (in the order of the field) with the same points."""
    low = np.searchsorted(-field.points[among], -field.points[players], "left")
    high = np.searchsorted(-field.points[among], -field.points[players], "right")
    room = np.maximum(high - low, 1)
    chosen = low + (stream.numbers(len(players)) % room.astype(np.uint64)).astype(np.int64)
    found: Ints = np.where(high > low, among[np.minimum(chosen, len(among) - 1)], players)
    return found


def _disjoint(size: int, seats: Ints) -> Ints:
    """The rows of which nobody sits in an earlier row."""
    first = np.full(size, len(seats), np.int64)
    np.minimum.at(first, seats.ravel(), np.repeat(np.arange(len(seats)), seats.shape[1]))
    kept: Ints = np.flatnonzero((first[seats] == np.arange(len(seats))[:, None]).all(axis=1))
    return kept


def _shared(field: Field, first: Ints, second: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether players share a label; a bye shares none."""
    codes = field.label_codes
    shared = np.zeros(len(first), bool)
    for mine in codes:
        for theirs in codes:
            shared |= (mine[first] == theirs[second]) & (mine[first] >= 0)
    return shared


def least(field: Field, parity: Parity) -> int:
    """No pairing at the parity bound has fewer tables of a shared label than this.

    In a score group of m players of whom k share a label, the m − k others and the tables across the two
    edges (and the bye) can take that many of the k; the rest sit with each other.
    """
    total = 0
    for g, (low, high) in enumerate(parity.groups):
        outside = parity.odd[g] + (parity.odd[g - 1] if g else False) + (g == parity.bye_group)
        most = 0
        for code in set(field.label_codes[:, low:high].ravel().tolist()) - {-1}:
            holders = int((field.label_codes[:, low:high] == code).any(axis=0).sum())
            left = holders - (high - low - holders) - outside
            most = max(most, (left + 1) // 2)
        total += most
    return total
