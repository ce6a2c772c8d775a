"""Who is ahead after the rounds that are played? Computed once for all who ask, from the state alone."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from topcut.event.draw import course_of, lots_seed
from topcut.event.state import State
from topcut.history import build
from topcut.history.parts import without_idle
from topcut.rulebook.options import format_of
from topcut.stages.course import Course
from topcut.stages.scored import counted
from topcut.standings import Standings, rank
from topcut.standings.answer import Row, plain, record, rows
from topcut.standings.explain import explain
from topcut.standings.rank import keys


class Board:
    """Everything that follows from so many rounds of an event."""

    def __init__(self, state: State, rounds: int) -> None:
        self.state = state
        self.rounds = rounds

    @cached_property
    def _ranked(self) -> tuple[Standings, set[str]]:
        state = self.state
        played = state.written_rounds(self.rounds + 1)
        history = without_idle(build(state.written_players(), played, state.book), state.book, state.options)
        history, here = counted(history, state.book, state.options, played)
        return rank(history, state.book, lots_seed(state.rounds[: self.rounds]) or ""), here

    @property
    def standings(self) -> Standings:
        return self._ranked[0]

    @cached_property
    def rows(self) -> list[Row]:
        standings, here = self._ranked
        return [row for row in rows(standings, self.state.options.divisions) if row["id"] in here]

    @cached_property
    def ranks(self) -> dict[str, Row]:
        return {row["id"]: row for row in self.rows}

    @cached_property
    def scores(self) -> dict[str, tuple[Any, str]]:
        """Points and record of everybody; quicker than the rows with their tiebreaks."""
        standings = self.standings
        first = keys(self.state.book)[0]
        return {
            player.id: (plain(standings.value(first, i)) or 0, record_words(record(standings, i)))
            for i, player in enumerate(standings.history.players)
        }

    def explained(self, player: str) -> list[str]:
        """The working of every tiebreak of a player; nothing for somebody who is not ranked."""
        at = self.standings.history.index.get(player)
        return [] if at is None or not self.rounds else explain(self.standings, at)

    @cached_property
    def course(self) -> Course:
        """The event on its way through its stages, as far as is played."""
        return course_of(self.state, self.rounds + 1)

    @property
    def has_bracket(self) -> bool:
        """Whether elimination rounds are played or to come."""
        begun = any(a_round.stage == "elimination" for a_round in self.state.rounds)
        return begun or "elimination" in format_of(self.state.book, self.state.options)


def record_words(of: dict[str, int]) -> str:
    """Wins-losses, draws where there are any, and byes, which are wins without an opponent."""
    draws = f"-{of['draws']}" if of["draws"] else ""
    byes = {0: "", 1: " +bye"}.get(of["byes"], f" +{of['byes']} byes")
    return f"{of['wins']}-{of['losses']}{draws}{byes}"
