"""What a book says of the stages of its formats must fit together."""

from __future__ import annotations

from collections.abc import Iterator

from topcut.rulebook.keys import Cumulative, Outcomes, ValueKey
from topcut.rulebook.layout import (
    Enter,
    SwissStage,
)
from topcut.rulebook.model import Book
from topcut.rulebook.planning.stages import stage_kind
from topcut.rulebook.section import Format

_BRACKETS = ("elimination", "double-elimination")


def stage_mistakes(book: Book) -> Iterator[tuple[str, str]]:
    """(path, what was expected) for each mistake."""
    for i, stage in enumerate(book.stages):
        path = f"stages[{i}]"
        if not set(stage.formats) <= set(book.plan.formats):
            yield f"{path}.formats", f"expected some of {', '.join(book.plan.formats)}"
        if isinstance(stage, SwissStage):
            if isinstance(stage.rounds, int) and stage.rounds < 1:
                yield f"{path}.rounds", "expected at least one round"
            if stage.pods and not (book.pairing and book.pairing.pods):
                yield f"{path}.pods", "expected a [pairing.pods] section"
            if not stage.carries and any(isinstance(m, Cumulative) for m in book.measures.values()):
                yield f"{path}.carries", "expected true: a cumulative measure runs through the whole event"
        if stage.enter:
            yield from _enter(book, stage.enter, f"{path}.enter")
    for event_format in book.plan.formats:
        yield from _format(book, event_format)


def _format(book: Book, event_format: Format) -> Iterator[tuple[str, str]]:
    """The stages of one format, one after the other."""
    stages = [(i, stage) for i, stage in enumerate(book.stages) if event_format in stage.formats]
    if not stages:
        yield "stages", f"expected at least one stage of the format {event_format}"
        return
    first, opening = stages[0]
    if opening.enter:
        yield f"stages[{first}].enter", f"everybody enters the first stage of {event_format}"
    for i, stage in stages[1:]:
        if not isinstance(stage, SwissStage) and stage.enter is None:
            yield f"stages[{i}]", "expected [stages.enter]: who goes on into it"
    swiss = [(i, stage) for i, stage in stages if isinstance(stage, SwissStage)]
    numbers = [isinstance(stage.rounds, int) for _, stage in swiss]
    if any(numbers) and not all(numbers):
        expected = 'expected numbers for all of them, or "table" and "second day"'
        yield f"stages[{swiss[0][0]}].rounds", f"the Swiss stages of {event_format} are one plan: {expected}"
    if swiss and not any(numbers):
        yield from _by_table(book, event_format, swiss)
    kinds = [stage_kind(stage) for _, stage in stages]
    swiss_first = ["swiss"] * len(swiss)
    right = {
        "swiss": kinds == swiss_first,
        "swiss+elimination": swiss and kinds[:-1] == swiss_first and kinds[-1] in _BRACKETS,
    }.get(event_format, kinds == [event_format])
    if not right:
        yield f"stages[{first}].kind", f"expected the stages that the format {event_format} is named for"


def _by_table(
    book: Book, event_format: Format, swiss: list[tuple[int, SwissStage]]
) -> Iterator[tuple[str, str]]:
    words = [stage.rounds for _, stage in swiss]
    if words not in (["table"], ["table", "second day"]):
        expected = 'expected "table", then perhaps "second day"'
        yield f"stages[{swiss[0][0]}].rounds", f"{expected} in the Swiss stages of {event_format}"
    plan = book.plan
    if not plan.tables and (event_format != "swiss" or plan.swiss_only == "table"):
        yield "plan", "expected a round table under [plan.tables], since the formats need one"
    second_day = any(row.second_day is not None for table in plan.tables.values() for row in table.rows)
    if second_day and event_format == "swiss+elimination" and "second day" not in words:
        yield "plan.tables", 'expected a stage with rounds = "second day", since a row has one'


def _enter(book: Book, enter: Enter, path: str) -> Iterator[tuple[str, str]]:
    record = enter.losses is not None or enter.points is not None
    if enter.top is None and not record:
        yield path, "expected top, losses or points: what it takes to go on"
    if enter.losses is not None and enter.points is not None:
        yield f"{path}.points", "expected points or losses, not both"
    if isinstance(enter.top, int) and enter.top < 1:
        yield f"{path}.top", "expected at least one player"
    if (enter.losses or 0) < 0:
        yield f"{path}.losses", "expected a number from 0"
    top = enter.top if isinstance(enter.top, int) else 1
    if enter.level_up_to is not None and (enter.top is None or enter.level_up_to < top):
        yield f"{path}.level_up_to", "expected a top, and a number not below it"
    primary = book.chain[0] if book.chain else None
    measure = book.measures.get(primary.measure) if isinstance(primary, ValueKey) else None
    if record and not isinstance(measure, Outcomes | Cumulative):
        yield path, "expected a primary score that counts wins, since points decide who goes on"
