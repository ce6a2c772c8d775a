"""Follow an event through its stages: who plays in each of them, who goes on, which brackets there are.

    progress = Progress(history, book, options, rounds, seeds)

Everything is read from what is recorded. Lots that a cut needs come from the seed of the progress; once a
stage has begun, its recorded players are in it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

import msgspec
import numpy as np

from topcut.errors import BadInput, Impossible
from topcut.history import History, Outcome, Round
from topcut.history.model import Allowance
from topcut.history.parts import Part, split_into_parts
from topcut.rulebook.layout import BracketStage, Enter, cite_reading
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, choose_format
from topcut.rulebook.planning.stages import list_stages
from topcut.stages.brackets.bracket import (
    Bracket,
    complete_byes,
    draw_rank_seeds,
    read_rank_seeds,
    replay_bracket,
)
from topcut.stages.brackets.play import BracketPlay
from topcut.stages.stage_types import StageType, build_graph, scored_type_of
from topcut.standings import Standings, rank
from topcut.standings.advance import CutDecision, apply_cut, apply_cut_to_flights
from topcut.text.messages import Message, count, say


def choose_lot_seed(given: Sequence[str | None], rounds: Sequence[Round]) -> str:
    """Return the seed of lots outside rounds: the first given, else that of the round that used them last.

    Once a bracket has begun, its first round has used the standings; later ones change nothing in them.
    """
    swiss = [a_round.seed for a_round in rounds if a_round.is_scored][-1:]
    bracket = [a_round.seed for a_round in rounds if a_round.in_bracket][:1]
    return next((seed for seed in [*given, *bracket, *swiss] if seed is not None), "")


@dataclass(eq=False)
class Progress:
    """All stages of an event, as far as it has come."""

    history: History
    book: Book
    options: Options
    rounds: Sequence[Round]
    seeds: Sequence[str | None] = ()
    """Of lots outside rounds: the first that is there counts; after them the last round's."""
    third_place: bool | None = None
    """Whether third place is played for; None: as the options have it."""
    allowed: Allowance | None = None
    """What the organiser allows in the next round against the rules."""
    round_lots: bool = False
    """Whether pods, and the order of players for larger tables, had lots of the new round's own seed: so it
    was in logs from before they had those of the published standings."""

    def __post_init__(self) -> None:
        self.given = [seed for seed in self.seeds if seed is not None]
        self.seed = choose_lot_seed(self.given, self.rounds)
        self.parts = split_into_parts(self.history, self.book, self.options)

    def with_seeds(self, seeds: Sequence[str | None]) -> "Progress":
        return replace(self, seeds=seeds)

    def before_round(self, r: int, seeds: Sequence[str | None]) -> "Progress":
        """Return the event as it was before a round (from 0)."""
        history = self.history.after(min(r, self.history.rounds))
        return replace(self, history=history, rounds=self.rounds[:r], seeds=seeds)

    @property
    def standings_seed(self) -> str | None:
        """The seed of the standings as everybody sees them; None before the first round."""
        return self.seed if self.history.rounds and not self.round_lots else None

    # Swiss stages and round robins

    @cached_property
    def first_bracket_round(self) -> Round | None:
        """The first elimination round, if there is one."""
        return next((a_round for a_round in self.rounds if a_round.in_bracket), None)

    @property
    def eliminating(self) -> bool:
        """Whether elimination rounds have begun."""
        return self.first_bracket_round is not None

    @cached_property
    def running(self) -> list[Part]:
        """The parts whose next round is a scored one."""
        if self.eliminating:
            return []
        return [part for part in self.parts if part.rounds is None or self.history.rounds < part.rounds]

    @property
    def planned_rounds(self) -> int | None:
        """How many rounds are planned before any bracket, in the longest part; None where that is open."""
        planned = [part.rounds for part in self.parts]
        known = [rounds for rounds in planned if rounds is not None]
        return max(known, default=None) if len(known) == len(planned) else None

    @property
    def scored_type(self) -> StageType:
        return scored_type_of(list_stages(self.book, choose_format(self.book, self.options)))

    @property
    def draws_next(self) -> bool:
        """Whether the next round is drawn; a bracket and a round robin follow from what was before."""
        return bool(self.running) and self.scored_type.draws_rounds

    def standings(self, part: Part, rounds: int, flights: bool = False) -> Standings:
        """Rank a part by itself after a number of rounds; `flights`: each flight by itself."""
        history = self.select_history([part], rounds)
        pools = np.zeros(history.size, np.int64)
        for i in part.members:
            pools[i] = 1 + ((history.players[i].flight or 0) if flights else 0)
        return rank(history, self.book, self.seed, pools)

    def select_history(self, running: Sequence[Part], rounds: int, after: bool = False) -> History:
        """Return the history of the first rounds, with what counts in the stage of the last one (PK-A20).

        `after`: with what counts in the round that comes next.
        """
        history = self.history.after(rounds)
        for part in running:
            first = self._first_counted(part, rounds + after)
            if first:
                history = history.restart(first, part.members)
        return history

    def _first_counted(self, part: Part, rounds: int) -> int:
        """Return the first round (from 0) that counts in the last one of these rounds."""
        return max((at.first for at in part.swiss if at.first < rounds and not at.carries), default=0)

    def find_players(self, part: Part, stage: int) -> list[int]:
        """Return who plays in a Swiss stage of a part: who went on into it, or sat in it once it began."""
        if stage == 0:
            return part.members
        at = part.swiss[stage]
        before = self.find_players(part, stage - 1)
        if at.stage.enter is None or at.first > self.history.rounds:
            return before
        if at.first < self.history.rounds:
            absent = (Outcome.IDLE, Outcome.GONE, Outcome.MISSED)
            return [i for i in before if self.history.played[at.first, i] not in absent]
        return self.decide_entry(part, stage).on

    def decide_entry(self, part: Part, stage: int) -> CutDecision:
        """Decide who goes on into a Swiss stage, by the standings at the end of the one before."""
        at = part.swiss[stage]
        assert at.stage.enter is not None
        return self.cut(part, at.stage.enter, at.first, self.find_players(part, stage - 1))

    def active(self, part: Part) -> list[int]:
        """Return who takes part in the next round of a part."""
        history = self.history
        following = history.rounds + 1
        stages = [k for k, at in enumerate(part.swiss) if at.first <= history.rounds]
        here = self.find_players(part, stages[-1]) if stages else part.members
        return [i for i in here if history.entered[i] <= following and history.last[i] >= following]

    def decide_next_cut(self, part: Part) -> CutDecision | None:
        """Decide the cut that comes before the next round of a part, if one does."""
        for k, at in enumerate(part.swiss):
            if k and at.first == self.history.rounds and at.stage.enter is not None:
                return self.decide_entry(part, k)
        return None

    def cut(self, part: Part, enter: Enter, rounds: int, field: Sequence[int]) -> CutDecision:
        """Cut by the standings after a number of rounds, among players who were there to the end.

        The next in line take the places of players who left since: where the book says so, and whatever it
        says if they were disqualified (PK-A22).
        """
        history = self.history
        standings = self.standings(part, rounds)
        ranked = set(standings.order.tolist())
        there = (history.last >= rounds) & (history.entered <= max(rounds, 1))
        candidates = [i for i in field if i in ranked and there[i]]
        left = (history.disqualified == rounds) | (enter.backfill & (history.dropped == rounds))
        gone = {i for i in candidates if left[i]}
        flights = sorted({f for i in part.members if (f := history.players[i].flight) is not None})
        if enter.top != "cut" or not flights:
            counted = rounds - self._first_counted(part, rounds)
            return apply_cut(standings, enter, part.cut, candidates, counted, gone)
        own = self.standings(part, rounds, flights=True)
        groups: dict[str, tuple[Standings, list[int]]] = {
            say("Flight {number}", number=flight): (
                own,
                [i for i in candidates if history.players[i].flight == flight],
            )
            for flight in flights
        }
        return apply_cut_to_flights(standings, enter, (part.cut or 0) // len(groups), groups, gone)

    # Brackets

    @property
    def bracket_follows(self) -> bool:
        """Whether a bracket is planned."""
        return any(part.bracket for whole in self.parts for part in whole.bracket_parts or [whole])

    @cached_property
    def brackets(self) -> list[Bracket]:
        """The brackets of the event, one for each part that has one."""
        found = [self._find_bracket(part, stage) for part, stage in self._parts_with_bracket()]
        members = {i for bracket in found for i in bracket.part.members}
        others = set(range(self.history.size)) - members
        self._refuse_seats(others, lambda name: say("{player} has no bracket to play in", player=name))
        return found

    def _refuse_seats(self, players: Collection[int], explain: Callable[[str], Message]) -> None:
        """Refuse an event with any of these players at a table of an elimination round, for a reason."""
        for r, a_round in enumerate(self.rounds):
            for t, table in enumerate(a_round.tables if a_round.in_bracket else ()):
                for player_id in table.players:
                    if self.history.index[player_id] in players:
                        problem = explain(self.history.name_of(player_id))
                        raise BadInput(problem, place=f"rounds[{r}].tables[{t}]")

    def _parts_with_bracket(self) -> list[tuple[Part, BracketStage]]:
        """Return the parts that play a bracket; all in one where the book wants one bracket (PK-A31)."""
        found = [self._as_recorded(part) for whole in self.parts for part in whole.bracket_parts or [whole]]
        stages = [part.bracket for part in found if part.bracket]
        if len(found) > 1 and stages and stages[0].brackets == "one":
            together = msgspec.structs.replace(self.options, divisions="off", pools=None, by_division=None)
            everybody = split_into_parts(self.history, self.book, together)
            found = [self._as_recorded(replace(p, asked=self.history.rounds or None)) for p in everybody]
        return [(part, part.bracket) for part in found if part.bracket]

    def _as_recorded(self, part: Part) -> Part:
        """Return the part with the cut that was played, where a bracket is recorded but not planned."""
        seated = self._count_seated_first(part)
        after_swiss = self.history.rounds and "swiss+elimination" in self.book.plan.formats
        if part.bracket or not seated or not after_swiss:
            return part
        return replace(part, format="swiss+elimination", cut=seated)

    def _count_seated_first(self, part: Part) -> int:
        """Return how many of a part sit in the first elimination round."""
        tables = self.first_bracket_round.tables if self.first_bracket_round else ()
        seated = {self.history.index[player_id] for table in tables for player_id in table.players}
        return len(seated.intersection(part.members))

    def _find_bracket(self, part: Part, stage: BracketStage) -> Bracket:
        """Seed a bracket as the rules do; where another first round is recorded, as that has it."""
        if part.refused is not None and part.cut is not None:
            raise part.refused
        first = self.first_bracket_round
        if first is None:
            return self._seed_bracket(part, stage)
        failed: BadInput | None = None
        later: BadInput | None = None
        for tried, seed in self._possible_origins(part, stage, first):
            progress = self.with_seeds([seed])
            ids, _, _ = progress._find_rank_seeds(tried, stage)
            try:
                outside = set(part.members) - {self.history.index[player_id] for player_id in ids}
                self._refuse_seats(outside, partial(_say_outside, players=len(ids)))
                self._replay(stage, ids, self.rounds[: self.rounds.index(first) + 1])
            except BadInput as error:
                failed = failed or error
                continue
            try:
                return progress._seed_bracket(tried, stage)
            except BadInput as error:
                later = later or error
        if later is not None:
            raise later
        assert failed is not None
        ids, drawn, entered = self._find_rank_seeds(part, stage)
        members = {self.history.players[i].id for i in part.members}
        recorded = self._read_with_byes(stage, first, ids, members) or read_rank_seeds(first, members)
        if recorded is None or (stage.enter is None and sorted(recorded) != sorted(ids)):
            raise failed
        other = say(
            "The first elimination round is not the one that the rules give: {problem}.",
            problem=failed.problem,
        )
        seeds = None if drawn else self._keep_rank_seeds(part, recorded, ids)
        play = self._replay(stage, recorded, self.rounds, seeds)
        return Bracket(part, stage, play, self.seed, False, entered, [other])

    def _read_with_byes(
        self, stage: BracketStage, first: Round, ids: list[str], members: set[str]
    ) -> list[str] | None:
        """Return the rank seeds of a first round that leaves out byes, as all recorded rounds allow them."""
        tables = tuple(table for table in first.tables if set(table.players) <= members)
        for completed in complete_byes(msgspec.structs.replace(first, tables=tables), ids):
            recorded = read_rank_seeds(completed, members)
            if recorded is not None and sorted(recorded) == sorted(ids):
                with suppress(BadInput):
                    self._replay(stage, recorded, self.rounds)
                    return recorded
        return None

    def _keep_rank_seeds(self, part: Part, recorded: list[str], ids: list[str]) -> dict[str, int]:
        """Return the rank seeds of the players in a recorded bracket: as expected, else by the standings."""
        order = ids
        if set(recorded) != set(ids):
            standings = self.standings(part, self.history.rounds)
            order = [self.history.players[i].id for i in standings.order.tolist()]
            order = [player_id for player_id in order if player_id in set(recorded)]
            order += [player_id for player_id in recorded if player_id not in set(order)]
        return {player_id: at for at, player_id in enumerate(order, start=1)}

    def _possible_origins(self, part: Part, stage: BracketStage, first: Round) -> Iterator[tuple[Part, str]]:
        """Yield what a recorded first round can have come from: the cut as planned or played, and a seed."""
        swiss = [a_round.seed for a_round in self.rounds if a_round.is_scored][-1:]
        seeds = [first.seed, *self.given] if stage.enter is None else [*self.given, first.seed, *swiss]
        sizes = [part] if stage.enter is None else [part, replace(part, cut=self._count_seated_first(part))]
        for tried in sizes:
            for seed in dict.fromkeys([*seeds, ""]):
                if seed is not None:
                    yield tried, seed

    def _seed_bracket(self, part: Part, stage: BracketStage) -> Bracket:
        ids, drawn, entered = self._find_rank_seeds(part, stage)
        play = self._replay(stage, ids, self.rounds)
        return Bracket(part, stage, play, self.seed, drawn, entered, self._list_warnings(part, ids, entered))

    def _replay(
        self,
        stage: BracketStage,
        ids: list[str],
        rounds: Sequence[Round],
        seeds: Mapping[str, int] | None = None,
    ) -> BracketPlay:
        third_place = self.options.third_place if self.third_place is None else self.third_place
        graph = build_graph(stage, len(ids), bool(third_place))
        return replay_bracket(graph, ids, self.history, rounds, seeds)

    def _find_rank_seeds(self, part: Part, stage: BracketStage) -> tuple[list[str], bool, CutDecision | None]:
        """Return the ids by rank seed: by standing after Swiss rounds (PK-39), else by lot (PK-30)."""
        if stage.enter is None:
            (ids, drawn), entered = draw_rank_seeds(self.history, part, self.seed), None
        else:
            rounds = self.history.rounds if part.rounds is None else min(part.rounds, self.history.rounds)
            entered = self.cut(part, stage.enter, rounds, self.find_players(part, len(part.swiss) - 1))
            ids, drawn = [self.history.players[i].id for i in entered.on], False
        if len(ids) < 2:
            problem = say("No player is left for the bracket.")
            if ids:
                name = self.history.name_of(ids[0])
                problem = say("Only {player} is left for the bracket.", player=name)
            raise Impossible(problem, rule=stage.rule("kind"))
        return ids, drawn, entered

    def _list_warnings(self, part: Part, ids: list[str], entered: CutDecision | None) -> list[Message]:
        """Return what an organiser should know: seats that stay empty, a cut that is not full."""
        if entered is None:
            return []
        found = [] if self.eliminating else [moved.says for moved in entered.moved_up]
        for at, player_id in enumerate(ids, start=1):
            if self.history.last[self.history.index[player_id]] <= self.history.rounds:
                stays = say(
                    "{player}, rank seed {seed}, left before the bracket, and no player moves up.",
                    player=self.history.name_of(player_id),
                    seed=at,
                )
                enter = part.bracket.enter if part.bracket else None
                found.append(cite_reading(stays, enter, "backfill"))
        if part.cut is not None and len(ids) < part.cut:
            found.append(
                count(
                    "Only {n} player is left for a top {cut}.",
                    "Only {n} players are left for a top {cut}.",
                    len(ids),
                    cut=part.cut,
                )
            )
        return found


def _say_outside(player: str, players: int) -> Message:
    return count(
        "{player} is not the {n} player in the bracket",
        "{player} is not one of the {n} players in the bracket",
        players,
        player=player,
    )


def select_counted_history(
    history: History, book: Book, options: Options, rounds: Sequence[Round]
) -> tuple[History, set[str]]:
    """Return the history that counts after these rounds, and the ids that it ranks.

    Players outside a stage that starts anew are not ranked.
    """
    progress = Progress(history, book, options, rounds, [""])
    here = set(range(history.size))
    for part in progress.parts:
        for k, at in enumerate(part.swiss):
            if at.first < len(rounds) and not at.carries:
                here -= set(part.members) - set(progress.find_players(part, k))
    return progress.select_history(progress.parts, len(rounds)), {history.players[i].id for i in here}
