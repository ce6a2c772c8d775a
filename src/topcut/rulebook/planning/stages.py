"""List the stages of an event, how long each is, and who goes on into it."""

from fractions import Fraction

from msgspec import Struct

from topcut.rulebook.layout import Enter, Format, Stage, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.tiebreak_keys import Cumulative, Outcomes
from topcut.text.messages import Message, count, say


class PlannedStage(Struct, frozen=True):
    """A stage with its rounds."""

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


def list_stages(book: Book, event_format: Format) -> list[Stage]:
    """List the stages of a format, in order."""
    return [stage for stage in book.stages if event_format in stage.formats]


def get_stage_kind(stage: Stage) -> str:
    """Return the word for the kind of a stage in a book."""
    return str(stage.__struct_config__.tag)


def count_fixed_rounds(book: Book, event_format: Format) -> int | None:
    """Return the Swiss rounds of a format whose stages have numbers; `None` where a round table has them."""
    numbers = [stage.rounds for stage in list_stages(book, event_format) if isinstance(stage, SwissStage)]
    whole = [number for number in numbers if isinstance(number, int)]
    return sum(whole) if whole and len(whole) == len(numbers) else None


def plan_swiss_stages(
    book: Book, event_format: Format, table: int | None, second_day: int | None, asked: int | None = None
) -> list[PlannedStage]:
    """Plan the Swiss stages with the rounds that the round table gives for one day or two.

    `asked`: rounds in all as the organiser chose them; the last stage that is reached takes the difference.
    """
    found: list[PlannedStage] = []
    first: int | None = 0
    for stage in list_stages(book, event_format):
        if not isinstance(stage, SwissStage) or first is None or (asked is not None and first >= asked):
            break
        rounds = {"table": table, "second day": second_day}.get(str(stage.rounds), stage.rounds)
        if stage.rounds == "second day" and rounds is None:
            continue
        assert not isinstance(rounds, str)
        found.append(PlannedStage(stage, first, rounds))
        first = found[-1].end
    if asked is not None and found:
        last = found[-1]
        found[-1] = PlannedStage(last.stage, last.first, asked - last.first)
    return found


def find_points_needed(book: Book, enter: Enter, rounds: int) -> Fraction | None:
    """Return the points that let a player in after `rounds` (PK-55, PK-A18); `None` where none do."""
    if enter.points is not None:
        return enter.points
    if enter.losses is None:
        return None
    measure = book.primary_measure
    assert isinstance(measure, Outcomes | Cumulative)  # checked with the book
    win = measure.win.earned if isinstance(measure, Outcomes) else measure.win
    return win * max(0, rounds - enter.losses)


def describe_record_needed(book: Book, enter: Enter, rounds: int) -> Message:
    """Describe the record that lets a player in; empty where none does."""
    if enter.losses is not None and enter.counted != "points":
        if enter.counted == "losses":
            return count("at most {n} loss", "at most {n} losses", enter.losses)
        return count("at most {n} loss and no draw", "at most {n} losses and no draw", enter.losses)
    points = find_points_needed(book, enter, rounds)
    return Message() if points is None else say("{points} points or more", points=points)


def describe_who_goes_on(
    book: Book, enter: Enter | None, rounds: int, cut: int | None, flights: int = 0
) -> Message:
    """Describe what it takes to go on into a stage after `rounds`; empty if everybody goes on."""
    if enter is None:
        return Message()
    record, best = describe_record_needed(book, enter, rounds), _describe_best(enter, cut, flights)
    if not (record and best):
        return record or best
    if enter.either == "larger":
        return say("{record}, or {best}, whichever group is larger", record=record, best=best)
    return say("{record}, or {best}", record=record, best=best)


def _describe_best(enter: Enter, cut: int | None, flights: int) -> Message:
    """Describe how many of the best advance; empty if it takes a record."""
    top = cut if enter.top == "cut" else enter.top
    if top is None:
        return Message()
    best = (
        say("the best {top} of each flight", top=top // flights)
        if flights
        else say("the best {top}", top=top)
    )
    if enter.level_up_to is None:
        return best
    return say("{best} and players level with them, up to {most}", best=best, most=enter.level_up_to)
