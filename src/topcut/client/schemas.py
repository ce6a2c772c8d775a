"""Declare every JSON document that the API answers with; server and clients share these classes.

A field that the program may not see is left out and reads as its default. The API's description
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
    """The person or program that sent the request."""

    name: str
    role: str
    rights: list[str]
    event: str | None = None
    """The only event that the link or token opens; null: several."""


class Service(Schema, frozen=True, kw_only=True):
    topcut: str
    """The version of Topcut."""
    api: int
    """The version of the API."""
    you: You


class Ruleset(Schema, frozen=True, kw_only=True):
    id: str
    title: str
    edition: str
    status: str
    """`official`: as published; `house`: an organiser's own rules; `reconstructed`: as another program."""


class Rulesets(Schema, frozen=True, kw_only=True):
    items: list[Ruleset]


class RulesetInFull(Ruleset, frozen=True, kw_only=True):
    """A ruleset with every parameter, and the section of the published rules that it comes from."""

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
    """A new link or token. The key is shown only once."""

    link: Link
    key: str
    address: str | None
    """The address that signs a browser in; null for a token."""


class Webhook(Schema, frozen=True, kw_only=True):
    """An address that receives every fact of an event."""

    id: str
    url: str
    made: datetime
    by: str
    position: int
    """The last fact that the address has accepted."""
    tries: int
    """How many attempts to deliver the next facts have failed."""
    failing_since: datetime | None
    last_error: str
    stopped: bool
    """Whether Topcut has given up. A replay starts the webhook again."""


class Webhooks(Schema, frozen=True, kw_only=True):
    items: list[Webhook]


class NewWebhook(Schema, frozen=True, kw_only=True):
    webhook: Webhook
    secret: str
    """The secret that signs deliveries. It is shown only once."""


class Delivered(Schema, frozen=True, kw_only=True):
    """The result of a delivery."""

    status: int | None
    """The status code of the answer; null if there was none."""
    problem: str
    """Why the delivery failed; empty if the address accepted it."""


class Address(Schema, frozen=True, kw_only=True):
    address: str


class ProblemKind(Schema, frozen=True, kw_only=True):
    """A type of problem."""

    type: str
    status: int
    title: str


class ProblemKinds(Schema, frozen=True, kw_only=True):
    items: list[ProblemKind]


class Problem(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457). Some types have more fields with data."""

    type: str
    """The type, which never changes. It is an address that describes the type."""
    title: str
    status: int
    detail: str = ""


# An event: players, rounds, standings, brackets


class Listed(Schema, frozen=True, kw_only=True):
    """An event in a list."""

    id: str
    version: int
    """The position of its last fact. It grows with every change."""
    name: str
    rules: str
    players: int
    round: int
    """The last published round; 0: none."""
    finished: bool
    yours: bool
    """Whether you are on its staff."""


class Events(Schema, frozen=True, kw_only=True):
    items: list[Listed]
    next: str | None
    """The cursor of the next page; null at the end."""


class Clock(Schema, frozen=True, kw_only=True):
    ends: datetime | None
    """Null while the clock is paused, and in rounds without a time limit."""
    paused: bool
    left: float | None
    """Seconds left, while the clock is paused."""
    last_ends: datetime | None
    """When the time of the last open table ends, extensions included."""


class Event(Schema, frozen=True, kw_only=True):
    """An event as it is now."""

    id: str
    version: int
    """The position of its last fact; also part of the ETag."""
    name: str
    rules: str
    """The id of its ruleset."""
    rules_title: str
    options: dict[str, Any]
    """The options that were chosen. The others follow the rules."""
    players: int
    """How many players are registered."""
    active: int
    """How many of them still play."""
    round: int
    """The last round that you may see; 0: none."""
    phase: Phase | None
    """The phase of that round."""
    clock: Clock | None
    announced: list[str]
    """The announcement before round 1, in sentences."""
    plan: list[str]
    """Rounds, cut and how divisions play, in sentences, as planned now."""
    commitment: str
    """The SHA-256 of the secret that all random draws use."""
    created: datetime
    finished: datetime | None
    purged: bool
    """Whether the names have been deleted."""
    blocked: list[int]
    """Table numbers that are not used."""


class Player(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """A player. Fields that are unknown, or that you may not see, are left out."""

    id: str
    name: str
    """The public name: the display name, if the player has one."""
    division: str | None = None
    entered: int = 1
    """The first round that the player takes part in."""
    dropped: int | None = None
    """The last round that the player took part in before dropping; 0: none."""
    cut: int | None = None
    """The same, for a player who missed the cut."""
    disqualified: int | None = None
    """The same, for a player who was disqualified."""
    byes: int = 0
    """Awarded byes: rounds that the player won before the event began."""
    flight: int | None = None
    pod: int | None = None
    seat: int | None = None
    here: bool | None = None
    """Whether the player has checked in. Only for staff."""
    fixed: int | None = None
    """The fixed table of the player. Only for staff."""
    apart: tuple[str, ...] = ()
    """“Don't pair with” labels: players who share one are kept apart. Only for staff."""
    legal_name: str | None = None
    """The name for sign-in sheets. This field and the next two need the right `people`."""
    member: str | None = None
    born: int | None = None


