"""Random changes that cost nothing: how a draw that cannot be counted is made fair, approximately.

Two or three players pass their partners on to one another, if what they then cost is what they cost
before. Every such change is as likely as its reverse, so in the long run all pairings that changes
lead to are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topcut.lots import Stream
from topcut.pairing.field import Ints, Tables

CHANGES = 40
"""Tried for each player of the part that is mixed, up to MOST in all."""
MOST = 8000


def mixed(
    tables: Tables, some: Ints, around: Ints, cost: Callable[[int, int], int | None], stream: Stream
) -> Tables:
    """The tables after many changes; each moves one of `some` and one or two of `around`.

    `cost` is that of a table of two seats, None if it is not allowed; the highest seat is the bye.
    """
    partner = {int(p): int(q) for a, b in tables for p, q in ((a, b), (b, a))}
    for _ in range(min(MOST, max(100, CHANGES * len(some)))):
        chosen = [int(some[stream.below(len(some))])]
        chosen += [int(around[stream.below(len(around))]) for _ in range(1 + stream.below(2))]
        if len({seat for player in chosen for seat in (player, partner[player])}) < 2 * len(chosen):
            continue
        given = [partner[player] for player in chosen[1:] + chosen[:1]]
        then = [cost(player, other) for player, other in zip(chosen, given, strict=True)]
        if None in then:
            continue
        now = [cost(player, partner[player]) or 0 for player in chosen]
        if sum(now) == sum(value or 0 for value in then):
            for player, other in zip(chosen, given, strict=True):
                partner[player], partner[other] = other, player
    rows = sorted(
        ((a, b) for a, b in partner.items() if a < b), key=lambda row: (row[1] == max(partner), row)
    )
    return np.array(rows, np.int64).reshape(-1, 2)
