"""An event, as the API shows it: players, rounds, standings, brackets."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from topcut.client.shapes.base import Phase, Shape
from topcut.event.facts import Result


class Listed(Shape, frozen=True, kw_only=True):
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


class Events(Shape, frozen=True, kw_only=True):
    items: list[Listed]
    next: str | None
    """The cursor of what follows; null at the end."""


class Clock(Shape, frozen=True, kw_only=True):
    ends: datetime | None
    """Null while it stands still, and where there is no time."""
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


class Player(Shape, frozen=True, kw_only=True, omit_defaults=True):
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


class Players(Shape, frozen=True, kw_only=True):
    items: list[Player]
    next: str | None


class Seat(Shape, frozen=True, kw_only=True):
    id: str
    name: str


class PlayerClaim(Shape, frozen=True, kw_only=True):
    """What a player says how their table ended."""

    player: str
    result: Result


class Table(Shape, frozen=True, kw_only=True, omit_defaults=True):
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
    """How often it was drawn."""
    published: datetime | None
    clock: Clock | None
    tables: list[Table]
    missing: list[int | str | None]
    """Tables that are not reported."""
    preview: list[Notable]
    """What to look at before it is published. For staff."""


class RoundListed(Shape, frozen=True, kw_only=True):
    """A round in a list."""

    number: int
    stage: Literal["swiss", "elimination"]
    phase: Phase
    tables: int
    """Where two or more sit."""
    reported: int
    """How many of these tables have a result."""


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
    """Exact: a whole number or a fraction such as 5/9."""
    shown: str
    """As people read it."""


class Standing(Shape, frozen=True, kw_only=True, omit_defaults=True):
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


class Standings(Shape, frozen=True, kw_only=True):
    rules: str
    after: int
    """How many rounds count."""
    seed: str
    standings: list[Standing]


class Explained(Shape, frozen=True, kw_only=True):
    """The working of a player's tiebreaks."""

    id: str
    name: str
    after: int
    lines: list[str]


class Brackets(Shape, frozen=True, kw_only=True):
    """The brackets, each as `topcut bracket --json` writes it; none while there is none."""

    brackets: list[dict[str, Any]]
