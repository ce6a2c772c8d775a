"""Say why each table of more than two is as it is, and what it cost."""

from collections import Counter
from itertools import groupby

from topcut.history import History
from topcut.pairing.model import NOT_APART, DrawnTable
from topcut.pairing.multiplayer.seating_draw import Seating
from topcut.pairing.pools import PairingPool
from topcut.rulebook.model import Book
from topcut.text.phrases import join_and, plural

LISTED = 8
"""Pairs listed before "and n more"."""


class SeatingReasons:
    """The reasons of one pool's round at tables of more than two."""

    def __init__(self, history: History, book: Book, pool: PairingPool, seating: Seating) -> None:
        self.history = history
        self.book = book
        self.pool = pool
        self.seating = seating
        self.field = seating.field
        self._by_lot = self.field.all_level and not self.field.rounds
        """Whether nobody has met and nobody is ahead."""
        self._proved = seating.optimal or seating.bound.repeats == seating.cost.repeats
        """Whether repeated pairs are proved to be as few as possible."""

    def explain_tables(self) -> list[DrawnTable]:
        """Return the tables from the top, with their reasons."""
        found = []
        for number, table in enumerate(self.seating.tables):
            reasons = [self._list_places(table), *self._explain_moves(number, table)]
            end = "it could not be avoided" if self._proved else "no seating without it was found"
            reasons += [f"{self._pair(a, b)} meet again: {end}" for a, b in self.field.list_repeated(table)]
            reasons += self._explain_size(len(table))
            if self.field.kept_apart and self.field.share_label(table):
                reasons.append(f"{NOT_APART} ({join_and(self._list_shared_labels(table))})")
            players = tuple(self.field.players[table].tolist())
            found.append(DrawnTable(players, tuple(reasons), self.pool.name))
        return found

    def _list_places(self, table: list[int]) -> str:
        if self._by_lot:
            return "drawn by lot"
        places = (int(self.field.first[player]) + 1 for player in table)
        runs = [(place, len(list(same))) for place, same in groupby(places)]
        shown = [f"{place}" if n == 1 else f"{place} (shared by {n} here)" for place, n in runs]
        return f"place{'s' if len(runs) > 1 else ''} {join_and(shown)}"

    def _explain_moves(self, number: int, table: list[int]) -> list[str]:
        """Say who sits away from where the standings have them, and why."""
        start = self.field.starts[number]
        moved = []
        for seat, player in enumerate(table, start=start):
            up = int(self.field.first[player]) - seat
            down = seat - int(self.field.last[player])
            if self.field.moves and max(up, down) > 0:
                far = plural(max(up, down), "seat")
                moved.append(f"{self._name(player)} {far} {'up' if up > 0 else 'down'}")
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

    def _explain_size(self, size: int) -> list[str]:
        if size == self.book.match.table_sizes[0]:
            return []
        numbers = Counter(self.field.sizes)
        parts = [f"{plural(numbers[other], 'table')} of {other}" for other in sorted(numbers)]
        return [f"{size} at this table: {self.field.size} players make {join_and(parts)}"]

    def _list_shared_labels(self, table: list[int]) -> list[str]:
        labels = Counter(label for player in table for label in set(self.field.labels[player]))
        return sorted(label for label, count in labels.items() if count > 1)

    def list_warnings(self) -> list[str]:
        """Return what the person at the desk should know."""
        pairs = [pair for table in self.seating.tables for pair in self.field.list_repeated(table)]
        if not pairs or self.book.pairing is None:
            return []
        where = f"{self.pool.name}: " if self.pool.name else ""
        who = "; ".join(self._pair(a, b) for a, b in pairs[:LISTED])
        more = f" and {len(pairs) - LISTED} more" if len(pairs) > LISTED else ""
        number = "a pair meets" if len(pairs) == 1 else f"{len(pairs)} pairs meet"
        end = "which cannot be avoided" if self._proved else "and no better seating was found"
        return [f"{where}{number} again, {end}: {who}{more} ({self.book.pairing.rule('rematches')})"]

    def _pair(self, a: int, b: int) -> str:
        rounds = sorted(self.history.rounds - back for back in self.field.list_meetings(a, b))
        return (
            f"{self._name(a)} and {self._name(b)} (round{'s' if len(rounds) > 1 else ''} {join_and(rounds)})"
        )

    def _name(self, player: int) -> str:
        return self.history.players[int(self.field.players[player])].shown_name
