"""Some players of a field, which of them were posted together, and what their tables cost.

What repair_pairs.py does with a whole field it does here with a few players at a time: no matrix of
everybody is made unless everybody is matched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topcut.lots import Stream
from topcut.pairing.costs import FITS, allowed
from topcut.pairing.field import Field, Ints, Tables
from topcut.pairing.matching import Unmatchable, cheapest

NOWHERE = -1
"""In the place of a mate: no table that could stay."""
CHUNK = 200
"""Tables that are costed at once."""

Costs = NDArray[Any]
"""Seats × seats; −1 for tables that cannot be."""


def legal(field: Field, rows: Tables) -> bool:
    """Whether the hard rules let all of these tables be."""
    nobody = np.full(field.size, NOWHERE)
    costs = cost_of_each(field, nobody, rows, lambda part, _: np.where(allowed(part), 0, -1))
    return bool((costs >= 0).all())


def neighbourhood(
    field: Field, rows: Tables, costs: Costs, tables: int, stream: Stream
) -> tuple[Ints, Tables]:
    """Whom to seat anew, in order, and the posted tables that stay.

    Those without a seat, the tables that cost most, then by lot one of each score group after the other.
    """
    seated = np.zeros(field.size + 1, bool)
    seated[rows] = True
    loose = np.flatnonzero(~seated[:-1])
    lots = stream.order(len(rows))
    rows, costs = rows[lots], costs[lots]
    sizes: Counter[int] = Counter()
    turn = []
    for points in field.points[rows[:, 0]].tolist():
        turn.append(sizes[points])
        sizes[points] += 1
    order = sorted(range(len(rows)), key=lambda i: (-costs[i], turn[i]))
    free, kept = rows[order[:tables]], rows[order[tables:]]
    return np.setdiff1d(np.concatenate([loose, free.ravel()]), [field.size]), kept


def matched(costs: Costs, stream: Stream) -> Tables | None:
    """The cheapest pairing, if there is any; seats come in the order of lots, so that no name decides."""
    order = stream.order(len(costs))
    found = cheapest(costs[np.ix_(order, order)])
    if isinstance(found, Unmatchable):
        return None
    rows = [(int(order[a]), int(order[b])) for a, b in enumerate(found.mate) if a < b]
    return np.sort(np.array(rows, np.int64).reshape(-1, 2), axis=1)


def unposted(field: Field, mate: Ints) -> Ints:
    """1 for every table that was not posted."""
    found = np.ones((field.size + field.odd,) * 2, np.int64)
    rows = posted_rows(mate, field)
    found[rows[:, 0], rows[:, 1]] = found[rows[:, 1], rows[:, 0]] = 0
    return found


def posted_rows(mate: Ints, field: Field) -> Tables:
    """The posted tables of these players; a bye only where there is one."""
    everybody = np.arange(field.size)
    here = (mate > everybody) & (mate < field.size + field.odd)
    return np.stack([everybody[here], mate[here]], axis=1)


def cost_of_each(field: Field, mate: Ints, rows: Tables, costs: Callable[[Field, Ints], Costs]) -> Costs:
    """What each of these tables costs, without a matrix of everybody."""
    found: list[Any] = []
    for at in range(0, len(rows), CHUNK):
        some = rows[at : at + CHUNK]
        members = np.setdiff1d(some, [field.size])
        part, its_mate = only(field, mate, members)
        seat = np.searchsorted(members, some)
        found += costs(part, its_mate)[seat[:, 0], seat[:, 1]].tolist()
    return np.array(found, object if any(cost >= FITS for cost in found) else np.int64)


def only(field: Field, mate: Ints, members: Ints) -> tuple[Field, Ints]:
    """Some players of a field, in its order, and beside whom of them they were posted."""
    place = np.full(field.size + 1, len(members), np.int64)
    place[members] = np.arange(len(members))
    barred = field.barred
    part = replace(
        field,
        players=field.players[members],
        points=field.points[members],
        met=place[field.met[:, members]].astype(np.int32),
        byes=field.byes[members],
        division=field.division[members],
        labels=tuple(field.labels[i] for i in members.tolist()) if field.labels else (),
        barred=None if barred is None else place[barred[:, members]].astype(np.int32),
    )
    there = mate[members]
    away = (there == NOWHERE) | ((there < field.size) & (place[there] == len(members)))
    return part, np.where(away, NOWHERE, place[there])
