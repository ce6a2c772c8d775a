"""What must somebody be allowed to do for a command? One right a command, and more where it goes further.

Who has which rights is not said here: `desk/roles.py` gives them to roles.
"""

from __future__ import annotations

from typing import Literal, get_args

from topcut.event import commands as c
from topcut.event import facts as f
from topcut.event.journal import Journal
from topcut.event.log import Logged
from topcut.event.undoing import redoable, undoable
from topcut.event.window import closed

Right = Literal[
    "hall",
    "ask",
    "speak",
    "desk",
    "people",
    "enter",
    "change",
    "override",
    "rounds",
    "seating",
    "time",
    "players",
    "drop",
    "penalties",
    "answer",
    "settings",
    "undo",
    "staff",
    "hooks",
    "export",
    "print",
    "erase",
    "create",
]
RIGHTS: dict[Right, str] = {
    "hall": "see what everybody sees",
    "ask": "ask the desk to look at something",
    "speak": "say how one's own table ended, and leave",
    "desk": "see the desk: drafts, the log, what players ask",
    "people": "see legal names, membership numbers and birth years",
    "enter": "enter results",
    "change": "change results that are entered",
    "override": "change records that are closed",
    "rounds": "pair, publish, start and end rounds, and their clock",
    "seating": "change tables by hand, and keep tables empty",
    "time": "give a table more time",
    "players": "enter players, check them in, edit them, hand out their links",
    "drop": "drop players and bring them back",
    "penalties": "disqualify, and refuse entry",
    "answer": "answer what players ask",
    "settings": "change options and announce them",
    "undo": "take back what others did",
    "staff": "make and revoke links and tokens",
    "hooks": "have other programs told of what happens",
    "export": "take the event out, as its log or for other programs",
    "print": "print",
    "erase": "export and delete what is known of people",
    "create": "make events",
}
"""Every right, in words."""
assert set(RIGHTS) == set(get_args(Right))

NEEDS: dict[type[c.Command], Right] = {
    c.ChangeOptions: "settings",
    c.OneRoundFewer: "settings",
    c.Announce: "settings",
    c.BlockTables: "seating",
    c.Finish: "rounds",
    c.Reopen: "settings",
    c.Purge: "erase",
    c.Forget: "erase",
    c.Register: "players",
    c.EditPlayer: "players",
    c.CheckIn: "players",
    c.Remove: "players",
    c.RefuseEntry: "penalties",
    c.FixTable: "players",
    c.SeatAll: "rounds",
    c.DrawLots: "rounds",
    c.Drop: "drop",
    c.Disqualify: "penalties",
    c.Restore: "drop",
    c.Ask: "ask",
    c.AnswerQuestion: "answer",
    c.Pair: "rounds",
    c.Swap: "seating",
    c.EditTables: "seating",
    c.Publish: "rounds",
    c.Start: "rounds",
    c.BeginTables: "enter",
    c.Pause: "rounds",
    c.Resume: "rounds",
    c.Extend: "time",
    c.Report: "enter",
    c.Claim: "speak",
    c.Confirm: "enter",
    c.Correct: "change",
    c.End: "rounds",
    c.Undo: "desk",
    c.Redo: "desk",
}
SPOKEN = (c.Claim, c.Ask, c.Drop)
"""What players may do for themselves; for somebody else it takes what staff need."""

DONE_BY: dict[type[f.Fact], Right] = {
    f.TakenOver: "create",
    f.OptionsChanged: "settings",
    f.Announced: "settings",
    f.Reopened: "settings",
    f.TablesBlocked: "seating",
    f.RoundEdited: "seating",
    f.Finished: "rounds",
    f.Purged: "erase",
    f.Forgotten: "erase",
    f.Registered: "players",
    f.PlayerEdited: "players",
    f.CheckedIn: "players",
    f.Removed: "players",
    f.TableFixed: "players",
    f.EntryRefused: "penalties",
    f.Disqualified: "penalties",
    f.SeatedAll: "rounds",
    f.LotsDrawn: "rounds",
    f.StageBegan: "rounds",
    f.Paired: "rounds",
    f.RoundRepaired: "rounds",
    f.Published: "rounds",
    f.Started: "rounds",
    f.Paused: "rounds",
    f.Resumed: "rounds",
    f.Ended: "rounds",
    f.Dropped: "drop",
    f.Restored: "drop",
    f.Asked: "answer",
    f.Answered: "answer",
    f.Extended: "time",
    f.TablesBegun: "enter",
    f.Reported: "enter",
    f.Claimed: "enter",
    f.Confirmed: "enter",
    f.Corrected: "change",
}
"""Which right leads to a fact; whoever takes it back needs the same."""


def needed(command: c.AnyCommand, journal: Journal, by: str) -> set[Right]:
    """The rights that a command takes, given by this person in this event, and not for themselves."""
    rights: set[Right] = {NEEDS[type(command)]}
    if isinstance(command, c.Ask) and command.about == "drop":
        rights.add("drop")
    if getattr(command, "override", False):
        rights.add("override")
    if getattr(command, "then", None) in ("fewest", "again"):  # tables that are posted change
        rights.add("rounds")
    if isinstance(command, c.Extend) and command.table is None:
        rights.add("rounds")
    if isinstance(command, c.Undo):
        rights |= _to_touch(journal, undoable(journal, command.step, command.count), by)
    if isinstance(command, c.Redo):
        steps = redoable(journal, command.step)
        rights |= _to_touch(journal, steps, by)
        if any(taken.by != by for taken in _taken_back(journal, steps)):
            rights.add("undo")
    return rights


def _to_touch(journal: Journal, steps: list[int], by: str) -> set[Right]:
    """The rights to take steps back, or to let them count again: those they took, and one more for the steps
    of others."""
    rights: set[Right] = set()
    for step in steps:
        entries = journal.of_step(step)
        facts = [entry.fact for entry in entries]
        for entry, after in zip(entries, [*facts[1:], None], strict=True):
            if isinstance(entry.fact, f.OptionsChanged) and isinstance(after, f.Started | f.Announced):
                continue  # what was planned is fixed by these, whoever does them
            rights |= _led_to(entry.fact, journal)
            if entry.by != by:
                rights.add("undo")
    return rights


def _led_to(fact: f.AnyFact, journal: Journal) -> set[Right]:
    """The rights for which a fact stands: a record that is closed is closed for undoing too."""
    rights: set[Right] = {DONE_BY[type(fact)]} if type(fact) in DONE_BY else set()
    if isinstance(fact, f.Extended) and fact.table is None:
        rights.add("rounds")
    if isinstance(fact, f.Corrected) and (fact.override or _closed(journal, fact.round)):
        rights.add("override")
    return rights


def _closed(journal: Journal, number: int) -> bool:
    there = number <= len(journal.state.rounds)
    return there and closed(journal.state, number) is not None


def _taken_back(journal: Journal, steps: list[int]) -> list[Logged]:
    """By which entries steps were taken back last."""
    found: dict[int, Logged] = {}
    for entry in journal.entries:
        if isinstance(entry.fact, f.Undone):
            found |= dict.fromkeys(entry.fact.steps, entry)
    return [found[step] for step in steps]
