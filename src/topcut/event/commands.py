"""Define the commands: what people ask for. `decide` turns a command into facts, or refuses it.

A new command is a class here, with its right; its facts are in `facts.py`. `decide/`, `apply/` and
`describe/log_sentences.py` say what each of them does.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

from msgspec import Struct

from topcut.event.facts import About, DraftActivity, Result
from topcut.event.rights import Declaration, Right
from topcut.history.model import Override, Player, Round
from topcut.rulebook.options import Options
from topcut.text.messages import Message

Then = Literal["leave", "fewest", "again"]
"""How to update a round that is published and has not begun, when something touches it: keep the pairings,
re-pair as few tables as possible, or re-pair the whole round."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Command(Struct, metaclass=Declaration, frozen=True, tag_field="do"):
    """The base of all commands."""

    right: ClassVar[Right]
    """What it takes to give the command; `needed_rights` adds what it takes where it goes further."""
    after_finish: ClassVar[bool] = False
    """Whether it can be given to an event that is finished."""


# The event


class Create(Command, tag="create"):
    name: str
    book: dict[str, Any]
    options: Options = Options()
    kept_months: int | None = None
    """How long names are kept after the event; the rules' own time, or three months, if not given."""
    first_table: int = 1
    rehearsal: str | None = None
    """The secret of the draws, for an event that only rehearses: the same text gives the same draws."""


class TakeOver(Command, tag="take over"):
    """Make an event out of what a file says: its players, and what they have played elsewhere so far."""

    name: str
    book: dict[str, Any]
    options: Options = Options()
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    seed: str | None = None
    source: str = "event file"
    original: str | None = None
    """The text of the file, where it is to be written back one day."""
    kept_months: int | None = None
    warnings: tuple[Message, ...] = ()
    """What the file says and nobody could enter here, a line each."""


class ChangeOptions(Command, tag="change options", right="settings"):
    options: Options
    reason: str = ""


class OneRoundFewer(Command, tag="one round fewer", right="settings"):
    reason: str = ""


class Announce(Command, tag="announce", right="settings"):
    prizes: str = ""
    details: tuple[str, ...] = ()


class BlockTables(Command, tag="block tables", right="seating"):
    tables: tuple[int, ...]
    blocked: bool = True


class Finish(Command, tag="finish", right="rounds"):
    reason: str = ""
    """Needed where the event is not played to its end."""


class Reopen(Command, tag="reopen", right="settings", after_finish=True):
    reason: str = ""


class Purge(Command, tag="purge", right="erase", after_finish=True):
    """Delete names, membership numbers and birth years."""


class Forget(Command, tag="forget", right="erase", after_finish=True):
    """Delete who one player is, for good; what they played stays."""

    player: str
    reason: str = ""


# Players


class Register(Command, tag="register", right="players"):
    name: str
    display: str | None = None
    """What everybody sees in the place of the name."""
    id: str | None = None
    member: str | None = None
    born: int | None = None
    division: str | None = None
    apart: tuple[str, ...] = ()
    byes: int | None = None
    """Awarded byes: rounds won before the event began."""
    then: Then | None = None


class EditPlayer(Command, tag="edit player", right="players", after_finish=True):
    """What is not given stays; empty text takes a value away."""

    player: str
    name: str | None = None
    display: str | None = None
    member: str | None = None
    born: int | None = None
    division: str | None = None
    apart: tuple[str, ...] | None = None
    byes: int | None = None


class CheckIn(Command, tag="check in", right="players"):
    players: tuple[str, ...] = ()
    """None given: everybody."""
    here: bool = True


class Remove(Command, tag="remove", right="players"):
    player: str
    then: Then | None = None


class RefuseEntry(Command, tag="refuse entry", right="penalties"):
    name: str
    reason: str


class FixTable(Command, tag="fix table", right="players"):
    player: str
    table: int | None = None


class SeatAll(Command, tag="seat all", right="rounds"):
    """Seat everybody who is here by name, before the first round."""


class DrawLots(Command, tag="draw lots", right="rounds"):
    kind: Literal["flights", "pods", "seats"]


class Drop(Command, tag="drop", right="drop"):
    player: str
    then: Then | None = None


