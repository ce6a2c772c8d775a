"""Define why a command is refused: a class for each reason, with its data and a line that says what to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from topcut.errors import BadInput, Impossible, TopcutError
from topcut.event.commands import Then
from topcut.text.messages import list_first

SHOWN = 5
"""Players that a refusal names, at most."""


class CommandRefused(TopcutError):
    """The root of all refusals that are not a rule's."""


class NotNow(CommandRefused):
    """The event is not where this can be done."""


class DrawNotLast(CommandRefused):
    """A list of commands goes on after a draw; nothing was drawn."""

    def __init__(self) -> None:
        super().__init__(
            "only publishing and starting a round may follow its draw in one list:"
            " give the other commands before the draw, or separately after it"
        )


class UnknownPlayer(CommandRefused):
    def __init__(self, text: str, like: Sequence[str] = ()) -> None:
        self.text = text
        self.like = tuple(like)
        several = f"; there are {list_first(like, SHOWN)}" if like else ""
        super().__init__(f'no player is called "{text}": expected an id or a name{several}')


class NoSuchPlayer(BadInput):
    """An id that no player has."""

    def __init__(self, player: str) -> None:
        self.player = player
        super().__init__(f"no player has the id {player!r}")


class UnknownTable(CommandRefused):
    def __init__(self, number: int, table: int | str, numbers: Sequence[int]) -> None:
        self.round, self.table = number, table
        there = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(*numbers)
        super().__init__(f"round {number} has no table {table}: expected {there or 'nothing but byes'}")


class AlreadyReported(CommandRefused):
    """A result that is there is only changed by a correction."""

    def __init__(self, number: int, table: int | str, old: str, new: str) -> None:
        self.round, self.table, self.old, self.new = number, table, old, new
        super().__init__(
            f"table {table} of round {number} is reported already: {old}; the new result would be {new}"
            " (to change it, correct it)"
        )


class NotAtTable(CommandRefused):
    """A player speaks for a table at which others sit."""

    def __init__(self, number: int, table: int, name: str, sits: int | str | None) -> None:
        self.round, self.table, self.name, self.sits = number, table, name, sits
        where = f", but at table {sits}" if sits is not None else ""
        super().__init__(f"{name} does not sit at table {table} of round {number}{where}")


class AlreadyAsked(CommandRefused):
    """One question is enough."""

    def __init__(self, name: str, question: int) -> None:
        self.name, self.question = name, question
        super().__init__(f"{name} has asked that already (question {question}): the desk will look at it")


class BadResult(CommandRefused):
    """No table can end like that."""


class NeedsReason(CommandRefused):
    """The log must say why."""


class AlreadyLeft(CommandRefused):
    def __init__(self, name: str, how: str) -> None:
        self.name = name
        super().__init__(f"{name} {how} already")


@dataclass(frozen=True)
class Answer:
    """One way to settle a round that is posted."""

    kind: Then
    changed: tuple[int | str, ...] | None
    """Tables that would be new; None: lots decide, and it is known only when they are drawn."""
    new: int | None
    """How many tables would be new; None: all that do not play yet."""
    cost: dict[str, Any] | None
    """What the round would cost; None where it would not be legal, or where nothing is left to choose."""
    says: str


@dataclass(frozen=True)
class Choice:
    """Ways to update a published round that a command affects; the scorekeeper must choose one."""

    round: int
    answers: tuple[Answer, ...]


class NeedsAnswer(CommandRefused):
    """A request was not done since its decision is a choice."""

    def __init__(self, choice: Choice) -> None:
        self.round, self.answers = choice.round, choice.answers
        listed = "; ".join(f'"{answer.kind}": {answer.says}' for answer in self.answers)
        super().__init__(
            f"round {self.round} is posted and has not begun: choose how to update it ({listed})"
        )


class CannotUndo(CommandRefused):
    """What came later builds on it."""


class RecordClosed(Impossible):
    """The time to correct a record is over."""

    def __init__(self, number: int, closed_by: str, at: datetime | None, rule: str) -> None:
        self.round, self.closed_by, self.at = number, closed_by, at
        when = f" (at {at:%H:%M} UTC)" if at else ""
        super().__init__(
            f"the record of round {number} could be corrected until {closed_by}{when};"
            " an organiser can override this with a reason",
            rule=rule,
        )


class EntryClosed(Impossible):
    """Nobody can enter any more."""
