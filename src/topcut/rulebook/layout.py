"""Declare what a book says of the layout of an event: rounds, stages, divisions, flights."""

import re
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field

from topcut.rulebook.labels import NO_LABEL, Label
from topcut.text.messages import Message, say

Format = Literal["swiss", "elimination", "swiss+elimination", "double-elimination", "round-robin"]
Placement = Literal["rank seed", "who beat them", "record of who beat them", "shared"]
"""How players who went out of a bracket in the same round are placed."""
_RULE_NUMBER = re.compile(r"\b[A-Z]{2,}-[A-Z]?\d+\b")
_READING = re.compile(r"\b[A-Z]{2,}-A\d+\b")
_SECTION = re.compile(
    r"§ ?[\d.]*\d|\b\d+(?:\.\d+)+\b|^\d+$"
    r"|\b(?:appendix|section|part|page|chapter|article|rule|step) [A-Z\d][\d.]*\b",
    re.IGNORECASE,
)
"""What a source calls a place in its document: `§3.1`, `10.4`, `Appendix E`."""


DECISIONS = frozenset(
    [
        "one_bye",
        "bye_points",
        "cross_division",
        "score_gap_squared",
        "displacement",
        "same_points",
        "pair_down",
        "drawn_down",
        "drawn_bye",
        "bye_higher_up",
        "apart",
        "last_row",
        "leaving",
        "paired",
        "drawn",
    ]
)
"""What sentences cite although no parameter sets it: a book can give a source for each of these too."""


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a book: its values, and their sources in the published rules."""

    source: Label
    sources: dict[str, Label] = {}

    def source_of(self, parameter: str) -> Label:
        return self.sources.get(parameter, self.source)

    def rule(self, parameter: str) -> str:
        """Return what a message cites for a parameter: the first rule number of its source, else sections.

        Empty where the source is only a remark, such as "not in the document".

        >>> Section(source=Label("§3.3.3.1 (PK-42, PK-43)")).rule("flight_from")
        'PK-42'
        >>> Section(source=Label("10.4, Appendix E, the usual rows")).rule("rounds")
        '10.4, Appendix E'
        """
        source = str(self.source_of(parameter))
        if number := _RULE_NUMBER.search(source):
            return number[0]
        return ", ".join(_SECTION.findall(source))

    def reading(self, parameter: str) -> str:
        """Return the readings of unclear rules that a parameter rests on, as its source has them; often none.

        >>> Section(source=Label("Draws (DS-14, DS-A2, DS-A3)")).reading("records_count")
        'DS-A2, DS-A3'
        """
        return ", ".join(_READING.findall(str(self.source_of(parameter))))


def cite_numbers(section: Section, parameter: str) -> str:
    """Return the rule of a parameter and the reading of it, if there is one."""
    rule, reading = section.rule(parameter), section.reading(parameter)
    return ", ".join(dict.fromkeys(number for number in (rule, *reading.split(", ")) if number))


def cite_both(text: Message, section: Section, parameter: str) -> Message:
    """Return a sentence followed by the rule of a parameter and the reading of it."""
    numbers = cite_numbers(section, parameter)
    return say("{note} ({rule})", note=text, rule=numbers) if numbers else text


def cite_reading(text: Message, section: Section | None, parameter: str) -> Message:
    """Return a sentence that a reading decided, followed by its number; as it is where no reading did."""
    number = section.reading(parameter) if section is not None else ""
    return say("{note} ({rule})", note=text, rule=number) if number else text


def cite(note: Message, section: Section, parameter: str) -> Message:
    """Return a note, followed by the number of the rule it comes from if that rule has one."""
    rule = section.rule(parameter)
    return say("{note} ({rule})", note=note, rule=rule) if _RULE_NUMBER.fullmatch(rule) else note


class RoundTableRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a round table: the rounds for up to `to` players; the last row has no limit."""

    rounds: int
    to: int | None = None
    cut: int | None = None
    second_day: int | None = None


class RoundTable(Section, frozen=True, kw_only=True):
    rows: tuple[RoundTableRow, ...]


class Plan(Section, frozen=True, kw_only=True):
    """How long an event is."""

    formats: tuple[Format, ...]
    """The formats this ruleset can run, the usual one first."""
    sanctioned: tuple[Format, ...] = ()
    """Where given: the formats that need nobody's approval."""
    tables: dict[str, RoundTable] = field(default_factory=dict)
    default_table: str = ""
    minimum_players: int = 2
    below_first_row: Label = NO_LABEL
    """What to say of a field smaller than the published table reaches; empty: nothing."""
    first_row: int = 0
    """The smallest number of players the published table speaks of."""
    exact_players: int | None = None
    swiss_only: Literal["table", "log2", "until one is unbeaten", "announced"] = "table"
    one_less: Literal["any", "modified", "never"] = "never"


class CutRules(Section, frozen=True, kw_only=True):
    """The cut before elimination rounds."""

    power_of_two: bool
    shares_within: Fraction | None = None
    """How far the shares of the divisions that make the cut may be apart before that is said."""


class Enter(Section, frozen=True, kw_only=True):
    """Who goes on into a stage, by the standings: the best, players with a record, or either."""

    top: int | Literal["cut"] | None = None
    """The number of best players; "cut": as the cut of the event, the same number from each flight."""
    level_up_to: int | None = None
    """Players level on points with the last of them go on too, up to this number in all."""
    losses: int | None = None
    """Players with at most this number of losses who won all else."""
    points: Fraction | None = None
    """Players with this number of points or more."""
    counted: Literal["points", "losses", "losses and draws"] = "points"
    """How the record of `losses` is compared: by its points, by losses, or by losses without draws."""
    either: Literal["larger", "both"] = "larger"
    """Where there are two conditions: the larger group goes on, or both groups."""
    backfill: bool = False
    """Whether the next in line takes the place of a player who leaves before the stage begins."""


class _Stage(Section, frozen=True, kw_only=True, tag_field="kind"):
    """A part of an event that is played in one way."""

    name: Label
    formats: tuple[Format, ...]
    """The formats of which it is a part; they play their stages in the order of the book."""
    enter: Enter | None = None
    """Who goes on into it from the stage before; everybody who is still there if not given."""


class SwissStage(_Stage, frozen=True, kw_only=True, tag="swiss"):
    rounds: int | Literal["table", "second day"]
    """A number; what the round table has; or its second day, where it has one."""
    pods: bool = False
    """Whether players draft in pods and play inside them."""
    carries: bool = True
    """Whether points and meetings of earlier stages count on."""


class RoundRobinStage(_Stage, frozen=True, kw_only=True, tag="round-robin"):
    """Everybody meets everybody once."""


class _Bracket(_Stage, frozen=True, kw_only=True):
    placement: Placement
    brackets: Literal["divisions", "one"] = "divisions"
    """Whether divisions that played apart have a bracket each."""


class EliminationStage(_Bracket, frozen=True, kw_only=True, tag="elimination"):
    """Out after one loss."""


class DoubleEliminationStage(_Bracket, frozen=True, kw_only=True, tag="double-elimination"):
    """Out after two losses."""

    reset: bool
    """Whether a final that the unbeaten player loses is played once more."""


BracketStage = EliminationStage | DoubleEliminationStage
Stage = SwissStage | RoundRobinStage | BracketStage


class Division(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    born_from: int | None = None
    born_to: int | None = None


class Divisions(Section, frozen=True, kw_only=True):
    list: tuple[Division, ...]
    season: int | None = None
    """The year in which the season of these years of birth began; they move on by one with each season."""
    season_month: int = 1
    """The month with which a season begins."""
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
