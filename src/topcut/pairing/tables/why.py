"""Why each table of more than two is as it is, and what it cost, in words."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from topcut.history import History
from topcut.pairing.paired import NOT_APART
from topcut.pairing.pools import PoolOf
from topcut.pairing.tables.seat import Seated
from topcut.rulebook.model import Book
from topcut.rulebook.planning.words import both, counted

SHOWN = 8
"""Pairs listed before "and n more"."""


class TablesWhy:
    """The reasons of one pool's round."""

    def __init__(self, history: History, book: Book, pool: PoolOf, seated: Seated) -> None:
        self.history = history
        self.book = book
        self.pool = pool
        self.seated = seated
        self.seating = seated.seating

    def table(self, number: int) -> tuple[str, ...]:
        """The reasons of the table of this number, from 0."""
        reasons = [self._places(number)]
        reasons += self._moves(number)
        reasons += self._repeats(number)
        reasons += self._size(number)
        if self.seating.cost_of(number, self.seated.tables[number]).apart:
            reasons.append(f"{NOT_APART} ({both(self._labels(number))})")
        return tuple(reasons)

    def _places(self, number: int) -> str:
        if self._by_lot:
            return "drawn by lot"
        places = (int(self.seating.first[player]) + 1 for player in self.seated.tables[number])
        runs = [(place, len(list(same))) for place, same in groupby(places)]
        shown = [f"{place}" if n == 1 else f"{place} (shared by {n} here)" for place, n in runs]
        return f"place{'s' if len(runs) > 1 else ''} {both(shown)}"

    def _moves(self, number: int) -> list[str]:
        """Who sits away from where the standings have them, and why."""
        table, start = self.seated.tables[number], self.seating.starts[number]
        moved = []
        for seat, player in enumerate(table, start=start):
            up = int(self.seating.first[player]) - seat
            down = seat - int(self.seating.last[player])
            if self.seating.moves and max(up, down) > 0:
                far = counted(max(up, down), "seat")
                moved.append(f"{self._name(player)} {far} {'up' if up > 0 else 'down'}")
        if not moved:
            return [] if self._by_lot else ["as the standings have it"]
        cost = self.seating.cost_of(number, table).displacement
        would = self.seating.repeated(range(start, start + len(table)))
        reason = f"moved {', '.join(moved)} (cost {cost})"
        if would:
            pairs = [self._pair(a, b) for a, b in would if (a in table) != (b in table)]
            if pairs:
                return [f"{reason}, so that {pairs[0]} do not meet again"]
        if any(self.seated.cost.repeats):
            return [f"{reason}, so that all tables together have the fewest rematches"]
        return [f"{reason}, so that nobody at these or other tables meets again"]

    def _repeats(self, number: int) -> list[str]:
        table = self.seated.tables[number]
        end = "it could not be avoided" if self._proved else "no seating without it was found"
        return [f"{self._pair(a, b)} meet again: {end}" for a, b in self.seating.repeated(table)]

    def _size(self, number: int) -> list[str]:
        preferred = self.book.match.table_sizes[0]
        sizes = self.seating.sizes
        if sizes[number] == preferred:
            return []
        numbers = Counter(sizes)
        parts = [f"{counted(numbers[size], 'table')} of {size}" for size in sorted(numbers)]
        return [f"{sizes[number]} at this table: {self.seating.size} players make {both(parts)}"]

    def _labels(self, number: int) -> list[str]:
        labels = Counter(
            label for player in self.seated.tables[number] for label in set(self.seating.labels[player])
        )
        return sorted(label for label, count in labels.items() if count > 1)

    @property
    def _by_lot(self) -> bool:
        """Whether nobody has met and nobody is ahead."""
        return self.seating.all_level and not self.seating.rounds

    @property
    def _proved(self) -> bool:
        """Whether repeated pairs are proved to be as few as possible."""
        return self.seated.optimal or self.seated.bound.repeats == self.seated.cost.repeats

    def warnings(self) -> list[str]:
        """What the person at the desk should know."""
        found = []
        where = f"{self.pool.name}: " if self.pool.name else ""
        pairs = [pair for table in self.seated.tables for pair in self.seating.repeated(table)]
        if pairs and self.book.pairing is not None:
            who = "; ".join(self._pair(a, b) for a, b in pairs[:SHOWN])
            more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
            number = "a pair meets" if len(pairs) == 1 else f"{len(pairs)} pairs meet"
            end = "which cannot be avoided" if self._proved else "and no better seating was found"
            rule = self.book.pairing.rule("rematches")
            found.append(f"{where}{number} again, {end}: {who}{more} ({rule})")
        return found

    def _pair(self, a: int, b: int) -> str:
        rounds = sorted(self.history.rounds - back for back in self.seating.meetings(a, b))
        return f"{self._name(a)} and {self._name(b)} (round{'s' if len(rounds) > 1 else ''} {both(rounds)})"

    def _name(self, player: int) -> str:
        return self.history.players[int(self.seating.players[player])].shown_name
