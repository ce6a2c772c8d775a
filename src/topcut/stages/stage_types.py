"""Pair the next round of an event, whatever the type of its stage: Swiss, round robin or a bracket.

A new stage type is a class in `_SCORED_TYPES` here or, for a bracket, a case in `build_graph`;
docs/architecture.md lists what else it needs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from topcut.errors import Impossible
from topcut.history import History
from topcut.history.parts import Part
from topcut.pairing.model import DrawnTable, RoundPairing
from topcut.pairing.round_draw import RoundDraw, explain_all_played
from topcut.rulebook.layout import (
    BracketStage,
    DoubleEliminationStage,
    EliminationStage,
    RoundRobinStage,
    Stage,
    SwissStage,
)
from topcut.stages.brackets.graph import Graph, build_double, build_single
from topcut.stages.round_robin import find_circle_seeds, list_circle_tables
from topcut.text.messages import Message, join_messages, say

if TYPE_CHECKING:
    from topcut.stages.brackets.bracket import Bracket
    from topcut.stages.progress import Progress


class StageType:
    """A way to play rounds that count in the standings."""

    draws_rounds = False
    """Whether each round is drawn from a seed of its own, so that another draw could differ."""
    has_schedule = False
    """Whether the tables of all rounds are known from the first one on."""

    @abstractmethod
    def pair_round(self, progress: Progress, seed: str) -> RoundPairing:
        """Pair the next round; `Impossible` if it cannot be."""

    @abstractmethod
    def explain_end(self, progress: Progress) -> Impossible:
        """Return why no round follows when all of this stage are played."""


class Swiss(StageType):
    """Rounds that are drawn between players with equal points."""

    draws_rounds = True

    def pair_round(self, progress: Progress, seed: str) -> RoundPairing:
        history = progress.history
        pairing = prepare_swiss_round(progress).pair(seed)
        cuts = [cut for part in progress.running if (cut := progress.decide_next_cut(part)) is not None]
        left_out = {
            history.players[verdict.player].id: history.rounds
            for cut in cuts
            for verdict in cut.verdicts
            if not verdict.on and history.last[verdict.player] > history.rounds
        }
        drawn = pairing.drawn | ({"cut": left_out} if left_out else {})
        moved_up = [moved.says for cut in cuts for moved in cut.moved_up]
        return replace(pairing, drawn=drawn, warnings=[*pairing.warnings, *moved_up])

    def explain_end(self, progress: Progress) -> Impossible:
        problem = explain_all_played(progress.parts[0].rounds or 0)
        return Impossible(problem, rule=progress.book.plan.rule("tables"))


class RoundRobin(StageType):
    """Everybody meets everybody once; a player whose opponent has left has a bye."""

    has_schedule = True

    def pair_round(self, progress: Progress, seed: str) -> RoundPairing:
        history = progress.history
        tables: list[DrawnTable] = []
        drawn: dict[str, int] = {}
        for part in progress.running:
            ids, fresh = find_circle_seeds(history, part, progress.rounds, seed)
            if fresh:
                drawn |= {player_id: at for at, player_id in enumerate(ids, start=1)}
            for players, why in list_circle_tables(history, ids, history.rounds):
                tables.append(DrawnTable(players, (why,), part.name))
        tables.sort(key=lambda table: len(table.players) == 1)
        lots = {"seeds": drawn} if drawn else {}
        return RoundPairing(history.rounds + 1, seed, tables, [], [], lots, "round-robin")

    def explain_end(self, progress: Progress) -> Impossible:
        rounds = progress.parts[0].rounds or 0
        problem = say("All {rounds} rounds of the round robin are played.", rounds=rounds)
        if rounds == 1:
            problem = say("The only round of the round robin is played.")
        return Impossible(problem, rule="")


_SCORED_TYPES: dict[type[Stage], StageType] = {SwissStage: Swiss(), RoundRobinStage: RoundRobin()}


def scored_type_of(stages: list[Stage]) -> StageType:
    """Return the type of the scored ones of these stages; Swiss where there are none."""
    found = [_SCORED_TYPES[type(stage)] for stage in stages if type(stage) in _SCORED_TYPES]
    return found[0] if found else _SCORED_TYPES[SwissStage]


def build_graph(stage: BracketStage, players: int, third_place: bool) -> Graph:
    match stage:
        case EliminationStage():
            return build_single(players, third_place)
        case DoubleEliminationStage():
            return build_double(players, stage.reset)


def pair_next_round(progress: Progress, seed: str) -> RoundPairing:
    """Pair the next round: its draw comes from this seed, rank seeds and cuts from the progress's."""
    if progress.running:
        return progress.scored_type.pair_round(progress, seed)
    brackets = progress.brackets
    if not brackets:
        raise progress.scored_type.explain_end(progress)
    tables = [table for bracket in brackets for table in bracket.next(progress.history)]
    if not any(len(table.players) > 1 for table in tables):
        raise _explain_bracket_end(progress)
    tables.sort(key=lambda table: len(table.players) == 1)
    fresh = [] if progress.eliminating else [bracket for bracket in brackets if bracket.drawn]
    drawn = {player_id: at for bracket in fresh for player_id, at in bracket.play.rank_seeds.items()}
    warnings = [said for bracket in brackets for said in bracket.warnings]
    lots = {"seeds": drawn} if drawn else {}
    return RoundPairing(len(progress.rounds) + 1, brackets[0].seed, tables, [], warnings, lots, "bracket")


def _explain_bracket_end(progress: Progress) -> Impossible:
    winners = join_messages(", ", [_name_winner(progress, bracket) for bracket in progress.brackets])
    return Impossible(say("Every table of the bracket is played: {winners}.", winners=winners), rule="")


def _name_winner(progress: Progress, bracket: Bracket) -> Message:
    division = bracket.part.name
    if bracket.winner is None:
        return say("no player won {division}", division=division) if division else say("no player won")
    name = progress.history.name_of(bracket.winner)
    if division:
        return say("{player} won {division}", player=name, division=division)
    return say("{player} won", player=name)


def make_table_draw(progress: Progress) -> Callable[[str], frozenset[frozenset[int]]]:
    """Return a function from a seed to the tables it draws for the next round, to be called very often."""
    if progress.draws_next:
        return prepare_swiss_round(progress).draw_tables

    def draw(seed: str) -> frozenset[frozenset[int]]:
        again = progress.with_seeds(progress.given if progress.rounds else [seed])
        return frozenset(frozenset(table.players) for table in pair_next_round(again, seed).tables)

    return draw


def prepare_swiss_round(progress: Progress) -> RoundDraw:
    """Return the next Swiss round, ready to be drawn: who takes part, in which parts."""
    for part in progress.running:
        _check_late_entries(progress.history, part)
    active = sorted(i for part in progress.running for i in progress.active(part))
    return RoundDraw(
        progress.select_history(progress.running, progress.history.rounds, after=True),
        progress.book,
        progress.options,
        progress.rounds,
        running=progress.running,
        active=np.array(active, np.int64),
        allowed=progress.allowed,
        lots=progress.standings_seed,
    )


def _check_late_entries(history: History, part: Part) -> None:
    """Refuse players who enter after a cut."""
    for at in part.swiss:
        if at.first and at.first <= history.rounds and at.stage.enter is not None:
            for i in part.members:
                if history.entered[i] > at.first and history.last[i] > history.rounds:
                    name = history.players[i].shown_name
                    problem = say(
                        "{player} cannot enter after the cut before {stage}.",
                        player=name,
                        stage=at.stage.name,
                    )
                    raise Impossible(problem, rule=at.stage.enter.rule("top"))
