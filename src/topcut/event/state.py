"""Hold the state of an event: what all its facts so far add up to.

Nothing in a state changes; a fact gives a new one (`apply_logged`). A dictionary in it is never written to.
"""

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct

from topcut.event.facts import About, Announced, DraftActivity, Result
from topcut.event.refusals import NoSuchPlayer, NotNow, UnknownTable
from topcut.history.model import Allowance, Player, Round, StagedRound, StageName, Table
from topcut.rulebook.model import Book
from topcut.rulebook.options import Options, find_round_minutes
from topcut.text.messages import Message, say

Phase = Literal["draft", "published", "started", "ended"]


class ListedPlayer(Struct, frozen=True, kw_only=True):
    """A player of the event, and what the desk knows of them."""

    player: Player
    """With the name that everybody may see."""
    person: str
    legal: str = ""
    """The name they sign in with, which is for staff; the same where they have no display name."""
    here: bool | None = None
    """Whether they checked in; None: nobody asked."""
    fixed: int | None = None
    """The table at which they always sit."""
    seat: int | None = None
    """The table at which all were seated before the first round."""

    @property
    def display(self) -> str | None:
        """What everybody sees in the place of the name."""
        return self.player.name if self.player.name != self.legal else None

    @property
    def for_staff(self) -> str:
        """Both names, for those who may know them: "Zed (Ada Okafor)"."""
        shown = self.player.shown_name
        return shown if self.display is None else f"{shown} ({self.legal})"


class RoundClock(Struct, frozen=True, kw_only=True):
    minutes: int | None = None
    started: datetime
    paused: datetime | None = None
    stopped: float = 0.0
    """Seconds for which it stood still, without the present pause."""
    extensions: dict[int | None, int] = {}
    """Table (None: all) to minutes."""

    def seconds_left(self, now: datetime, table: int | None = None) -> float | None:
        """Return the seconds left, with extensions; below 0 once time is over, None without a limit."""
        if self.minutes is None:
            return None
        extra = sum(self.extensions.get(at, 0) for at in {None, table})
        until = min(now, self.paused) if self.paused else now
        played = max(0.0, seconds_between(self.started, until) - self.stopped)
        return (self.minutes + extra) * 60 - played

    def seconds_to_last_end(self, now: datetime, tables: list[int]) -> float | None:
        """Return the seconds until the last of these tables is out of time: when the round may end."""
        ends = [self.seconds_left(now, table) for table in tables] or [self.seconds_left(now)]
        return max((end for end in ends if end is not None), default=None)


