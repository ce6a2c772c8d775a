"""What a book may say of running an event: late entry, posting, corrections, keeping."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from topcut.rulebook.section import Section

Level = Literal["casual", "championship", "premier"]


class Moment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point in an event: when a round begins, or when it ends."""

    round: int
    moment: Literal["start", "end"]


class LateEntry(Section, frozen=True, kw_only=True):
    """Who may still enter once an event has begun."""

    until: dict[Level, Moment] = field(default_factory=dict)
    """The last moment for events of a level; one that is not named has none."""
    before_bracket: bool = False
    """Whether the rules say themselves that nobody enters a bracket that has begun; nobody ever can."""
    told: bool = False
    """Whether a late player must be told of the losses and of ranking behind those who were on time."""

    @property
    def no_later(self) -> str:
        """The rule that closes a bracket to new players; empty where none says so."""
        return self.rule("before_bracket") if self.before_bracket else ""


class Running(Section, frozen=True, kw_only=True):
    """What is announced and posted, and how long a record can be corrected."""

    announced: bool = False
    """Whether rounds, cut, prizes and a table for third place are announced before the first round."""
    frozen_after: int | None = None
    """The record of a round is closed by the round that comes so many later; none: open to the end."""
    frozen_when: Literal["paired", "published", "started"] = "published"
    """What that later round must have been."""
    bracket_freezes: bool = False
    """Whether the first elimination round closes the records of all rounds before it, at the same moment."""
    reminded: bool = False
    """Whether players are reminded in each round to check their record."""
    slips: tuple[Level, ...] = ()
    """The levels of events that must use result slips."""
    kept_months: int = 0
    """How long results are kept at least after the event."""
