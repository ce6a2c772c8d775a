"""The scored stages of an event: who plays in each of them, who goes on, by which standings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topcut.history import History, Played, Round
from topcut.history.parts import Part, parts
from topcut.rulebook.layout import Enter
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.standings import Standings, rank
from topcut.standings.advance import Advancing, going_on, going_on_from_each


def seed_of_lots(given: Sequence[str | None], rounds: Sequence[Round]) -> str:
    """The seed of lots outside rounds: the first that is given, else that of the round that used them last.

    Once a bracket has begun, its first round has used the standings; later ones change nothing in them.
    """
    swiss = [a_round.seed for a_round in rounds if a_round.stage == "swiss"][-1:]
    bracket = [a_round.seed for a_round in rounds if a_round.stage == "elimination"][:1]
    return next((seed for seed in [*given, *bracket, *swiss] if seed is not None), "")


class Scored:
    """Swiss stages as far as an event has come; `seed` is that of the lots a cut needs."""

    def __init__(
        self, history: History, book: Book, options: Options, rounds: Sequence[Round], seed: str
    ) -> None:
        self.history = history
        self.book = book
        self.options = options
        self.rounds = rounds
        self.seed = seed
        self.parts = parts(history, book, options)

    def standings(self, part: Part, rounds: int, flights: bool = False) -> Standings:
        """The standings of a part after so many rounds, ranked by itself, and by flights if asked for."""
        history = self.counting([part], rounds)
        pools = np.zeros(history.size, np.int64)
        for i in part.members:
            pools[i] = 1 + ((history.players[i].flight or 0) if flights else 0)
        return rank(history, self.book, self.seed, pools)

    def counting(self, running: Sequence[Part], rounds: int, after: bool = False) -> History:
        """The history of so many rounds, with what counts in the stage of the last of them (PK-A20).

        `after`: with what counts in the round that comes next.
        """
        history = self.history.after(rounds)
        for part in running:
            first = self._counted_from(part, rounds + after)
            if first:
                history = history.anew(first, part.members)
        return history

    def _counted_from(self, part: Part, rounds: int) -> int:
        """The first round (from 0) that counts for the last of so many."""
        return max((at.first for at in part.swiss if at.first < rounds and not at.carries), default=0)

    def field(self, part: Part, stage: int) -> list[int]:
        """Who plays in a Swiss stage of a part: who went on into it, or who was seen in it once it began."""
        if stage == 0:
            return part.members
        at = part.swiss[stage]
        before = self.field(part, stage - 1)
        if at.stage.enter is None or at.first > self.history.rounds:
            return before
        if at.first < self.history.rounds:
            absent = (Played.IDLE, Played.GONE, Played.MISSED)
            return [i for i in before if self.history.played[at.first, i] not in absent]
        return self.entering(part, stage).on

    def entering(self, part: Part, stage: int) -> Advancing:
        """Who goes on into a Swiss stage of a part, by the standings at the end of the one before."""
        at = part.swiss[stage]
        assert at.stage.enter is not None
        return self.cut(part, at.stage.enter, at.first, self.field(part, stage - 1))

    def active(self, part: Part) -> list[int]:
        """Who takes part in the next round of a part."""
        history = self.history
        following = history.rounds + 1
        stages = [k for k, at in enumerate(part.swiss) if at.first <= history.rounds]
        here = self.field(part, stages[-1]) if stages else part.members
        return [i for i in here if history.entered[i] <= following and history.last[i] >= following]

    def left_out(self, part: Part) -> Advancing | None:
        """The cut that comes before the next round of a part, if one does."""
        for k, at in enumerate(part.swiss):
            if k and at.first == self.history.rounds and at.stage.enter is not None:
                return self.entering(part, k)
        return None

    def cut(self, part: Part, enter: Enter, rounds: int, field: Sequence[int]) -> Advancing:
        """A cut on the standings after so many rounds, among those who were there to the end.

        The next in line take the places of those who left since: where the book says so, and whatever it
        says if they were disqualified (PK-A22).
        """
        history = self.history
        standings = self.standings(part, rounds)
        ranked = set(standings.order.tolist())
        candidates = [
            i
            for i in field
            if i in ranked and history.last[i] >= rounds and history.entered[i] <= max(rounds, 1)
        ]
        gone = {
            i
            for i in candidates
            if history.disqualified[i] == rounds or (enter.backfill and history.dropped[i] == rounds)
        }
        if enter.top != "cut" or not self._flights(part):
            counted = rounds - self._counted_from(part, rounds)
            return going_on(standings, enter, part.cut, candidates, counted, gone)
        own = self.standings(part, rounds, flights=True)
        groups = {
            f"flight {flight}": (own, [i for i in candidates if history.players[i].flight == flight])
            for flight in self._flights(part)
        }
        return going_on_from_each(standings, (part.cut or 0) // len(groups), groups, gone)

    def _flights(self, part: Part) -> list[int]:
        return sorted({f for i in part.members if (f := self.history.players[i].flight) is not None})


def counted(
    history: History, book: Book, options: Options, rounds: Sequence[Round]
) -> tuple[History, set[str]]:
    """The history that counts after these rounds, and whom it ranks: all but those outside a new start."""
    course = Scored(history, book, options, rounds, seed="")
    here = set(range(history.size))
    for part in course.parts:
        for k, at in enumerate(part.swiss):
            if at.first < len(rounds) and not at.carries:
                here -= set(part.members) - set(course.field(part, k))
    return course.counting(course.parts, len(rounds)), {history.players[i].id for i in here}
