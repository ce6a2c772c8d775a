"""Until when can the record of a round be corrected? (PK-60, PK-A27)"""

from __future__ import annotations

from topcut.event.draw import course_of
from topcut.event.refusals import RecordClosed
from topcut.event.state import RoundOf, State
from topcut.rulebook.options import format_of
from topcut.rulebook.running import Running

_REACHED = {
    "paired": ("draft", "published", "started", "ended"),
    "published": ("published", "started", "ended"),
    "started": ("started", "ended"),
}


def closed(state: State, number: int) -> RecordClosed | None:
    """Why the record of a round is closed; None while it is open."""
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


def open_until(state: State, number: int) -> str:
    """Until when the record of a round can be corrected, in words; empty where the rules set no limit."""
    running = state.book.running
    if running is None or running.frozen_after is None:
        return ""
    if state.rounds[number - 1].stage == "elimination":
        return "the event is finished" if _final(state, number) else "the next round of the bracket begins"
    own = [division.rounds for division in (state.options.by_division or {}).values()]
    planned = state.options.rounds or max((rounds for rounds in own if rounds), default=None)
    closing = number + running.frozen_after
    if planned is None or closing <= planned:
        return f"round {closing} is {running.frozen_when}"
    if "elimination" in format_of(state.book, state.options) and running.bracket_freezes:
        return f"the first elimination round is {running.frozen_when}"
    return "the event is finished"


def _final(state: State, number: int) -> bool:
    """Whether no round of a bracket follows."""
    brackets = course_of(state).brackets
    begun = sum(a_round.stage == "elimination" for a_round in state.rounds[:number])
    return all(begun >= len(bracket.play.graph.rounds) for bracket in brackets)


def _closes(running: Running, a_round: RoundOf, later: RoundOf) -> bool:
    after = running.frozen_after
    if after is not None and later.number >= a_round.number + after:
        return True
    seeded = later.stage == "elimination" and a_round.stage == "swiss"
    return running.bracket_freezes and seeded
