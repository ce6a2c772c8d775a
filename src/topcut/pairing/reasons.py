"""Say why each table of a round is as it is, from the data that decided it."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from topcut.history import History
from topcut.pairing.engine.costs import find_legal_tables
from topcut.pairing.engine.field import Field, FieldPairing
from topcut.pairing.engine.matching import Unmatchable, match_cheapest
from topcut.pairing.engine.score_groups import find_bye_candidates
from topcut.pairing.model import NOT_APART, DrawnTable
from topcut.pairing.pools import PairingPool
from topcut.rulebook.model import Book

LISTED = 8
"""Names listed before "and n more"."""


class PairReasons:
    """The reasons of one pool's round at tables of two."""

    def __init__(
        self, history: History, book: Book, pool: PairingPool, paired: FieldPairing, unit: int
    ) -> None:
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

    def explain_tables(self) -> list[DrawnTable]:
        """Return the tables in order, with their reasons."""
        found = []
        for a, b in self._rows:
            alone = b == self.field.size
            players = tuple(self.field.players[[a] if alone else [a, b]].tolist())
            reasons = self._explain_bye(a) if alone else self._explain_table(a, b)
            found.append(DrawnTable(players, tuple(reasons), self.pool.name))
        return found

    def _explain_table(self, a: int, b: int) -> list[str]:
        field = self.field
        reasons = []
        if field.points[a] == field.points[b]:
            reasons.append(f"same points ({self._points(a)})")
        else:
            reasons.append(self._explain_pair_down(a, b))
        if field.several_divisions and field.division[a] != field.division[b]:
            reasons.append("different divisions: nobody of their own was left to meet")
        if field.met_counts and field.have_met(a, b):
            rounds = self.history.meeting_round[np.flatnonzero(field.met[:, a] == b)] + 1
            when = " and ".join(map(str, rounds.tolist()))
            reasons.append(f"rematch (met in round {when}): it could not be avoided")
        if field.kept_apart and field.share_label(a, b):
            shared = sorted(set(field.labels[a]) & set(field.labels[b]))
            reasons.append(f"{NOT_APART} ({', '.join(shared)})")
        return reasons

    def _explain_pair_down(self, a: int, b: int) -> str:
        field = self.field
        high, low = int(field.points[a]), int(field.points[b])
        here, number = self._points(a), self._group_sizes[high]
        reason = f"paired down from {here} to {self._points(b)} points: "
        if number == 1:
            return reason + f"nobody else had {here} points"
        if field.several_divisions:
            return reason + "the same division goes before the same points"
        if self._paired_down[high] > 1 or any(high > points > low for points in self._group_sizes):
            return reason + f"the {number} players with {here} points could not all meet each other"
        above = self._paired_up[high]
        met = f", {above} of them met somebody with more" if above else ""
        reason += f"{number} players had {here} points{met}"
        if (a, b) in self.paired.certain:
            return reason + ", and the best pairing left no other choice"
        return reason + f", and the lot fell on {self._name(a)} and on {self._name(b)}"

    def _explain_bye(self, a: int) -> list[str]:
        field = self.field
        lowest = int(field.points[a]) == int(field.points.min())
        reasons = [f"lowest points ({self._points(a)})" if lowest else f"points {self._points(a)}"]
        had = int(field.byes[a])
        eligible = find_bye_candidates(field)
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
    def _paired_down(self) -> Counter[int]:
        """How many of a score group are paired down, by its points."""
        return Counter(int(self.field.points[a]) for a, _ in self._across)

    @cached_property
    def _paired_up(self) -> Counter[int]:
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

    def _names(self, players: Sequence[int]) -> str:
        names = [self._name(player) if player < self.field.size else "the bye" for player in players]
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        return ", ".join(names[:LISTED]) + more

    @cached_property
    def _obstacle(self) -> Unmatchable | None:
        """Why no pairing is without a rematch and a second bye."""
        if not (self.paired.cost["rematches"] or self.paired.cost["second_byes"]):
            return None
        legal = np.where(find_legal_tables(self.field, as_if_never=True), 0, -1).astype(np.int64)
        found = match_cheapest(legal)
        return found if isinstance(found, Unmatchable) else None

    def list_warnings(self) -> list[str]:
        """Return what the person at the desk should know."""
        found = []
        cost, rules = self.paired.cost, self.book.pairing
        where = f"{self.pool.name}: " if self.pool.name else ""
        if cost["rematches"]:
            tables = [(a, b) for a, b in self._rows if b < self.field.size and self.field.have_met(a, b)]
            who = "; ".join(f"{self._name(a)} and {self._name(b)}" for a, b in tables[:LISTED])
            rule = rules.rule("rematches") if rules else ""
            number = "a rematch" if cost["rematches"] == 1 else f"{cost['rematches']} rematches"
            found.append(f"{where}{number} cannot be avoided ({who}): {self._explain_obstacle()} ({rule})")
        if cost["second_byes"]:
            alone = self._name(next(a for a, b in self._rows if b == self.field.size))
            rule = rules.rule("second_bye") if rules else ""
            because = self._explain_obstacle()
            found.append(f"{where}a second bye cannot be avoided ({alone}): {because} ({rule})")
        return found

    def _explain_obstacle(self) -> str:
        if self._obstacle is None:
            return "every player has had a bye"
        groups, removed = self._obstacle.components, self._obstacle.removed
        if not removed:
            return f"{self._names(groups[0])} {_have(groups[0])} met everybody else"
        if all(len(group) == 1 for group in groups):
            those = [group[0] for group in groups]
            return f"{self._names(those)} {_have(those)} met everybody but {self._names(removed)}"
        parts = "; ".join(self._names(group) for group in groups[:LISTED])
        return f"without {self._names(removed)} there are {len(groups)} odd groups that have met: {parts}"

    def build_certificate(self) -> dict[str, object]:
        """Return the proof with players by id, so that other code can check it."""
        seats = [self.history.players[i].id for i in self.field.players.tolist()] + [""] * self.field.odd
        proof = dict(self.paired.certificate)
        if proof["kind"] == "matching" or "windows" in proof:
            proof["players"] = seats
        if self._obstacle is not None:
            proof["unavoidable"] = {
                "removed": [seats[i] for i in self._obstacle.removed],
                "components": [[seats[i] for i in part] for part in self._obstacle.components],
            }
        return proof


def _have(players: Sequence[int]) -> str:
    return "has" if len(players) == 1 else "have"
