"""What came of it, as the API says when something is done, or would be."""

from __future__ import annotations

from typing import Any

from topcut.client.shapes.base import Shape


class NewFact(Shape, frozen=True, kw_only=True):
    """A fact that a command came to, such as the id that a new player has."""

    position: int
    fact: dict[str, Any]


class Told(Shape, frozen=True, kw_only=True):
    """What is said to whoever did something."""

    version: int
    says: list[str]
    """What people must be told."""
    warnings: list[str]


class Done(Told, frozen=True, kw_only=True):
    """What commands came to."""

    facts: list[NewFact]


class Entered(Told, frozen=True, kw_only=True):
    """A line that counts."""

    done: str
    """What it meant."""


class Made(Shape, frozen=True, kw_only=True):
    """An event that was made."""

    id: str
    address: str
    """Its page in the hall."""
    desk: str
    """Its page at the desk."""


class Meant(Shape, frozen=True, kw_only=True):
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


class LookedBack(Shape, frozen=True, kw_only=True):
    """What would change if a step were taken back, or counted again."""

    steps: list[int]
    says: str
    changes: list[str]


class Pasted(Shape, frozen=True, kw_only=True):
    """Who is on a list."""

    players: list[dict[str, Any]]
    problems: list[str]
    """Lines that look wrong."""
    columns: list[dict[str, Any]]
    """What each column is taken for, with its first rows."""
    notes: list[str]
    """How the list was understood, where that may be news."""
