"""What a book may say of the way an event is laid out: rounds, stages, divisions, flights."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from topcut.rulebook.section import Format, Section


class Row(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a round table: up to so many players (no limit in the last row), so many rounds."""

    rounds: int
    to: int | None = None
    cut: int | None = None
    second_day: int | None = None


class RoundTable(Section, frozen=True, kw_only=True):
    rows: tuple[Row, ...]


class DayTwo(Section, frozen=True, kw_only=True):
    """Who plays on the second day: enough points, or the best so many, whichever are more."""

    losses: int
    top: int


class Plan(Section, frozen=True, kw_only=True):
    """How long an event is."""

    formats: tuple[Format, ...]
    """The formats this ruleset can run, the usual one first."""
    sanctioned: tuple[Format, ...] = ()
    """Where given: the formats that need nobody's approval."""
    tables: dict[str, RoundTable] = field(default_factory=dict)
    default_table: str = ""
    minimum_players: int = 2
    below_first_row: str = ""
    """What to say of a field smaller than the published table reaches; empty: nothing."""
    first_row: int = 0
    """The smallest number of players the published table speaks of."""
    exact_players: int | None = None
    fixed_rounds: int | None = None
    swiss_only: Literal["table", "log2", "until one is unbeaten", "announced"] = "table"
    one_less: Literal["any", "modified", "never"] = "never"
    day_two: DayTwo | None = None


class Cut(Section, frozen=True, kw_only=True):
    power_of_two: bool


class Division(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    born_from: int | None = None
    born_to: int | None = None


class Divisions(Section, frozen=True, kw_only=True):
    list: tuple[Division, ...]
    separate_from: int
    empty: Literal["ignored", "short"]
    """Whether a division with no players counts as one with too few."""
    merge: Literal["all", "short"]
    """Whether too few in one division join all divisions in one pool, or only that one to the next."""
    counted: Literal["largest", "all"] = "largest"
    """Whose number decides the rounds of a pool of several divisions: the largest one's, or everybody's."""
    ignored_by: tuple[Format, ...] = ()
    """The formats in which everybody plays together, whatever their division."""


class Flights(Section, frozen=True, kw_only=True):
    counts: tuple[int, ...]
    division_from: int
    flight_from: int
    formats: tuple[Format, ...]
    per_flight_from: int
    sizes: Literal["fewest odd", "closest"]
    late: Literal["smallest", "any"] = "smallest"
    """Where several flights are smaller than others: a late player joins one of those, or any flight."""
    rounds: Literal["largest flight", "one less per doubling"]