class Players(Schema, frozen=True, kw_only=True):
    items: list[Player]
    next: str | None


class Seat(Schema, frozen=True, kw_only=True):
    id: str
    name: str


class PlayerClaim(Schema, frozen=True, kw_only=True):
    """The result that a player reports for their table."""

    player: str
    result: Result


class Table(Schema, frozen=True, kw_only=True, omit_defaults=True):
    table: int | str | None
    """The number of the table; null for a player without an opponent."""
    players: list[Seat]
    reported: bool
    result: Result | None = None
    says: str = ""
    """The result in words."""
    alone: Literal["", "bye", "loss"] = ""
    """What a player without an opponent gets."""
    new: bool = False
    """Whether the pairing changed after the round was published."""
    extra: int = 0
    """Minutes of time extension."""
    why: tuple[str, ...] = ()
    """Why these players are paired."""
    confirmed: bool = False
    """Whether the result has been confirmed. This field and the next two are only for staff."""
    disputed: bool = False
    """Whether the players' reports do not match."""
    claims: tuple[PlayerClaim, ...] = ()


class Notable(Schema, frozen=True, kw_only=True):
    """Something to check before a round is published."""

    kind: str
    says: str
    table: int | str | None = None


class Round(Schema, frozen=True, kw_only=True):
    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    seed: str
    attempt: int
    """How many times the round has been paired."""
    published: datetime | None
    clock: Clock | None
    tables: list[Table]
    missing: list[int | str | None]
    """Tables without a result."""
    preview: list[Notable]
    """What to check before the round is published. Only for staff."""


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
    """The exact value: a whole number, or a fraction such as 5/9."""
    shown: str
    """The value as people read it."""


class Standing(Schema, frozen=True, kw_only=True, omit_defaults=True):
    rank: int
    id: str
    name: str
    points: int | str
    """A number, or a fraction as text where the rules have such points."""
    dropped: bool
    record: Record
    tiebreaks: list[Tiebreak]
    decided_by: str | None
    """The key that decides against the next player; null for a shared rank and for the last player."""
    disqualified: bool = False
    division: str | None = None
    division_rank: int | None = None
    flight: int | None = None
    flight_rank: int | None = None


class Standings(Schema, frozen=True, kw_only=True):
    rules: str
    after: int
    """After which round."""
    seed: str
    standings: list[Standing]


class Explained(Schema, frozen=True, kw_only=True):
    """How each tiebreaker of a player is computed."""

    id: str
    name: str
    after: int
    lines: list[str]


class Brackets(Schema, frozen=True, kw_only=True):
    """The brackets, each as `topcut bracket --json` writes it; empty before the top cut."""

    brackets: list[dict[str, Any]]


# What happens in an event


class Change(Schema, frozen=True, kw_only=True):
    """A public change."""

    position: int
    at: datetime
    kind: Literal["round", "tables", "result", "player", "event"]
    round: int | None
    says: str


class Changes(Schema, frozen=True, kw_only=True):
    items: list[Change]
    next: str | None


