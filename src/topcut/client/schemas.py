"""Declare every JSON document that the API answers with; server and clients share these classes.

A field that the reader may not see is left out and reads as its default. The API's description
(`api/openapi.py`) publishes the names of classes and fields, and the sentences below fields.
"""

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from topcut.event.facts import About, Result

Phase = Literal["draft", "published", "started", "ended"]


class Schema(Struct, frozen=True, kw_only=True):
    """The base of all documents."""


# The service: who asks, rulesets, links, webhooks, problems


class You(Schema, frozen=True, kw_only=True):
    """The person or program that asks."""

    name: str
    role: str
    rights: list[str]
    event: str | None = None
    """The only event you reach; null: several."""


class Service(Schema, frozen=True, kw_only=True):
    topcut: str
    """The version of the program."""
    api: int
    """The version of the API."""
    you: You


class Ruleset(Schema, frozen=True, kw_only=True):
    id: str
    title: str
    edition: str
    status: str
    """`official`: as published; `house`: somebody's own; `reconstructed`: as another program does it."""


class Rulesets(Schema, frozen=True, kw_only=True):
    items: list[Ruleset]


class RulesetInFull(Ruleset, frozen=True, kw_only=True):
    """A ruleset with every parameter, and the section of the published rules it comes from."""

    parameters: list[dict[str, Any]]


class Link(Schema, frozen=True, kw_only=True):
    """A link for a person, or a token for a program."""

    id: str
    name: str
    role: str
    rights: list[str]
    event: str | None
    token: bool
    made: datetime
    by: str
    until: datetime | None


class Links(Schema, frozen=True, kw_only=True):
    items: list[Link]


class NewKey(Schema, frozen=True, kw_only=True):
    """A link or token that was made; the key is shown once."""

    link: Link
    key: str
    address: str | None
    """Where a browser comes in with it; null for a token."""


class Webhook(Schema, frozen=True, kw_only=True):
    """An address that is told every fact of an event."""

    id: str
    url: str
    made: datetime
    by: str
    position: int
    """The last fact that it has taken."""
    tries: int
    """How often the next facts were sent in vain."""
    failing_since: datetime | None
    last_error: str
    stopped: bool
    """Whether it was given up; a replay starts it again."""


class Webhooks(Schema, frozen=True, kw_only=True):
    items: list[Webhook]


class NewWebhook(Schema, frozen=True, kw_only=True):
    webhook: Webhook
    secret: str
    """What deliveries are signed with; it is shown once."""


class Delivered(Schema, frozen=True, kw_only=True):
    """How an address answered a delivery."""

    status: int | None
    """What the address answered; null if it did not."""
    problem: str
    """Empty: the delivery was taken."""


class Address(Schema, frozen=True, kw_only=True):
    address: str


class ProblemKind(Schema, frozen=True, kw_only=True):
    """A kind of problem, by its `type`."""

    type: str
    status: int
    title: str


class ProblemKinds(Schema, frozen=True, kw_only=True):
    items: list[ProblemKind]


