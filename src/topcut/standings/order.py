"""A ranking that becomes finer key by key, looking only at those who are still tied."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Order:
    """The players from the top, in groups of those who are still tied.

    Positions count from 0. A group is a run of positions; it is known by its first one, which is the
    number of players ahead of it.
    """

    def __init__(self, first: Ints) -> None:
        """Groups to begin with, as the first position of each player's group."""
        self.players: Ints = np.argsort(first, kind="stable")
        self._group: Ints = first[self.players]
        self.decided = np.full(len(first) + 1, -1, np.int8)
        """For each position the key that separates it from the one before, or -1."""
        self._find_tied(np.arange(len(first)))

    def ahead(self) -> Ints:
        """For each player the number of those ahead."""
        ahead = np.empty_like(self._group)
        ahead[self.players] = self._group
        return ahead

    @property
    def tied(self) -> Ints:
        """The players who share their group with another, group after group."""
        players: Ints = self.players[self._tied]
        return players

    @property
    def groups(self) -> Ints:
        """The group of each of `tied`."""
        groups: Ints = self._group[self._tied]
        return groups

    def split(self, by: Ints, key: int) -> None:
        """Order each group by ascending `by`, one number for each of `tied`."""
        at = self._tied
        if not len(at):
            return
        group = self._group[at]
        order, differs = _sorted(group, by)
        self.players[at] = self.players[at][order]
        self._group[at] = np.maximum.accumulate(np.where(differs, at, 0))
        inside = differs[1:] & (group[1:] == group[:-1])
        self.decided[at[1:][inside]] = key
        self._find_tied(at)

    def list_ties_by(self, name: Callable[[int], str]) -> None:
        """List players who share a place by their names, p2 before p10: looks, not merit."""
        pairs = zip(self.groups.tolist(), self.tied.tolist(), strict=True)
        listed = sorted((group, _natural(name(player)), name(player), player) for group, player in pairs)
        self.players[self._tied] = [player for *_, player in listed]

    def _find_tied(self, among: Ints) -> None:
        group = self._group[among]
        like_next = group[1:] == group[:-1]
        is_tied = np.zeros(len(among), np.bool_)
        is_tied[1:] |= like_next
        is_tied[:-1] |= like_next
        self._tied: Ints = among[is_tied]


def _natural(name: str) -> str:
    """Numbers in a name compare as numbers."""
    return re.sub("[0-9]+", lambda number: number[0].zfill(12), name)


def _sorted(group: Ints, by: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """The order by group, then value, and where in it either is not as before.

    Group, value and position are packed into one number wherever they fit into 63 bits: sorting
    numbers is several times faster than sorting positions by them.
    """
    group = np.cumsum(np.concatenate(([False], group[1:] != group[:-1])))  # 0, 1, 2 … need fewer bits
    low = int(by.min())
    value_bits = (int(by.max()) - low).bit_length()
    position_bits = (len(by) - 1).bit_length()
    bits = int(group.max()).bit_length() + value_bits
    differs = np.ones(len(by), np.bool_)
    if bits > 63:
        order = np.lexsort((by, group))
        differs[1:] = (by[order][1:] != by[order][:-1]) | (group[1:] != group[:-1])
        return order, differs
    packed = (group << value_bits) | (by - low)
    if bits + position_bits <= 63:
        packed = (packed << position_bits) | np.arange(len(by))
        packed.sort()
        order = packed & ((1 << position_bits) - 1)
        packed >>= position_bits
    else:
        order = np.argsort(packed)
        packed = packed[order]
    differs[1:] = packed[1:] != packed[:-1]
    return order, differs
