"""Say why each table of a round is as it is, from the data that decided it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby

import numpy as np

from topcut.history import History
from topcut.pairing.engine.byes import find_bye_candidates
from topcut.pairing.engine.costs import find_legal_tables
from topcut.pairing.engine.field import Field, FieldPairing
from topcut.pairing.engine.matching import Unmatchable, match_cheapest
from topcut.pairing.model import NOT_APART, DrawnTable
from topcut.pairing.multiplayer.seating_draw import Seating
from topcut.pairing.multiplayer.seating_field import SeatingField, describe_sizes
from topcut.pairing.pools import PairingPool
from topcut.rulebook.model import Book
from topcut.text.messages import list_and, list_first
from topcut.text.phrases import plural

LISTED = 8
"""Names or pairs listed before "and n more"."""


@dataclass
class _PoolReasons:
    """One pool before its round."""

    history: History
    book: Book
    pool: PairingPool

    def _warn(self, text: str, parameter: str) -> str:
        """Return a warning with the pool and the rule that it is about."""
        assert self.book.pairing is not None
        where = f"{self.pool.name}: " if self.pool.name else ""
        return f"{where}{text} ({self.book.pairing.rule(parameter)})"

    def _find_name(self, field: Field | SeatingField, player: int) -> str:
        return self.history.players[int(field.players[player])].shown_name


@dataclass
class PairReasons(_PoolReasons):
    """The reasons of one pool's round at tables of two."""

    paired: FieldPairing
    unit: int

    @property
    def field(self) -> Field:
        return self.paired.field

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
        same = field.points[a] == field.points[b]
        reasons = [f"same points ({self._points(a)})" if same else self._explain_pair_down(a, b)]
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
        several_down = sum(points == high for points, _ in self._across) > 1
        if several_down or any(high > points > low for points in self._group_sizes):
            return reason + f"the {number} players with {here} points could not all meet each other"
        above = sum(points == high for _, points in self._across)
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
    def _across(self) -> list[tuple[int, int]]:
        """The points of both players of each table where they differ."""
        rows = [row for row in self._rows if row[1] < self.field.size]
        points = [(int(self.field.points[a]), int(self.field.points[b])) for a, b in rows]
        return [(high, low) for high, low in points if high != low]

    def _points(self, player: int) -> str:
        return str(Fraction(int(self.field.points[player]), self.unit))

    def _name(self, player: int) -> str:
        return self._find_name(self.field, player)

    def _names(self, players: Sequence[int]) -> str:
        names = [self._name(player) if player < self.field.size else "the bye" for player in players]
        return list_first(names, LISTED)

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
        if rematches := self.paired.cost["rematches"]:
            tables = [(a, b) for a, b in self._rows if b < self.field.size and self.field.have_met(a, b)]
            who = "; ".join(f"{self._name(a)} and {self._name(b)}" for a, b in tables[:LISTED])
            number = "a rematch" if rematches == 1 else f"{rematches} rematches"
            text = f"{number} cannot be avoided ({who}): {self._explain_obstacle()}"
            found.append(self._warn(text, "rematches"))
        if self.paired.cost["second_byes"]:
            alone = self._name(next(a for a, b in self._rows if b == self.field.size))
            text = f"a second bye cannot be avoided ({alone}): {self._explain_obstacle()}"
            found.append(self._warn(text, "second_bye"))
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


@dataclass
class SeatingReasons(_PoolReasons):
    """The reasons of one pool's round at tables of more than two."""

    seating: Seating

    @property
    def field(self) -> SeatingField:
        return self.seating.field

    @property
    def _by_lot(self) -> bool:
        """Whether nobody has met and nobody is ahead."""
        return self.field.all_level and not self.field.rounds

    @property
    def _proved(self) -> bool:
        """Whether repeated pairs are proved to be as few as possible."""
        return self.seating.optimal or self.seating.bound.repeats == self.seating.cost.repeats

    def explain_tables(self) -> list[DrawnTable]:
        """Return the tables from the top, with their reasons."""
        found = []
        for number, table in enumerate(self.seating.tables):
            reasons = [self._list_places(table), *self._explain_moves(number, table)]
            end = "it could not be avoided" if self._proved else "no seating without it was found"
            reasons += [f"{self._pair(a, b)} meet again: {end}" for a, b in self.field.list_repeated(table)]
            if len(table) != self.book.match.table_sizes[0]:
                sizes = describe_sizes(self.field.sizes)
                reasons.append(f"{len(table)} at this table: {self.field.size} players make {sizes}")
            if self.field.kept_apart and self.field.share_label(table):
                labels = Counter(label for player in table for label in set(self.field.labels[player]))
                shared = sorted(label for label, count in labels.items() if count > 1)
                reasons.append(f"{NOT_APART} ({list_and(shared)})")
            players = tuple(self.field.players[table].tolist())
            found.append(DrawnTable(players, tuple(reasons), self.pool.name))
        return found

    def _list_places(self, table: list[int]) -> str:
        if self._by_lot:
            return "drawn by lot"
        places = (int(self.field.first[player]) + 1 for player in table)
        runs = [(place, len(list(same))) for place, same in groupby(places)]
        shown = [f"{place}" if n == 1 else f"{place} (shared by {n} here)" for place, n in runs]
        return f"place{'s' if len(runs) > 1 else ''} {list_and(shown)}"

    def _explain_moves(self, number: int, table: list[int]) -> list[str]:
        """Say who sits away from where the standings have them, and why."""
        start = self.field.starts[number]
        moved = []
        for seat, player in enumerate(table, start=start):
            up = int(self.field.first[player]) - seat
            down = seat - int(self.field.last[player])
            if self.field.moves and max(up, down) > 0:
                far = plural(max(up, down), "seat")
                moved.append(f"{self._find_name(self.field, player)} {far} {'up' if up > 0 else 'down'}")
        if not moved:
            return [] if self._by_lot else ["as the standings have it"]
        reason = f"moved {', '.join(moved)} (cost {self.field.cost_table(number, table).displacement})"
        would = self.field.list_repeated(range(start, start + len(table)))
        pairs = [self._pair(a, b) for a, b in would if (a in table) != (b in table)]
        if pairs:
            return [f"{reason}, so that {pairs[0]} do not meet again"]
        if any(self.seating.cost.repeats):
            return [f"{reason}, so that all tables together have the fewest rematches"]
        return [f"{reason}, so that nobody at these or other tables meets again"]

    def list_warnings(self) -> list[str]:
        """Return what the person at the desk should know."""
        pairs = [pair for table in self.seating.tables for pair in self.field.list_repeated(table)]
        if not pairs:
            return []
        who = "; ".join(self._pair(a, b) for a, b in pairs[:LISTED])
        more = f" and {len(pairs) - LISTED} more" if len(pairs) > LISTED else ""
        number = "a pair meets" if len(pairs) == 1 else f"{len(pairs)} pairs meet"
        end = "which cannot be avoided" if self._proved else "and no better seating was found"
        return [self._warn(f"{number} again, {end}: {who}{more}", "rematches")]

    def _pair(self, a: int, b: int) -> str:
        rounds = sorted(self.history.rounds - back for back in self.field.list_meetings(a, b))
        names = f"{self._find_name(self.field, a)} and {self._find_name(self.field, b)}"
        return f"{names} (round{'s' if len(rounds) > 1 else ''} {list_and(rounds)})"
