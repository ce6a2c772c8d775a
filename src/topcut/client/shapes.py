"""What the API says: one shape for each thing it answers, the same for the server and for clients.

What somebody may not see is left out. A value that is missing is the default that stands here.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from topcut.event.facts import Result

Phase = Literal["draft", "published", "started", "ended"]


class Shape(Struct, frozen=True, kw_only=True):
    """The base of all shapes."""


class You(Shape, frozen=True, kw_only=True):
    """Whoever asks."""

    name: str
    role: str
    rights: list[str]
    event: str | None = None


class Service(Shape, frozen=True, kw_only=True):
    topcut: str
    api: int
    you: You


class Ruleset(Shape, frozen=True, kw_only=True):
    id: str
    title: str
    edition: str
    status: str


class Listed(Shape, frozen=True, kw_only=True):
    """An event in a list."""

    id: str
    name: str
    rules: str
    players: int
    round: int
    """The last round that everybody may see; 0: none."""
    finished: bool
    yours: bool
    """Whether you are at its desk."""


class Events(Shape, frozen=True, kw_only=True):
    items: list[Listed]
    next: str | None
    """The cursor of what follows; null at the end."""


class Clock(Shape, frozen=True, kw_only=True):
    ends: datetime | None
    paused: bool
    left: float | None
    """Seconds, while it stands still."""
    last_ends: datetime | None
    """When the last table that still plays is out of time."""


class Event(Shape, frozen=True, kw_only=True):
    """An event as it stands."""

    id: str
    version: int
    """The position of its last fact; also in the ETag."""
    name: str
    rules: str
    title: str
    options: dict[str, Any]
    players: int
    active: int
    round: int
    phase: Phase | None
    clock: Clock | None
    announced: list[str]
    commitment: str
    """The SHA-256 of the secret that draws come from."""
    created: datetime
    finished: datetime | None
    purged: bool
    blocked: list[int]


class Player(Shape, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    name: str
    """What everybody sees."""
    division: str | None = None
    entered: int = 1
    dropped: int | None = None
    cut: int | None = None
    disqualified: int | None = None
    flight: int | None = None
    pod: int | None = None
    seat: int | None = None
    here: bool | None = None
    fixed: int | None = None
    legal: str | None = None
    member: str | None = None
    born: int | None = None
    apart: list[str] = []


class Players(Shape, frozen=True, kw_only=True):
    items: list[Player]
    next: str | None


class Seat(Shape, frozen=True, kw_only=True):
    id: str
    name: str


class Claim(Shape, frozen=True, kw_only=True):
    """What a player says how their table ended."""

    player: str
    result: Result


class Table(Shape, frozen=True, kw_only=True, omit_defaults=True):
    table: int | str | None
    players: list[Seat]
    reported: bool
    result: Result | None = None
    says: str = ""
    """The result in words."""
    alone: Literal["", "bye", "loss"] = ""
    new: bool = False
    """Whether it changed after the round was published."""
    extra: int = 0
    """Minutes more."""
    why: list[str] = []
    confirmed: bool = False
    disputed: bool = False
    claims: list[Claim] = []


class Notable(Shape, frozen=True, kw_only=True):
    """Something to look at before a round is published."""

    kind: str
    says: str
    table: int | str | None = None


class Round(Shape, frozen=True, kw_only=True):
    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    seed: str
    attempt: int
    published: datetime | None
    clock: Clock | None
    tables: list[Table]
    missing: list[int | str | None]
    """Tables that are not reported."""
    preview: list[Notable]


class RoundListed(Shape, frozen=True, kw_only=True):
    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    tables: int
    reported: int


class Rounds(Shape, frozen=True, kw_only=True):
    items: list[RoundListed]


class Record(Shape, frozen=True, kw_only=True):
    wins: int
    losses: int
    draws: int
    byes: int


class Tiebreak(Shape, frozen=True, kw_only=True):
    key: str
    label: str
    value: str | None
    shown: str


class Standing(Shape, frozen=True, kw_only=True, omit_defaults=True):
    rank: int
    id: str
    name: str
    points: int | str
    dropped: bool
    record: Record
    tiebreaks: list[Tiebreak]
    decided_by: str | None
    disqualified: bool = False
    division: str | None = None
    division_rank: int | None = None
    flight: int | None = None
    flight_rank: int | None = None


class Standings(Shape, frozen=True, kw_only=True):
    rules: str
    after: int
    seed: str
    standings: list[Standing]


class Explained(Shape, frozen=True, kw_only=True):
    """The working of a player's tiebreaks."""

    id: str
    name: str
    after: int
    lines: list[str]