class Fact(Schema, frozen=True, kw_only=True):
    """A fact of the log, with a sentence that describes it."""

    position: int
    step: int
    """The step that it belongs to; an undo takes this number."""
    at: datetime
    by: str
    """Who did it."""
    via: str
    """Where it was done: the desk, a phone, the command line or the API."""
    says: str
    undone: bool
    """Whether it has been undone."""
    fact: dict[str, Any]
    """The fact itself, with its texts in the language of the answer."""


class Log(Schema, frozen=True, kw_only=True):
    items: list[Fact]
    next: str | None


class Promise(Schema, frozen=True, kw_only=True):
    """The commitment to the secret of the random draws, made before the first draw."""

    commitment: str
    """The SHA-256 of the secret."""
    at: datetime
    secrets: list[str]
    """The secrets, once they are revealed."""
    rehearsal: bool


class Draw(Schema, frozen=True, kw_only=True):
    what: str
    seed: str
    attempt: int
    note: str
    """Such as whether it was changed by hand."""


class Override(Schema, frozen=True, kw_only=True):
    """A result that was changed after the time for corrections was over."""

    round: int
    table: int | str
    reason: str
    at: datetime


class AllowedRound(Schema, frozen=True, kw_only=True):
    """A round that the rules left no pairing for, and what the organiser allowed in it."""

    round: int
    what: list[Literal["second-bye", "rematch", "sits-out"]]
    reason: str
    sits_out: str | None
    """The id of the player whom the organiser chose to sit out."""
    says: str


class Draws(Schema, frozen=True, kw_only=True):
    promises: list[Promise]
    draws: list[Draw]
    overrides: list[Override]
    allowed: list[AllowedRound]


class Question(Schema, frozen=True, kw_only=True):
    """A question of a player to the desk."""

    number: int
    """The number that the command `answer` takes."""
    player: str
    name: str
    about: About
    round: int | None
    at: datetime
    says: str


class Questions(Schema, frozen=True, kw_only=True):
    items: list[Question]


class Message(Schema, frozen=True, kw_only=True, omit_defaults=True):
    """A message of the stream: all changes from the previous version up to this one."""

    version: int
    """Send this version as `since` when you reconnect."""
    changed: list[str]
    """What to fetch again, by the last part of its address; `event` is the event itself. One of event,
    players, rounds, standings, bracket, draws, questions; others may come."""
    changes: list[Change]
    """The public changes, in words."""
    facts: list[Fact] | None = None
    """Every fact. Only for staff."""


# What an action led to, or would lead to


class NewFact(Schema, frozen=True, kw_only=True):
    """A new fact, such as a new player with their id."""

    position: int
    fact: dict[str, Any]


class Told(Schema, frozen=True, kw_only=True):
    """What to show to the person who acted."""

    version: int
    says: list[str]
    """What the scorekeeper should tell players."""
    warnings: list[str]


class Done(Told, frozen=True, kw_only=True):
    """The facts that the commands led to."""

    facts: list[NewFact]


class Entered(Told, frozen=True, kw_only=True):
    """A line of the entry bar that was saved."""

    done: str
    """What was saved, in words."""


class Made(Schema, frozen=True, kw_only=True):
    """A new event."""

    id: str
    address: str
    """Its public page."""
    desk: str
    """Its page at the desk."""


class Meant(Schema, frozen=True, kw_only=True):
    """What a line of the entry bar means."""

    kind: str
    """`wrong` if the line has no meaning."""
    says: str
    old: str
    """The result that the table already has."""
    whole: bool
    """Whether the line is complete and can be saved."""
    saw: str = ""
    """Send this text along when you save the line."""


class LookedBack(Schema, frozen=True, kw_only=True):
    """What an undo or a redo would change."""

    steps: list[int]
    says: str
    changes: list[str]


class Pasted(Schema, frozen=True, kw_only=True):
    """The players on a list."""

    players: list[dict[str, Any]]
    problems: list[str]
    """Problems with single lines."""
    columns: list[dict[str, Any]]
    """The meaning of each column, with its first rows."""
    notes: list[str]
    """How the list was understood, where you should check it."""
