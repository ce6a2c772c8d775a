"""Compute the standings of a running event after a number of rounds, from its state alone."""

from topcut.event.draw import find_lots_seed
from topcut.event.state import State
from topcut.stages import leaderboard


class EventLeaderboard(leaderboard.Leaderboard):
    """Compute the standings and all they rest on, each value once and when it is first needed."""

    def __init__(self, state: State, rounds: int) -> None:
        self.state = state
        seed = find_lots_seed(state.rounds[:rounds])
        written = state.file_rounds(rounds + 1)
        super().__init__(state.file_players(), written, state.book, state.options, seed)

    @property
    def has_bracket(self) -> bool:
        """Tell whether elimination rounds are played, posted or to come."""
        return super().has_bracket or any(r.in_bracket for r in self.state.rounds)
