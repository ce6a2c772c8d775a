"""Who is ahead after the rounds that are played? Computed once for all who ask, from the state alone."""

from __future__ import annotations

from topcut.event.draw import lots_seed
from topcut.event.state import State
from topcut.stages import board


class Board(board.Board):
    """Everything that follows from so many rounds of a running event."""

    def __init__(self, state: State, rounds: int) -> None:
        self.state = state
        seed = lots_seed(state.rounds[:rounds])
        written = state.written_rounds(rounds + 1)
        super().__init__(state.written_players(), written, state.book, state.options, seed)

    @property
    def has_bracket(self) -> bool:
        """Whether elimination rounds are played, posted or to come."""
        return super().has_bracket or any(r.stage == "elimination" for r in self.state.rounds)
