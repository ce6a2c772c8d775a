"""Decide undo and redo: any steps, as far as nothing later builds on them."""

from collections.abc import Iterator
from contextlib import contextmanager

from topcut.errors import BadInput, Impossible
from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.apply.context import UnfitFact, check_players_present
from topcut.event.decide.context import Decider, handle
from topcut.event.describe.log_sentences import current_names
from topcut.event.describe.name_marks import fill_marks
from topcut.event.draw import find_progress, find_rows
from topcut.event.event_log import EventLog
from topcut.event.refusals import CannotUndo
from topcut.event.state import State
from topcut.history.builder import list_idle_players
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import Message, count, say


def find_undo_steps(log: EventLog, step: int | None, number: int = 1) -> list[int]:
    """Return the steps that a command would undo."""
    there = log.steps()
    if step is None:
        if len(there) == 1:
            raise CannotUndo(say("There is nothing to undo."))
        if number < 1 or number > len(there) - 1:
            raise CannotUndo(
                count(
                    "There is {n} step to undo, not {asked}.",
                    "There are {n} steps to undo, not {asked}.",
                    len(there) - 1,
                    asked=number,
                )
            )
        return there[-number:]
    if step in log.undone:
        raise CannotUndo(say("Step {step} is already undone.", step=step))
    if step not in there:
        raise CannotUndo(say("There is no step {step}. Enter the number of a step in the log.", step=step))
    if step == there[0]:
        raise CannotUndo(say("The creation of the event can't be undone."))
    return [step]


def find_redo_steps(log: EventLog, step: int | None) -> list[int]:
    """Return the steps that a command would redo: those undone last."""
    if step is not None:
        if step not in log.undone:
            raise CannotUndo(say("Step {step} was not undone.", step=step))
        return [step]
    for entry in reversed(log.entries):
        if isinstance(entry.fact, f.Undone):
            steps = [step for step in entry.fact.steps if step in log.undone]
            if steps:
                return steps
    raise CannotUndo(say("There is nothing to redo."))


@handle.register
def decide_undo(command: c.Undo, decider: Decider) -> None:
    steps = find_undo_steps(decider.log, command.step, command.count)
    entries = (entry for step in steps for entry in decider.log.entries_of(step))
    if any(isinstance(entry.fact, f.Purged | f.Forgotten) for entry in entries):
        raise CannotUndo(say("Deleted names can't be restored."))
    try_undo(decider.log, steps)
    decider.decision.facts.append(f.Undone(steps=tuple(steps), reason=command.reason))


@handle.register
def decide_redo(command: c.Redo, decider: Decider) -> None:
    steps = find_redo_steps(decider.log, command.step)
    try_redo(decider.log, steps)
    decider.decision.facts.append(f.Redone(steps=tuple(steps)))


def try_undo(log: EventLog, steps: list[int]) -> State:
    """Return the state without some steps; refuse where the rest of the event makes no sense.

    Without the last ones it is a state that was there before, and needs no check.
    """
    with _explain_refusal(log, steps):
        state = log.state_without(steps)
        if log.steps()[-len(steps) :] != sorted(steps):
            check_consistent(state)
    return state


def try_redo(log: EventLog, steps: list[int]) -> State:
    """Return the state with steps that were undone; refuse where that makes no sense.

    Right after they were undone it is the state of before, and needs no check.
    """
    last = log.entries[-1].fact
    with _explain_refusal(log, steps, redo=True):
        state = log.state_with(steps)
        if not (isinstance(last, f.Undone) and list(last.steps) == steps):
            check_consistent(state)
    return state


@contextmanager
def _explain_refusal(log: EventLog, steps: list[int], redo: bool = False) -> Iterator[None]:
    """Say of what fails inside why the steps cannot be undone or redone."""
    try:
        yield
    except (UnfitFact, BadInput, Impossible) as error:
        called = current_names(log)
        why = fill_marks(error.problem, lambda player_id: called.get(player_id, player_id))
        if isinstance(error, UnfitFact) and error.position:
            step = log.entries[error.position - 1].step
            why = say("then step {step} would no longer fit: {why}", step=step, why=why)
        raise CannotUndo(_describe_refusal(steps, why, redo)) from None


def _describe_refusal(steps: list[int], why: str, redo: bool) -> Message:
    """Return that steps cannot be undone or redone alone, and why."""
    first, last = steps[0], steps[-1]
    if redo and first == last:
        return say("Step {step} can't be redone alone ({why}).", step=first, why=why)
    if redo:
        return say("Steps {first} to {last} can't be redone alone ({why}).", first=first, last=last, why=why)
    if first == last:
        return say(
            "Step {step} can't be undone alone ({why}). Undo the later steps too, or correct it.",
            step=first,
            why=why,
        )
    return say(
        "Steps {first} to {last} can't be undone alone ({why}). Undo the later steps too, or correct them.",
        first=first,
        last=last,
        why=why,
    )


def check_consistent(state: State) -> None:
    """Refuse a state that no commands can lead to: an absent player has a table, or a present one none."""
    ended = sum(a_round.phase == "ended" for a_round in state.rounds)
    progress = find_progress(state, ended + 1)
    for number, player in list_idle_players(progress.history):
        problem = say("{name} would have no table in round {round}", name=player.shown_name, round=number)
        raise UnfitFact(problem)
    if progress.eliminating:
        _ = progress.brackets
    if ended == len(state.rounds):
        return
    now = state.rounds[ended]
    check_players_present(state, now)
    if now is state.upcoming and not now.edited and not progress.draws_next:  # nothing is left to choose
        rows = find_rows(progress, pair_next_round(progress, now.seed).tables)
        if {frozenset(players) for players, _ in rows} != {frozenset(t.players) for t in now.tables}:
            raise UnfitFact(say("round {round} would have other tables", round=now.number))
    if now.in_bracket or not progress.running:
        return
    playing = [i for part in progress.running for i in progress.active(part)]
    due = {progress.history.players[i].id for i in playing}
    seated = {player_id for table in now.tables for player_id in table.players}
    for player_id in sorted(due ^ seated):
        name = state.name_of(player_id)
        raise UnfitFact(
            say("{name} would play in round {round}", name=name, round=now.number)
            if player_id in seated
            else say("{name} would have no table in round {round}", name=name, round=now.number)
        )
