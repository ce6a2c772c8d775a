"""What happens in an event, as the API tells it: changes, facts, draws, questions, messages of a stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from topcut.client.shapes.base import Shape
from topcut.event.facts import About


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


class Log(Shape, frozen=True, kw_only=True):
    items: list[Fact]
    next: str | None


class Promise(Shape, frozen=True, kw_only=True):
    """What draws come from, promised before anything is drawn."""

    commitment: str
    """The SHA-256 of the secret."""
    at: datetime
    secrets: list[str]
    """The secret, once it is revealed."""
    rehearsal: bool


class Draw(Shape, frozen=True, kw_only=True):
    what: str
    seed: str
    attempt: int
    note: str
    """Whether it stands as it was drawn."""


class Override(Shape, frozen=True, kw_only=True):
    """A record that was changed after it was closed."""

    round: int
    table: int | str
    reason: str
    at: datetime


class Draws(Shape, frozen=True, kw_only=True):
    promises: list[Promise]
    draws: list[Draw]
    overrides: list[Override]


class Question(Shape, frozen=True, kw_only=True):
    """Something that a player wants the desk to look at."""

    number: int
    """What the command `answer` takes."""
    player: str
    name: str
    about: About
    round: int | None
    at: datetime
    says: str


class Questions(Shape, frozen=True, kw_only=True):
    items: list[Question]


class Message(Shape, frozen=True, kw_only=True, omit_defaults=True):
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
