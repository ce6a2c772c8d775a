"""Was every recorded round of an event, Swiss or not, the one its stage allows?"""

from __future__ import annotations

from dataclasses import replace

from topcut.errors import BadInput, Impossible
from topcut.history.parts import Part
from topcut.pairing.answer import total_cost
from topcut.pairing.check import Problem, Verdict, check_round
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
            return found
    if course.eliminating:
        _ = course.brackets  # results that cannot be are an error of the file
    return found


def check_last(course: Course) -> Verdict:
    """A verdict on the last round alone, whether or not its results are there."""
    r = len(course.rounds) - 1
    if r >= course.history.rounds or any(part.round_robin for part in course.parts):
        return _as_given(course, r)
    before = course.history.after(r)
    then = Course(before, course.book, course.options, course.rounds[:r], course.given, course.third_place)
    counting = then.counting(then.parts, r, after=True)
    return _cut(course, check_round(counting, course.book, course.options, course.rounds, r))


def _before(course: Course, r: int) -> list[Course]:
    """The event before a round (from 0), with the lots its cut can have had: the event's or the round's."""
    history = course.history.after(min(r, course.history.rounds))
    own = course.rounds[r].seed
    lots: list[list[str | None]] = [[own, *course.given]]
    if course.rounds[:r]:
        lots = [[*course.given], [own, *course.given]]
    return [
        Course(history, course.book, course.options, course.rounds[:r], seeds, course.third_place)
        for seeds in lots
    ]


def _as_given(course: Course, r: int) -> Verdict:
    """A round in which nothing is left to choose: the tables of a bracket or of a round robin."""
    recorded = course.rounds[r]
    problems: list[Problem] = []
    brackets = [part.bracket for whole in course.parts for part in whole.apart or [whole] if part.bracket]
    rule = brackets[0].rule("kind") if brackets else ""
    for before in _before(course, r):
        try:
            expected = next_round(before, recorded.seed or before.seed)
            problems = _compared(course, r, expected, rule)
        except Impossible as impossible:
            problems = [Problem(impossible.rule, [], impossible.problem)]
        except BadInput as wrong:
            problems = [Problem(rule, [], wrong.problem)]
        if not problems:
            break
    nothing = total_cost([])
    legal = not problems
    replayed = None if recorded.seed is None else legal
    return Verdict(r + 1, legal, legal, replayed, nothing, nothing, problems)


def _compared(course: Course, r: int, expected: Pairing, rule: str) -> list[Problem]:
    """What a recorded round has that it should not have, and the other way round."""
    players = course.history.players
    should = {frozenset(players[i].id for i in t.players): t.why for t in expected.tables if t.players[1:]}
    have = {frozenset(table.players) for table in course.rounds[r].tables if len(table.players) > 1}
    given = {player_id for t in course.rounds[r].tables if t.loss for player_id in t.players}
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
    problems: list[Problem] = []
    for part in course.parts:
        for k, at in enumerate(part.swiss):
            if k and at.first == r and at.stage.enter is not None:
                tried = [_against_the_cut(course, part, k, before) for before in _before(course, r)]
                problems += [] if [] in tried else tried[0]
    if not problems:
        return verdict
    return replace(verdict, legal=False, optimal=False, problems=[*verdict.problems, *problems])


def _against_the_cut(course: Course, part: Part, stage: int, before: Course) -> list[Problem]:
    """Who plays in a stage but did not make the cut before it, and the other way round."""
    enter = part.swiss[stage].stage.enter
    assert enter is not None
    own = [p for p in before.parts if p.members and set(p.members) <= set(part.members)]
    if len(own) != 1 or stage >= len(own[0].swiss):  # divisions were laid out otherwise then
        return []
    history, rounds = before.history, before.history.rounds
    here = (history.dropped > rounds) & (history.disqualified > rounds)
    right = {i for i in before.entering(own[0], stage).on if here[i]}
    tables = course.rounds[rounds].tables
    seen = {course.history.index[player_id] for table in tables for player_id in table.players} & set(
        part.members
    )
    found = []
    for wrong, text in ((seen - right, "plays on"), (right - seen, "was left out")):
        if wrong:
            players = sorted(course.history.players[i].id for i in wrong)
            found.append(Problem(enter.rule("top"), players, f"{text} against the cut"))
    return found
