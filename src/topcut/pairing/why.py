"""Why each table of a round is as it is, in words, from the data that decided it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property

import numpy as np

from topcut.history import History
from topcut.pairing.costs import allowed
from topcut.pairing.field import Field
from topcut.pairing.groups import eligible_for_bye
from topcut.pairing.matching import Unmatchable, cheapest
from topcut.pairing.paired import NOT_APART
from topcut.pairing.pools import PoolOf
from topcut.pairing.swiss import Paired
from topcut.rulebook.model import Book

SHOWN = 8
"""Names listed before "and n more"."""


class Why:
    """The reasons of one pool's round."""

    def __init__(self, history: History, book: Book, pool: PoolOf, paired: Paired, unit: int) -> None:
        self.history = history
        self.book = book
        self.pool = pool
        self.paired = paired
        self.field: Field = paired.field
        self.unit = unit

    @cached_property
    def _rows(self) -> list[tuple[int, int]]:
        """Tables in order, leaders first, the bye last; the higher player of each table first."""
        rows = np.sort(self.paired.tables, axis=1)
        points = np.append(self.field.points, -1)
        order = np.lexsort((rows[:, 0], -points[rows[:, 1]], -points[rows[:, 0]]))
        rows = rows[order]
        rows = rows[np.argsort(rows[:, 1] == self.field.size, kind="stable")]
        return [(int(a), int(b)) for a, b in rows.tolist()]

    def tables(self) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
        """(players as numbers in the history, reasons) for each table."""
        found: list[tuple[tuple[int, ...], tuple[str, ...]]] = []
        for a, b in self._rows:
            if b == self.field.size:
                found.append(((int(self.field.players[a]),), tuple(self._bye(a))))
            else:
                both = (int(self.field.players[a]), int(self.field.players[b]))
                found.append((both, tuple(self._table(a, b))))
        return found

    def _table(self, a: int, b: int) -> list[str]:
        field = self.field
        reasons = []
        if field.points[a] == field.points[b]:
            reasons.append(f"same points ({self._points(a)})")
        else:
            reasons.append(self._pair_down(a, b))
        if field.several_divisions and field.division[a] != field.division[b]:
            reasons.append("different divisions: nobody of their own was left to meet")
        if field.met_counts and field.have_met(a, b):
            reasons.append(f"rematch ({self._met_in(a, b)}): it could not be avoided")
        if field.kept_apart and field.share_label(a, b):
            shared = sorted(set(field.labels[a]) & set(field.labels[b]))
            reasons.append(f"{NOT_APART} ({', '.join(shared)})")
        return reasons

    def _pair_down(self, a: int, b: int) -> str:
        field = self.field
        high, low = int(field.points[a]), int(field.points[b])
        here, number = self._points(a), self._group_sizes[high]
        reason = f"paired down from {here} to {self._points(b)} points: "
        if number == 1:
            return reason + f"nobody else had {here} points"
        if field.several_divisions:
            return reason + "the same division goes before the same points"
        if self._down[high] > 1 or any(high > points > low for points in self._group_sizes):
            return reason + f"the {number} players with {here} points could not all meet each other"
        above = self._up[high]
        met = f", {above} of them met somebody with more" if above else ""
        reason += f"{number} players had {here} points{met}"
        if (a, b) in self.paired.certain:
            return reason + ", and the best pairing left no other choice"
        return reason + f", and the lot fell on {self._name(a)} and on {self._name(b)}"

    def _bye(self, a: int) -> list[str]:
        field = self.field
        lowest = int(field.points[a]) == int(field.points.min())
        reasons = [f"lowest points ({self._points(a)})" if lowest else f"points {self._points(a)}"]
        had = int(field.byes[a])
        eligible = eligible_for_bye(field)
        if had:
            reasons.append(f"bye number {had + 1}: every player has had as many")
        elif lowest or not eligible[a]:
            reasons.append("no earlier bye")
        else:
            reasons.append("the lowest points without an earlier bye")
        if not eligible[a]:
            reasons.append("a bye for somebody lower would have cost a rematch or a later round")
        elif eligible.sum() > 1 and (a, field.size) not in self.paired.certain:
            reasons.append(f"lot 1 of {int(eligible.sum())}")
        return reasons

    @cached_property
    def _group_sizes(self) -> Counter[int]:
        return Counter(self.field.points.tolist())

    @cached_property
    def _down(self) -> Counter[int]:
        """How many of a score group are paired down, by its points."""
        return Counter(int(self.field.points[a]) for a, _ in self._across)

    @cached_property
    def _up(self) -> Counter[int]:
        """How many of a score group meet somebody with more points."""
        return Counter(int(self.field.points[b]) for _, b in self._across)

    @cached_property
    def _across(self) -> list[tuple[int, int]]:
        points, size = self.field.points, self.field.size
        return [(a, b) for a, b in self._rows if b < size and points[a] != points[b]]

    def _points(self, player: int) -> str:
        return str(Fraction(int(self.field.points[player]), self.unit))

    def _name(self, player: int) -> str:
        return self.history.players[int(self.field.players[player])].shown_name

    def _names(self, players: list[int]) -> str:
        names = [self._name(player) if player < self.field.size else "the bye" for player in players]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return ", ".join(names[:SHOWN]) + more

    def _met_in(self, a: int, b: int) -> str:
        rounds = [
            str(int(self.history.meeting_round[t]) + 1)
            for t in np.flatnonzero(self.field.met[:, a] == b).tolist()
        ]
        return f"met in round {' and '.join(rounds)}"

    @cached_property
    def _blocked(self) -> Unmatchable | None:
        """Why no pairing is without a rematch and a second bye."""
        if not (self.paired.cost["rematches"] or self.paired.cost["second_byes"]):
            return None
        legal = np.where(allowed(self.field, as_if_never=True), 0, -1).astype(np.int64)
        found = cheapest(legal)
        return found if isinstance(found, Unmatchable) else None

    def warnings(self) -> list[str]:
        """What the person at the desk should know."""
        found = []
        cost = self.paired.cost
        where = f"{self.pool.name}: " if self.pool.name else ""
        because = self._because()
        if cost["rematches"]:
            tables = [(a, b) for a, b in self._rows if b < self.field.size and self.field.have_met(a, b)]
            who = "; ".join(f"{self._name(a)} and {self._name(b)}" for a, b in tables[:SHOWN])
            rule = self.book.pairing.rule("rematches") if self.book.pairing else ""
            number = "a rematch" if cost["rematches"] == 1 else f"{cost['rematches']} rematches"
            found.append(f"{where}{number} cannot be avoided ({who}): {because} ({rule})")
        if cost["second_byes"]:
            alone = next(a for a, b in self._rows if b == self.field.size)
            rule = self.book.pairing.rule("second_bye") if self.book.pairing else ""
            found.append(f"{where}a second bye cannot be avoided ({self._name(alone)}): {because} ({rule})")
        return found

    def _because(self) -> str:
        if self._blocked is None:
            return "every player has had a bye"
        groups = [list(component) for component in self._blocked.components]
        removed = list(self._blocked.removed)
        if not removed:
            return f"{self._names(groups[0])} {_have(groups[0])} met everybody else"
        if all(len(group) == 1 for group in groups):
            those = [group[0] for group in groups]
            return f"{self._names(those)} {_have(those)} met everybody but {self._names(removed)}"
        parts = "; ".join(self._names(group) for group in groups[:SHOWN])
        return f"without {self._names(removed)} there are {len(groups)} odd groups that have met: {parts}"

    def certificate(self) -> dict[str, object]:
        """The proof with players by id, so that other code can check it."""
        ids = [self.history.players[i].id for i in self.field.players.tolist()]
        seats = ids + [""] * self.field.odd
        proof = dict(self.paired.certificate)
        if proof["kind"] == "matching":
            proof["players"] = seats
        if "windows" in proof:
            proof["players"] = seats
        if self._blocked is not None:
            proof["unavoidable"] = {
                "removed": [seats[i] for i in self._blocked.removed],
                "components": [[seats[i] for i in part] for part in self._blocked.components],
            }
        return proof


def _have(players: list[int]) -> str:
    return "has" if len(players) == 1 else "have"
