"""Change a pairing at random, many times, without changing its cost.

In a change two or three players pass their partners on to one another.
"""

from collections.abc import Callable

import numpy as np

from topcut.lots import Stream
from topcut.pairing.engine.field import Ints, Tables

CHANGES = 40
"""Changes that are tried for each player of the part that is mixed, up to MOST in all."""
MOST = 8000


def mix_tables(
    tables: Tables, some: Ints, around: Ints, cost: Callable[[int, int], int | None], stream: Stream
) -> Tables:
    """Return the tables after many changes; each moves one of `some` and one or two of `around`.

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
    bye = max(partner)
    rows = sorted(((a, b) for a, b in partner.items() if a < b), key=lambda row: (row[1] == bye, row))
    return np.array(rows, np.int64).reshape(-1, 2)
