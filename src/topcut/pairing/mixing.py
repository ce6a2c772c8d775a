"""Random changes that cost nothing: how a draw that cannot be counted is made fair, approximately.

Two or three players pass their partners on to one another, if what they then cost is what they cost
before. Every such change is as likely as its reverse, so in the long run all pairings that changes
lead to are equally likely.
"""

from __future__ import annotations

from topcut.lots import Stream
from topcut.pairing.field import Field, Ints, Tables
from topcut.pairing.groups import Parity

CHANGES = 40
"""Tried for each player of the part that is mixed, up to MOST in all."""
MOST = 8000


def mixed(field: Field, parity: Parity, tables: Tables, some: Ints, around: Ints, stream: Stream) -> Tables:
    """The tables after many changes; each moves one of `some` and one or two of `around`."""
    partner = {int(p): int(q) for a, b in tables for p, q in ((a, b), (b, a))}
    bye = field.size

    def cost(a: int, b: int) -> tuple[int, int] | None:
        if bye in (a, b):
            return (0, 0) if parity.eligible[min(a, b)] else None
        if a == b or (field.met_counts and field.have_met(a, b)):
            return None
        gap = int(field.points[a] - field.points[b])
        return gap * gap, int(field.kept_apart and field.share_label(a, b))

    for _ in range(min(MOST, max(100, CHANGES * len(some)))):
        chosen = [int(some[stream.below(len(some))])]
        chosen += [int(around[stream.below(len(around))]) for _ in range(1 + stream.below(2))]
        if len({seat for player in chosen for seat in (player, partner[player])}) < 2 * len(chosen):
            continue
        given = [partner[player] for player in chosen[1:] + chosen[:1]]
        now = [cost(player, partner[player]) for player in chosen]
        then = [cost(player, other) for player, other in zip(chosen, given, strict=True)]
        if None in then or _sum(now) != _sum(then):
            continue
        for player, other in zip(chosen, given, strict=True):
            partner[player], partner[other] = other, player
    return _rebuilt(tables, partner, bye)


def _sum(costs: list[tuple[int, int] | None]) -> tuple[int, int]:
    known = [cost for cost in costs if cost]
    return sum(gap for gap, _ in known), sum(apart for _, apart in known)


def _rebuilt(tables: Tables, partner: dict[int, int], bye: int) -> Tables:
    """The same players as tables again, the bye last."""
    rows = sorted((a, b) for a, b in partner.items() if a < b)
    rows.sort(key=lambda row: row[1] == bye)
    tables[:] = rows
    return tables
