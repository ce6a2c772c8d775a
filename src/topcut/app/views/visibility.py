"""Cut a state down to its public part: nothing of a round before it is published."""

from msgspec.structs import replace

from topcut.event.apply.context import clear_drawn
from topcut.event.state import RoundState, State


def public_state(state: State) -> State:
    """Return the state without an unpublished round, and without what that round has drawn."""
    last = state.round
    if last is None or last.phase != "draft":
        return state
    state = clear_drawn(state, last, set(last.drawn))
    seen = {what: count for what, count in state.attempts.items() if what != f"round {last.number}"}
    return replace(state, rounds=state.rounds[:-1], attempts=seen, stages=())


def last_public_round(state: State) -> RoundState | None:
    """Return the last published round."""
    return next((r for r in reversed(state.rounds) if r.phase != "draft"), None)


def public_round(state: State, number: int | None) -> RoundState | None:
    """Return a published round by its number; without a number the last one."""
    if number is None:
        return last_public_round(state)
    return next((r for r in state.rounds if r.number == number and r.phase != "draft"), None)


def count_played_rounds(state: State) -> int:
    """Count the rounds in which every table is reported."""
    last = state.round
    if last is None or last.phase == "ended":
        return len(state.rounds)
    whole = last.phase == "started" and all(table.reported for table in last.tables)
    return len(state.rounds) if whole else len(state.rounds) - 1
