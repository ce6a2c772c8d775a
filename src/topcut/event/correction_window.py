"""Find until when the record of a round can be corrected (PK-60, PK-A27)."""

from topcut.event.draw import find_progress
from topcut.event.refusals import RecordClosed
from topcut.event.state import RoundState, State
from topcut.rulebook.model import RunningRules
from topcut.rulebook.options import choose_format

_REACHED = {
    "paired": ("draft", "published", "started", "ended"),
    "published": ("published", "started", "ended"),
    "started": ("started", "ended"),
}


def find_closure(state: State, number: int) -> RecordClosed | None:
    """Return why the record of a round is closed; None while it is open."""
    running = state.book.running
    if running is None:
        return None
    for later in state.rounds[number:]:
        reached = later.phase in _REACHED[running.frozen_when]
        if reached and _closes(running, state.rounds[number - 1], later):
            by = f"round {later.number} was {running.frozen_when}"
            rule = running.rule("frozen_after")
            if later.number < number + (running.frozen_after or 0):
                by = f"the first elimination round was {running.frozen_when}"
                rule = running.rule("bracket_freezes")
            started = later.clock.started if later.clock else None
            at = {"paired": later.paired, "published": later.published}.get(running.frozen_when, started)
            return RecordClosed(number, by, at, rule)
    return None


def describe_deadline(state: State, number: int) -> str:
    """Return until when a record can be corrected, in words; empty where the rules set no limit."""
    running = state.book.running
    if running is None or running.frozen_after is None:
        return ""
    if state.rounds[number - 1].in_bracket:
        return "the event is finished" if _is_final(state, number) else "the next round of the bracket begins"
    own = [division.rounds for division in (state.options.by_division or {}).values()]
    planned = state.options.rounds or max((rounds for rounds in own if rounds), default=None)
    closing = number + running.frozen_after
    if planned is None or closing <= planned:
        return f"round {closing} is {running.frozen_when}"
    if "elimination" in choose_format(state.book, state.options) and running.bracket_freezes:
        return f"the first elimination round is {running.frozen_when}"
    return "the event is finished"


def _is_final(state: State, number: int) -> bool:
    """Return whether no round of a bracket follows."""
    brackets = find_progress(state).brackets
    begun = sum(a_round.in_bracket for a_round in state.rounds[:number])
    return all(begun >= len(bracket.play.graph.rounds) for bracket in brackets)


def _closes(running: RunningRules, a_round: RoundState, later: RoundState) -> bool:
    after = running.frozen_after
    if after is not None and later.number >= a_round.number + after:
        return True
    seeded = later.in_bracket and a_round.is_scored
    return running.bracket_freezes and seeded
