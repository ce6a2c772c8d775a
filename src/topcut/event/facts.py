"""Define the facts of an event: what happened, each written down once and never changed.

A fact says what is so from then on, and not how it was worked out: a drawn round is its tables together with
its seed, so that nothing is drawn again when the log is read. Players are ids; who they are is kept outside
the log (`person` is the key to it), so that it can be forgotten.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

from msgspec import Struct
from msgspec.structs import replace

from topcut.event.rights import Declaration, Right
from topcut.history.model import Allowance, Round, StageName, Table
from topcut.rulebook.options import Options, PresentDraft
from topcut.text.messages import Message

About = Literal["points", "result", "drop"]
"""What a player asks the desk about: points that are wrong, a result that is wrong, a wish to leave."""

DraftActivity = Literal["drafting", "building"]
"""What players do before the first round of a draft: draft, then build their decks."""
NO_REASON = Message("")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Fact(Struct, metaclass=Declaration, frozen=True, tag_field="fact"):
    """The base of all facts."""

    right: ClassVar[Right | None] = None
    """What it takes to undo the fact."""
    after_finish: ClassVar[bool] = False
    """Whether it can happen to an event that is finished."""


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is reported of a table; the fields of a table in an event file."""

    games: tuple[int, int, int] | None = None
    winner: str | None = None
    scores: tuple[int, ...] | None = None
    winners: tuple[str, ...] | None = None
    eliminated: tuple[str, ...] | None = None
    tie_counts: tuple[dict[str, int], ...] | None = None
    win_given_to: str | None = None
    bye: bool = False
    loss: bool = False
    intentional: bool = False

    @property
    def plain(self) -> "Result":
        """The same result in the one way of writing it that all have in common.

        >>> Result(scores=(9, 9), winners=("b", "a")).plain == Result(scores=(9, 9), winners=("a", "b")).plain
        True
        """
        winners, eliminated = (tuple(sorted(ids or ())) or None for ids in (self.winners, self.eliminated))
        return replace(self, winners=winners, eliminated=eliminated, tie_counts=self.tie_counts or None)


# The event


class Created(Fact, tag="created"):
    name: str
    book: dict[str, Any]
    """The whole ruleset, frozen: later editions of it change nothing here."""
    options: Options = Options()
    commitment: str
    """The hash of the secret that the seeds of all rounds come from."""
    kept_months: int
    first_table: int = 1
    rehearsal: bool = False
    """Whether the organiser chose the secret, and so could know every draw beforehand."""


class TakenOver(Fact, tag="taken over", right="create"):
    """What happened elsewhere before the event came here, as a file has it."""

    source: str
    """What kind of file that was."""
    rounds: tuple[Round, ...] = ()
    drawn: dict[str, dict[str, int]] = {}
    """Flights, pods, seats, rank seeds, cuts, drops and disqualifications: player to number."""
    seed: str | None = None
    """Of lots outside rounds."""
    original: str | None = None
    """The key to the file itself, which is kept outside the log: it can be written back."""
    draft: PresentDraft | None = None
    """The draft that goes on."""


class OptionsChanged(Fact, tag="options changed", right="settings"):
    options: Options
    reason: Message = NO_REASON


class Announced(Fact, tag="announced", right="settings"):
    says: tuple[Message, ...]
    """What was announced, a sentence each."""


class Committed(Fact, tag="committed"):
    """A new secret, because the one before is known."""

    commitment: str


class TablesBlocked(Fact, tag="tables blocked", right="seating"):
    tables: tuple[int, ...]
    blocked: bool = True


class Finished(Fact, tag="finished", right="rounds"):
    secret: str
    """Anybody can now check every seed."""
    earlier: tuple[str, ...] = ()
    """Secrets of draws that were taken back, if they differ."""
    reason: str = ""


class Reopened(Fact, tag="reopened", right="settings", after_finish=True):
    reason: str = ""


class Purged(Fact, tag="purged", right="erase", after_finish=True):
    """Names and birth years were deleted."""

    people: int


class Forgotten(Fact, tag="forgotten", right="erase", after_finish=True):
    """All that said who a player is was deleted, as far as it was written down before this."""

    player: str
    people: int
    """How many entries."""
    reason: str = ""


# Players


class Registered(Fact, tag="registered", right="players"):
    player: str
    person: str
    division: str | None = None
    apart: tuple[str, ...] = ()
    entered: int = 1
    flight: int | None = None
    pod: int | None = None
    """Of the draft that goes on; with a seat there, if nothing of it is played."""
    seat: int | None = None
    byes: int = 0


class PlayerEdited(Fact, tag="player edited", right="players", after_finish=True):
    """What is known of a player from now on."""

    player: str
    person: str
    division: str | None = None
    apart: tuple[str, ...] = ()
    byes: int = 0


class CheckedIn(Fact, tag="checked in", right="players"):
    player: str
    here: bool = True


class Removed(Fact, tag="removed", right="players"):
    player: str


class EntryRefused(Fact, tag="entry refused", right="penalties"):
    person: str
    reason: str


class TableFixed(Fact, tag="table fixed", right="players"):
    player: str
    table: int | None = None


class SeatedAll(Fact, tag="seated all", right="rounds"):
    tables: dict[str, int]


class LotsDrawn(Fact, tag="lots drawn", right="rounds"):
    kind: Literal["flights", "pods", "seats"]
    numbers: dict[str, int]
    seed: str
    attempt: int


