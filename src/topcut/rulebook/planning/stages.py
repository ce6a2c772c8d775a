"""Which stages does an event have, and how long is each of them?"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from topcut.rulebook.keys import Cumulative, Outcomes, ValueKey
from topcut.rulebook.layout import Enter, Stage, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.section import Format


class Planned(Struct, frozen=True):
    """A stage in its place."""

    stage: Stage
    first: int
    """Rounds before it."""
    rounds: int | None
    """`None`: no rule gives a number, or it takes as long as its bracket."""

    @property
    def carries(self) -> bool:
        """Whether what was played before counts on."""
        return not isinstance(self.stage, SwissStage) or self.stage.carries

    @property
    def drafts(self) -> bool:
        """Whether it is played in pods."""
        return isinstance(self.stage, SwissStage) and self.stage.pods

    @property
    def end(self) -> int | None:
        return None if self.rounds is None else self.first + self.rounds


def stages_of(book: Book, event_format: Format) -> list[Stage]:
    """The stages of a format, in order."""
    return [stage for stage in book.stages if event_format in stage.formats]


def stage_kind(stage: Stage) -> str:
    """The word for its kind in a book."""
    return str(stage.__struct_config__.tag)


def given_rounds(book: Book, event_format: Format) -> int | None:
    """The Swiss rounds of a format whose stages say how long they are; `None` where a table is asked."""
    numbers = [stage.rounds for stage in stages_of(book, event_format) if isinstance(stage, SwissStage)]
    whole = [number for number in numbers if isinstance(number, int)]
    return sum(whole) if whole and len(whole) == len(numbers) else None


def swiss_stages(
    book: Book, event_format: Format, table: int | None, second_day: int | None, asked: int | None = None
) -> list[Planned]:
    """The Swiss stages, where the round table gives so many rounds for one day or two.

    `asked`: rounds in all as the organiser chose them; the last stage that is reached takes the difference.
    """
    found: list[Planned] = []
    first: int | None = 0
    for stage in stages_of(book, event_format):
        if not isinstance(stage, SwissStage) or first is None or (asked is not None and first >= asked):
            break
        rounds = {"table": table, "second day": second_day}.get(str(stage.rounds), stage.rounds)
        if stage.rounds == "second day" and rounds is None:
            continue
        assert not isinstance(rounds, str)
        found.append(Planned(stage, first, rounds))
        first = found[-1].end
    if asked is not None and found:
        last = found[-1]
        found[-1] = Planned(last.stage, last.first, asked - last.first)
    return found


def points_asked(book: Book, enter: Enter, rounds: int) -> Fraction | None:
    """The points that let a player in after so many rounds (PK-55, PK-A18); `None` where none do."""
    if enter.points is not None:
        return enter.points
    if enter.losses is None:
        return None
    primary = book.chain[0]
    measure = book.measures[primary.measure] if isinstance(primary, ValueKey) else None
    assert isinstance(measure, Outcomes | Cumulative)  # checked with the book
    win = measure.win.earned if isinstance(measure, Outcomes) else measure.win
    return win * max(0, rounds - enter.losses)


def record_asked(book: Book, enter: Enter, rounds: int) -> str:
    """The record that lets a player in, in words; empty where none does."""
    if enter.losses is not None and enter.counted == "losses":
        return f"at most {enter.losses} {'loss' if enter.losses == 1 else 'losses'}"
    if enter.losses is not None and enter.counted == "losses and draws":
        return f"at most {enter.losses} {'loss' if enter.losses == 1 else 'losses'} and no draw"
    points = points_asked(book, enter, rounds)
    return "" if points is None else f"{points} points or more"


def who_goes_on(book: Book, enter: Enter, rounds: int, cut: int | None, flights: int = 0) -> str:
    """What it takes to go on into a stage after so many rounds, in words."""
    top = cut if enter.top == "cut" else enter.top
    best = "" if top is None else f"the best {top}"
    if flights and top is not None:
        best = f"the best {top // flights} of each flight"
    if enter.level_up_to is not None:
        best += f" and whoever is level with them, up to {enter.level_up_to}"
    record = record_asked(book, enter, rounds)
    if not (record and best):
        return record or best
    return f"{record}, or {best}" + (", whichever are more" if enter.either == "larger" else "")