class Disqualify(Command, tag="disqualify", right="penalties"):
    player: str
    reason: str
    then: Then | None = None


class Restore(Command, tag="restore", right="drop"):
    """Take a drop back."""

    player: str
    reason: str = ""
    override: bool = False
    then: Then | None = None


class Ask(Command, tag="ask", right="ask", after_finish=True):
    """A player wants the desk to look at something. There is no text: the log is for good."""

    player: str
    about: About
    round: int | None = None
    """Of the result; nothing else has one."""


class AnswerQuestion(Command, tag="answer", right="answer"):
    """The desk has dealt with a question."""

    question: int


# Drafts


class BeginDraft(Command, tag="begin draft", right="rounds"):
    """Divide all players into pods; the next rounds are played inside them."""

    rounds: int | None = None
    """How many; None: until the draft is ended."""


class EndDraft(Command, tag="end draft", right="rounds"):
    """Pair the next round among all players again."""


class StartDraftClock(Command, tag="start draft clock", right="rounds"):
    """Give players time to draft, or to build their decks."""

    activity: DraftActivity
    minutes: int | None = None
    """None: as many as the last time."""


# Rounds


class Pair(Command, tag="pair", right="rounds"):
    again: bool = False
    """Draw a round anew that is paired and has not begun."""
    allow: tuple[Override, ...] = ()
    """What the organiser allows, where the rules leave no pairing; needs a reason."""
    reason: str = ""
    sits_out: str | None = None
    """Who sits out, where that is allowed; the player who would get a bye, if not given."""


class Swap(Command, tag="swap", right="seating"):
    """Two players change places."""

    first: str
    second: str
    reason: str


class EditTables(Command, tag="edit tables", right="seating"):
    """The tables of the round, as the scorekeeper wants them."""

    tables: tuple[tuple[str, ...], ...]
    reason: str


class Publish(Command, tag="publish", right="rounds"):
    """Show everybody the round that is paired."""


class Start(Command, tag="start", right="rounds"):
    minutes: int | None = None
    """0: no clock. None: what the rules say, else as long as the round before."""


class BeginTables(Command, tag="begin tables", right="enter"):
    tables: tuple[int, ...]


class SetClock(Command, tag="set clock", right="rounds"):
    """Say how many minutes are left from now; the round may have begun without a clock."""

    minutes: int


class Pause(Command, tag="pause", right="rounds"):
    """Stop the clock of the round, or that of a draft before its first round."""


class Resume(Command, tag="resume", right="rounds"):
    """Let that clock go on."""


class Extend(Command, tag="extend", right="time"):
    minutes: int
    table: int | None = None
    reason: str = ""


class Report(Command, tag="report", right="enter"):
    table: int
    result: Result
    round: int | None = None
    players: tuple[str, ...] | None = None
    """Who was seen at the table; refused where others sit there by now."""


class Claim(Command, tag="claim", right="speak"):
    """A player says how their table ended; it is reported once all who sit there say the same."""

    player: str
    table: int
    result: Result
    round: int | None = None
    players: tuple[str, ...] | None = None
    """Who was seen at the table, as in a report."""


class Confirm(Command, tag="confirm", right="enter"):
    tables: tuple[int, ...]
    round: int | None = None


class Correct(Command, tag="correct", right="change"):
    table: int | str
    result: Result | None
    round: int | None = None
    players: tuple[str, ...] | None = None
    reason: str = ""
    override: bool = False
    then: Then | None = None


class End(Command, tag="end", right="rounds"):
    """End the round: all its tables are reported."""


# The log


class Undo(Command, tag="undo", right="desk", after_finish=True):
    step: int | None = None
    """None: the last one."""
    count: int = 1
    """How many of the last steps."""
    reason: str = ""


class Redo(Command, tag="redo", right="desk", after_finish=True):
    step: int | None = None


COMMANDS = tuple(kind for kind in Command.__subclasses__() if kind not in (Create, TakeOver))
"""Every command to an event that is there; the other two make one."""
if TYPE_CHECKING:
    AnyCommand = Command
else:  # what JSON is decoded into
    AnyCommand = reduce(or_, COMMANDS)
