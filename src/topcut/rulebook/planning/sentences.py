"""Describe a plan in sentences: how long an event is, how it is laid out, who goes on."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from topcut.rulebook.labels import Label
from topcut.rulebook.planning.divisions import DivisionsPlan
from topcut.rulebook.planning.plan import DayTwo, EventPlan, StagePlan
from topcut.text.messages import Message, count, join_messages, list_and, say

_KINDS = {
    "swiss": say("Swiss"),
    "elimination": say("elimination"),
    "double-elimination": say("double elimination"),
    "round-robin": say("round robin"),
}


def describe_plan(answer: EventPlan | DivisionsPlan) -> list[str]:
    return list(_describe_event(answer) if isinstance(answer, EventPlan) else _describe_divisions(answer))


def _describe_divisions(answer: DivisionsPlan) -> Iterator[Message]:
    number = len(answer.divisions)
    if answer.mode == "separate":
        yield count("{n} division, separated", "{n} divisions, separated", number)
    elif answer.mode == "modified":
        yield count("{n} division, modified", "{n} divisions, modified", number)
    else:
        yield count("{n} division, all in one bracket", "{n} divisions, all in one bracket", number)
    for pool in answer.pools:
        divisions = list_and(map(_label_division, pool.divisions))
        if len(pool.divisions) > 1 and answer.mode != "off":
            yield say("{divisions} in one pool:", divisions=divisions)
        else:
            yield say("{divisions}:", divisions=divisions)
        yield from map(_indent, _describe_event(pool.plan))
    yield from map(_describe_note, answer.notes)


def _label_division(name: str) -> Message:
    return name if isinstance(name, Message) else Label(name)


def _describe_note(note: str) -> Message:
    return say("note: {note}", note=note)


def _indent(line: Message) -> Message:
    return join_messages("", ("  ", line))


def _describe_event(answer: EventPlan) -> Iterator[Message]:
    split = _describe_flights(answer.flights) if answer.flights else ""
    yield join_messages(", ", (count("{n} player", "{n} players", answer.players), split))
    if answer.tables:
        seated = [
            count("{n} table of {size}", "{n} tables of {size}", number, size=size)
            for size, number in answer.tables.items()
            if number
        ]
        yield say("{tables}, each round", tables=list_and(seated))
    if answer.format in ("swiss", "swiss+elimination"):
        yield from _describe_swiss(answer)
    elif answer.format == "round-robin":
        yield count("round robin of {n} round", "round robin of {n} rounds", answer.rounds or 0)
    else:
        yield from _describe_bracket(answer)
    yield from map(_describe_note, answer.notes)
    if answer.flight_options:
        yield say("flights, if time is too short:")
        for option in answer.flight_options:
            flights = _describe_flights(option.sizes)
            rounds = _count_swiss_rounds(option.rounds or 0)
            yield _indent(say("{flights}: {rounds}", flights=flights, rounds=rounds))


def _count_swiss_rounds(number: int) -> Message:
    return count("{n} round of Swiss", "{n} rounds of Swiss", number)


def _describe_swiss(answer: EventPlan) -> Iterator[Message]:
    if answer.rounds is None:
        yield say("Swiss; the number of rounds is open")
        return
    usual = ["swiss"] + ["swiss"] * bool(answer.day_two) + ["elimination"] * bool(answer.cut)
    if [stage.kind for stage in answer.stages] != usual:
        yield from map(_describe_stage, answer.stages)
        return
    rounds, then = _count_swiss_rounds(answer.rounds), _describe_cut(answer)
    if not then and not answer.day_two:
        yield _add_table(rounds, answer)
        return
    if day := answer.day_two:
        yield say("day one: {rounds}", rounds=rounds)
        second = join_messages(", ", (_count_swiss_rounds(day.rounds), then))
        yield say("day two: {rounds}", rounds=second)
        yield _describe_second_day(day)
    else:
        yield join_messages(", ", (rounds, then))
    yield _add_table(count("{n} round in all", "{n} rounds in all", answer.total_rounds or 0), answer)


def _describe_stage(stage: StagePlan) -> Message:
    kind = say("Swiss in pods") if stage.pods else _KINDS[stage.kind]
    if stage.rounds is None:
        what = kind
    elif stage.kind == "swiss" and not stage.pods:
        what = _count_swiss_rounds(stage.rounds)
    else:
        what = count("{n} round of {kind}", "{n} rounds of {kind}", stage.rounds, kind=kind)
    if not stage.enter:
        return say("{stage}: {what}", stage=stage.name, what=what)
    return say("{stage}: {what}, for {players}", stage=stage.name, what=what, players=stage.enter)


def _describe_cut(answer: EventPlan) -> Message:
    """Describe what follows the Swiss rounds; empty if nothing does."""
    if not answer.cut:
        return Message()
    if answer.flights:
        return say(
            "then the best {number} of each flight play a top {cut}, seeded by standing",
            number=answer.per_flight or 0,
            cut=answer.cut,
        )
    return say("then the best {cut} play a top {cut}, seeded by standing", cut=answer.cut)


def _describe_second_day(day: DayTwo) -> Message:
    return say(
        "into day two: {points} points or more, or the best {top}, whichever group is larger",
        points=day.points,
        top=day.top,
    )


def _add_table(rounds: Message, answer: EventPlan) -> Message:
    """Return a number of rounds with the round table it comes from, if it comes from one."""
    return (
        say("{rounds}, by the table {table}", rounds=rounds, table=answer.table) if answer.table else rounds
    )


def _describe_bracket(answer: EventPlan) -> Iterator[Message]:
    """Describe the first round of a bracket: seed s meets size + 1 − s, the best seeds have the byes."""
    size, byes = answer.bracket or 1, answer.byes
    whole = [
        say("bracket of {size}", size=size),
        count("{n} bye", "{n} byes", byes) if byes else say("no byes"),
        count("{n} round", "{n} rounds", answer.elimination_rounds),
        say("rank seeds drawn at random"),
    ]
    yield join_messages(", ", whole)
    number = size // 2 - byes
    first = say("{seed} v {other}", seed=byes + 1, other=answer.players)
    last = say("{seed} v {other}", seed=size // 2, other=size // 2 + 1) if number > 1 else ""
    tables = count("{n} table", "{n} tables", number)
    yield say("first round {pairs}, {tables}", pairs=join_messages(" … ", (first, last)), tables=tables)
    if byes:
        yield say("byes for rank seeds 1 to {last}", last=byes) if byes > 1 else say("a bye for rank seed 1")


def _describe_flights(sizes: Sequence[int]) -> Message:
    """Return how many flights there are, and of which sizes.

    >>> _describe_flights((36, 36, 36, 35)), _describe_flights((18, 18, 18, 18, 18, 18, 17, 17))
    ('4 flights of 36, 36, 36 and 35', '8 flights, 6 of 18 and 2 of 17')
    """
    number = len(sizes)
    if len(set(sizes)) == 1:
        return say("{number} flights of {size}", number=number, size=sizes[0])
    if number <= 4:
        return say("{number} flights of {size}", number=number, size=list_and(sizes))
    groups = [say("{number} of {size}", number=len(list(same)), size=size) for size, same in groupby(sizes)]
    return say("{number} flights, {groups}", number=number, groups=list_and(groups))
