"""Taking steps back, and taking that back: any of them, as far as nothing later builds on them."""

from __future__ import annotations

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.applying import check_present
from topcut.event.called import called_now
from topcut.event.deciding import Desk, handle
from topcut.event.draw import course_of
from topcut.event.evolve import Misfit
from topcut.event.journal import Journal
from topcut.event.names import filled
from topcut.event.refusals import CannotUndo
from topcut.event.state import RoundOf, State
from topcut.history.building import sits_nowhere
from topcut.stages.course import Course
from topcut.stages.next import next_round


def undoable(journal: Journal, step: int | None, count: int = 1) -> list[int]:
    """The steps that a command would take back."""
    there = journal.steps()
    if step is None:
        if count < 1 or count > len(there) - 1:
            raise CannotUndo(f"there are {len(there) - 1} steps to take back, not {count}")
        return there[-count:]
    if step in journal.undone:
        raise CannotUndo(f"step {step} is taken back already")
    if step not in there:
        raise CannotUndo(f"fact {step} does not begin a step")
    if step == there[0]:
        raise CannotUndo("the creation of the event cannot be taken back")
    return [step]


def redoable(journal: Journal, step: int | None) -> list[int]:
    """The steps that would count again: those taken back last."""
    if step is not None:
        if step not in journal.undone:
            raise CannotUndo(f"step {step} was not taken back")
        return [step]
    for entry in reversed(journal.entries):
        if isinstance(entry.fact, f.Undone):
            steps = [step for step in entry.fact.steps if step in journal.undone]
            if steps:
                return steps
    raise CannotUndo("nothing was taken back")


@handle.register
def on_undo(command: c.Undo, desk: Desk) -> None:
    steps = undoable(desk.journal, command.step, command.count)
    for step in steps:
        if any(isinstance(entry.fact, f.Purged | f.Forgotten) for entry in desk.journal.of_step(step)):
            raise CannotUndo("names that are deleted cannot be brought back")
    without(desk.journal, steps)
    desk.decided.facts.append(f.Undone(steps=tuple(steps), reason=command.reason))


@handle.register
def on_redo(command: c.Redo, desk: Desk) -> None:
    steps = redoable(desk.journal, command.step)
    again(desk.journal, steps)
    desk.decided.facts.append(f.Redone(steps=tuple(steps)))


def without(journal: Journal, steps: list[int]) -> State:
    """The state without some steps, if what is left of the event makes sense.

    Without the last ones it is a state that was there before, and nobody is asked.
    """
    try:
        state = journal.without(steps)
        if journal.steps()[-len(steps) :] != sorted(steps):
            holds(state)
    except (Misfit, BadInput, Impossible) as error:
        raise _refusal(journal, steps, error, "taken back", len(journal.steps())) from None
    return state


def again(journal: Journal, steps: list[int]) -> State:
    """The state with steps that were taken back, if that makes sense.

    Right after they were taken back it is the state of before, and nobody is asked.
    """
    last = journal.entries[-1].fact
    try:
        state = journal.with_again(steps)
        if not (isinstance(last, f.Undone) and list(last.steps) == steps):
            holds(state)
    except (Misfit, BadInput, Impossible) as error:
        raise _refusal(journal, steps, error, "brought back", 0) from None
    return state


def holds(state: State) -> None:
    """Refuse a state that no commands can have led to: somebody plays who is not there, or the other way."""
    ended = sum(a_round.phase == "ended" for a_round in state.rounds)
    course = course_of(state, ended + 1)
    for number, player in sits_nowhere(course.history):
        raise Misfit(f"{player.shown_name} would sit nowhere in round {number}")
    if course.eliminating:
        _ = course.brackets
    if ended == len(state.rounds):
        return
    now = state.rounds[ended]
    check_present(state, now)
    if now is state.upcoming and not now.edited and not course.draws_next:
        _as_due(now, course)
    if now.stage == "elimination" or not course.running:
        return
    due = {course.history.players[i].id for i in _active(course)}
    seated = {player_id for table in now.tables for player_id in table.players}
    for player_id in sorted(due ^ seated):
        does = "play" if player_id in seated else "sit nowhere"
        raise Misfit(f"{state.name_of(player_id)} would {does} in round {now.number}")


def _active(course: Course) -> list[int]:
    """Who takes part in the next round."""
    return [i for part in course.running for i in course.active(part)]


def _as_due(upcoming: RoundOf, course: Course) -> None:
    """Refuse a round that does not follow from those before it, where nothing is left to choose."""
    ids = [player.id for player in course.history.players]
    due = {frozenset(ids[i] for i in table.players) for table in next_round(course, upcoming.seed).tables}
    if due != {frozenset(table.players) for table in upcoming.tables}:
        raise Misfit(f"round {upcoming.number} would have other tables")


def _refusal(journal: Journal, steps: list[int], error: Exception, did: str, there: int) -> CannotUndo:
    called = called_now(journal)
    which = f"step {steps[0]}" if len(steps) == 1 else f"steps {steps[0]} to {steps[-1]}"
    problem = filled(
        getattr(error, "problem", str(error)), lambda player_id: called.get(player_id, player_id)
    )
    at = getattr(error, "position", 0)
    why = f"fact {at} builds on it: {problem}" if at else problem
    hint = "; take back the later steps too, or correct it" if there else ""
    return CannotUndo(f"{which} cannot be {did} alone ({why}){hint}")
