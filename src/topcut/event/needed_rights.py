"""Find the rights that a command takes: the one of its class, and more where it goes further."""

from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.correction_window import find_closure
from topcut.event.decide.undo import find_redo_steps, find_undo_steps
from topcut.event.event_log import EventLog
from topcut.event.rights import Right

OWN_COMMANDS = (c.Claim, c.Ask, c.Drop)
"""Commands that players may give for themselves; for others they take what staff need."""


def find_needed_rights(command: c.AnyCommand, log: EventLog, by: str) -> set[Right]:
    """Return the rights that a command takes, given by a person in an event, and not for themselves."""
    rights: set[Right] = {command.right}
    if isinstance(command, c.Ask) and command.about == "drop":
        rights.add("drop")
    if getattr(command, "override", False) or (isinstance(command, c.Pair) and command.allow):
        rights.add("override")
    if getattr(command, "then", None) in ("fewest", "again"):  # tables that are posted change
        rights.add("rounds")
    if isinstance(command, c.Extend) and command.table is None:
        rights.add("rounds")
    if isinstance(command, c.Undo):
        rights |= _find_rights_to_undo(log, find_undo_steps(log, command.step, command.count), by)
    if isinstance(command, c.Redo):
        steps = find_redo_steps(log, command.step)
        rights |= _find_rights_to_undo(log, steps, by)
        undone_by: dict[int, str] = {}
        for entry in log.entries:
            if isinstance(entry.fact, f.Undone):
                undone_by |= dict.fromkeys(entry.fact.steps, entry.by)
        if any(undone_by[step] != by for step in steps):
            rights.add("undo")
    return rights


def _find_rights_to_undo(log: EventLog, steps: list[int], by: str) -> set[Right]:
    """Return the rights to undo or redo steps: those the steps took, and one more for steps of others."""
    rights: set[Right] = set()
    for step in steps:
        entries = log.entries_of(step)
        facts = [entry.fact for entry in entries]
        for entry, after in zip(entries, [*facts[1:], None], strict=True):
            if isinstance(entry.fact, f.OptionsChanged) and isinstance(after, f.Started | f.Announced):
                continue  # these fix what was planned, and take no right to settings
            rights |= _find_rights_of(entry.fact, log)
            if entry.by != by:
                rights.add("undo")
    return rights


def _find_rights_of(fact: f.AnyFact, log: EventLog) -> set[Right]:
    """Return the rights to undo a fact: a record that is closed is closed for undoing too."""
    rights: set[Right] = {fact.right} if fact.right else set()
    if isinstance(fact, f.Extended) and fact.table is None:
        rights.add("rounds")
    if isinstance(fact, f.Corrected):
        there = fact.round <= len(log.state.rounds)
        if fact.override or (there and find_closure(log.state, fact.round) is not None):
            rights.add("override")
    return rights
