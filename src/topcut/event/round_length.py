"""Find how long the next round lasts, by the rules or as the rounds before it (DC-2)."""

from topcut.event.state import State
from topcut.rulebook.options import find_round_minutes

LONGEST_ROUND = 24 * 60
"""Minutes."""


def find_proposed_minutes(state: State) -> int | None:
    """Return the minutes that a clock begins with if nobody says otherwise; None: there is no clock.

    The rules come first. Where they give no length, a round lasts as long as the one before it.
    """
    by_rules = find_round_minutes(state.book, state.options)
    if by_rules is not None:
        return by_rules
    clocks = [a_round.clock for a_round in state.rounds if a_round.clock is not None]
    return clocks[-1].minutes if clocks else None