class Problem(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457); the data of some kinds stands beside these."""

    type: str
    """Stays the same for good; it is an address that says what it is."""
    title: str
    status: int
    detail: str = ""


# An event: players, rounds, standings, brackets


class Listed(Schema, frozen=True, kw_only=True):
    """An event in a list."""

    id: str
    version: int
    """The position of its last fact: another one, and something is different."""
    name: str
    rules: str
    players: int
    round: int
    """The last round that everybody may see; 0: none."""
    finished: bool
    yours: bool
    """Whether you are at its desk."""


class Events(Schema, frozen=True, kw_only=True):
    items: list[Listed]
    next: str | None
    """The cursor of what follows; null at the end."""


class Clock(Schema, frozen=True, kw_only=True):
    ends: datetime | None
    """Null while it stands still, and where there is no time."""
    paused: bool
    left: float | None
    """Seconds, while it stands still."""
    last_ends: datetime | None
    """When the last table that still plays is out of time."""


class Event(Schema, frozen=True, kw_only=True):
    """An event as it stands."""

    id: str
    version: int
    """The position of its last fact; also in the ETag."""
    name: str
    rules: str
    """The id of its ruleset."""
    rules_title: str
    options: dict[str, Any]
    """Those that were chosen; the others are as the rules say."""
    players: int
    """How many are on the list."""
    active: int
    """How many of them have not left."""
    round: int
    """The last round that you may see; 0: none."""
    phase: Phase | None
    """How far that round is."""
    clock: Clock | None
    announced: list[str]
    """What was announced before the first round, in sentences."""
    commitment: str
    """The SHA-256 of the secret that draws come from."""
    created: datetime
    finished: datetime | None
    purged: bool
    """Whether the names are deleted."""
    blocked: list[int]
    """Tables that stay empty."""


class Player(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """A player; what is not known, or not for you, is left out."""

    id: str
    name: str
    """What everybody sees: the display name, if they have one."""
    division: str | None = None
    entered: int = 1
    """The first round they play in."""
    dropped: int | None = None
    """The last round they took part in before they left; 0: none."""
    cut: int | None = None
    """The same for those who did not make the cut."""
    disqualified: int | None = None
    """The same for those who were disqualified."""
    flight: int | None = None
    pod: int | None = None
    seat: int | None = None
    here: bool | None = None
    """Whether they checked in. For staff."""
    fixed: int | None = None
    """The table at which they always sit. For staff."""
    apart: tuple[str, ...] = ()
    """Whom they should not meet early. For staff."""
    legal_name: str | None = None
    """What they sign in with. This and the next two take the right `people`."""
    member: str | None = None
    born: int | None = None


class Players(Schema, frozen=True, kw_only=True):
    items: list[Player]
    next: str | None


class Seat(Schema, frozen=True, kw_only=True):
    id: str
    name: str


class PlayerClaim(Schema, frozen=True, kw_only=True):
    """What a player says how their table ended."""

    player: str
    result: Result


class Table(Schema, frozen=True, kw_only=True, omit_defaults=True):
    table: int | str | None
    """Its number; null for a player without an opponent."""
    players: list[Seat]
    reported: bool
    result: Result | None = None
    says: str = ""
    """The result in words."""
    alone: Literal["", "bye", "loss"] = ""
    """What a player without an opponent has."""
    new: bool = False
    """Whether it changed after the round was published."""
    extra: int = 0
    """Minutes more."""
    why: tuple[str, ...] = ()
    """Why these players meet."""
    confirmed: bool = False
    """Whether the result was looked at twice. This and the next two are for staff."""
    disputed: bool = False
    """Whether players claim different things."""
    claims: tuple[PlayerClaim, ...] = ()


class Notable(Schema, frozen=True, kw_only=True):
    """Something to look at before a round is published."""

    kind: str
    says: str
    table: int | str | None = None


class Round(Schema, frozen=True, kw_only=True):
    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    seed: str
    attempt: int
    """How often it was drawn."""
    published: datetime | None
    clock: Clock | None
    tables: list[Table]
    missing: list[int | str | None]
    """Tables that are not reported."""
    preview: list[Notable]
    """What to look at before it is published. For staff."""


class RoundListed(Schema, frozen=True, kw_only=True):
    """A round in a list."""

    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    tables: int
    """Tables of two or more players."""
    reported: int
    """How many of them have a result."""


class Rounds(Schema, frozen=True, kw_only=True):
    items: list[RoundListed]


class Record(Schema, frozen=True, kw_only=True):
    wins: int
    losses: int
    draws: int
    byes: int


class Tiebreak(Schema, frozen=True, kw_only=True):
    key: str
    label: str
    value: str | None
    """Exact: a whole number or a fraction such as 5/9."""
    shown: str
    """As people read it."""


class Standing(Schema, frozen=True, kw_only=True, omit_defaults=True):
    rank: int
    id: str
    name: str
    points: int | str
    """A fraction as text where the rules have such points."""
    dropped: bool
    record: Record
    tiebreaks: list[Tiebreak]
    decided_by: str | None
    """The key that puts them above the next; null for a shared rank and at the end."""
    disqualified: bool = False
    division: str | None = None
    division_rank: int | None = None
    flight: int | None = None
    flight_rank: int | None = None


class Standings(Schema, frozen=True, kw_only=True):
    rules: str
    after: int
    """How many rounds count."""
    seed: str
    standings: list[Standing]


class Explained(Schema, frozen=True, kw_only=True):
    """The working of a player's tiebreaks."""

    id: str
    name: str
    after: int
    lines: list[str]