class Dropped(Fact, tag="dropped", right="drop"):
    player: str
    round: int
    """The last round they took part in."""


class Disqualified(Fact, tag="disqualified", right="penalties"):
    player: str
    round: int
    reason: str = ""


class Restored(Fact, tag="restored", right="drop"):
    player: str
    lost: tuple[int, ...] = ()
    """Rounds that were played without them."""
    reason: str = ""


class Asked(Fact, tag="asked", right="answer"):
    """A player wants the desk to look at something."""

    question: int
    """Its number, which no other question ever has."""
    player: str
    about: About
    round: int | None = None
    """Of the result."""


class Answered(Fact, tag="answered", right="answer"):
    """The desk has dealt with a question."""

    question: int
    player: str
    """Who asked."""


# Rounds


class StageBegan(Fact, tag="stage began", right="rounds"):
    stage: str
    players: int
    left_out: int


class Paired(Fact, tag="paired", right="rounds"):
    round: int
    stage: StageName = "swiss"
    seed: str
    attempt: int
    tables: tuple[Table, ...]
    drawn: dict[str, dict[str, int]] = {}
    """Flights, pods, seats, rank seeds: player to number; `cut`: player to the last round before it."""
    warnings: tuple[Message, ...] = ()
    kept: int = 0
    """How many tables were playing already and stayed; the others were drawn."""
    allowed: Allowance | None = None
    """What the organiser allowed against the rules, which left no pairing."""
    draft: int | None = None
    """The number of the draft that it is a round of."""


class RoundRepaired(Fact, tag="round repaired", right="rounds"):
    """A paired round got new tables, as few as possible."""

    round: int
    tables: tuple[Table, ...]
    changed: tuple[int | str, ...]
    """Numbers of tables, and players with a bye, that are new."""
    drawn: dict[str, dict[str, int]] = {}
    allowed: Allowance | None = None
    """What the organiser allowed in the round, if the new tables still need it."""


class RoundEdited(Fact, tag="round edited", right="seating"):
    round: int
    tables: tuple[Table, ...]
    changed: tuple[int | str, ...]
    reason: str


class DraftBegan(Fact, tag="draft began", right="rounds"):
    """Players were divided into pods, by the standings; the next rounds are played inside them."""

    draft: int
    """Its number."""
    round: int
    """The round that comes next."""
    rounds: int | None = None
    """How many rounds are planned; None: until it is ended."""
    pods: dict[str, int]
    seats: dict[str, int]
    """Where they sit in their pod, from 1."""
    seed: str
    attempt: int


class DraftEnded(Fact, tag="draft ended", right="rounds"):
    draft: int


class DraftClockStarted(Fact, tag="draft clock started", right="rounds"):
    """Players draft, or build their decks, for some minutes."""

    draft: int
    activity: DraftActivity
    minutes: int


class DraftClockPaused(Fact, tag="draft clock paused", right="rounds"):
    draft: int
    paused: bool = True
    """Whether it stands still from now on, or goes on."""


class Published(Fact, tag="published", right="rounds"):
    round: int
    reminder: Message = NO_REASON
    """What players are told about their records (PK-61)."""


class Started(Fact, tag="started", right="rounds"):
    round: int
    minutes: int | None = None


class TablesBegun(Fact, tag="tables begun", right="enter"):
    """Tables began before their round was started."""

    round: int
    tables: tuple[int, ...]
    players: tuple[tuple[str, ...], ...]
    """Who sits at each of them."""


class ClockSet(Fact, tag="clock set", right="rounds"):
    """The minutes that are left, counted from now."""

    round: int
    minutes: int


class Paused(Fact, tag="paused", right="rounds"):
    round: int


class Resumed(Fact, tag="resumed", right="rounds"):
    round: int


class Extended(Fact, tag="extended", right="time"):
    round: int
    minutes: int
    table: int | None = None
    """None: the whole round."""
    reason: str = ""


class Reported(Fact, tag="reported", right="enter"):
    round: int
    table: int
    players: tuple[str, ...]
    """Who sits there: a result is theirs, whatever number the table gets."""
    result: Result


class Claimed(Fact, tag="claimed", right="enter"):
    """How a table ended, as one of its players says; it is reported once all of them say the same."""

    round: int
    table: int
    players: tuple[str, ...]
    """Who sits there, as in a report."""
    player: str
    result: Result


class Confirmed(Fact, tag="confirmed", right="enter"):
    round: int
    tables: tuple[int, ...]
    players: tuple[tuple[str, ...], ...]


class Corrected(Fact, tag="corrected", right="change"):
    round: int
    table: int | str
    """A number, or the player of a table without one."""
    players: tuple[str, ...]
    result: Result | None
    """None: it is not reported any more."""
    reason: str = ""
    override: bool = False
    """Whether the record was closed already."""


class Ended(Fact, tag="ended", right="rounds"):
    round: int
    reminder: Message = NO_REASON
    """What players are told about their records (PK-61)."""


# The log itself


class Undone(Fact, tag="undone"):
    """The facts of these steps do not count any more."""

    steps: tuple[int, ...]
    reason: str = ""


class Redone(Fact, tag="redone"):
    """The facts of undone steps count again, at their old positions."""

    steps: tuple[int, ...]


FACTS = tuple(Fact.__subclasses__())
if TYPE_CHECKING:
    AnyFact = Fact
else:  # what a line of the log is decoded into
    AnyFact = reduce(or_, FACTS)
