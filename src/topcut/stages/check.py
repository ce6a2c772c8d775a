"""Was every recorded round of an event, Swiss or not, the one its stage allows?"""

from __future__ import annotations

from dataclasses import replace

from topcut.errors import BadInput, Impossible
from topcut.pairing.answer import total_cost
from topcut.pairing.check import Problem, Verdict
from topcut.pairing.check import check as check_swiss
from topcut.pairing.paired import Pairing
from topcut.stages.course import Course
from topcut.stages.next import next_round


def check(course: Course) -> list[Verdict]:
    """A verdict on each round."""
    swiss = course.history.rounds
    if any(part.round_robin for part in course.parts):
        found = [_as_given(course, r) for r in range(swiss)]
    else:
        before = [course.counting(course.parts, r, after=True) for r in range(swiss)]
        found = check_swiss(before, course.book, course.options, course.rounds)
        found = [_cut(course, verdict) for verdict in found]
    for r in range(swiss, len(course.rounds)):
        found.append(_as_given(course, r))
        if not found[-1].legal:  # whatever follows from it cannot be judged
            break
    return found


def _before(course: Course, r: int) -> Course:
    """The event before a round (from 0), with the seed of that round for its lots."""
    history = course.history.after(min(r, course.history.rounds))
    seed = course.rounds[r].seed
    seeds = [seed] if seed is not None and not course.rounds[:r] else [*course.given, seed]
    return Course(history, course.book, course.options, course.rounds[:r], seeds, course.third_place)


def _as_given(course: Course, r: int) -> Verdict:
    """A round in which nothing is left to choose: the tables of a bracket or of a round robin."""
    recorded = course.rounds[r]
    problems: list[Problem] = []
    rule = course.book.plan.rule("formats")
    try:
        before = _before(course, r)
        expected = next_round(before, recorded.seed or before.seed)
        problems = _compared(course, r, expected, rule)
    except Impossible as impossible:
        problems.append(Problem(impossible.rule, [], impossible.problem))
    except BadInput as wrong:
        problems.append(Problem(rule, [], wrong.problem))
    nothing = total_cost([])
    legal = not problems
    replayed = None if recorded.seed is None else legal
    return Verdict(r + 1, legal, legal, replayed, nothing, nothing, problems)


def _compared(course: Course, r: int, expected: Pairing, rule: str) -> list[Problem]:
    """What a recorded round has that it should not have, and the other way round."""
    players = course.history.players
    should = {frozenset(players[i].id for i in t.players): t.why for t in expected.tables if t.players[1:]}
    have = {frozenset(table.players) for table in course.rounds[r].tables if len(table.players) > 1}
    given = {id for t in course.rounds[r].tables if t.loss for id in t.players}
    found = [
        Problem(rule, sorted(table), "a table that is not due")
        for table in sorted(have - set(should), key=sorted)
    ]
    for table, why in should.items():
        if table not in have and not table & given:
            found.append(Problem(rule, sorted(table), f"a table is missing ({'; '.join(why)})"))
    return found


def _cut(course: Course, verdict: Verdict) -> Verdict:
    """The verdict on a Swiss round, and whether the cut before it was the book's."""
    r = verdict.round - 1
    problems = []
    for part in course.parts:
        for k, at in enumerate(part.swiss):
            if k and at.first == r and at.stage.enter is not None:
                before = _before(course, r)
                own = next(p for p in before.parts if p.name == part.name)
                right, seen = set(before.active(own)), set(course.field(part, k))
                for wrong, text in ((seen - right, "plays on"), (right - seen, "was left out")):
                    players = sorted(course.history.players[i].id for i in wrong)
                    if players:
                        problems.append(
                            Problem(at.stage.enter.rule("top"), players, f"{text} against the cut")
                        )
    if not problems:
        return verdict
    return replace(verdict, legal=False, optimal=False, problems=[*verdict.problems, *problems])