class RoundState(StagedRound, Struct, frozen=True, kw_only=True):
    """A round, from the draft to the last correction."""

    number: int
    stage: StageName
    seed: str
    """Empty where it is not known."""
    attempt: int
    """0 for a round that was played elsewhere."""
    lots: str | None = None
    """The seed of lots outside rounds, where that is another."""
    format: str | None = None
    tables: tuple[Table, ...]
    """By their numbers; players without an opponent last."""
    phase: Phase = "draft"
    drawn: dict[str, dict[str, int]] = {}
    as_drawn: bool = True
    """Whether the tables are those that the seed draws."""
    edited: tuple[str, ...] = ()
    """Reasons of changes by hand."""
    paired: datetime
    published: datetime | None = None
    renewed: datetime | None = None
    """When tables changed after they were published; what hangs on the wall is older."""
    clock: RoundClock | None = None
    begun: frozenset[int] = frozenset()
    confirmed: frozenset[int] = frozenset()
    changed: frozenset[int | str] = frozenset()
    """Tables that are not the ones first published: they need new slips."""
    warnings: tuple[Message, ...] = ()
    allowed: Allowance | None = None
    """What the organiser allowed in it against the rules."""
    allowed_by: str = ""
    claims: dict[int, dict[str, Result]] = {}
    """What players say of tables that are not reported: table to player to result."""

    @property
    def taken(self) -> bool:
        """Whether it was played elsewhere, before the event came here."""
        return self.attempt == 0

    @property
    def unseen(self) -> bool:
        """Whether it is a draft as it was drawn, which nobody has changed or published."""
        return self.phase == "draft" and self.as_drawn

    def index_of(self, table: int | str) -> int | None:
        """Return the index of a table, by its number or by a player without an opponent."""
        if isinstance(table, str):
            found = (i for i, t in enumerate(self.tables) if t.table is None and table in t.players)
            return next(found, None)
        guess = table - 1  # right wherever no table is blocked or fixed
        if 0 <= guess < len(self.tables) and self.tables[guess].table == table:
            return guess
        at = bisect_left(self.tables, table, key=_number)
        return at if at < len(self.tables) and self.tables[at].table == table else None

    def get_table(self, table: int | str) -> Table:
        """Return a table by its number or by a player without an opponent; refuse where there is none."""
        at = self.index_of(table)
        if at is None:
            numbers = [t.table for t in self.tables if isinstance(t.table, int)]
            raise UnknownTable(self.number, table, numbers)
        return self.tables[at]

    def table_of(self, player: str) -> Table | None:
        return next((table for table in self.tables if player in table.players), None)

    @property
    def missing(self) -> list[Table]:
        """The tables that are not reported yet."""
        return [table for table in self.tables if not table.reported]

    @property
    def claimed(self) -> list[int]:
        """The tables that are not reported, and that some player has made a claim about."""
        return sorted(self.claims)

    @property
    def disputed(self) -> list[int]:
        """The tables about which claims differ."""
        plain = {table: [result.plain for result in said.values()] for table, said in self.claims.items()}
        return [table for table in self.claimed if any(one != plain[table][0] for one in plain[table])]

    @property
    def fixed(self) -> list[Table]:
        """Tables that play or have played, and that nothing may change any more."""
        if self.phase in ("started", "ended"):
            return list(self.tables)
        return [t for t in self.tables if t.table is not None and (t.reported or t.table in self.begun)]


def _number(table: Table) -> int:
    return table.table if isinstance(table.table, int) else 2**62


def sort_tables(tables: list[Table]) -> tuple[Table, ...]:
    """Return the tables by their numbers, then those without one in the order they came."""
    return tuple(sorted(tables, key=_number))


class RecordOverride(Struct, frozen=True, kw_only=True):
    """A change of a record that was closed; everybody can see it."""

    round: int
    table: int | str
    reason: str
    by: str
    at: datetime


class OpenQuestion(Struct, frozen=True, kw_only=True):
    number: int
    player: str
    about: About
    round: int | None = None
    at: datetime


class Draft(Struct, frozen=True, kw_only=True):
    """A part of the event that is played in pods, between rounds that all players play together."""

    number: int
    first: int
    """Its first round."""
    last: int | None = None
    """Its last round; None while it goes on."""
    rounds: int | None = None
    """How many are planned."""
    format: str
    """What its rounds have as their format."""
    pods: dict[str, int]
    """Player to pod; while it goes on, players have theirs themselves."""
    clock: RoundClock | None = None
    activity: DraftActivity = "drafting"
    """What the clock is for."""


