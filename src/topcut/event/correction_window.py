"""Find until when the record of a round can be corrected, and what closes records next (PK-60, PK-A27)."""

from dataclasses import dataclass
from typing import Literal

from topcut.event.draw import find_progress
from topcut.event.refusals import RecordClosed
from topcut.event.state import State
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.options import choose_format
from topcut.stages.progress import Progress
from topcut.text.messages import Message, count, list_and, say, say_as

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
    planned = planned or find_progress(state).planned_rounds
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


@dataclass(frozen=True)
class NextClosing:
    """What closes the records of rounds next: a round, the bracket, or the end of the event."""

    by: Literal["round", "bracket", "finish"]
    round: int
    """The number of the round that does it; of the bracket's first one."""
    closes: tuple[int, ...]
    """The rounds whose records it closes. The bracket closes all Swiss rounds."""
    moment: Moment
    rule: str


def find_next_closing(state: State, progress: Progress) -> NextClosing | None:
    """Return what closes records next, while Swiss rounds are played; None where nothing does.

    `progress`: of the event as far as it is played; from there is known whether a bracket follows.
    """
    running, last = state.book.running, state.round
    if running is None or running.frozen_after is None or state.finished or last is None:
        return None
    following = last.phase in _BEFORE[running.frozen_when]
    number = last.number if following else last.number + 1
    if last.in_bracket and not (following and number == 1 + sum(r.is_scored for r in state.rounds)):
        return None
    swiss, moment = progress.planned_rounds, running.frozen_when
    earlier = [a_round.number for a_round in state.rounds if a_round.number < number]
    open_rounds = [one for one in earlier if find_closure(state, one) is None]
    if swiss is None or number <= swiss:
        closes = tuple(one for one in open_rounds if number >= one + running.frozen_after)
        return NextClosing("round", number, closes, moment, running.rule("frozen_after")) if closes else None
    if not open_rounds:
        return None
    if progress.bracket_follows and running.bracket_freezes:
        return NextClosing("bracket", number, tuple(open_rounds), moment, running.rule("bracket_freezes"))
    return NextClosing("finish", number, tuple(open_rounds), moment, "")


def describe_next_closing(closing: NextClosing) -> Message:
    """Return what closes when, in a sentence."""
    if closing.by == "finish":
        return say("Finishing the event closes all records.")
    if closing.by == "bracket":
        match closing.moment:
            case "paired":
                return say(
                    "Pairing the first elimination round closes all Swiss records ({rule}).",
                    rule=closing.rule,
                )
            case "published":
                return say(
                    "Publishing the first elimination round closes all Swiss records ({rule}).",
                    rule=closing.rule,
                )
            case "started":
                return say(
                    "Starting the first elimination round closes all Swiss records ({rule}).",
                    rule=closing.rule,
                )
    named: dict[str, str | int] = {
        "round": closing.round,
        "closed": list_and(closing.closes),
        "rule": closing.rule,
    }
    several = len(closing.closes)
    match closing.moment:
        case "paired":
            return count(
                "Pairing round {round} closes round {closed} ({rule}).",
                "Pairing round {round} closes rounds {closed} ({rule}).",
                several,
                **named,
            )
        case "published":
            return count(
                "Publishing round {round} closes round {closed} ({rule}).",
                "Publishing round {round} closes rounds {closed} ({rule}).",
                several,
                **named,
            )
        case "started":
            return count(
                "Starting round {round} closes round {closed} ({rule}).",
                "Starting round {round} closes rounds {closed} ({rule}).",
                several,
                **named,
            )


def remind_players(closing: NextClosing | None) -> Message:
    """Return what players are told: to check their record now, and what closes when (PK-61)."""
    if closing is None:
        return Message("")
    return say("Check your results now. {what_closes}", what_closes=describe_next_closing(closing))
