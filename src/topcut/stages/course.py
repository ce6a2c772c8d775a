"""An event on its way through its stages: who is in each of them, who goes on, which brackets there are.

    course = Course(history, book, options, rounds, seed)

Everything is read from what is recorded. Lots that a cut needs come from the seed of the course; once a
stage has begun, whoever plays in it is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import msgspec

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round
from topcut.history.parts import Part, parts
from topcut.rulebook.layout import BracketStage
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options
from topcut.rulebook.planning.words import both
from topcut.stages.bracket import Bracket, graph_of, replayed
from topcut.stages.play import Play
from topcut.stages.scored import Scored, seed_of_lots
from topcut.stages.seeds import drawn_seeds, first_round, recorded_seeds
from topcut.standings.advance import Advancing


class Course(Scored):
    """All stages of an event, as far as it has come."""

    def __init__(
        self,
        history: History,
        book: Book,
        options: Options,
        rounds: Sequence[Round],
        seeds: Sequence[str | None] = (),
        third_place: bool | None = None,
    ) -> None:
        """`seeds`: of lots outside rounds, the first that is there counts; after them the last round's."""
        self.given = [seed for seed in seeds if seed is not None]
        super().__init__(history, book, options, rounds, seed_of_lots(seeds, rounds))
        self.third_place = bool(options.third_place) if third_place is None else third_place

    @property
    def eliminating(self) -> bool:
        """Whether elimination rounds have begun."""
        return first_round(self.rounds) is not None

    @cached_property
    def running(self) -> list[Part]:
        """The parts whose next round is a scored one."""
        played = self.history.rounds
        return [
            part
            for part in self.parts
            if not self.eliminating and (part.rounds is None or played < part.rounds)
        ]

    @property
    def draws_next(self) -> bool:
        """Whether the next round is drawn; those of a bracket and of a round robin follow from what was."""
        return bool(self.running) and not any(part.round_robin for part in self.running)

    @property
    def bracket_follows(self) -> bool:
        """Whether a bracket is planned."""
        return any(part.bracket for whole in self.parts for part in whole.apart or [whole])

    @cached_property
    def brackets(self) -> list[Bracket]:
        """The brackets of the event, one for each part that has one."""
        found = []
        for part in self._with_bracket():
            assert part.bracket is not None
            found.append(self._bracket(part, part.bracket))
        members = {i for bracket in found for i in bracket.part.members}
        for place, i in self._in_brackets():
            if i not in members:
                name = self.history.players[i].shown_name
                raise BadInput(f"{name} has no bracket to play in", place=place)
        return found

    def _in_brackets(self) -> Iterator[tuple[str, int]]:
        """(place in the file, player) for everybody at a table of an elimination round."""
        for r, a_round in enumerate(self.rounds):
            for t, table in enumerate(a_round.tables if a_round.stage == "elimination" else ()):
                for player_id in table.players:
                    yield f"rounds[{r}].tables[{t}]", self.history.index[player_id]

    def _with_bracket(self) -> list[Part]:
        """The parts that play elimination rounds; all together where the book wants one bracket (PK-A31)."""
        found = [self._as_recorded(part) for whole in self.parts for part in whole.apart or [whole]]
        stages = [part.bracket for part in found if part.bracket]
        if len(found) > 1 and stages and stages[0].brackets == "one":
            together = msgspec.structs.replace(self.options, divisions="off", pools=None, by_division=None)
            everybody = parts(self.history, self.book, together)
            found = [self._as_recorded(replace(p, asked=self.history.rounds or None)) for p in everybody]
        return [part for part in found if part.bracket]

    def _as_recorded(self, part: Part) -> Part:
        """The part with the cut that was played, where elimination rounds are recorded but not planned."""
        seated = self._seated_first(part)
        after_swiss = self.history.rounds and "swiss+elimination" in self.book.plan.formats
        if part.bracket or not seated or not after_swiss:
            return part
        return replace(part, format="swiss+elimination", cut=seated)

    def _seated_first(self, part: Part) -> int:
        """How many of a part sit in the first elimination round."""
        first = first_round(self.rounds)
        everyone = {self.history.players[i].id for i in part.members}
        return sum(
            player_id in everyone for table in (first.tables if first else ()) for player_id in table.players
        )

    def _bracket(self, part: Part, stage: BracketStage) -> Bracket:
        """The bracket as the rules seed it; where another first round is recorded, as that has it."""
        if part.refused is not None and part.cut is not None:
            raise part.refused
        first = first_round(self.rounds)
        if first is None:
            return self._seeded(part, stage)
        failed: BadInput | None = None
        later: BadInput | None = None
        for tried, seed in self._tries(part, stage, first):
            course = self.with_seed(seed)
            ids, _, _ = course._rank_seeds(tried, stage)
            try:
                self._all_inside(part, ids)
                self._replayed(stage, ids, self.rounds[: self.rounds.index(first) + 1])
            except BadInput as error:
                failed = failed or error
                continue
            try:
                return course._seeded(tried, stage)
            except BadInput as error:
                later = later or error
        if later is not None:
            raise later
        assert failed is not None
        ids, _, entered = self._rank_seeds(part, stage)
        recorded = recorded_seeds(first, {self.history.players[i].id for i in part.members})
        if recorded is None or (stage.enter is None and sorted(recorded) != sorted(ids)):
            raise failed
        other = f"the first elimination round is not the one the rules give ({failed.problem})"
        play = self._replayed(stage, recorded, self.rounds)
        return Bracket(part, stage, play, self.seed, False, entered, [other])

    def _all_inside(self, part: Part, ids: Sequence[str]) -> None:
        """Refuse rank seeds that leave out a player of the part who sits in an elimination round."""
        outside = set(part.members) - {self.history.index[player_id] for player_id in ids}
        for place, i in self._in_brackets():
            if i in outside:
                name = self.history.players[i].shown_name
                raise BadInput(f"{name} is not among the {len(ids)} in the bracket", place=place)

    def _tries(self, part: Part, stage: BracketStage, first: Round) -> Iterator[tuple[Part, str]]:
        """What a recorded first round can have come from: the cut that was planned or played, and a seed."""
        swiss = [a_round.seed for a_round in self.rounds if a_round.stage == "swiss"][-1:]
        seeds = [first.seed, *self.given] if stage.enter is None else [*self.given, first.seed, *swiss]
        sizes = [part] if stage.enter is None else [part, replace(part, cut=self._seated_first(part))]
        for tried in sizes:
            for seed in dict.fromkeys([*seeds, ""]):
                if seed is not None:
                    yield tried, seed

    def _seeded(self, part: Part, stage: BracketStage) -> Bracket:
        ids, drawn, entered = self._rank_seeds(part, stage)
        play = self._replayed(stage, ids, self.rounds)
        return Bracket(part, stage, play, self.seed, drawn, entered, self._warnings(part, ids, entered))

    def with_seed(self, seed: str) -> Course:
        return Course(self.history, self.book, self.options, self.rounds, [seed], self.third_place)

    def _replayed(self, stage: BracketStage, ids: list[str], rounds: Sequence[Round]) -> Play:
        return replayed(graph_of(stage, len(ids), self.third_place), ids, self.history, rounds)

    def _rank_seeds(self, part: Part, stage: BracketStage) -> tuple[list[str], bool, Advancing | None]:
        """The ids by rank seed: by standing after Swiss rounds (PK-39), else by lot (PK-30)."""
        if stage.enter is None:
            ids, drawn = drawn_seeds(self.history, part, self.seed)
            entered = None
        else:
            rounds = self.history.rounds if part.rounds is None else min(part.rounds, self.history.rounds)
            entered = self.cut(part, stage.enter, rounds, self.field(part, len(part.swiss) - 1))
            ids, drawn = [self.history.players[i].id for i in entered.on], False
        if len(ids) < 2:
            names = [self.history.name_of(player_id) for player_id in ids]
            those = f"only {both(names)}" if names else "nobody"
            raise Impossible(f"{those} is left for the bracket", rule=stage.rule("kind"))
        return ids, drawn, entered

    def _warnings(self, part: Part, ids: list[str], entered: Advancing | None) -> list[str]:
        """What an organiser should know: seats that stay empty, a cut that is not full."""
        if entered is None:
            return []
        rounds = self.history.rounds
        found = [] if self.eliminating else [moved.says for moved in entered.moved_up]
        for at, player_id in enumerate(ids, start=1):
            i = self.history.index[player_id]
            if self.history.last[i] <= rounds:
                name = self.history.players[i].shown_name
                found.append(f"{name}, rank seed {at}, left before the bracket; nobody moves up")
        if part.cut is not None and len(ids) < part.cut:
            found.append(f"only {len(ids)} are left for a top {part.cut}")
        return found
