"""A plan in sentences: how long an event is, how it is laid out, who goes on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from topcut.rulebook.planning import DivisionsPlan, EventPlan
from topcut.rulebook.planning.words import both, counted


def spoken(answer: EventPlan | DivisionsPlan) -> list[str]:
    """A plan, line by line."""
    return list(_event(answer) if isinstance(answer, EventPlan) else _divisions(answer))


def _divisions(answer: DivisionsPlan) -> Iterator[str]:
    used = {"separate": "separated", "modified": "modified", "off": "all in one bracket"}[answer.mode]
    yield f"{len(answer.divisions)} divisions, {used}"
    for pool in answer.pools:
        together = " in one pool" if len(pool.divisions) > 1 and answer.mode != "off" else ""
        yield f"{both(pool.divisions)}{together}:"
        yield from (f"  {line}" for line in _event(pool.plan))
    yield from _notes(answer.notes)


def _event(answer: EventPlan) -> Iterator[str]:
    split = f", {_flights(answer.flights)}" if answer.flights else ""
    yield f"{counted(answer.players, 'player')}{split}"
    if answer.tables:
        seated = [f"{counted(number, 'table')} of {size}" for size, number in answer.tables.items() if number]
        yield f"{both(seated)}, each round"
    if answer.format in ("swiss", "swiss+elimination"):
        yield from _swiss(answer)
    elif answer.format == "round-robin":
        yield f"{counted(answer.rounds or 0, 'round')}, everybody meets everybody"
    else:
        yield from _bracket(answer)
    yield from _notes(answer.notes)
    if answer.flight_options:
        yield "flights, if time is too short:"
        for option in answer.flight_options:
            yield f"  {_flights(option.sizes)}: {counted(option.rounds or 0, 'round')} of Swiss"


def _swiss(answer: EventPlan) -> Iterator[str]:
    if answer.rounds is None:
        yield "Swiss; the number of rounds is open"
        return
    usual = ["swiss"] + ["swiss"] * bool(answer.day_two) + ["elimination"] * bool(answer.cut)
    if [stage.kind for stage in answer.stages] != usual:
        yield from _stages(answer)
        return
    rounds = counted(answer.rounds, "round")
    by = f", by the table {answer.table}" if answer.table else ""
    each = f"best {answer.per_flight} of each flight" if answer.flights else f"best {answer.cut}"
    then = f", then the {each} play a top {answer.cut}, seeded by standing" if answer.cut else ""
    if day := answer.day_two:
        yield f"day one: {rounds} of Swiss"
        yield f"day two: {counted(day.rounds, 'round')} of Swiss{then}"
        yield f"into day two: {day.points} points or more, or the best {day.top}, whichever are more"
    elif not then:
        yield f"{rounds} of Swiss{by}"
        return
    else:
        yield f"{rounds} of Swiss{then}"
    yield f"{answer.total_rounds} rounds in all{by}"


def _stages(answer: EventPlan) -> Iterator[str]:
    """Stages that are not those of a usual event, one a line."""
    for stage in answer.stages:
        rounds = "" if stage.rounds is None else f"{counted(stage.rounds, 'round')} of "
        how = {"swiss": "Swiss"}.get(stage.kind, stage.kind) + (" in pods" if stage.pods else "")
        who = f", for {stage.enter}" if stage.enter else ""
        yield f"{stage.name}: {rounds}{how}{who}"


def _bracket(answer: EventPlan) -> Iterator[str]:
    """The first round of a bracket, by rank seed: seed s meets size + 1 − s, the best seeds have the byes."""
    size, byes = answer.bracket or 1, answer.byes
    free = f", {counted(byes, 'bye')}" if byes else ", no byes"
    yield f"bracket of {size}{free}, {counted(answer.elimination_rounds, 'round')}, rank seeds by lot"
    number = size // 2 - byes
    last = f" … {size // 2} v {size // 2 + 1}" if number > 1 else ""
    yield f"first round {byes + 1} v {answer.players}{last}, {counted(number, 'table')}"
    if byes:
        yield f"byes for rank seeds 1 to {byes}" if byes > 1 else "a bye for rank seed 1"


def _flights(sizes: tuple[int, ...]) -> str:
    """
    >>> _flights((36, 36, 36, 35)), _flights((32, 32)), _flights((18, 18, 18, 18, 18, 18, 17, 17))
    ('4 flights of 36, 36, 36 and 35', '2 flights of 32', '8 flights, 6 of 18 and 2 of 17')
    """
    if len(set(sizes)) == 1:
        return f"{len(sizes)} flights of {sizes[0]}"
    if len(sizes) <= 4:
        return f"{len(sizes)} flights of {both(sizes)}"
    groups = [f"{len(list(same))} of {size}" for size, same in groupby(sizes)]
    return f"{len(sizes)} flights, {both(groups)}"


def _notes(notes: tuple[str, ...]) -> Iterator[str]:
    yield from (f"note: {note}" for note in notes)