class State(Struct, frozen=True, kw_only=True):
    """An event after some fact."""

    name: str
    book: Book
    options: Options
    commitment: str
    """Of the secret in use. This, and what is said so below, counts all facts, undone or not."""
    kept_months: int
    first_table: int = 1
    players: dict[str, ListedPlayer] = {}
    rounds: tuple[RoundState, ...] = ()
    drafts: tuple[Draft, ...] = ()
    """In their order; only the last can still go on."""
    draft_minutes: dict[str, int] = {}
    """How long players drafted and built decks the last time: a `DraftActivity` to minutes."""
    blocked: frozenset[int] = frozenset()
    announced: Announced | None = None
    stages: tuple[str, ...] = ()
    """Names of the stages that began after the first."""
    overrides: tuple[RecordOverride, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    """Open questions, the oldest first."""
    created: datetime
    finished: datetime | None = None
    last: datetime
    """When the last fact that counts was written."""
    registered: int = 0
    """How many ids were given out, counting all facts."""
    asked: int = 0
    """The highest number of a question, by all facts."""
    revealed: frozenset[str] = frozenset()
    """Commitments whose secret is known, by all facts."""
    attempts: dict[str, int] = {}
    """How often something was drawn, by all facts: "round 3" to a number."""
    purged: bool = False
    source: str = ""
    """What kind of file the event came from."""
    original: str | None = None
    """The key to that file, if it is kept."""

    @property
    def round(self) -> RoundState | None:
        """The last round there is."""
        return self.rounds[-1] if self.rounds else None

    @property
    def upcoming(self) -> RoundState | None:
        """The round that is paired and has not begun."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].phase in ("draft", "published") else None

    @property
    def proposed_minutes(self) -> int | None:
        """How long the next round lasts if nobody says otherwise; None: it has no clock.

        The rules come first. Where they give no length, a round lasts as long as the one before it.
        """
        by_rules = find_round_minutes(self.book, self.options)
        if by_rules is not None:
            return by_rules
        clocks = [a_round.clock for a_round in self.rounds if a_round.clock is not None]
        return clocks[-1].minutes if clocks else None

    @property
    def begun(self) -> int:
        """How many rounds have been started."""
        return len(self.rounds) - (self.upcoming is not None)

    @property
    def draft(self) -> Draft | None:
        """The draft that goes on."""
        return self.drafts[-1] if self.drafts and self.drafts[-1].last is None else None

    def draft_of(self, number: int) -> Draft | None:
        """Return the draft that a round belongs to, or would if it were paired now."""
        inside = (d for d in self.drafts if d.first <= number and (d.last is None or number <= d.last))
        found = next(inside, None)
        bracket = number <= len(self.rounds) and self.rounds[number - 1].in_bracket
        return None if bracket else found

    @property
    def drafting(self) -> Draft | None:
        """The draft whose first round has not begun: players draft, or build their decks."""
        draft = self.draft
        return draft if draft is not None and self.begun < draft.first else None

    @property
    def posted(self) -> int:
        """The highest round that was published."""
        return max((r.number for r in self.rounds if r.phase != "draft"), default=0)

    @property
    def kept_until(self) -> datetime | None:
        """When names may be deleted (PK-58); None where the event is not finished, or they are gone."""
        if self.finished is None or self.purged:
            return None
        return add_months(self.finished, self.kept_months)

    def get_round(self, number: int | None) -> RoundState:
        """Return a round by its number; the last one if none is given."""
        if not self.rounds:
            raise NotNow(say("No round is paired yet."))
        if number is None:
            return self.rounds[-1]
        if not 1 <= number <= len(self.rounds):
            last = len(self.rounds)
            raise NotNow(
                say("There is no round {number}. Enter a round from 1 to {last}.", number=number, last=last)
                if last > 1
                else say("There is no round {number}, only round 1.", number=number)
            )
        return self.rounds[number - 1]

    def get_listed(self, player: str) -> ListedPlayer:
        found = self.players.get(player)
        if found is None:
            raise NoSuchPlayer(player)
        return found

    def name_of(self, player: str) -> str:
        listed = self.players.get(player)
        return listed.player.shown_name if listed else player

    def active(self) -> Iterator[ListedPlayer]:
        """Yield the players who have not left."""
        for listed in self.players.values():
            player = listed.player
            if player.dropped is None and player.cut is None and player.disqualified is None:
                yield listed

    def file_players(self) -> tuple[Player, ...]:
        """Return the players as an event file has them."""
        return tuple(listed.player for listed in self.players.values())

    def file_rounds(self, before: int | None = None) -> tuple[Round, ...]:
        """Return the rounds (before one) as an event file has them."""
        rounds = self.rounds if before is None else self.rounds[: before - 1]
        pods = {draft.first: draft.pods for draft in self.drafts}
        if self.draft is not None:
            players = (listed.player for listed in self.players.values())
            pods[self.draft.first] = {p.id: p.pod for p in players if p.pod is not None}
        return tuple(
            Round(
                tables=r.tables,
                stage=r.stage,
                seed=r.seed if r.as_drawn else None,
                format=r.format,
                allowed=r.allowed,
                pods=pods.get(r.number),
            )
            for r in rounds
        )


def seconds_between(start: datetime, end: datetime) -> float:
    return max(0.0, (end - start).total_seconds())


def add_months(moment: datetime, months: int) -> datetime:
    """Return the same day some months later, or the last day of that month.

    >>> add_months(datetime(2026, 11, 30), 3).date().isoformat()
    '2027-02-28'
    """
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)
