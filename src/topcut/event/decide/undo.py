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


def find_undo_steps(log: EventLog, step: int | None, count: int = 1) -> list[int]:
    """Return the steps that a command would undo."""
    there = log.steps()
    if step is None:
        if count < 1 or count > len(there) - 1:
            raise CannotUndo(f"there are {len(there) - 1} steps to take back, not {count}")
        return there[-count:]
    if step in log.undone:
        raise CannotUndo(f"step {step} is taken back already")
    if step not in there:
        raise CannotUndo(f"fact {step} does not begin a step")
    if step == there[0]:
        raise CannotUndo("the creation of the event cannot be taken back")
    return [step]


def find_redo_steps(log: EventLog, step: int | None) -> list[int]:
    """Return the steps that a command would redo: those undone last."""
    if step is not None:
        if step not in log.undone:
            raise CannotUndo(f"step {step} was not taken back")
        return [step]
    for entry in reversed(log.entries):
        if isinstance(entry.fact, f.Undone):
            steps = [step for step in entry.fact.steps if step in log.undone]
            if steps:
                return steps
    raise CannotUndo("nothing was taken back")


@handle.register
def decide_undo(command: c.Undo, decider: Decider) -> None:
    steps = find_undo_steps(decider.log, command.step, command.count)
    entries = (entry for step in steps for entry in decider.log.entries_of(step))
    if any(isinstance(entry.fact, f.Purged | f.Forgotten) for entry in entries):
        raise CannotUndo("names that are deleted cannot be brought back")
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
    with _explain_refusal(log, steps, "taken back", "; take back the later steps too, or correct it"):
        state = log.state_without(steps)
        if log.steps()[-len(steps) :] != sorted(steps):
            check_consistent(state)
    return state


def try_redo(log: EventLog, steps: list[int]) -> State:
    """Return the state with steps that were undone; refuse where that makes no sense.

    Right after they were undone it is the state of before, and needs no check.
    """
    last = log.entries[-1].fact
    with _explain_refusal(log, steps, "brought back"):
        state = log.state_with(steps)
        if not (isinstance(last, f.Undone) and list(last.steps) == steps):
            check_consistent(state)
    return state


@contextmanager
def _explain_refusal(log: EventLog, steps: list[int], did: str, hint: str = "") -> Iterator[None]:
    """Say of what fails inside why the steps cannot be undone or redone."""
    try:
        yield
    except (UnfitFact, BadInput, Impossible) as error:
        called = current_names(log)
        which = f"step {steps[0]}" if len(steps) == 1 else f"steps {steps[0]} to {steps[-1]}"
        why = fill_marks(error.problem, lambda player_id: called.get(player_id, player_id))
        if isinstance(error, UnfitFact) and error.position:
            why = f"fact {error.position} builds on it: {why}"
        raise CannotUndo(f"{which} cannot be {did} alone ({why}){hint}") from None


def check_consistent(state: State) -> None:
    """Refuse a state that no commands can lead to: an absent player has a table, or a present one none."""
    ended = sum(a_round.phase == "ended" for a_round in state.rounds)
    progress = find_progress(state, ended + 1)
    for number, player in list_idle_players(progress.history):
        raise UnfitFact(f"{player.shown_name} would sit nowhere in round {number}")
    if progress.eliminating:
        _ = progress.brackets
    if ended == len(state.rounds):
        return
    now = state.rounds[ended]
    check_players_present(state, now)
    if now is state.upcoming and not now.edited and not progress.draws_next:  # nothing is left to choose
        rows = find_rows(progress, pair_next_round(progress, now.seed).tables)
        if {frozenset(players) for players, _ in rows} != {frozenset(t.players) for t in now.tables}:
            raise UnfitFact(f"round {now.number} would have other tables")
    if now.in_bracket or not progress.running:
        return
    playing = [i for part in progress.running for i in progress.active(part)]
    due = {progress.history.players[i].id for i in playing}
    seated = {player_id for table in now.tables for player_id in table.players}
    for player_id in sorted(due ^ seated):
        does = "play" if player_id in seated else "sit nowhere"
        raise UnfitFact(f"{state.name_of(player_id)} would {does} in round {now.number}")
