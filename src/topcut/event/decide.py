"""From a command to facts, or to the reason why not.

    decision = decide(journal, command, context)

Pure: what time it is, who asks and what is left to chance come with the context.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import decide_entry, decide_event, decide_leaving, decide_results, decide_rounds, undoing
from topcut.event.commands import Announce, AnyCommand
from topcut.event.deciding import Context, Decision, Desk, handle
from topcut.event.journal import Journal

_KINDS = (decide_entry, decide_event, decide_leaving, decide_results, decide_rounds, undoing)
"""The modules that say what becomes of each kind of command; importing them is enough."""

_TEXTS = ("name", "member", "reason", "prizes")


def decide(journal: Journal, command: AnyCommand, context: Context) -> Decision:
    """What a command comes to; a `Refused`, a `BadInput` or an `Impossible` where it comes to nothing."""
    try:
        msgspec.json.encode((command, context.by, context.via))
    except UnicodeEncodeError:
        raise BadInput("this is not text in UTF-8") from None
    desk = Desk(journal, context)
    handle(_in_one_line(command), desk)
    return desk.decided


def _in_one_line(command: AnyCommand) -> AnyCommand:
    """The command with texts for people folded into one line each, whatever was typed or pasted."""
    texts = {name: text for name in _TEXTS if isinstance(text := getattr(command, name, None), str)}
    folded = {name: " ".join(text.split()) for name, text in texts.items()}
    if isinstance(command, Announce):
        details = tuple(" ".join(detail.split()) for detail in command.details)
        return replace(command, prizes=folded["prizes"], details=details)
    return replace(command, **folded) if folded != texts else command
