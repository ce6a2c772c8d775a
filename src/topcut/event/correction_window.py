"""Find until when the record of a round can be corrected (PK-60, PK-A27)."""

from topcut.event.draw import find_progress
from topcut.event.refusals import RecordClosed
from topcut.event.state import State
from topcut.rulebook.options import choose_format

_BEFORE = {"paired": (), "published": ("draft",), "started": ("draft", "published")}
"""The phases of a round in which it has not come to the moment that closes records."""


def find_closure(state: State, number: int) -> RecordClosed | None:
    """Return why the record of a round is closed; None while it is open."""
    running = state.book.running
    if running is None:
        return None
    after = running.frozen_after
    seeds = running.bracket_freezes and state.rounds[number - 1].is_scored
    for later in state.rounds[number:]:
        late = after is not None and later.number >= number + after
        if later.phase not in _BEFORE[running.frozen_when] and (late or (seeds and later.in_bracket)):
            by, rule = f"round {later.number}", running.rule("frozen_after")
            if later.number < number + (after or 0):
                by, rule = "the first elimination round", running.rule("bracket_freezes")
            started = later.clock.started if later.clock else None
            at = {"paired": later.paired, "published": later.published}.get(running.frozen_when, started)
            return RecordClosed(number, f"{by} was {running.frozen_when}", at, rule)
    return None


def describe_deadline(state: State, number: int) -> str:
    """Return until when a record can be corrected, in words; empty where the rules set no limit."""
    running = state.book.running
    if running is None or running.frozen_after is None:
        return ""
    if state.rounds[number - 1].in_bracket:
        begun = sum(a_round.in_bracket for a_round in state.rounds[:number])
        brackets = find_progress(state).brackets
        final = all(begun >= len(bracket.play.graph.rounds) for bracket in brackets)
        return "the event is finished" if final else "the next round of the bracket begins"
    own = [division.rounds for division in (state.options.by_division or {}).values()]
    planned = state.options.rounds or max((rounds for rounds in own if rounds), default=None)
    closing = number + running.frozen_after
    if planned is None or closing <= planned:
        return f"round {closing} is {running.frozen_when}"
    if "elimination" in choose_format(state.book, state.options) and running.bracket_freezes:
        return f"the first elimination round is {running.frozen_when}"
    return "the event is finished"
