"""Pairing a large field: score groups drawn by themselves, and a window wherever that cannot be done.

At first there are no windows, and every group is to be paired within itself but for the tables that
parity forces. Where no draw is found, the groups concerned become a window; if the players it sends out
leave a neighbouring group stuck, the window grows. With no window the round is proved by parity alone,
and drawn exactly uniformly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from topcut.lots import Stream
from topcut.pairing.field import Cost, Field, Tables, cost_of, shown
from topcut.pairing.groups import Group, Parity, parity
from topcut.pairing.mixing import mixed
from topcut.pairing.uniform import GroupDraw, Seated, Stuck
from topcut.pairing.window import Closed, Through, Window, affected

CHAIN_DRAWS = 400

Chain = list[tuple[int, Group]]
"""Groups by number, each joined to the next by a table across."""


@dataclass(frozen=True)
class Drawn:
    """One draw, and what is known about it."""

    tables: Tables
    cost: Cost
    uniform: Literal["exact", "approximate"]
    certificate: dict[str, object]


class Large:
    """A field that is paired without looking at all pairings at once; rematches are ruled out.

    What is kept from one draw to the next only saves time: a draw depends on its stream alone.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self.parity: Parity = parity(field)
        self._draws: dict[Group, GroupDraw] = {}
        self._known: dict[tuple[int, int], Window | None] = {}

    def draw(self, stream: Stream) -> Drawn | None:
        """A pairing that is proved optimal; None where windows would have to cover everything."""
        windows: list[Window] = []
        while True:
            through = [window.draw(stream) for window in windows]
            tables = [table for way in through for table in way.tables]
            alone = max([way.bye for way in through], default=-1)
            seated: list[Seated] = []
            for chain in self._chains(windows, through):
                drawn = self._chain(chain, stream)
                if drawn is None:
                    break
                seated += drawn
                tables += [(a.down, b.up) for a, b in pairwise(drawn)]
                alone = max([alone, *(group.bye for group in drawn)])
            else:
                return self._finished(windows, seated, tables, alone, stream)
            grown = self._grow(windows, chain[0][0], chain[-1][0])
            if grown is None:
                return None
            windows = grown

    def _chains(self, windows: list[Window], through: list[Through]) -> list[Chain]:
        """The groups outside all windows, with their guests."""
        last = {window.last: (window, way) for window, way in zip(windows, through, strict=True)}
        first = {window.first: way for window, way in zip(windows, through, strict=True)}
        inside = {g for window in windows for g in range(window.first, window.last + 1)}
        chains: list[Chain] = []
        joined = False
        for g, (low, high) in enumerate(self.parity.groups):
            if g in last:
                joined = last[g][1].passing > 0
            if g in inside:
                continue
            visitors = (last[g - 1][1].down if g - 1 in last else []) + (
                first[g + 1].up if g + 1 in first else []
            )
            down = first[g + 1].passing > 0 if g + 1 in first else self.parity.odd[g]
            group = Group(low, high, joined, down, tuple(visitors), g == self.parity.bye_group)
            if joined and chains:
                chains[-1].append((g, group))
            else:
                chains.append([(g, group)])
            joined = down
        return chains

    def _chain(self, chain: Chain, stream: Stream) -> list[Seated] | None:
        """The groups of a chain; all are drawn again where a table across would be a rematch.

        Small groups first: they clash most, and then nothing large has been drawn in vain.
        """
        draws = [self._draws.setdefault(g, GroupDraw(self.field, g, self.parity.eligible)) for _, g in chain]
        order = sorted(range(len(chain)), key=lambda at: draws[at].group.seats)
        for _ in range(CHAIN_DRAWS):
            drawn: dict[int, Seated] = {}
            for at in order:
                try:
                    drawn[at] = draws[at].draw(stream)
                except Stuck:
                    return None
                if (at - 1 in drawn and self._clash(drawn[at - 1].down, drawn[at].up)) or (
                    at + 1 in drawn and self._clash(drawn[at].down, drawn[at + 1].up)
                ):
                    break
            else:
                return [drawn[at] for at in range(len(chain))]
        return None

    def _cost(self, a: int, b: int) -> int | None:
        """Of a table in a window or beside it, with squared points weighing more than any shared labels."""
        field = self.field
        if max(a, b) == field.size:
            return 0 if self.parity.eligible[min(a, b)] else None
        if a == b or (field.met_counts and field.have_met(a, b)):
            return None
        gap = int(field.points[a] - field.points[b])
        return gap * gap * field.size + (field.kept_apart and field.share_label(a, b))

    def _clash(self, upper: int, lower: int) -> bool:
        met = self.field.met_counts and bool(self.field.have_met(upper, lower))
        return met or (self.field.kept_apart and self.field.share_label(upper, lower))

    def _grow(self, windows: list[Window], first: int, last: int) -> list[Window] | None:
        """The windows with one more of these groups, joined to those it touches; None for everybody."""
        while True:
            touching = [w for w in windows if w.first <= last + 1 and w.last >= first - 1]
            first = min([first, *(w.first for w in touching)])
            last = max([last, *(w.last for w in touching)])
            if first == 0 and last == len(self.parity.groups) - 1:
                return None
            window = self._window(first, last)
            if window is not None:
                kept = [w for w in windows if w not in touching]
                return sorted([*kept, window], key=lambda w: w.first)
            first, last = max(0, first - 1), min(len(self.parity.groups) - 1, last + 1)

    def _window(self, first: int, last: int) -> Window | None:
        if (first, last) not in self._known:
            try:
                self._known[first, last] = Window(self.field, self.parity, first, last)
            except Closed:
                self._known[first, last] = None
        return self._known[first, last]

    def _finished(
        self,
        windows: list[Window],
        seated: list[Seated],
        tables: list[tuple[int, int]],
        alone: int,
        stream: Stream,
    ) -> Drawn:
        parts = [group.tables for group in seated]
        parts.append(np.array(tables, np.int64).reshape(-1, 2))
        if alone >= 0:
            parts.append(np.array([(alone, self.field.size)], np.int64))
        found = np.concatenate(parts)
        inexact = [window for window in windows if window.counted is None]
        for window in inexact:
            members = np.arange(window.low, window.high)
            found = mixed(found, members, affected(window), self._cost, stream)
        cost = shown(self.field, cost_of(self.field, found[-1:] if alone >= 0 else found[:0]))
        outside = [
            gap
            for g, (gap, odd) in enumerate(zip(self.parity.gaps, self.parity.odd, strict=True))
            if odd and not any(w.first - 1 <= g <= w.last for w in windows)
        ]
        cost["score_gap_squared"] = sum(outside) + sum(window.gap_squared for window in windows)
        cost["apart"] = sum(window.apart for window in windows)
        bound = cost["score_gap_squared"]
        certificate: dict[str, object] = {"kind": "parity", "bound": bound}
        if windows:
            proofs = [window.proof for window in windows]
            certificate = {"kind": "windows", "bound": bound, "windows": proofs}
        return Drawn(found, cost, "approximate" if inexact else "exact", certificate)
