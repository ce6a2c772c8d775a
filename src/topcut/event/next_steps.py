"""What can be done next with an event? Decided by what is known: no round is drawn for it."""

from __future__ import annotations

from typing import Literal

from topcut.errors import TopcutError
from topcut.event.draw import course_of
from topcut.event.state import State
from topcut.stages.course import Course
from topcut.stages.next import next_round, scored_round

Step = Literal["pair", "publish", "start", "report", "end", "finish", "add", "drop", "check in"]


def next_steps(state: State) -> list[Step]:
    """The steps that are possible now, the most likely first; none once the event is finished.

    A round that is planned for enough players is offered even where its rules then leave no pairing.
    """
    if state.finished:
        return []
    a_round = state.round
    if a_round is None:
        return _first(state)
    match a_round.phase:
        case "draft":
            return ["publish"]
        case "published":
            return ["start"]
        case "started":
            return ["report"] if a_round.missing else ["end"]
    return ["pair"] if can_go_on(course_of(state)) else ["finish"]


def _first(state: State) -> list[Step]:
    """What can be done with the first round."""
    players = list(state.active())
    chart = state.book.pairing.chart if state.book.pairing else None
    if chart is not None and len(players) > chart.seats:
        return ["drop"]
    if any(e.here for e in players) and not all(e.here for e in players):
        return ["check in", "add"]
    if chart is not None and len(players) < chart.fewest:
        return ["add"]
    return ["pair", "add"] if players and can_go_on(course_of(state)) else ["add"]


def can_go_on(course: Course) -> bool:
    """Whether another round is planned, with enough players for it."""
    try:
        if not course.draws_next:
            next_round(course, "")  # a bracket or a round robin: it follows from what was played
            return True
        event = scored_round(course)
        for pool in event.layout("").pools:
            if course.book.tables is not None:
                event.room(pool, "")
    except TopcutError:
        return False
    return True
