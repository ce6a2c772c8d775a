"""A very large pool of several divisions: most of every large score group is paired within itself.

What remains is small enough for one exact matching. The whole is legal and as good as that matching,
but there is no proof that nothing better exists.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topcut.lots import Stream
from topcut.pairing.field import Field, Ints, Tables
from topcut.pairing.large import Large
from topcut.pairing.matching import Unmatchable
from topcut.pairing.solved import solve

KEPT = 40
"""Players of a score group of one division that go to the matching."""
LARGE = 3 * KEPT


def draw_thinned(field: Field, stream: Stream) -> Tables | None:
    """A pairing, or None where the matching finds none."""
    kept = np.ones(field.size, bool)
    tables: list[Tables] = []
    cells = field.division * (int(field.points[0]) + 1) + field.points
    for cell in np.unique(cells):
        members = np.flatnonzero(cells == cell)
        if len(members) <= LARGE:
            continue
        inside = np.sort(members[stream.order(len(members))[KEPT + len(members) % 2 :]])
        drawn = Large(_part(field, inside)).draw(stream)
        if drawn is not None:
            tables.append(inside[drawn.tables])
            kept[inside] = False
    rest = np.flatnonzero(kept)
    solved = solve(_part(field, rest))
    if isinstance(solved, Unmatchable):
        return None
    tables.append(np.append(rest, field.size)[solved.draw(stream)])
    return np.concatenate(tables)


def _part(field: Field, players: Ints) -> Field:
    """Only these players of a field."""
    place = np.full(field.size + 1, len(players), np.int32)
    place[players] = np.arange(len(players))
    return replace(
        field,
        players=field.players[players],
        points=field.points[players],
        met=place[field.met[:, players]],
        byes=field.byes[players],
        division=field.division[players],
        labels=tuple(field.labels[p] for p in players.tolist()) if field.labels else (),
    )
