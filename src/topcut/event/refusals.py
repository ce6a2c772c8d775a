"""Define why a command is refused: a class for each reason, with its data and a line that says what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from topcut.errors import BadInput, Impossible, TopcutError
from topcut.event.commands import Then
from topcut.history.model import Override
from topcut.text.messages import Message, join_messages, list_and, list_first, say, to_message

SHOWN = 5
"""Players that a refusal names, at most."""
Left = Literal["dropped", "disqualified", "cut"]
"""How a player has left."""


class CommandRefused(TopcutError):
    """The root of all refusals that are not a rule's."""


class NotNow(CommandRefused):
    """The event is not where this can be done."""


class DrawNotLast(CommandRefused):
    """A list of commands goes on after a draw; nothing was drawn."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "After a random draw, only publishing and starting the round can follow in the same list."
                " Give the other commands before the draw, or in another list."
            )
        )


class UnknownPlayer(CommandRefused):
    def __init__(self, text: str, like: Sequence[str] = ()) -> None:
        self.text = text
        self.like = tuple(like)
        if like:
            players = list_first(like, SHOWN)
            problem = say(
                '"{text}" fits several players: {players}. Enter the id, or more of the name.',
                text=text,
                players=players,
            )
        else:
            problem = say('No player is called "{text}". Enter an id or a name.', text=text)
        super().__init__(problem)


class NoSuchPlayer(BadInput):
    """An id that no player has."""

    def __init__(self, player: str) -> None:
        self.player = player
        super().__init__(say("no player has the id {id}", id=repr(player)))


class UnknownTable(CommandRefused):
    def __init__(self, number: int, table: int | str, numbers: Sequence[int]) -> None:
        self.round, self.table = number, table
        problem = say("Round {round} has no table {table}, only byes.", round=number, table=table)
        if isinstance(table, str):
            problem = say(
                "Round {round} has no bye of {player}. Enter the number of a table,"
                " or the id of a player who has a bye or a loss.",
                round=number,
                player=table,
            )
        elif len(numbers) == 1:
            only = numbers[0]
            problem = say(
                "Round {round} has no table {table}, only table {only}.",
                round=number,
                table=table,
                only=only,
            )
        elif numbers:
            problem = say(
                "Round {round} has no table {table}. Enter a table from {first} to {last}.",
                round=number,
                table=table,
                first=numbers[0],
                last=numbers[-1],
            )
        super().__init__(problem)


class AlreadyReported(CommandRefused):
    """A result that is there is only changed by a correction."""

    def __init__(self, number: int, table: int | str, old: str, new: str) -> None:
        self.round, self.table, self.old, self.new = number, table, old, new
        if old == new:
            problem = describe_same_result(number, table, old)
        else:
            problem = say(
                "Table {table} of round {round} is already reported: {old}."
                ' To change it to "{new}", correct it.',
                table=table,
                round=number,
                old=old,
                new=new,
            )
        super().__init__(problem)

    def ask_for_options(self) -> CommandRefused:
        """Return the refusal with the command that changes the result."""
        if self.old == self.new:
            return self
        return CommandRefused(
            say(
                "Table {table} of round {round} is already reported: {old}."
                " To correct it: `topcut correct {table} RESULT`.",
                table=self.table,
                round=self.round,
                old=self.old,
            )
        )


def describe_same_result(number: int, table: int | str, result: str) -> Message:
    """Return that a result would change nothing."""
    return say(
        "Table {table} of round {round} already has this result: {result}.",
        table=table,
        round=number,
        result=result,
    )


class NotAtTable(CommandRefused):
    """A player speaks for a table at which others sit."""

    def __init__(self, number: int, table: int, name: str, sits: int | str | None) -> None:
        self.round, self.table, self.name, self.sits = number, table, name, sits
        if sits is None:
            problem = say(
                "{name} does not sit at table {table} of round {round}.",
                name=name,
                table=table,
                round=number,
            )
        else:
            problem = say(
                "{name} does not sit at table {table} of round {round}, but at table {own}.",
                name=name,
                table=table,
                round=number,
                own=sits,
            )
        super().__init__(problem)


class AlreadyAsked(CommandRefused):
    """One question is enough."""

    def __init__(self, name: str, question: int) -> None:
        self.name, self.question = name, question
        super().__init__(
            say(
                "{name} has already asked this (question {question}). The desk will look at it.",
                name=name,
                question=question,
            )
        )


class BadResult(CommandRefused):
    """No table can end like that."""


class TieToBreak(BadResult):
    """Players are tied for the highest score at a table: the next step decides who won (AL-10)."""

    def __init__(
        self,
        table: int | str,
        players: Mapping[int, str],
        score: int,
        step: int,
        count: str,
        *,
        begun: bool = False,
        missing: Sequence[str] = (),
    ) -> None:
        """Take the players who are still tied, by seat, with their names.

        `count`: what to count in this step, from 1; empty if the rules count nothing. `begun`: whether the
        count is typed in part; `missing`: who lacks a number.
        """
        self.table, self.score, self.step = table, score, step
        self.seats, self.players = tuple(players), tuple(players.values())
        self.count, self.begun, self.missing = count, begun, tuple(missing)
        example = " ".join(["count", *(str(number) for number in range(len(players) + 1, 1, -1))])
        how = say('Add "count" and their numbers in this order, such as {example}.', example=example)
        super().__init__(self._ask(how))

    def ask_for_options(self) -> BadResult:
        """Return the question with the options of a command, which name the players."""
        options = " ".join(f'--count "{name} N"' for name in self.missing or self.players)
        return BadResult(self._ask(say("Add {options}. Replace N with the numbers.", options=options)))

    def _ask(self, how: Message) -> Message:
        tied = {"table": self.table, "players": list_and(self.players), "score": self.score}
        none = say('If nobody won, add "none".')
        if not self.count:
            problem = say("Table {table}: {players} are tied with {score}. Mark who won with a star.", **tied)
            return join_messages(" ", [problem, none])
        if self.missing:
            problem = say(
                "Table {table}: a number for {missing} is missing in this count: {count}.",
                table=self.table,
                missing=list_and(self.missing),
                count=self.count,
            )
            return join_messages(" ", [problem, how])
        if self.step == 1:
            problem = say(
                "Table {table}: {players} are tied with {score}. Count this: {count}.",
                count=self.count,
                **tied,
            )
            return join_messages(" ", [problem, how, none])
        problem = say(
            "Table {table}: {players} are still tied. Now count this: {count}.",
            table=self.table,
            players=list_and(self.players),
            count=self.count,
        )
        return join_messages(" ", [problem, how])


class NeedsReason(CommandRefused):
    """The log must say why."""


class AlreadyLeft(CommandRefused):
    def __init__(self, name: str, how: Left) -> None:
        self.name = name
        said = {
            "dropped": say("{name} has already dropped.", name=name),
            "disqualified": say("{name} is already disqualified.", name=name),
            "cut": say("{name} did not make the cut and has already left.", name=name),
        }
        super().__init__(said[how])


@dataclass(frozen=True)
class Answer:
    """One way to settle a round that is published."""

    kind: Then
    changed: tuple[int | str, ...] | None
    """Tables that would be new; None: lots decide, and it is known only when they are drawn."""
    new: int | None
    """How many tables would be new; None: all that do not play yet."""
    cost: dict[str, Any] | None
    """What the round would cost; None where it would not be legal, or where nothing is left to choose."""
    says: Message
    """What would change, and the counts before and after."""


@dataclass(frozen=True)
class Choice:
    """Ways to update a published round that a command affects; the scorekeeper must choose one."""

    round: int
    answers: tuple[Answer, ...]


class NeedsAnswer(CommandRefused):
    """A request was not done since its decision is a choice."""

    def __init__(self, choice: Choice) -> None:
        self.round, self.answers = choice.round, choice.answers
        asked = say("Round {round} is already published. How should it be updated?", round=choice.round)
        super().__init__(join_messages(" ", [asked, *map(_describe_answer, choice.answers)]))


def _describe_answer(answer: Answer) -> Message:
    """Return an answer with its name, and the word that programs and the terminal know it by."""
    match answer.kind:
        case "leave":
            return say("Keep the pairings ({key}): {says}", key="leave", says=answer.says)
        case "fewest":
            return say("Re-pair as few tables as possible ({key}): {says}", key="fewest", says=answer.says)
        case "again":
            return say("Re-pair the whole round ({key}): {says}", key="again", says=answer.says)


@dataclass(frozen=True)
class WayOut:
    """What can be done where a round cannot be paired."""

    kind: Literal["allow", "finish", "keep", "publish", "undo", "add", "drop", "draw", "options"]
    says: Message
    """What comes of it."""
    allow: tuple[Override, ...] = ()
    """What an organiser can allow in the round, with a reason."""
    players: tuple[str, ...] = ()
    """Who can be chosen to sit out."""
    change: str = ""
    """What to type after `topcut event options`."""
    on_page: bool = True
    """Whether the Event page can change this option too."""

    @property
    def command(self) -> str:
        """The command that changes the options."""
        return f"topcut event options {self.change}"


class CannotPair(Impossible):
    """The rules leave no round to pair; the refusal names what can be done."""

    def __init__(self, problem: str, rule: str, number: int, ways: Sequence[WayOut]) -> None:
        self.round, self.ways = number, tuple(ways)
        self.reason = end_sentence(problem)
        """Why the round cannot be paired."""
        super().__init__(join_messages(" ", [self.reason, *map(describe_way, ways)]), rule=rule)

    @property
    def overrides(self) -> list[WayOut]:
        """The ways out that an organiser can allow."""
        return [way for way in self.ways if way.kind == "allow"]

    @property
    def changes(self) -> list[WayOut]:
        """The ways out that are another choice of options."""
        return [way for way in self.ways if way.kind == "options"]


def describe_way(way: WayOut) -> Message:
    """Return a way out in a sentence or two."""
    if way.kind == "options" and way.on_page:
        return say(
            "Change the options (`{command}`, or the Event page): {says}", command=way.command, says=way.says
        )
    if way.kind == "options":
        return say("Change the options (`{command}`): {says}", command=way.command, says=way.says)
    if way.kind != "allow":
        return way.says
    match way.allow:
        case ("second-bye",):
            return say("An organiser can allow a second bye, with a reason: {says}", says=way.says)
        case ("rematch",):
            return say("An organiser can allow rematches, with a reason: {says}", says=way.says)
        case ("sits-out",):
            return say("An organiser can let a player sit out, with a reason: {says}", says=way.says)
    return say("An organiser can allow a second bye and rematches, with a reason: {says}", says=way.says)


def end_sentence(problem: str) -> Message:
    """Return a problem as a sentence of its own, beside others."""
    said = to_message(problem)
    return said if said.endswith((".", "?")) else say("{problem}.", problem=said)


class CannotUndo(CommandRefused):
    """What came later builds on it."""


class RecordClosed(Impossible):
    """The time to correct a record is over."""

    def __init__(self, number: int, closed_by: str, at: datetime | None, rule: str) -> None:
        self.round, self.closed_by, self.at = number, closed_by, at
        override = say("An organiser can override this with a reason.")
        super().__init__(join_messages(" ", [self._closed, override]), rule=rule)

    @property
    def _closed(self) -> Message:
        return say(
            "Round {round} can no longer be corrected: {closed_by}.",
            round=self.round,
            closed_by=self.closed_by,
        )

    def ask_for_options(self) -> Impossible:
        """Return the refusal with the options of a command that override it."""
        return Impossible(join_messages(" ", [self._closed, _ask_for_override()]), rule=self.rule)


class TooLateToRestore(NotNow):
    """A player who left could be reinstated until the next round was published."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.round = name, number
        problem = say(
            "{name} could be reinstated until round {round} was published."
            " An organiser can override this with a reason.",
            name=name,
            round=number,
        )
        super().__init__(problem)

    def ask_for_options(self) -> NotNow:
        """Return the refusal with the options of a command that override it."""
        late = say(
            "{name} could be reinstated until round {round} was published.", name=self.name, round=self.round
        )
        return NotNow(join_messages(" ", [late, _ask_for_override()]))


def _ask_for_override() -> Message:
    return say('An organiser can override this: repeat the command with `--override --reason "…"`.')


class EntryClosed(Impossible):
    """Nobody can enter any more."""
