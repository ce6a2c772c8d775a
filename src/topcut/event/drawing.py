"""Which commands draw lots, and what may come after them in a list?

A list of commands is done whole or not at all. If a command after a draw could be refused, the refusal would
tell what was drawn, nothing would be written, and the same draw could be tried again with another player in
it. So nothing that can be refused comes after a draw: the list is refused before anything is drawn.

Commands that change a round which is up (late entries, drops, corrections) may come together: the round is
drawn or repaired once, after the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from topcut.event import commands as c
from topcut.event.decide_rounds import LONGEST_ROUND
from topcut.event.refusals import DrawNotLast
from topcut.event.state import State

SETTLING = (c.Register, c.Remove, c.Drop, c.Disqualify, c.Restore, c.Correct)
"""Commands that can change a round which is paired and has not begun."""


def draws(command: c.AnyCommand, state: State) -> bool:
    """Whether a command draws lots if it is given now."""
    if isinstance(command, c.Pair | c.DrawLots):
        return True
    upcoming = state.upcoming
    if upcoming is None or not isinstance(command, SETTLING):
        return False
    if upcoming.phase == "draft" and upcoming.stage == "elimination":  # drawn again, whatever the answer
        return True
    return command.then in ("fewest", "again") or (command.then is None and upcoming.unseen)


def settles_later(command: c.AnyCommand, rest: Sequence[c.AnyCommand], state: State) -> bool:
    """Whether the round is settled after the rest of the list; refused where a draw would not come last."""
    if not rest or not draws(command, state):
        return False
    if isinstance(command, c.Pair) and _cannot_be_refused(rest):
        return False
    if isinstance(command, SETTLING) and all(
        isinstance(other, SETTLING) and other.then == command.then for other in rest
    ):
        return True
    raise DrawNotLast


def _cannot_be_refused(rest: Sequence[c.AnyCommand]) -> bool:
    """Whether a round that was just paired takes these commands for sure: publish it, and start it."""
    publish, *start = rest
    if not isinstance(publish, c.Publish) or len(start) > 1:
        return False
    return all(
        isinstance(one, c.Start) and (one.minutes is None or 1 <= one.minutes <= LONGEST_ROUND)
        for one in start
    )
