"""The next round of an event, whatever stage it is in: Swiss, a round robin, or a bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from topcut.errors import Impossible
from topcut.history import History
from topcut.history.parts import Part
from topcut.pairing.pair import Event
from topcut.pairing.paired import Pairing, Table
from topcut.stages.bracket import Bracket
from topcut.stages.circle import circle_seeds, circle_tables
from topcut.stages.course import Course
from topcut.standings.advance import Advancing


def next_round(course: Course, seed: str) -> Pairing:
    """The next round; what is drawn for it comes from the seed, rank seeds and cuts from the course's."""
    if not course.running:
        return _elimination(course)
    if not course.draws_next:
        return _round_robin(course, seed)
    pairing = scored_round(course).pair(seed)
    cuts = [cut for part in course.running if (cut := course.left_out(part)) is not None]
    if left_out := _left_out(course, cuts):
        pairing = replace(pairing, drawn=pairing.drawn | {"cut": left_out})
    moved_up = [moved.says for cut in cuts for moved in cut.moved_up]
    return replace(pairing, warnings=[*pairing.warnings, *moved_up])


def any_draw(course: Course) -> Callable[[str], frozenset[frozenset[int]]]:
    """From a seed to the tables it draws for the next round; for drawing very often."""
    if course.draws_next:
        return scored_round(course).only_tables

    def tables(seed: str) -> frozenset[frozenset[int]]:
        seeds = course.given if course.rounds else [seed]
        again = Course(course.history, course.book, course.options, course.rounds, seeds, course.third_place)
        return frozenset(frozenset(table.players) for table in next_round(again, seed).tables)

    return tables


def scored_round(course: Course) -> Event:
    """The next Swiss round, ready to be drawn: who takes part, in which parts."""
    for part in course.running:
        _nobody_late(course, part)
    active = sorted(i for part in course.running for i in course.active(part))
    return Event(
        course.counting(course.running, course.history.rounds, after=True),
        course.book,
        course.options,
        course.rounds,
        running=course.running,
        active=np.array(active, np.int64),
    )


def _nobody_late(course: Course, part: Part) -> None:
    """Refuse players who enter after a cut."""
    history = course.history
    for at in part.swiss:
        if at.first and at.first <= history.rounds and at.stage.enter is not None:
            for i in part.members:
                if history.entered[i] > at.first and history.last[i] > history.rounds:
                    who = history.players[i].shown_name
                    problem = f"{who} cannot enter after the cut before {at.stage.name}"
                    raise Impossible(problem, rule=at.stage.enter.rule("top"))


def _left_out(course: Course, cuts: Sequence[Advancing]) -> dict[str, int]:
    """Player id to the last round, for those whom a cut before the next round leaves out."""
    found = {}
    for cut in cuts:
        for verdict in cut.verdicts:
            player = course.history.players[verdict.player]
            if not verdict.on and course.history.last[verdict.player] > course.history.rounds:
                found[player.id] = course.history.rounds
    return found


def _round_robin(course: Course, seed: str) -> Pairing:
    """Everybody's next table by the circle; a player whose opponent has left has a bye."""
    history = course.history
    tables: list[Table] = []
    drawn: dict[str, dict[str, int]] = {}
    for part in course.running:
        ids, fresh = circle_seeds(history, part, course.rounds, seed)
        if fresh:
            drawn.setdefault("seeds", {}).update({player_id: at for at, player_id in enumerate(ids, start=1)})
        for players, why in circle_tables(history, ids, history.rounds):
            tables.append(Table(players, (why,), part.name))
    tables.sort(key=lambda table: len(table.players) == 1)
    return Pairing(history.rounds + 1, seed, tables, [], [], drawn, "round-robin")


def _elimination(course: Course) -> Pairing:
    brackets = course.brackets
    number = len(course.rounds) + 1
    if not brackets:
        raise _over(course)
    tables = []
    warnings = []
    for bracket in brackets:
        tables += bracket.next(course.history)
        warnings += bracket.warnings
    if not any(len(table.players) > 1 for table in tables):
        raise Impossible(f"every table is played: {_winners(brackets, course.history)}", rule="")
    tables.sort(key=lambda table: len(table.players) == 1)
    drawn: dict[str, dict[str, int]] = {}
    for bracket in brackets:
        if bracket.drawn and not course.eliminating:
            numbers = {player_id: at for at, player_id in enumerate(bracket.play.players, start=1)}
            drawn.setdefault("seeds", {}).update(numbers)
    seed = brackets[0].seed
    return Pairing(number, seed, tables, [], warnings, drawn, "bracket")


def _winners(brackets: Sequence[Bracket], history: History) -> str:
    said = []
    for bracket in brackets:
        winner = bracket.winner
        name = "nobody" if winner is None else history.name_of(winner)
        said.append(f"{name} won" + (f" in {bracket.part.name}" if bracket.part.name else ""))
    return ", ".join(said)


def _over(course: Course) -> Impossible:
    """Why there is no next round: the planned ones are played, and no bracket follows."""
    part: Part = course.parts[0]
    if part.round_robin:
        return Impossible(f"all {part.rounds} rounds of the round robin are played", rule="")
    those = f"all {part.rounds} planned Swiss rounds are"
    if part.rounds == 1:
        those = "the only planned Swiss round is"
    return Impossible(f"{those} played", rule=course.book.plan.rule("tables"))
