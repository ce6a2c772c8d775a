"""Find until when the record of a round can be corrected (PK-60, PK-A27)."""

from typing import Literal

from topcut.event.draw import find_progress
from topcut.event.refusals import RecordClosed
from topcut.event.state import State
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.options import choose_format
from topcut.text.messages import Message, say, say_as

FINISHED = say_as("until", "the event is finished")
Moment = Literal["paired", "published", "started"]
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
            by = cite_reading(
                _describe_round_closing(running.frozen_when, later.number), running, "frozen_when"
            )
            rule = running.rule("frozen_after")
            if later.number < number + (after or 0):
                by, rule = _describe_bracket_closing(running.frozen_when), running.rule("bracket_freezes")
            started = later.clock.started if later.clock else None
            at = {"paired": later.paired, "published": later.published}.get(running.frozen_when, started)
            return RecordClosed(number, by, at, rule)
    return None


def _describe_round_closing(moment: Moment, number: int) -> Message:
    """Return what closed a record, as a part of a sentence: a round."""
    match moment:
        case "paired":
            return say("round {round} was paired", round=number)
        case "published":
            return say("round {round} was published", round=number)
        case "started":
            return say("round {round} was started", round=number)


def _describe_bracket_closing(moment: Moment) -> Message:
    """Return what closed a record, as a part of a sentence: the bracket."""
    match moment:
        case "paired":
            return say("the first elimination round was paired")
        case "published":
            return say("the first elimination round was published")
        case "started":
            return say("the first elimination round was started")


def describe_deadline(state: State, number: int) -> Message:
    """Return until when a record can be corrected, in words; empty where the rules set no limit."""
    running = state.book.running
    if running is None or running.frozen_after is None:
        return Message("")
    if state.rounds[number - 1].in_bracket:
        begun = sum(a_round.in_bracket for a_round in state.rounds[:number])
        brackets = find_progress(state).brackets
        final = all(begun >= len(bracket.play.graph.rounds) for bracket in brackets)
        return FINISHED if final else say("the next round of the bracket starts")
    own = [division.rounds for division in (state.options.by_division or {}).values()]
    planned = state.options.rounds or max((rounds for rounds in own if rounds), default=None)
    closing = number + running.frozen_after
    if planned is None or closing <= planned:
        deadline = _describe_round_deadline(running.frozen_when, closing)
        return cite_reading(deadline, running, "frozen_when")
    if "elimination" in choose_format(state.book, state.options) and running.bracket_freezes:
        deadline = _describe_bracket_deadline(running.frozen_when)
        return cite_reading(deadline, running, "bracket_freezes")
    return FINISHED


def _describe_round_deadline(moment: Moment, number: int) -> Message:
    """Return what will close a record, as it follows "until": a round."""
    match moment:
        case "paired":
            return say("round {round} is paired", round=number)
        case "published":
            return say("round {round} is published", round=number)
        case "started":
            return say("round {round} is started", round=number)


def _describe_bracket_deadline(moment: Moment) -> Message:
    """Return what will close a record, as it follows "until": the bracket."""
    match moment:
        case "paired":
            return say("the first elimination round is paired")
        case "published":
            return say("the first elimination round is published")
        case "started":
            return say("the first elimination round is started")
