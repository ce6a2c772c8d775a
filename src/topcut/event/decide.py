"""From a command to facts, or to the reason why not.

    decision = decide(journal, command, context)

Pure: what time it is, who asks and what is left to chance come with the context.
"""

from __future__ import annotations

from importlib import import_module

import msgspec
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.deciding import Context, Decision, Desk, handle
from topcut.event.journal import Journal

_HOMES: dict[str, tuple[type[c.Command], ...]] = {
    "decide_entry": (
        c.Register,
        c.EditPlayer,
        c.CheckIn,
        c.Remove,
        c.RefuseEntry,
        c.FixTable,
        c.SeatAll,
        c.DrawLots,
    ),
    "decide_leaving": (c.Drop, c.Disqualify, c.Restore),
    "decide_event": (
        c.ChangeOptions,
        c.OneRoundFewer,
        c.Announce,
        c.BlockTables,
        c.Finish,
        c.Reopen,
        c.Purge,
        c.Forget,
    ),
    "decide_rounds": (
        c.Pair,
        c.Swap,
        c.EditTables,
        c.Publish,
        c.Start,
        c.BeginTables,
        c.Pause,
        c.Resume,
        c.Extend,
        c.End,
    ),
    "decide_results": (c.Report, c.Claim, c.Confirm),
    "decide_questions": (c.Ask, c.AnswerQuestion),
    "decide_correcting": (c.Correct,),
    "undoing": (c.Undo, c.Redo),
}
"""The modules that say what becomes of commands; each is loaded when the first of its commands comes."""
HOME_OF = {command: home for home, commands in _HOMES.items() for command in commands}
_TEXTS = ("name", "display", "member", "reason", "prizes")


def decide(
    journal: Journal, command: c.AnyCommand, context: Context, *, settle_later: bool = False
) -> Decision:
    """What a command comes to; a `Refused`, a `BadInput` or an `Impossible` where it comes to nothing.

    `settle_later`: a round that it changes is neither drawn nor repaired yet; `settle_round` does that once,
    after the last such command of a list.
    """
    try:
        msgspec.json.encode((command, context.by, context.via))
    except UnicodeEncodeError:
        raise BadInput("this is not text in UTF-8") from None
    import_module(f"topcut.event.{HOME_OF[type(command)]}")
    desk = Desk(journal, context, settle_later)
    handle(_in_one_line(command), desk)
    return desk.decided


def settle_round(journal: Journal, then: c.Then | None, context: Context) -> Decision:
    """Draw or repair the round that commands have changed: it cannot stay, so "leave" draws it again."""
    from topcut.event.answers import settle

    desk = Desk(journal, context)
    settle(desk, lambda _: [], "again" if then == "leave" else then, leave=False)
    return desk.decided


def _in_one_line(command: c.AnyCommand) -> c.AnyCommand:
    """The command with texts for people folded into one line each, whatever was typed or pasted."""
    texts = {name: text for name in _TEXTS if isinstance(text := getattr(command, name, None), str)}
    folded = {name: " ".join(text.split()) for name, text in texts.items()}
    if isinstance(command, c.Announce):
        details = tuple(" ".join(detail.split()) for detail in command.details)
        return replace(command, prizes=folded["prizes"], details=details)
    return replace(command, **folded) if folded != texts else command
