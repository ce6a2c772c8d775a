"""Describe a plan in sentences: how long an event is, how it is laid out, who goes on."""

from collections.abc import Iterator
from itertools import groupby

from topcut.rulebook.planning.divisions import DivisionsPlan
from topcut.rulebook.planning.plan import EventPlan
from topcut.text.messages import list_and
from topcut.text.phrases import plural


def describe_plan(answer: EventPlan | DivisionsPlan) -> list[str]:
    return list(_describe_event(answer) if isinstance(answer, EventPlan) else _describe_divisions(answer))


def _describe_divisions(answer: DivisionsPlan) -> Iterator[str]:
    used = {"separate": "separated", "modified": "modified", "off": "all in one bracket"}[answer.mode]
    yield f"{len(answer.divisions)} divisions, {used}"
    for pool in answer.pools:
        together = " in one pool" if len(pool.divisions) > 1 and answer.mode != "off" else ""
        yield f"{list_and(pool.divisions)}{together}:"
        yield from (f"  {line}" for line in _describe_event(pool.plan))
    yield from (f"note: {note}" for note in answer.notes)


def _describe_event(answer: EventPlan) -> Iterator[str]:
    split = f", {_describe_flights(answer.flights)}" if answer.flights else ""
    yield f"{plural(answer.players, 'player')}{split}"
    if answer.tables:
        seated = [f"{plural(number, 'table')} of {size}" for size, number in answer.tables.items() if number]
        yield f"{list_and(seated)}, each round"
    if answer.format in ("swiss", "swiss+elimination"):
        yield from _describe_swiss(answer)
    elif answer.format == "round-robin":
        yield f"{plural(answer.rounds or 0, 'round')}, everybody meets everybody"
    else:
        yield from _describe_bracket(answer)
    yield from (f"note: {note}" for note in answer.notes)
    if answer.flight_options:
        yield "flights, if time is too short:"
        for option in answer.flight_options:
            yield f"  {_describe_flights(option.sizes)}: {plural(option.rounds or 0, 'round')} of Swiss"


def _describe_swiss(answer: EventPlan) -> Iterator[str]:
    if answer.rounds is None:
        yield "Swiss; the number of rounds is open"
        return
    usual = ["swiss"] + ["swiss"] * bool(answer.day_two) + ["elimination"] * bool(answer.cut)
    if [stage.kind for stage in answer.stages] != usual:
        for stage in answer.stages:
            number = "" if stage.rounds is None else f"{plural(stage.rounds, 'round')} of "
            how = {"swiss": "Swiss"}.get(stage.kind, stage.kind) + (" in pods" if stage.pods else "")
            yield f"{stage.name}: {number}{how}{f', for {stage.enter}' if stage.enter else ''}"
        return
    rounds = plural(answer.rounds, "round")
    by = f", by the table {answer.table}" if answer.table else ""
    each = f"best {answer.per_flight} of each flight" if answer.flights else f"best {answer.cut}"
    then = f", then the {each} play a top {answer.cut}, seeded by standing" if answer.cut else ""
    if day := answer.day_two:
        yield f"day one: {rounds} of Swiss"
        yield f"day two: {plural(day.rounds, 'round')} of Swiss{then}"
        yield f"into day two: {day.points} points or more, or the best {day.top}, whichever are more"
    elif not then:
        yield f"{rounds} of Swiss{by}"
        return
    else:
        yield f"{rounds} of Swiss{then}"
    yield f"{answer.total_rounds} rounds in all{by}"


def _describe_bracket(answer: EventPlan) -> Iterator[str]:
    """Describe the first round of a bracket: seed s meets size + 1 − s, the best seeds have the byes."""
    size, byes = answer.bracket or 1, answer.byes
    free = f", {plural(byes, 'bye')}" if byes else ", no byes"
    yield f"bracket of {size}{free}, {plural(answer.elimination_rounds, 'round')}, rank seeds by lot"
    number = size // 2 - byes
    last = f" … {size // 2} v {size // 2 + 1}" if number > 1 else ""
    yield f"first round {byes + 1} v {answer.players}{last}, {plural(number, 'table')}"
    if byes:
        yield f"byes for rank seeds 1 to {byes}" if byes > 1 else "a bye for rank seed 1"


def _describe_flights(sizes: tuple[int, ...]) -> str:
    """Return how many flights there are, and of which sizes.

    >>> _describe_flights((36, 36, 36, 35)), _describe_flights((18, 18, 18, 18, 18, 18, 17, 17))
    ('4 flights of 36, 36, 36 and 35', '8 flights, 6 of 18 and 2 of 17')
    """
    if len(set(sizes)) == 1:
        return f"{len(sizes)} flights of {sizes[0]}"
    if len(sizes) <= 4:
        return f"{len(sizes)} flights of {list_and(sizes)}"
    groups = [f"{len(list(same))} of {size}" for size, same in groupby(sizes)]
    return f"{len(sizes)} flights, {list_and(groups)}"
