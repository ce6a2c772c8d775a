"""Play a bracket: who sits where, which tables are ready, who won.

Players are ids, in the order of their rank seeds. A table without a winner (both lost, or both left) sends
nobody on, and the player who would have met its winner has a bye.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal

from topcut.errors import Impossible
from topcut.stages.brackets.graph import Graph, LoserOf, Node, RankSeed, Source, WinnerOf
from topcut.text.messages import say


class Nobody(Enum):
    """A seat without a player."""

    EMPTY = "empty"
    """No player will ever sit here."""
    OPEN = "open"
    """Not known yet."""


EMPTY, OPEN = Nobody.EMPTY, Nobody.OPEN
Occupant = str | Nobody
How = Literal["played", "walk-over", "bye", "no winner", "drawn", "not needed"]


@dataclass(frozen=True)
class TableEnd:
    winner: Occupant
    loser: Occupant
    how: How


class BracketPlay:
    def __init__(
        self, graph: Graph, players: Sequence[str], rank_seeds: Mapping[str, int] | None = None
    ) -> None:
        """`rank_seeds`: the players' own, where a recorded bracket has them in other places."""
        self.graph = graph
        self.players = list(players)
        self._own_seeds = rank_seeds
        self._results: dict[str, str | None] = {}
        """The winner of each table that was played; None if both lost, or if they drew."""
        self._drawn: set[str] = set()
        """The tables that were drawn, in published events: their players share the places they played for."""
        self._gone: set[str] = set()
        self._without_play: dict[str, TableEnd] = {}
        """How tables ended because a player had left, as it was before others left."""
        self._ended: dict[str, TableEnd | None] = {}
        self._ready: dict[str, frozenset[str]] = {}
        """The tables that can be played now, with their players."""
        self._update_all()

    @cached_property
    def rank_seeds(self) -> dict[str, int]:
        if self._own_seeds is not None:
            return dict(self._own_seeds)
        return {player_id: at for at, player_id in enumerate(self.players, start=1)}

    def seats(self, name: str) -> tuple[Occupant, Occupant]:
        if not self.needed(name):
            return EMPTY, EMPTY
        first, second = (self._occupant(source) for source in self.graph.nodes[name].seats)
        return first, second

    def needed(self, name: str) -> bool:
        """Return whether a table is played at all, as far as is known; the second final often is not."""
        node = self.graph.nodes.get(name)
        if node is None or not node.only_if_second_won:
            return node is not None
        final = self._ended[node.only_if_second_won]
        second = self.graph.nodes[node.only_if_second_won].seats[1]
        return final is None or final.winner == self._occupant(second)

    def ended(self, name: str) -> TableEnd | None:
        """Return how a table ended; None while it is open."""
        return self._ended[name]

    def ready(self) -> list[str]:
        """Return the tables that can be played now."""
        return sorted(self._ready, key=list(self.graph.nodes).index)

    @property
    def over(self) -> bool:
        return all(ended is not None for ended in self._ended.values())

    def gone(self, player: str) -> bool:
        return player in self._gone

    def alive(self) -> set[str]:
        """Return the players who still have a table to play, now or later."""
        going_on = [name for name, ended in self._ended.items() if ended is None]
        return {seat for name in going_on for seat in self.seats(name) if isinstance(seat, str)}

    def table_of(self, players: Iterable[str]) -> str | None:
        """Return the table at which exactly these players can play now."""
        wanted = frozenset(players)
        return next((name for name, seated in self._ready.items() if seated == wanted), None)

    def has_bye(self, player: str) -> bool:
        """Return whether a player has a bye or a walk-over anywhere."""
        ends = [ended for ended in self._ended.values() if ended is not None and ended.winner == player]
        return any(ended.how in ("bye", "walk-over") for ended in ends)

    def leave(self, players: Iterable[str]) -> None:
        """Let players lose whatever table they come to (PK-33)."""
        leaving = set(players) - self._gone
        if leaving:
            round_of = self.graph.round_of
            now = min((round_of[name] for name in self._ready), default=len(self.graph.rounds))
            for name, ended in self._ended.items():
                if ended is not None and name not in self._results and round_of[name] < now:
                    self._without_play[name] = ended
            self._gone |= leaving
            self._update_all()

    def lose_without_play(self, player: str) -> bool:
        """Let a player lose the table they sit at now without play; return whether there is one."""
        for name, seated in self._ready.items():
            if player in seated:
                (other,) = seated - {player}
                self._without_play[name] = TableEnd(other, player, "walk-over")
                self._update(name)
                return True
        return False

    def report(self, name: str, winner: str | None, drawn: bool = False) -> None:
        """Record the winner of a table that is ready; None if both lost, or `drawn` if no player did."""
        feeds_loser = any(LoserOf(name) in self.graph.nodes[other].seats for other in self.graph.after[name])
        if winner is None and feeds_loser and self.graph.second_chance:
            problem = say("{table} needs a winner: its loser plays on", table=name)
            raise Impossible(problem, rule=name)
        self._results[name] = winner
        if drawn:
            self._drawn.add(name)
        self._update(name)

    def _update_all(self) -> None:
        for name in self.graph.nodes:  # in the order of play
            self._ended[name] = self._find_end(self.graph.nodes[name])
            self._update_ready(name)

    def _update(self, name: str) -> None:
        """Update a table, and the ones that follow from it if anything changed."""
        ended = self._find_end(self.graph.nodes[name])
        changed = ended != self._ended[name]
        self._ended[name] = ended
        self._update_ready(name)
        for other in self.graph.after[name] if changed else ():
            self._update(other)

    def _update_ready(self, name: str) -> None:
        seats = self.seats(name)
        players = frozenset(seat for seat in seats if isinstance(seat, str))
        if self._ended[name] is None and len(players) == 2:
            self._ready[name] = players
        else:
            self._ready.pop(name, None)

    def _find_end(self, node: Node) -> TableEnd | None:
        first, second = (self._occupant(source) for source in node.seats)
        if OPEN in (first, second):
            return None
        if not self.needed(node.name):
            return TableEnd(EMPTY, EMPTY, "not needed")
        if node.name in self._results:
            winner = self._results[node.name]
            if winner is None:
                return TableEnd(EMPTY, EMPTY, "drawn" if node.name in self._drawn else "no winner")
            return TableEnd(winner, second if winner == first else first, "played")
        before = self._without_play.get(node.name)
        if before is not None and {before.winner, before.loser} - {EMPTY} <= {first, second}:
            return before
        if EMPTY in (first, second):
            alone = second if first is EMPTY else first
            left = alone in self._gone
            return TableEnd(EMPTY, alone, "no winner") if left else TableEnd(alone, EMPTY, "bye")
        match first in self._gone, second in self._gone:
            case True, True:
                return TableEnd(EMPTY, EMPTY, "no winner")
            case True, False:
                return TableEnd(second, first, "walk-over")
            case False, True:
                return TableEnd(first, second, "walk-over")
        return None

    def _occupant(self, source: Source) -> Occupant:
        match source:
            case RankSeed(number):
                return self.players[number - 1] if number <= len(self.players) else EMPTY
            case WinnerOf(table) | LoserOf(table):
                ended = self._ended[table]
                if ended is None:
                    return OPEN
                return ended.winner if isinstance(source, WinnerOf) else ended.loser