class Brackets(Schema, frozen=True, kw_only=True):
    """The brackets, each as `topcut bracket --json` writes it; none while there is none."""

    brackets: list[dict[str, Any]]


# What happens in an event


class Change(Schema, frozen=True, kw_only=True):
    """A change that everybody may see."""

    position: int
    at: datetime
    kind: Literal["round", "tables", "result", "player", "event"]
    round: int | None
    says: str


class Changes(Schema, frozen=True, kw_only=True):
    items: list[Change]
    next: str | None


class Fact(Schema, frozen=True, kw_only=True):
    """A fact of the log, and what it says."""

    position: int
    step: int
    """What it is taken back with."""
    at: datetime
    by: str
    """Who did it."""
    via: str
    """From where: the desk, a phone, the command line, the API."""
    says: str
    undone: bool
    """Whether it was taken back since."""
    fact: dict[str, Any]
    """As the log has it."""


class Log(Schema, frozen=True, kw_only=True):
    items: list[Fact]
    next: str | None


class Promise(Schema, frozen=True, kw_only=True):
    """What draws come from, promised before anything is drawn."""

    commitment: str
    """The SHA-256 of the secret."""
    at: datetime
    secrets: list[str]
    """The secret, once it is revealed."""
    rehearsal: bool


class Draw(Schema, frozen=True, kw_only=True):
    what: str
    seed: str
    attempt: int
    note: str
    """Whether it stands as it was drawn."""


class Override(Schema, frozen=True, kw_only=True):
    """A record that was changed after it was closed."""

    round: int
    table: int | str
    reason: str
    at: datetime


class Draws(Schema, frozen=True, kw_only=True):
    promises: list[Promise]
    draws: list[Draw]
    overrides: list[Override]


class Question(Schema, frozen=True, kw_only=True):
    """Something that a player wants the desk to look at."""

    number: int
    """What the command `answer` takes."""
    player: str
    name: str
    about: About
    round: int | None
    at: datetime
    says: str


class Questions(Schema, frozen=True, kw_only=True):
    items: list[Question]


class Message(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """What a stream says: everything after the version before, up to this one."""

    version: int
    """What to come back with as `since`."""
    changed: list[str]
    """What to fetch again, by the last part of its address; `event` is the event itself. One of event,
    players, rounds, standings, bracket, draws, questions; others may come."""
    changes: list[Change]
    """What everybody is told."""
    facts: list[Fact] | None = None
    """For staff: every fact."""


# What an action led to, or would lead to


class NewFact(Schema, frozen=True, kw_only=True):
    """A fact that a command led to, such as a new player with the id."""

    position: int
    fact: dict[str, Any]


class Told(Schema, frozen=True, kw_only=True):
    """What to tell the person who acted."""

    version: int
    says: list[str]
    """What people must be told."""
    warnings: list[str]


class Done(Told, frozen=True, kw_only=True):
    """The facts that commands led to."""

    facts: list[NewFact]


class Entered(Told, frozen=True, kw_only=True):
    """A line of the entry bar that was entered."""

    done: str
    """What it meant."""


class Made(Schema, frozen=True, kw_only=True):
    """An event that was made."""

    id: str
    address: str
    """Its page in the hall."""
    desk: str
    """Its page at the desk."""


class Meant(Schema, frozen=True, kw_only=True):
    """What a line of the entry bar means."""

    kind: str
    """`wrong` if it means nothing."""
    says: str
    old: str
    """The result that is there already."""
    whole: bool
    """Whether it could count as it stands."""
    saw: str = ""
    """What to send along when it counts."""


class LookedBack(Schema, frozen=True, kw_only=True):
    """What would change if a step were taken back, or counted again."""

    steps: list[int]
    says: str
    changes: list[str]


class Pasted(Schema, frozen=True, kw_only=True):
    """Who is on a list."""

    players: list[dict[str, Any]]
    problems: list[str]
    """Lines that look wrong."""
    columns: list[dict[str, Any]]
    """What each column is taken for, with its first rows."""
    notes: list[str]
    """How the list was understood, where that may be news."""
