"""Decide a command: turn it into facts, or refuse it.

    decision = decide(log, command, context)

Pure: the time, the person who asks and what is left to chance come with the context.

A list of commands is done whole or not at all. If a command after a draw could be refused, the refusal would
tell what was drawn, nothing would be written, and the same draw could be tried again with another player in
it. So nothing that can be refused comes after a draw (`settles_later`): the list is refused before anything
is drawn. Commands that change the upcoming round (late entries, drops, corrections) may come together: the
round is drawn or repaired once, after the last of them (`settle_round`).
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event import commands as c
from topcut.event.decide import drafts, leaving, players, results, rounds, settings, undo
from topcut.event.decide.context import LONGEST_ROUND, Context, Decider, Decision, handle
from topcut.event.event_log import EventLog
from topcut.event.refusals import DrawNotLast
from topcut.event.state import State
from topcut.event.upcoming_round import settle_upcoming
from topcut.text.messages import say

__all__ = [
    "decide",
    "drafts",
    "handle",
    "leaving",
    "players",
    "results",
    "rounds",
    "settings",
    "settle_round",
    "undo",
]

SETTLING_COMMANDS = tuple(kind for kind in c.COMMANDS if "then" in kind.__struct_fields__)
"""Commands that can change a round which is paired and has not begun."""
_TEXTS = ("name", "display", "member", "reason", "prizes")
"""Fields of commands that hold text for people."""


def decide(log: EventLog, command: c.AnyCommand, context: Context, *, settle_later: bool = False) -> Decision:
    """Decide a command; raise a `CommandRefused`, a `BadInput` or an `Impossible` where it cannot be done.

    Where the scorekeeper must choose first, the decision holds the choice and no facts.

    `settle_later`: a round that it changes is neither drawn nor repaired yet; `settle_round` does that once,
    after the last such command of a list.
    """
    try:
        msgspec.json.encode((command, context.by, context.via))
    except UnicodeEncodeError:
        raise BadInput(say("expected text in UTF-8")) from None
    decider = Decider(log, context, settle_later)
    if not command.after_finish:
        decider.require_running()
    handle(_fold_texts(command), decider)
    return decider.decision


def settle_round(log: EventLog, then: c.Then | None, context: Context) -> Decision:
    """Draw or repair the round that commands have changed: it cannot stay, so "leave" draws it again."""
    decider = Decider(log, context)
    settle_upcoming(decider, lambda _: [], "again" if then == "leave" else then, leave=False)
    return decider.decision


def draws_lots(command: c.AnyCommand, state: State) -> bool:
    """Return whether a command draws lots if it is given now."""
    if isinstance(command, c.Pair | c.DrawLots | c.BeginDraft):
        return True
    upcoming = state.upcoming
    if upcoming is None or not isinstance(command, SETTLING_COMMANDS):
        return False
    if upcoming.phase == "draft" and upcoming.in_bracket:  # drawn again, whatever the answer
        return True
    then = getattr(command, "then", None)
    return then in ("fewest", "again") or (then is None and upcoming.unseen)


def settles_later(command: c.AnyCommand, rest: Sequence[c.AnyCommand], state: State) -> bool:
    """Return whether the round is settled after the rest of a list; refuse a draw that is not last."""
    if not rest or not draws_lots(command, state):
        return False
    if isinstance(command, c.Pair) and _cannot_be_refused(rest):
        return False
    then = getattr(command, "then", None)
    if isinstance(command, SETTLING_COMMANDS) and all(
        isinstance(other, SETTLING_COMMANDS) and getattr(other, "then", 0) == then for other in rest
    ):
        return True
    raise DrawNotLast


def _cannot_be_refused(rest: Sequence[c.AnyCommand]) -> bool:
    """Return whether a round that was just paired takes these commands for sure: publish it, and start it."""
    match rest:
        case [c.Publish()] | [c.Publish(), c.Start(minutes=None)]:
            return True
        case [c.Publish(), c.Start(minutes=int(minutes))]:
            return 0 <= minutes <= LONGEST_ROUND
    return False


def _fold_texts(command: c.AnyCommand) -> c.AnyCommand:
    """Return the command with each text for people in one line, whatever was typed or pasted."""
    texts = {name: text for name in _TEXTS if isinstance(text := getattr(command, name, None), str)}
    folded: dict[str, Any] = {name: " ".join(text.split()) for name, text in texts.items()}
    if isinstance(command, c.Announce):
        folded["details"] = tuple(" ".join(detail.split()) for detail in command.details)
    return replace(command, **folded) if folded != texts else command