class Brackets(Shape, frozen=True, kw_only=True):
    """Each as `topcut bracket --json` writes it."""

    brackets: list[dict[str, Any]]


class Change(Shape, frozen=True, kw_only=True):
    """Something that is different, for everybody."""

    position: int
    at: datetime
    kind: Literal["round", "tables", "result", "player", "event"]
    round: int | None
    says: str


class Changes(Shape, frozen=True, kw_only=True):
    items: list[Change]
    next: str | None


class Fact(Shape, frozen=True, kw_only=True):
    """A fact of the log, and what it says."""

    position: int
    step: int
    at: datetime
    by: str
    via: str
    says: str
    undone: bool
    fact: dict[str, Any]


class Log(Shape, frozen=True, kw_only=True):
    items: list[Fact]
    next: str | None


class NewFact(Shape, frozen=True, kw_only=True):
    """A fact that a command came to, such as the id that a new player has."""

    position: int
    fact: dict[str, Any]


class Done(Shape, frozen=True, kw_only=True):
    """What commands came to."""

    version: int
    facts: list[NewFact]
    says: list[str]
    """What people must be told."""
    warnings: list[str]


class Made(Shape, frozen=True, kw_only=True):
    """An event that was made."""

    id: str
    address: str
    desk: str


class Link(Shape, frozen=True, kw_only=True):
    """A way in for somebody, or a token for a program."""

    id: str
    name: str
    role: str
    rights: list[str]
    event: str | None
    token: bool
    made: datetime
    by: str
    until: datetime | None


class Links(Shape, frozen=True, kw_only=True):
    items: list[Link]


class NewKey(Shape, frozen=True, kw_only=True):
    """A link or token that was made; the key is shown once."""

    link: Link
    key: str
    address: str | None
    """Where a browser comes in with it; null for a token."""


class Webhook(Shape, frozen=True, kw_only=True):
    """An address that is told every fact of an event."""

    id: str
    url: str
    made: datetime
    by: str
    position: int
    """The last fact that it has taken."""
    tries: int
    failing_since: datetime | None
    last_error: str
    stopped: bool


class Webhooks(Shape, frozen=True, kw_only=True):
    items: list[Webhook]


class NewWebhook(Shape, frozen=True, kw_only=True):
    webhook: Webhook
    secret: str
    """What deliveries are signed with; it is shown once."""


class Delivered(Shape, frozen=True, kw_only=True):
    status: int | None
    problem: str


class Address(Shape, frozen=True, kw_only=True):
    address: str


class Meant(Shape, frozen=True, kw_only=True):
    """What a line of the entry bar means."""

    kind: str
    says: str
    old: str
    whole: bool
    saw: str


class LookedBack(Shape, frozen=True, kw_only=True):
    """What would change if a step were taken back, or counted again."""

    steps: list[int]
    says: str
    changes: list[str]


class Pasted(Shape, frozen=True, kw_only=True):
    """Who is on a list."""

    players: list[dict[str, Any]]
    problems: list[str]


class ProblemKind(Shape, frozen=True, kw_only=True):
    """A kind of problem, by its `type`."""

    type: str
    status: int
    title: str


class ProblemKinds(Shape, frozen=True, kw_only=True):
    items: list[ProblemKind]


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457); the data of some kinds stands beside these."""

    type: str
    title: str
    status: int
    detail: str = ""
